"""Data and stages of the procedures of `play.damage`: damage rolls, their consequences, dying, recovery."""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.dice.roll import Modifier, Roll
from turnwright.encounter.field_specs import DiceText
from turnwright.encounter.procedure_state.kinds import ProcedureKind, StageName


class DamageRoll(msgspec.Struct, frozen=True, omit_defaults=True, tag="harm"):
    """Damage still to be rolled: an expression, its targets, and the share that each takes."""

    targets: tuple[str, ...]
    damage: DiceText
    source: str = ""
    mundane: bool = False
    share: Literal["full", "half", "double"] = "full"
    modifiers: tuple[Modifier, ...] = ()
    by: str = ""
    attack: Literal["", "melee", "ranged"] = ""
    critical: bool = False


class SavedDamage(msgspec.Struct, frozen=True, omit_defaults=True, tag="saved-damage"):
    """Damage against which each target saves, where a `save` is given, and the condition left by a failed one.

    `half`: a successful save halves it; else it leaves nothing. `confirms`: the share of each is asked before it is
    dealt. `rolled` is the roll of the damage, `shares` what part of it each target takes. The condition lasts as
    `rounds`, `by`, `counted`, `ending_save` and `ending_dc` say, like the fields of `Effect`.
    """

    targets: tuple[str, ...]
    damage: DiceText
    save: str = ""
    dc: int = 0
    half: bool = False
    source: str = ""
    condition: str = ""
    value: int = 0
    rounds: int = 0
    by: str = ""
    confirms: bool = False
    counted: Literal["creator", "affected"] = "creator"
    ending_save: str = ""
    ending_dc: int = 0
    rolled: Roll | None = None
    shares: tuple[tuple[str, str], ...] = ()
    failed: tuple[str, ...] = ()


class TempHpChoice(msgspec.Struct, frozen=True, omit_defaults=True, tag="temporary"):
    """A choice between the temporary hit points that a combatant has and those it is given."""

    target: str
    amount: int
    source: str = ""


class DamageConsequences(msgspec.Struct, frozen=True, omit_defaults=True, tag="aftermath"):
    """The consequences of damage taken: dropping to 0, dying, massive damage, concentration.

    `cause` is `attack` or `other`; `by` the combatant that dealt it, `melee` how; `damage` is the damage after all
    adjustment, `hp_damage` what of it temporary hit points left (perhaps more than the hit points); `hp_before` the hit
    points before it; `kinds` the types that hurt.
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
    kinds: tuple[str, ...] = ()


class DeathSaveRolls(msgspec.Struct, frozen=True, omit_defaults=True, tag="death-saves"):
    """The dying combatants who make a death save."""

    who: tuple[str, ...]


class RecoveryChecks(msgspec.Struct, frozen=True, omit_defaults=True, tag="recovery-checks"):
    """The dying combatants who still make a recovery check."""

    who: tuple[str, ...]


class StableRecovery(msgspec.Struct, frozen=True, omit_defaults=True, tag="stable-recovery"):
    """Stable combatants, and the hours that pass for them."""

    who: tuple[str, ...]
    hours: int


class BleedOut(msgspec.Struct, frozen=True, omit_defaults=True, tag="bleed-out"):
    """The combatants at 0 hit points or below who may bleed out."""

    who: tuple[str, ...]


class PhaseBeginning(msgspec.Struct, frozen=True, omit_defaults=True, tag="phase"):
    """Phases of a combatant's stat block, by their ids, that are about to begin, one after another."""

    who: str
    phases: tuple[str, ...]


Data = (
    DamageRoll
    | SavedDamage
    | TempHpChoice
    | DamageConsequences
    | DeathSaveRolls
    | RecoveryChecks
    | StableRecovery
    | BleedOut
    | PhaseBeginning
)


class _DamageRoll(ProcedureKind):
    ask_damage = StageName()
    apply_damage = StageName()


class _SavedDamage(ProcedureKind):
    ask_rolls = StageName()
    after_rolls = StageName()
    deal_shares = StageName()


class _TempHp(ProcedureKind):
    ask_temp_hp = StageName()
    take_temp_hp = StageName()


class _DamageConsequences(ProcedureKind):
    start = StageName()
    after_phase = StageName()
    after_dropping = StageName()
    after_spare_choice = StageName()
    drop_to_zero = StageName()
    after_massive_save = StageName()
    after_hit_while_down = StageName()
    apply_zero_choice = StageName()
    finish = StageName()


class _DeathSaves(ProcedureKind):
    ask_saves = StageName()
    tally = StageName()


class _StableRecovery(ProcedureKind):
    ask_hours = StageName()
    wake_from_stable = StageName()


class _RecoveryCheck(ProcedureKind):
    ask_checks = StageName()
    after_checks = StageName()
    apply_values = StageName()


class _BleedOut(ProcedureKind):
    ask_level = StageName()
    lose_hit_points = StageName()
    pass_turn = StageName()


class _Phase(ProcedureKind):
    start = StageName()
    after_choice = StageName()


DAMAGE_ROLL = _DamageRoll("damage-roll")
SAVED_DAMAGE = _SavedDamage("saved-damage")
TEMP_HP = _TempHp("temp-hp")
DAMAGE_CONSEQUENCES = _DamageConsequences("damage-consequences")
DEATH_SAVES = _DeathSaves("death-saves")
STABLE_RECOVERY = _StableRecovery("stable-recovery")
RECOVERY_CHECK = _RecoveryCheck("recovery-check")
BLEED_OUT = _BleedOut("bleed-out")
PHASE = _Phase("phase")
