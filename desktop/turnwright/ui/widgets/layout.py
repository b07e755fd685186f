"""Layouts, tab order and containers.

Layouts: rows that wrap, scroll areas, and labels that elide their text.

Tab order is by position: row by row from the top left, regardless of the order in which widgets were created.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final, Literal, TypeVar

from PySide6.QtCore import QEvent, QMargins, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QStyle,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from turnwright.ui.look import style
from turnwright.ui.look.icons import TONE_ICONS
from turnwright.ui.widgets.paint import draw_panel
from turnwright.ui.widgets.text import IconLabel, discard, named, plain_label, push_button, restyle, tool_button

Box = TypeVar("Box", bound=QBoxLayout)
Container = TypeVar("Container", bound="QBoxLayout | QStackedWidget | QSplitter | FlowRow")
STRETCH: Final = "stretch"  # a part of a layout that takes the free room
Part = (
    QWidget
    | QLayout
    | Literal["stretch"]
    | tuple[QWidget | QLayout, int]
    | tuple[QWidget | QLayout, int, Qt.AlignmentFlag]
)


PART_ENDS = re.compile(r", | \(| ·| {2}· {2}")
Margins = int | tuple[int, int, int, int]


def vertical(parent: QWidget | None = None, *, spacing: int = style.GAP, margins: Margins = 0) -> QVBoxLayout:
    """Return a column layout and set it on `parent`, if given. Lengths are in px at 100 %."""
    return _spaced(QVBoxLayout(), parent, spacing, margins)


def horizontal(parent: QWidget | None = None, *, spacing: int = style.GAP, margins: Margins = 0) -> QHBoxLayout:
    """Return a row layout and set it on `parent`, if given. Lengths are in px at 100 %."""
    return _spaced(QHBoxLayout(), parent, spacing, margins)


def grid_layout(parent: QWidget | None = None, *, across: int = style.GAP, down: int = style.GAP) -> QGridLayout:
    """Return a grid layout without margins and set it on `parent`, if given. Spacings are in px at 100 %."""
    layout = QGridLayout() if parent is None else QGridLayout(parent)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setHorizontalSpacing(style.scaled(across))
    layout.setVerticalSpacing(style.scaled(down))
    return layout


def _spaced(layout: Box, parent: QWidget | None, spacing: int, margins: Margins) -> Box:
    if parent is not None:
        parent.setLayout(layout)
    sides = margins if isinstance(margins, tuple) else (margins,) * 4
    layout.setSpacing(style.scaled(spacing) if spacing else 0)
    layout.setContentsMargins(*(style.scaled(side) if side else 0 for side in sides))
    return layout


def fill(container: Container, *parts: Part) -> Container:
    """Add widgets and layouts in order, and return the container.

    A part can be a tuple: the widget or layout, its stretch factor and, optionally, its alignment.
    """
    for part in parts:
        item, *options = part if isinstance(part, tuple) else (part,)
        if isinstance(item, QWidget):
            container.add(item) if isinstance(container, FlowRow) else container.addWidget(item, *options)
        elif isinstance(container, QBoxLayout):
            container.addLayout(item, *options) if isinstance(item, QLayout) else container.addStretch(1)
    return container


def switch_of(*buttons: QPushButton, margins: Margins = 0) -> QWidget:
    """Combine buttons of the kind `mode` into a switch of adjoining buttons, one of which is checked."""
    switch = QWidget()
    row = horizontal(switch, spacing=0, margins=margins)
    for button in buttons:
        button.setCheckable(True)
        button.setProperty("end", button is buttons[-1])
        row.addWidget(button)
    return switch


def frameless_scroll_area(
    content: QWidget, parent: QWidget | None = None, kind: type[QScrollArea] = QScrollArea
) -> QScrollArea:
    """Return a frameless area that scrolls its content vertically and never has the focus itself."""
    area = kind(parent, widgetResizable=True)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(content)
    return area


def form_scroll_area(parent: QWidget, name: str) -> tuple[QScrollArea, QWidget, QVBoxLayout]:
    """Return a scroll area for forms, its content widget, and the column that holds the forms."""
    holder = QWidget()
    area = named(frameless_scroll_area(holder, parent), name)
    column = vertical()
    fill(vertical(holder, spacing=0, margins=(12, style.SPACE, 12, style.GROUP_GAP)), column, STRETCH)
    return area, holder, column


OUT_OF_SIGHT = 1000
Sized = tuple[QLayoutItem, QSize]
Wanting = tuple[QLayoutItem, QSize, int]  # an item, its size hint and its minimum width


class FlowLayout(QLayout):
    """Places items side by side and wraps them to as many lines as needed. Items are centred vertically in their line.

    Rules separate groups of items. A group stays on one line if it fits, and no line starts or ends with a rule. The
    layout never asks an item for its widget, because Python would keep a reference to the item, which Qt deletes first.
    """

    def __init__(self, parent: QWidget | None = None, gap: int = style.GAP) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._rules: list[QLayoutItem] = []
        # sizes are cached until a child changes its size
        self._groups: list[tuple[QLayoutItem | None, list[Wanting]]] | None = None
        self._heights: dict[int, int] = {}
        self._gap = style.scaled(gap)
        self.setContentsMargins(QMargins(0, 0, 0, 0))

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)
        self._forget_sizes()

    def add_rule(self, widget: QWidget) -> None:
        """Append a rule between groups."""
        self.addWidget(widget)
        self._rules.append(self._items[-1])
        self._forget_sizes()

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        self._forget_sizes()
        if not 0 <= index < len(self._items):
            return None
        item = self._items.pop(index)
        self._rules = [rule for rule in self._rules if rule is not item]
        return item

    def invalidate(self) -> None:
        self._forget_sizes()
        super().invalidate()

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:
            self._heights[width] = self._arrange(QRect(0, 0, width, 0), place=False)
        return self._heights[width]

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, place=True)

    def sizeHint(self) -> QSize:
        sizes = [item.sizeHint() for item in self._items if not item.isEmpty()]
        width = sum(size.width() for size in sizes) + self._gap * max(0, len(sizes) - 1)
        return QSize(width, max((size.height() for size in sizes), default=0))

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            if not item.isEmpty():
                size = size.expandedTo(item.minimumSize())
        return size

    def _arrange(self, rect: QRect, *, place: bool) -> int:
        top = rect.y()
        lines, hidden_rules = self._lines(rect.width())
        for rule in hidden_rules if place else ():
            rule.setGeometry(QRect(rect.bottomRight() + QPoint(OUT_OF_SIGHT, OUT_OF_SIGHT), rule.sizeHint()))
        for line in lines:
            height = max(size.height() for _, size in line)
            left = rect.x()
            for item, size in line:
                if place:
                    item.setGeometry(QRect(QPoint(left, top + (height - size.height()) // 2), size))
                left += size.width() + self._gap
            top += height + self._gap
        return max(0, top - rect.y() - self._gap)

    def _lines(self, width: int) -> tuple[list[list[Sized]], list[QLayoutItem]]:
        """Return the lines, and the rules that are hidden because a line would start or end with them."""
        lines: list[list[Sized]] = []
        hidden_rules: list[QLayoutItem] = []
        left = 0
        for rule, group in self._sized_groups():
            sizes = [(item, hint.boundedTo(QSize(max(width, least), 1 << 24))) for item, hint, least in group]
            group_width = sum(size.width() for _, size in sizes) + self._gap * (len(sizes) - 1)
            if rule is not None:
                room = rule.sizeHint().width() + self._gap
                if lines and sizes and (left + room + group_width <= width or group_width > width):
                    sizes.insert(0, (rule, rule.sizeHint()))
                else:
                    hidden_rules.append(rule)
                    left = width if lines and sizes else left  # the group starts a new line
            for item, size in sizes:
                if not lines or left + size.width() > width:
                    lines.append([])
                    left = 0
                lines[-1].append((item, size))
                left += size.width() + self._gap
        return lines, hidden_rules

    def _sized_groups(self) -> list[tuple[QLayoutItem | None, list[Wanting]]]:
        """Return the groups of visible items, each with the rule that precedes it."""
        if self._groups is not None:
            return self._groups
        groups: list[tuple[QLayoutItem | None, list[Wanting]]] = [(None, [])]
        for item in self._items:
            if item.isEmpty():
                continue
            if item in self._rules:
                groups.append((item, []))
            else:
                groups[-1][1].append((item, item.sizeHint(), item.minimumSize().width()))
        self._groups = groups
        return groups

    def _forget_sizes(self) -> None:
        self._groups = None
        self._heights.clear()


class FlowRow(QWidget):
    """A widget that wraps its children. If `roomy`, it is always high enough for all lines at its current width."""

    def __init__(self, parent: QWidget | None = None, gap: int = style.GAP, *, roomy: bool = False) -> None:
        super().__init__(parent)
        self.roomy = roomy
        self.gap = style.scaled(gap)
        self._flow = FlowLayout(self, gap)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add(self, widget: QWidget) -> None:
        """Append a widget. A widget with the property `rule` separates groups."""
        if widget.property("rule"):
            self._flow.add_rule(widget)
        else:
            self._flow.addWidget(widget)

    def set_shown(self, widgets: Iterable[QWidget], *, shown: bool) -> None:
        """Show or hide several children with a single layout pass.

        Without this, Qt would lay out the whole window for each child.
        """
        self._flow.setEnabled(False)
        for widget in widgets:
            widget.setVisible(shown)
        self._flow.setEnabled(True)
        self._flow.invalidate()

    def keep_room(self) -> None:
        """Set the minimum height that the children need at the current width. Do nothing before the first resize."""
        if not self.testAttribute(Qt.WidgetAttribute.WA_Resized):
            return  # before the first layout, the width is tiny and the height would be too large
        self.setMinimumHeight(self.heightForWidth(max(1, self.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.roomy:
            self.keep_room()

    def clear(self) -> None:
        """Remove and delete all children."""
        while (item := self._flow.takeAt(0)) is not None:
            discard(item.widget())


class CoverableRoom(QWidget):
    """A container for one widget that another widget can partly cover.

    While it is coverable, it can be narrower than its content's `least` width (px at 100 %), so that part of the
    content is covered. Otherwise its minimum width is that of the content, which fills it.
    """

    def __init__(self, content: QWidget, least: int) -> None:
        super().__init__()
        self._content, self._least, self._coverable = content, least, False
        content.setParent(self)

    def set_coverable(self, *, coverable: bool) -> None:
        """Allow or prevent covering part of the content."""
        self._coverable = coverable
        self.updateGeometry()
        self._place()

    def sizeHint(self) -> QSize:
        return self._content.sizeHint()

    def minimumSizeHint(self) -> QSize:
        least = self._content.minimumSizeHint()
        return QSize(0, least.height()) if self._coverable else least

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # the content's size hint has changed
            self.updateGeometry()
            self._place()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        least = max(style.scaled(self._least), self._content.minimumSizeHint().width()) if self._coverable else 0
        self._content.setGeometry(0, 0, max(self.width(), least), self.height())


class ElidedLabel(QLabel):
    """A label that elides its text only as a last resort. The tooltip then shows the whole text.

    If the text is too long for one line, it shrinks to the role `smaller`, then wraps to at most `lines` lines.
    """

    def __init__(
        self, text: str = "", role: str = "body", tone: str = "", *, smaller: str = "", lines: int = 1
    ) -> None:
        super().__init__()
        self.setProperty("tone", tone)
        self._smaller, self._most_lines, self._lines_needed = smaller, lines, 1
        self.setTextFormat(Qt.TextFormat.PlainText)
        style.set_role(self, role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(text.replace("\n", " "))
        self._tell()

    def sizeHint(self) -> QSize:
        return self._with_lines(super().sizeHint())

    def minimumSizeHint(self) -> QSize:
        return self._with_lines(QSize(self.fontMetrics().horizontalAdvance("M…"), super().minimumSizeHint().height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell()

    def is_elided(self) -> bool:
        """Whether part of the text is currently hidden."""
        return self._shown()[2]

    def elided(self) -> str:
        """Return the visible text."""
        return "\n".join(self._shown()[0])

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, rect, role = QPainter(self), self.contentsRect(), self.foregroundRole()
        painter.setFont(self._shown()[1])
        flags = int(QStyle.visualAlignment(self.layoutDirection(), self.alignment()))
        self.style().drawItemText(painter, rect, flags, self.palette(), self.isEnabled(), self.elided(), role)

    def keep_words_whole(self) -> None:
        """Set the minimum width to the width of the longest word."""
        self.setMinimumWidth(max(map(self.fontMetrics().horizontalAdvance, self.text().split()), default=0))

    def _shown(self) -> tuple[list[str], QFont, bool]:
        """Return the visible lines, their font, and whether part of the text is hidden."""
        text, room, font = self.text(), self.contentsRect().width(), self.font()
        metrics = QFontMetrics(font)
        if self._smaller and metrics.horizontalAdvance(text) > room:
            font = self._smaller_font()
            metrics = QFontMetrics(font)
        lines: list[str] = []
        while len(lines) < self._most_lines - 1 and metrics.horizontalAdvance(text) > room:
            spaces = [at for at, letter in enumerate(text) if letter == " "]
            end = max((at for at in spaces if metrics.horizontalAdvance(text[:at]) <= room), default=0)
            if not end:
                break
            lines.append(text[:end].rstrip(" ·"))
            text = text[end:].lstrip(" ·")
        last_line = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        return [*lines, last_line], font, last_line != text

    def _smaller_font(self) -> QFont:
        """Return the label's font at the size of the smaller role, or unchanged if that role isn't smaller."""
        font, size = QFont(self.font()), style.role_font(self._smaller).pointSizeF()
        if 0 < size < font.pointSizeF():
            font.setPointSizeF(size)
        return font

    def _with_lines(self, size: QSize) -> QSize:
        more = self._lines_needed - 1
        if not more:
            return size
        metrics = QFontMetrics(self._smaller_font()) if self._smaller else self.fontMetrics()
        return QSize(size.width(), max(size.height(), metrics.height() + more * metrics.lineSpacing()))

    def _tell(self) -> None:
        lines, _, is_elided = self._shown()
        self.setToolTip(style.escaped_tooltip(self.text()) if is_elided else "")
        if len(lines) != self._lines_needed and self.testAttribute(Qt.WidgetAttribute.WA_Resized):
            self._lines_needed = len(lines)
            self.updateGeometry()


class PartsLabel(ElidedLabel):
    """A label for a row's least important text. It shows as many parts of the text as fit, or none."""

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def _shown(self) -> tuple[list[str], QFont, bool]:
        metrics, room, text = self.fontMetrics(), self.contentsRect().width(), self.text()
        ends = (end.start() for end in PART_ENDS.finditer(text))
        cuts = [text[:end] for end in ends if text.count("(", 0, end) == text.count(")", 0, end)]
        line = next((part for part in (text, *reversed(cuts)) if metrics.horizontalAdvance(part) <= room), "")
        return [line], self.font(), line != text


