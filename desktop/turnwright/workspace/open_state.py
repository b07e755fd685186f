"""The initial state of a document, and the errors of opening and saving."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec

from turnwright.encounter.running import Dice
from turnwright.encounter.state import Encounter
from turnwright.play.kernel.events import JournalLine
from turnwright.play.kernel.history import History
from turnwright.storage.encounters import prepared
from turnwright.storage.findings import Finding
from turnwright.workspace.file_origin import FileOrigin
from turnwright.workspace.files import is_running, read_leftover
from turnwright.workspace.log_format import LogContents, LogEntry, SaveEntry


class DocumentInUseError(Exception):
    """Raised if another process has the document open."""


class RecoverError(Exception):
    """Raised if a log can't be read. The log isn't changed."""


class NoPathError(Exception):
    """Raised if a document was never saved, so that the user has to choose a path."""


def ignore_error(_error: OSError) -> None:
    """Ignore an error."""


class OpenState(msgspec.Struct, frozen=True):
    """The initial state of a document. `encounter` is the state before any step.

    `is_saved`: the files have the same content. `log` is the log that the document continues, `entries` are its
    entries, and `log_bytes` is its complete length. `is_recovered`: a crashed process left the document.
    `keeps_broken_fight`: the fight file is broken, and is kept until a fight is saved.
    """

    encounter: Encounter
    origin: FileOrigin = FileOrigin()
    earlier_lines: tuple[JournalLine, ...] = ()
    entries: tuple[LogEntry, ...] = ()
    log: Path | None = None
    log_bytes: int = 0
    is_saved: bool = True
    findings: tuple[Finding, ...] = ()
    is_recovered: bool = False
    keeps_broken_fight: bool = False


def with_dice(encounter: Encounter, seed: int | None, mode: Literal["ask", "roll"]) -> Encounter:
    """Return an encounter with dice. `seed` replaces its dice; without a seed, missing dice are added."""
    old_dice = encounter.get(Dice, "dice")
    if old_dice is not None and seed is None:
        return encounter
    fresh = Dice(seed=_fresh_seed() if seed is None else seed, mode=old_dice.mode if old_dice else mode)
    return Encounter((*(record for record in encounter if not isinstance(record, Dice)), fresh))


def _fresh_seed() -> int:
    return int.from_bytes(os.urandom(7), "big") >> 3


def open_state_from_log(log: Path, contents: LogContents) -> OpenState:
    """Return the initial state for a document that continues a log."""
    assert contents.snapshot is not None
    return OpenState(
        encounter=Encounter(contents.snapshot.records),
        origin=contents.snapshot.origin,
        earlier_lines=contents.snapshot.earlier,
        entries=contents.entries,
        log=log,
        log_bytes=contents.valid_bytes,
        is_saved=contents.snapshot.saved,
    )


def with_history(start: OpenState, history: Path) -> OpenState:
    """Add the undo history to the state of files. A history that doesn't match the files is deleted."""
    with suppress(OSError, LookupError, ValueError):
        contents = read_leftover(history, with_events=False)
        state, origin = open_state_from_log(history, contents), contents.origin
        encounter, steps = state.encounter, History()
        for entry in contents.history_entries:
            encounter = encounter.with_changes(steps.changes_of(entry))
            steps.apply(entry)
        if (origin.digest, origin.fight) == (start.origin.digest, start.origin.fight) and _have_same_files(
            encounter, start.encounter
        ):
            here = SaveEntry(msgspec.structs.replace(start.origin, text=origin.text))  # to have the path just opened
            return msgspec.structs.replace(
                state,
                entries=(*state.entries, here),
                findings=start.findings,
                keeps_broken_fight=start.keeps_broken_fight,
            )
    with suppress(OSError):
        history.unlink(missing_ok=True)
    return start


def _have_same_files(one: Encounter, other: Encounter) -> bool:
    """Whether two encounters would be saved as the same files. Dice only matter during a fight."""
    return one == other if is_running(one) else prepared(one) == prepared(other)
