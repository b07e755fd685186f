"""`turnwright handout`: prints pages of an encounter or a creature, as PDF or as one image per page."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from turnwright.bootstrap import RuleSystems
from turnwright.cli.commands import GAME_MASTER
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
from turnwright.storage.library.entries import read_library_file
from turnwright.storage.toml.source import read_toml
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
    """The result as JSON: the files written, their kinds of pages, and findings."""

    files: tuple[str, ...]
    kinds: tuple[str, ...]
    empty: tuple[str, ...]
    secret: tuple[str, ...]
    findings: tuple[Finding, ...]


class _Content(msgspec.Struct, frozen=True):
    """The printable content of a file. `encounter` is None if the file can't be read.

    `usual` are the default kinds of pages. `journal` has the lines of the fight if its report is printed.
    """

    encounter: Encounter | None
    rules: RuleSystem | None = None
    findings: tuple[Finding, ...] = ()
    usual: tuple[str, ...] = ()
    text: str = ""
    journal: tuple[JournalLine, ...] = ()


def handout(
    file: Path,
    output: Path,
    kinds: Sequence[str],
    format: OutputFormat | None,
    *,
    as_json: bool,
    systems: RuleSystems,
    **options: Any,
) -> int:
    """Print a file. Return 1 if it can't be read or typeset, is empty, or has characters that no font contains.

    `options` are those of `PrintOptions`. Without a `format`, the ending of the output decides.
    """
    options["edition"] = "narrator" if options["edition"] == GAME_MASTER else options["edition"]
    printing = msgspec.convert(options, PrintOptions)
    form: OutputFormat = format or msgspec.convert(output.suffix.lower().removeprefix(".") or "pdf", OutputFormat)
    content = _read(file, systems, with_fight=REPORT_PAGE in kinds)
    if content.encounter is None or content.rules is None:
        return _print_result(_HandoutReport((), (), (), (), content.findings), 1, as_json=as_json)
    words = WordCatalogue.load()
    inputs = print_inputs(
        content.encounter, content.rules, words, printing, kinds or content.usual, file.parent, journal=content.journal
    )
    findings = [*content.findings, *_unshown(file, content, content.encounter, inputs.unusable_pictures)]
    findings += [_finding(file, f"{problem} (--map-part)") for problem in inputs.problems]
    if not inputs.kinds:
        findings.append(_finding(file, "nothing to print"))
        return _print_result(
            _HandoutReport((), (), inputs.empty_kinds, inputs.gm_only_kinds, tuple(findings)), 1, as_json=as_json
        )
    try:
        with typesetter_for(folders()) as typesetter:
            printed = typesetter.typeset(inputs.document, form, _PPI)
        files = _write(printed, output, form)
    except TypesetError as misprint:
        findings.append(Finding(misprint.file or str(file), misprint.line or 1, "", misprint.message))
        return _print_result(_report_of(inputs, (), findings), 1, as_json=as_json)
    except OSError as error:
        findings.append(_finding(output, error.strerror or str(error)))
        return _print_result(_report_of(inputs, (), findings), 1, as_json=as_json)
    findings += [
        _finding(file, f"no font contains {_named(character)}; printed as ?")
        for character in printed.missing_characters
    ]
    return _print_result(
        _report_of(inputs, files, findings),
        1 if printed.missing_characters or inputs.unusable_pictures or inputs.problems else 0,
        as_json=as_json,
    )


def _read(path: Path, systems: RuleSystems, *, with_fight: bool) -> _Content:
    """Read an encounter, or a creature of a library as an encounter.

    `with_fight`: include the encounter's saved fight.
    """
    tables = read_toml(path).tables
    if tables is None or "kind" not in tables:
        loaded = read_encounter(path, systems.ids)
        rules = systems.get(encounter_system(loaded.encounter)) if loaded.encounter is not None else None
        if with_fight and rules is not None:
            return _with_fight(path, loaded.findings, loaded.text, systems)
        return _Content(loaded.encounter, rules, loaded.findings, text=loaded.text)
    record, findings = read_library_file(path)
    if not isinstance(record, Creature):
        return _Content(
            None,
            findings=findings
            if record is None
            else (_finding(path, "expected an encounter or a creature; this is another kind of library file"),),
        )
    return _creature(path, record, tables, findings, systems)


def _with_fight(path: Path, findings: tuple[Finding, ...], text: str, systems: RuleSystems) -> _Content:
    """Read an encounter with the state and the journal of its saved fight."""
    try:
        document = open_document(path, systems, folders().state, locked=False)
    except OpenError as error:
        return _Content(None, findings=error.findings)
    session = document.session
    document.close(discard=True)
    return _Content(session.encounter, session.rules, findings, text=text, journal=tuple(session.journal()))


def _creature(
    path: Path, creature: Creature, tables: dict[str, Any], findings: tuple[Finding, ...], systems: RuleSystems
) -> _Content:
    system = str(tables.get("system", ""))
    try:
        rules = systems.get(system)
    except LookupError:
        return _Content(
            None,
            findings=(_finding(path, f"unknown rule system '{system}'; expected one of {', '.join(systems.ids)}"),),
        )
    return _Content(single_creature_encounter(creature, rules), rules, findings, CREATURE_PAGES)


def _unshown(path: Path, content: _Content, encounter: Encounter, names: Sequence[str]) -> tuple[Finding, ...]:
    """Return a finding for each image that can't be shown, unless it was already reported while reading the file."""
    notes = FindingCollector()
    for player_handout in encounter.all(Handout):
        if player_handout.picture in names:
            key = (Handout.table, player_handout.id, "picture")
            notes.warn(key, f"this picture can't be shown: {player_handout.picture}")
    reported = {finding.key for finding in content.findings}
    findings = located_findings(notes, str(path), content.text)
    return tuple(finding for finding in findings if finding.key not in reported)


def _write(printed: TypesetResult, out: Path, form: OutputFormat) -> tuple[str, ...]:
    """Write one PDF, or one numbered image per page, and return the files."""
    if form == "pdf":
        replace_atomically(out, printed.pages[0])
        return (str(out),)
    digits = max(2, len(str(len(printed.pages))))
    files = [out.with_name(f"{out.stem}-{number:0{digits}}.{form}") for number in range(1, len(printed.pages) + 1)]
    for file, page in zip(files, printed.pages, strict=True):
        replace_atomically(file, page)
    return tuple(map(str, files))


def _report_of(inputs: PrintInputs, files: tuple[str, ...], findings: Sequence[Finding]) -> _HandoutReport:
    return _HandoutReport(files, inputs.kinds, inputs.empty_kinds, inputs.gm_only_kinds, tuple(findings))


def _print_result(report: _HandoutReport, code: int, *, as_json: bool) -> int:
    """Print the result and return the exit code."""
    if as_json:
        print(msgspec.json.encode(report).decode())
        return code
    for finding in report.findings:
        print(one_line(str(finding)), file=sys.stderr)
    for kind in report.empty:
        print(f"turnwright handout: {kind}: nothing to print", file=sys.stderr)
    for kind in report.secret:
        print(f"turnwright handout: {kind}: not printed, because this kind has no players' edition", file=sys.stderr)
    for file in report.files:
        print(one_line(file))
    return code


def _finding(path: Path, message: str) -> Finding:
    return Finding(str(path), 1, "", message)


def _named(character: str) -> str:
    return f"{character} (U+{ord(character):04X})"
