"""Reads and writes a document's two files, atomically and with dated backups, and finds logs of crashed processes.

A `FileOrigin` records the content that a document has seen. Newer changes on disk are only overwritten after a
confirmation. The log of a crashed process is recognised by a lock that isn't held. Unsaved documents can be recovered
from it. Logs of saved documents become undo histories.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from shutil import rmtree
from time import time
from typing import Any, Protocol

import msgspec

from turnwright.encounter.prepared import Scene
from turnwright.encounter.running import Clock
from turnwright.encounter.state import Encounter
from turnwright.play.kernel.events import JournalLine
from turnwright.rules.system import RuleSystem
from turnwright.storage.atomic import back_up, remove_parts, replace_atomically
from turnwright.storage.encounters import EncounterFile, read_encounter
from turnwright.storage.fights import fight_path, fight_text, read_fight
from turnwright.storage.findings import Finding, errors_first
from turnwright.storage.toml.references import unknown_id_findings
from turnwright.storage.toml.source import digest_of, head_of
from turnwright.workspace.file_origin import FileOrigin
from turnwright.workspace.locks import DocumentLock, lock_name
from turnwright.workspace.log_format import LogContents, SaveEntry, SavePlan, encode_log, header, last_saved, read_log
from turnwright.workspace.recovery import history_path, keep_history, set_aside, surplus


class Systems(Protocol):
    """The available rule systems, keyed by id."""

    @property
    def ids(self) -> Collection[str]:
        """The ids of all systems."""

    def get(self, id: str) -> RuleSystem:
        """Return a rule system. Raise LookupError if the id is unknown."""


def games(systems: Systems) -> Iterator[RuleSystem]:
    """Yield the rule systems, of a game with several editions only the first."""
    further: set[str] = set()
    for id in systems.ids:
        if id not in further:
            further |= dict(systems.get(id).data.editions).keys()
            yield systems.get(id)


def system_title(systems: Systems, id: str) -> str:
    """Return the name of a rule system with that of its edition, if its game has several."""
    data = systems.get(id).data
    edition = dict(data.editions).get(id, "")
    return data.name if edition in data.name else f"{data.name} ({edition})"


class OpenError(Exception):
    """Raised if a file can't be opened as an encounter. `findings` are all mistakes in it, errors first."""

    def __init__(self, path: Path, findings: tuple[Finding, ...]) -> None:
        self.path = path
        self.findings = errors_first(findings)
        super().__init__(str(self.findings[0]) if findings else str(path))


