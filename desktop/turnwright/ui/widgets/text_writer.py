"""Writes text at a cursor without HTML, so that nothing in a file is interpreted as markup."""

from PySide6.QtCore import QUrl
from PySide6.QtGui import QBrush, QFont, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextBrowser, QWidget

from turnwright.ui.look.style import Theme, role_font, scaled


class TextPage(QTextBrowser):
    """A page of text without a frame. It never follows links or loads what they name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("flat", True)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.document().setDocumentMargin(scaled(12))

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        return None

    def begin(self) -> QTextCursor:
        """Empty the page, and return a cursor to write at."""
        self.document().clear()
        self.document().setDefaultFont(role_font("body"))
        return QTextCursor(self.document())


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

    def _passage(self, above: int, below: int, text: str, role: str, token: str, **style: bool) -> None:
        """Begin a paragraph with a text."""
        self._paragraph(above, below)
        self._text(text, role, token, **style)

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
