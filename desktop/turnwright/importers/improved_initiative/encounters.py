"""Reads saved encounters of Improved Initiative: the creatures of their combatants, and the roster.

Combatants with the same stat block share one creature, whatever their hit points. Identical combatants are one roster
entry. If initiative wasn't rolled, every combatant has 0, which is ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from turnwright.encounter.bounds import problem_in
from turnwright.encounter.prepared import Creature, RosterEntry, Scene
from turnwright.encounter.state import Encounter
from turnwright.importers.common import as_list, as_mapping, as_text, int_at, text_at
from turnwright.importers.improved_initiative.statblocks import creature_of, is_statblock
from turnwright.importers.statblock_text.markup import plain_text
from turnwright.storage.conversion_report import ConversionReport, UnreadableError
from turnwright.storage.ids import IdAllocator

MAX_COMBATANTS = 500
_LISTS = ("Combatants", "Creatures")


def is_encounter(data: Any) -> bool:
    """Return whether a mapping is an encounter: it has combatants that contain or name a stat block."""
    return isinstance(data, dict) and any(
        isinstance(data.get(key), list) and any(_is_combatant(combatant) for combatant in data[key][:20])
        for key in _LISTS
    )


def _is_combatant(data: Any) -> bool:
    return is_statblock(data) or any(is_statblock(as_mapping(data).get(key)) for key in ("StatBlock", "Statblock"))


def encounter_of(
    data: Mapping[str, Any], library: Mapping[str, Any], system: str, report: ConversionReport
) -> Encounter:
    """Return a saved encounter. Raise UnreadableError if it has no readable combatants or too many of them.

    `library` contains stat blocks, keyed by id, for combatants that refer to one.
    """
    combatants = next((as_list(data.get(key)) for key in _LISTS if isinstance(data.get(key), list)), [])
    if len(combatants) > MAX_COMBATANTS:
        raise UnreadableError(f"{len(combatants):,} combatants; the limit is {MAX_COMBATANTS}")
    people = _People(report)
    rolled = any(int_at(combatant, "Initiative") for combatant in combatants)
    for entry in combatants:
        people.take(as_mapping(entry), library, rolled=rolled)
    if not people.roster:
        raise UnreadableError("no readable combatants")
    if int_at(data, "RoundCounter"):
        rounds = text_at(data, "RoundCounter")
        report.add_note("RoundCounter", rounds, "round and turn aren't kept; the fight starts from the beginning")
    if text_at(data, "BackgroundImageUrl"):
        report.add_note("BackgroundImageUrl", data["BackgroundImageUrl"], "pictures aren't imported")
    return Encounter((Scene(title=report.record, system=system), *people.creatures.values(), *people.entries()))


class _People:
    """Collects the creatures, one per stat block, and the roster as combatants are added."""

    def __init__(self, report: ConversionReport) -> None:
        self.report = report
        self.creatures: dict[bytes, Creature] = {}
        self.roster: dict[RosterEntry, int] = {}
        self._ids = IdAllocator()

    def take(self, combatant: Mapping[str, Any], library: Mapping[str, Any], *, rolled: bool) -> None:
        """Add a combatant. An unreadable combatant is reported."""
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
            self.report.add_note("Combatants", name or repr(combatant)[:80], f"{why}; skipped")
            return
        entry = self._entry(combatant, block, creature, rolled=rolled)
        self.roster[entry] = self.roster.get(entry, 0) + 1

    def entries(self) -> list[RosterEntry]:
        """Return the roster entries, each with an id and a count."""
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
            own_report = ConversionReport(text_at(block, "Name"))
            self.creatures[key] = creature_of(block, self._ids, own_report)
            for note in own_report.notes:
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
            self.report.add_note("CurrentHP", f"{who}: {hp}", "no hit points left; starts with full hit points")
            hp = most
        elif now is not None and now < most:
            self.report.add_note("CurrentHP", f"{who}: {now} of {most}", "current hit points used as the maximum")
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
        """Return the notes on a combatant, and its conditions when the encounter was saved."""
        notes = [plain_text(text_at(combatant, "CurrentNotes"))]
        for tag in as_list(combatant.get("Tags")):
            words = as_text(tag) or as_text(as_mapping(tag).get("Text"))
            if words:
                notes.append(words)
                self.report.add_note("Tags", f"{who}: {words}", "kept as a note")
        if temporary := int_at(combatant, "TemporaryHP"):
            notes.append(f"{temporary} temporary hit points")
            self.report.add_note("TemporaryHP", f"{who}: {temporary}", "kept as a note")
        return "\n".join(note for note in notes if note)
