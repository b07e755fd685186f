"""Benchmarks of creatures by rating, by which a stat block is made stronger or weaker."""

from typing import Literal

import msgspec

from turnwright.rules.system_data.field_types import SkillIds


class Benchmark(msgspec.Struct, frozen=True, omit_defaults=True):
    """The benchmarks of a rating: hit points, damage a round or an attack, and numbers that go with a die."""

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
    """The benchmarks, weakest first; none in a game without any.

    `by` is what orders stat blocks among them. `as_saves` are skills that grow as saves do.
    """

    by: Literal["rating", "level"] = "rating"
    rows: tuple[Benchmark, ...] = ()
    as_saves: SkillIds = ()
    initiative: Literal["", "save", "skill"] = ""

    def benchmark(self, rating: str) -> Benchmark | None:
        """Return the benchmark of a rating, None where there is none."""
        return next((row for row in self.rows if row.rating == rating), None)
