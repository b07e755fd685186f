"""A stat block in the usual layout: banner, italic line, AC, hit points, speed, abilities, then features.

The text is created without HTML, so that nothing in a file is interpreted as markup.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, QUrl, Signal
from PySide6.QtGui import QImage, QTextCursor, QTextDocument, QTextFrameFormat, QTextImageFormat
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from turnwright.encounter.prepared import Creature
from turnwright.rules.parts.stat_block.sections import stat_sections
from turnwright.rules.system_data import SystemData
from turnwright.ui.look.fonts import role_font, scaled
from turnwright.ui.look.theme import Theme, current_theme, theme_source
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.records.feature_marks import feature_marks
from turnwright.ui.widgets.records.stat_block_writer import StatBlockWriter

if TYPE_CHECKING:
    from turnwright.rules.parts.stat_block.sections import StatSections
    from turnwright.rules.parts.stat_block.text_runs import TextRun
    from turnwright.ui.widgets.records.feature_marks import FeatureMark

PORTRAIT: Final = "portrait:shown"
PORTRAIT_SIDE: Final = 88


class StatBlockView(QTextBrowser):
    """Shows a creature's stat block.

    Emits `rollClicked(expression, label, about)` when the user clicks a roll or presses Enter on it.
    """

    rollClicked = Signal(str, str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sections: StatSections | None = None
        self._marks: dict[str, FeatureMark] = {}
        self._rolls: list[TextRun] = []
        self._portrait: QImage | None = None
        self._look = _look()
        self.setProperty("flat", True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.anchorClicked.connect(self._roll)
        self.document().setDocumentMargin(scaled(12))
        theme_source().changed.connect(self._follow_look)
        self.set_creature(None)

    def set_creature(
        self, creature: Creature | None, catalogue: SystemData | None = None, off: frozenset[str] = frozenset()
    ) -> None:
        """Set the creature, with names from `catalogue`. The scroll position is kept if the name is unchanged.

        `off` contains the ids of features that are switched off for this encounter.
        """
        sections = None if creature is None else _sections_of(creature, catalogue)
        marks = {} if creature is None else _marks_of(creature, catalogue, off)
        if (sections, marks) == (self._sections, self._marks) and sections is not None:
            return
        self._marks = marks
        stays = self._sections is not None and sections is not None and sections.name == self._sections.name
        place = self.verticalScrollBar().value() if stays else 0
        self._sections = sections
        self._write()
        self.verticalScrollBar().setValue(place)

    def set_portrait(self, portrait: QImage | None) -> None:
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
        inside = QTextCursor(self.document())
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

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        return None

    def _roll(self, link: QUrl) -> None:
        index = int(link.path())
        if 0 <= index < len(self._rolls):
            clicked = self._rolls[index]
            self.rollClicked.emit(clicked.roll, clicked.label, clicked.about)

    def _write(self) -> None:
        self._rolls = []
        self._look = _look()
        self.document().clear()
        self.document().setDefaultFont(role_font("body"))
        if self._sections is None:
            self.setAccessibleName(tr("ui.stat.none"))
            return
        self.setAccessibleName(tr("ui.stat.of", name=self._sections.name))
        self.setAccessibleDescription(self._described_marks())
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()  # so that the text is laid out only once
        self._write_portrait(cursor)
        StatBlockWriter(cursor, current_theme(), self._rolls, self._marks).write(self._sections)
        cursor.endEditBlock()
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def _write_portrait(self, cursor: QTextCursor) -> None:
        if self._portrait is None:
            return
        self.document().addResource(QTextDocument.ResourceType.ImageResource, QUrl(PORTRAIT), self._portrait)
        style = QTextImageFormat()
        style.setName(PORTRAIT)
        style.setWidth(scaled(PORTRAIT_SIDE))
        style.setHeight(scaled(PORTRAIT_SIDE))
        cursor.insertImage(style, QTextFrameFormat.Position.FloatRight)


def _marks_of(creature: Creature, catalogue: SystemData | None, off: frozenset[str]) -> dict[str, FeatureMark]:
    return feature_marks(creature, catalogue, off)


def _look() -> tuple[Theme, float]:
    """Return the current theme and text size."""
    return current_theme(), role_font("body").pointSizeF()


def _sections_of(creature: Creature, catalogue: SystemData | None) -> StatSections:
    return stat_sections(creature, catalogue, tr)
