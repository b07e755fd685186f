"""Doors of the map, which can be opened, closed and found."""

from __future__ import annotations

from typing import Literal, TypeAlias

from turnwright.encounter.field_specs import DoorId
from turnwright.encounter.lookups import door_of
from turnwright.encounter.running import DoorState
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.state.action_economy import require_running
from turnwright.rules.system import RuleSystem

DoorChange: TypeAlias = Literal["open", "closed", "found"]


@command(script="door {door} {state}")
class SetDoor(Command, frozen=True):
    """Open or close a door on the map, or mark a secret door as found. Opening a door also finds it."""

    door: DoorId
    state: DoorChange = "open"

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Open, close or find a door in the running fight."""
        require_running(tx)
        door = door_of(tx, self.door)
        if door is None:
            raise Refused("refused.no_such_door", params={"what": self.door})
        now = tx.get(DoorState, door.id) or DoorState(door.id, open=door.open)
        opened = now.open if self.state == "found" else self.state == "open"
        found = now.found or (door.kind == "secret" and self.state != "closed")
        state = DoorState(door.id, open=opened, found=found)
        if state == now:
            return
        tx.put(state)
        newly_found = found and not now.found and not opened
        tx.emit(DoorSet(door=door.id, name=door.name or door.id, opened=opened and not now.open, found=newly_found))


@journal("journal.door_closed", kind="world", when={"opened": "journal.door_opened", "found": "journal.door_found"})
class DoorSet(Event, frozen=True):
    """A door was opened, closed or found. `name` is the door's name, or its id."""

    door: DoorId
    name: str
    opened: bool = False
    found: bool = False