def tab_through(first: QWidget, containers: Iterable[QWidget]) -> None:
    """Set the tab order from `first` through all focusable widgets in the containers, in creation order."""
    before = first
    for container in containers:
        for widget in [container, *container.findChildren(QWidget)]:
            if widget.window() is not first.window():  # skip the drop-down list of a combo box
                continue
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None:
                QWidget.setTabOrder(before, widget)
                before = widget


def focus_order(root: QWidget, focused: QWidget | None = None) -> Iterator[QWidget]:
    """Yield all focusable widgets inside a widget, in reading order.

    `focused` is included even if it can no longer have the focus, because Qt moves on from it when it is hidden.
    """
    for widget in _as_read(root, focused):
        takes = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None
        if takes or widget is focused:
            yield widget
        yield from focus_order(widget, focused)


def focus_neighbour(root: QWidget, focused: QWidget | None, *, forward: bool, first: Sequence[QWidget] = ()) -> bool:
    """Focus the next or previous widget in reading order, cyclically. Return False if no widget can have the focus.

    Widgets inside the containers in `first` come before all others.
    """

    def rank(widget: QWidget) -> int:
        return next((at for at, place in enumerate(first) if place.isAncestorOf(widget)), len(first))

    order = sorted(focus_order(root, focused), key=rank)
    places = [place for place, widget in enumerate(order) if widget is not focused]
    if not places:
        return False
    if focused in order:
        index = order.index(focused)
        after = [place for place in places if place > index] or places
        before = [place for place in places if place < index] or places
        goal = order[after[0] if forward else before[-1]]
    else:
        goal = order[0 if forward else -1]
    goal.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
    _bring_into_sight(goal)
    return True


