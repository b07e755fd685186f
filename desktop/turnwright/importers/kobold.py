"""Reads Kobold+ Fight Club lists, as JSON or tables: one line per creature with rating, Armor Class and hit points.

They aren't stat blocks: abilities, speeds and features are missing, which is reported once per creature. A line without
hit points can't be imported.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, Final

from turnwright.importers import formats, results, stat_block, vocabulary
from turnwright.importers.common import as_list, as_mapping, as_text, comma_parts, text_at
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.statblock_text.header_lines import SIZES
from turnwright.storage import atomic, fights

Row = Mapping[str, Any]
_NEEDED: Final = frozenset({"name", "cr", "ac", "hp", "init"})
_LISTED: Final = frozenset({"name", "cr", "environment", "sources"})
_SOURCE: Final = frozenset({"name", "type", "link"})
_MARKS: Final = ("lair", "legendary", "unique")
_KNOWN: Final[frozenset[str]] = frozenset({*_MARKS, *vocabulary.terms("kobold", "fields")})
_RE: Final = vocabulary.Patterns("kobold")
_MISSING: Final = "not a full stat block; the list has no abilities, saves, speeds or features"


def claims(document: ParsedDocument) -> bool:
    """Whether a document is a list of creatures or of their books."""
    rows = _rows(document.data)[:20]
    return any(_is_creature(row) or (document.kind == "csv" and _is_source(row)) for row in rows)


def read(documents: Iterable[ParsedDocument], system: str) -> Iterator[results.ImportedRecord | results.UnreadRecord]:
    """Yield the creatures of the lists; lists of books provide the books' addresses."""
    tables = [(document, _tables(document)) for document in documents]
    links = dict(chain.from_iterable(_links(rows).items() for _document, rows in tables))
    ids = atomic.IdAllocator()
    for document, rows in tables:
        for number, row in enumerate(rows, 1):
            if _is_creature(row) or not _is_source(row):
                label = text_at(row, "name").strip() or f"row {number}"
                block = partial(_block, links)
                yield stat_block.read_block(document.file, label, row, row.get("name"), block, ids, system)
        for entry in _several(document.data) if document.kind == "json" else ():
            if not isinstance(entry, dict):
                yield results.UnreadRecord(document.file, "", f"{entry!r:.60} is not a creature")


def _block(links: Mapping[str, str], row: Row, name: str, report: fights.ConversionReport) -> stat_block.StatBlock:
    if row.get(""):
        raise fights.UnreadableError("more cells than headings; put quotes around cells that contain commas")
    hp, hp_note = stat_block.hit_points(row.get("hp"))
    ac, ac_note = stat_block.number_and_note(row.get("ac"))
    init, init_note = stat_block.number_and_note(row.get("init"))
    for field, number, note in (("ac", ac, ac_note), ("init", init, init_note)):
        if number is None:
            report.add_note(
                field, note, "not a number; ignored" if note else "missing; set to 10" if field == "ac" else "missing"
            )
    if init is not None and init_note:
        report.add_note("init", init_note, "text after the bonus; ignored")
    if section := text_at(row, "section").strip():
        report.add_note("section", section, "category in the source; ignored")
    for mark in _MARKS:
        if _is_marked(row.get(mark), mark):
            report.add_remark("features", mark)
    dice = _RE.dice.fullmatch(hp_note)
    if not dice:
        report.add_remark("hp", hp_note)
    stat_block.note_unknown_fields(row, _KNOWN, report)
    report.add_note("abilities", "", _MISSING)
    return stat_block.StatBlock(
        name,
        size=_size(text_at(row, "size"), report),
        type=text_at(row, "type").strip().lower(),
        tags=_words(row.get("tags")),
        rating=stat_block.rating_or_note(row.get("cr"), report),
        ac=ac or 10,
        ac_note=ac_note if ac is not None else "",
        hp=hp,
        hit_dice=hp_note if dice else "",
        speeds=(),
        initiative=init,
        alignment=text_at(row, "alignment").strip(),
        environments=_words(row.get("environment")),
        source=_source(text_at(row, "sources").strip(), links),
    )


def _size(text: str, report: fights.ConversionReport) -> str:
    size = text.strip().lower()
    if size in SIZES:
        return size
    report.add_note("size", text, f"{'not a size' if size else 'missing'}; treated as Medium")
    return "medium"


def _words(value: Any) -> tuple[str, ...]:
    text = ",".join(as_text(part) for part in value) if isinstance(value, list) else as_text(value)
    return tuple(dict.fromkeys(comma_parts(text.lower())))


def _is_marked(value: Any, mark: str) -> bool:
    if isinstance(value, str):
        return value.strip().lower() in (mark, "yes", "y", "true", "x", "1")
    return value is True or value == 1


def _source(text: str, links: Mapping[str, str]) -> str:
    """Return the books and pages of a creature, with a book's address if a list of books contains it."""
    books = [(match[1].strip(), f", page {match[2]}") for match in _RE.page.finditer(text)]
    if _RE.page.sub("", text):
        books = [(text, "")]  # not a list of books with pages
    return "; ".join(f"{name}{page}{f' ({links[name]})' if links.get(name) else ''}" for name, page in books)


def _links(rows: Sequence[Row]) -> dict[str, str]:
    books = [row for row in rows if _is_source(row) and not _is_creature(row)]
    return {as_text(row["name"]).strip(): as_text(row["link"]).strip() for row in books if row.get("link")}


def _is_creature(row: Row) -> bool:
    return row.keys() >= _NEEDED or row.keys() >= _LISTED


def _is_source(row: Row) -> bool:
    return row.keys() >= _SOURCE and ("shortname" in row or "short name" in row)


def _tables(document: ParsedDocument) -> list[Row]:
    return _csv_rows(document.text) if document.kind == "csv" else _rows(document.data)


def _rows(data: Any) -> list[Row]:
    """Return the creatures and books of a document: a list, or a mapping with both."""
    return [{_key(key): value for key, value in row.items()} for row in _several(data) if isinstance(row, dict)]


def _several(data: Any) -> list[Any]:
    tables = as_mapping(data)
    return [*as_list(tables.get("monsters")), *as_list(tables.get("sources"))] if tables else as_list(data)


def _csv_rows(text: str) -> list[Row]:
    """Return the rows of a text that may contain several tables, each with its own headings."""
    text = text.lstrip()  # same parsing as in `parse_csv`, which reports errors
    head = text.split("\n", 1)[0]
    delimiter = next((mark for mark in (",", ";", "\t") if head.count(mark) >= 2), ",")
    headings: list[str] = []
    rows: list[Row] = []
    for cells in csv.reader(io.StringIO(text), delimiter=delimiter, skipinitialspace=True):
        if any(cell.strip() for cell in cells) and cells[0].strip().lower() == "name":
            headings = [_key(cell) for cell in cells]
        elif any(cell.strip() for cell in cells):
            row: dict[str, Any] = dict(zip(headings, (cell.strip() for cell in cells), strict=False))
            rows.append({**row, "": " ".join(cells[len(headings) :]).strip()})
    return rows


def _key(heading: object) -> str:
    return str(heading).strip().lower().removesuffix("?").strip()


FORMAT = formats.ImportFormat("kobold", "Kobold+ Fight Club", claims, read)
