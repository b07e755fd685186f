"""The command `EndEncounter`: end the fight."""

from __future__ import annotations

from turnwright.encounter.lookups import clock_of
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import end_effects_at
from turnwright.play.state.fatigue import apply_pending_fatigue
from turnwright.play.turns.rewards import begin_rewards
from turnwright.rules.system import RuleSystem


@command(script="end")
class EndEncounter(Command, frozen=True):
    """End the fight, even if no side has won."""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """End the fight and all effects that last until its end."""
        clock = clock_of(tx)
        if clock.phase not in ("set-up", "rounds"):
            raise Refused("refused.not_running")
        for prompt in list(tx.all(Prompt)):
            tx.remove(prompt)
        for procedure in list(tx.all(Procedure)):
            tx.remove(procedure)
        end_effects_at(tx, rules, "encounter")
        apply_pending_fatigue(tx, rules)
        tx.update(clock, phase="ended", setup_step="", active="")
        tx.emit(EncounterEnded(round=clock.round, rule=rules.rule_id("endround.conclude")))
        begin_rewards(tx, rules)


@journal("journal.encounter_ended")
class EncounterEnded(Event, frozen=True):
    """The fight ended."""

    round: int
