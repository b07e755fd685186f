"""Commands of harm and help: damage, healing, conditions, death, and corrections by hand."""

from __future__ import annotations

from typing import Literal

from turnwright.dice.roll import Modifier
from turnwright.encounter.running import Ends
from turnwright.play.commands.base import Command, Share


class ApplyDamage(Command, frozen=True):
    """Damage some: an expression (`7`, `2d6+3 fire`, `6 slashing + 8 fire`), rolled once for all targets.

    `mundane`: dealt by a nonmagical weapon. `share` halves or doubles it. `source` names what dealt it;
    `modifiers` are bonuses and penalties to the roll, each with its reason. `attack` says that an attack dealt it, and
    of which kind, `by` whose it was, `critical` that it was a critical hit (the dice are those given all the same).
    """

    targets: tuple[str, ...]
    damage: str
    source: str = ""
    mundane: bool = False
    share: Share = "full"
    modifiers: tuple[Modifier, ...] = ()
    by: str = ""
    attack: Literal["", "melee", "ranged"] = ""
    critical: bool = False


class Heal(Command, frozen=True):
    """Restore hit points: a number or an expression."""

    targets: tuple[str, ...]
    amount: int
    source: str = ""


class GrantTemporary(Command, frozen=True):
    """Grant temporary hit points."""

    targets: tuple[str, ...]
    amount: int
    source: str = ""


class SetHitPoints(Command, frozen=True):
    """Correct hit points by hand. None leaves a figure as it is."""

    who: str
    hp: int | None = None
    temp_hp: int | None = None
    hp_max: int | None = None


class SetDead(Command, frozen=True):
    """Say that somebody is dead, or has been restored to life: with so many hit points, by what `source` names."""

    who: str
    dead: bool = True
    hp: int = 0
    source: str = ""


class ApplyCondition(Command, frozen=True):
    """Put a condition on some. From `by` on it is something that lasts: see `Effect` for what its figures say."""

    targets: tuple[str, ...]
    condition: str
    value: int = 0
    ends: Ends = Ends()
    source: str = ""
    by: str = ""
    rounds: int = 0
    counted: Literal["creator", "affected"] = "creator"
    sustained: bool = False
    save: str = ""
    dc: int = 0
    due: Literal["", "turn-start", "turn-end"] = ""
    note: str = ""


class ApplyOngoing(Command, frozen=True):
    """Put damage on some that comes back at the end of each of their turns, until what `until` says in words."""

    targets: tuple[str, ...]
    damage: str
    until: str = ""
    source: str = ""


class Concentrate(Command, frozen=True):
    """Begin to concentrate on something; what was held by concentrating before ends."""

    who: str
    on: str = ""


class Annotate(Command, frozen=True):
    """Write a reminder of one's own for an effect, instead of the words that come with it. Empty: those again."""

    effect: str
    text: str = ""


class PassTime(Command, frozen=True):
    """Let hours go by outside the rounds: those who are stable may come to."""

    hours: int


class EndEffect(Command, frozen=True):
    """End an effect."""

    effect: str


class BreakFree(Command, frozen=True):
    """Spend what an effect asks to be rid of it."""

    effect: str


class SetTrack(Command, frozen=True):
    """Set a track by hand, such as fatigue."""

    who: str
    track: str
    value: int
