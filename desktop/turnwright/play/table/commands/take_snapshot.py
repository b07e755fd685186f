"""The command that takes a snapshot of the fight."""

from __future__ import annotations

from turnwright.encounter.lookups import clock_of
from turnwright.encounter.running import Dice, IdCounter, Snapshot
from turnwright.encounter.snapshots import packed
from turnwright.encounter.state import RUNNING, Lookup
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import require_running
from turnwright.rules.system import RuleSystem

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

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Save all records of the fight except snapshots and dice. Refuse a missing name and too many snapshots."""
        require_running(tx)
        name = self.name.strip()
        if not name:
            raise Refused("refused.empty")
        same = next((snapshot for snapshot in tx.all(Snapshot) if snapshot.name.casefold() == name.casefold()), None)
        if same is None and sum(1 for _ in tx.all(Snapshot)) >= MOST:
            raise Refused("refused.too_many_snapshots", params={"most": MOST})
        id = same.id if same is not None else tx.create_id(Snapshot, "snapshot")
        state = packed(record for kind in RUNNING if kind not in NOT_KEPT for record in tx.all(kind))
        tx.put(Snapshot(id, name, clock_of(tx).round, tx.serial, state))
        tx.emit(SnapshotTaken(name=name))
