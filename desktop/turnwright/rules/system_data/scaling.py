"""Benchmarks of creatures by rating, for making a stat block stronger or weaker."""

from typing import Literal

import msgspec

from turnwright.rules.system_data.field_types import SkillIds


class Benchmark(msgspec.Struct, frozen=True, omit_defaults=True):
    """The usual numbers of a creature with this rating."""

    rating: str
    """The rating or level. Example: `1/4`."""
    hp: float
    """The hit points."""
    damage: float
    """The damage per round or attack."""
    ac: int
    """The Armor Class."""
    attack: int
    """The attack bonus."""
    dc: int
    """The DC of its saves."""
    save: int
    """The bonus of its best saves."""
    skill: int
    """The bonus of its best skills."""
    proficiency: int = 0
    """The proficiency bonus. 0 if the game has none."""


class ScalingFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """The benchmarks for making a creature stronger or weaker. A game may have none."""

    by: Literal["rating", "level"] = "rating"
    """The number that ranks stat blocks."""
    rows: tuple[Benchmark, ...] = ()
    """The benchmarks, weakest first."""
    as_saves: SkillIds = ()
    """Skills that grow like saves. Example: `["perception"]`."""
    initiative: Literal["", "save", "skill"] = ""
    """Whether initiative grows like a save or like a skill. Empty means that it doesn't grow."""

    def benchmark(self, rating: str) -> Benchmark | None:
        """Return the benchmark for a rating, or None if there is none."""
        return next((row for row in self.rows if row.rating == rating), None)
