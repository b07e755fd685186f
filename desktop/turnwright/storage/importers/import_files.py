"""An import from paths to a folder of the library: reading, reporting, staging, and one move at the end.

Runs in a worker or under a verb; `progress` is called after every file and record, and may end it by raising `ImportCancelled`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from turnwright.storage.conversion_report import ConversionNote
from turnwright.storage.importers.document_store import DocumentStore
from turnwright.storage.importers.documents import DATA_SUFFIXES, MAX_FILES, ParsedDocument, files_in, read_document
from turnwright.storage.importers.formats import ImportFormat, formats
from turnwright.storage.importers.pending_import import Again, PendingImport
from turnwright.storage.importers.postprocess import postprocessed
from turnwright.storage.importers.results import ImportedRecord, ImportOutcome, SkippedFile, UnreadRecord
from turnwright.storage.importers.unknown_files import describe_data
from turnwright.storage.traits.understand import TraitReaders

MAX_RECORDS: Final = 20_000
MAX_CHARACTERS: Final = 300_000_000
Progress = Callable[[int, str], None]
ReadResult = ImportedRecord | UnreadRecord | SkippedFile | ConversionNote


class ImportCancelled(Exception):
    """Raised by a progress function to end an import, which then leaves nothing."""


def no_progress(_done: int, _what: str) -> None:
    """Report no progress."""


def import_paths(
    paths: Sequence[Path],
    into: Path,
    *,
    system: str = "",
    progress: Progress = no_progress,
    again: Again = "both",
    backups: Path | None = None,
) -> ImportOutcome:
    """Import files and folders into a folder under `into`, all of it or nothing; OSError where that can't be written.

    `system` is the rule system that a person asked for; empty goes by the files. `again` and `backups` are those of
    `PendingImport.finish`.
    """
    with read_import(paths, into, system=system, progress=progress) as pending:
        return pending.finish(again, backups=backups)


def read_import(
    paths: Sequence[Path],
    into: Path,
    *,
    system: str = "",
    progress: Progress = no_progress,
    without: Collection[str] = (),
) -> PendingImport:
    """Read files and folders, and compare them with earlier imports: nothing is in the library yet. OSError.

    Entries of the catalogue of traits that are in `without` read nothing.
    """
    pending = PendingImport(paths, into, _name_of(paths))
    traits = TraitReaders(into, without)
    pending.unread += [UnreadRecord(each.file, each.key, each.message) for each in traits.findings]
    try:
        _read_into(pending, read_paths(paths, system=system, progress=progress, traits=traits), progress)
        pending.compare()
    except BaseException:
        pending.discard()
        raise
    return pending


def _read_into(pending: PendingImport, results: Iterable[tuple[str, ReadResult]], progress: Progress) -> None:
    for number, (form, found) in enumerate(results, 1):
        if isinstance(found, UnreadRecord):
            pending.unread.append(found)
        elif isinstance(found, SkippedFile):
            pending.skipped.append(found.file)
        elif isinstance(found, ConversionNote):
            pending.notes.append(found)
        elif len(pending.records) >= MAX_RECORDS:
            why = f"comes after {MAX_RECORDS:,} others; no more are read at once"
            pending.unread.append(UnreadRecord(found.file, found.name, why))
            break
        else:
            try:
                pending.add(found, form)
            except UnicodeError:
                why = "holds halves of letters, which no text file can"
                pending.unread.append(UnreadRecord(found.file, found.name, why))
                continue
            progress(number, found.name)


def read_paths(
    paths: Sequence[Path], *, system: str = "", progress: Progress = no_progress, traits: TraitReaders | None = None
) -> Iterator[tuple[str, ReadResult]]:
    """Yield the records of files and folders, with their format's id (empty for a document without a format).

    `traits` read their features, by default with what is shipped.
    """
    claimed: dict[str, DocumentStore] = {}
    known = formats()
    for named, found in _documents(paths, progress):
        if isinstance(found, UnreadRecord):
            yield "", found if named or _may_hold_records(found) else SkippedFile(found.file)
        elif isinstance(found, ParsedDocument) and (form := _format_of(found, known)):
            claimed.setdefault(form.id, DocumentStore()).add(found)
            yield from (("", each) for each in found.notes)
        else:
            yield "", UnreadRecord(found.file, "", _why_not(found, known)) if named else SkippedFile(found.file)
    for form in known:
        if form.id in claimed:
            for record in form.read(claimed[form.id], system):
                if isinstance(record, ImportedRecord) and not form.is_native:
                    yield form.id, postprocessed(record, traits)
                else:
                    yield form.id, record
            yield from (("", lost) for lost in claimed.pop(form.id).lost.values())


def _documents(
    paths: Sequence[Path], progress: Progress
) -> Iterator[tuple[bool, ParsedDocument | UnreadRecord | SkippedFile]]:
    """Yield each file as read, once, and whether a person named it rather than a folder around it."""
    seen: set[str] = set()
    letters = 0
    for path in paths:
        for file in files_in(path):
            if isinstance(file, UnreadRecord):
                yield True, file
                continue
            if str(file) in seen:
                continue
            seen.add(str(file))
            if len(seen) > MAX_FILES or letters > MAX_CHARACTERS:
                most = f"{MAX_FILES:,} other files" if len(seen) > MAX_FILES else f"{MAX_CHARACTERS // 1_000_000} MB"
                yield True, UnreadRecord(str(file), "", f"comes after {most}; no more is read at once")
                return
            progress(0, file.name)
            found = read_document(file)
            letters += len(found.text) if isinstance(found, ParsedDocument) else 0
            yield file == path, found


def _may_hold_records(unread: UnreadRecord) -> bool:
    """Return whether an unreadable file of a folder should hold data: a licence or a picture should not."""
    return Path(unread.file).suffix.lower() in DATA_SUFFIXES


def _format_of(document: ParsedDocument, known: Sequence[ImportFormat]) -> ImportFormat | None:
    return next((form for form in known if form.claims(document)), None)


def _why_not(document: ParsedDocument | SkippedFile, known: Sequence[ImportFormat]) -> str:
    if isinstance(document, SkippedFile):
        return document.what or "is no text file"
    others = (form.describe_other_content(document) for form in known)
    return next((words for words in others if words), "") or describe_data(document.kind, document.data)


def _name_of(paths: Sequence[Path]) -> str:
    first = paths[0].resolve() if paths else Path("import")
    return first.name if first.is_dir() else first.stem
