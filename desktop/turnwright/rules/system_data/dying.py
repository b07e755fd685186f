"""Data of dying and recovery: death saves, massive damage, concentration, rests."""

from typing import Literal

import msgspec

from turnwright.encounter.field_specs import AbilityId, ConditionId, DiceText
from turnwright.rules.system_data.field_types import Tracks


class DeathSaveFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for death saves: the DC, the successes or failures that end them, and two special die faces (0: none).

    The worst face counts as `worst_failures`. If `failures` is 0, the game has no death saves.
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
    """Settings for massive damage, where a failed save means death: the threshold, and the costs of a success.

    The threshold is `base` plus `per_level` for each level. If both are 0, there is no massive damage.
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
    """Settings for the concentration save. Its DC is half of the damage, but at least `least`."""

    ability: AbilityId = ""
    least: int = 0


class RestFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for rests: the levels of fatigue that a long rest removes, outside a haven only up to `anywhere` levels.

    If rests wake unconscious combatants, a short rest leaves them with `short_hp` hit points, and a long rest with
    their maximum divided by `long_over`.
    """

    anywhere: int = 0
    recovers: int = 0
    short_hp: int = 0
    long_over: int = 0


class BleedingFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for bleeding out: the damage per turn and level, and the condition of a combatant revived by healing."""

    per_level: int = 0
    roused: ConditionId = ""


class RecoveryFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for dying with a value: its start (also after a critical hit), the increase for damage, and its maximum.

    The DC of the recovery check is `dc` plus the value. `steps` are the changes to the value, from a critical failure
    to a critical success. `worse` is the condition that raises the start, `sooner` the condition that lowers the
    maximum. With `shifts`, a combatant that drops moves to just before the active combatant in the turn order.
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
    """Settings for devices, recognised by their tags. They don't die; they get a condition.

    A critical success at disabling one counts as `critical` successes.
    """

    tags: tuple[str, ...] = ()
    condition: ConditionId = ""
    critical: int = 1


class DyingFigures(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings for dropping to 0 hit points. If all are 0, a combatant just stays down.

    `way` is the mechanism (`play.damage.zero_hp_rules`). `saves_tags` are tags of creatures that make death saves. The
    three `…_fatigue` are the levels of fatigue for falling unconscious in an encounter, for a knock-out, and for a
    critical hit at 0. `stable_hours` is a dice expression: after that many hours, a stable combatant has `stable_hp`.
    At `doomed_at` levels of fatigue a combatant is doomed, and `remedies` names the cures.

    `knock_out_by` chooses whose melee attacks may knock out instead of killing: none, all or those of characters.
    `instant`: damage that exceeds the remaining hit points by the maximum or more kills without a save. A critical hit
    at 0 counts as `critical_failures` failed death saves. The attacker may let the target pay one of `prices` (tracks)
    instead. `leveled`: a creature with a level is a character.
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
