"""The command that moves a prepared record within its table."""

from __future__ import annotations

from turnwright.encounter.state import PREPARED_TABLES, Key
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


class Reorder(Command, frozen=True):
    """Move a prepared record to another index in its table."""

    key: Key
    index: int

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Move a prepared record within its table."""
        record = tx.base.record(self.key)
        if record is None or self.key[0] not in PREPARED_TABLES:
            raise Refused("refused.unknown", params={"what": self.key[1]})
        last = sum(1 for _ in tx.base.all(type(record))) - 1
        tx.put(record, max(0, min(self.index, last)))
