"""The running window is killed again and again while it plays by itself; each time the document is as it was.

The parent repeats every act that the window said it had painted, on the state that was left the time before. What is
recovered must be that, or that and one act more: encounter, journal, and what undo and redo lead through. Half of the kills
fall inside a save, which the next process must not take for a change by another program.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from tests.automatic import BareHands, acts
from tests.soak.driver import LEAST, digest
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Scene
from turnwright.encounter.running import Dice
from turnwright.encounter.state import Encounter
from turnwright.play.kernel.events import JournalLine
from turnwright.play.kernel.transaction import Command, Refused
from turnwright.play.session import Session
from turnwright.storage.encounters import read_encounter
from turnwright.storage.resources import sample_encounters
from turnwright.workspace.document import AppContext, Document
from turnwright.workspace.settings import HOME, Folders, Settings

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
DRIVER = Path(__file__).with_name("driver.py")
KILLS_A_LIFE = 10
LIVES = 10
EARLY = 0.15  # how many of the other kills fall into the start of the program, the reading of the log included
BOUNDARIES = 70  # of a save, about; a kill at a later one falls right after it
SYSTEMS = RuleSystems()
OTHERS = ("edits", "fight", "reset", "elsewhere", "restart", "trimmed")
EXACTLY = "exactly what was painted"


class Painted(NamedTuple):
    """What the window said after a paint."""

    acts: int
    digest: int


class WindowHands(BareHands):
    """Moves a session as the window does, where a rule that is broken is only told."""

    def do(self, command: Command) -> bool:
        try:
            return self.session.do(command) is not None
        except Refused:
            return False


class Life:
    """One encounter file with a home of its own, played by one process after another."""

    def __init__(self, sample: Path, folder: Path, repository: Path) -> None:
        folder.mkdir()
        self.file = folder / sample.name
        self.file.write_bytes(sample.read_bytes())
        self.text = sample.read_bytes()
        self.prepared = prepared(self.file)
        self._folder = folder
        self._home = folder / "home"
        path = os.pathsep.join((str(repository / "desktop"), str(repository)))
        self._environment = {**os.environ, HOME: str(self._home), "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": path}

    def plays_until_killed(self, seed: int, random: Random, most: int, *, saving: bool, early: bool) -> list[Painted]:
        """Start the window, let it paint for a while, kill it, and return what it said."""
        errors = self._folder / "errors.txt"
        save = [str(random.randint(1, most)), str(random.randint(1, BOUNDARIES))] if saving else []
        with (
            errors.open("wb") as sink,
            subprocess.Popen(
                [sys.executable, DRIVER, self.file, str(seed), *save],
                stdout=subprocess.PIPE,
                stderr=sink,
                env=self._environment,
            ) as window,
        ):
            assert window.stdout is not None
            if saving:
                lines = window.stdout.read().splitlines()
                window.wait()
            elif early:
                self._waits(window, random.uniform(0, 1.2))
                lines = []
            else:
                lines = [window.stdout.readline() for _ in range(random.randint(1, most))]
                self._waits(window, random.uniform(0, 0.02))
            window.kill()
            lines += window.stdout.read().splitlines()
        assert window.returncode == -signal.SIGKILL, errors.read_text(encoding="utf-8")
        return [Painted(*map(int, line.split())) for line in lines]

    def left(self) -> Document | None:
        """What the process that is gone has left, out of a copy of its logs; None for nothing."""
        copy = self._folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        if (self._home / "state").is_dir():
            shutil.copytree(self._home / "state", copy)
        if not list(copy.rglob("*.log")):
            return None
        places = Folders(copy, self._folder / "no-config", self._folder / "no-data")
        document = AppContext(SYSTEMS, places, Settings).open_or_recover(self.file)
        assert document.session.history.depth
        assert not document.changed_on_disk(), "another program is blamed"
        return document

    def _waits(self, window: subprocess.Popen[bytes], seconds: float) -> None:
        with suppress(subprocess.TimeoutExpired):
            window.wait(seconds)


def everything(session: Session) -> tuple[object, ...]:
    """All that a person could tell a session by; events are not read from a history."""
    history = session.history
    steps = [
        msgspec.structs.replace(step, events=(), lines=timeless(step.lines))
        for step in (*history.applied, history.next)
        if step is not None
    ]
    return session.encounter, timeless(session.journal()), history.depth, tuple(steps)


def timeless(lines: Iterable[JournalLine]) -> tuple[JournalLine, ...]:
    """Lines of the journal without the seconds that turns took, which no two of them share."""
    return tuple(
        replace(line, facts=tuple(replace(one, amount=0) if one.kind == "turn" else one for one in line.facts))
        for line in lines
    )


def prepared(file: Path) -> Encounter:
    loaded = read_encounter(file, SYSTEMS.ids)
    assert loaded.encounter is not None
    return loaded.encounter


def without_dice(encounter: Encounter) -> Encounter:
    return Encounter(record for record in encounter if not isinstance(record, Dice))


def taken_back(document: Document) -> Encounter:
    """What all undo leads to."""
    steps = document.session.history.depth
    assert sum(document.undo() for _ in range(steps)) == steps
    assert not document.undo()
    return document.encounter


def kills(life: Life, random: Random, count: int, most: int, early: float) -> Counter[str]:
    """Kill a life so many times, every other time in a save, and hold what is left each time against what was painted."""
    came_to: Counter[str] = Counter()
    before: Document | None = None
    for number in range(count):
        seed, saving = random.randrange(1_000_000), number % 2 == 1
        painted = life.plays_until_killed(seed, random, most, saving=saving, early=random.random() < early)
        left, again = life.left(), life.left()
        if left is None or again is None:
            assert before is None, "what an earlier process left is gone"
            assert all(one.acts == 0 for one in painted)
            came_to["nothing done yet"] += 1
            continue
        first = taken_back(again)
        assert without_dice(first) == life.prepared
        again.save_as(life.file.with_name("undone.toml"))
        assert life.file.with_name("undone.toml").read_bytes() == life.text, "undone, but not to the text it had"
        shadow = (
            before.session if before is not None else Session(first, SYSTEMS.get(first.need(Scene, "scene").system))
        )
        judged = _judge(left.session, shadow, painted, seed)
        came_to[judged] += 1
        if saving:
            assert judged == EXACTLY
            came_to["in a save"] += 1
            came_to["saved by then"] += not left.is_modified
        came_to["acts painted"] += painted[-1].acts if painted else 0
        before = left
    return came_to


def _judge(left: Session, shadow: Session, painted: list[Painted], seed: int) -> str:
    """Repeat what was painted on `shadow`, and return how what is left compares."""
    random, hands, done = Random(seed), WindowHands(shadow), 0
    for one in painted:
        while done < one.acts:
            acts(hands, random, least=LEAST)
            done += 1
        assert digest(shadow.encounter) == one.digest, "the window does not show what was done"
    if everything(left) == everything(shadow):
        return EXACTLY
    acts(hands, random, least=LEAST)
    assert everything(left) == everything(shadow), f"neither {done} nor {done + 1} acts"
    return "one act more"


@pytest.mark.parametrize(
    "scenario", ["fight:7", "close", *(pytest.param(one, marks=pytest.mark.soak) for one in OTHERS)]
)
def test_a_save_killed_at_every_boundary_leaves_what_there_was(scenario, tmp_path, repository):
    path = os.pathsep.join((str(repository / "desktop"), str(repository)))
    ran = subprocess.run(
        [sys.executable, "-m", "tests.workspace.kill_points", tmp_path, scenario],
        capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout.split()[-1]) >= 4


@pytest.mark.soak
def test_a_window_killed_twice_leaves_what_it_painted(tmp_path, repository):
    life = Life(sample_encounters()[0], tmp_path / "life", repository)
    came_to = kills(life, Random(3), 2, most=12, early=0)
    assert came_to[EXACTLY] + came_to["one act more"] == 2


@pytest.mark.soak
@pytest.mark.parametrize("number", range(LIVES))
def test_a_window_killed_again_and_again_leaves_what_it_painted(number, tmp_path, repository, capsys):
    files = sample_encounters()
    life = Life(files[number % len(files)], tmp_path / "life", repository)
    came_to = kills(life, Random(number), KILLS_A_LIFE, most=40, early=EARLY)
    with capsys.disabled():
        print(f" {dict(came_to)}", end="")
    assert came_to[EXACTLY] + came_to["one act more"] + came_to["nothing done yet"] == KILLS_A_LIFE
