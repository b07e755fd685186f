"""Forecasts of an encounter: its begun copy, its sheet, and its fights in batches, off the document's own session."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from turnwright.encounter.lookups import clock_of
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Change, Encounter
from turnwright.play.session import Session
from turnwright.play.setup.commands.start_encounter import StartEncounter
from turnwright.play.spawning.commands.bring_wave import BringWave
from turnwright.play.spawning.waves import waiting_waves
from turnwright.play.table.commands.set_dice import SetDice
from turnwright.rules.system import RuleSystem


class BegunCopy(msgspec.Struct, frozen=True):
    """An encounter with all its combatants, those of waves too. `waiting` are those that each wave will bring, by its id."""

    encounter: Encounter
    waiting: Mapping[str, tuple[str, ...]]


def begun_copy(encounter: Encounter, rules: RuleSystem) -> BegunCopy:
    """Return a copy of an encounter that has begun, whether it has or not, with the combatants of all waves.

    What waits for an answer is left out of it: the copy is only looked at.
    """
    session = Session(encounter, rules)
    session.do(SetDice("roll", seed=0))
    if clock_of(encounter).phase == "preparing":
        session.do(StartEncounter())
    waiting: dict[str, tuple[str, ...]] = {}
    for wave in waiting_waves(session.encounter):
        before = {one.id for one in session.encounter.all(Combatant)}
        session.do(BringWave(wave))
        waiting[wave] = tuple(one.id for one in session.encounter.all(Combatant) if one.id not in before)
    begun = session.encounter
    open_work = [(kind.table, one) for kind in (Prompt, Procedure) for one in begun.all(kind)]
    left_out = [Change((table, one.id), one, None) for table, one in open_work]
    return BegunCopy(begun.with_changes(left_out), MappingProxyType(waiting))
