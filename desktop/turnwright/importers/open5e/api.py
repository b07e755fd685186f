"""Reads responses of the Open5e API, versions 1 (`/v1/monsters/`) and 2 (`/v2/creatures/`): pages, lists, creatures.

Version 2 nests values that the fixtures store in columns. They are converted to columns for the same reader.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from turnwright.importers.common import as_list, as_mapping, as_text
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.formats import ImportFormat
from turnwright.importers.open5e import v1, v2
from turnwright.importers.open5e.database import Book, Record, key_of, newer_book, system_of
from turnwright.importers.results import ImportedRecord, UnreadRecord
from turnwright.importers.stat_block import ABILITIES, StatBlock, read_block
from turnwright.importers.vocabulary import terms
from turnwright.storage.atomic import IdAllocator
from turnwright.storage.fights import ConversionReport, UnreadableError


def claims(document: ParsedDocument) -> bool:
    """Return whether a document contains creatures in the form of API responses."""
    return any(_is_older(record) or _is_newer(record) for record in _records(document.data)[:20])


def read(documents: Iterable[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord]:
    """Yield the creatures of the documents."""
    ids = IdAllocator()
    for document in documents:
        records = _records(document.data)
        default = v2.default_alignment([record for record in records if _is_newer(record)])
        for number, record in enumerate(records, 1):
            called = as_text(record.get("name")) or f"record {number}"
            block = partial(_block, number, default)
            yield read_block(document.file, called, record, record.get("name"), block, ids, system)


def _block(number: int, default: str, record: Record, name: str, report: ConversionReport) -> StatBlock:
    if _is_older(record):
        return v1.block_of(record, name, _older_book(record), (), report)
    if _is_newer(record):
        document = record.get("document")
        book = newer_book(key_of(document), as_mapping(document), {})
        columns = _laid_out(record, report)
        if default or book.system == "a5e":
            columns["alignment"] = ""
            if number == 1 and record.get("alignment"):
                why = "same for every creature of the collection; treated as a default and ignored"
                report.add_note("alignment", record["alignment"], why)
        return v2.block_of(columns, _beside(record), name, book, report)
    raise UnreadableError("not a creature with statistics")


def _older_book(record: Record) -> Book:
    slug, title = as_text(record.get("document__slug")), as_text(record.get("document__title"))
    system = "a5e" if as_text(record.get("slug")).endswith("-a5e") else system_of(slug, title)
    return Book(slug, title, as_text(record.get("document__license_url")), system)


def _beside(record: Record) -> v2.RelatedRows:
    actions = [action for action in as_list(record.get("actions")) if isinstance(action, dict)]
    traits = [trait for trait in as_list(record.get("traits")) if isinstance(trait, dict)]
    rows = [[row for row in as_list(action.get("attacks")) if isinstance(row, dict)] for action in actions]
    columns = [_with_usage(action) for action in actions]
    return v2.RelatedRows(traits, tuple(zip(columns, rows, strict=True)))


def _with_usage(action: Record) -> Record:
    """Convert the nested usage limits of an action to columns."""
    limits = as_mapping(action.get("usage_limits"))
    columns = {key: value for key, value in action.items() if key != "usage_limits"}
    if limits:
        columns |= {"uses_type": limits.get("type"), "uses_param": limits.get("param")}
    return columns


def _laid_out(record: Record, report: ConversionReport) -> dict[str, Any]:
    """Convert a nested creature to columns, as in the fixtures."""
    columns = {key: value for key, value in record.items() if key not in terms("open5e_api", "computed")}
    for name, singular in terms("open5e_api", "nested").items():
        columns |= {f"{singular}_{key.replace('-', '_')}": value for key, value in as_mapping(record.get(name)).items()}
    for key, value in as_mapping(record.get("speed")).items():
        columns[key] = _speed(value) if key != "unit" else None
    if as_mapping(record.get("speed")).get("unit") not in (None, "", "feet", "ft"):
        report.add_note("speed", record["speed"], "not in feet; number used unchanged")
    columns |= as_mapping(record.get("senses"))
    columns |= as_mapping(record.get("resistances_and_immunities"))
    rating = record.get("challenge_rating_text") or record.get("challenge_rating_decimal")
    columns["challenge_rating"] = rating if rating is not None else record.get("challenge_rating")
    columns["experience_points_integer"] = record.get("experience_points")
    columns["size"], columns["type"] = key_of(record.get("size")), key_of(record.get("type"))
    languages = record.get("languages")
    if isinstance(languages, dict):
        columns["languages_desc"], columns["languages"] = languages.get("as_string"), languages.get("data")
    return columns


def _speed(value: Any) -> Any:
    """Return a speed without its unit."""
    return value.lower().removesuffix("feet").removesuffix("ft.").strip() if isinstance(value, str) else value


def _records(data: Any) -> list[Record]:
    mapping = as_mapping(data)
    records = as_list(mapping.get("results")) if "results" in mapping else [data] if mapping else as_list(data)
    return [record if isinstance(record, dict) else {} for record in records]


def _is_older(record: Record) -> bool:
    return "document__slug" in record and "hit_points" in record and any(name in record for _id, name in ABILITIES)


def _is_newer(record: Record) -> bool:
    return "key" in record and isinstance(record.get("ability_scores"), dict) and "hit_points" in record


FORMAT = ImportFormat("open5e_api", "Open5e, API responses", claims, read)
