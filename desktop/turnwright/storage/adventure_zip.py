"""Writes an adventure to a .zip file to share it, and reads one into a new folder, through the checks of backups."""

from collections.abc import Collection
from pathlib import Path
from typing import Final

from turnwright.encounter.prepared import Party, RosterEntry
from turnwright.encounter.roles import is_character
from turnwright.encounter.state import Encounter
from turnwright.storage.adventure_folders import PARTY, AdventureError, install_adventure, readable_plan
from turnwright.storage.adventures import PLAN, RUN
from turnwright.storage.backup import Progress, no_progress, unpacked, write_zip
from turnwright.storage.encounters import EncounterFile, read_encounter
from turnwright.storage.fights import fight_path
from turnwright.storage.library.entries import Library, library_text
from turnwright.storage.picture_files import MAX_MAP_BYTES, picture_name, picture_problem, pictures_of

COMMENT: Final = b"Turnwright adventure"


def adventure_files(plan: Path, systems: Collection[str], *, with_progress: bool = False) -> tuple[Path, ...]:
    """Return the files of an adventure: the plan, its encounters, and the pictures that they name.

    `with_progress`: also the fights and the progress. Raise AdventureError if the plan can't be read.
    """
    adventure, folder = readable_plan(plan, systems), plan.parent
    files: dict[Path, None] = {plan: None}
    for step in adventure.steps:
        path = folder / step.encounter
        pictures = [folder / picture_name(name) for name in step.handouts if not picture_problem(folder, name)]
        if step.encounter and path.is_file():
            files[path] = None
            encounter = read_encounter(path, systems).readable
            names = pictures_of(encounter) if encounter is not None else ()
            safe = (name for name in names if not picture_problem(path.parent, name, MAX_MAP_BYTES))
            pictures += [path.parent / picture_name(name) for name in safe]
            if with_progress and fight_path(path).is_file():
                files[fight_path(path)] = None
        files.update(dict.fromkeys(pictures))
    if with_progress and (folder / RUN).is_file():
        files[folder / RUN] = None
    return tuple(files)


def export_adventure(
    plan: Path,
    out: Path,
    systems: Collection[str],
    *,
    party: Party | None = None,
    with_progress: bool = False,
    progress: Progress = no_progress,
) -> int:
    """Write an adventure to a .zip file and return the number of files. A `party` goes along if it is given.

    Without a party and the progress, the encounters are written without the characters of the adventure's party.
    Raise AdventureError if the plan can't be read, or OSError if the file can't be written.
    """
    files, folder = adventure_files(plan, systems, with_progress=with_progress), plan.parent
    adventure = readable_plan(plan, systems)
    extra = {PARTY: library_text(party, adventure.system).encode()} if party is not None else {}
    if adventure.party and party is None and not with_progress:
        names = {folder / step.encounter: step.encounter for step in adventure.steps if step.encounter}
        extra = {names[path]: _without_characters(path, systems) for path in files if path in names}
        files = tuple(path for path in files if path not in names)
    return write_zip(folder, files, out, COMMENT, progress, extra)


def _without_characters(path: Path, systems: Collection[str]) -> bytes:
    """Return the content of an encounter file without the characters, their companions and their stat blocks."""
    loaded = read_encounter(path, systems)
    encounter = loaded.readable or Encounter()
    entries = {entry.id: entry for entry in encounter.all(RosterEntry)}
    ours = {id for id, entry in entries.items() if is_character(encounter, entry)}
    if not ours:
        return path.read_bytes()
    gone = {id for id, entry in entries.items() if id in ours or entry.controller in ours}
    kept = {entry.creature for id, entry in entries.items() if id not in gone}
    dropped = {("roster", id) for id in gone} | {("creatures", entries[id].creature) for id in gone}
    dropped -= {("creatures", creature) for creature in kept}
    left = (record for record in encounter if (record.table, record.id) not in dropped)
    return EncounterFile(loaded.text).render(Encounter(left)).encode()


def import_adventure(
    file: Path, into: Path, systems: Collection[str], library: Library | None = None, progress: Progress = no_progress
) -> Path:
    """Read an adventure from a .zip file into a new folder of `into`, and return the path of its plan.

    A party in it is added to the library, unless the library has one of that id. Raise RestoreError if the file isn't
    safe, AdventureError if it has no adventure, or OSError; then nothing is left.
    """
    with unpacked(file, into, progress) as (fresh, _count):
        inner = [path for path in fresh.iterdir() if path.is_dir()]
        home = fresh if (fresh / PLAN).is_file() or len(inner) != 1 else inner[0]
        if not (home / PLAN).is_file():
            raise AdventureError(f"{file.name} has no {PLAN}")
        return install_adventure(home, into, file.stem, systems, library)
