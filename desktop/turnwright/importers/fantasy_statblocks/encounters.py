"""Reads encounters of Obsidian's Initiative Tracker: creatures, how many of each, and overrides of their stats."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from turnwright.encounter.field_specs import problem_in
from turnwright.encounter.prepared import Creature, RosterEntry, Scene
from turnwright.encounter.state import Encounter
from turnwright.importers.common import as_list, as_mapping, as_text, shipped_creature
from turnwright.importers.fantasy_statblocks.notes import FoundBlock, name_of, normalised_keys
from turnwright.importers.statblock_text.damage import as_int
from turnwright.storage.atomic import IdAllocator
from turnwright.storage.fights import ConversionReport, UnreadableError

MAX_ENTRIES: Final = 500
_COUNTED = re.compile(r"(\d{1,4}|\d*d\d+(?:\s*[+-]\s*\d+)?)\s*:\s*(.+)", re.DOTALL)
_KNOWN: Final = frozenset({"name", "players", "party", "hide", "creatures", "xp", "rollhp"})
_NAMES: Final = frozenset({"creature", "name"})
_FRIENDS: Final = frozenset({"friendly", "friend", "ally"})
_UNKNOWN: Final = "its stat block is not among the imported files; only the numbers in the encounter are used"


class EncounterLine(msgspec.Struct, frozen=True):
    """One line of the creature list: `count` as written (a number or dice), and overrides of the creature's stats."""

    creature: str
    count: str
    display: str
    hp: int | None
    ac: int | None
    modifier: int | None
    xp: int | None
    hidden: bool
    friendly: bool


def title_of(block: FoundBlock) -> str:
    """Return the title of an encounter: its name, the heading above it, or its file's name."""
    return as_text(block.data.get("name")).strip() or block.title or Path(block.file).stem


def encounter_of(
    block: FoundBlock, known_creatures: Mapping[str, Creature], system: str, report: ConversionReport
) -> Encounter:
    """Return an encounter with copies of `known_creatures`, which are keyed by name in lower case."""
    listed = block.data.get("creatures")
    entries = [listed] if isinstance(listed, str) else as_list(listed)
    parts = [part for entry in entries for part in _parts(entry, report)]
    if not parts:
        raise UnreadableError("no creatures")
    if len(parts) > MAX_ENTRIES:
        raise UnreadableError(f"{len(parts):,} groups of creatures; the limit is {MAX_ENTRIES}")
    hidden = "creatures" in _words(block.data.get("hide"))
    ids, roster_ids = IdAllocator(), IdAllocator()
    creatures: dict[str, Creature] = {}
    roster: list[RosterEntry] = []
    for part in parts:
        key = part.creature.casefold()
        if key not in creatures:
            known = known_creatures.get(key) or _shipped(part, system, report) or _made(part, report)
            creatures[key] = msgspec.structs.replace(known, id=ids.allocate(known.name))
        roster.append(_entry(part, creatures[key], roster_ids, hidden=hidden, report=report))
    scene = Scene(title=title_of(block), system=system, notes=_notes(block.data, report))
    records: list[Scene | Creature | RosterEntry] = [scene, *creatures.values(), *roster]
    for record in records:
        field, wrong = problem_in(record)
        if wrong:
            raise UnreadableError(f"{getattr(record, 'name', '') or 'the scene'}: {field}: {wrong}")
    return Encounter(records)


def _parts(entry: Any, report: ConversionReport) -> Iterator[EncounterLine]:
    lines = list(_read(entry))
    if not lines and entry not in (None, "", []):
        report.add_note("creatures", entry, "not a creature; ignored")
    yield from lines


def _read(entry: Any) -> Iterator[EncounterLine]:
    """Yield the creatures of one line: `Goblin`, `3: Goblin, 7, 15, 2`, `[Goblin, Jim]`, or a small table."""
    if isinstance(entry, str):
        counted = _COUNTED.fullmatch(entry.strip())
        count, text = (counted[1], counted[2]) if counted else ("1", entry)
        yield from _listed([part.strip() for part in text.split(",")], count)
    elif isinstance(entry, list):
        first = entry[0] if entry else None
        if isinstance(first, list) and first and not (len(first) == 1 and isinstance(first[0], list)):
            yield from _listed([name_of(first[0]), *entry[1:]], "1", as_text(first[1]) if len(first) > 1 else "")
        elif len(entry) == 2 and isinstance(entry[1], str) and not _is_mark(entry[1]):
            yield from _listed([name_of(entry[0])], "1", entry[1])
        elif entry:
            yield from _listed([name_of(first), *entry[1:]], "1")
    elif isinstance(entry, dict):
        plain = normalised_keys(entry)
        if plain.keys() & _NAMES:
            yield from _table(plain, as_text(plain.get("count") or plain.get("number") or plain.get("quantity")) or "1")
            return
        for count, inner in entry.items():
            for part in _read(as_mapping(inner) or inner):
                yield msgspec.structs.replace(part, count=str(count)) if part.count == "1" else part


