"""Data and stages of the procedures in `play.damage`: damage rolls, consequences of damage, dying, recovery."""

from __future__ import annotations

from typing import Literal

from turnwright.dice.expression import Modifier, Roll
from turnwright.encounter.field_specs import DiceText
from turnwright.encounter.procedure_state.kinds import ProcedureKind, StageName
from turnwright.encounter.tagged_struct import CombatantData, TaggedStruct


class DamageRoll(TaggedStruct, frozen=True):
    """Damage that hasn't been rolled: its expression, its targets, and the share that each target takes."""

    targets: tuple[str, ...]
    damage: DiceText
    source: str = ""
    mundane: bool = False
    share: Literal["full", "half", "double"] = "full"
    modifiers: tuple[Modifier, ...] = ()
    by: str = ""
    attack: Literal["", "melee", "ranged"] = ""
    critical: bool = False


class SavedDamage(TaggedStruct, frozen=True):
    """Damage with an optional `save` by each target, and the condition of targets that fail it.

    `half`: a successful save halves the damage instead of preventing it. `confirms`: the user confirms each target's
    share before the damage is dealt. `rolled` is the damage roll, and `shares` are the targets' shares. The duration of
    the condition is given by `rounds`, `by`, `counted`, `ending_save` and `ending_dc`, as in `Effect`.
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


class TempHpChoice(TaggedStruct, frozen=True):
    """A choice between a combatant's current temporary hit points and new ones."""

    target: str
    amount: int
    source: str = ""


class DamageConsequences(TaggedStruct, frozen=True):
    """The consequences of damage taken: dropping to 0, dying, massive damage, concentration.

    `cause` is `attack` or `other`. `by` is the combatant who dealt the damage, and `melee` whether it was a melee
    attack. `damage` is the damage after all adjustments. `hp_damage` is the damage left after temporary hit points,
    which can exceed the hit points. `hp_before` are the hit points before the damage, and `kinds` its damage types.
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


class DeathSaveRolls(TaggedStruct, frozen=True):
    """Dying combatants who make a death save."""

    who: tuple[str, ...]


class RecoveryChecks(TaggedStruct, frozen=True):
    """Dying combatants who still have to make a recovery check."""

    who: tuple[str, ...]


class StableRecovery(TaggedStruct, frozen=True):
    """Stable combatants, and the number of hours that pass for them."""

    who: tuple[str, ...]
    hours: int


class BleedOut(TaggedStruct, frozen=True):
    """Combatants at or below 0 hit points who may bleed out."""

    who: tuple[str, ...]


class PhaseBeginning(CombatantData, frozen=True):
    """Ids of the stat block phases that are about to begin for a combatant, in order."""

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
    maximum_changed = StageName()
    finish = StageName()
    die_unhealed = StageName()


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
    ask_shape = StageName()
    take_shape = StageName()


DAMAGE_ROLL = _DamageRoll("damage-roll")
SAVED_DAMAGE = _SavedDamage("saved-damage")
TEMP_HP = _TempHp("temp-hp")
DAMAGE_CONSEQUENCES = _DamageConsequences("damage-consequences")
DEATH_SAVES = _DeathSaves("death-saves")
STABLE_RECOVERY = _StableRecovery("stable-recovery")
RECOVERY_CHECK = _RecoveryCheck("recovery-check")
BLEED_OUT = _BleedOut("bleed-out")
PHASE = _Phase("phase")
