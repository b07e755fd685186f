"""A number that keeps its reasons: any total a rule works out can be asked why."""

from __future__ import annotations

import msgspec

from turnwright.dice.roll import Modifier


class Figure(msgspec.Struct, frozen=True):
    """A total with what it is made of. Where a part replaces the rest (`set to 0`), `replaced` says so."""

    total: int
    parts: tuple[Modifier, ...] = ()
    replaced: bool = False


def figure(*parts: Modifier) -> Figure:
    """Return the sum of the parts, keeping those that are not 0 and the first in any case."""
    kept = tuple(part for index, part in enumerate(parts) if part.value or index == 0)
    return Figure(sum(part.value for part in parts), kept)
