"""Saved encounters of Improved Initiative: the creatures of their combatants, and who of them is there.

Combatants of one stat block are one creature, whatever their hit points; those alike in everything are one entry of the
roster. An encounter that nobody has rolled initiative for holds 0 for each, which is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from turnwright.encounter.bounds import problem_in
from turnwright.encounter.prepared import Creature, RosterEntry, Scene
from turnwright.encounter.state import Encounter
from turnwright.storage.importers.drafting import Ids, listed, mapping, text_of, whole
from turnwright.storage.importers.improved.statblocks import creature_of, is_statblock
from turnwright.storage.importers.prose.plain import plain_text
from turnwright.storage.importers.results import Account, Unreadable

MAX_COMBATANTS = 500
_LISTS = ("Combatants", "Creatures")


def is_encounter(data: Any) -> bool:
    """Return whether a mapping is an encounter: combatants with stat blocks, or named by stat block."""
    return isinstance(data, dict) and any(
        isinstance(data.get(key), list) and any(_is_combatant(one) for one in data[key][:20]) for key in _LISTS
    )


def _is_combatant(data: Any) -> bool:
    return is_statblock(data) or (
        isinstance(data, dict) and any(is_statblock(data.get(key)) for key in ("StatBlock", "Statblock"))
    )


def encounter_of(data: Mapping[str, Any], library: Mapping[str, Any], system: str, account: Account) -> Encounter:
    """Return a saved encounter. `library` has stat blocks by id, for combatants that only name theirs; Unreadable."""
    combatants = next((listed(data.get(key)) for key in _LISTS if isinstance(data.get(key), list)), [])
    if len(combatants) > MAX_COMBATANTS:
        raise Unreadable(f"has {len(combatants):,} combatants; at most {MAX_COMBATANTS} are read")
    people = _People(account)
    rolled = any(whole(mapping(one).get("Initiative")) for one in combatants)
    for one in combatants:
        people.take(mapping(one), library, rolled=rolled)
    if not people.roster:
        raise Unreadable("has no combatant that can be read")
    if whole(data.get("RoundCounter")):
        account.tell("RoundCounter", text_of(data["RoundCounter"]), "the fight begins anew; who has acted is not kept")
    if text_of(data.get("BackgroundImageUrl")):
        account.tell("BackgroundImageUrl", data["BackgroundImageUrl"], "pictures are not kept")
    return Encounter((Scene(title=account.record, system=system), *people.creatures.values(), *people.entries()))


class _People:
    """Creatures by stat block, and the roster, as combatants are taken one by one."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self.creatures: dict[bytes, Creature] = {}
        self.roster: dict[RosterEntry, int] = {}
        self._ids = Ids()

    def take(self, combatant: Mapping[str, Any], library: Mapping[str, Any], *, rolled: bool) -> None:
        """Add a combatant; whoever can't be read is told."""
        block = next((combatant[key] for key in ("StatBlock", "Statblock") if is_statblock(combatant.get(key))), None)
        known = library.get(text_of(combatant.get("Id")))
        if block is None and isinstance(known, dict):
            block = {**known, **{key: value for key, value in combatant.items() if key in ("Name", "HP") and value}}
        if block is None:
            block = dict(combatant)
        try:
            creature = self._creature(block)
        except Unreadable as why:
            name = text_of(block.get("Name")) or text_of(combatant.get("Alias")) or text_of(combatant.get("Id"))
            self.account.tell("Combatants", name or repr(combatant)[:80], f"{why}; left out")
            return
        entry = self._entry(combatant, block, creature, rolled=rolled)
        self.roster[entry] = self.roster.get(entry, 0) + 1

    def entries(self) -> list[RosterEntry]:
        """Return the roster: each entry with an id and how many of it there are."""
        ids = Ids()
        return [
            msgspec.structs.replace(entry, id=ids.of(entry.name or entry.creature), count=count)
            for entry, count in self.roster.items()
        ]

    def _creature(self, block: Mapping[str, Any]) -> Creature:
        alike = {key: value for key, value in block.items() if key not in ("HP", "Id", "Version", "LastUpdateMs")}
        alike["HP"] = mapping(block.get("HP")).get("Notes")
        key = msgspec.json.encode(alike, order="sorted")
        if key not in self.creatures:
            own = Account(text_of(block.get("Name")))
            self.creatures[key] = creature_of(block, self._ids, own)
            for report in own.reports:
                self.account.tell(f"{report.record}: {report.field}", report.text, report.why)
        return self.creatures[key]

    def _entry(
        self, combatant: Mapping[str, Any], block: Mapping[str, Any], creature: Creature, *, rolled: bool
    ) -> RosterEntry:
        most = whole(combatant.get("MaxHP")) or whole(mapping(block.get("HP")).get("Value")) or creature.hp
        now = whole(combatant.get("CurrentHP"))
        hp = most if now is None else now
        name = text_of(combatant.get("Alias")).strip()
        who = name or creature.name
        if hp < 1:
            self.account.tell("CurrentHP", f"{who}: {hp}", "is out of the fight; begins it whole here")
            hp = most
        elif now is not None and now < most:
            self.account.tell("CurrentHP", f"{who}: {now} of {most}", "begins the fight with so many as their most")
        player = text_of(block.get("Player"))
        entry = RosterEntry(
            id="",
            creature=creature.id,
            name=name,
            side="party" if player else "foes",
            player="" if player == "player" else player,
            hp=hp if hp != creature.hp else None,
            initiative=whole(combatant.get("Initiative")) if rolled else None,
            hidden=combatant.get("Hidden") is True,
            notes=self._notes(combatant, who),
        )
        wrong = problem_in(entry)
        if wrong[1]:
            raise Unreadable(f"{wrong[0]}: {wrong[1]}")
        return entry

    def _notes(self, combatant: Mapping[str, Any], who: str) -> str:
        """Return what is noted about somebody: notes, and what they were under when it was saved."""
        notes = [plain_text(text_of(combatant.get("CurrentNotes")))]
        for tag in listed(combatant.get("Tags")):
            words = text_of(tag) or text_of(mapping(tag).get("Text"))
            if words:
                notes.append(words)
                self.account.tell("Tags", f"{who}: {words}", "is kept as a note")
        if temporary := whole(combatant.get("TemporaryHP")):
            notes.append(f"{temporary} temporary hit points")
            self.account.tell("TemporaryHP", f"{who}: {temporary}", "is kept as a note")
        return "\n".join(note for note in notes if note)
