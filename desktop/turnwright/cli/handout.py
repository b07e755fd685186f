"""The verbs that write pages, reports and maps: `handout`, `report` and `map`."""

import json
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from turnwright.bootstrap import RuleSystems
from turnwright.cli.files import COUNTED, one_line, opened
from turnwright.cli.terminal import Failed
from turnwright.encounter.adventure import Adventure
from turnwright.encounter.floors import floors_of, map_of
from turnwright.encounter.picture_formats import picture_size
from turnwright.encounter.prepared import Creature, Handout, Map, Place
from turnwright.encounter.state import Encounter, scene_of
from turnwright.handouts.page_input import PageInput, PrintOptions
from turnwright.handouts.typesetter import OutputFormat, TypesetError, TypesetResult
from turnwright.importers import universal_vtt
from turnwright.importers.universal_vtt import MAP_PARTS, MapCounts, MapPart, OldWalls, merged_map, read_map, write_map
from turnwright.play.kernel.events import JournalLine
from turnwright.play.setup.prepared_records import Add, Edit
from turnwright.rules.system import RuleSystem
from turnwright.storage.adventures import read_adventure
from turnwright.storage.atomic import replace_atomically
from turnwright.storage.encounters import read_encounter
from turnwright.storage.fights import UnreadableError
from turnwright.storage.findings import Finding, FindingCollector, located_findings
from turnwright.storage.library.entries import Library, read_library_file
from turnwright.storage.picture_files import picture_ending, place_picture
from turnwright.storage.toml.source import read_toml
from turnwright.storage.word_catalogue import WordCatalogue
from turnwright.workspace import print_job
from turnwright.workspace.adventure import party_of_adventure
from turnwright.workspace.document import Document, DocumentInUseError, open_document
from turnwright.workspace.files import FileChangedError, OpenError, encounter_system
from turnwright.workspace.packet import PacketJob
from turnwright.workspace.settings import folders
from turnwright.workspace.tabletop_pictures import tabletop_pictures, taken_names, write_tabletop_pictures
from turnwright.workspace.text import Phrasebook

_PPI = 150.0


class _HandoutReport(msgspec.Struct, frozen=True):
    """The result as JSON: the files written, their kinds of pages, and findings."""

    files: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


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
    tokens: bool,
    replace: bool,
    as_json: bool,
    systems: RuleSystems,
    **options: Any,
) -> int:
    """Print a file. Return 1 if it can't be read or typeset, is empty, or has characters that no font contains.

    `options` are those of `PrintOptions`. Without a `format`, the ending of the output decides. `tokens`: write pictures
    for virtual tabletops to a folder, with the players' map unless an edition is given; `replace` existing ones.
    """
    edition = options.pop("edition")
    printing = msgspec.convert(options | {"edition": edition or "game-master"}, PrintOptions)
    form: OutputFormat = format or msgspec.convert(output.suffix.lower().removeprefix(".") or "pdf", OutputFormat)
    if (read_toml(file).tables or {}).get("kind") == Adventure.kind and not tokens:
        return _packet(file, output, kinds, form, printing, systems, as_json=as_json)
    with_fight = tokens or printing.now or not {print_job.REPORT_PAGE, print_job.TENTS}.isdisjoint(kinds)
    content = _read(file, systems, with_fight=with_fight)
    if content.encounter is None or content.rules is None:
        return _print_result(_HandoutReport(findings=content.findings), 1, as_json=as_json)
    words = WordCatalogue.load()
    if tokens:
        printing = msgspec.structs.replace(printing, players_map=printing.players_map or edition is None)
        source = print_job.page_input_of(content.encounter, content.rules, words, printing, file.parent)
        return _tokens(source, content, file, output, replace=replace, as_json=as_json)
    inputs = print_job.print_inputs(
        content.encounter, content.rules, words, printing, kinds or content.usual, file.parent, journal=content.journal
    )
    findings = [*content.findings, *_unshown(file, content, content.encounter, inputs.unusable_pictures)]
    findings += [_finding(file, f"{problem} (--map-part)") for problem in inputs.problems]
    if not inputs.kinds:
        findings.append(_finding(file, "nothing to print"))
        return _print_result(_report_of(inputs, (), findings), 1, as_json=as_json)
    files: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    with _collecting(findings, file, output), print_job.typesetter_for(folders()) as typesetter:
        printed = typesetter.typeset(inputs.document, form, _PPI)
        files, missing = _write(printed, output, form), printed.missing_characters
    findings += [
        _finding(file, f"no font contains {character} (U+{ord(character):04X}); printed as ?") for character in missing
    ]
    failed = not files or missing or inputs.unusable_pictures or inputs.problems
    return _print_result(_report_of(inputs, files, findings), bool(failed), as_json=as_json)


