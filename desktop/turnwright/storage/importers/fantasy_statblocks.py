"""Obsidian's Fantasy Statblocks and Initiative Tracker: bestiaries in JSON, JSON5 or YAML, and blocks in notes.

A block may take from another of the same import what it doesn't say itself; an encounter has the creatures it names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from turnwright.encounter.prepared import Creature
from turnwright.storage.importers.documents import Document
from turnwright.storage.importers.drafting import Ids, system_for, text_of, unreadable_unless_named
from turnwright.storage.importers.formats import Format
from turnwright.storage.importers.results import Account, Imported, Unread, Unreadable
from turnwright.storage.importers.statblocks import basic5e, pathfinder
from turnwright.storage.importers.statblocks.encounters import encounter_of, title_of
from turnwright.storage.importers.statblocks.inherit import Bestiary, name_of
from turnwright.storage.importers.statblocks.notes import ENCOUNTER, STAT, Found, blocks_in, is_ours

_OTHER_GAMES: Final = ("daggerheart", "fate", "13th", "bunkers", "fantasy age", "shadow", "savage", "cypher")


def claims(document: Document) -> bool:
    """Return whether a document holds stat blocks or encounters as Obsidian's plugins have them."""
    return is_ours(document)


def read(documents: Sequence[Document], system: str) -> Iterator[Imported | Unread]:
    """Yield the creatures of all documents, then the encounters with copies of them."""
    blocks: list[Found] = []
    for document in documents:
        for found in blocks_in(document):
            if isinstance(found, Unread):
                yield found
            else:
                blocks.append(found)
    bestiary = Bestiary([block for block in blocks if block.kind == STAT])
    ids = Ids()
    known: dict[str, Creature] = {}
    systems: dict[str, str] = {}
    for block in blocks:
        if block.kind != STAT or bestiary.is_reference(block.data):
            continue
        result = _read_stat(block, bestiary, ids, system)
        if isinstance(result, Imported) and isinstance(result.record, Creature):
            known.setdefault(result.name.casefold(), result.record)
            systems.setdefault(result.name.casefold(), result.system)
        yield result
    used = systems.values()
    usual = "pf2e" if used and all(one == "pf2e" for one in used) else "dnd5e"
    for block in blocks:
        if block.kind == ENCOUNTER:
            yield _read_encounter(block, known, system_for(system, usual))


def _read_stat(block: Found, bestiary: Bestiary, ids: Ids, system: str) -> Imported | Unread:
    called = name_of(block.data.get("name")) or name_of(block.data.get("monster")) or _place(block)
    try:
        account = Account(called)
        data = bestiary.whole(block.data, account)
        name = unreadable_unless_named(name_of(data.get("name")) or None)
        layout = text_of(data.get("layout"))
        if any(word in layout.lower() for word in _OTHER_GAMES):
            raise Unreadable(f"is laid out as {layout!r}, for a game whose stat blocks are not known here")
        paths = pathfinder.is_pathfinder(data)
        creature = (pathfinder if paths else basic5e).creature_of(data, name, ids, account)
    except Unreadable as error:
        return Unread(block.file, called, str(error))
    except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
        return Unread(block.file, called, f"is of a shape that can't be read: {error}")
    return Imported(name, creature, "pf2e" if paths else system_for(system, "dnd5e"), block.file, account.reports)


def _read_encounter(block: Found, known: dict[str, Creature], system: str) -> Imported | Unread:
    title = title_of(block)
    try:
        account = Account(title)
        encounter = encounter_of(block, known, system, account)
    except Unreadable as error:
        return Unread(block.file, title, str(error))
    except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
        return Unread(block.file, title, f"is of a shape that can't be read: {error}")
    return Imported(title, encounter, system, block.file, account.reports)


def _place(block: Found) -> str:
    return f"the block at line {block.line}" if block.line else "a stat block"


FORMAT = Format("fantasy_statblocks", "Fantasy Statblocks and Initiative Tracker (Obsidian)", claims, read)
