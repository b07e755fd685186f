"""`turnwright handout`: pages of an encounter or a creature as PDF, or as one picture a page."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from turnwright.bootstrap import RuleSystems
from turnwright.cli.import_files import one_line
from turnwright.encounter.prepared import Creature, Handout
from turnwright.encounter.state import Encounter
from turnwright.handouts.page_input import PrintOptions
from turnwright.handouts.typesetter import OutputFormat, TypesetError, TypesetResult
from turnwright.play.kernel.events import JournalLine
from turnwright.rules.system import RuleSystem
from turnwright.storage.atomic import replace_atomically
from turnwright.storage.encounters import read_encounter
from turnwright.storage.findings import Finding, FindingCollector, located_findings
from turnwright.storage.library import read_library_file
from turnwright.storage.toml_source import read_toml
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace.document import open_document
from turnwright.workspace.files import OpenError, encounter_system
from turnwright.workspace.folders import folders
from turnwright.workspace.print_job import (
    CREATURE_PAGES,
    REPORT_PAGE,
    PrintInputs,
    print_inputs,
    single_creature_encounter,
    typesetter_for,
)

_PPI = 150.0


class _HandoutReport(msgspec.Struct, frozen=True):
    """The result, as JSON: files written, kinds in them, and findings."""

    files: tuple[str, ...]
    kinds: tuple[str, ...]
    empty: tuple[str, ...]
    secret: tuple[str, ...]
    findings: tuple[Finding, ...]


class _Held(msgspec.Struct, frozen=True):
    """The printable content of a file; none where a finding keeps it shut. `usual`: the default kinds.

    `journal`: the lines of its fight, where the report of it is printed.
    """

    encounter: Encounter | None
    rules: RuleSystem | None = None
    findings: tuple[Finding, ...] = ()
    usual: tuple[str, ...] = ()
    text: str = ""
    journal: tuple[JournalLine, ...] = ()


def handout(
    path: Path,
    out: Path,
    kinds: Sequence[str],
    options: PrintOptions,
    form: OutputFormat,
    *,
    as_json: bool,
    systems: RuleSystems | None = None,
) -> int:
    """Print a file. 1 where it can't be read or typeset, has nothing to show, or has characters missing in its fonts."""
    held = _read(path, systems or RuleSystems(), with_fight=REPORT_PAGE in kinds)
    if held.encounter is None or held.rules is None:
        return _tell(_HandoutReport((), (), (), (), held.findings), 1, as_json=as_json)
    words = WordCatalogue.load()
    got = print_inputs(
        held.encounter, held.rules, words, options, kinds or held.usual, path.parent, journal=held.journal
    )
    findings = [*held.findings, *_unshown(path, held, held.encounter, got.unusable_pictures)]
    findings += [_finding(path, f"{problem} (--map-part)") for problem in got.problems]
    if not got.kinds:
        findings.append(_finding(path, "there is nothing to print"))
        return _tell(_HandoutReport((), (), got.empty_kinds, got.gm_only_kinds, tuple(findings)), 1, as_json=as_json)
    try:
        with typesetter_for(folders()) as press:
            printed = press.typeset(got.document, form, _PPI)
        files = _write(printed, out, form)
    except TypesetError as misprint:
        findings.append(Finding(misprint.file or str(path), misprint.line or 1, "", misprint.message))
        return _tell(_report_of(got, (), findings), 1, as_json=as_json)
    except OSError as error:
        findings.append(_finding(out, error.strerror or str(error)))
        return _tell(_report_of(got, (), findings), 1, as_json=as_json)
    findings += [_finding(path, f"no font has {_named(one)}; it stands as ?") for one in printed.missing_characters]
    return _tell(
        _report_of(got, files, findings),
        1 if printed.missing_characters or got.unusable_pictures or got.problems else 0,
        as_json=as_json,
    )


def _read(path: Path, systems: RuleSystems, *, with_fight: bool) -> _Held:
    """Read an encounter, perhaps with its fight, or a creature of a library as an encounter of its own."""
    tables = read_toml(path).tables
    if tables is None or "kind" not in tables:
        loaded = read_encounter(path, systems.ids)
        rules = systems.get(encounter_system(loaded.encounter)) if loaded.encounter is not None else None
        if with_fight and rules is not None:
            return _with_fight(path, loaded.findings, loaded.text, systems)
        return _Held(loaded.encounter, rules, loaded.findings, text=loaded.text)
    record, findings = read_library_file(path)
    if not isinstance(record, Creature):
        return _Held(None, findings=findings if record is None else (_finding(path, "is no creature"),))
    return _creature(path, record, tables, findings, systems)


def _with_fight(path: Path, findings: tuple[Finding, ...], text: str, systems: RuleSystems) -> _Held:
    """Read an encounter as its fight stands, with the journal of it."""
    try:
        document = open_document(path, systems, folders().state, locked=False)
    except OpenError as error:
        return _Held(None, findings=error.findings)
    session = document.session
    document.close(discard=True)
    return _Held(session.encounter, session.rules, findings, text=text, journal=tuple(session.journal()))


def _creature(
    path: Path, creature: Creature, tables: dict[str, Any], findings: tuple[Finding, ...], systems: RuleSystems
) -> _Held:
    system = str(tables.get("system", ""))
    try:
        rules = systems.get(system)
    except LookupError:
        return _Held(None, findings=(_finding(path, f"no rule system {system}: {', '.join(systems.ids)}"),))
    return _Held(single_creature_encounter(creature, rules), rules, findings, CREATURE_PAGES)


def _unshown(path: Path, held: _Held, encounter: Encounter, names: Sequence[str]) -> tuple[Finding, ...]:
    """Return a finding for each picture that can't be shown and that was not reported on reading the file."""
    notes = FindingCollector()
    for one in encounter.all(Handout):
        if one.picture in names:
            notes.warn((Handout.table, one.id, "picture"), f"this picture can't be shown: {one.picture}")
    told = {one.key for one in held.findings}
    return tuple(one for one in located_findings(notes, str(path), held.text) if one.key not in told)


def _write(printed: TypesetResult, out: Path, form: OutputFormat) -> tuple[str, ...]:
    """Write one PDF, or one numbered picture a page, and return the files."""
    if form == "pdf":
        replace_atomically(out, printed.pages[0])
        return (str(out),)
    digits = max(2, len(str(len(printed.pages))))
    files = [out.with_name(f"{out.stem}-{number:0{digits}}.{form}") for number in range(1, len(printed.pages) + 1)]
    for file, page in zip(files, printed.pages, strict=True):
        replace_atomically(file, page)
    return tuple(map(str, files))


def _report_of(got: PrintInputs, files: tuple[str, ...], findings: Sequence[Finding]) -> _HandoutReport:
    return _HandoutReport(files, got.kinds, got.empty_kinds, got.gm_only_kinds, tuple(findings))


def _tell(told: _HandoutReport, code: int, *, as_json: bool) -> int:
    """Print the result and return the code."""
    if as_json:
        print(msgspec.json.encode(told).decode())
        return code
    for finding in told.findings:
        print(one_line(str(finding)), file=sys.stderr)
    for kind in told.empty:
        print(f"turnwright handout: {kind}: there is nothing to show", file=sys.stderr)
    for kind in told.secret:
        print(f"turnwright handout: {kind}: there is no edition of it for players", file=sys.stderr)
    for file in told.files:
        print(one_line(file))
    return code


def _finding(path: Path, message: str) -> Finding:
    return Finding(str(path), 1, "", message)


def _named(character: str) -> str:
    return f"{character} (U+{ord(character):04X})"
