"""Comparison of two stat blocks as plain data, with a mark on each line that differs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from turnwright.rules.parts.stat_block.sections import AbilityCell, StatSections
from turnwright.rules.parts.stat_block.text_runs import Paragraph

SIGN = "≠"
Features = tuple[tuple[str, tuple[Paragraph, ...]], ...]


class ComparedSections(NamedTuple):
    """Both marked blocks, the number of differing lines, and the number of all lines."""

    left: StatSections
    right: StatSections
    differing: int
    lines: int


def compare_sections(left: StatSections, right: StatSections) -> ComparedSections:
    """Return both stat blocks, with marks on numbers that differ and on lines in only one of them."""
    count = _Count()
    marked = [_marked(*pair, count) for pair in ((left, right), (right, left))]
    return ComparedSections(marked[0], marked[1], count.differing, count.lines)


class _Count:
    """Counts each line once, though both sides are gone through: lines of both blocks with the first."""

    def __init__(self) -> None:
        self.differing = 0
        self.lines = 0
        self._seen: set[tuple[str, str]] = set()

    def take(self, place: str, lead: str, *, differs: bool) -> None:
        if (place, lead) not in self._seen:
            self._seen.add((place, lead))
            self.lines += 1
            self.differing += differs


def _marked(block: StatSections, beside: StatSections, count: _Count) -> StatSections:
    differs = (block.kind, block.rating) != (beside.kind, beside.rating)
    count.take("kind", "", differs=differs)
    cells = {cell.name: (cell.score, cell.modifier.text) for cell in beside.abilities}
    abilities = []
    for cell in block.abilities:
        other = cells.get(cell.name) != (cell.score, cell.modifier.text)
        count.take("ability", cell.name, differs=other)
        abilities.append(_signed_cell(cell) if other else cell)
    return msgspec.structs.replace(
        block,
        kind=f"{SIGN} {block.kind}" if differs else block.kind,
        vital=_lines("vital", block.vital, beside.vital, count),
        abilities=tuple(abilities),
        further=_lines("further", block.further, beside.further, count),
        features=_features(block.features, beside.features, count),
    )


def _features(features: Features, beside: Features, count: _Count) -> Features:
    others = dict(beside)
    return tuple((heading, _lines(heading, lines, others.get(heading, ()), count)) for heading, lines in features)


def _lines(place: str, lines: Sequence[Paragraph], beside: Sequence[Paragraph], count: _Count) -> tuple[Paragraph, ...]:
    others = {_key(line): _text(line) for line in beside}
    marked = []
    for line in lines:
        differs = others.get(_key(line)) != _text(line)
        count.take(place, _key(line), differs=differs)
        marked.append(msgspec.structs.replace(line, lead=f"{SIGN} {line.lead}") if differs else line)
    return tuple(marked)


def _key(line: Paragraph) -> str:
    return line.lead.casefold()


def _text(line: Paragraph) -> str:
    return "".join(piece.text for piece in line.runs)


def _signed_cell(cell: AbilityCell) -> AbilityCell:
    return msgspec.structs.replace(cell, name=f"{SIGN} {cell.name}")
