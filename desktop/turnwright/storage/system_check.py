"""Checks a data file of a rule system, or a translation of the program's texts against the shipped texts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from turnwright.encounter.field_specs import nearest_hint
from turnwright.storage.findings import Finding, FindingCollector, located_findings
from turnwright.storage.resources import resource_path
from turnwright.storage.system_data import SystemDataError, read_ledger_file, read_system_data
from turnwright.storage.toml.source import TomlSource, read_toml
from turnwright.storage.word_catalogue import WordCatalogue, parameters_of, texts_in, usual_terms


def is_system_file(tables: Mapping[str, Any]) -> bool:
    """Whether a file contains tables or the ledger of a rule system."""
    return tables.get("kind") == "system" or (isinstance(tables.get("rule"), list) and "kind" not in tables)


def system_findings(path: Path, tables: Mapping[str, Any]) -> tuple[Finding, ...]:
    """Return the first mistake in a file of a rule system.

    The file is checked with the others in its folder, if these are a whole system. Otherwise, its tables replace those
    of the shipped system.
    """
    try:
        if "rule" in tables and "kind" not in tables:
            read_ledger_file(path)
            return ()
        system = str(tables.get("system"))
        if _is_whole(path.parent, system):
            read_system_data(system, folder=path.parent)
            return ()
        shipped = sorted(folder.name for folder in resource_path("systems").iterdir())
        if system not in shipped:
            expected = f"expected {', '.join(shipped)}, found {system!r}{nearest_hint(system, shipped)}"
            raise SystemDataError(path, ("system",), expected)
        read_system_data(system, changed=path)
    except SystemDataError as error:
        return (Finding(str(error.file), error.line, error.key, error.message),)
    return ()


def _is_whole(folder: Path, system: str) -> bool:
    """Whether a folder contains only files of a rule system, including the file with its name."""
    files = [read_toml(file).tables or {} for file in folder.glob("*.toml") if file.name != "ledger.toml"]
    own = (tables.get("kind") in ("system", "traits", "powers") and tables.get("system") == system for tables in files)
    return all(own) and any(tables.get("kind") == "system" and "name" in tables for tables in files)


def is_word_file(tables: Mapping[str, Any]) -> bool:
    """Whether a file contains the program's texts: most of its tables must have known names."""
    return 2 * len(tables.keys() & {key.partition(".")[0] for key in WordCatalogue.load()}) > len(tables) > 0


def word_findings(path: Path, source: TomlSource) -> tuple[Finding, ...]:
    """Return a warning for each key or parameter that the shipped texts don't contain."""
    notes, shipped = FindingCollector(), WordCatalogue.load()
    for place, text in texts_in(source.tables or {}):
        key = ".".join(place)
        if key not in shipped:
            notes.warn(place, f"unknown text key{nearest_hint(key, shipped)}")
            continue
        known = {*parameters_of(shipped.raw(key)), *usual_terms()}
        for name in parameters_of(text) - known:
            notes.warn(place, f"unknown parameter {name!r}{nearest_hint(name, known)}")
    return located_findings(notes, str(path), source.text)
