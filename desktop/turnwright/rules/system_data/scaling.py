"""What is usual of a creature at each rating, by which a stat block is made stronger or weaker."""

from __future__ import annotations

from typing import Literal

import msgspec


class Benchmark(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is usual at one rating: hit points, damage a round or an attack, and figures that a die is added to or met by."""

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
    """The rows, weakest first; none: the game says nothing of the kind.

    `by`: what a stat block's place among them is called. `as_saves` are skills that grow as saves do.
    """

    by: Literal["rating", "level"] = "rating"
    rows: tuple[Benchmark, ...] = ()
    as_saves: tuple[str, ...] = ()
    initiative: Literal["", "save", "skill"] = ""

    def benchmark(self, rating: str) -> Benchmark | None:
        """Return the row of a rating, None where there is none."""
        return next((row for row in self.rows if row.rating == rating), None)