class FileChangedError(Exception):
    """Raised if another program changed a file since it was read. The file wasn't changed."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.path = path


class FightUnreadError(FileChangedError):
    """Raised on saving if the fight file couldn't be read when the encounter was opened. The file wasn't changed."""


class ReadFiles(msgspec.Struct, frozen=True):
    """The content of an encounter's files, without records that can't be read. `findings` have errors first.

    `fight_is_broken`: there is a fight file, but it couldn't be read.
    """

    encounter: Encounter
    origin: FileOrigin
    earlier_lines: tuple[JournalLine, ...] = ()
    findings: tuple[Finding, ...] = ()
    fight_is_broken: bool = False


def read_files(path: Path, systems: Systems, fight: bool = True, *, whole: bool = False) -> ReadFiles:
    """Read an encounter, and also its fight if there is one and `fight` is set.

    Raise OpenError if the file contains no encounter of a known rule system, or, if `whole` is set, any error.
    """
    loaded = read_encounter(path, systems.ids)
    if loaded.readable is None or (whole and loaded.encounter is None):
        raise OpenError(path, loaded.findings)
    encounter = loaded.readable
    rules = systems.get(encounter_system(encounter))
    known = errors_first((*loaded.findings, *unknown_id_findings(encounter, rules, str(path), loaded.text)))
    origin = FileOrigin(path=str(path), digest=loaded.digest, text=loaded.text)
    beside = fight_path(path)
    if not fight or not beside.exists():
        return ReadFiles(encounter, origin, findings=known)
    loaded_fight = read_fight(beside, encounter)
    origin = msgspec.structs.replace(origin, fight=loaded_fight.digest)
    findings = [*known, *loaded_fight.findings]
    if loaded_fight.records is None:
        return ReadFiles(encounter, origin, findings=tuple(findings), fight_is_broken=True)
    if loaded_fight.prepared_digest and loaded_fight.prepared_digest != loaded.digest:
        findings.append(_note(beside, "of", "the encounter was edited after this fight was saved"))
    earlier = _lines(loaded_fight.journal, beside, findings)
    return ReadFiles(Encounter((*encounter, *loaded_fight.records)), origin, earlier, tuple(findings))


def _lines(journal: Iterable[Mapping[str, Any]], path: Path, findings: list[Finding]) -> tuple[JournalLine, ...]:
    lines = []
    for number, table in enumerate(journal, 1):
        try:
            lines.append(msgspec.convert(table, JournalLine))
        except msgspec.ValidationError as error:
            findings.append(_note(path, "journal", f"entry {number} ignored: {error}"))
    return tuple(lines)


def _note(path: Path, key: str, message: str) -> Finding:
    return Finding(str(path), 1, key, message, "warning")


def same_on_disk(origin: FileOrigin) -> bool:
    """Whether the files still have the content last seen. A missing file counts as unchanged."""
    return _digest(_path(origin)) in ("", origin.digest) and _digest(_fight(origin)) in ("", origin.fight)


def written(before: FileOrigin, planned: FileOrigin) -> SaveEntry | None:
    """Determine by digests which part of an interrupted save was written. Return None if nothing was.

    Raise OSError.
    """
    has_prepared = _digest(_path(planned)) == planned.digest
    has_fight = _digest(_fight(planned)) == planned.fight
    if has_prepared and has_fight:
        return SaveEntry(planned)
    if before.path != planned.path or not (has_prepared or has_fight):
        return None
    prepared, fight = planned if has_prepared else before, planned if has_fight else before
    return SaveEntry(msgspec.structs.replace(prepared, fight=fight.fight), complete=False)


def _digest(path: Path) -> str:
    """Return the digest of a file, or an empty string if it doesn't exist. Raise OSError if it can't be read."""
    try:
        return digest_of(path.read_bytes())
    except FileNotFoundError:
        return ""


def _path(origin: FileOrigin) -> Path:
    return Path(origin.path)


def _fight(origin: FileOrigin) -> Path:
    return fight_path(_path(origin))


class FileWrites(msgspec.Struct, frozen=True):
    """The new content of a document's files. None means no change; an empty fight is deleted."""

    origin: FileOrigin
    prepared: bytes | None
    fight: bytes | None

    def write(self, backups: Path) -> None:
        """Write the files and back up their earlier content. No other process may be writing them.

        Raise OSError if that fails.
        """
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
    """Return the content that a save will write. Raise OSError if the file on disk can't be read.

    `keeps_fight`: keep a fight file that doesn't belong to this encounter. The new text is based on the user's text. If
    another program changed the file and it is still a valid encounter, the new text is based on the file instead, to
    keep its comments and unknown keys.
    """
    here, on_disk = str(path) == origin.path, _digest(path)
    base, data, digest = origin.text, None, on_disk
    if prepared_changed or not here or on_disk != origin.digest:
        if here and on_disk not in ("", origin.digest):
            theirs = read_encounter(path, {encounter_system(encounter)})
            base = theirs.text if theirs.encounter is not None else base
        text = EncounterFile(base).render(encounter, marked=True).encode("utf-8")
        digest = digest_of(text)
        data = text if digest != on_disk else None
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
    """Whether there is a fight to store, which is set up, running, or over but not reset."""
    clock = encounter.get(Clock, "clock")
    return clock is not None and clock.phase != "preparing"


SECONDS_A_DAY = 86_400


class Recoverable(msgspec.Struct, frozen=True):
    """A document with unsaved changes. `path` is None if it was never saved."""

    log: Path
    title: str
    path: Path | None
    time: datetime
    steps: int


class Leftovers(msgspec.Struct, frozen=True):
    """Unsaved documents, latest first, and logs written by another version of the program."""

    unsaved: tuple[Recoverable, ...] = ()
    unread: tuple[Path, ...] = ()