def _as_read(parent: QWidget, focused: QWidget | None) -> list[QWidget]:
    """Return the visible and enabled children of a widget, row by row. The focused child is always included."""
    children = [
        child
        for child in parent.children()
        if isinstance(child, QWidget)
        and not child.isWindow()
        and (
            (child.isVisible() and child.isEnabled() and _stands_in(child))
            or (focused is not None and (child is focused or child.isAncestorOf(focused)))
        )
    ]
    children.sort(key=lambda child: child.y())
    rows: list[list[QWidget]] = []
    for child in children:
        if rows and child.geometry().center().y() <= rows[-1][0].geometry().bottom():
            rows[-1].append(child)
        else:
            rows.append([child])
    return [child for row in rows for child in sorted(row, key=lambda widget: (widget.x(), widget.y()))]


def _stands_in(child: QWidget) -> bool:
    """Whether a child is within its parent. Qt places widgets of other tabs beyond the top left corner."""
    return child.geometry().right() >= 0 or child.geometry().bottom() >= 0


def _bring_into_sight(widget: QWidget) -> None:
    for above in ancestors(widget.parentWidget()):
        if isinstance(above, QScrollArea):
            above.ensureWidgetVisible(widget)


def ancestors(widget: QWidget | None) -> Iterator[QWidget]:
    """Yield a widget and its parents, the innermost first."""
    while widget is not None:
        yield widget
        widget = widget.parentWidget()


