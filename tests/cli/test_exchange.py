"""`turnwright import`, `export`, `backup` and `restore`."""

from __future__ import annotations

import json

import pytest

from turnwright.workspace.folders import HOME, folders

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


def test_export_of_an_encounter_comes_back_by_import(run, file, tmp_path):
    out = tmp_path / "out.json"
    ran = run("export", file, "-o", out)
    assert ran.code == 0
    assert ran.out.splitlines()[-1] == str(out)
    assert "countdowns: has no place there" in ran.out
    back = json.loads(run("import", out, "--into", tmp_path / "in", "--json").out)
    assert {one["kind"] for one in back["placed"]} == {"creature", "encounter"}


def test_export_as_toml_and_of_library_files(run, file, tmp_path):
    ran = run("export", file, "-o", tmp_path / "out", "--format", "toml")
    folder = tmp_path / "out" / "on-the-ice"
    assert ran.out.strip() == str(folder)
    files = sorted(folder.iterdir())
    assert [path.name for path in files] == ["mira.toml", "raider.toml"]
    assert run("check", *files).code == 0
    assert run("export", *files, "-o", tmp_path / "both.json").code == 0
    assert len(json.loads((tmp_path / "both.json").read_text(encoding="utf-8"))["Creatures"]) == 2


def test_export_says_what_it_cannot_read_or_write(run, file, tmp_path):
    assert "there is no such file" in run("export", tmp_path / "gone.toml", "-o", tmp_path / "x").err
    assert run("export", file, file, "-o", tmp_path / "x").code == 1
    ran = run("export", file, "-o", tmp_path / "no" / "x.json")
    assert ran.code == 1
    assert "No such file" in ran.err
    assert not (tmp_path / "x").exists()


def test_backup_and_restore(run, file, tmp_path):
    library = folders().library
    run("export", file, "-o", library, "--format", "toml")
    ran = run("backup", tmp_path / "b.zip")
    assert (ran.code, ran.out) == (0, f"2 files in {tmp_path / 'b.zip'}\n")
    ran = run("restore", tmp_path / "b.zip")
    assert ran.code == 0
    assert str(library) in ran.out
    assert len(list(library.rglob("*.toml"))) == 2
    ran = run("restore", file)
    assert ran.code == 1
    assert "nothing was changed" in ran.err
