"""Fast bounds checks that prove most creatures valid; the others need a full check.

A record that encodes to few bytes can't contain a long text or list, so only its bounded numbers and its dice need
checking.
"""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter
from typing import Any, Final

import msgspec

from turnwright.encounter.field_specs import MAX_ITEMS, specs_of
from turnwright.encounter.prepared import Creature, Feature
from turnwright.importers.statblock_text.damage import dice_problem_in

_encode = msgspec.msgpack.Encoder().encode


class _Look:
    """Checks the bounded numbers and the dice of records of one type, and caches the results."""

    __slots__ = ("proved", "values")

    def __init__(self, owner: type[msgspec.Struct]) -> None:
        numbers = [spec for spec in specs_of(owner) if spec.is_limited]
        dice = [spec.name for spec in specs_of(owner) if spec.kind == "dice"]
        self.values: Any = attrgetter(*[spec.name for spec in numbers], *dice)

        @lru_cache(maxsize=8192)
        def proved(values: tuple[Any, ...]) -> bool:
            for spec, value in zip(numbers, values, strict=False):  # the dice come after the numbers
                if value is not None and spec.problem(value):
                    return False
            return not any(text and dice_problem_in(text) for text in values[len(numbers) :])

        self.proved = proved


_CREATURE: Final = _Look(Creature)
_FEATURE: Final = _Look(Feature)


def is_within_bounds(creature: Creature) -> bool:
    """Whether a fast check proves that a creature is within its bounds. If False, it needs a full check."""
    try:
        if len(_encode(creature)) >= MAX_ITEMS:
            pieces = (*creature.features, msgspec.structs.replace(creature, features=()))
            if any(len(_encode(piece)) >= MAX_ITEMS for piece in pieces):
                return False
    except (OverflowError, TypeError, ValueError):
        return False
    values, proved = _FEATURE.values, _FEATURE.proved
    return _CREATURE.proved(_CREATURE.values(creature)) and all(map(proved, map(values, creature.features)))
