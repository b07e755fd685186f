"""Reads Turnwright's own files: a creature, environment or countdown of a library, or an encounter.

Files are checked as strictly as when they are opened. A problem that prevents opening a file also prevents its import,
and is reported with its line.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from turnwright.encounter.prepared import Scene
from turnwright.encounter.state import PREPARED_TABLES, Encounter
from turnwright.importers.common import as_mapping, as_text, system_for
from turnwright.importers.documents import ParsedDocument
from turnwright.importers.formats import ImportFormat
from turnwright.importers.results import ImportedRecord, UnreadRecord
from turnwright.storage.encounters import read_encounter
from turnwright.storage.fights import ConversionReport
from turnwright.storage.findings import Finding
from turnwright.storage.library.entries import KINDS, LibraryRecord, read_library_file
from turnwright.storage.resources import resource_path

MAX_FINDINGS: Final = 5


def claims(document: ParsedDocument) -> bool:
    """Whether a document is a Turnwright file, valid or not."""
    if document.kind != "toml":
        return False
    tables = as_mapping(document.data)
    return (
        str(tables.get("kind")) in KINDS
        or isinstance(tables.get("system"), str)
        or bool(PREPARED_TABLES & tables.keys())
    )


def read(documents: Iterable[ParsedDocument], system: str) -> Iterator[ImportedRecord | UnreadRecord]:
    """Yield the record of each file, or the errors with their lines if it couldn't be opened."""
    shipped = _shipped()
    for document in documents:
        tables = as_mapping(document.data)
        named = as_text(tables.get("name")) or as_text(tables.get("title"))
        if "kind" in tables:
            record, findings = read_library_file(document.path)
            yield _result(document, named, record, findings, system, shipped)
        else:
            loaded = read_encounter(document.path, {as_text(tables.get("system"))} - {""} or shipped)
            yield _result(document, named, loaded.encounter, loaded.findings, system, shipped)


def _result(
    document: ParsedDocument, named: str, record: LibraryRecord | Encounter | None, findings: Sequence[Finding],
    requested: str, shipped: frozenset[str],
) -> ImportedRecord | UnreadRecord:  # fmt: skip
    if record is None:
        errors = [finding for finding in findings if finding.severity == "error"]
        return UnreadRecord(document.file, named, _findings_text(errors))
    stated = as_text(as_mapping(document.data).get("system"))
    report = ConversionReport(named or document.path.stem)
    if stated not in shipped:
        report.add_note("system", stated, "not one of the included rule systems; kept")
    for finding in findings:
        report.add_note(finding.key or f"line {finding.line}", f"line {finding.line}", finding.message)
    if isinstance(record, Encounter):
        title = (record.get(Scene, "scene") or Scene()).title or document.path.stem
        return ImportedRecord(title, record, stated, document.file, report.notes)
    return ImportedRecord(record.name, record, system_for(requested, stated), document.file, report.notes)


def _findings_text(findings: Iterable[Finding]) -> str:
    """Return the findings in one line, at most the first few."""
    texts = [f"line {one.line}: {f'{one.key}: ' if one.key else ''}{one.message}" for one in findings]
    more = len(texts) - MAX_FINDINGS
    return "; ".join(texts[:MAX_FINDINGS]) + (f"; and {more:,} more" if more > 0 else "")


def _shipped() -> frozenset[str]:
    return frozenset(folder.name for folder in resource_path("systems").iterdir() if folder.is_dir())


FORMAT = ImportFormat("own", "Turnwright", claims, read, is_native=True)
