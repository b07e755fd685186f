"""Reading and writing the two files of a document, each completely or not at all, with dated copies of earlier content.

A `FileOrigin` records which content a document has seen of its files; newer changes are not written over unasked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from turnwright.encounter.prepared import Scene
from turnwright.encounter.running import Clock
from turnwright.encounter.state import Encounter
from turnwright.play.kernel.events import JournalLine
from turnwright.storage.atomic import back_up, replace_atomically
from turnwright.storage.encounters import EncounterFile, read_encounter
from turnwright.storage.fights import fight_path, fight_text, read_fight
from turnwright.storage.findings import Finding
from turnwright.storage.toml_source import digest_of
from turnwright.workspace.file_origin import FileOrigin


class OpenError(Exception):
    """Raised for a file without a valid encounter; `findings` are the reasons, each with its line."""

    def __init__(self, path: Path, findings: tuple[Finding, ...]) -> None:
        super().__init__(str(findings[0]) if findings else str(path))
        self.path = path
        self.findings = findings


class FileChangedError(Exception):
    """Raised for a file that was changed by others since it was read; it was left as it is."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.path = path


class ReadFiles(msgspec.Struct, frozen=True):
    """An encounter as its files hold it. `fight_is_broken`: there is a fight file that could not be read."""

    encounter: Encounter
    origin: FileOrigin
    earlier_lines: tuple[JournalLine, ...] = ()
    findings: tuple[Finding, ...] = ()
    fight_is_broken: bool = False


def read_files(path: Path, systems: Collection[str], fight: bool = True) -> ReadFiles:
    """Read an encounter, and the fight beside it if there is one and `fight` is set. OpenError."""
    loaded = read_encounter(path, systems)
    if loaded.encounter is None:
        raise OpenError(path, loaded.findings)
    origin = FileOrigin(path=str(path), digest=loaded.digest, text=loaded.text)
    beside = fight_path(path)
    if not fight or not beside.exists():
        return ReadFiles(loaded.encounter, origin, findings=loaded.findings)
    found = read_fight(beside, loaded.encounter)
    origin = msgspec.structs.replace(origin, fight=found.digest)
    findings = [*loaded.findings, *found.findings]
    if found.records is None:
        return ReadFiles(loaded.encounter, origin, findings=tuple(findings), fight_is_broken=True)
    if found.prepared_digest and found.prepared_digest != loaded.digest:
        findings.append(_note(beside, "of", "the encounter was edited after this fight was saved"))
    earlier = _lines(found.journal, beside, findings)
    encounter = Encounter((*loaded.encounter, *found.records))
    return ReadFiles(encounter, origin, earlier, tuple(findings))


def _lines(journal: Iterable[Mapping[str, Any]], path: Path, findings: list[Finding]) -> tuple[JournalLine, ...]:
    lines = []
    for number, table in enumerate(journal, 1):
        try:
            lines.append(msgspec.convert(table, JournalLine))
        except msgspec.ValidationError as error:
            findings.append(_note(path, "journal", f"entry {number} is left out: {error}"))
    return tuple(lines)


def _note(path: Path, key: str, message: str) -> Finding:
    return Finding(str(path), 1, key, message, "warning")


def same_on_disk(origin: FileOrigin) -> bool:
    """Return whether the files hold the content last seen of them; a missing file counts as unchanged."""
    path = Path(origin.path)
    return _digest(path) in ("", origin.digest) and _digest(fight_path(path)) in ("", origin.fight)


def _digest(path: Path) -> str:
    """Return the digest of a file, empty where there is none. OSError where it cannot be read."""
    try:
        return digest_of(path.read_bytes())
    except FileNotFoundError:
        return ""


def write_prepared(path: Path, text: str, backups: Path) -> FileOrigin:
    """Write the prepared records, unless the file holds that text already. OSError."""
    data = text.encode("utf-8")
    digest = digest_of(data)
    if _digest(path) != digest:
        replace_atomically(path, data, backups)
    return FileOrigin(path=str(path), digest=digest, text=text)


def write_fight(origin: FileOrigin, encounter: Encounter, journal: Iterable[JournalLine], backups: Path) -> FileOrigin:
    """Write the running fight beside the encounter. OSError."""
    lines = [msgspec.to_builtins(line) for line in journal]
    data = fight_text(encounter, lines, origin.digest).encode("utf-8")
    replace_atomically(fight_path(Path(origin.path)), data, backups)
    return msgspec.structs.replace(origin, fight=digest_of(data))


def remove_fight(origin: FileOrigin, backups: Path) -> FileOrigin:
    """Delete the file of the running fight; a dated copy stays. OSError."""
    path = fight_path(Path(origin.path))
    if path.exists():
        back_up(path, b"", backups)
        path.unlink()
    return msgspec.structs.replace(origin, fight="")


def render(file: EncounterFile, encounter: Encounter, path: Path, origin: FileOrigin) -> tuple[EncounterFile, str]:
    """Return the text for an encounter and the file whose text it was made into.

    That is the person's own; where the file was changed by others meanwhile, theirs, so that their comments
    and unknown keys stay, unless it is no longer a file of that kind.
    """
    text = file.render(encounter)
    if str(path) == origin.path and _digest(path) not in ("", origin.digest):
        theirs = read_encounter(path, {encounter_system(encounter)})
        if theirs.encounter is not None:
            file = EncounterFile(theirs.text)
            text = file.render(encounter)
    return file, text


def encounter_system(encounter: Encounter) -> str:
    """Return the id of an encounter's rule system."""
    return (encounter.get(Scene, "scene") or Scene()).system


def is_running(encounter: Encounter) -> bool:
    """Return whether there is a fight to keep: set up, under way, or ended and not reset."""
    clock = encounter.get(Clock, "clock")
    return clock is not None and clock.phase != "preparing"
