"""`turnwright export`: an encounter or creatures for another program, or as library files."""

from __future__ import annotations

import json

import pytest

from turnwright.workspace.settings import HOME


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv(HOME, str(tmp_path / "home"))


def test_export_of_an_encounter_comes_back_by_import(run, file, tmp_path):
    out = tmp_path / "out.json"
    ran = run("export", file, "-o", out)
    assert ran.code == 0
    assert ran.out.splitlines()[-1] == str(out)
    assert "countdowns: not supported by Improved Initiative; left out" in ran.out
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


def test_export_for_programs_that_share_creatures(run, file, tmp_path):
    ran = run("export", file, "-o", tmp_path / "out", "--format", "foundry")
    folder = tmp_path / "out" / "on-the-ice"
    assert ran.out.splitlines()[-1] == str(folder)
    assert sorted(path.name for path in folder.iterdir()) == ["mira.json", "raider.json"]
    back = json.loads(run("import", folder, "--into", tmp_path / "in", "--json").out)
    assert {one["format"] for one in back["placed"]} == {"foundry-a5e"}
    ran = run("export", file, "-o", tmp_path / "out.md", "--format", "homebrewery")
    assert "can't be stored in this format; left out" in ran.out
    assert (tmp_path / "out.md").read_text(encoding="utf-8").count("{{monster,frame") == 2
    assert run("export", file, "-o", tmp_path / "out.json", "--format", "homebrewery").code == 2
    assert (
        "isn't for creatures of the rule system pf2e"
        in run("export", "resources/library/pf2e/cider-ogre.toml", "-o", tmp_path / "x.json", "--format", "5etools").err
    )


def test_export_says_what_it_cannot_read_or_write(run, file, tmp_path):
    assert "file not found" in run("export", tmp_path / "gone.toml", "-o", tmp_path / "x").err
    assert run("export", file, file, "-o", tmp_path / "x").code == 1
    ran = run("export", file, "-o", tmp_path / "no" / "x.json")
    assert ran.code == 1
    assert "No such file" in ran.err
    assert not (tmp_path / "x").exists()
