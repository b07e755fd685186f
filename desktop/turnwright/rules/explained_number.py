"""Numbers with their parts, so that every total the rules work out can be explained."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from turnwright.dice.roll import Modifier


class ExplainedNumber(msgspec.Struct, frozen=True):
    """A total with its parts. `replaced` is True where one part replaces the rest (`set to 0`)."""

    total: int
    parts: tuple[Modifier, ...] = ()
    replaced: bool = False


def apply_stacking(parts: Iterable[Modifier]) -> tuple[Modifier, ...]:
    """Return the modifiers with all but the highest bonus and the worst penalty of each kind set to 0."""
    listed = tuple(parts)
    counting: dict[tuple[str, bool], int] = {}
    for at, part in enumerate(listed):
        side = (part.kind, part.value > 0)
        best = counting.get(side)
        if part.kind and (best is None or abs(listed[best].value) < abs(part.value)):
            counting[side] = at
    return tuple(
        part if not part.kind or counting[part.kind, part.value > 0] == at else msgspec.structs.replace(part, value=0)
        for at, part in enumerate(listed)
    )


def explained_sum(*parts: Modifier) -> ExplainedNumber:
    """Return the sum of the parts, keeping those that are not 0 and the first in any case."""
    kept = tuple(part for index, part in enumerate(parts) if part.value or index == 0)
    return ExplainedNumber(sum(part.value for part in parts), kept)
