"""Labels, buttons, icons and text fields that show only plain text.

Labels and small buttons that always show plain text and have a role, a tone and an accessible name.

A label that shows an icon in a theme colour.

A text field for importers that marks lines with a sign in the margin and a tinted background.

Writes text at a cursor without HTML, so that nothing in a file is interpreted as markup.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import msgspec
from PySide6.QtCore import QMimeData, QRect, QSize, Qt
from PySide6.QtGui import (
    QBrush,
    QFont,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QStyleOptionButton,
    QTextEdit,
    QToolButton,
    QWidget,
)

from turnwright.ui.look.icons import draw_icon, icon
from turnwright.ui.look.style import GAP, Theme, current_theme, escaped_tooltip, role_font, scaled, set_role

STYLE_GAP = 4  # px between icon and text in every Qt style
MODIFIERS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ShiftModifier


def plain_label(text: str, role: str = "body", tone: str = "", *, wraps: bool = False) -> QLabel:
    """Return a label that shows its text literally, never as markup."""
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setText(text)
    label.setWordWrap(wraps)
    if wraps:
        label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    if tone:
        label.setProperty("tone", tone)
    set_role(label, role)
    return label


class PushButton(QPushButton):
    """A button that reacts to both Enter and Space on every system. The gap between icon and text is 8 px."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        set_role(self, "body")  # otherwise the style sheet would keep the old text size after a change

    def initStyleOption(self, option: QStyleOptionButton) -> None:
        super().initStyleOption(option)
        if self.text() and not self.icon().isNull():
            option.iconSize += QSize(scaled(GAP) - STYLE_GAP, 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press_on_enter(self, event):
            super().keyPressEvent(event)


class ToolButton(QToolButton):
    """A small button that reacts to both Enter and Space."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_role(self, "body")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press_on_enter(self, event):
            super().keyPressEvent(event)


def press_on_enter(button: QAbstractButton, event: QKeyEvent) -> bool:
    """Press a button if the key is Enter. Return whether it was pressed."""
    if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or event.modifiers() & MODIFIERS:
        return False
    if not event.isAutoRepeat():
        button.click()
    return True


def push_button(text: str, slot: Callable[[], object], kind: str = "", icon_name: str = "") -> QPushButton:
    """Return a button. `kind` is `primary`, `quiet` or an empty string."""
    button = PushButton(text)
    button.setProperty("kind", kind)
    button.setAutoDefault(False)
    if icon_name:
        button.setIcon(icon(icon_name, {"primary": "accent_text", "quiet": "accent"}.get(kind, "text")))
        button.setIconSize(QSize(scaled(16), scaled(16)))
    button.clicked.connect(lambda _checked=False: slot())
    return button


def text_button(icon_name: str, text: str = "") -> QToolButton:
    """Return a flat button with an icon and a text."""
    button = ToolButton()
    button.setText(text)
    button.setIcon(icon(icon_name))
    button.setIconSize(QSize(scaled(16), scaled(16)))
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    return button


def tool_button(icon_name: str, name: str, slot: Callable[[], object]) -> QToolButton:
    """Return an icon button. `name` is its tooltip and accessible name."""
    button = ToolButton()
    button.setIcon(icon(icon_name))
    button.setIconSize(QSize(scaled(16), scaled(16)))
    button.setToolTip(escaped_tooltip(name))
    button.setAccessibleName(name)
    button.clicked.connect(lambda _checked=False: slot())
    return button


def mute(labels: Iterable[QLabel], *, is_muted: bool) -> None:
    """Grey out labels, or restore their usual colour."""
    tone = "muted" if is_muted else ""
    for label in labels:
        set_style(label, "tone", tone)


def set_style(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet uses, and reapply the style sheet if it has changed."""
    before = widget.property(name)
    widget.setProperty(name, value)
    if (before or "") != (value or ""):
        restyle(widget)


def discard(widget: QWidget | None) -> None:
    """Hide a widget at once and delete it when control returns to the event loop."""
    if widget is not None:
        widget.hide()
        widget.deleteLater()


def restyle(widget: QWidget) -> None:
    """Reapply the style sheet after a property has changed."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    role = widget.property("role")
    if isinstance(role, str):  # polishing restores the font from before the widget was first polished
        set_role(widget, role)
    widget.update()


class IconLabel(QWidget):
    """An icon of `size` logical pixels at 100 %. It is decorative, because the text next to it conveys the meaning."""

    def __init__(self, name: str, token: str = "text", size: int = 18, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._token = token
        self._size = size
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_icon(self, name: str, token: str = "text") -> None:
        """Set the icon."""
        self._name = name
        self._token = token
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(scaled(self._size), scaled(self._size))

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            draw_icon(painter, self._name, self.rect(), current_theme().colour(self._token))


class MarkLook(msgspec.Struct, frozen=True):
    """The sign of a mark, the token of its colour, and the token of the line's tint, which can be empty."""

    sign: str
    colour: str
    tint: str = ""


LOOKS: Final[Mapping[str, MarkLook]] = MappingProxyType(
    {
        "read": MarkLook("\u2713", "heal"),
        "kept": MarkLook("\u2261", "warn", "warn_soft"),
        "left": MarkLook("\u2717", "harm", "harm_soft"),
    }
)
_MOST: Final = 200_000  # the maximum number of characters per paste


class MarkedTextEdit(QPlainTextEdit):
    """A plain text editor with a margin for signs. `set_marks` sets the mark of each line."""

    def __init__(self, name: str, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.marks: tuple[str, ...] = ()
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        self.setTabChangesFocus(True)
        self._margin = _SignMargin(self)
        self.updateRequest.connect(self._follow)
        self.blockCountChanged.connect(lambda _count: self._margin.update())
        self.setViewportMargins(self._margin.sizeHint().width(), 0, 0, 0)

    def set_marks(self, marks: Sequence[str], tinted: Collection[int] = ()) -> None:
        """Set the marks, one per line. Lines in `tinted`, counted from 0, also get the tint of their mark."""
        self.marks = tuple(marks)
        self._tint(tinted)
        self._margin.update()

    def mark_of(self, line: int) -> str:
        """Return the mark of a line, counted from 0, or an empty string if it has none."""
        return self.marks[line] if 0 <= line < len(self.marks) else ""

    def current_line(self) -> int:
        """Return the line with the cursor, counted from 0."""
        return self.textCursor().blockNumber()

    def insertFromMimeData(self, source: QMimeData) -> None:
        self.insertPlainText(source.text()[:_MOST])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        inside = self.contentsRect()
        self._margin.setGeometry(QRect(inside.left(), inside.top(), self._margin.sizeHint().width(), inside.height()))

    def paint_signs(self, event: QPaintEvent) -> None:
        """Paint the signs of the visible lines."""
        theme = current_theme()
        painter = QPainter(self._margin)
        painter.fillRect(event.rect(), theme.colour("sunken"))
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        height = self.fontMetrics().height()
        painter.setFont(self.font())
        while block.isValid() and top <= event.rect().bottom():
            look = LOOKS.get(self.mark_of(block.blockNumber()))
            if look is not None and block.isVisible():
                painter.setPen(theme.colour(look.colour))
                painter.drawText(0, round(top), self._margin.width(), height, Qt.AlignmentFlag.AlignCenter, look.sign)
            top += self.blockBoundingRect(block).height()
            block = block.next()
        painter.end()

    def _follow(self, rect: QRect, moved: int) -> None:
        if moved:
            self._margin.scroll(0, moved)
        else:
            self._margin.update(0, rect.y(), self._margin.width(), rect.height())

    def _tint(self, lines: Collection[int]) -> None:
        theme = current_theme()
        tinted = []
        for line, mark in enumerate(self.marks):
            look = LOOKS.get(mark)
            if look is None or not look.tint or line not in lines:
                continue
            selection = QTextEdit.ExtraSelection()
            selection.cursor = QTextCursor(self.document().findBlockByNumber(line))
            selection.cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
            selection.format.setBackground(theme.colour(look.tint))
            selection.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
            tinted.append(selection)
        self.setExtraSelections(tinted)


class _SignMargin(QWidget):
    """The margin of a text field, which paints it."""

    def __init__(self, field: MarkedTextEdit) -> None:
        super().__init__(field)
        self._field = field

    def sizeHint(self) -> QSize:
        return QSize(self._field.fontMetrics().horizontalAdvance("\u2713\u2713") + scaled(GAP), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._field.paint_signs(event)


class TextWriter:
    """Writes paragraphs and text into an empty document, with the roles and colours of a theme."""

    def __init__(self, cursor: QTextCursor, theme: Theme) -> None:
        self._cursor = cursor
        self._theme = theme
        self._begun = False

    def _paragraph(self, above: int, below: int) -> None:
        style = QTextBlockFormat()
        style.setTopMargin(scaled(above) if above else 0)
        style.setBottomMargin(scaled(below) if below else 0)
        style.setLineHeight(115, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        if self._begun:
            self._cursor.insertBlock(style, self._format("body", "text"))
        else:
            self._cursor.setBlockFormat(style)
            self._begun = True

    def _text(self, text: str, role: str, token: str, *, bold: bool = False, italic: bool = False) -> None:
        style = self._format(role, token)
        if bold:
            style.setFontWeight(QFont.Weight.Bold)
        style.setFontItalic(italic)
        self._cursor.insertText(text, style)

    def _format(self, role: str, token: str) -> QTextCharFormat:
        style = QTextCharFormat()
        style.setFont(role_font(role))
        style.setForeground(QBrush(self._theme.colour(token)))
        return style
