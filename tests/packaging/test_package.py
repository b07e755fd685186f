"""What makes packages: its settings, its comparison of two results, and its shell scripts."""

import subprocess

import pytest

import package
from tests.conftest import ROOT
from tests.for_each import for_each


def test_the_settings_let_nothing_of_this_session_in(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    settings = package.settings()
    assert "PYTHONPATH" not in settings
    assert (settings["PYTHONHASHSEED"], settings["SOURCE_DATE_EPOCH"]) == ("0", "1700000000")
    assert settings["QT_QPA_PLATFORM"] == "offscreen"


def test_without_a_commit_the_time_is_that_of_the_tree(monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    monkeypatch.setenv("PATH", "")
    assert package.epoch() == int((ROOT / "pyproject.toml").stat().st_mtime)


def test_two_results_that_differ_are_told_file_by_file(tmp_path, capsys):
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
        (folder / "same").write_bytes(b"1")
        (folder / "link").symlink_to("same")
    package.compare(one, other)
    assert capsys.readouterr().out == "made twice: 2 files, 0 differ\n"
    (other / "same").write_bytes(b"2")
    (other / "more").touch()
    with pytest.raises(SystemExit, match="1"):
        package.compare(one, other)
    assert capsys.readouterr().out == "made twice: 2 files, 2 differ\n   more\n   same\n"


@for_each(
    "script",
    [
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "packaging").rglob("*"))
        if path.is_file() and path.read_bytes().startswith(b"#!/bin/sh")
    ],
)
def test_the_shell_reads_each_script(script):
    done = subprocess.run(["sh", "-n", str(ROOT / script)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
