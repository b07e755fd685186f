"""Data of damage in progress: the roll, the choice of temporary hit points, the consequences."""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.dice.roll import Modifier


class DamageRoll(msgspec.Struct, frozen=True, omit_defaults=True, tag="harm"):
    """Damage still to be rolled: an expression, its targets, and the share that each takes."""

    targets: tuple[str, ...]
    damage: str
    source: str = ""
    mundane: bool = False
    share: Literal["full", "half", "double"] = "full"
    modifiers: tuple[Modifier, ...] = ()
    by: str = ""
    attack: Literal["", "melee", "ranged"] = ""
    critical: bool = False


class TempHpChoice(msgspec.Struct, frozen=True, omit_defaults=True, tag="temporary"):
    """A choice between the temporary hit points that a combatant has and those it is given."""

    target: str
    amount: int
    source: str = ""


class DamageConsequences(msgspec.Struct, frozen=True, omit_defaults=True, tag="aftermath"):
    """The consequences of damage taken: dropping to 0, dying, massive damage, concentration.

    `cause` is `attack` or `other`; `by` the combatant that dealt it, `melee` how; `damage` is the damage after all
    adjustment, `hp_damage` what of it temporary hit points left (perhaps more than the hit points); `hp_before` the hit
    points before it.
    """

    target: str
    damage: int
    hp_damage: int
    hp_before: int
    cause: Literal["attack", "other"] = "other"
    by: str = ""
    melee: bool = False
    critical: bool = False
    source: str = ""
