"""Comparison of two stat blocks as plain data, with a mark on each line that differs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from turnwright.rules.parts.stat_block.sections import AbilityCell, StatSections
from turnwright.rules.parts.stat_block.text_runs import Paragraph

SIGN = "≠"
Differences = dict[tuple[str, str], bool]  # by part and lead: whether the line differs
Features = tuple[tuple[str, tuple[Paragraph, ...]], ...]


class ComparedSections(NamedTuple):
    """Both marked blocks, the number of differing lines, and the number of all lines."""

    left: StatSections
    right: StatSections
    differing: int
    lines: int


def compare_sections(left: StatSections, right: StatSections) -> ComparedSections:
    """Return both stat blocks, with marks on numbers that differ and on lines in only one of them."""
    seen: Differences = {}
    marked = [_marked(*pair, seen) for pair in ((left, right), (right, left))]
    return ComparedSections(marked[0], marked[1], sum(seen.values()), len(seen))


def _marked(block: StatSections, beside: StatSections, seen: Differences) -> StatSections:
    differs = (block.kind, block.rating) != (beside.kind, beside.rating)
    seen.setdefault(("kind", ""), differs)
    cells = {cell.name: (cell.score, cell.modifier.text) for cell in beside.abilities}
    abilities = []
    for cell in block.abilities:
        other = cells.get(cell.name) != (cell.score, cell.modifier.text)
        seen.setdefault(("ability", cell.name), other)
        abilities.append(_signed_cell(cell) if other else cell)
    return msgspec.structs.replace(
        block,
        kind=f"{SIGN} {block.kind}" if differs else block.kind,
        vital=_lines("vital", block.vital, beside.vital, seen),
        abilities=tuple(abilities),
        further=_lines("further", block.further, beside.further, seen),
        features=_features(block.features, beside.features, seen),
    )


def _features(features: Features, beside: Features, seen: Differences) -> Features:
    others = dict(beside)
    return tuple((heading, _lines(heading, lines, others.get(heading, ()), seen)) for heading, lines in features)


def _lines(
    place: str, lines: Sequence[Paragraph], beside: Sequence[Paragraph], seen: Differences
) -> tuple[Paragraph, ...]:
    others = {_key(line): _text(line) for line in beside}
    marked = []
    for line in lines:
        differs = others.get(_key(line)) != _text(line)
        seen.setdefault((place, _key(line)), differs)
        marked.append(msgspec.structs.replace(line, lead=f"{SIGN} {line.lead}") if differs else line)
    return tuple(marked)


def _key(line: Paragraph) -> str:
    """Return what a line is found by in the other block: its words, and the name of the feature or field behind them."""
    return f"{line.name or line.about} {line.lead}".casefold()


def _text(line: Paragraph) -> str:
    return "".join(piece.text for piece in line.runs)


def _signed_cell(cell: AbilityCell) -> AbilityCell:
    return msgspec.structs.replace(cell, name=f"{SIGN} {cell.name}")
