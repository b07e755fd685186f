"""Files of this program: one creature, environment or countdown, or an encounter, as its library and its table keep them.

They are read as strictly as when they are opened: what keeps a file shut there keeps it out here, with its line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from turnwright.encounter.prepared import Scene
from turnwright.encounter.state import PREPARED_TABLES, Encounter
from turnwright.storage.encounters import read_encounter
from turnwright.storage.findings import Finding
from turnwright.storage.importers.documents import Document
from turnwright.storage.importers.drafting import mapping, system_for, text_of
from turnwright.storage.importers.formats import Format
from turnwright.storage.importers.results import Account, Imported, Unread
from turnwright.storage.library import KINDS, LibraryRecord, read_library_file
from turnwright.storage.resources import resource_path

MOST_TOLD: Final = 5


def claims(document: Document) -> bool:
    """Return whether a document is a file of this program, sound or not."""
    if document.kind != "toml":
        return False
    tables = mapping(document.data)
    return tables.get("kind") in KINDS or isinstance(tables.get("system"), str) or bool(PREPARED_TABLES & tables.keys())


def read(documents: Sequence[Document], system: str) -> Iterator[Imported | Unread]:
    """Yield what each file holds; one that couldn't be opened says where and why."""
    shipped = _shipped()
    for document in documents:
        tables = mapping(document.data)
        named = text_of(tables.get("name")) or text_of(tables.get("title"))
        if "kind" in tables:
            record, findings = read_library_file(document.path)
            yield _result(document, named, record, findings, system, shipped)
        else:
            loaded = read_encounter(document.path, {text_of(tables.get("system"))} - {""} or shipped)
            yield _result(document, named, loaded.encounter, loaded.findings, system, shipped)


def _result(
    document: Document,
    named: str,
    record: LibraryRecord | Encounter | None,
    findings: Sequence[Finding],
    asked: str,
    shipped: frozenset[str],
) -> Imported | Unread:
    if record is None:
        return Unread(document.file, named, _said(finding for finding in findings if finding.severity == "error"))
    said = text_of(mapping(document.data).get("system"))
    account = Account(named or document.path.stem)
    if said not in shipped:
        account.tell("system", said, "is no rule system that comes with this program")
    for finding in findings:
        account.tell(finding.key or f"line {finding.line}", f"line {finding.line}", finding.message)
    if isinstance(record, Encounter):
        scene = record.get(Scene, "scene")
        return Imported((scene and scene.title) or document.path.stem, record, said, document.file, account.reports)
    return Imported(record.name, record, system_for(asked, said), document.file, account.reports)


def _said(findings: Iterable[Finding]) -> str:
    """Return the findings in a line of words, the first of them where there are many."""
    found = [f"line {each.line}: {f'{each.key}: ' if each.key else ''}{each.message}" for each in findings]
    more = len(found) - MOST_TOLD
    return "; ".join(found[:MOST_TOLD]) + (f"; and {more:,} more" if more > 0 else "")


def _shipped() -> frozenset[str]:
    return frozenset(folder.name for folder in resource_path("systems").iterdir() if folder.is_dir())


FORMAT = Format("own", "Turnwright", claims, read, own=True)