def holds_focus(widget: QWidget) -> bool:
    """Whether a widget or one of its descendants has the focus."""
    focused = QApplication.focusWidget()
    return focused is not None and (focused is widget or widget.isAncestorOf(focused))


class Card(QFrame):
    """A raised frame with an edge in a tone's colour. Its contents go into `body`."""

    def __init__(self, tone: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tone = tone
        self.body = vertical(self, margins=(style.GROUP_GAP, 12, style.GROUP_GAP, 12))

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            draw_panel(painter, QRectF(self.rect()), style.current_theme(), self._tone or "line", self._tone)


class SectionHeader(QWidget):
    """A heading with an icon, followed by small buttons."""

    def __init__(self, text: str, icon_name: str = "", tone: str = "") -> None:
        super().__init__()
        self._row = horizontal(self, margins=(0, style.SPACE, 0, style.SPACE))
        if icon_name:
            self._row.addWidget(IconLabel(icon_name, tone or "muted"))
        self.label = plain_label(text, "strong", tone)
        fill(self._row, self.label, STRETCH)
        self.setAccessibleName(text)

    def set_text(self, text: str) -> None:
        """Change the heading."""
        self.label.setText(text)
        self.setAccessibleName(text)

    def add_button(self, icon_name: str, name: str, slot: Callable[[], object]) -> QToolButton:
        """Append an icon button and return it."""
        button = tool_button(icon_name, name, slot)
        self.add_widget(button)
        return button

    def add_widget(self, widget: QWidget) -> None:
        """Append a widget."""
        self._row.addWidget(widget)


class HorizontalLine(QFrame):
    """A thin horizontal line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("rule", True)
        self.setFixedHeight(1)


class Banner(QFrame):
    """A message inside the window, hidden if there is none. Emits `dismissed` when it is closed."""

    dismissed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("banner", True)
        self._glyph = IconLabel("information-outline", "text")
        self._text = plain_label("", wraps=True)
        self._buttons = horizontal(spacing=style.SPACE)
        self.close_button = tool_button("close", style.tr("ui.general.dismiss"), self.dismiss)
        row = horizontal(self, margins=(12, style.SPACE, style.SPACE, style.SPACE))
        fill(row, self._glyph, (self._text, 1), self._buttons, self.close_button)
        self.hide()

    def show_message(self, text: str, tone: str = "", actions: Sequence[tuple[str, Callable[[], object]]] = ()) -> None:
        """Show a message with buttons. Each button also dismisses the message."""
        self.setProperty("tone", tone)
        self._glyph.set_icon(TONE_ICONS.get(tone, "information-outline"), tone or "text")
        self._text.setText(text)
        self.setAccessibleName(text)
        while (item := self._buttons.takeAt(0)) is not None:
            discard(item.widget())
        for label, slot in actions:
            self._buttons.addWidget(push_button(label, partial(self._follow, slot)))
        restyle(self)
        self.show()
        from PySide6.QtGui import QAccessible, QAccessibleEvent  # imported here because it is large and rarely needed

        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def wanted_width(self) -> int:
        """Return the width at which the message fits on one line."""
        line = self._text.fontMetrics().horizontalAdvance(self._text.text())
        return line + self.sizeHint().width() - self._text.sizeHint().width() + style.GROUP_GAP

    def text(self) -> str:
        """Return the message, or an empty string if the banner is hidden."""
        return "" if self.isHidden() else self._text.text()

    def dismiss(self) -> None:
        """Hide the banner."""
        if not self.isHidden():
            self.hide()
            self.dismissed.emit()

    def _follow(self, slot: Callable[[], object]) -> None:
        self.dismiss()
        slot()


class EmptyState(QWidget):
    """A placeholder: a sentence about a view's purpose and a button for the first step. Emits `clicked` for the button.

    The button `other`, if there is one, offers another first step and emits `otherClicked`. The buttons `more` are below.
    """

    clicked = Signal()
    otherClicked = Signal()

    def __init__(
        self,
        icon_name: str,
        sentence: str,
        button: str = "",
        parent: QWidget | None = None,
        *,
        other: str = "",
        other_icon: str = "account-multiple-plus-outline",
        more: Sequence[QPushButton] = (),
    ) -> None:
        super().__init__(parent)
        self.button = push_button(button, self.clicked.emit, icon_name="plus") if button else None
        self.other = push_button(other, self.otherClicked.emit, icon_name=other_icon) if other else None
        self._sentence = plain_label("", tone="muted", wraps=True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        centre = Qt.AlignmentFlag.AlignHCenter
        buttons = [(each, 0, centre) for each in (self.other, self.button, *more) if each is not None]
        column, glyph = vertical(self, margins=style.GROUP_GAP), IconLabel(icon_name, "edge", 32)
        fill(column, STRETCH, (glyph, 0, centre), self._sentence, *buttons, STRETCH)
        self.set_sentence(sentence)

    def set_step(self, text: str) -> None:
        """Set the text of the button for the first step."""
        if self.button is not None:
            self.button.setText(text)

    def set_sentence(self, sentence: str, *, has_step: bool = True) -> None:
        """Set the sentence. `has_step`: show the buttons for the first step."""
        self.setAccessibleName(sentence)
        self._sentence.setText(sentence)
        for button in (self.button, self.other):
            if button is not None:
                button.setVisible(has_step)
