"""Places for imported characters: a party of the library, or creatures instead of parties of one."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from turnwright.encounter.prepared import Creature, Party
from turnwright.encounter.state import Encounter
from turnwright.importers import common
from turnwright.importers.characters import Character, joined, new_party, party_of_one
from turnwright.importers.files.import_files import Progress, read_paths
from turnwright.importers.files.import_manifest import aside_folder, take_back
from turnwright.importers.files.unknown_files import replace_imported
from turnwright.importers.results import Importable, ImportedFile, ImportedRecord, ImportOutcome, UnreadRecord
from turnwright.storage.fights import ConversionNote
from turnwright.storage.library.entries import Library, library_text, read_library_file
from turnwright.storage.library.parties import party_of

_NATIVE: Final = "own"


def read_characters(paths: Sequence[Path], system: str, progress: Progress) -> tuple[Party, ImportOutcome]:
    """Read the characters in files as one party for a game, and write nothing. A creature counts as a character.

    The outcome has the notes, and the records that aren't characters or are for another game.
    """
    parties, placed = list[Party](), list[ImportedFile]()
    notes, unread = list[ConversionNote](), list[UnreadRecord]()
    for form, result in read_paths(paths, progress=progress):
        if isinstance(result, ConversionNote):
            notes.append(result)
        elif isinstance(result, UnreadRecord):
            unread.append(result)
        elif isinstance(result, ImportedRecord):
            party, fits = _party_in(result.record), common.system_for(system, result.system) == system
            if party is None or not fits:
                why = "is for another game than the encounter" if party else "has no characters"
                unread.append(UnreadRecord(result.file, result.name, why))
                continue
            parties.append(party)
            placed.append(ImportedFile(result.name, party.id, "party", system, "", result.file, form))
            notes += result.reports
    return joined(new_party(""), parties), ImportOutcome("", tuple(placed), tuple(notes), tuple(unread))


def _party_in(record: Importable) -> Party | None:
    """Return the characters of a record as a party, or None if it has none."""
    if isinstance(record, Encounter):
        record = party_of(record, "", "")
    elif isinstance(record, Creature):
        record = party_of_one(record, Character())
    return record if isinstance(record, Party) and record.roster else None


def is_character(file: ImportedFile) -> bool:
    """Whether a file is a character of another program, imported as a party of one."""
    return file.kind == "party" and file.format != _NATIVE


def characters_in(outcome: ImportOutcome) -> tuple[tuple[ImportedFile, Party], ...]:
    """Return the imported characters, each with its file."""
    read = ((file, read_library_file(Path(file.path))[0]) for file in outcome.placed if is_character(file))
    return tuple((file, party) for file, party in read if isinstance(party, Party))


def can_play(outcome: ImportOutcome, rules: str) -> bool:
    """Return whether all imported characters are for a rule system, or for one that can use their stat blocks."""
    return {common.system_for(rules, file.system) for file in outcome.placed if is_character(file)} == {rules}


def other_parties(outcome: ImportOutcome, library: Library) -> tuple[str, ...]:
    """Return the names of the library's parties that imported characters can join."""
    systems = {file.system for file in outcome.placed if is_character(file)}
    parties = [entry for system in systems for entry in library.parties(system)]
    return tuple(entry.name for entry in parties if entry.path not in {file.path for file in outcome.placed})


def add_to_party(outcome: ImportOutcome, name: str, library: Library, backups: Path) -> ImportOutcome:
    """Add the imported characters to the library's party with a name, or to a new one. Raise OSError if that fails.

    Their own files move to the backups. Characters of several rule systems get a party each. Return the outcome with
    the files of the parties.
    """
    imported, paths = characters_in(outcome), dict[str, str]()
    for system in dict.fromkeys(file.system for file, _ in imported):
        entries = [one for one in library.parties(system) if one.name == name]
        stored = next((party for one in entries if isinstance(party := library.load(one)[0], Party)), new_party(name))
        for one in entries if library.index is None else ():  # otherwise saving keeps the old version
            shutil.copy2(one.path, aside_folder(Path(one.path).parent, backups))
        party = joined(stored, (party for file, party in imported if file.system == system))
        paths[system] = str(library.save(party, system))
    for folder in {Path(file.path).parent for file, _ in imported}:
        take_back(folder, backups, {Path(file.path).name for file, _ in imported})
    own = {file: msgspec.structs.replace(file, path=paths[file.system]) for file, _ in imported}
    where = outcome.folder if Path(outcome.folder).exists() else ", ".join(paths.values())
    return msgspec.structs.replace(outcome, folder=where, placed=tuple(own.get(file, file) for file in outcome.placed))


def keep_as_creatures(outcome: ImportOutcome) -> None:
    """Replace the files of imported characters by those of their stat blocks. Raise OSError."""
    for file, party in characters_in(outcome):
        replace_imported(Path(file.path), library_text(party.creatures[0], file.system))
