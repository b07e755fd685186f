"""The actions of a turn: small buttons in groups, the first nine with number keys, and a filter line.

An action against the rules is greyed, stands last in its group, and shows why; it may be pressed all the same, for the
group decides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QFrame, QLineEdit, QScrollArea, QWidget

from turnwright.ui.fonts import SPACE, scaled
from turnwright.ui.icons import icon
from turnwright.ui.translations import tr
from turnwright.ui.widgets.explanation import Explanation
from turnwright.ui.widgets.layout import FlowRow, horizontal, vertical
from turnwright.ui.widgets.text import PushButton, escaped_tooltip, plain_label, restyle
from turnwright.ui.widgets.why_card import WhyCard
from turnwright.ui.widgets.why_popup import WhyPopup

NUMBERED = 9
MIN_ROOM = 52  # two lines
FULL, EMPTY = "●", "○"
MAX_BOXES = 6


@dataclass(frozen=True)
class ActionView:
    """An action as a button shows it; `refused` is the reason why it is against the rules now, or empty.

    `group` is a heading, `cost` its cost as the game writes it; `boxes` are its uses left and their maximum, None where
    it has none.
    """

    id: str
    name: str
    tip: str = ""
    refused: str = ""
    why: Callable[[], Explanation] | None = field(default=None, compare=False)
    group: str = ""
    icon: str = ""
    boxes: tuple[int, int] | None = None
    cost: str = ""

    @property
    def uses_text(self) -> str:
        """The uses as text: full boxes, then empty ones, numbers where they would be too many."""
        if self.boxes is None:
            return ""
        left, most = self.boxes
        return FULL * left + EMPTY * (most - left) if most <= MAX_BOXES else f"{left}/{most}"


class ActionButton(PushButton):
    """The button of one action. `?` opens the card that explains it, or why it is refused."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAutoDefault(False)
        self.setProperty("kind", "act")
        self._view = ActionView("", "")
        self._popup = WhyPopup(self)
        self.number = 0

    def set_view(self, view: ActionView, number: int) -> None:
        """Show an action under its number, 0 for none."""
        self._view = view
        self.number = number
        parts = (str(number) if number else "", view.name, view.cost, view.uses_text)
        self.setText("  ".join(part for part in parts if part).replace("&", "&&"))
        if view.icon:
            self.setIcon(icon(view.icon, "edge" if view.refused else "text"))
            self.setIconSize(QSize(scaled(14), scaled(14)))
        tip = "\n".join(part for part in (view.refused, view.tip) if part)
        self.setToolTip(escaped_tooltip(tip))
        self.setAccessibleName(view.name)
        left = tr("ui.pips.state", label=view.name, left=view.boxes[0], of=view.boxes[1]) if view.boxes else ""
        price = tr("ui.turn.price", price=view.cost) if view.cost else ""
        self.setAccessibleDescription("\n".join(part for part in (price, left, tip) if part))
        if bool(self.property("refused")) != bool(view.refused):
            self.setProperty("refused", bool(view.refused))
            restyle(self)

    @property
    def view(self) -> ActionView:
        """The action shown."""
        return self._view

    def card(self) -> WhyCard | None:
        """Return the open card, if any."""
        return self._popup.card()

    def explain(self) -> bool:
        """Open the card; return False where there is nothing to explain."""
        if self._view.why is None:
            return False
        self._popup.open(self._view.why())
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Question or not self.explain():
            super().keyPressEvent(event)


class FilterLine(QLineEdit):
    """The filter line. Esc empties and leaves it; Enter takes the first action left; Down goes to it."""

    focusReleased = Signal()
    downPressed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
            self.focusReleased.emit()
        elif event.key() == Qt.Key.Key_Down:
            self.downPressed.emit()
        else:
            super().keyPressEvent(event)


def _led_by(heading: QWidget, button: QWidget) -> QWidget:
    """Return a heading and the first button of its group as one item, which a line break does not part."""
    both = QWidget()
    row = horizontal(both, spacing=SPACE + 1)
    row.addWidget(heading)
    row.addWidget(button)
    return both


class _Scrolled(QScrollArea):
    """As high as its contents where there is room, and never less than a few lines."""

    def sizeHint(self) -> QSize:
        inside = self.widget()
        lines = inside.heightForWidth(max(1, self.width())) if inside else 0
        return QSize(scaled(320), max(scaled(MIN_ROOM), lines + 2))

    def minimumSizeHint(self) -> QSize:
        return QSize(scaled(160), min(scaled(MIN_ROOM), self.sizeHint().height()))


