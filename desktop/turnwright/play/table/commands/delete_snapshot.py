"""The command that deletes a snapshot."""

from __future__ import annotations

from turnwright.encounter.field_specs import SnapshotId
from turnwright.encounter.running import Snapshot
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.table.commands.go_back_to_snapshot import snapshot_name
from turnwright.rules.system import RuleSystem


@command(script="delete snapshot {snapshot}")
class DeleteSnapshot(Command, frozen=True):
    """Delete a snapshot of the fight."""

    snapshot: SnapshotId

    def subject(self, lookup: Lookup, /) -> str:
        """Return the name of the snapshot."""
        return snapshot_name(lookup, self.snapshot)

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Delete a snapshot."""
        tx.remove(tx.need(Snapshot, self.snapshot))
