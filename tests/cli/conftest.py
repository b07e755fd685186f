"""A small encounter to play scripts on, and a way to run the program in this process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from turnwright.cli import main
from turnwright.workspace.folders import HOME

TEXT = """\
format = 1
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


class Ran(NamedTuple):
    """What a run came to."""

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
    """Plays the lines of a script on the small encounter."""

    def played(script: str, *options: object) -> Ran:
        path = tmp_path / "script.txt"
        path.write_text(script, encoding="utf-8")
        return run("play", file, "--script", path, *options)

    return played