def _listed(cells: list[Any], count: str, display: str = "") -> Iterator[EncounterLine]:
    """Yield the creature of a list: name, hit points, Armor Class, initiative modifier, experience points and marks."""
    marks = {cell.strip().lower(): True for cell in cells[1:] if _is_mark(cell)}
    figures = zip(("hp", "ac", "modifier", "xp"), (cell for cell in cells[1:] if not _is_mark(cell)), strict=False)
    if name_of(cells[0]):
        yield from _table({**dict(figures), **marks, "creature": cells[0], "name": display}, count)


def _table(plain: Mapping[str, Any], count: str) -> Iterator[EncounterLine]:
    name = name_of(plain.get("creature")) or name_of(plain.get("name"))
    modifiers = (as_int(plain.get(key)) for key in ("modifier", "mod", "initiative"))
    if name:
        yield EncounterLine(
            name,
            count,
            name_of(plain.get("name")) if plain.get("creature") else "",
            as_int(plain.get("hp")),
            as_int(plain.get("ac")),
            next((modifier for modifier in modifiers if modifier is not None), None),
            as_int(plain.get("xp")),
            plain.get("hidden") is True,
            any(plain.get(word) is True for word in _FRIENDS),
        )


def _is_mark(cell: Any) -> bool:
    return isinstance(cell, str) and cell.strip().lower() in _FRIENDS | {"hidden"}


def _shipped(part: EncounterLine, system: str, report: ConversionReport) -> Creature | None:
    creature = shipped_creature(part.creature, system, *(() if system == "pf2e" else ("dnd5e",)))
    if creature is not None:
        report.add_note("creatures", part.creature, "taken from the shipped library")
    return creature


def _made(part: EncounterLine, report: ConversionReport) -> Creature:
    """Create a creature that has no stat block from the numbers in its line. Missing hit points are reported."""
    report.add_note("creatures", part.creature, _UNKNOWN)
    made = Creature(
        "", part.creature, type="", ac=part.ac or 10, hp=part.hp or 0, speeds=(), initiative=part.modifier,
        xp=part.xp or 0, source="Initiative Tracker",
    )  # fmt: skip
    if part.hp is not None:
        return made
    report.add_note("creatures", part.creature, "missing hit points; set to 1; enter them yourself")
    return msgspec.structs.replace(made, hp=1, notes="Hit points missing: set them before the fight.")


def _entry(
    part: EncounterLine, creature: Creature, ids: IdAllocator, *, hidden: bool, report: ConversionReport
) -> RosterEntry:
    count = as_int(part.count) or 0
    if not 1 <= count <= MAX_ENTRIES:
        count = 1
        report.add_note("creatures", f"{part.count}: {part.creature}", "not a number of creatures; 1 is used")
    if part.xp is not None and part.xp != creature.xp:
        why = "differs from the XP in the stat block, which is used"
        report.add_note("creatures", f"{part.creature}: {part.xp} xp", why)
    return RosterEntry(
        ids.allocate(part.display or part.creature),
        creature.id,
        name=part.display,
        count=count,
        side="party" if part.friendly else "enemies",
        ac=part.ac if part.ac != creature.ac else None,
        hp=part.hp if part.hp != creature.hp else None,
        initiative=part.modifier if part.modifier != creature.initiative else None,
        hidden=hidden or part.hidden,
    )


def _words(value: Any) -> list[str]:
    return [as_text(word).lower() for word in value] if isinstance(value, list) else [as_text(value).lower()]


def _notes(data: Mapping[str, Any], report: ConversionReport) -> str:
    """Return the rest of an encounter as notes. Players' stats are in the tracker's settings, not in the file."""
    players, notes = data.get("players"), []
    names = [name_of(player) for player in players] if isinstance(players, list) else [as_text(players)]
    if players and names != ["none"]:
        report.add_note("players", players, "their stats are not in the file; add the characters yourself")
        notes += [f"Players: {', '.join(filter(None, names))}"] if any(names) else []
    for key, word in (("party", "Party"), ("xp", "Experience")):
        if data.get(key):
            notes.append(f"{word}: {as_text(data[key])}")
            report.add_note(key, data[key], "kept in the notes")
    if data.get("rollhp"):
        why = "ignored; you choose how hit points are determined when the fight starts"
        report.add_note("rollHP", data["rollhp"], why)
    if "players" in _words(data.get("hide")):
        report.add_note("hide", data["hide"], "only creatures can be hidden; ignored")
    for key in sorted(data.keys() - _KNOWN):
        report.add_note(key, data[key], "unknown field; kept in the notes")
        notes.append(f"{key}: {as_text(data[key])}")
    return "\n".join(notes)
