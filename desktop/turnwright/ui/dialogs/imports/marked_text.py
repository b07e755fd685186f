"""A text field that marks lines with a sign in the margin and a tinted background."""

from collections.abc import Collection, Sequence
from typing import Final

import msgspec
from PySide6.QtCore import QMimeData, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QTextCursor, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from turnwright.ui.look.style import GAP, current_theme, scaled
from turnwright.ui.look.window_data import window_data


class MarkLook(msgspec.Struct, frozen=True):
    """The sign of a mark, the token of its colour, and the token of the line's tint, which can be empty."""

    sign: str
    colour: str
    tint: str = ""


LOOKS: Final = window_data("paste.marks", dict[str, MarkLook])
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
