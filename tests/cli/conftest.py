"""Fixtures of the command line: a small encounter for scripts, and runs of the program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from turnwright.cli import main
from turnwright.workspace.settings import HOME

TEXT = """\
format = 3
system = "a5e"
title = "On the ice"

[creatures.raider]
name = "Raider"
hp = 12
initiative = 1
skills = { stealth = 3 }

[creatures.mira]
name = "Mira"
hp = 40
initiative = 2
resistances = ["cold"]

[roster.mira]
creature = "mira"
side = "players"
player = "Ann"

[roster.raiders]
creature = "raider"
count = 2

[roster.late]
creature = "raider"
name = "Straggler"
wave = "late"

[countdowns.ice]
name = "The ice"
dice = 2
speed = "medium"

[environments.frigid]
name = "Frozen ford"

[environments.frigid.actions.cold-chill]
name = "Cold chill"
affects = "each"
save = { ability = "con", dc = 12 }
damage = "2d6 cold"
recharge = 5
"""

SPEAR = """
[creatures.raider.features.spear]
name = "Spear"
cost = "action"
attack = 4
reach = 5
damage = "1d8 piercing"
"""
READY = """\
start
next
next
initiative mira 20 raiders-1 9 raiders-2 8
dice 1 1 1 1 1 1
next
skip
"""


class Ran(NamedTuple):
    """The result of a run: exit code, output and errors."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv(HOME, str(tmp_path / "home"))

    def ran(*arguments: object) -> Ran:
        code = main([str(argument) for argument in arguments])
        return Ran(code, *capsys.readouterr())

    return ran


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "ice.toml"
    path.write_text(TEXT, encoding="utf-8", newline="")
    return path


@pytest.fixture
def play(run: Run, file: Path, tmp_path: Path) -> Run:
    """Run the lines of a script on the small encounter."""

    def played(script: str, *options: object) -> Ran:
        path = tmp_path / "script.txt"
        path.write_text(script, encoding="utf-8")
        return run("play", file, "--script", path, *options)

    return played


@pytest.fixture
def done(play: Run, file: Path, request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Return the events of a script's lines, once Mira's first turn has begun; the message where it fails.

    The encounter is the small one with a spear for the raiders and what the module of the test has as `ARMED`.
    """

    def done(*lines: str, code: int = 0) -> Any:
        file.write_text(TEXT + SPEAR + request.module.ARMED, encoding="utf-8")
        ran = play(READY + "\n".join(lines) + "\n", "--json")
        assert ran.code == code, ran.err
        return ran.err if code else [json.loads(line) for line in ran.lines]

    return done


@pytest.fixture
def shell(repository: Path, tmp_path: Path):
    """Run the program in a process of its own, without a display."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("QT_", "DISPLAY", "WAYL"))}
    environment |= {"PYTHONPATH": str(repository / "desktop"), "TURNWRIGHT_HOME": str(tmp_path / "home")}

    def ran(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "turnwright", *map(str, arguments)],
            env={**environment, **options.pop("env", {})},
            stderr=subprocess.PIPE,
            text=True,
            timeout=600,
            check=False,
            **{"stdout": subprocess.PIPE, **options},
        )

    return ran
