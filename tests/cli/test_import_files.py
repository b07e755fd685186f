"""`turnwright import`: foreign files into a folder of the library, with a report."""

from __future__ import annotations

import json

import pytest

from turnwright.workspace.folders import HOME

GOBLIN = {"Name": "Gob\x1b[31mlin", "HP": {"Value": 7}, "AC": {"Value": 15}, "Speed": ["30 ft."], "Challenge": "1/4"}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv(HOME, str(tmp_path / "home"))


@pytest.fixture
def theirs(tmp_path):
    path = tmp_path / "theirs.json"
    path.write_text(json.dumps([GOBLIN, {"Name": "Odd", "HP": {"Value": "?"}}]), encoding="utf-8")
    return path


def test_import_says_what_came_in_and_what_could_not_be_read(run, theirs, tmp_path):
    ran = run("import", theirs, "--into", tmp_path / "in")
    assert ran.code == 1
    assert ran.out.splitlines()[0] == "1 creature (dnd5e)"
    assert ran.out.splitlines()[-1] == str(tmp_path / "in" / "theirs")
    assert "Odd: " in ran.err
    assert "\x1b" not in ran.out + ran.err


def test_import_as_json_has_every_record_and_report(run, theirs, tmp_path):
    ran = run("import", theirs, "--into", tmp_path / "in", "--json", "--system", "a5e")
    found = json.loads(ran.out)
    assert [one["system"] for one in found["placed"]] == ["a5e"]
    assert [one["record"] for one in found["unread"]] == ["Odd"]


def test_import_into_what_is_no_folder_says_so(run, theirs, tmp_path):
    (tmp_path / "in").write_text("x", encoding="utf-8")
    ran = run("import", theirs, "--into", tmp_path / "in")
    assert (ran.code, ran.out) == (1, "")
    assert "nothing was imported" in ran.err


def test_import_by_rules_that_nobody_knows_is_bad_usage(run, theirs, tmp_path):
    assert run("import", theirs, "--into", tmp_path, "--system", "chess").code == 2
