"""Bad input at the shell: a message in words and an exit code, and never a traceback."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from tests.systems.toy import DATA as TOY
from turnwright.bootstrap import RuleSystems
from turnwright.cli import main
from turnwright.rules.parts.d20_family import d20_system
from turnwright.storage.system_data import read_system_data


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "script.txt"
    path.write_text("start “now”\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("verb", ["check", "play", "screenshot"])
@pytest.mark.parametrize("what", ["nothing", "folder", "binary", "root"])
def test_a_file_that_is_none_is_said_in_one_line(run, tmp_path, script, verb, what):
    paths = {"nothing": tmp_path / "no.toml", "folder": tmp_path, "binary": tmp_path / "b.toml", "root": Path("/")}
    paths["binary"].write_bytes(bytes(range(256)))
    more = {"play": ("--script", script), "screenshot": ("-o", tmp_path / "x.png")}.get(verb, ())
    ran = run(verb, paths[what], *more)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"{paths[what]}:1: ")
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"start\nnote \xff\n", "not a UTF-8 text file"), (b"start\n\0\n", "contains a NUL byte")],
)
@pytest.mark.parametrize("verb", ["play", "screenshot"])
def test_a_script_that_is_no_text_is_said_with_its_own_name(run, file, tmp_path, verb, data, said):
    path = tmp_path / "noise.txt"
    path.write_bytes(data)
    ran = run(verb, file, "--script", path, *(("-o", tmp_path / "x.png") if verb == "screenshot" else ()))
    assert ran.code == 1
    assert ran.err.startswith(f"{path}:1: {said}")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("odds", "countdown", "--dice", "5", "--speed", "glacial"),
            "unknown speed 'glacial'; expected one of slow, medium, fast",
        ),
        (("odds", "countdown", "--dice", "5", "--system", "chess"), "unknown rule system 'chess'; expected one of a5e"),
        (("screenshot", "x.toml", "-o", "x.png", "--size", "huge"), "such as 1280x800"),
        (("screenshot", "x.toml", "-o", "x.png", "--size", "12x12"), "such as 1280x800"),
        (
            ("screenshot", "x.toml", "-o", "x.png", "--panel", "attic"),
            "unknown panel 'attic'; expected one of library, roster, suggest, map, ",
        ),
        (("play", "x.toml", "--script", "x", "--seed", "many"), "at most 18 digits; found 'many'"),
        (("play", "x.toml", "--script", "x", "--seed", "9" * 30), "at most 18 digits"),
    ],
)
def test_a_wrong_word_is_bad_usage_and_says_which_are_right(run, arguments, said):
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


@pytest.mark.parametrize("line", ["undo 0", "undo -3", "redo 0"])
def test_no_steps_can_t_be_taken_back(play, line):
    ran = play(f"start\n{line}\n")
    assert (ran.code, "the number of steps must be at least 1" in ran.err) == (1, True)


def test_a_place_that_can_t_be_written_is_said_with_the_script_s_line(play, tmp_path, monkeypatch):
    def full(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "/somewhere/.part")

    monkeypatch.setattr("turnwright.workspace.files.replace_atomically", full)
    ran = play("start\nsave\n")
    assert ran.code == 1
    assert "script.txt:2: nothing was saved: Permission denied\n" in ran.err


@pytest.mark.soak
def test_letters_that_a_terminal_lacks_are_written_as_well_as_it_goes(shell, file, script):
    ran = shell("play", file, "--script", script, env={"PYTHONIOENCODING": "ascii"})
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "\\u201cnow\\u201d" in ran.stdout


def test_control_characters_of_names_do_nothing_to_a_terminal(shell, tmp_path, script):
    path = tmp_path / "evil\x1b[2J.toml"
    path.write_text(
        'format = 3\nsystem = "a5e"\n[creatures.owl]\nname = "Evil\\u001b[31m"\n[roster.owl]\ncreature = "owll"\n'
    )
    moves = tmp_path / "moves.txt"
    moves.write_text('start\nnote "\x9b31m\x07"\n')
    for ran in (shell("check", path), shell("play", path, "--script", moves)):
        printed = ran.stdout + ran.stderr
        assert "\\x1b[2J" in printed
        assert not [letter for letter in printed if not letter.isprintable() and letter != "\n"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_json_is_json_whatever_stands_in_it(shell, tmp_path, encoding):
    path = tmp_path / "evil.toml"
    text = 'format = 3\nsystem = "a5e"\n[creatures.owl]\nname = "Owl"\n"\\u007f\\u0093\u00e9\U0001f989" = 1\n'
    path.write_text(text, encoding="utf-8")
    ran = shell("check", "--json", path, env={"PYTHONIOENCODING": encoding})
    (finding,) = json.loads(ran.stdout)
    assert "\x93\u00e9\U0001f989" in finding["key"]
    assert not [letter for letter in ran.stdout if not letter.isprintable() and letter != "\n"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_full_disk_is_said(shell, file, script):
    with Path("/dev/full").open("w") as full:
        ran = shell("play", file, "--script", script, stdout=full)
    assert (ran.returncode, ran.stderr) == (1, "turnwright: No space left on device\n")


def test_an_interrupted_program_ends_quietly(file, capsys, monkeypatch):
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("turnwright.cli.check.checked_file", interrupted)
    assert main(["check", str(file)]) == 128 + signal.SIGINT
    assert capsys.readouterr() == ("", "")


def test_an_error_in_a_system_s_data_is_told_with_file_line_and_key(tmp_path, capsys):
    folder = tmp_path / "toy"
    folder.mkdir()
    data = (TOY / "toy.toml").read_text()
    line = len(data.splitlines()) + 3
    (folder / "toy.toml").write_text(data + '\n[conditions.rattled]\nnaem = "Rattled"\nname = "Rattled"\n')
    file = tmp_path / "hedge.toml"
    file.write_text('format = 3\nsystem = "toy"\ntitle = "Hedge"\n')
    systems = RuleSystems({"toy": lambda: d20_system(read_system_data("toy", folder=folder))})
    assert main(["check", str(file)], systems=systems) == 1
    assert capsys.readouterr().err.startswith(f"{folder / 'toy.toml'}:{line}: conditions.rattled.naem: unknown key")
