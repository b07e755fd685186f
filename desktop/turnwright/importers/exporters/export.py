"""Exports records as files for other programs, or as library files."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from turnwright.encounter.prepared import Creature, Scene
from turnwright.encounter.state import Encounter
from turnwright.importers.exporters import improved_initiative
from turnwright.importers.exporters.formats import ExportFormat, export_formats, exported
from turnwright.importers.exporters.printed import ExportedText, Modifier
from turnwright.importers.files.pending_import import StagingFolder
from turnwright.importers.results import ImportedRecord
from turnwright.storage.atomic import IdAllocator, replace_atomically
from turnwright.storage.fights import ConversionNote

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


def formats_of(id: str) -> dict[str, ExportFormat]:
    """Return the format with this id, and those for single games: `foundry` has `foundry-pf2e` and others."""
    return {name: form for name, form in export_formats().items() if name == id or name.startswith(f"{id}-")}


def format_for(id: str, system: str) -> ExportFormat:
    """Return the format of an id that suits a rule system. Raise ValueError if no format does."""
    for form in formats_of(id).values():
        if system in form.games:
            return form
    raise ValueError(f"the format {id} isn't for creatures of the rule system {system}")


def write_as(
    form: ExportFormat, creatures: Sequence[Creature], system: str, modifier: Modifier, out: Path, title: str
) -> tuple[Path, tuple[ConversionNote, ...]]:
    """Write creatures in a format. Return the path, and notes on content that the format can't store.

    `out` is the file, which is replaced, or the parent of a new folder with a file for each creature. Raise OSError, or
    ValueError if `creatures` is empty.
    """
    if not creatures:
        raise ValueError("no creatures to export")
    if not form.apart:
        whole = exported(creatures, form, system, modifier)
        replace_atomically(out, whole.text.encode())
        return out, whole.reports
    ids, notes = IdAllocator(), list[ConversionNote]()
    with StagingFolder(out, title) as stage:
        for creature in creatures:
            one = exported([creature], form, system, modifier)
            (stage.folder / f"{ids.allocate(creature.id)}{form.ending}").write_text(one.text, encoding="utf-8")
            notes += one.reports
        return stage.commit(), tuple(notes)


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
