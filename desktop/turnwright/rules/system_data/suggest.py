"""Data for suggesting encounters: the chances that the words of difficulty promise, and limits."""

from typing import Annotated

import msgspec

from turnwright.encounter.field_specs import FieldSpec
from turnwright.rules.system_data.preparation import BudgetFigures
from turnwright.rules.system_data.presets import Steps


class DifficultyBand(msgspec.Struct, frozen=True, omit_defaults=True):
    """The chances that a word of difficulty promises."""

    id: Annotated[str, FieldSpec(ids=("threat",))]
    """The word. In a file, it is the key of its table. Example: `hard`."""
    least: int
    """The lowest chance that the party wins, in percent."""
    most: int = 100
    """The highest chance that the party wins, in percent."""


class SuggestFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for suggestions of encounters."""

    instead: BudgetFigures | None = None
    """The budget for suggestions, in a game without one. Forecasts always choose among those suggestions."""
    bands: tuple[DifficultyBand, ...] = ()
    """The words of difficulty, mildest first, keyed by id."""
    best: int = 90
    """The best sum of an encounter, in percent of the way from the lowest to the highest sum of its difficulty. If
    difficulties start with their amounts, it is counted from the highest.
    """
    lowest: int = 0
    """The lowest sum of an encounter, in percent of the highest sum of its difficulty."""
    above: Steps = ()
    """How far a creature's rating may be above the party's level, by level. Example: `[[1, 1], [3, 4]]`."""
    frailest: tuple[int, int] = (6, 45)
    """The usual hit points of the frailest character: at level 0, and in tenths for each level."""
    party: Annotated[tuple[str, ...], FieldSpec(ids=("class",))] = ()
    """The classes of a usual party, for forecasts without the players' own characters. Example: `["fighter", "cleric"]`.
    """
