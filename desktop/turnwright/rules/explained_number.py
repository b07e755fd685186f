"""Numbers that keep their parts, so that every calculated total can be explained."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from turnwright.dice.roll import Modifier


class ExplainedNumber(msgspec.Struct, frozen=True):
    """A total with its parts. `replaced` is True if one part overrides the rest (`set to 0`)."""

    total: int
    parts: tuple[Modifier, ...] = ()
    replaced: bool = False


def apply_stacking(parts: Iterable[Modifier]) -> tuple[Modifier, ...]:
    """Set all but the highest bonus and the worst penalty of each type to 0."""
    modifiers = tuple(parts)
    strongest: dict[tuple[str, bool], int] = {}
    for at, part in enumerate(modifiers):
        side = (part.kind, part.value > 0)
        best = strongest.get(side)
        if part.kind and (best is None or abs(modifiers[best].value) < abs(part.value)):
            strongest[side] = at
    return tuple(
        part if not part.kind or strongest[part.kind, part.value > 0] == at else msgspec.structs.replace(part, value=0)
        for at, part in enumerate(modifiers)
    )


def explained_sum(*parts: Modifier) -> ExplainedNumber:
    """Add up modifiers. The result lists the first one, and all others that aren't 0."""
    shown_parts = tuple(part for index, part in enumerate(parts) if part.value or index == 0)
    return ExplainedNumber(sum(part.value for part in parts), shown_parts)