class UnreadableLogError(ValueError):
    """Raised if a log can't be read at all. `is_foreign`: another version of the program wrote it."""

    def __init__(self, log: Path, is_foreign: bool) -> None:
        super().__init__(str(log))
        self.is_foreign = is_foreign


def find_leftovers(state_folder: Path, name: str = "*") -> Leftovers:
    """Return the logs of crashed processes for one document, or for all.

    `name` is the `locks.lock_name` of the document's path. Logs of saved documents become undo histories, and
    unreadable ones are moved to another folder.
    """
    folder = state_folder / "recovery"
    unsaved: list[Recoverable] = []
    unread: list[Path] = []
    for log in folder.glob(f"{name}.log"):
        lock = DocumentLock(folder, log.stem)
        if not lock.acquire():
            continue
        try:
            unsaved += _unsaved(log, state_folder)
        except ValueError as error:
            with suppress(OSError):
                aside = set_aside(log, folder / "unread")
                unread += [aside] if isinstance(error, UnreadableLogError) and error.is_foreign else []
        except OSError:
            pass  # the log isn't moved
        finally:
            lock.release()
    return Leftovers(tuple(sorted(unsaved, key=lambda recoverable: recoverable.time, reverse=True)), tuple(unread))


def sweep_logs(state_folder: Path) -> None:
    """Delete the oldest undo histories and unreadable logs beyond the limits."""
    folder = state_folder / "recovery"
    with suppress(OSError):
        for log in (*surplus((state_folder / "history").glob("*.log")), *surplus((folder / "unread").glob("*.log"))):
            lock = DocumentLock(folder, log.stem)
            if lock.acquire():  # otherwise it is the history of an open document
                log.unlink(missing_ok=True)
                lock.release()


def sweep_restores(library: Path) -> None:
    """Delete leftovers of killed library restores after a day. Newer ones may belong to a running restore."""
    before = time() - SECONDS_A_DAY
    with suppress(OSError):
        for remains in library.parent.glob(".restore-*"):
            if remains.is_dir() and not remains.is_symlink() and remains.stat().st_mtime < before:
                rmtree(remains, ignore_errors=True)


def read_leftover(log: Path, *, with_events: bool = True) -> LogContents:
    """Read a log whose lock is held, like `read_log`. Raise UnreadableLogError or OSError.

    A log is rewritten in the newest format if its format is older, or if it ends during a save. The files on disk show
    whether that save was completed.
    """
    data = log.read_bytes()
    contents = read_log(data, with_events=with_events)
    if contents.snapshot is None:
        raise UnreadableLogError(log, contents.format is None)
    done = None
    if contents.entries and isinstance(contents.entries[-1], SavePlan):
        with suppress(OSError):
            done = written(contents.origin, contents.entries[-1].origin)
    if done is None and data.startswith(header()):
        return contents
    entries = read_log(data).entries
    data = encode_log(contents.snapshot, entries if done is None else (*entries, done))
    replace_atomically(log, data)
    return read_log(data, with_events=with_events)


def _unsaved(log: Path, state_folder: Path) -> list[Recoverable]:
    when = datetime.fromtimestamp(log.stat().st_mtime, UTC)
    contents = read_leftover(log, with_events=False)
    assert contents.snapshot is not None
    path = contents.origin.path
    stands, saved = last_saved(contents)
    if path and stands == saved:
        owner = DocumentLock(log.parent, lock_name(Path(path)))
        if owner.name == log.stem or owner.acquire():
            if same_on_disk(contents.origin):
                keep_history(log, history_path(state_folder, owner.name))
            else:
                log.unlink()
            owner.release()
        return []
    title = next((record.title for record in contents.snapshot.records if isinstance(record, Scene)), "")
    return [Recoverable(log, title, Path(path) if path else None, when, len(contents.history_entries))]


def title_in(path: Path) -> str:
    """Return the title at the top of an encounter file, or a title derived from the file name."""
    return in_head(path, "title") or path.stem.replace("-", " ").capitalize()


def in_head(path: Path, key: str) -> str:
    """Return the value of a text key at the top of a file, without reading the rest of the file."""
    return head_of(path).get(key, "")
