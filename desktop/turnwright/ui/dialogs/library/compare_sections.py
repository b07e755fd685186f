"""Comparison of two stat blocks as plain data, with each differing line marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from turnwright.rules.parts.stat_block.sections import AbilityCell, StatSections
from turnwright.rules.parts.stat_block.text_runs import Paragraph

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
