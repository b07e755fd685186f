"""Answers of Open5e's service, older (`/v1/monsters/`) and newer (`/v2/creatures/`): pages of a list, lists, single creatures.

The newer nest what their fixtures keep in columns; they are laid out as these, and read by the same reader.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from turnwright.storage.conversion_report import ConversionReport, UnreadableError
from turnwright.storage.ids import IdAllocator
from turnwright.storage.importers.common import as_list, as_mapping, as_text, required_name, system_for
from turnwright.storage.importers.creature_columns import ABILITIES
from turnwright.storage.importers.documents import ParsedDocument
from turnwright.storage.importers.formats import ImportFormat
from turnwright.storage.importers.open5e import v1_creature, v2_creature
from turnwright.storage.importers.open5e.sources import Book, key_of, newer_book, system_of
from turnwright.storage.importers.results import ImportedRecord, UnreadRecord, convert_record

Record = Mapping[str, Any]
_COMPUTED: Final = frozenset({
    *("saving_throws_all", "skill_bonuses_all", "speed_all", "modifiers", "creaturesets", "url", "key", "slug"),
    *("challenge_rating_text", "challenge_rating_decimal", "traits", "actions", "ability_scores", "saving_throws"),
    *("skill_bonuses", "speed", "resistances_and_immunities", "experience_points", "document", "senses"),
})  # fmt: skip


def claims(document: ParsedDocument) -> bool:
    """Return whether a document holds monsters in the form of the service's answers."""
    return any(_is_older(record) or _is_newer(record) for record in _records(document.data)[:20])


def read(documents: Sequence[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord]:
    """Yield the creatures of the documents."""
    ids = IdAllocator()
    for document in documents:
        records = _records(document.data)
        default = v2_creature.default_alignment([record for record in records if _is_newer(record)])
        for number, record in enumerate(records, 1):
            called = as_text(record.get("name")) or f"record {number}"
            yield convert_record(document.file, called, _imported, record, number, document.file, ids, system, default)


def _imported(record: Record, number: int, file: str, ids: IdAllocator, system: str, default: str) -> ImportedRecord:
    name = required_name(record.get("name"))
    report = ConversionReport(name)
    if _is_older(record):
        book = _older_book(record)
        creature = v1_creature.creature_of(record, name, ids, book, (), report)
    elif _is_newer(record):
        given = record.get("document")
        book = newer_book(key_of(given), as_mapping(given), {})
        columns = _laid_out(record, report)
        if default or book.system == "a5e":
            columns["alignment"] = ""
            if number == 1 and record.get("alignment"):
                report.add_note(
                    "alignment", record["alignment"], "is a default in this collection, and not kept with any record"
                )
        creature = v2_creature.creature_of(columns, _beside(record), name, ids, book, report)
    else:
        raise UnreadableError("is no creature with figures")
    return ImportedRecord(name, creature, system_for(system, book.system), file, report.notes)


def _older_book(record: Record) -> Book:
    slug, title = as_text(record.get("document__slug")), as_text(record.get("document__title"))
    system = "a5e" if as_text(record.get("slug")).endswith("-a5e") else system_of(slug, title)
    return Book(slug, title, as_text(record.get("document__license_url")), system)


def _beside(record: Record) -> v2_creature.RelatedRows:
    actions = [one for one in as_list(record.get("actions")) if isinstance(one, dict)]
    traits = [one for one in as_list(record.get("traits")) if isinstance(one, dict)]
    rows = [[row for row in as_list(action.get("attacks")) if isinstance(row, dict)] for action in actions]
    laid = [_with_usage(action) for action in actions]
    return v2_creature.RelatedRows(traits, tuple(zip(laid, rows, strict=True)))


def _with_usage(action: Record) -> Record:
    """Return an action with its usage limits as columns."""
    limits = as_mapping(action.get("usage_limits"))
    left = {key: value for key, value in action.items() if key != "usage_limits"}
    if limits:
        left |= {"uses_type": limits.get("type"), "uses_param": limits.get("param")}
    return left


def _laid_out(record: Record, report: ConversionReport) -> dict[str, Any]:
    """Return a nested creature as columns, in the form of the fixtures."""
    laid = {key: value for key, value in record.items() if key not in _COMPUTED}
    for name, prefix in (
        ("ability_scores", "ability_score_"),
        ("saving_throws", "saving_throw_"),
        ("skill_bonuses", "skill_bonus_"),
    ):
        laid |= {f"{prefix}{key.replace('-', '_')}": value for key, value in as_mapping(record.get(name)).items()}
    for key, value in as_mapping(record.get("speed")).items():
        laid[key] = _speed(value) if key != "unit" else None
    if as_mapping(record.get("speed")).get("unit") not in (None, "", "feet", "ft"):
        report.add_note("speed", record["speed"], "is not in feet, and taken as it stands")
    laid |= as_mapping(record.get("senses"))
    laid |= as_mapping(record.get("resistances_and_immunities"))
    rating = record.get("challenge_rating_text") or record.get("challenge_rating_decimal")
    laid["challenge_rating"] = rating if rating is not None else record.get("challenge_rating")
    laid["experience_points_integer"] = record.get("experience_points")
    laid["size"], laid["type"] = key_of(record.get("size")), key_of(record.get("type"))
    languages = record.get("languages")
    if isinstance(languages, dict):
        laid["languages_desc"], laid["languages"] = languages.get("as_string"), languages.get("data")
    return laid


def _speed(value: Any) -> Any:
    """Return a speed without its unit."""
    return value.lower().removesuffix("feet").removesuffix("ft.").strip() if isinstance(value, str) else value


def _records(data: Any) -> list[Record]:
    found = as_mapping(data)
    several = as_list(found.get("results")) if "results" in found else [data] if found else as_list(data)
    return [record if isinstance(record, dict) else {} for record in several]


def _is_older(record: Record) -> bool:
    return "document__slug" in record and "hit_points" in record and any(name in record for _id, name in ABILITIES)


def _is_newer(record: Record) -> bool:
    return "key" in record and isinstance(record.get("ability_scores"), dict) and "hit_points" in record


FORMAT = ImportFormat("open5e_api", "Open5e, answers of its service", claims, read)
