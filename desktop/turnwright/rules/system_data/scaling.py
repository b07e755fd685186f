"""Benchmarks of creatures by rating, for making a stat block stronger or weaker."""

from typing import Literal

import msgspec

from turnwright.rules.system_data.field_types import SkillIds


class Benchmark(msgspec.Struct, frozen=True, omit_defaults=True):
    """The benchmarks of a rating: hit points, damage per round or attack, and the other numbers of a stat block."""

    rating: str
    hp: float
    damage: float
    ac: int
    attack: int
    dc: int
    save: int
    skill: int
    proficiency: int = 0


class ScalingFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """The benchmarks, weakest first, or none if the game has no benchmarks.

    `by` is the number that ranks stat blocks. `as_saves` are skills that grow like saves.
    """

    by: Literal["rating", "level"] = "rating"
    rows: tuple[Benchmark, ...] = ()
    as_saves: SkillIds = ()
    initiative: Literal["", "save", "skill"] = ""

    def benchmark(self, rating: str) -> Benchmark | None:
        """Return the benchmark for a rating, or None if there is none."""
        return next((row for row in self.rows if row.rating == rating), None)
