"""`turnwright check`: every finding of every file, located, so that an editor can jump to it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from turnwright.bootstrap import SYSTEMS
from turnwright.storage.encounters import read_encounter
from turnwright.storage.fights import fight_path, read_fight
from turnwright.storage.findings import Finding
from turnwright.storage.library import read_library_file
from turnwright.storage.source import read_source


def check(files: Sequence[Path], *, as_json: bool) -> int:
    """Print what is wrong with files, to standard error or as JSON to standard output. 1 where anything is."""
    findings = [finding for file in files for finding in findings_of(file)]
    if as_json:
        print(msgspec.json.encode(findings).decode())
    else:
        for finding in findings:
            print(finding, file=sys.stderr)
    return 1 if findings else 0


def findings_of(path: Path) -> tuple[Finding, ...]:
    """Return the findings of a library file, or of an encounter with the fight that is saved beside it."""
    tables = read_source(path).tables
    if tables is not None and "kind" in tables:
        return read_library_file(path)[1]
    loaded = read_encounter(path, SYSTEMS.keys())
    if loaded.encounter is None:
        return loaded.findings
    beside = fight_path(path)
    return (*loaded.findings, *(read_fight(beside, loaded.encounter).findings if beside.exists() else ()))
