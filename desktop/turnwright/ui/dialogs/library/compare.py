"""Comparison of two stat blocks side by side, with each difference marked.

Comparison of two stat blocks as plain data, with each differing line marked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from PySide6.QtWidgets import QScrollBar, QWidget

from turnwright.encounter.prepared import Creature
from turnwright.rules.parts.stat_block.prose import Paragraph
from turnwright.rules.parts.stat_block.sections import AbilityCell, StatSections, stat_sections
from turnwright.rules.system_data import SystemData
from turnwright.ui.look.style import GAP, GROUP_GAP, scaled, tr
from turnwright.ui.widgets.dialog import StandardDialog
from turnwright.ui.widgets.layout import ElidedLabel, horizontal, vertical
from turnwright.ui.widgets.records.stat_block import StatBlockView
from turnwright.ui.widgets.text import push_button

SIGN = "≠"
Differences = dict[tuple[str, str], bool]  # whether a line differs, keyed by section and label
Features = tuple[tuple[str, tuple[Paragraph, ...]], ...]


class ComparedSections(NamedTuple):
    """Both stat blocks with marks, the number of differing lines, and the total number of lines."""

    left: StatSections
    right: StatSections
    differing: int
    lines: int


def compare_sections(left: StatSections, right: StatSections) -> ComparedSections:
    """Compare two stat blocks, and mark numbers that differ and lines that only one of them has."""
    seen: Differences = {}
    marked = [_marked(*pair, seen) for pair in ((left, right), (right, left))]
    return ComparedSections(marked[0], marked[1], sum(seen.values()), len(seen))


def _marked(block: StatSections, other_block: StatSections, seen: Differences) -> StatSections:
    differs = (block.kind, block.rating) != (other_block.kind, other_block.rating)
    seen.setdefault(("kind", ""), differs)
    cells = {cell.name: (cell.score, cell.modifier.text) for cell in other_block.abilities}
    abilities = []
    for cell in block.abilities:
        is_different = cells.get(cell.name) != (cell.score, cell.modifier.text)
        seen.setdefault(("ability", cell.name), is_different)
        abilities.append(_signed_cell(cell) if is_different else cell)
    return msgspec.structs.replace(
        block,
        kind=f"{SIGN} {block.kind}" if differs else block.kind,
        vital=_lines("vital", block.vital, other_block.vital, seen),
        abilities=tuple(abilities),
        further=_lines("further", block.further, other_block.further, seen),
        features=_features(block.features, other_block.features, seen),
    )


def _features(features: Features, other_features: Features, seen: Differences) -> Features:
    others = dict(other_features)
    return tuple((heading, _lines(heading, lines, others.get(heading, ()), seen)) for heading, lines in features)


def _lines(
    place: str, lines: Sequence[Paragraph], other_lines: Sequence[Paragraph], seen: Differences
) -> tuple[Paragraph, ...]:
    others = {_key(line): _text(line) for line in other_lines}
    marked = []
    for line in lines:
        differs = others.get(_key(line)) != _text(line)
        seen.setdefault((place, _key(line)), differs)
        marked.append(msgspec.structs.replace(line, lead=f"{SIGN} {line.lead}") if differs else line)
    return tuple(marked)


def _key(line: Paragraph) -> str:
    """Return the key that pairs a line with its counterpart: its name or topic, and its label."""
    return f"{line.name or line.about} {line.lead}".casefold()


def _text(line: Paragraph) -> str:
    return "".join(piece.text for piece in line.runs)


def _signed_cell(cell: AbilityCell) -> AbilityCell:
    return msgspec.structs.replace(cell, name=f"{SIGN} {cell.name}")


ComparedBlock = tuple[Creature, SystemData, str]  # the stat block, the data of its rule system, its source


class SectionsView(StatBlockView):
    """A view that shows a stat block as sections of lines."""

    def show_sections(self, sections: StatSections) -> None:
        """Show the lines of a stat block."""
        self._sections = sections
        self._write()


class CompareDialog(StandardDialog):
    """Shows two stat blocks side by side, which scroll together. `views` are the left and the right view."""

    def __init__(self, left: ComparedBlock, right: ComparedBlock, parent: QWidget | None = None) -> None:
        comparison = compare_sections(
            *(stat_sections(creature, catalogue, tr) for creature, catalogue, _ in (left, right))
        )
        title = tr("ui.library.compare-title", one=left[0].name, other=right[0].name)
        super().__init__(title, parent, _summary(comparison.differing, comparison.lines), GAP)
        row = horizontal(spacing=GROUP_GAP)
        self.column.addLayout(row, 1)
        self.views: list[SectionsView] = []
        for (_, _, place), sections in ((left, comparison.left), (right, comparison.right)):
            side = vertical()
            caption = ElidedLabel(place, "caption")
            caption.setProperty("tone", "muted")
            side.addWidget(caption)
            view = SectionsView()
            view.show_sections(sections)
            self.views.append(view)
            side.addWidget(view, 1)
            row.addLayout(side, 1)
        self._couple(*(view.verticalScrollBar() for view in self.views))
        self.add_buttons(push_button(tr("ui.general.close"), self.accept, "primary"))
        self.resize(scaled(900), scaled(640))

    def _couple(self, first: QScrollBar, second: QScrollBar) -> None:
        """Scroll both views together, in proportion to their lengths, since stat blocks are seldom equally long."""
        first.valueChanged.connect(lambda _value: _follow(second, first))
        second.valueChanged.connect(lambda _value: _follow(first, second))


def _follow(bar: QScrollBar, leader: QScrollBar) -> None:
    goal = round(leader.value() / max(1, leader.maximum()) * bar.maximum())
    if bar.isVisible() and abs(bar.value() - goal) * leader.maximum() > bar.maximum():
        bar.setValue(goal)


def _summary(differing: int, lines: int) -> str:
    if not differing:
        return tr("ui.library.compare-same", n=lines)
    return tr("ui.library.compare-lead", sign=SIGN, n=differing, lines=lines)
