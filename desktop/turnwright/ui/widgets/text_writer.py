"""Writes text at a cursor without HTML, so that nothing in a file is interpreted as markup."""

from PySide6.QtGui import (
    QBrush,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
)

from turnwright.ui.look.style import Theme, role_font, scaled


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
