"""Checks a file of the program's texts, such as a translation, against the shipped texts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from turnwright.encounter.suggestions import nearest_hint
from turnwright.storage.findings import Finding, FindingCollector, located_findings
from turnwright.storage.toml.source import TomlSource
from turnwright.storage.word_catalogue import WordCatalogue, parameters_of, texts_in, usual_terms


def is_word_file(tables: Mapping[str, Any]) -> bool:
    """Whether a file contains the program's texts: most of its tables must have known names."""
    known = {key.partition(".")[0] for key in WordCatalogue.load()}
    return 2 * len(tables.keys() & known) > len(tables) > 0


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
