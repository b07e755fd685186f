"""Data and stages of the procedures in `play.effects`: persistent damage, lingering conditions, concentration, doom."""

from __future__ import annotations

from turnwright.encounter.prepared import Feature, InflictedCondition
from turnwright.encounter.procedure_state.kinds import ProcedureKind, StageName
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


class _PersistentDamage(ProcedureKind):
    ask_ended = StageName()
    ask_damage = StageName()
    apply_damage = StageName()


class _LingeringConditions(ProcedureKind):
    start = StageName()
    apply = StageName()


class _Concentration(ProcedureKind):
    ask_concentration = StageName()
    after_choice = StageName()
    after_save = StageName()


class _Summoned(ProcedureKind):
    ask_leave = StageName()
    after_leave = StageName()


class _LiftDoom(ProcedureKind):
    ask_lift = StageName()
    lift_doomed = StageName()


class _ConditionDecrease(ProcedureKind):
    ask_values = StageName()
    apply_values = StageName()


class _RolledCondition(ProcedureKind):
    ask_value = StageName()
    put_rolled = StageName()


PERSISTENT_DAMAGE = _PersistentDamage("persistent-damage")
LINGERING_CONDITIONS = _LingeringConditions("lingering-conditions")
CONCENTRATION = _Concentration("concentration")
LEAVING = _Summoned("summoned")
LIFT_DOOM = _LiftDoom("lift-doom")
CONDITION_DECREASE = _ConditionDecrease("condition-decrease")
ROLLED_CONDITION = _RolledCondition("rolled-condition")
