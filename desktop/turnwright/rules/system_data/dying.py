"""Data of dying and recovery: death saves, massive damage, concentration, rests."""

from typing import Literal

import msgspec

from turnwright.encounter.field_specs import AbilityId, ConditionId, DiceText
from turnwright.rules.system_data.field_types import Tracks


class DeathSaveFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Numbers of the death save: its DC, how many of either end it, and two special faces of the d20 (0: none).

    The worst face is `worst_failures` at once. No `failures`: the game has no death saves.
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
    """Numbers of massive damage, where a failed save kills at once: from `base` and `per_level` on; costs of a success.

    With neither of the two no damage is massive.
    """

    base: int = 0
    per_level: int = 0
    ability: AbilityId = ""
    dc: int = 0
    fatigue: int = 0
    strife: int = 0

    @property
    def is_possible(self) -> bool:
        """Return whether the game has massive damage."""
        return bool(self.base or self.per_level)


class ConcentrationFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Numbers of the concentration save: the least DC, which half of the damage may exceed."""

    ability: AbilityId = ""
    least: int = 0


class RestFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Numbers of rests: levels of fatigue that a long rest recovers, outside a haven only for up to `anywhere` levels.

    Where rests wake the unconscious, `short_hp` is what a short one leaves them with, `long_over` the divisor of the
    maximum for a long one.
    """

    anywhere: int = 0
    recovers: int = 0
    short_hp: int = 0
    long_over: int = 0


class BleedingFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Numbers of bleeding out: damage a turn for each level, and the condition of a combatant woken by healing."""

    per_level: int = 0
    roused: ConditionId = ""


class RecoveryFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Numbers of dying by a value: its start (after a critical hit), what damage adds, and the value that kills.

    The recovery check has `dc` and the value for its DC; `steps` are what it changes the value by, from a critical
    failure to a critical success. `worse` names the condition that adds to the start, `sooner` the one that lowers the
    maximum. Where initiative `shifts`, a combatant that drops comes just before the active one from then on.
    """

    die: DiceText = "1d20"
    dc: int = 0
    start: int = 1
    critical_start: int = 1
    hurt: int = 0
    critical_hurt: int = 0
    kills: int = 0
    steps: tuple[int, int, int, int] = (0, 0, 0, 0)
    worse: ConditionId = ""
    sooner: ConditionId = ""
    shifts: bool = False


class DeviceFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Numbers of devices, combatants known by their tags: they don't die, but get a condition.

    A critical success at disabling one counts `critical` times.
    """

    tags: tuple[str, ...] = ()
    condition: ConditionId = ""
    critical: int = 1


class DyingFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Numbers of what 0 hit points bring. All 0: nothing but lying there.

    `way` names the mechanism (`play.damage.zero_hp_rules`). `saves_tags` are tags of creatures that make death saves;
    the three `…_fatigue` are levels that falling unconscious in an encounter, a knock-out and a critical hit at 0 cost.
    `stable_hours` is a dice expression, after which a stable combatant has `stable_hp`; `doomed_at` so many levels of
    fatigue, and `remedies` names what undoes it. `knock_out_by` chooses whose melee attacks may knock out instead:
    none, all or those of characters. `instant`: damage that exceeds the hit points left by the maximum or more kills
    with no save. A critical hit at 0 is `critical_failures` death saves failed, and the attacker may have the target
    pay one of `prices` (tracks) instead of failing any. `leveled`: a creature with a level is a character.
    """

    way: Literal["saves", "bleeding", "recovery"] = "saves"
    saves_tags: tuple[str, ...] = ()
    leveled: bool = True
    fall_fatigue: int = 0
    knock_out_fatigue: int = 0
    critical_fatigue: int = 0
    critical_failures: int = 1
    prices: Tracks = ()
    knock_out_by: Literal["", "anybody", "characters"] = ""
    instant: bool = False
    stable_hours: DiceText = ""
    stable_hp: int = 0

    doomed_at: int = 0
    remedies: tuple[str, ...] = ()
    save: DeathSaveFigures = DeathSaveFigures()
    massive: MassiveDamageFigures = MassiveDamageFigures()
    concentration: ConcentrationFigures = ConcentrationFigures()
    rest: RestFigures = RestFigures()
    bleeding: BleedingFigures = BleedingFigures()
    recovery: RecoveryFigures = RecoveryFigures()
    things: DeviceFigures = DeviceFigures()
