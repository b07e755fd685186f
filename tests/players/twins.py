"""Twins of an encounter: the same in what the players may know, different in everything else by `players/secrets.py`."""

from __future__ import annotations

import random
from typing import Any

import msgspec

from turnwright.encounter.lookups import clock_of, slot_sort_key
from turnwright.encounter.running import Combatant, CountdownPool, Effect, GuestCreature, Slot
from turnwright.encounter.state import Encounter, Record
from turnwright.players.compose import health_word, party_sides
from turnwright.players.secrets import FIELDS
from turnwright.players.showing import Showing

IDS = {"creatures", "visitors", "combatants", "slots", "countdowns", "effects", "pools"}


class Twins:
    """Makes the twin of an encounter, and of what is shown of it."""

    def __init__(self, encounter: Encounter, showing: Showing, seed: int) -> None:
        self._encounter, self._showing = encounter, showing
        self._chance = random.Random(seed)
        self._ids: dict[tuple[str, str], str] = {}

    def twin(self) -> tuple[Encounter, Showing]:
        """Return the twin: secrets replaced, hidden combatants taken away and put in."""
        removed = self._removed()
        records = [self._replaced(record) for record in self._encounter if not self._goes_with(record, removed)]
        records = [self._clock(record, removed) if record.table == "clock" else record for record in records]
        records += self._newcomers(records)
        known = frozenset(self._id("combatants", id) for id in self._showing.known)
        names = tuple((self._id("combatants", id), name) for id, name in self._showing.names)
        shown = frozenset(self._id("countdowns", id) for id in self._showing.countdowns)
        return Encounter(records), msgspec.structs.replace(self._showing, known=known, names=names, countdowns=shown)

    # Taking away -----------------------------------------------------------------------------------------------

    def _removed(self) -> frozenset[str]:
        return frozenset(one.id for one in self._encounter.all(Combatant) if one.hidden and self._chance.random() < 0.5)

    def _goes_with(self, record: Record, removed: frozenset[str]) -> bool:
        if isinstance(record, Combatant):
            return record.id in removed
        if isinstance(record, Slot):
            return bool(record.members) and set(record.members) <= removed
        if isinstance(record, Effect):
            return record.target in removed
        return record.table in ("prompts", "procedures", "relations", "tracks", "announcements")

    def _clock(self, clock: Any, removed: frozenset[str]) -> Any:
        """Return the clock; where the active slot is gone, the last one seen before it is active."""
        before = clock_of(self._encounter)
        slot = self._encounter.get(Slot, before.active)
        if slot is None or not set(slot.members) <= removed:
            return clock
        seen = [
            one
            for one in sorted(self._encounter.all(Slot), key=slot_sort_key)
            if any(not self._encounter.need(Combatant, who).hidden for who in one.members)
        ]
        earlier = [one for one in seen if slot_sort_key(one) < slot_sort_key(slot)]
        if earlier or not seen:
            return msgspec.structs.replace(clock, active=self._id("slots", earlier[-1].id) if earlier else "")
        if before.round > 1:
            return msgspec.structs.replace(clock, active=self._id("slots", seen[-1].id), round=before.round - 1)
        return msgspec.structs.replace(clock, active="")

    # Putting in ------------------------------------------------------------------------------------------------

    def _newcomers(self, records: list[Record]) -> list[Record]:
        found: list[Record] = []
        for number in range(self._chance.randint(0, 3)):
            id = f"zz-new-{number}"
            found.append(Combatant(id, "zz-none", self._text(), self._text(), hp=3, hp_max=9, hidden=True))
            found.append(Slot(f"zz-slot-{number}", self._chance.randint(-5, 40), (id,)))
            found.append(Effect(f"zz-effect-{number}", id, "prone"))
        found.append(CountdownPool("zz-pool", "zz-countdown", 3, last_faces=(1, 2)))
        return found

    # Replacing -------------------------------------------------------------------------------------------------

    def _replaced(self, record: Record) -> Record:
        """Return a record with everything replaced that the players may not know of it."""
        fields = FIELDS[record.table]
        gone = [*fields.never.split(), *([] if self._is_seen(record) else fields.seen.split())]
        gone += [] if self._is_shown(record) else fields.shown.split()
        changes: dict[str, Any] = {name: self._other(getattr(record, name)) for name in gone}
        if record.table in IDS:
            changes["id"] = self._id(record.table, record.id)
        else:
            changes.pop("id", None)
        for name, table in (("members", "combatants"), ("target", "combatants"), ("creature", "creatures")):
            if hasattr(record, name):
                value = getattr(record, name)
                of = "visitors" if name == "creature" and value in self._encounter.ids(GuestCreature) else table
                changes[name] = (
                    tuple(self._id(table, one) for one in value) if name == "members" else self._id(of, value)
                )
        if isinstance(record, CountdownPool):
            changes["countdown"] = self._id("countdowns", record.countdown)
        if record.table == "clock":
            changes["active"] = self._id("slots", clock_of(self._encounter).active)
        if isinstance(record, Combatant):
            changes |= self._person(record)
        return msgspec.structs.replace(record, **changes)

    def _person(self, one: Combatant) -> dict[str, Any]:
        """Return what stays hidden of a combatant who is seen: its name where it is not known, its exact hit points."""
        if one.hidden:
            return {"hidden": True}
        changes: dict[str, Any] = {"hidden": False}
        party = one.side in party_sides(self._encounter)
        if not party:
            changes["side"] = self._text()
            if one.id not in self._showing.known or one.id in dict(self._showing.names):
                changes["label"] = self._text()
            if self._showing.health_of_others == "words":
                most = self._chance.randint(4, 300)
                for hp in self._chance.sample(range(-3, most + 1), min(most, 200)):
                    made = msgspec.structs.replace(one, hp=hp, hp_max=most)
                    if health_word(made) == health_word(one):
                        changes |= {"hp": hp, "hp_max": most}
                        break
        return changes

    def _is_seen(self, record: Record) -> bool:
        """Return whether a record belongs to a combatant who is seen."""
        if isinstance(record, Combatant):
            return not record.hidden
        if isinstance(record, Slot):
            acts = record.id == clock_of(self._encounter).active  # where the mark waits shows its place
            return acts or any(not self._encounter.need(Combatant, who).hidden for who in record.members)
        if isinstance(record, Effect):
            one = self._encounter.get(Combatant, record.target)
            return one is not None and not one.hidden
        return True

    def _is_shown(self, record: Record) -> bool:
        of = record.countdown if isinstance(record, CountdownPool) else record.id
        return of in self._showing.countdowns

    def _id(self, table: str, id: str) -> str:
        """Return the twin's id of a record, the same each time."""
        if not id:
            return ""
        return self._ids.setdefault((table, id), f"zz{self._chance.randrange(10**9)}")

    def _text(self) -> str:
        return f"ZZ{self._chance.randrange(10**9)}"

    def _other(self, value: Any) -> Any:
        """Return another value of the same kind."""
        if isinstance(value, bool):
            return not value
        if isinstance(value, str):
            return self._text()
        if isinstance(value, int):
            return value + self._chance.randint(1, 50)
        return () if isinstance(value, tuple) else value
