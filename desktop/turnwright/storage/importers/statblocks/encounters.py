"""Encounters of Obsidian's initiative tracker: who takes part, how many, and what is said of them there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from turnwright.encounter.bounds import problem_in
from turnwright.encounter.prepared import Creature, RosterEntry, Scene
from turnwright.encounter.state import Encounter
from turnwright.storage.importers.drafting import Ids, mapping, text_of, whole
from turnwright.storage.importers.results import Account, Unreadable
from turnwright.storage.importers.statblocks.inherit import name_of
from turnwright.storage.importers.statblocks.notes import Found, plain_keys

MAX_ENTRIES: Final = 500
_COUNTED = re.compile(r"(\d{1,4}|\d*d\d+(?:\s*[+-]\s*\d+)?)\s*:\s*(.+)", re.DOTALL)
_KNOWN: Final = frozenset({"name", "players", "party", "hide", "creatures", "xp", "rollhp"})
_NAMES: Final = frozenset({"creature", "name"})
_FRIENDS: Final = frozenset({"friendly", "friend", "ally"})
_UNKNOWN: Final = "only what the encounter says of it is known: its stat block is not among the files that are read"


class Part(msgspec.Struct, frozen=True):
    """One line of the creatures: how many (`count` as written where it is no number), and what is said of each."""

    creature: str
    count: str = "1"
    display: str = ""
    hp: int | None = None
    ac: int | None = None
    modifier: int | None = None
    xp: int | None = None
    hidden: bool = False
    friendly: bool = False


def title_of(found: Found) -> str:
    """Return what an encounter is called: by its name, the heading above it, or its file."""
    return text_of(found.data.get("name")).strip() or found.title or Path(found.file).stem


def encounter_of(found: Found, known: Mapping[str, Creature], system: str, account: Account) -> Encounter:
    """Return an encounter with copies of the creatures that are `known` by their names in small letters."""
    parts = [part for entry in _entries(found.data.get("creatures")) for part in _parts(entry, account)]
    if not parts:
        raise Unreadable("names no creatures")
    if len(parts) > MAX_ENTRIES:
        raise Unreadable(f"names {len(parts):,} groups of creatures; at most {MAX_ENTRIES} are read")
    hidden = "creatures" in _words(found.data.get("hide"))
    ids, roster_ids = Ids(), Ids()
    creatures: dict[str, Creature] = {}
    roster: list[RosterEntry] = []
    for part in parts:
        key = part.creature.casefold()
        if key not in creatures:
            creatures[key] = _copy(known[key], ids) if key in known else _made(part, ids, account)
        roster.append(_entry(part, creatures[key], roster_ids, hidden=hidden, account=account))
    records: list[Scene | Creature | RosterEntry] = [
        Scene(title=title_of(found), system=system, notes=_notes(found.data, account)),
        *creatures.values(),
        *roster,
    ]
    for record in records:
        field, wrong = problem_in(record)
        if wrong:
            raise Unreadable(f"{getattr(record, 'name', '') or 'the scene'}: {field}: {wrong}")
    return Encounter(records)


def _entries(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if isinstance(value, str) else []


def _parts(entry: Any, account: Account) -> Iterator[Part]:
    found = list(_read(entry))
    if not found and entry not in (None, "", []):
        account.tell("creatures", entry, "names no creature")
    yield from found


def _read(entry: Any) -> Iterator[Part]:
    """Yield what one line names: `Goblin`, `3: Goblin, 7, 15, 2`, `[Goblin, Jim]`, or a small table."""
    if isinstance(entry, str):
        counted = _COUNTED.fullmatch(entry.strip())
        count, text = (counted[1], counted[2]) if counted else ("1", entry)
        yield from _listed([part.strip() for part in text.split(",")], count)
    elif isinstance(entry, list):
        first = entry[0] if entry else None
        if isinstance(first, list) and first and not (len(first) == 1 and isinstance(first[0], list)):
            yield from _listed([name_of(first[0]), *entry[1:]], "1", text_of(first[1]) if len(first) > 1 else "")
        elif len(entry) == 2 and isinstance(entry[1], str) and not _is_mark(entry[1]):
            yield from _listed([name_of(entry[0])], "1", entry[1])
        elif entry:
            yield from _listed([name_of(first), *entry[1:]], "1")
    elif isinstance(entry, dict):
        plain = plain_keys(entry)
        if plain.keys() & _NAMES:
            yield from _table(plain, text_of(plain.get("count") or plain.get("number") or plain.get("quantity")) or "1")
            return
        for count, inner in entry.items():
            for part in _read(mapping(inner) or inner):
                yield msgspec.structs.replace(part, count=str(count)) if part.count == "1" else part


def _listed(cells: list[Any], count: str, display: str = "") -> Iterator[Part]:
    """Yield a line's creature: behind its name stand hit points, armour class, initiative, experience, and marks."""
    name, *rest = cells or [""]
    marks = {cell.strip().lower() for cell in rest if isinstance(cell, str) and _is_mark(cell)}
    figures = [whole(cell) for cell in rest if not (isinstance(cell, str) and _is_mark(cell))]
    hp, ac, modifier, xp = (*figures, None, None, None, None)[:4]
    if name_of(name):
        friendly = bool(marks & _FRIENDS)
        yield Part(name_of(name), count, display, hp, ac, modifier, xp, hidden="hidden" in marks, friendly=friendly)


