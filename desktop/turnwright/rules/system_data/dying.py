"""Figures of dying and of coming back: death saves, massive damage, concentration, rests."""

from __future__ import annotations

from typing import Literal

import msgspec


class DeathSaveFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """A death save: its DC, how many of either end it, and the two faces of the d20 (0: none) that do more.

    The worst face is `worst_failures` at once. No `failures`: nobody makes any.
    """

    dc: int = 0
    successes: int = 0
    failures: int = 0
    worst: int = 0
    worst_failures: int = 1
    worst_fatigue: int = 0
    worst_strife: int = 0
    best: int = 0
    best_hp: int = 0


class MassiveDamageFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Damage so great that a failed save kills at once: from `base` and `per_level` each; what a save made costs.

    Neither of the two: no damage is so great.
    """

    base: int = 0
    per_level: int = 0
    ability: str = ""
    dc: int = 0
    fatigue: int = 0
    strife: int = 0

    @property
    def is_possible(self) -> bool:
        """Whether any damage is so great."""
        return bool(self.base or self.per_level)


class ConcentrationFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """The save to go on concentrating when hurt: the least DC, more where half of the damage is."""

    ability: str = ""
    least: int = 0


class RestFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a long rest recovers: so many levels of fatigue, outside a haven only of those who have no more than `anywhere`.

    Where rests wake the unconscious, `short_hp` is what a short one leaves them with, `long_over` the divisor of the
    maximum for a long one.
    """

    anywhere: int = 0
    recovers: int = 0
    short_hp: int = 0
    long_over: int = 0


class BleedingFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """What bleeding out takes as a turn starts: so much for each level. `roused` is the condition of one woken by healing."""

    per_level: int = 0
    roused: str = ""


class RecoveryFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Dying by a value: where it starts (after a critical hit), what damage adds (a critical one), and what value kills.

    The check has `dc` and the value for its DC; `steps` are what it changes the value by, from a critical failure to a
    critical success. `worse` names the condition that adds to where it starts, `sooner` the one that takes off what
    kills. Where a place `shifts`, whoever goes down comes just before whose turn it is from then on.
    """

    die: str = "1d20"
    dc: int = 0
    start: int = 1
    critical_start: int = 1
    hurt: int = 0
    critical_hurt: int = 0
    kills: int = 0
    steps: tuple[int, int, int, int] = (0, 0, 0, 0)
    worse: str = ""
    sooner: str = ""
    shifts: bool = False


class DeviceFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Those in the order who are no beings, by their tags: they don't die, but come to stand under a condition.

    A critical success at stopping one counts `critical` times.
    """

    tags: tuple[str, ...] = ()
    condition: str = ""
    critical: int = 1


class DyingFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """What being at 0 hit points brings. All 0: nothing but lying there.

    `way` names the mechanism (`play.damage.zero_hp_rules`). `saves_tags` are tags of creatures that make death saves;
    the three `…_fatigue` are levels that falling unconscious in an encounter, a knock-out and a critical hit at 0 cost.
    `stable_hours` is a dice expression, after which one who is stable has `stable_hp`; `doomed_at` so many levels of
    fatigue, and `remedies` names what undoes it.

    `knock_out_by` is whose melee attack may knock out instead: nobody's, anybody's or a character's. `instant`: damage
    that is greater than the hit points left, by all of somebody's or more, kills with no save. A critical hit at 0 is
    `critical_failures` death saves failed, and whoever struck may have the one struck pay one of `prices` (tracks)
    instead of failing any. `leveled`: whoever has a level is a character.
    """

    way: str = "saves"
    saves_tags: tuple[str, ...] = ()
    leveled: bool = True
    fall_fatigue: int = 0
    knock_out_fatigue: int = 0
    critical_fatigue: int = 0
    critical_failures: int = 1
    prices: tuple[str, ...] = ()
    knock_out_by: Literal["", "anybody", "characters"] = ""
    instant: bool = False
    stable_hours: str = ""
    stable_hp: int = 0
    aid_check: str = ""
    aid_dc: int = 0
    doomed_at: int = 0
    remedies: tuple[str, ...] = ()
    save: DeathSaveFigures = DeathSaveFigures()
    massive: MassiveDamageFigures = MassiveDamageFigures()
    concentration: ConcentrationFigures = ConcentrationFigures()
    rest: RestFigures = RestFigures()
    bleeding: BleedingFigures = BleedingFigures()
    recovery: RecoveryFigures = RecoveryFigures()
    things: DeviceFigures = DeviceFigures()