def _tokens(source: PageInput, content: _Content, file: Path, folder: Path, *, replace: bool, as_json: bool) -> int:
    """Write tokens and maps to a folder. Return 1 if nothing is written."""
    sheets, findings = list(tabletop_pictures(source)), list(content.findings)
    taken = () if replace else taken_names(sheets, folder)
    findings += [_finding(folder / name, "already exists; use --replace to overwrite it") for name in taken]
    findings += [] if sheets else [_finding(file, "no combatants and no map")]
    files: tuple[Path, ...] = ()
    if not taken:
        with _collecting(findings, file, folder), print_job.typesetter_for(folders()) as typesetter:
            files = write_tabletop_pictures(typesetter, sheets, folder)
    report = _HandoutReport(tuple(map(str, files)), findings=tuple(findings))
    return _print_result(report, int(not files), as_json=as_json)


@contextmanager
def _collecting(findings: list[Finding], file: Path, output: Path) -> Iterator[None]:
    """Add what stops the printing of a file to findings."""
    try:
        yield
    except TypesetError as misprint:
        findings.append(Finding(misprint.file or str(file), misprint.line or 1, "", misprint.message))
    except OSError as error:
        findings.append(_finding(output, error.strerror or str(error)))


def _packet(
    file: Path,
    output: Path,
    kinds: Sequence[str],
    form: OutputFormat,
    options: PrintOptions,
    systems: RuleSystems,
    *,
    as_json: bool,
) -> int:
    """Print the packet of an adventure. Return 1 if it can't be read or typeset, or has nothing to print."""
    loaded, home = read_adventure(file, systems.ids), folders()
    findings, packet = list(loaded.findings), None
    if loaded.adventure is None:
        return _print_result(_HandoutReport(findings=loaded.findings), 1, as_json=as_json)
    party = party_of_adventure(loaded.adventure, Library.standard(home.library))
    job = PacketJob(loaded.adventure, file.parent, systems, WordCatalogue.load(), options, kinds, party=party)
    files: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    with _collecting(findings, file, output), print_job.typesetter_for(home) as typesetter:
        packet = job.typeset(typesetter, form, _PPI)
        files = _write(packet.result, output, form) if packet is not None else ()
        problems = packet.problems if packet is not None else ("nothing to print",)
    findings += [_finding(file, problem) for problem in problems]
    printed = packet.kinds if packet is not None and files else ()
    report = _HandoutReport(files, printed, findings=tuple(findings))
    return _print_result(report, bool(problems) or not files, as_json=as_json)


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
        other = _finding(path, "expected an encounter or a creature; this is another kind of library file")
        return _Content(None, findings=findings if record is None else (other,))
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
        unknown = _finding(path, f"unknown rule system '{system}'; expected one of {', '.join(systems.ids)}")
        return _Content(None, findings=(unknown,))
    return _Content(print_job.single_creature_encounter(creature, rules), rules, findings, print_job.CREATURE_PAGES)


def _unshown(path: Path, content: _Content, encounter: Encounter, names: Sequence[str]) -> tuple[Finding, ...]:
    """Return a finding for each image that can't be shown, unless it was already reported while reading the file."""
    notes = FindingCollector()
    for player_handout in encounter.all(Handout):
        if player_handout.picture in names:
            key = (Handout.table, player_handout.id, "picture")
            notes.warn(key, f"this picture can't be shown: {player_handout.picture}")
    reported = {finding.key for finding in content.findings}
    return tuple(finding for finding in located_findings(notes, str(path), content.text) if finding.key not in reported)


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


def _report_of(inputs: print_job.PrintInputs, files: tuple[str, ...], findings: Sequence[Finding]) -> _HandoutReport:
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


