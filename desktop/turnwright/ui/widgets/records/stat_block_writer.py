"""Writes the text of a stat block, section by section, with a link for every roll."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QBrush,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
    QTextLength,
    QTextTableFormat,
)

from turnwright.rules.parts.stat_block.sections import RARITIES, AbilityCell, StatSections
from turnwright.rules.parts.stat_block.text_runs import Paragraph, TextRun, joined_runs
from turnwright.ui.look.fonts import scaled
from turnwright.ui.look.theme import Theme
from turnwright.ui.look.tooltips import escaped_tooltip
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.text_writer import TextWriter

if TYPE_CHECKING:
    from turnwright.ui.widgets.records.feature_marks import FeatureMark

_WHOLE_WIDTH = QTextLength(QTextLength.Type.PercentageLength, 100)


class StatBlockWriter(TextWriter):
    """Writes sections at a cursor and collects the rolls."""

    def __init__(
        self, cursor: QTextCursor, theme: Theme, rolls: list[TextRun], marks: Mapping[str, FeatureMark]
    ) -> None:
        super().__init__(cursor, theme)
        self._rolls = rolls
        self._marks = marks
        self._after_abilities = False
        self._style = ""

    def write(self, sections: StatSections) -> None:
        """Write all sections."""
        self._style = sections.style
        self._paragraph(0, 0)
        self._text(sections.name, "banner", "accent")
        self._paragraph(0, 8)
        if sections.traits:
            self._traits(sections)
        else:
            kind = ", ".join(part for part in (sections.kind, sections.rating) if part)
            self._text(kind, "body", "muted", italic=True)
        self._rule()
        self._lines(sections.vital, 2)
        further = sections.further
        if self._style == "traits":
            self._ability_line(sections.abilities)
            self._lines((line for line in further if line.about == "gear"), 2)
            further = tuple(line for line in further if line.about != "gear")
        else:
            self._rule()
            if sections.abilities:
                self._grid(sections.abilities)
        self._after_abilities = True
        if further:
            self._rule()
        self._lines(further, 2)
        self._rule()
        for heading, lines in sections.features:
            if heading:
                self._heading(heading)
            self._lines(lines, 8)
        if sections.tactics:
            self._heading(tr("ui.stat.tactics"))
            self._paragraph(0, 8)
            self._text(sections.tactics, "body", "text")
        if sections.notes:
            self._heading(tr("ui.stat.notes"))
            self._paragraph(0, 8)
            self._text(sections.notes, "body", "muted")

    def _traits(self, sections: StatSections) -> None:
        """Write the rating in capitals, followed by the traits in boxes."""
        self._text(sections.rating.upper(), "strong", "text", bold=True)
        self._paragraph(0, 8)
        style = self._format("caption", "accent_text")
        style.setFontWeight(QFont.Weight.Bold)
        for number, trait in enumerate(sections.traits):
            if number:
                self._text(" ", "caption", "text")
            style.setBackground(QBrush(self._theme.colour("warn" if trait in RARITIES else "accent")))
            self._cursor.insertText(f" {trait.upper()} ".replace(" ", "\N{NO-BREAK SPACE}"), style)

    def _lines(self, lines: Iterable[Paragraph], below: int) -> None:
        for line, runs in joined_runs(lines):
            if line.about == "speeds" and self._after_abilities:
                self._rule(4)
            self._line(line, runs, 8 if line.about.startswith("feature:") else below)

    def _heading(self, text: str) -> None:
        self._paragraph(8, 4)
        self._text(text, "strong", "accent")
        self._rule(4)

    def _line(self, line: Paragraph, runs: tuple[TextRun, ...], below: int) -> None:
        self._paragraph(0, below)
        mark = self._marks.get(line.about.removeprefix("feature:")) if line.about.startswith("feature:") else None
        if mark is not None:
            style = self._format("body", "accent")
            style.setToolTip(escaped_tooltip(mark.sentence))
            self._cursor.insertText(f"{mark.sign} ", style)
        self._lead(line)
        self._pieces(runs)

    def _lead(self, line: Paragraph) -> None:
        """Write the bold text at the start of a line. Usage limits are bold only in the style `traits`."""
        before, name, behind = line.lead.partition(line.name) if line.name else ("", "", "")
        limits = behind.removesuffix(".")
        italic = bool(line.name) and self._style == "classic"
        if self._style == "traits" or not limits:
            self._text(f"{line.lead} ", "body", "text", bold=True, italic=italic)
            return
        self._text(f"{before}{name}", "body", "text", bold=True, italic=italic)
        self._text(f"{limits}. ", "body", "text")

    def _ability_line(self, cells: tuple[AbilityCell, ...]) -> None:
        """Write all abilities on one line, for games without ability scores."""
        if not cells:
            return
        self._paragraph(0, 2)
        for number, cell in enumerate(cells):
            self._text(f"{', ' if number else ''}", "body", "text")
            self._text(f"{cell.name} ", "body", "text", bold=True)
            if cell.score:
                self._text(f"{cell.score} ", "body", "text")
            self._pieces((cell.modifier,))

    def _pieces(self, pieces: tuple[TextRun, ...], role: str = "body") -> None:
        for piece in pieces:
            if piece.roll:
                self._insert_roll(piece, role)
            else:
                self._text(piece.text, role, "text", bold=piece.style == "bold", italic=piece.style == "italic")

    def _insert_roll(self, piece: TextRun, role: str) -> None:
        style = self._format(role, "accent")
        style.setAnchor(True)
        style.setAnchorHref(f"roll:{len(self._rolls)}")
        style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
        style.setUnderlineColor(self._theme.colour("accent"))
        style.setToolTip(escaped_tooltip(tr("ui.stat.roll-tip", dice=piece.roll)))
        self._rolls.append(piece)
        self._cursor.insertText(piece.text, style)

    def _rule(self, below: int = 8) -> None:
        """Draw a horizontal line. It is the ruler of an otherwise empty paragraph."""
        style = QTextBlockFormat()
        style.setProperty(QTextFormat.Property.BlockTrailingHorizontalRulerWidth, _WHOLE_WIDTH)
        style.setBackground(QBrush(self._theme.colour("line")))
        style.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        style.setTopMargin(scaled(8))
        style.setBottomMargin(scaled(below))
        self._cursor.insertBlock(style, self._format("caption", "text"))

    def _grid(self, cells: tuple[AbilityCell, ...]) -> None:
        style = QTextTableFormat()
        style.setBorder(0)
        style.setCellPadding(scaled(2))
        style.setCellSpacing(0)
        style.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
        style.setColumnWidthConstraints([QTextLength(QTextLength.Type.PercentageLength, 100 / len(cells))] * len(cells))
        rows = 3 if any(cell.score for cell in cells) else 2
        table = self._cursor.insertTable(rows, len(cells), style)
        centred = QTextBlockFormat()
        centred.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        for column, cell in enumerate(cells):
            for row in range(rows):
                self._cursor = table.cellAt(row, column).firstCursorPosition()
                self._cursor.setBlockFormat(centred)
                if row == 0:
                    self._text(cell.name, "caption", "muted", bold=True)
                elif row == 1:
                    self._pieces((cell.modifier,), "strong")
                else:
                    self._text(cell.score, "caption", "muted")
        self._cursor = QTextCursor(table.document())
        self._leave_table()

    def _leave_table(self) -> None:
        """Move below the table. Qt always adds a paragraph after a table; make it too low to be visible."""
        self._cursor.movePosition(QTextCursor.MoveOperation.End)
        tiny = QTextBlockFormat()
        tiny.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        self._cursor.setBlockFormat(tiny)
