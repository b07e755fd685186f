"""The command that starts set-up."""

from __future__ import annotations

from turnwright.encounter.lookups import clock_of
from turnwright.encounter.prepared import Countdown, Environment, RosterEntry
from turnwright.encounter.running import Clock, Dice, EntryState, entry_state_id
from turnwright.play.environment.pool_records import waiting_pool
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.setup.events import SetupStepReached
from turnwright.play.setup.running_records import remove_running_records
from turnwright.play.spawning.spawning import spawn_entries
from turnwright.rules.system import RuleSystem


@command(script="start [{reason:rest}]", manual="start")
class StartEncounter(Command, frozen=True):
    """Start set-up, and create combatants, the turn order, countdowns and the state of environments."""

    reason: str = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Begin set-up, even if there are no hostile sides."""
        if clock_of(tx).phase in ("set-up", "rounds"):
            raise Refused("refused.running")
        dice = tx.get(Dice, "dice") or Dice()
        remove_running_records(tx)
        tx.put(dice)
        tx.put(Clock(phase="set-up", setup_step="scene", reason=self.reason))
        spawn_entries(tx, rules, [entry for entry in tx.all(RosterEntry) if not entry.wave])
        for countdown in tx.all(Countdown):
            tx.put(waiting_pool(countdown))
        for environment in tx.all(Environment):
            for row in environment.actions:
                tx.put(EntryState(entry_state_id(environment.id, row.id), environment.id, row.id))
        tx.emit(EncounterStarted(reason=self.reason, rule=rules.rule_id("scene.when")))
        tx.emit(SetupStepReached(step="scene", rule=rules.rule_id("setup.order")))


@journal("journal.encounter_started", kind="header", when={"reason": "journal.encounter_started_for"})
class EncounterStarted(Event, frozen=True):
    """Set-up began. `reason` is optional."""

    reason: str = ""
