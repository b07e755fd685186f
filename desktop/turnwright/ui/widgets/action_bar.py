"""What may be done on a turn, as numbered buttons; what can't be done now is greyed and says why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from turnwright.ui.fonts import SPACE
from turnwright.ui.say import say
from turnwright.ui.widgets.layout import FlowRow
from turnwright.ui.widgets.text import PushButton, literal_tip, restyle
from turnwright.ui.widgets.why import Why, WhyCard

NUMBERED = 9


@dataclass(frozen=True)
class ActionView:
    """An action as a button shows it; `refused` says in words why it can't be done now, empty where it can."""

    id: str
    name: str
    tip: str = ""
    refused: str = ""
    why: Callable[[], Why] | None = field(default=None, compare=False)


class ActionButton(PushButton):
    """One action. `?` opens the card with what it does, or why it can't be done."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAutoDefault(False)
        self._view = ActionView("", "")
        self._card: WhyCard | None = None

    def set_view(self, view: ActionView, number: int) -> None:
        """Show an action under its number."""
        self._view = view
        self.setText(f"{number}  {view.name}".replace("&", "&&"))
        tip = "\n".join(part for part in (view.refused, view.tip) if part)
        self.setToolTip(literal_tip(tip))
        self.setAccessibleName(view.name)
        self.setAccessibleDescription(tip)
        if bool(self.property("refused")) != bool(view.refused):
            self.setProperty("refused", bool(view.refused))
            restyle(self)

    @property
    def view(self) -> ActionView:
        """The action shown."""
        return self._view

    def card(self) -> WhyCard | None:
        """Return the open card, if any."""
        return self._card

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Question and self._view.why is not None:
            self._close()
            self._card = WhyCard(self._view.why(), self)
            self._card.show_beside(self)
        elif event.key() == Qt.Key.Key_Escape and self._card is not None:
            self._close()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: object) -> None:
        self._close()
        super().focusOutEvent(event)  # type: ignore[arg-type]

    def _close(self) -> None:
        if self._card is not None:
            self._card.hide()
            self._card.deleteLater()
            self._card = None


class ActionBar(QWidget):
    """Up to nine buttons and a menu for the rest. `chosen(id)` by click, Enter, or the number anywhere in `keys_in`."""

    chosen = Signal(str)

    def __init__(self, keys_in: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._views: tuple[ActionView, ...] = ()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self._flow = FlowRow(gap=SPACE + 2)
        column.addWidget(self._flow)
        self._buttons = [ActionButton() for _ in range(NUMBERED)]
        for place, button in enumerate(self._buttons):
            button.clicked.connect(lambda _checked=False, place=place: self._choose(place))
            self._flow.add(button)
            shortcut = QShortcut(QKeySequence(str(place + 1)), keys_in)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda place=place: self._choose(place))
        self._more = PushButton(say("ui.turn.more"))
        self._more.setAutoDefault(False)
        self._menu = QMenu(self._more)
        self._menu.setToolTipsVisible(True)
        self._more.setMenu(self._menu)
        self._flow.add(self._more)
        for hidden in (*self._buttons, self._more):
            hidden.hide()

    def set_actions(self, views: Sequence[ActionView]) -> None:
        """Show these actions, the first nine on numbers."""
        if tuple(views) == self._views:
            return
        self._views = tuple(views)
        for place, button in enumerate(self._buttons):
            button.setVisible(place < len(views))
            if place < len(views):
                button.set_view(views[place], place + 1)
        self._menu.clear()
        for view in views[NUMBERED:]:
            action = self._menu.addAction(view.name.replace("&", "&&"))
            action.setToolTip(literal_tip("\n".join(part for part in (view.refused, view.tip) if part)))
            action.setEnabled(not view.refused)
            action.triggered.connect(lambda _checked=False, id=view.id: self.chosen.emit(id))
        self._more.setVisible(len(views) > NUMBERED)
        self._keep_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._keep_room()

    def _keep_room(self) -> None:
        """Ask for as many lines as the buttons need at this width."""
        self._flow.setMinimumHeight(self._flow.heightForWidth(max(1, self.width())))

    def button(self, number: int) -> ActionButton:
        """Return the button on a number, 1 to 9."""
        return self._buttons[number - 1]

    def _choose(self, place: int) -> None:
        if place < len(self._views):
            self.chosen.emit(self._views[place].id)
