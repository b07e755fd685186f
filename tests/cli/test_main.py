"""The command line as a whole: bad usage, version and help, and verbs that need neither Qt nor a display."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys

import pytest

from turnwright import __version__


@pytest.mark.parametrize(
    "arguments",
    [
        ("odds", "countdown", "--dice", 0),
        ("odds", "countdown", "--dice", 5, "--speed", "sluggish"),
        ("odds", "countdown", "--dice", 5, "--system", "chess"),
        ("odds", "countdown"),
        ("odds", "roll", "2d6 +"),
        ("odds",),
        ("check",),
        ("play", "x.toml"),
        ("screenshot", "x.toml", "-o", "x.png", "--size", "big"),
        ("--sideways",),
    ],
)
def test_bad_usage_is_said_with_2(run, arguments):
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err


def test_the_version_comes_with_those_of_python_and_qt_and_with_the_places_of_files(run, tmp_path):
    said = run("--version")
    assert said.code == 0
    assert said.lines[:2] == [f"turnwright {__version__}", f"Python {platform.python_version()}"]
    assert re.fullmatch(r"Qt 6\.\d+\.\d+", said.lines[2])
    places = dict(line.split(": ") for line in said.lines[4:])
    assert places["log"] == str(tmp_path / "home" / "state" / "turnwright.log")
    assert places["library"] == str(tmp_path / "home" / "data" / "library")


def test_the_versions_are_told_where_qt_cannot_be_loaded(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "PySide6.QtCore", None)
    assert run("--version").lines[2] == "Qt -"


def test_help_names_the_verbs(run):
    assert "turnwright check FILE" in run("--help").out


def test_no_verb_without_a_window_imports_qt(file, tmp_path, repository):
    script = tmp_path / "script.txt"
    script.write_text("start\nsave\n")
    code = f"""
import sys
from turnwright.cli import main
assert main(["check", {str(file)!r}]) == 0
assert main(["odds", "roll", "2d6+3"]) == 0
assert main(["odds", "countdown", "--dice", "5"]) == 0
assert main(["play", {str(file)!r}, "--script", {str(script)!r}]) == 0
print(sorted(name for name in sys.modules if name.partition(".")[0] in ("PySide6", "pyqtgraph", "tomlkit")))
"""
    environment = os.environ | {"PYTHONPATH": str(repository / "desktop"), "TURNWRIGHT_HOME": str(tmp_path / "home")}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    assert ran.stderr == ""
    assert ran.stdout.splitlines()[-1] == "[]"


def test_python_m_turnwright_is_the_same_program(repository):
    environment = os.environ | {"PYTHONPATH": str(repository / "desktop")}
    command = [sys.executable, "-m", "turnwright", "odds", "roll", "1d2", "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert (ran.returncode, json.loads(ran.stdout)["distribution"]) == (0, {"1": 0.5, "2": 0.5})
