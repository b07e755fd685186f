"""The command `SetEntryReady`: recharge or spend a world action by hand."""

from __future__ import annotations

from turnwright.encounter.field_specs import EntryId, EnvironmentId
from turnwright.encounter.lookups import find_entry
from turnwright.encounter.prepared import Environment
from turnwright.play.environment.stale_prompts import withdraw_offers
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import require_running
from turnwright.rules.parts.environment.entries import entry_state
from turnwright.rules.system import RuleSystem


@command(script="ready {entry,environment} | spent {entry,environment} {ready=false}")
class SetEntryReady(Command, frozen=True):
    """Recharge a world action by hand, or spend it."""

    environment: EnvironmentId
    entry: EntryId
    ready: bool = True

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Recharge a world action by hand, or spend it and withdraw the prompts that offer it."""
        require_running(tx)
        environment = tx.need(Environment, self.environment)
        row = find_entry(environment, self.entry)
        if row is None:
            raise Refused("refused.no_such_row", params={"what": self.entry})
        tx.update(entry_state(tx, self.environment, self.entry), ready=self.ready)
        tx.emit(EntryReadySet(environment=self.environment, entry=self.entry, ready=self.ready))
        if not self.ready:
            withdraw_offers(tx, rules, environment, row)


@journal("journal.set_spent", kind="world", when={"ready": "journal.set_ready"}, what="entry")
class EntryReadySet(Event, frozen=True, tag="ReadinessSet"):
    """A world action was recharged or spent by hand."""

    environment: EnvironmentId
    entry: EntryId
    ready: bool