class ActionBar(QWidget):
    """`chosen(id)` by click, Enter, or a number key in `shortcut_scope`; `focusReleased` when the filter is left."""

    chosen = Signal(str)
    focusReleased = Signal()

    def __init__(self, shortcut_scope: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._views: tuple[ActionView, ...] = ()
        self.buttons: dict[str, ActionButton] = {}
        self.are_numbers_taken: Callable[[], bool] = lambda: False  # True while numbers mean something else
        column = vertical(self, spacing=SPACE)
        self.filter = FilterLine()
        self.filter.setPlaceholderText(tr("ui.turn.filter"))
        self.filter.setAccessibleName(tr("ui.turn.filter"))
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(lambda _text: self._show())
        self.filter.returnPressed.connect(self._choose_first)
        self.filter.focusReleased.connect(self.focusReleased)
        self.filter.downPressed.connect(self._go_to_first)
        self.filter.hide()
        column.addWidget(self.filter)
        self._flow = FlowRow(gap=SPACE + 1)
        self._scroll = _Scrolled()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self._flow)
        column.addWidget(self._scroll)
        for place in range(NUMBERED):
            shortcut = QShortcut(QKeySequence(str(place + 1)), shortcut_scope)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda place=place: self._choose(place))
        opening = QShortcut(QKeySequence("/"), shortcut_scope)
        opening.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        opening.activated.connect(self.open_filter)

    def set_actions(self, views: Sequence[ActionView]) -> None:
        """Set the actions, the first nine with number keys; groups stand in the order of their first action."""
        if tuple(views) == self._views:
            return
        ids = [view.id for view in views]
        if ids != [view.id for view in self._views]:
            self.filter.clear()
        self._views = tuple(views)
        self._show()

    def open_filter(self) -> None:
        """Set the focus into the filter line."""
        if self._views and self.isVisible():
            self.filter.show()
            self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def button(self, number: int) -> ActionButton:
        """Return the button of a number key, 1 to 9."""
        return next(each for each in self.buttons.values() if each.number == number)

    def least_height(self) -> int:
        """Return the minimum useful height of the list, in pixels."""
        return self.minimumSizeHint().height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._keep_room()

    # Laying out ----------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        wanted = self._wanted()
        held = next((id for id, each in self.buttons.items() if each.hasFocus()), None)
        numbers = {view.id: place + 1 for place, view in enumerate(self._views[:NUMBERED])}
        if [view.id for view in wanted] == list(self.buttons):
            for view in wanted:
                self.buttons[view.id].set_view(view, numbers.get(view.id, 0))
        else:
            self._fill(wanted, numbers)
            if held is not None and held in self.buttons:
                self.buttons[held].setFocus(Qt.FocusReason.OtherFocusReason)
        if not self.filter.text() and not self.filter.hasFocus():
            self.filter.hide()
        self._keep_room()

    def _wanted(self) -> list[ActionView]:
        """Return the actions that match the filter, by group, refused ones last."""
        typed = self.filter.text().strip().casefold()
        groups = list(dict.fromkeys(view.group for view in self._views))
        found = [view for view in self._views if typed in f"{view.name} {view.group}".casefold()]
        return sorted(found, key=lambda view: (groups.index(view.group), bool(view.refused)))

    def _fill(self, wanted: Sequence[ActionView], numbers: dict[str, int]) -> None:
        self._flow.clear()
        self.buttons = {}
        group = ""
        for view in wanted:
            button = ActionButton()
            button.set_view(view, numbers.get(view.id, 0))
            button.clicked.connect(lambda _checked=False, id=view.id: self._chosen(id))
            part: QWidget = button
            if view.group != group:
                group = view.group
                part = _led_by(plain_label(group, "caption", "muted"), button)
            self._flow.add(part)
            part.show()
            self.buttons[view.id] = button
        if not wanted and self._views:
            nothing = plain_label(tr("ui.turn.filter-none"), "caption", "muted")
            self._flow.add(nothing)
            nothing.show()

    def _keep_room(self) -> None:
        """Set the height that the buttons need at this width, without a scroll bar if they fit."""
        width = self._scroll.width()
        lines = self._flow.heightForWidth(max(1, width))
        if lines > self._scroll.height():
            bar = self._scroll.verticalScrollBar().sizeHint().width()
            lines = self._flow.heightForWidth(max(1, width - bar))
        self._flow.setMinimumHeight(lines)
        self._scroll.updateGeometry()
        self.updateGeometry()

    # Choosing ------------------------------------------------------------------------------------------------------

    def _choose(self, place: int) -> None:
        if place < len(self._views) and not self.are_numbers_taken():
            self._chosen(self._views[place].id)

    def _chosen(self, id: str) -> None:
        self.filter.clear()
        self.chosen.emit(id)

    def _choose_first(self) -> None:
        first = next(iter(self.buttons), "")
        if first:
            self.focusReleased.emit()
            self._chosen(first)

    def _go_to_first(self) -> None:
        first = next(iter(self.buttons.values()), None)
        if first is not None:
            first.setFocus(Qt.FocusReason.OtherFocusReason)
