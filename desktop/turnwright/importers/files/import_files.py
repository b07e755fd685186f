"""Imports files into a library folder: reads and stages the records, and moves them all in one step.

Runs in a worker or under a command. `progress` is called after every file and record, and may stop the import by
raising an exception: nothing is imported then. Documents of one format are in memory up to a limit, after which they
are read again from their files.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from turnwright.importers.documents import DATA_SUFFIXES, MAX_FILES, ParsedDocument, files_in, read_document
from turnwright.importers.files.pending_import import Again, PendingImport
from turnwright.importers.files.unknown_files import describe_data
from turnwright.importers.formats import ImportFormat, formats
from turnwright.importers.results import ImportedRecord, ImportOutcome, SkippedFile, UnreadRecord, postprocessed
from turnwright.importers.traits.understand import TraitReaders
from turnwright.storage.fights import ConversionNote

MAX_HELD: Final = 32_000_000  # characters of text; parsed data takes several times as much memory


class DocumentStore(Iterable[ParsedDocument]):
    """Documents in the order in which they were added. `lost` contains the files that couldn't be read again."""

    def __init__(self) -> None:
        self._held: list[ParsedDocument | Path] = []
        self._letters = 0
        self.lost: dict[str, UnreadRecord] = {}

    def add(self, document: ParsedDocument) -> None:
        """Add a document at the end."""
        self._letters += len(document.text)
        if self._letters > MAX_HELD:
            self._held.append(document.path)
        elif document.kind == "json":  # the parsed data is complete, so the text isn't needed
            self._held.append(msgspec.structs.replace(document, text=""))
        else:
            self._held.append(document)

    def __iter__(self) -> Iterator[ParsedDocument]:
        return (document for held in self._held if (document := self._read(held)) is not None)

    def _read(self, held: ParsedDocument | Path) -> ParsedDocument | None:
        if isinstance(held, ParsedDocument):
            return held
        result = read_document(held)
        if isinstance(result, ParsedDocument):
            return result
        why = result.why if isinstance(result, UnreadRecord) else "it has changed"
        self.lost[str(held)] = UnreadRecord(str(held), "", f"could not be read a second time: {why}")
        return None


MAX_RECORDS: Final = 20_000
MAX_CHARACTERS: Final = 300_000_000
Progress = Callable[[int, str], None]
ReadResult = ImportedRecord | UnreadRecord | SkippedFile | ConversionNote


def no_progress(_done: int, _what: str) -> None:
    """Ignore the progress."""


def import_paths(
    paths: Sequence[Path],
    into: Path,
    *,
    system: str = "",
    progress: Progress = no_progress,
    again: Again = "both",
    backups: Path | None = None,
) -> ImportOutcome:
    """Import files and folders into a new folder under `into`, all or nothing. Raise OSError if it can't be written.

    `system` is the rule system that the user chose, or an empty string to detect it. `again` and `backups` are passed
    to `PendingImport.finish`.
    """
    with read_import(paths, into, system=system, progress=progress) as pending:
        return pending.finish(again, backups=backups)


def read_import(
    paths: Sequence[Path], into: Path, *, system: str = "", progress: Progress = no_progress, omit: Collection[str] = ()
) -> PendingImport:
    """Read files and folders, and compare them with earlier imports, without changing the library. Raise OSError.

    Entries of the trait catalogue whose ids are in `omit` are not used.
    """
    pending = PendingImport(paths, into, _name_of(paths))
    traits = TraitReaders(into, omit)
    pending.unread += [UnreadRecord(finding.file, finding.key, finding.message) for finding in traits.findings]
    try:
        _read_into(pending, read_paths(paths, system=system, progress=progress, traits=traits), progress)
        pending.compare()
    except BaseException:
        pending.discard()
        raise
    return pending


def _read_into(pending: PendingImport, results: Iterable[tuple[str, ReadResult]], progress: Progress) -> None:
    for number, (form, result) in enumerate(results, 1):
        if isinstance(result, UnreadRecord):
            pending.unread.append(result)
        elif isinstance(result, SkippedFile):
            pending.skipped.append(result.file)
        elif isinstance(result, ConversionNote):
            pending.notes.append(result)
        elif len(pending.records) >= MAX_RECORDS:
            why = f"not imported: at most {MAX_RECORDS:,} records are read at once"
            pending.unread.append(UnreadRecord(result.file, result.name, why))
            break
        else:
            try:
                pending.add(result, form)
            except UnicodeError:
                why = "contains incomplete characters, which can't be saved"
                pending.unread.append(UnreadRecord(result.file, result.name, why))
                continue
            progress(number, result.name)


def read_paths(
    paths: Sequence[Path], *, system: str = "", progress: Progress = no_progress, traits: TraitReaders | None = None
) -> Iterator[tuple[str, ReadResult]]:
    """Yield the records of files and folders, each with its format's id (empty if no format claims the file).

    `traits` is the catalogue that reads the features of creatures; the default is the shipped one.
    """
    claimed: dict[str, DocumentStore] = {}
    all_formats = formats()
    for named, result in _documents(paths, progress):
        if isinstance(result, UnreadRecord):
            yield "", result if named or _may_hold_records(result) else SkippedFile(result.file)
        elif isinstance(result, ParsedDocument) and (form := _format_of(result, all_formats)):
            claimed.setdefault(form.id, DocumentStore()).add(result)
            yield from (("", each) for each in result.notes)
        else:
            why = _why_not(result, all_formats) if named else ""
            yield "", UnreadRecord(result.file, "", why) if named else SkippedFile(result.file)
    for form in all_formats:
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
    """Yield each file as read, without duplicates, and whether the user chose it directly rather than its folder."""
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
                most = f"{MAX_FILES:,} files" if len(seen) > MAX_FILES else f"{MAX_CHARACTERS // 1_000_000} MB"
                yield True, UnreadRecord(str(file), "", f"not imported: at most {most} are read at once")
                return
            progress(0, file.name)
            result = read_document(file)
            letters += len(result.text) if isinstance(result, ParsedDocument) else 0
            yield file == path, result


def _may_hold_records(unread: UnreadRecord) -> bool:
    """Whether an unreadable file in a folder probably contains data. Other files, such as licences, aren't reported."""
    return Path(unread.file).suffix.lower() in DATA_SUFFIXES


def _format_of(document: ParsedDocument, all_formats: Sequence[ImportFormat]) -> ImportFormat | None:
    return next((form for form in all_formats if form.claims(document)), None)


def _why_not(document: ParsedDocument | SkippedFile, all_formats: Sequence[ImportFormat]) -> str:
    if isinstance(document, SkippedFile):
        return document.what or "not a text file"
    others = (form.describe_other_content(document) for form in all_formats)
    return next(filter(None, others), "") or describe_data(document.kind, document.data)


def _name_of(paths: Sequence[Path]) -> str:
    first = paths[0].resolve() if paths else Path("import")
    return first.name if first.is_dir() else first.stem
