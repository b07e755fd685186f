"""Data for suggesting encounters: the chances that the words of difficulty promise, limits, places and countdowns."""

from typing import Annotated

import msgspec

from turnwright.encounter.field_specs import FieldSpec
from turnwright.rules.system_data.preparation import BudgetFigures
from turnwright.rules.system_data.presets import Steps


class DifficultyBand(msgspec.Struct, frozen=True, omit_defaults=True):
    """The chances that a word of difficulty promises."""

    id: str
    """The word. In a file, it is the key of its table. Example: `hard`."""
    least: int
    """The lowest chance that the party wins, in percent."""
    most: int = 100
    """The highest chance that the party wins, in percent."""


class HabitatPlaces(msgspec.Struct, frozen=True, omit_defaults=True):
    """The environments of the game that fit a habitat."""

    id: Annotated[str, FieldSpec(ids=("habitat",))]
    """The habitat. In a file, it is the key of its table. Example: `swamp`."""
    environments: Annotated[tuple[str, ...], FieldSpec(ids=("environment",))] = ()
    """The ids of the environments. Example: `["swampy", "hazy"]`."""


class CountdownModel(msgspec.Struct, frozen=True, omit_defaults=True):
    """A countdown that can be added to a suggestion."""

    id: str
    """The id. In a file, it is the key of its table. Example: `flood`."""
    name: str
    """The name. Example: `The water rises`."""
    words: tuple[str, ...] = ()
    """The habitats, types and tags that it fits. Without any, it fits every fight. Example: `["coast", "sewers"]`."""
    dice: int = 4
    """The number of dice."""
    text: str = ""
    """The effect when the countdown ends. Example: `The lower level is under water.`"""


class SuggestFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for suggestions of encounters."""

    instead: BudgetFigures | None = None
    """Figures like those of a budget, in a game that has none. The forecast then chooses among more suggestions."""
    bands: tuple[DifficultyBand, ...] = ()
    """The words of difficulty, mildest first, keyed by id."""
    best: int = 90
    """The best sum of an encounter, in percent of the way from the lowest to the highest sum of its difficulty."""
    lowest: int = 0
    """The lowest sum of an encounter, in percent of the highest sum of its difficulty."""
    above: Steps = ()
    """How far a creature's rating may be above the party's level, by level. Example: `[[1, 1], [3, 4]]`."""
    frailest: tuple[int, int] = (6, 45)
    """The usual hit points of the frailest character: at level 0, and in tenths for each level."""
    party: tuple[str, ...] = ()
    """The classes of a usual party, for forecasts without the players' own characters. Example: `["fighter", "cleric"]`.
    """
    places: tuple[HabitatPlaces, ...] = ()
    """The environments of the game by habitat."""
    countdowns: tuple[CountdownModel, ...] = ()
    """Countdowns for suggestions, keyed by id."""
