"""The command that adds records to an encounter."""

from __future__ import annotations

from turnwright.encounter.lookups import is_encounter_running
from turnwright.encounter.prepared import Countdown
from turnwright.encounter.state import PREPARED_TABLES, Lookup, Record
from turnwright.play.environment.pool_records import waiting_pool
from turnwright.play.kernel.commands import Command, record_name
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


class Add(Command, frozen=True):
    """Add prepared records to the encounter, each at the end of its table; ids must be new."""

    records: tuple[Record, ...]

    def subject(self, _lookup: Lookup, /) -> str:
        """Return the names of the records."""
        return ", ".join(record_name(record) for record in self.records)

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Add new prepared records. During a fight, an added countdown waits for its round as usual."""
        runs = is_encounter_running(tx)
        for record in self.records:
            if record.table not in PREPARED_TABLES or tx.get(type(record), record.id) is not None:
                raise Refused("refused.exists", params={"what": record.id})
            tx.put(record)
            if runs and isinstance(record, Countdown):
                tx.put(waiting_pool(record))
