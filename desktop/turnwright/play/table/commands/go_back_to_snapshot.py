"""The command that restores a snapshot."""

from __future__ import annotations

from turnwright.encounter.field_specs import SnapshotId
from turnwright.encounter.running import Snapshot
from turnwright.encounter.snapshots import UnreadableSnapshot, unpacked
from turnwright.encounter.state import RUNNING, Lookup
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.table.commands.take_snapshot import NOT_KEPT
from turnwright.rules.system import RuleSystem


@journal("journal.snapshot_restored", kind="header")
class SnapshotRestored(Event, frozen=True):
    """The fight was restored from a snapshot taken after the step `serial`."""

    name: str
    serial: int


@command(script="restore {snapshot}")
class GoBackToSnapshot(Command, frozen=True):
    """Restore the fight from a snapshot. Snapshots and dice stay the same."""

    snapshot: SnapshotId

    def subject(self, lookup: Lookup, /) -> str:
        """Return the name of the snapshot."""
        return snapshot_name(lookup, self.snapshot)

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Replace all records of the fight with the records in the snapshot, in the same order."""
        snapshot = tx.need(Snapshot, self.snapshot)
        try:
            saved = unpacked(snapshot.state)
        except UnreadableSnapshot as error:
            raise Refused("refused.unreadable_snapshot", params={"what": snapshot.name}) from error
        for kind in RUNNING:
            if kind in NOT_KEPT:
                continue
            records = [record for record in saved if isinstance(record, kind)]
            staying = {record.id for record in records}
            for record in list(tx.all(kind)):
                if record.id not in staying:
                    tx.remove(record)
            for place, record in enumerate(records):
                tx.put(record, place)
        tx.emit(SnapshotRestored(name=snapshot.name, serial=snapshot.serial))


def snapshot_name(lookup: Lookup, id: str) -> str:
    """Return the name of a snapshot, or its id if the snapshot doesn't exist."""
    snapshot = lookup.get(Snapshot, id)
    return snapshot.name if snapshot is not None else id
