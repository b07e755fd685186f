"""Kills a saving process at each boundary of its calls to the system, and judges what is left after every one.

`python -m tests.workspace.kill_points FOLDER [SCENARIO…]` prints the number of kills of each scenario; an exception ends it.
`SCENARIO:5` kills at every fifth boundary only.
"""

from __future__ import annotations

import io
import os
import shutil
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.workspace.conftest import TEXT
from tests.workspace.steps import begin, edit, many_acts
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.state import Encounter, Record
from turnwright.play.kernel.events import JournalLine, Phrase
from turnwright.play.registry import event_types, stages
from turnwright.play.setup.encounter_course import ResetToPrepared
from turnwright.play.setup.prepared_records import Remove
from turnwright.play.table.game_master import AddNote
from turnwright.storage.encounters import prepared
from turnwright.workspace import recovery
from turnwright.workspace.document import AppContext, Document, open_document
from turnwright.workspace.files import is_running, read_files
from turnwright.workspace.settings import Folders, Settings

SYSTEMS = RuleSystems()
CALLS = ("open", "write", "fsync", "replace", "unlink", "chmod", "mkdir", "truncate", "ftruncate")


class Killer:
    """Counts boundaries from now on, and kills this process at one of them. Calls are those of `os` that change a disk."""

    def __init__(self, at: int) -> None:
        self._left = at
        for name in CALLS:
            setattr(os, name, self._bounded(getattr(os, name)))
        os.write = self._torn(os.write)
        os.fdopen = self._watched(os.fdopen)

    def boundary(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return  # the log's worker only syncs
        self._left -= 1
        if not self._left:
            os.kill(os.getpid(), signal.SIGKILL)

    def _bounded(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def bounded(*args: Any, **named: Any) -> Any:
            self.boundary()
            result = call(*args, **named)
            self.boundary()
            return result

        return bounded

    def _torn(self, write: Callable[[int, bytes], int]) -> Callable[[int, bytes], int]:
        def torn(handle: int, data: bytes) -> int:
            half = len(data) // 2
            return write(handle, data[:half]) + write(handle, data[half:])

        return torn

    def _watched(self, fdopen: Callable[..., Any]) -> Callable[..., Any]:
        def watched(handle: int, mode: str) -> Any:
            return TornFile(fdopen(handle, mode, buffering=0), self) if mode == "wb" else fdopen(handle, mode)

        return watched


class TornFile(io.BufferedWriter):
    """A file that is written in two halves, so that a kill may fall between them."""

    def __init__(self, raw: io.RawIOBase, killer: Killer) -> None:
        super().__init__(raw)
        self._killer = killer

    def write(self, data: bytes) -> int:
        half = len(data) // 2
        for part in (data[:half], data[half:]):
            super().write(part)
            self.flush()
            self._killer.boundary()
        return len(data)


# Scenarios -----------------------------------------------------------------------------------------------------------


class Place:
    """A folder with one encounter and a home, set up anew before each kill."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "table" / "gate.toml"
        self.other = folder / "table" / "elsewhere.toml"
        self.state = folder / "table" / "state"
        self._template = folder / "template"

    def begin(self, prepare: Callable[[Document], object]) -> None:
        """Let a process prepare a document and be killed."""
        shutil.rmtree(self.file.parent, ignore_errors=True)
        self.file.parent.mkdir(parents=True)
        self.file.write_text(TEXT, encoding="utf-8", newline="")

        def work() -> None:
            prepare(open_document(self.file, SYSTEMS, self.state, seed=7, dice="roll"))
            os.kill(os.getpid(), signal.SIGKILL)

        assert in_child(work) == -signal.SIGKILL
        shutil.rmtree(self._template, ignore_errors=True)
        self.file.parent.rename(self._template)

    def restore(self) -> None:
        """Put everything where the prepared document left it."""
        shutil.rmtree(self.file.parent, ignore_errors=True)
        shutil.copytree(self._template, self.file.parent)

    def workspace(self) -> AppContext:
        return AppContext(SYSTEMS, Folders(self.state, self.state / "config", self.state / "data"), Settings)

    def opened(self, path: Path | None = None) -> Document:
        return self.workspace().open_or_recover(path or self.file)


def prepare_edits(document: Document) -> None:
    for hp in (31, 32, 33):
        edit(document, hp)
    document.do(Remove((("countdowns", "gate"),)))
    document.undo()


def prepare_fight(document: Document) -> None:
    begin(document)
    document.save()
    many_acts(document, 12, lambda: None)


def prepare_reset(document: Document) -> None:
    prepare_fight(document)
    document.save()
    document.do(ResetToPrepared())


def prepare_saved(document: Document) -> None:
    prepare_fight(document)
    document.save()


def save(document: Document, place: Place) -> None:
    document.save()


def save_as(document: Document, place: Place) -> None:
    document.save_as(place.other)


def close(document: Document, place: Place) -> None:
    document.close()


def go_on(document: Document, place: Place) -> None:
    """Take the history of a closed document up again with a step, and save that."""
    document.close()
    again = place.opened()
    again.do(AddNote("One more"))
    again.save()


def close_long(document: Document, place: Place) -> None:
    recovery.MAX_BYTES = 4_000
    document.close()


Scenario = tuple[Callable[[Document], None], Callable[[Document, Place], None]]
SCENARIOS: dict[str, Scenario] = {
    "edits": (prepare_edits, save),
    "fight": (prepare_fight, save),
    "reset": (prepare_reset, save),
    "elsewhere": (prepare_fight, save_as),
    "close": (prepare_saved, close),
    "restart": (prepare_saved, go_on),
    "trimmed": (prepare_saved, close_long),
}


# Judging -------------------------------------------------------------------------------------------------------------


Seen = tuple[Encounter, list[JournalLine], list[object], Phrase | None]


def everything(document: Document) -> Seen:
    session = document.session
    steps: list[object] = [(step.serial, step.label, step.changes, step.lines) for step in session.history.applied]
    return session.encounter, list(session.journal()), steps, session.redo_label


def judge(place: Place, scenario: str, wanted: Seen) -> None:
    """Fail unless what a kill left is what the process had, or that and one act more, and nobody else is blamed."""
    document = place.opened()
    if scenario == "elsewhere" and everything(document) != wanted:  # the document has moved, with its log
        document.close()
        document = place.opened(place.other)
    found = everything(document)
    if scenario == "restart" and found != wanted:
        assert document.undo()
        assert everything(document)[:3] == wanted[:3]
        assert document.redo()
    elif scenario == "trimmed" and found != wanted:
        steps = found[2]
        assert steps
        assert found == (wanted[0], wanted[1], wanted[2][-len(steps) :], wanted[3])
    else:
        assert found == wanted
    path, depth = document.path, document.session.history.depth
    assert path is not None
    if not document.is_modified:
        assert in_files(document.encounter) == in_files(read_files(path, SYSTEMS).encounter)
    document.do(AddNote("After the kill"))
    document.save()
    document.close()
    again = place.opened(path)
    assert (again.session.history.depth, again.was_recovered, again.is_modified) == (depth + 1, False, False)
    again.close()
    assert not list(path.parent.glob(f".{path.stem}.*.part"))
    assert not place.workspace().recoverable()
    assert {log.parent.name for log in place.state.rglob("*.log")} == {"history"}


def in_files(encounter: Encounter) -> list[Record]:
    return list(encounter) if is_running(encounter) else prepared(encounter)


def in_child(work: Callable[[], object]) -> int:
    """Do work in a fork of this process; return its exit code, negative for the signal that killed it."""
    pid = os.fork()
    if not pid:
        try:
            work()
        except BaseException:  # noqa: BLE001 # a fork must end here, whatever happened
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def kills(folder: Path, scenario: str, every: int = 1) -> int:
    """Kill a scenario at every boundary, or every so many; return how many kills there were."""
    prepare, act = SCENARIOS[scenario]
    place = Place(folder / scenario)
    place.begin(prepare)
    place.restore()
    wanted = everything(place.opened())
    number, count = 1, 0
    while True:
        place.restore()

        def work(at: int = number) -> None:
            document = place.opened()
            Killer(at)
            act(document, place)

        ended = in_child(work)
        if in_child(lambda: judge(place, scenario, wanted)):
            raise AssertionError(f"{scenario}, killed at {number}")
        if ended != -signal.SIGKILL:
            break
        number, count = number + every, count + 1
    assert not ended, f"{scenario} failed by itself"
    return count


if __name__ == "__main__":
    os.fsync = lambda _handle: None  # a killed process leaves the same, synced or not
    event_types()
    stages()
    for argument in sys.argv[2:] or SCENARIOS:
        name, _, every = argument.partition(":")
        print(name, kills(Path(sys.argv[1]), name, int(every or 1)), flush=True)
