"""Data and stages of the procedures in `play.spawning`: the maximum hit points of a new combatant."""

from __future__ import annotations

import msgspec

from turnwright.encounter.procedure_state.kinds import ProcedureKind, StageName


class MaxHpQuestion(msgspec.Struct, frozen=True, omit_defaults=True, tag="max-hp-question"):
    """A combatant whose maximum hit points are unknown."""

    who: str


Data = MaxHpQuestion


class _MaxHp(ProcedureKind):
    ask_maximum = StageName()
    set_maximum = StageName()


MAX_HP = _MaxHp("max-hp")
