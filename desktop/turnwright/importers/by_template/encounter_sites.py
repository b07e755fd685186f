"""Reads encounters of 5etools (encounter builder and DM screen) and of D&D Beyond, which only name their creatures.

Their creatures come from the library, if it has them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from turnwright.importers import common, formats, results
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.fantasy_statblocks import encounters, notes
from turnwright.importers.statblock_text.damage import as_int
from turnwright.importers.vocabulary import terms
from turnwright.storage.fights import ConversionReport

_DEEPEST: Final = 8  # maximum depth at which a file may contain encounters
_LISTS: Final[tuple[str, ...]] = terms("encounter_sites", "lists")
_SIGNS: Final = frozenset(terms("encounter_sites", "signs"))


def claims(document: ParsedDocument) -> bool:
    """Whether a document contains encounters of these programs."""
    return document.kind == "json" and next(_found(document.data, "", _DEEPEST), None) is not None


def read(documents: Iterable[ParsedDocument], system: str) -> Iterator[results.ImportedRecord | results.UnreadRecord]:
    """Yield the encounters of the documents."""
    for document in documents:
        for title, entries in _found(document.data, "", _DEEPEST):
            called = title or Path(document.file).stem
            yield results.convert_record(document.file, called, _imported, document.file, called, entries, system)


def _found(data: Any, title: str, depth: int) -> Iterator[tuple[str, list[Any]]]:
    """Yield the title and the entries of each encounter in a document."""
    if isinstance(data, list) and depth:
        for inner in data:
            yield from _found(inner, title, depth - 1)
    if not isinstance(data, dict) or not depth:
        return
    title = common.as_text(data.get("name")).strip() or title
    for key, value in data.items():
        entries = common.as_list(value)
        if key in _LISTS and entries and all(common.as_mapping(entry).keys() & _SIGNS for entry in entries):
            yield title, entries
        else:
            yield from _found(value, title, depth - 1)


def _first(entry: Any, paths: Sequence[str]) -> Any:
    values = (common.nested_value(entry, *path.split(".")) for path in paths)
    return next((value for value in values if isinstance(value, str | int) and value not in ("", False)), None)


def _imported(file: str, title: str, entries: list[Any], system: str) -> results.ImportedRecord:
    report = ConversionReport(title)
    creatures, players = Counter[tuple[str, int | None]](), list[str]()
    for entry in entries:
        hashed = unquote(common.as_text(entry.get("h"))).rpartition("_")[0].title()
        name = hashed or common.as_text(_first(entry, terms("encounter_sites", "names"))).strip()
        if not name:
            report.add_note("creatures", str(entry)[:200], "no name given; ignored")
        elif hashed or _first(entry, terms("encounter_sites", "sources")):
            count = as_int(_first(entry, ("c", "quantity"))) if hashed or "quantity" in entry else 1
            creatures[name, as_int(_first(entry, terms("encounter_sites", "hit_points")))] += max(1, count or 1)
        else:
            players.append(name)
    listed = [{"creature": name, "count": count, "hp": hp} for (name, hp), count in creatures.items()]
    block = notes.FoundBlock(notes.ENCOUNTER, file, {"name": title, "creatures": listed, "players": players})
    game = common.system_for(system, "dnd5e")
    return results.ImportedRecord(title, encounters.encounter_of(block, {}, game, report), game, file, report.notes)


FORMAT: Final = formats.ImportFormat("encounter_sites", "Encounters of 5etools and D&D Beyond", claims, read)
