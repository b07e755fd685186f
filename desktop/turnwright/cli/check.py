"""`turnwright check`: reports all findings in files, with line numbers, so that an editor can jump to them."""

import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import msgspec

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.adventure import Adventure, AdventureRun
from turnwright.encounter.prepared import Environment, Party, Scene
from turnwright.encounter.state import Encounter, Record
from turnwright.importers.traits import catalogue, powers
from turnwright.rules.parts.preparation.encounter_budgets import Budget, encounter_budget
from turnwright.rules.system_data.known_ids import known_ids
from turnwright.storage import adventures, encounters, fights, system_check, system_data
from turnwright.storage.findings import Finding, FindingCollector, located_findings
from turnwright.storage.library.entries import OWN_TRAITS, read_library_file
from turnwright.storage.toml.references import check_known_ids, check_references, unknown_id_findings
from turnwright.storage.toml.source import TomlSource, read_toml


def check(files: Sequence[Path], *, as_json: bool, systems: RuleSystems) -> int:
    """Print the findings of files to standard error, or as JSON to standard output. Return 1 if there are any."""
    checked = [checked_file(path, systems) for path in files]
    findings = [finding for file in checked for finding in file.findings]
    if as_json:
        print(msgspec.json.encode(findings).decode())
    else:
        for finding in findings:
            print(finding, file=sys.stderr)
        for path, file in zip(files, checked, strict=True):
            for line in _budget_lines(path, file.encounter, systems):
                print(line)
    return 1 if findings else 0


class CheckedFile(NamedTuple):
    """The findings of a file, and the encounter in it, if any."""

    findings: tuple[Finding, ...]
    encounter: Encounter | None = None


def _budget_lines(path: Path, encounter: Encounter | None, systems: RuleSystems) -> tuple[str, ...]:
    """Return a line with an encounter's budget, or nothing if its rule system doesn't have budgets."""
    if encounter is None:
        return ()
    rules = systems.get((encounter.get(Scene, "scene") or Scene()).system)
    budget = encounter_budget(encounter, rules)
    if budget is None:
        return ()
    return ("; ".join((f"{path}: {budget_text(budget)}", *budget_exclusions(budget))),)


def budget_text(budget: Budget) -> str:
    """Describe an encounter's budget, its party and its difficulty."""
    low, high = min(budget.levels), max(budget.levels)
    level = str(low) if low == high else f"{low} to {high}"
    return f"{_amount(budget.total)} {budget.figures.unit}, {budget.threat} for {budget.size} of level {level}"


def budget_exclusions(budget: Budget) -> tuple[str, ...]:
    """Return the parts of an encounter that its budget excludes, with reasons."""
    reasons = (
        ("without a level or rating", budget.unknown),
        ("not in the budget table", budget.off_table),
        ("party members without a level in the budget table", budget.unplaced),
        ("environments without a rating in this system", budget.places),
        ("too strong for this party", budget.too_strong),
    )
    later = (f"including {_amount(budget.in_waves)} in later waves",) if budget.in_waves else ()
    return (*later, *(f"{reason}: {', '.join(names)}" for reason, names in reasons if names))


def _amount(value: Fraction) -> str:
    return str(int(value)) if value.denominator == 1 else f"{float(value):.3f}".rstrip("0")


