"""A stat block in the usual layout: banner, italic line, AC, hit points, speed, abilities, then features.

The text is created without HTML, so that nothing in a file is interpreted as markup. Every roll is a link. A mark shows
whether a feature acts, asks or reminds.
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from PySide6 import QtGui
from PySide6.QtCore import QSize, Qt, QUrl, Signal
from PySide6.QtWidgets import QWidget

from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Feature
from turnwright.rules.parts.actions.how_features_play import FeaturePlay, how_it_plays
from turnwright.rules.parts.conditions.condition_rules import rules_in_force
from turnwright.rules.parts.stat_block.prose import Paragraph, StatBlockNames, TextRun, joined_runs
from turnwright.rules.parts.stat_block.sections import RARITIES, AbilityCell, StatSections, stat_sections
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.statements import readable_statement
from turnwright.rules.word_keys import signed_text
from turnwright.ui.look.style import Theme, current_theme, escaped_tooltip, role_font, scaled, theme_source, tr
from turnwright.ui.widgets.text_writer import TextPage, TextWriter

OFF: Final = "\N{MULTIPLICATION SIGN}"
SIGNS: Final = {"acts": "\N{BLACK CIRCLE}", "asks": "\N{CIRCLE WITH LEFT HALF BLACK}", "reminds": "\N{WHITE CIRCLE}"}


class FeatureMark(NamedTuple):
    """A sign and a sentence that explains it."""

    sign: str
    sentence: str


def feature_marks(
    creature: Creature, catalogue: SystemData | None, off: frozenset[str] = frozenset()
) -> dict[str, FeatureMark]:
    """Return the marks for a stat block, keyed by feature id. Features that are only text have none.

    Features in `off` are marked as switched off for this encounter.
    """
    names = StatBlockNames(catalogue, tr)
    plays = ((feature, how_it_plays(creature, feature)) for feature in creature.features)
    return {
        feature.id: FeatureMark(OFF, tr("ui.automation.off"))
        if feature.id in off
        else FeatureMark(SIGNS[play.mark], _sentence(feature, play, names))
        for feature, play in plays
        if play.mark
    }


def _sentence(feature: Feature, play: FeaturePlay, names: StatBlockNames) -> str:
    what = "; ".join(_rule_words(rule, names) for rule in feature.rules) if rules_in_force(feature) else ""
    moment = tr(f"ui.feature.trigger-{feature.trigger}").lower() if feature.trigger else ""
    text = tr(f"ui.automation.{play.mark}-{play.where}", what=what, moment=moment)
    text += tr("ui.automation.if", when=_readable(feature.when)) if feature.when else ""
    text += tr("ui.automation.only", when=_readable(feature.only)) if feature.only else ""
    numbers = _figures(feature) if play.where == "moment" and play.mark != "reminds" else ""
    return f"{text}: {numbers}." if numbers else f"{text}."


def _figures(feature: Feature) -> str:
    """Return the numbers of a triggered feature, for example `regains 5` or `3d6 fire`."""
    reduces = tr("ui.automation.half") if feature.reduces == "half" else feature.reduces
    parts = (
        tr("ui.automation.heals", n=feature.heals) if feature.heals else "",
        tr("ui.automation.reduces", n=reduces) if reduces else "",
        feature.damage,
    )
    return ", ".join(part for part in parts if part)


def _rule_words(rule: DataRule, names: StatBlockNames) -> str:
    """Describe the effect of a data rule, for example `advantage on Dexterity saves (magic)`."""
    roll, _, rest = rule.what.partition(".")
    ability, _, skill = rest.partition(":")
    about = names.skill_name(skill) if skill else names.abilities.get(ability, ability)
    roll_name = _word(f"ui.automation.roll-{roll}", roll.replace("-", " "))
    what = " ".join(part for part in (about, roll_name) if part)
    amount = signed_text(rule.add) if rule.set is None else str(rule.set)
    fallback = f"{rule.kind} {what}"
    text = _word(f"ui.automation.kind-{rule.kind}", fallback, what=what, n=amount, dice=rule.dice)
    return f"{text} ({_readable(rule.when)})" if rule.when else text


def _word(key: str, otherwise: str, **params: object) -> str:
    text = tr(key, **params)
    return otherwise if text == key else text


def _readable(statement: str) -> str:
    return readable_statement(statement, tr("ui.automation.or"))


_WHOLE_WIDTH = QtGui.QTextLength(QtGui.QTextLength.Type.PercentageLength, 100)


class StatBlockWriter(TextWriter):
    """Writes sections at a cursor and collects the rolls."""

    def __init__(
        self, cursor: QtGui.QTextCursor, theme: Theme, rolls: list[TextRun], marks: Mapping[str, FeatureMark]
    ) -> None:
        super().__init__(cursor, theme)
        self._rolls = rolls
        self._marks = marks
        self._after_abilities = False
        self._style = ""

    def write(self, sections: StatSections) -> None:
        """Write all sections."""
        self._style = sections.style
        self._passage(0, 0, sections.name, "banner", "accent")
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
        for name, text, token in (("tactics", sections.tactics, "text"), ("notes", sections.notes, "muted")):
            if text:
                self._heading(tr(f"ui.stat.{name}"))
                self._passage(0, 8, text, "body", token)

    def _traits(self, sections: StatSections) -> None:
        """Write the rating in capitals, followed by the traits in boxes."""
        self._text(sections.rating.upper(), "strong", "text", bold=True)
        self._paragraph(0, 8)
        style = self._format("caption", "accent_text")
        style.setFontWeight(QtGui.QFont.Weight.Bold)
        for number, trait in enumerate(sections.traits):
            if number:
                self._text(" ", "caption", "text")
            style.setBackground(QtGui.QBrush(self._theme.colour("warn" if trait in RARITIES else "accent")))
            self._cursor.insertText(f" {trait.upper()} ".replace(" ", "\N{NO-BREAK SPACE}"), style)

    def _lines(self, lines: Iterable[Paragraph], below: int) -> None:
        for line, runs in joined_runs(lines):
            if line.about == "speeds" and self._after_abilities:
                self._rule(4)
            self._line(line, runs, 8 if line.about.startswith("feature:") else below)

    def _heading(self, text: str) -> None:
        self._passage(8, 4, text, "strong", "accent")
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
        style.setUnderlineStyle(QtGui.QTextCharFormat.UnderlineStyle.DotLine)
        style.setUnderlineColor(self._theme.colour("accent"))
        style.setToolTip(escaped_tooltip(tr("ui.stat.roll-tip", dice=piece.roll)))
        self._rolls.append(piece)
        self._cursor.insertText(piece.text, style)

    def _rule(self, below: int = 8) -> None:
        """Draw a horizontal line. It is the ruler of an otherwise empty paragraph."""
        style = QtGui.QTextBlockFormat()
        style.setProperty(QtGui.QTextFormat.Property.BlockTrailingHorizontalRulerWidth, _WHOLE_WIDTH)
        style.setBackground(QtGui.QBrush(self._theme.colour("line")))
        style.setLineHeight(1, QtGui.QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        style.setTopMargin(scaled(8))
        style.setBottomMargin(scaled(below))
        self._cursor.insertBlock(style, self._format("caption", "text"))

    def _grid(self, cells: tuple[AbilityCell, ...]) -> None:
        style = QtGui.QTextTableFormat()
        style.setBorder(0)
        style.setCellPadding(scaled(2))
        style.setCellSpacing(0)
        style.setWidth(QtGui.QTextLength(QtGui.QTextLength.Type.PercentageLength, 100))
        style.setColumnWidthConstraints(
            [QtGui.QTextLength(QtGui.QTextLength.Type.PercentageLength, 100 / len(cells))] * len(cells)
        )
        rows = 3 if any(cell.score for cell in cells) else 2
        table = self._cursor.insertTable(rows, len(cells), style)
        centred = QtGui.QTextBlockFormat()
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
        self._cursor = QtGui.QTextCursor(table.document())
        self._leave_table()

    def _leave_table(self) -> None:
        """Move below the table. Qt always adds a paragraph after a table; make it too low to be visible."""
        self._cursor.movePosition(QtGui.QTextCursor.MoveOperation.End)
        tiny = QtGui.QTextBlockFormat()
        tiny.setLineHeight(1, QtGui.QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        self._cursor.setBlockFormat(tiny)


PORTRAIT: Final = "portrait:shown"
PORTRAIT_SIDE: Final = 88


class StatBlockView(TextPage):
    """Shows a creature's stat block.

    Emits `rollClicked(expression, label, about)` when the user clicks a roll or presses Enter on it.
    """

    rollClicked = Signal(str, str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sections: StatSections | None = None
        self._marks: dict[str, FeatureMark] = {}
        self._rolls: list[TextRun] = []
        self._portrait: QtGui.QImage | None = None
        self._look = _look()
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.anchorClicked.connect(self._roll)
        theme_source().changed.connect(self._follow_look)
        self.set_creature(None)

    def set_creature(
        self, creature: Creature | None, catalogue: SystemData | None = None, off: frozenset[str] = frozenset()
    ) -> None:
        """Set the creature, with names from `catalogue`. The scroll position is kept if the name is unchanged.

        `off` contains the ids of features that are switched off for this encounter.
        """
        sections = None if creature is None else stat_sections(creature, catalogue, tr)
        marks = {} if creature is None else feature_marks(creature, catalogue, off)
        if (sections, marks) == (self._sections, self._marks) and sections is not None:
            return
        self._marks = marks
        stays = self._sections is not None and sections is not None and sections.name == self._sections.name
        place = self.verticalScrollBar().value() if stays else 0
        self._sections = sections
        self._write()
        self.verticalScrollBar().setValue(place)

    def set_portrait(self, portrait: QtGui.QImage | None) -> None:
        """Set the portrait at the top of the stat block, or None."""
        if (portrait is None) != (self._portrait is None) or portrait != self._portrait:
            self._portrait = portrait
            place = self.verticalScrollBar().value()
            self._write()
            self.verticalScrollBar().setValue(place)

    def rolls(self) -> tuple[TextRun, ...]:
        """Return the rolls in reading order."""
        return tuple(self._rolls)

    def focused_stat(self) -> str:
        """Return the stat of the focused roll (`save:dex`, `feature:axe`), or an empty string if none is focused."""
        cursor = self.textCursor()
        if not cursor.hasSelection():
            return ""
        inside = QtGui.QTextCursor(self.document())
        inside.setPosition(cursor.selectionStart() + 1)
        link = QUrl(inside.charFormat().anchorHref())
        return self._rolls[int(link.path())].about if link.scheme() == "roll" else ""

    def sizeHint(self) -> QSize:
        return QSize(scaled(360), scaled(480))

    def minimumSizeHint(self) -> QSize:
        return QSize(scaled(220), scaled(120))

    def _described_marks(self) -> str:
        """Describe each feature's mark for screen readers, which can't read the marks themselves."""
        features = (line for _, lines in (self._sections.features if self._sections else ()) for line in lines)
        marks = ((line.lead, self._marks.get(line.about.removeprefix("feature:"))) for line in features)
        return " ".join(f"{lead} {mark.sentence}" for lead, mark in marks if mark is not None)

    def _follow_look(self) -> None:
        if self._look != _look():
            self._write()

    def _roll(self, link: QUrl) -> None:
        index = int(link.path())
        if 0 <= index < len(self._rolls):
            clicked = self._rolls[index]
            self.rollClicked.emit(clicked.roll, clicked.label, clicked.about)

    def _write(self) -> None:
        self._rolls = []
        self._look = _look()
        cursor = self.begin()
        if self._sections is None:
            self.setAccessibleName(tr("ui.stat.none"))
            return
        self.setAccessibleName(tr("ui.stat.of", name=self._sections.name))
        self.setAccessibleDescription(self._described_marks())
        cursor.beginEditBlock()  # so that the text is laid out only once
        self._write_portrait(cursor)
        StatBlockWriter(cursor, current_theme(), self._rolls, self._marks).write(self._sections)
        cursor.endEditBlock()
        self.moveCursor(QtGui.QTextCursor.MoveOperation.Start)

    def _write_portrait(self, cursor: QtGui.QTextCursor) -> None:
        if self._portrait is None:
            return
        self.document().addResource(QtGui.QTextDocument.ResourceType.ImageResource, QUrl(PORTRAIT), self._portrait)
        style = QtGui.QTextImageFormat()
        style.setName(PORTRAIT)
        style.setWidth(scaled(PORTRAIT_SIDE))
        style.setHeight(scaled(PORTRAIT_SIDE))
        cursor.insertImage(style, QtGui.QTextFrameFormat.Position.FloatRight)


def _look() -> tuple[Theme, float]:
    """Return the current theme and text size."""
    return current_theme(), role_font("body").pointSizeF()
