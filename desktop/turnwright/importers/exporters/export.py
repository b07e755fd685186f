"""Exports records as files for other programs, or as library files."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from turnwright.encounter.prepared import Creature, Scene
from turnwright.encounter.state import Encounter
from turnwright.importers.exporters import improved_initiative
from turnwright.importers.exporters.improved_initiative import ExportedText, Modifier
from turnwright.importers.files.pending_import import StagingFolder
from turnwright.importers.results import ImportedRecord
from turnwright.storage.atomic import replace_atomically

Exporter = Callable[[Encounter, Modifier], ExportedText]
FORMATS: Mapping[str, Exporter] = MappingProxyType({"improved-initiative": improved_initiative.encounter_text})


def write_encounter(encounter: Encounter, out: Path, format_id: str, modifier: Modifier) -> ExportedText:
    """Write an encounter in another program's format, replacing an existing file. Raise OSError."""
    exported = FORMATS[format_id](encounter, modifier)
    replace_atomically(out, exported.text.encode())
    return exported


def write_creatures(creatures: Sequence[Creature], out: Path, modifier: Modifier) -> ExportedText:
    """Write creatures without an encounter to a file for Improved Initiative. Raise OSError."""
    exported = improved_initiative.creatures_text(creatures, modifier)
    replace_atomically(out, exported.text.encode())
    return exported


def creatures_folder(creatures: Sequence[Creature], system: str, into: Path, title: str) -> Path:
    """Write creatures as library files into a new folder in `into`. On any error, no folder is left.

    Raise OSError if that fails, or ValueError if `creatures` is empty.
    """
    if not creatures:
        raise ValueError("no creatures to export")
    with StagingFolder(into, title) as stage:
        for creature in creatures:
            stage.add(ImportedRecord(creature.name, creature, system))
        return stage.commit()


def title_of(encounter: Encounter) -> str:
    """Return the title of an encounter, or a default title."""
    scene = encounter.get(Scene, "scene")
    return (scene and scene.title) or "Encounter"
