"""The command line as a whole: bad usage, version and help, and verbs that need neither Qt nor a display."""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys

import pytest

from tests.for_each import for_each
from turnwright import __version__
from turnwright.cli import window_command
from turnwright.cli.commands import SUBCOMMANDS


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


def actions_of(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return parser._actions  # noqa: SLF001 - argparse has no other list of them


def kinds_of(parser: argparse.ArgumentParser) -> list[argparse._SubParsersAction]:
    return [action for action in actions_of(parser) if isinstance(action, argparse._SubParsersAction)]  # noqa: SLF001


def parsers() -> list[argparse.ArgumentParser]:
    """Return the parser of the window, and those of all verbs and their kinds."""
    outer = [window_command()[0], *(make()[0] for make in SUBCOMMANDS.values())]
    return outer + [inner for parser in outer for kinds in kinds_of(parser) for inner in kinds.choices.values()]


def test_help_lists_every_verb(run):
    listed = re.findall(r"^  turnwright ([a-z-]+) .*  [a-z]", run("--help").out, re.MULTILINE)
    assert set(listed) == SUBCOMMANDS.keys()


@for_each("parser", parsers(), ids=lambda parser: parser.prog)
def test_every_argument_has_a_help_text(parser):
    assert parser.description
    kinds = kinds_of(parser)
    assert [action.dest for action in actions_of(parser) if not action.help and action not in kinds] == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("frobnicate",), "'frobnicate' isn't a verb or a file; `turnwright --help` lists the verbs"),
        (("forcast", "x.toml"), "'forcast' isn't a verb or a file (did you mean 'forecast'?)"),
        (("forcast", "x.toml", "--seed", "3"), "'forcast' isn't a verb or a file (did you mean 'forecast'?)"),
        (("--quit-when-shown", "chek"), "'chek' isn't a verb or a file (did you mean 'check'?)"),
        (("take-bak", "."), "'take-bak' isn't a verb or a file; `turnwright --help` lists the verbs"),
    ],
)
def test_a_mistyped_verb_is_not_taken_for_a_file(run, words, message):
    assert run(*words) == (2, "", f"turnwright: {message}\n")


@pytest.mark.parametrize("name", ["forcast", "gone.toml", "GONE.TOML"])
def test_an_existing_file_or_a_toml_file_is_opened(run, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    if name == "forcast":
        (tmp_path / name).touch()
    monkeypatch.setattr("turnwright.cli.window.has_display", lambda: False)
    assert "there is no display" in run(name).err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("handout", "x.toml", "-o", "x.docx"), "unknown ending '.docx'; expected .pdf, .png or .svg"),
        (("screenshot", "x.toml", "-o", "x.gif"), "unknown ending '.gif'; expected .png, .jpg, .jpeg or .webp"),
        (("screenshot", "x.toml", "-o", "x"), "the ending is missing; expected .png, .jpg, .jpeg or .webp"),
        (
            ("map", "export", "x.toml", "-o", "x.png"),
            "unknown ending '.png'; expected .dd2vtt, .uvtt, .df2vtt or .json",
        ),
        (("export", "x.toml", "-o", "x.xml"), "unknown ending '.xml'; expected .json"),
        (("backup", "x.tar"), "unknown ending '.tar'; expected .zip"),
    ],
)
def test_an_output_name_with_an_unknown_ending_is_an_error(run, tmp_path, monkeypatch, words, expected):
    monkeypatch.chdir(tmp_path)
    ran = run(*words)
    assert (ran.code, ran.out) == (2, "")
    assert expected in ran.err
    assert not (tmp_path / words[-1]).exists()


def test_old_names_still_work(run, file, tmp_path):
    assert run("take-back", tmp_path).err == f"turnwright undo-import: {tmp_path} is not the folder of an import\n"
    ran = run("handout", file, "-o", tmp_path / "x.pdf", "--edition", "game-master", "--kind", "stat-blocks")
    assert (ran.code, ran.err) == (0, "")
    assert "flees-at" in run("forecast", file, "--foes", "flees-at=x").err
    assert "unknown panel 'attic'" in run("screenshot", file, "-o", tmp_path / "x.png", "--dock", "attic").err


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
