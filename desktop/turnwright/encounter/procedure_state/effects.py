"""Data and stages of the procedures in `play.effects`: persistent damage, lingering conditions, concentration, doom."""

from turnwright.encounter.prepared import Feature, InflictedCondition
from turnwright.encounter.procedure_state.kinds import ProcedureKind
from turnwright.encounter.tagged_struct import CombatantData, TaggedStruct


class PersistentDamage(TaggedStruct, frozen=True):
    """Ids of the effects that deal damage at the end of this turn."""

    effects: tuple[str, ...]


class LingeringConditions(CombatantData, frozen=True):
    """A condition on a combatant that leaves other conditions behind. `rule` is the rule for it."""

    condition: str
    rule: str = ""


class ConcentrationCheck(CombatantData, frozen=True):
    """A combatant whose concentration is at risk, and the damage it took."""

    damage: int


class SummonedCreatures(TaggedStruct, frozen=True):
    """The roster entry of creatures that joined by a spell, and the spell, which has ended."""

    roster: str
    source: str


class DoomRemedy(CombatantData, frozen=True):
    """A doomed combatant, and the name of the magic that may end its doom."""

    source: str


class DecreasingConditions(TaggedStruct, frozen=True):
    """Ids of the effects whose value decreases at the end of this turn."""

    effects: tuple[str, ...]


class RolledCondition(CombatantData, frozen=True):
    """A condition by a feature of `by` whose value is rolled. `rule` is the rule for it."""

    by: str
    feature: Feature
    condition: InflictedCondition
    rule: str = ""


Lasting = PersistentDamage | LingeringConditions | DecreasingConditions | RolledCondition
Data = Lasting | ConcentrationCheck | SummonedCreatures | DoomRemedy


PERSISTENT_DAMAGE = ProcedureKind("persistent-damage", "ask_ended ask_damage apply_damage")
LINGERING_CONDITIONS = ProcedureKind("lingering-conditions", "start apply")
CONCENTRATION = ProcedureKind("concentration", "ask_concentration after_choice after_save")
LEAVING = ProcedureKind("summoned", "ask_leave after_leave")
LIFT_DOOM = ProcedureKind("lift-doom", "ask_lift lift_doomed")
CONDITION_DECREASE = ProcedureKind("condition-decrease", "ask_values apply_values")
ROLLED_CONDITION = ProcedureKind("rolled-condition", "ask_value put_rolled")
