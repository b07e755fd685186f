"""Data and stages of the procedures in `play.spawning`: the maximum hit points of a new combatant."""

from turnwright.encounter.procedure_state.kinds import ProcedureKind
from turnwright.encounter.tagged_struct import CombatantData


class MaxHpQuestion(CombatantData, frozen=True):
    """A combatant whose maximum hit points are unknown."""


Data = MaxHpQuestion


MAX_HP = ProcedureKind("max-hp", "ask_maximum set_maximum")