def _table(plain: Mapping[str, Any], count: str) -> Iterator[Part]:
    name = name_of(plain.get("creature")) or name_of(plain.get("name"))
    display = name_of(plain.get("name")) if plain.get("creature") else ""
    modifier = next(
        (figure for key in ("modifier", "mod", "initiative") if (figure := whole(plain.get(key))) is not None), None
    )
    if name:
        yield Part(
            name,
            count,
            display,
            whole(plain.get("hp")),
            whole(plain.get("ac")),
            modifier,
            whole(plain.get("xp")),
            plain.get("hidden") is True,
            any(plain.get(word) is True for word in _FRIENDS),
        )


def _is_mark(cell: str) -> bool:
    return cell.strip().lower() in _FRIENDS | {"hidden"}


def _copy(creature: Creature, ids: Ids) -> Creature:
    return msgspec.structs.replace(creature, id=ids.of(creature.name))


def _made(part: Part, ids: Ids, account: Account) -> Creature:
    """Return a creature with the figures that a line gives; what it doesn't is told."""
    account.tell("creatures", part.creature, _UNKNOWN)
    notes = ""
    if part.hp is None:
        notes = "Its hit points are not known: give them before the fight."
        account.tell(
            "creatures", part.creature, "its hit points are not known; 1 stands there until somebody gives them"
        )
    return Creature(
        ids.of(part.creature),
        part.creature,
        type="",
        ac=part.ac or 0,
        hp=1 if part.hp is None else part.hp,
        speeds=(),
        initiative=part.modifier,
        xp=part.xp or 0,
        notes=notes,
        source="Initiative Tracker",
    )


def _entry(part: Part, creature: Creature, ids: Ids, *, hidden: bool, account: Account) -> RosterEntry:
    count = whole(part.count)
    if count is None or not 1 <= count <= 500:
        account.tell("creatures", f"{part.count}: {part.creature}", "is no number of creatures; one takes part")
    if part.xp is not None and part.xp != creature.xp:
        account.tell("creatures", f"{part.creature}: {part.xp} xp", "the stat block's own is kept")
    return RosterEntry(
        ids.of(part.display or part.creature),
        creature.id,
        name=part.display,
        count=count if count is not None and 1 <= count <= 500 else 1,
        side="party" if part.friendly else "foes",
        ac=part.ac if part.ac != creature.ac else None,
        hp=part.hp if part.hp != creature.hp else None,
        initiative=part.modifier if part.modifier != creature.initiative else None,
        hidden=hidden or part.hidden,
    )


def _words(value: Any) -> list[str]:
    return [text_of(one).lower() for one in value] if isinstance(value, list) else [text_of(value).lower()]


def _notes(data: Mapping[str, Any], account: Account) -> str:
    """Return what an encounter says besides, as notes; players stand in the tracker's own settings, not in the file."""
    players, said = data.get("players"), []
    names = [name_of(one) for one in players] if isinstance(players, list) else [text_of(players)]
    if players and names != ["none"]:
        account.tell("players", players, "their figures are not in the file; they have to be added")
        said += [f"Players: {', '.join(name for name in names if name)}"] if any(names) else []
    for key, word in (("party", "Party"), ("xp", "Experience")):
        if data.get(key):
            said.append(f"{word}: {text_of(data[key])}")
            account.tell(key, data[key], "is kept in the notes")
    if data.get("rollhp"):
        account.tell("rollHP", data["rollhp"], "is not kept; the fight asks how hit points are found")
    if "players" in _words(data.get("hide")):
        account.tell("hide", data["hide"], "only creatures can be hidden")
    for key in sorted(data.keys() - _KNOWN):
        account.tell(key, data[key], "is not known in encounters; it is kept in the notes")
        said.append(f"{key}: {text_of(data[key])}")
    return "\n".join(said)
