"""The state that a document starts from, and the errors of opening and saving."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

import msgspec

from turnwright.encounter.running import Dice
from turnwright.encounter.state import Encounter
from turnwright.play.kernel.events import JournalLine
from turnwright.storage.findings import Finding
from turnwright.workspace.file_origin import FileOrigin
from turnwright.workspace.log_format import LogEntry, read_log

if TYPE_CHECKING:
    from turnwright.rules.system import RuleSystem


class Systems(Protocol):
    """The known rule systems, by id."""

    @property
    def ids(self) -> Collection[str]:
        """The ids of all systems."""

    def get(self, id: str) -> RuleSystem:
        """Return a system; LookupError for an unknown id."""


class DocumentInUseError(Exception):
    """Raised where another process has the document open."""


class RecoverError(Exception):
    """Raised for a log that can't be read; it stays where it is."""


class NoPathError(Exception):
    """Raised for a document that was never saved, so that a person has to choose a path."""


def ignore_error(_error: OSError) -> None:
    """Ignore an error."""


class OpenState(msgspec.Struct, frozen=True):
    """The state that a document starts from. `encounter` is the state before any step; `is_saved`: its files hold it.

    `is_recovered`: from a log, which is to be written anew. `keeps_broken_fight`: the fight file beside it is broken, and
    stays until a fight is saved over it.
    """

    encounter: Encounter
    origin: FileOrigin = FileOrigin()
    earlier_lines: tuple[JournalLine, ...] = ()
    entries: tuple[LogEntry, ...] = ()
    is_saved: bool = True
    findings: tuple[Finding, ...] = ()
    is_recovered: bool = False
    keeps_broken_fight: bool = False


def with_dice(encounter: Encounter, seed: int | None, mode: Literal["ask", "roll"]) -> Encounter:
    """Return an encounter with dice: fresh ones where it has none, those of `seed` where one is given."""
    found = encounter.get(Dice, "dice")
    if found is not None and seed is None:
        return encounter
    fresh = Dice(seed=_fresh_seed() if seed is None else seed, mode=found.mode if found else mode)
    return Encounter((*(record for record in encounter if not isinstance(record, Dice)), fresh))


def _fresh_seed() -> int:
    return int.from_bytes(os.urandom(7), "big") >> 3


def open_state_from_log(log: Path) -> OpenState:
    """Return the state that a log holds. RecoverError, OSError."""
    contents = read_log(log.read_bytes())
    if contents.snapshot is None:
        raise RecoverError(log)
    snapshot = contents.snapshot
    return OpenState(
        encounter=Encounter(snapshot.records),
        origin=snapshot.origin,
        earlier_lines=snapshot.earlier,
        entries=contents.entries,
        is_saved=snapshot.saved,
        is_recovered=contents.is_same_version,
    )
