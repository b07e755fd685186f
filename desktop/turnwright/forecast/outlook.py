"""How an encounter will probably go: chances with their intervals, quantiles, likely courses, by the ids of its records."""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.forecast.sheet import SheetNote


class Chance(msgspec.Struct, frozen=True):
    """A chance with the Wilson interval that holds the long-run value 19 times of 20."""

    value: float
    low: float
    high: float


class CombatantOutlook(msgspec.Struct, frozen=True):
    """How a combatant probably fares: chances of being down or dead at the end or before, hit points left (quantiles).

    `left` are the hit points at the end in 10, 50 and 90 of 100 fights; `dealt` and `taken` the damage of a fight on
    average; `felled_by` is the source (owner and feature) that takes it down most often, empty where none does.
    """

    who: str
    label: str
    side: str
    party: bool
    down: Chance
    dead: Chance
    left: tuple[int, int, int]
    dealt: float
    taken: float
    felled_by: tuple[str, str] = ("", "")


class SourceOutlook(msgspec.Struct, frozen=True):
    """The damage that a source deals to the party in a fight on average. `world`: it is one of the surroundings."""

    owner: str
    item: str
    damage: float
    world: bool = False


class PoolOutlook(msgspec.Struct, frozen=True):
    """How likely a countdown pool ends while the fight goes on, and in which round it does (quantiles 10, 50, 90)."""

    pool: str
    ends: Chance
    round: tuple[int, int, int]


class RoundOutlook(msgspec.Struct, frozen=True):
    """The party after a round: its hit points in shares of its maximum (quantiles 10, 25, 50, 75, 90), chance to go on."""

    round: int
    share: tuple[float, float, float, float, float]
    going_on: float


class Course(msgspec.Struct, frozen=True):
    """A likely course of the fight: its share of all fights, how it ends, who falls first, which pool ended."""

    share: float
    ending: Literal["won", "lost", "undecided"]
    first_down: str = ""
    pool: str = ""


class Outlook(msgspec.Struct, frozen=True):
    """How the encounter goes in a number of fights, from the party's side; see the records of its parts.

    `one_down`, `one_dead` and `all_down` (someone of it, all of it) are about the party; `rounds` are the rounds fought (quantiles 10,
    50, 90) and `mean_rounds` their mean. `notes` are the lists of the sheet.
    """

    fights: int
    seed: int
    won: Chance
    lost: Chance
    undecided: Chance
    one_down: Chance
    one_dead: Chance
    all_down: Chance
    rounds: tuple[int, int, int]
    mean_rounds: float
    combatants: tuple[CombatantOutlook, ...]
    sources: tuple[SourceOutlook, ...]
    pools: tuple[PoolOutlook, ...]
    by_round: tuple[RoundOutlook, ...]
    courses: tuple[Course, ...]
    notes: tuple[SheetNote, ...]
