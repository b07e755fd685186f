"""The forecast of an encounter: chances with their intervals, quantiles and likely courses, keyed by record id."""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.forecast.sheet import SheetNote


class Chance(msgspec.Struct, frozen=True):
    """A chance with its 95 % Wilson interval."""

    value: float
    low: float
    high: float


class CombatantOutlook(msgspec.Struct, frozen=True):
    """The forecast of a combatant: its chances of falling and dying, and its remaining hit points (quantiles).

    `left` are the hit points at the end in 10, 50 and 90 of 100 fights; `dealt` and `taken` are the average damage
    per fight. `felled_by` is the source (owner and feature) that takes it down most often; both strings are empty if
    none does.
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
    """A source's average damage to the party per fight. `world`: it belongs to an environment."""

    owner: str
    item: str
    damage: float
    world: bool = False


class PoolOutlook(msgspec.Struct, frozen=True):
    """The chance that a countdown pool ends during the fight, and in which round (quantiles 10, 50, 90)."""

    pool: str
    ends: Chance
    round: tuple[int, int, int]


class RoundOutlook(msgspec.Struct, frozen=True):
    """The state after a round: the party's share of its maximum hit points, and the chance of another round.

    `share` has the quantiles 10, 25, 50, 75 and 90.
    """

    round: int
    share: tuple[float, float, float, float, float]
    going_on: float


class Course(msgspec.Struct, frozen=True):
    """A likely course of the fight: its share of all fights, the ending, the first to fall, and the pool that ended."""

    share: float
    ending: Literal["won", "lost", "undecided"]
    first_down: str = ""
    pool: str = ""


class Outlook(msgspec.Struct, frozen=True):
    """The forecast of the encounter from the party's side, based on a number of simulated fights.

    `one_down`, `one_dead` and `all_down` are about members of the party, or all of them; `rounds` are the rounds
    fought (quantiles 10, 50, 90) and `mean_rounds` their mean. `notes` are the lists of the sheet.
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
