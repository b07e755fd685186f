"""Reads one or more stat blocks from a text that the user pasted, or from a plain text or Markdown file."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

import msgspec

from turnwright.encounter.prepared import Creature
from turnwright.importers.common import system_for
from turnwright.importers.documents import ParsedDocument, may_hold_block, parse_document
from turnwright.importers.formats import ImportFormat, formats
from turnwright.importers.pasted_text import fifth_edition, pathfinder
from turnwright.importers.pasted_text.reading import (
    MAX_TEXT,
    MarkedLine,
    PastedReading,
    TextLine,
    text_lines,
    unread_block,
)
from turnwright.importers.results import ImportedRecord, UnreadRecord
from turnwright.storage.atomic import IdAllocator
from turnwright.storage.fights import ConversionNote

SYSTEMS: Final = ("a5e", "dnd5e", "dnd5e-2024", pathfinder.SYSTEM)  # rule systems whose stat blocks can be read
MAX_FILE_TEXT: Final = 2_000_000
MAX_FILE_LINES: Final = 60_000
MAX_BLOCKS: Final = 500
_LEAST: Final = 8  # minimum score of a stat block
_NAME_ABOVE: Final = 4  # maximum lines from the name to the line with size and type
_IS_DATA = re.compile(r"\A\s*(?:\{(?!\{)|\[|<[?a-z]|---)|^[ \t>]*(?:`{3}|~{3})\w", re.MULTILINE)
_NO_BLOCK: Final = "no stat block found; it needs a name, hit points, and lines such as Armor Class or Perception"


def claims(document: ParsedDocument) -> bool:
    """Whether a document is text with stat blocks. Checked last, since files of other formats may contain such text."""
    return document.kind == "markdown" and may_hold_block(document.text) and bool(_scored(text_lines(document.text)))


def read(documents: Iterable[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord]:
    """Yield the creatures of the stat blocks in each document."""
    ids = IdAllocator()
    for document in documents:
        if len(document.text) > MAX_FILE_TEXT:
            yield UnreadRecord(document.file, "", f"only the first {MAX_FILE_TEXT:,} characters were read")
        lines = text_lines(document.text, MAX_FILE_TEXT, MAX_FILE_LINES)
        for reading in _readings(lines, system_for(system, _scored(lines)) if system else "", ids):
            if reading.creature is None:
                first = next((line.number for line in reading.lines if line.mark), 0)
                yield UnreadRecord(document.file, f"line {first}", reading.problem)
            else:
                name = reading.creature.name
                notes = (*reading.notes, *_left_out(name, reading, lines))
                yield ImportedRecord(name, reading.creature, reading.system, document.file, notes)


def read_text(text: str, system: str = "") -> tuple[PastedReading, ...]:
    """Read all stat blocks in a text. If it contains none, return one reading that states the problem.

    `system` is the rule system that the user chose, or an empty string to detect it.
    """
    readings = tuple(_of_other_format(text, system)) or tuple(_readings(text_lines(text), system, IdAllocator()))
    marked: set[int] = set()  # in two columns side by side, a line may belong to two stat blocks
    return tuple(msgspec.structs.replace(one, lines=tuple(_first_marks(one.lines, marked))) for one in readings)


def _first_marks(lines: Iterable[MarkedLine], marked: set[int]) -> Iterator[MarkedLine]:
    for line in lines:
        if line.number not in marked:
            marked.add(line.number)
            yield line


def _of_other_format(text: str, system: str) -> Iterator[PastedReading]:
    """Yield the creatures of a text that belongs to another format, as a file with the same text does."""
    is_data = len(text) < MAX_TEXT and _IS_DATA.search(text) is not None
    document = parse_document(text.encode(), Path("text")) if is_data else None
    if not isinstance(document, ParsedDocument):
        return
    lines = text_lines(text)
    form = next((form for form in formats() if form.claims(document)), FORMAT)
    for found in form.read([document], system) if form is not FORMAT else ():
        if isinstance(found, ImportedRecord) and isinstance(found.record, Creature):
            marks = tuple(MarkedLine(line.number, "read" if line.text else "") for line in lines)
            yield PastedReading(found.system, found.record, marks, found.reports)
        elif isinstance(found, UnreadRecord):
            yield unread_block(lines, "", found.why)


def _left_out(name: str, reading: PastedReading, lines: Sequence[TextLine]) -> Iterator[ConversionNote]:
    ignored = {line.number for line in reading.lines if line.mark == "left"}
    for line in lines:
        if line.number in ignored:
            yield ConversionNote(name, f"line {line.number}", line.text[:400], "line not understood; ignored")


def _scored(lines: Sequence[TextLine]) -> str:
    """Return the rule system whose stat blocks the lines resemble, or an empty string if there is none."""
    family, pathfinders = fifth_edition.marks_found(lines), pathfinder.marks_found(lines)
    if max(family, pathfinders) < _LEAST:
        return ""
    return pathfinder.SYSTEM if pathfinders >= family else fifth_edition.guessed_system(lines)


def _readings(lines: Sequence[TextLine], system: str, ids: IdAllocator) -> Iterator[PastedReading]:
    game = system or _scored(lines)
    if not game:
        yield unread_block(lines, "", _NO_BLOCK)
        return
    for block in _blocks(lines, game):
        if game == pathfinder.SYSTEM:
            yield pathfinder.read_block(block, ids)
        else:
            yield fifth_edition.read_block(block, ids, game if system else fifth_edition.guessed_system(block))


def _blocks(lines: Sequence[TextLine], system: str) -> Iterator[Sequence[TextLine]]:
    """Yield the lines of each stat block. The first one includes any lines before it."""
    edges = [0, *_starts(lines, system)[1:MAX_BLOCKS], len(lines)]
    return (lines[start:end] for start, end in pairwise(edges))


def _starts(lines: Sequence[TextLine], system: str) -> list[int]:
    """Return the index of each line that begins a stat block and contains its name."""
    if system == pathfinder.SYSTEM:
        return [at for at, line in enumerate(lines) if pathfinder.is_title(line)]
    starts: list[int] = []
    for at, line in enumerate(lines):
        if fifth_edition.is_kind_line(line) and _has_core(lines[at : at + 12]):
            named = fifth_edition.name_line(lines, at, max(0, at - _NAME_ABOVE))
            if not starts or named > starts[-1]:
                starts.append(named)
    return starts


def _has_core(lines: Sequence[TextLine]) -> bool:
    return any(
        re.match(r"(?:Armou?r Class|AC|Hit Points|HP|Creature Capacity)\b", line.text, re.IGNORECASE) for line in lines
    )


FORMAT: Final = ImportFormat("pasted_text", "Stat blocks as text", claims, read)
