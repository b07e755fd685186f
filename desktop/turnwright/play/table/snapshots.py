"""Snapshots of an encounter, and going back to them."""

from turnwright.encounter.field_specs import SnapshotId
from turnwright.encounter.running import Dice, IdCounter, Snapshot
from turnwright.encounter.state import RUNNING, Lookup, UnreadableSnapshot, clock_of, packed, unpacked
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.transaction import Command, Refused, Transaction, command, require, require_running

MOST = 30
NOT_KEPT = (Snapshot, Dice, IdCounter)  # not saved, so that dice settings stay and ids are never reused


@journal("journal.snapshot_taken", kind="note")
class SnapshotTaken(Event, frozen=True):
    """A snapshot of the fight was taken."""

    name: str


@command(script="snapshot {name:rest}", manual="snapshot")
class TakeSnapshot(Command, frozen=True):
    """Save the fight under a name, so that you can restore it. The same name replaces the earlier snapshot."""

    name: str

    def subject(self, _lookup: Lookup, /) -> str:
        """Return the name of the snapshot."""
        return self.name

    def handle(self, tx: Transaction) -> None:
        """Save all records of the fight except snapshots and dice. Refuse a missing name and too many snapshots."""
        require_running(tx)
        name = self.name.strip()
        require(name, "refused.empty")
        same = next((snapshot for snapshot in tx.all(Snapshot) if snapshot.name.casefold() == name.casefold()), None)
        if same is None and sum(1 for _ in tx.all(Snapshot)) >= MOST:
            raise Refused("refused.too_many_snapshots", params={"most": MOST})
        id = same.id if same is not None else tx.create_id(Snapshot, "snapshot")
        state = packed(record for kind in RUNNING if kind not in NOT_KEPT for record in tx.all(kind))
        tx.put(Snapshot(id, name, clock_of(tx).round, tx.serial, state))
        tx.emit(SnapshotTaken(name=name))


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

    def handle(self, tx: Transaction) -> None:
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


@command(script="delete snapshot {snapshot}")
class DeleteSnapshot(Command, frozen=True):
    """Delete a snapshot of the fight."""

    snapshot: SnapshotId

    def subject(self, lookup: Lookup, /) -> str:
        """Return the name of the snapshot."""
        return snapshot_name(lookup, self.snapshot)

    def handle(self, tx: Transaction) -> None:
        """Delete a snapshot."""
        tx.remove(tx.need(Snapshot, self.snapshot))
