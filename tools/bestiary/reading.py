"""Reads the sources and the list of a set: the chosen creatures as each source has them, with the product's importers."""

import csv
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from turnwright.encounter.prepared import Creature
from turnwright.importers.files.import_files import read_paths
from turnwright.importers.results import ImportedRecord

_GAP: Final = re.compile(r"(?<=[\w)’'])  (?=[\w(])")


@dataclass(frozen=True)
class Chosen:
    """A row of a set's list: a creature, its role, and at most three habitats."""

    name: str
    role: str
    environments: tuple[str, ...]


@dataclass(frozen=True)
class Read:
    """A creature as a source has it, with the catalogue entries of its features: their ids and their extent."""

    creature: Creature
    entries: Mapping[str, tuple[tuple[str, ...], str]]


def key_of(name: str) -> str:
    """Return a name without the signs in which sources differ."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def read_list(file: Path) -> list[Chosen]:
    """Return the chosen creatures of a set, in the order of its list."""
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    return [Chosen(row["name"], row["role"], _habitats(row["environments"])) for row in rows]


def _habitats(text: str) -> tuple[str, ...]:
    habitats = tuple(each.strip() for each in text.split(",") if each.strip())
    if len(habitats) > 3:
        raise ValueError(f"more than three habitats: {text}")
    return habitats


def read_source(folder: Path, system: str, *, repairs: Mapping[str, Any]) -> dict[str, Read]:
    """Return the creatures of a source by their keys. `repairs` says what is amiss in all its texts."""
    if not repairs:
        return dict(_creatures(folder, system))
    with tempfile.TemporaryDirectory() as scratch:
        for file in folder.glob("*.json"):
            text = file.read_text(encoding="utf-8")
            text = _GAP.sub(", ", text) if repairs.get("commas") else text
            for wrong, right in repairs.get("words", ()):
                text = text.replace(wrong, right)
            (Path(scratch) / file.name).write_text(text, encoding="utf-8")
        return dict(_creatures(Path(scratch), system))


def _creatures(folder: Path, system: str) -> Iterator[tuple[str, Read]]:
    for _, result in read_paths([folder], system=system):
        if isinstance(result, ImportedRecord) and isinstance(result.record, Creature):
            entries = {each.feature: (each.entries, each.extent) for each in result.understood}
            yield key_of(result.name), Read(result.record, entries)