def report(file: Path, *, for_players: bool, as_json: bool, systems: RuleSystems) -> int:
    """Print the report on an encounter's saved fight. Return 1 if the file can't be opened or has no fight."""
    document = opened(file, systems)
    session = document.session
    document.close(discard=True)
    words = Phrasebook(WordCatalogue.load(), session.rules)
    fight_report = print_job.players_report_of(session, words.text) if for_players else print_job.report_of(session)
    if not fight_report.rounds:
        raise Failed(f"{file}: {words.text('report.no-fight')}")
    if as_json:
        print(msgspec.json.encode(fight_report).decode())
    else:
        print(print_job.report_text(fight_report, session.encounter, words, for_players=for_players), end="")
    return 0


FAILURES = (OSError, UnreadableError, OpenError, FileChangedError, DocumentInUseError)


def import_map(
    file: Path, into: Path, without: Collection[MapPart], systems: RuleSystems, *, dark: bool, as_json: bool
) -> int:
    """Import parts of a map of another program into an encounter. Return 1 if a file can't be read or written."""
    parts = [part for part in MAP_PARTS if part not in without]
    try:
        imported = read_map(file.read_bytes(), file.parent)
        document = open_document(into, systems, folders().state, locked=False)
        name = place_picture(into, imported.picture) if "picture" in parts and imported.picture else ""
        _put(document, merged_map(document.encounter.get(Map, Map.table), imported, parts, name))
        if dark and imported.counts.lights:
            document.do(Edit(msgspec.structs.replace(scene_of(document.encounter), light="dark")))
        document.save()
    except FAILURES as error:
        raise _failed("import", error) from error
    if as_json:
        told = {"counts": msgspec.structs.asdict(imported.counts), "picture": name, "parts": sorted(parts)}
        print(json.dumps(told | ({"missing": imported.missing} if imported.missing else {})))
    else:
        pictures = {"picture": name, "missing picture": imported.missing}
        named = [f"{key}: {each}" for key, each in pictures.items() if each]
        print("\n".join([*_count_lines(imported.counts), *named, str(into)]))
    return 0


def place_map_picture(
    file: Path, into: Path, systems: RuleSystems, *, squares: float, pixels: float, offset: Place, walls: OldWalls
) -> int:
    """Place an image under the grid of an encounter's map. Return 1 if a file can't be read or written."""
    try:
        data = file.read_bytes()
        if not picture_ending(data):
            raise UnreadableError(f"{file}: not a PNG, JPEG or WebP picture")
        document = open_document(into, systems, folders().state, locked=False)
        old, side = document.encounter.get(Map, Map.table), pixels or picture_size(data)[0] / squares
        battle_map = universal_vtt.placed_map(old, into, data, side, offset, walls)
        _put(document, battle_map)
        document.save()
    except FAILURES as error:
        raise _failed("picture", error) from error
    print(f"{battle_map.columns} columns, {battle_map.rows} rows\npicture: {place_picture(into, data)}\n{into}")
    return 0


def export_map(file: Path, output: Path, systems: RuleSystems) -> int:
    """Export an encounter's map as a Universal VTT file. Return 1 if it has no map or the file can't be written."""
    try:
        battle_map = open_document(file, systems, folders().state, locked=False).encounter.get(Map, Map.table)
        if battle_map is None or not battle_map.columns or not battle_map.rows:
            raise UnreadableError(f"{file}: the encounter has no map")
        battle_map = map_of(battle_map, floors_of(battle_map)[0])
        picture = (file.parent / battle_map.picture.file).read_bytes() if battle_map.picture is not None else b""
        data, left_out = write_map(battle_map, picture)
        replace_atomically(output, data)
    except FAILURES as error:
        raise _failed("export", error) from error
    print("\n".join([*(f"not exported: {part}" for part in left_out), str(output)]))
    return 0


def _put(document: Document, battle_map: Map) -> None:
    """Add the map to a document, or replace its map. Raise UnreadableError if it has floors."""
    if any(old.floors for old in document.encounter.all(Map)):
        raise UnreadableError("the map has several floors; show one of them in the window and import into it there")
    document.do(Edit(battle_map) if document.encounter.get(Map, Map.table) is not None else Add((battle_map,)))


def _count_lines(counts: MapCounts) -> list[str]:
    return [f"{number} {COUNTED['map'][name]}" for name, number in msgspec.structs.asdict(counts).items() if number]


def _failed(verb: str, error: Exception) -> Failed:
    reason = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)
    return Failed(one_line(f"turnwright map {verb}: {reason}"))
