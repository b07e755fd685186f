"""Data and stages of the procedures in `play.damage`: damage rolls, consequences of damage, dying, recovery."""

from typing import Literal

from turnwright.dice.expression import Modifier, Roll
from turnwright.encounter.field_specs import DiceText
from turnwright.encounter.procedure_state.kinds import ProcedureKind
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
    which can exceed the hit points. `hp_before` are the hit points before the damage, `kinds` its damage types, and
    `properties` those of the attack.
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
    properties: tuple[str, ...] = ()


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
    DamageRoll | SavedDamage | TempHpChoice | DamageConsequences | DeathSaveRolls | RecoveryChecks | StableRecovery
    | BleedOut | PhaseBeginning
)  # fmt: skip


DAMAGE_ROLL = ProcedureKind("damage-roll", "ask_damage apply_damage")
SAVED_DAMAGE = ProcedureKind("saved-damage", "ask_rolls after_rolls deal_shares")
TEMP_HP = ProcedureKind("temp-hp", "ask_temp_hp take_temp_hp")
DAMAGE_CONSEQUENCES = ProcedureKind(
    "damage-consequences",
    "start after_phase after_dropping after_spare_choice drop_to_zero after_massive_save after_hit_while_down "
    "apply_zero_choice maximum_changed finish die_unhealed",
)
DEATH_SAVES = ProcedureKind("death-saves", "ask_saves tally")
STABLE_RECOVERY = ProcedureKind("stable-recovery", "ask_hours wake_from_stable")
RECOVERY_CHECK = ProcedureKind("recovery-check", "ask_checks after_checks apply_values")
BLEED_OUT = ProcedureKind("bleed-out", "ask_level lose_hit_points pass_turn")
PHASE = ProcedureKind("phase", "start after_choice ask_shape take_shape")
