"""`turnwright check`: every finding of every file, located, so that an editor can jump to it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import msgspec

from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Scene
from turnwright.encounter.state import Encounter
from turnwright.rules.parts.budgets import Budget, budget_of
from turnwright.rules.parts.foreign import foreign_ids
from turnwright.storage.encounters import read_encounter
from turnwright.storage.fights import fight_path, read_fight
from turnwright.storage.findings import Finding, Notes, located
from turnwright.storage.library import read_library_file
from turnwright.storage.source import read_source


def check(files: Sequence[Path], *, as_json: bool, systems: RuleSystems | None = None) -> int:
    """Print what is wrong with files, to standard error or as JSON to standard output. 1 where anything is."""
    known = systems or RuleSystems()
    findings = [finding for file in files for finding in findings_of(file, known)]
    if as_json:
        print(msgspec.json.encode(findings).decode())
    else:
        for finding in findings:
            print(finding, file=sys.stderr)
        for line in (line for file in files for line in _worth(file, known)):
            print(line)
    return 1 if findings else 0


def _worth(path: Path, systems: RuleSystems) -> tuple[str, ...]:
    """Return what an encounter is worth to its party, where its game has figures for that."""
    tables = read_source(path).tables
    loaded = read_encounter(path, systems.ids) if tables is not None and "kind" not in tables else None
    if loaded is None or loaded.encounter is None:
        return ()
    rules = systems.get((loaded.encounter.get(Scene, "scene") or Scene()).system)
    found = budget_of(loaded.encounter, rules)
    if found is None:
        return ()
    return ("; ".join((f"{path}: {worth_of(found)}", *left_out(found))),)


def worth_of(found: Budget) -> str:
    """Return in a few words what an encounter is worth, to whom, and how much of a threat that is."""
    low, high = min(found.levels), max(found.levels)
    level = str(low) if low == high else f"{low} to {high}"
    return f"{_amount(found.total)} {found.figures.unit}, {found.threat} for {found.size} of level {level}"


def left_out(found: Budget) -> tuple[str, ...]:
    """Return what the sum leaves out, each with its reason."""
    reasons = (
        ("no level or rating", found.unknown),
        ("outside the table", found.outside),
        ("in the party without a level in the table", found.unplaced),
        ("no figure for places", found.places),
        ("too strong for this party in any number", found.strong),
    )
    later = (f"{_amount(found.later)} of it in later waves",) if found.later else ()
    return (*later, *(f"{why}: {', '.join(who)}" for why, who in reasons if who))


def _amount(value: Fraction) -> str:
    return str(int(value)) if value.denominator == 1 else f"{float(value):.3f}".rstrip("0")


def findings_of(path: Path, systems: RuleSystems) -> tuple[Finding, ...]:
    """Return the findings of a library file, or of an encounter with the fight that is saved beside it."""
    tables = read_source(path).tables
    if tables is not None and "kind" in tables:
        return read_library_file(path)[1]
    loaded = read_encounter(path, systems.ids)
    if loaded.encounter is None:
        return loaded.findings
    beside = fight_path(path)
    fight = read_fight(beside, loaded.encounter).findings if beside.exists() else ()
    return (*loaded.findings, *_unknown(loaded.encounter, path, loaded.text, systems), *fight)


def _unknown(encounter: Encounter, path: Path, text: str, systems: RuleSystems) -> tuple[Finding, ...]:
    """Return a finding for every id that the encounter's own game doesn't know, save immunities to what nothing brings."""
    rules, notes = systems.get((encounter.get(Scene, "scene") or Scene()).system), Notes()
    for one in foreign_ids(encounter, rules):
        if "condition_immunities" not in one.path:
            notes.warn(one.path, f'{rules.catalogue.name} has no {one.kind} "{one.id}"; it is kept as it stands')
    return located(notes, str(path), text)
