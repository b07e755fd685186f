"""Reading and writing the two files of a document, each completely or not at all, with dated copies of earlier content.

A `FileOrigin` records which content a document has seen of its files; newer changes are not written over unasked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from turnwright.encounter.prepared import Scene
from turnwright.encounter.running import Clock
from turnwright.encounter.state import Encounter
from turnwright.play.kernel.events import JournalLine
from turnwright.storage.atomic import back_up, remove_parts, replace_atomically
from turnwright.storage.encounters import EncounterFile, read_encounter
from turnwright.storage.fights import fight_path, fight_text, read_fight
from turnwright.storage.findings import Finding
from turnwright.storage.references import unknown_id_findings
from turnwright.storage.toml_source import digest_of
from turnwright.workspace.file_origin import FileOrigin
from turnwright.workspace.log_format import SaveEntry

if TYPE_CHECKING:
    from turnwright.workspace.open_state import Systems


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


class FightUnreadError(FileChangedError):
    """Raised for a fight file that could not be read when its encounter was opened; it was left as it is."""


class ReadFiles(msgspec.Struct, frozen=True):
    """An encounter as its files hold it. `fight_is_broken`: there is a fight file that could not be read."""

    encounter: Encounter
    origin: FileOrigin
    earlier_lines: tuple[JournalLine, ...] = ()
    findings: tuple[Finding, ...] = ()
    fight_is_broken: bool = False


def read_files(path: Path, systems: Systems, fight: bool = True) -> ReadFiles:
    """Read an encounter, and the fight beside it if there is one and `fight` is set. OpenError."""
    loaded = read_encounter(path, systems.ids)
    if loaded.encounter is None:
        raise OpenError(path, loaded.findings)
    rules = systems.get(encounter_system(loaded.encounter))
    known = (*loaded.findings, *unknown_id_findings(loaded.encounter, rules, str(path), loaded.text))
    origin = FileOrigin(path=str(path), digest=loaded.digest, text=loaded.text)
    beside = fight_path(path)
    if not fight or not beside.exists():
        return ReadFiles(loaded.encounter, origin, findings=known)
    found = read_fight(beside, loaded.encounter)
    origin = msgspec.structs.replace(origin, fight=found.digest)
    findings = [*known, *found.findings]
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
    return _digest(_path(origin)) in ("", origin.digest) and _digest(_fight(origin)) in ("", origin.fight)


def written(before: FileOrigin, planned: FileOrigin) -> SaveEntry | None:
    """Return what a save that was cut short has written, by the digests of the files; None for nothing. OSError."""
    has_prepared = _digest(_path(planned)) == planned.digest
    has_fight = _digest(_fight(planned)) == planned.fight
    if has_prepared and has_fight:
        return SaveEntry(planned)
    if before.path != planned.path or not (has_prepared or has_fight):
        return None
    prepared, fight = planned if has_prepared else before, planned if has_fight else before
    return SaveEntry(msgspec.structs.replace(prepared, fight=fight.fight), complete=False)


def _digest(path: Path) -> str:
    """Return the digest of a file, empty where there is none. OSError where it cannot be read."""
    try:
        return digest_of(path.read_bytes())
    except FileNotFoundError:
        return ""


def _path(origin: FileOrigin) -> Path:
    return Path(origin.path)


def _fight(origin: FileOrigin) -> Path:
    return fight_path(_path(origin))


class FileWrites(msgspec.Struct, frozen=True):
    """The new content of both files of a document: None for one that stays as it is, nothing for a fight to delete."""

    origin: FileOrigin
    prepared: bytes | None
    fight: bytes | None

    def write(self, backups: Path) -> None:
        """Write the files, which no other process does; copies of what they held go to the backups. OSError."""
        path, fight = _path(self.origin), _fight(self.origin)
        remove_parts(path)
        remove_parts(fight)
        if self.prepared is not None:
            replace_atomically(path, self.prepared, backups)
        if self.fight:
            replace_atomically(fight, self.fight, backups)
        elif self.fight is not None and fight.exists():
            back_up(fight, b"", backups)
            fight.unlink()


def plan_writes(
    path: Path,
    encounter: Encounter,
    journal: Iterable[JournalLine],
    origin: FileOrigin,
    *,
    prepared_changed: bool,
    keeps_fight: bool,
) -> FileWrites:
    """Return what a save is to write. `keeps_fight`: a fight file that is not this encounter's stays. OSError.

    The encounter's text is the person's own; where the file was changed by others meanwhile, theirs, so that their
    comments and unknown keys stay, unless it is no longer a file of that kind.
    """
    here, held = str(path) == origin.path, _digest(path)
    base, data, digest = origin.text, None, held
    if prepared_changed or not here or held != origin.digest:
        if here and held not in ("", origin.digest):
            theirs = read_encounter(path, {encounter_system(encounter)})
            base = theirs.text if theirs.encounter is not None else base
        text = EncounterFile(base).render(encounter).encode("utf-8")
        digest = digest_of(text)
        data = text if digest != held else None
    planned = FileOrigin(path=str(path), digest=digest, text=base)
    if is_running(encounter):
        fight = fight_text(encounter, [msgspec.to_builtins(line) for line in journal], digest).encode("utf-8")
        return FileWrites(msgspec.structs.replace(planned, fight=digest_of(fight)), data, fight)
    if here and keeps_fight:
        return FileWrites(msgspec.structs.replace(planned, fight=origin.fight), data, None)
    return FileWrites(planned, data, b"")


def encounter_system(encounter: Encounter) -> str:
    """Return the id of an encounter's rule system."""
    return (encounter.get(Scene, "scene") or Scene()).system


def is_running(encounter: Encounter) -> bool:
    """Return whether there is a fight to keep: set up, under way, or ended and not reset."""
    clock = encounter.get(Clock, "clock")
    return clock is not None and clock.phase != "preparing"
