"""Reads saved encounters of Improved Initiative: the creatures of their combatants, and the roster.

Combatants of one stat block are one creature, whatever their hit points; those alike in everything are one entry of the
roster. An encounter without rolled initiative holds 0 for each, which is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from turnwright.encounter.bounds import problem_in
from turnwright.encounter.prepared import Creature, RosterEntry, Scene
from turnwright.encounter.state import Encounter
from turnwright.storage.conversion_report import ConversionReport, UnreadableError
from turnwright.storage.ids import IdAllocator
from turnwright.storage.importers.common import as_list, as_mapping, as_text, int_at, text_at
from turnwright.storage.importers.improved_initiative.statblocks import creature_of, is_statblock
from turnwright.storage.statblock_text.markup import plain_text

MAX_COMBATANTS = 500
_LISTS = ("Combatants", "Creatures")


def is_encounter(data: Any) -> bool:
    """Return whether a mapping is an encounter: combatants with stat blocks, or named by stat block."""
    return isinstance(data, dict) and any(
        isinstance(data.get(key), list) and any(_is_combatant(one) for one in data[key][:20]) for key in _LISTS
    )


def _is_combatant(data: Any) -> bool:
    return is_statblock(data) or any(is_statblock(as_mapping(data).get(key)) for key in ("StatBlock", "Statblock"))


def encounter_of(
    data: Mapping[str, Any], library: Mapping[str, Any], system: str, report: ConversionReport
) -> Encounter:
    """Return a saved encounter; UnreadableError. `library` has stat blocks by id, for combatants that refer to one."""
    combatants = next((as_list(data.get(key)) for key in _LISTS if isinstance(data.get(key), list)), [])
    if len(combatants) > MAX_COMBATANTS:
        raise UnreadableError(f"has {len(combatants):,} combatants; at most {MAX_COMBATANTS} are read")
    people = _People(report)
    rolled = any(int_at(one, "Initiative") for one in combatants)
    for one in combatants:
        people.take(as_mapping(one), library, rolled=rolled)
    if not people.roster:
        raise UnreadableError("has no combatant that can be read")
    if int_at(data, "RoundCounter"):
        rounds = text_at(data, "RoundCounter")
        report.add_note("RoundCounter", rounds, "the fight begins anew; who has acted is not kept")
    if text_at(data, "BackgroundImageUrl"):
        report.add_note("BackgroundImageUrl", data["BackgroundImageUrl"], "pictures are not kept")
    return Encounter((Scene(title=report.record, system=system), *people.creatures.values(), *people.entries()))


class _People:
    """Creatures by stat block, and the roster, as combatants are added."""

    def __init__(self, report: ConversionReport) -> None:
        self.report = report
        self.creatures: dict[bytes, Creature] = {}
        self.roster: dict[RosterEntry, int] = {}
        self._ids = IdAllocator()

    def take(self, combatant: Mapping[str, Any], library: Mapping[str, Any], *, rolled: bool) -> None:
        """Add a combatant; an unreadable combatant is reported."""
        block = next((combatant[key] for key in ("StatBlock", "Statblock") if is_statblock(combatant.get(key))), None)
        known = library.get(text_at(combatant, "Id"))
        if block is None and isinstance(known, dict):
            block = {**known, **{key: value for key, value in combatant.items() if key in ("Name", "HP") and value}}
        if block is None:
            block = dict(combatant)
        try:
            creature = self._creature(block)
        except UnreadableError as why:
            name = text_at(block, "Name") or text_at(combatant, "Alias") or text_at(combatant, "Id")
            self.report.add_note("Combatants", name or repr(combatant)[:80], f"{why}; left out")
            return
        entry = self._entry(combatant, block, creature, rolled=rolled)
        self.roster[entry] = self.roster.get(entry, 0) + 1

    def entries(self) -> list[RosterEntry]:
        """Return the roster: each entry with an id and its count."""
        ids = IdAllocator()
        return [
            msgspec.structs.replace(entry, id=ids.allocate(entry.name or entry.creature), count=count)
            for entry, count in self.roster.items()
        ]

    def _creature(self, block: Mapping[str, Any]) -> Creature:
        alike = {key: value for key, value in block.items() if key not in ("HP", "Id", "Version", "LastUpdateMs")}
        alike["HP"] = as_mapping(block.get("HP")).get("Notes")
        key = msgspec.json.encode(alike, order="sorted")
        if key not in self.creatures:
            own = ConversionReport(text_at(block, "Name"))
            self.creatures[key] = creature_of(block, self._ids, own)
            for note in own.notes:
                self.report.add_note(f"{note.record}: {note.field}", note.text, note.why)
        return self.creatures[key]

    def _entry(
        self, combatant: Mapping[str, Any], block: Mapping[str, Any], creature: Creature, *, rolled: bool
    ) -> RosterEntry:
        most = int_at(combatant, "MaxHP") or int_at(block, "HP", "Value") or creature.hp
        now = int_at(combatant, "CurrentHP")
        hp = most if now is None else now
        name = text_at(combatant, "Alias").strip()
        who = name or creature.name
        if hp < 1:
            self.report.add_note("CurrentHP", f"{who}: {hp}", "is out of the fight; begins it whole here")
            hp = most
        elif now is not None and now < most:
            self.report.add_note("CurrentHP", f"{who}: {now} of {most}", "begins the fight with so many as their most")
        player = text_at(block, "Player")
        entry = RosterEntry(
            id="",
            creature=creature.id,
            name=name,
            side="party" if player else "foes",
            player="" if player == "player" else player,
            hp=hp if hp != creature.hp else None,
            initiative=int_at(combatant, "Initiative") if rolled else None,
            hidden=combatant.get("Hidden") is True,
            notes=self._notes(combatant, who),
        )
        field, wrong = problem_in(entry)
        if wrong:
            raise UnreadableError(f"{field}: {wrong}")
        return entry

    def _notes(self, combatant: Mapping[str, Any], who: str) -> str:
        """Return the notes on a combatant: its own, and its conditions when it was saved."""
        notes = [plain_text(text_at(combatant, "CurrentNotes"))]
        for tag in as_list(combatant.get("Tags")):
            words = as_text(tag) or as_text(as_mapping(tag).get("Text"))
            if words:
                notes.append(words)
                self.report.add_note("Tags", f"{who}: {words}", "is kept as a note")
        if temporary := int_at(combatant, "TemporaryHP"):
            notes.append(f"{temporary} temporary hit points")
            self.report.add_note("TemporaryHP", f"{who}: {temporary}", "is kept as a note")
        return "\n".join(note for note in notes if note)