def checked_file(path: Path, systems: RuleSystems) -> CheckedFile:
    """Check a file and return the findings.

    It may be an encounter (with its saved fight), an adventure with its encounters, a library file, a file of texts, or a data file of a rule system.
    """
    source = read_toml(path)
    if source.tables is not None and source.tables.get("kind") == "traits":
        return CheckedFile(_trait_findings(path, str(source.tables.get("system")), systems))
    if source.tables is not None and source.tables.get("kind") == "powers":
        return CheckedFile(_power_findings(path, str(source.tables.get("system")), systems))
    if source.tables is not None and system_check.is_system_file(source.tables):
        return CheckedFile(system_check.system_findings(path, source.tables))
    if source.tables is not None and source.tables.get("kind") in (Adventure.kind, AdventureRun.kind):
        return CheckedFile(_adventure_findings(path, systems))
    if source.tables is not None and "kind" in source.tables:
        return CheckedFile(_library_findings(path, source, systems))
    if source.tables is not None and system_check.is_word_file(source.tables):
        return CheckedFile(system_check.word_findings(path, source))
    loaded = encounters.read_encounter(path, systems.ids)
    if loaded.encounter is None:
        return CheckedFile(loaded.findings)
    saved = fights.fight_path(path)
    fight = fights.read_fight(saved, loaded.encounter).findings if saved.exists() else ()
    rules = systems.get((loaded.encounter.get(Scene, "scene") or Scene()).system)
    unknown = unknown_id_findings(loaded.encounter, rules, str(path), loaded.text)
    return CheckedFile((*loaded.findings, *unknown, *fight), loaded.encounter)


def _adventure_findings(path: Path, systems: RuleSystems) -> tuple[Finding, ...]:
    """Return the findings of an adventure's plan and progress, and of each encounter file in it."""
    plan = path.with_name(adventures.PLAN) if path.name == adventures.RUN else path
    loaded = adventures.read_adventure(plan, systems.ids)
    files = (
        [plan.parent / step.encounter for step in loaded.adventure.steps if step.encounter] if loaded.adventure else []
    )
    inner = [finding for file in files if file.is_file() for finding in checked_file(file, systems).findings]
    return (*loaded.findings, *adventures.read_run(plan.with_name(adventures.RUN))[1], *inner)


def _trait_findings(path: Path, system: str, systems: RuleSystems) -> tuple[Finding, ...]:
    """Return the findings of a trait catalogue, including ids that its rule system doesn't define."""
    known = known_ids(systems.get(system).data) if system in systems.ids else None
    before = catalogue.shipped_catalogue(system) if path.name.endswith(OWN_TRAITS) else None
    try:
        catalogue.read_catalogue(path, before=before, known=known)
    except catalogue.TraitsError as error:
        return error.findings
    return ()


def _power_findings(path: Path, system: str, systems: RuleSystems) -> tuple[Finding, ...]:
    """Return the findings of a file of class features, including ids that its rule system doesn't define."""
    data = systems.get(system).data if system in systems.ids else None
    try:
        powers.read_powers(path, data, known_ids(data) if data is not None else None)
    except catalogue.TraitsError as error:
        return error.findings
    return ()


def _library_findings(path: Path, source: TomlSource, systems: RuleSystems) -> tuple[Finding, ...]:
    """Return the findings of a library file, including ids that its rule system doesn't define."""
    record, findings = read_library_file(path)
    system = (source.tables or {}).get("system")
    if record is None or system not in systems.ids:
        return findings
    records: tuple[Record, ...] = (*record.creatures, *record.roster) if isinstance(record, Party) else (record,)
    notes = FindingCollector()
    check_known_ids(Encounter(records), systems.get(system), notes)
    check_references(Encounter(records), notes)
    if isinstance(record, Environment):
        _check_rule_ids(record, system, notes)
    depth = 0 if isinstance(record, Party) else len((record.table, record.id))
    in_file = FindingCollector()
    for note in notes.notes:
        in_file.warn(note.path[depth:], note.message)
    return (*findings, *located_findings(in_file, str(path), source.text))


def _check_rule_ids(environment: Environment, system: str, notes: FindingCollector) -> None:
    """Warn of ids in an environment's entries that aren't in the ledger of its rule system."""
    known = {rule.id for rule in system_data.read_ledger(system)}
    for table in ("features", "actions"):
        for entry in getattr(environment, table):
            for index, id in enumerate(entry.rules):
                if known and id not in known:
                    path = (environment.table, environment.id, table, entry.id, "rules", index)
                    notes.warn(path, f"unknown ledger rule {id!r}{notes.hint(id, known)}")
