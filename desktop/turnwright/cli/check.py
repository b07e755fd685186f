"""`turnwright check`: every finding of every file, located, so that an editor can jump to it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import msgspec

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Party, Scene
from turnwright.encounter.state import Encounter, Record
from turnwright.rules.parts.preparation.encounter_budgets import Budget, encounter_budget
from turnwright.storage.encounters import read_encounter
from turnwright.storage.fights import fight_path, read_fight
from turnwright.storage.findings import Finding, FindingCollector, located_findings
from turnwright.storage.library import read_library_file
from turnwright.storage.references import check_known_ids, unknown_id_findings
from turnwright.storage.toml_source import TomlSource, read_toml
from turnwright.storage.word_check import is_word_file, word_findings


def check(files: Sequence[Path], *, as_json: bool, systems: RuleSystems | None = None) -> int:
    """Print the findings of files, to standard error or as JSON to standard output. 1 where there are any."""
    known = systems or RuleSystems()
    checked = [checked_file(file, known) for file in files]
    findings = [finding for one in checked for finding in one.findings]
    if as_json:
        print(msgspec.json.encode(findings).decode())
    else:
        for finding in findings:
            print(finding, file=sys.stderr)
        for file, one in zip(files, checked, strict=True):
            for line in _worth(file, one.encounter, known):
                print(line)
    return 1 if findings else 0


class CheckedFile(NamedTuple):
    """The findings of a file, and its encounter where it holds one."""

    findings: tuple[Finding, ...]
    encounter: Encounter | None = None


def _worth(path: Path, encounter: Encounter | None, systems: RuleSystems) -> tuple[str, ...]:
    """Return the budget of an encounter, where its game has numbers for that."""
    if encounter is None:
        return ()
    rules = systems.get((encounter.get(Scene, "scene") or Scene()).system)
    found = encounter_budget(encounter, rules)
    if found is None:
        return ()
    return ("; ".join((f"{path}: {budget_text(found)}", *budget_exclusions(found))),)


def budget_text(budget: Budget) -> str:
    """Return in a few words an encounter's worth, the party, and the level of threat."""
    low, high = min(budget.levels), max(budget.levels)
    level = str(low) if low == high else f"{low} to {high}"
    return f"{_amount(budget.total)} {budget.figures.unit}, {budget.threat} for {budget.size} of level {level}"


def budget_exclusions(budget: Budget) -> tuple[str, ...]:
    """Return the parts left out of the sum, each with its reason."""
    reasons = (
        ("no level or rating", budget.unknown),
        ("outside the table", budget.off_table),
        ("in the party without a level in the table", budget.unplaced),
        ("no figure for places", budget.places),
        ("too strong for this party in any number", budget.too_strong),
    )
    later = (f"{_amount(budget.in_waves)} of it in later waves",) if budget.in_waves else ()
    return (*later, *(f"{why}: {', '.join(who)}" for why, who in reasons if who))


def _amount(value: Fraction) -> str:
    return str(int(value)) if value.denominator == 1 else f"{float(value):.3f}".rstrip("0")


def checked_file(path: Path, systems: RuleSystems) -> CheckedFile:
    """Return the findings of a library file, of a file of texts, or of an encounter with the fight saved beside it."""
    source = read_toml(path)
    if source.tables is not None and "kind" in source.tables:
        return CheckedFile(_library_findings(path, source, systems))
    if source.tables is not None and is_word_file(source.tables):
        return CheckedFile(word_findings(path, source))
    loaded = read_encounter(path, systems.ids)
    if loaded.encounter is None:
        return CheckedFile(loaded.findings)
    beside = fight_path(path)
    fight = read_fight(beside, loaded.encounter).findings if beside.exists() else ()
    rules = systems.get((loaded.encounter.get(Scene, "scene") or Scene()).system)
    unknown = unknown_id_findings(loaded.encounter, rules, str(path), loaded.text)
    return CheckedFile((*loaded.findings, *unknown, *fight), loaded.encounter)


def _library_findings(path: Path, source: TomlSource, systems: RuleSystems) -> tuple[Finding, ...]:
    """Return the findings of a library file, and those of ids that its game doesn't know."""
    record, findings = read_library_file(path)
    system = (source.tables or {}).get("system")
    if record is None or system not in systems.ids:
        return findings
    held: tuple[Record, ...] = (*record.creatures, *record.roster) if isinstance(record, Party) else (record,)
    notes = FindingCollector()
    check_known_ids(Encounter(held), systems.get(system), notes)
    depth = 0 if isinstance(record, Party) else len((record.table, record.id))
    whole = FindingCollector()
    for note in notes.notes:
        whole.warn(note.path[depth:], note.message)
    return (*findings, *located_findings(whole, str(path), source.text))
