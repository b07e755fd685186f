"""Writes records as files of other programs, or as library files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from turnwright.encounter.prepared import Creature, Scene
from turnwright.encounter.state import Encounter
from turnwright.storage.atomic import replace_atomically
from turnwright.storage.exporters import improved_initiative
from turnwright.storage.exporters.improved_initiative import ExportedText, Modifier
from turnwright.storage.importers.results import ImportedRecord
from turnwright.storage.importers.staging_folder import StagingFolder

Exporter = Callable[[Encounter, Modifier], ExportedText]
FORMATS: Mapping[str, Exporter] = MappingProxyType({"improved-initiative": improved_initiative.encounter_text})


def write_encounter(encounter: Encounter, out: Path, format_id: str, modifier: Modifier) -> ExportedText:
    """Write an encounter in another program's format, replacing an existing file; OSError."""
    made = FORMATS[format_id](encounter, modifier)
    replace_atomically(out, made.text.encode())
    return made


def write_creatures(creatures: Sequence[Creature], out: Path, modifier: Modifier) -> ExportedText:
    """Write creatures alone as a file of Improved Initiative; OSError."""
    made = improved_initiative.creatures_text(creatures, modifier)
    replace_atomically(out, made.text.encode())
    return made


def creatures_folder(creatures: Sequence[Creature], system: str, into: Path, title: str) -> Path:
    """Write creatures as library files into a new folder under `into`, all of them or nothing; OSError.

    ValueError where there are none.
    """
    if not creatures:
        raise ValueError("there are no creatures")
    with StagingFolder(into, title) as stage:
        for creature in creatures:
            stage.add(ImportedRecord(creature.name, creature, system))
        return stage.commit()


def title_of(encounter: Encounter) -> str:
    """Return the title of an encounter, or a default title."""
    scene = encounter.get(Scene, "scene")
    return (scene and scene.title) or "Encounter"
