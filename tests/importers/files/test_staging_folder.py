"""The folder of a running import: invisible until it is moved in whole, and removed after a crash."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from turnwright.encounter.prepared import Countdown, Creature, Scene
from turnwright.encounter.state import Encounter
from turnwright.importers.files.pending_import import PREFIX, StagingFolder, remove_stale
from turnwright.importers.results import ImportedRecord
from turnwright.storage.encounters import read_encounter
from turnwright.storage.library.entries import Library, read_library_file

BANDIT = ImportedRecord("Bandit", Creature(id="bandit", name="Bandit", hp=11), "a5e")


def test_what_is_put_is_seen_once_it_is_moved_in(tmp_path: Path) -> None:
    with StagingFolder(tmp_path, "My things!") as stage:
        assert stage.add(BANDIT) == ("creature", "bandit", "bandit.toml")
        assert stage.add(BANDIT) == ("creature", "bandit", "bandit-2.toml")
        assert Library(tmp_path).entries() == ()
        folder = stage.commit()
    assert folder == tmp_path / "my-things"
    assert read_library_file(folder / "bandit.toml") == (BANDIT.record, ())
    assert [entry.name for entry in Library(tmp_path).entries()] == ["Bandit", "Bandit"]
    assert [path.name for path in tmp_path.iterdir()] == ["my-things"]


def test_a_place_and_an_encounter_are_written_as_what_they_are(tmp_path: Path) -> None:
    encounter = Encounter((Scene(title="At the ford"), Creature(id="bandit", name="Bandit")))
    with StagingFolder(tmp_path, "x") as stage:
        assert stage.add(ImportedRecord("Flood", Countdown(id="flood", name="Flood"), "a5e"))[0] == "countdown"
        kind, id, name = stage.add(ImportedRecord("At the ford", encounter, "a5e"))
        folder = stage.commit()
    assert (kind, id, name) == ("encounter", "at-the-ford", "at-the-ford.toml")
    assert read_encounter(folder / name, {"a5e"}).encounter == encounter


def test_whoever_leaves_without_moving_leaves_nothing(tmp_path: Path) -> None:
    with StagingFolder(tmp_path, "x") as stage:
        stage.add(BANDIT)
        assert list(tmp_path.iterdir())
    assert list(tmp_path.iterdir()) == []


def test_a_stage_that_nothing_was_put_into_makes_no_folder(tmp_path: Path) -> None:
    with StagingFolder(tmp_path / "library", "x"):
        pass
    assert not (tmp_path / "library").exists()


@pytest.mark.parametrize("taken", ["file", "folder", "empty folder", "dangling link", "link"])
def test_a_name_that_is_taken_is_left_alone(tmp_path: Path, taken: str) -> None:
    target = tmp_path / "x"
    if taken == "file":
        target.write_text("mine", encoding="utf-8")
    elif taken.endswith("link"):
        target.symlink_to(tmp_path if taken == "link" else tmp_path / "nowhere")
    else:
        target.mkdir()
        if taken == "folder":
            (target / "mine.toml").write_text("mine", encoding="utf-8")
    with StagingFolder(tmp_path, "x") as stage:
        stage.add(BANDIT)
        assert stage.commit() == tmp_path / "x-2"
    assert [path.name for path in (tmp_path / "x-2").iterdir()] == ["bandit.toml"]
    assert target.is_symlink() == taken.endswith("link")
    assert not target.is_dir() or not (target / "bandit.toml").exists()


def test_a_name_that_is_taken_at_the_last_moment_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rename = Path.rename

    def late(self: Path, target: Path) -> Path:
        if target.name == "x":
            target.mkdir()
            (target / "theirs.toml").write_text("theirs", encoding="utf-8")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", late)
    with StagingFolder(tmp_path, "x") as stage:
        stage.add(BANDIT)
        assert stage.commit() == tmp_path / "x-2"
    assert [path.name for path in (tmp_path / "x").iterdir()] == ["theirs.toml"]


def test_a_folder_that_cannot_be_moved_in_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_self: Path, _target: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "rename", refuse)
    with StagingFolder(tmp_path, "x") as stage:
        stage.add(BANDIT)
        with pytest.raises(PermissionError):
            stage.commit()
    assert list(tmp_path.iterdir()) == []


def test_only_what_nobody_writes_to_any_more_is_cleared(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    names = [f"{PREFIX}{ended.pid}-a", f"{PREFIX}{os.getpid()}-b", f"{PREFIX}{os.getppid()}-c", f"{PREFIX}odd", "mine"]
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.toml").write_text("x", encoding="utf-8")
    (tmp_path / f"{PREFIX}{ended.pid}-link").symlink_to(tmp_path / "mine")
    remove_stale(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} >= set(names[1:])
    assert not (tmp_path / names[0]).exists()
    assert (tmp_path / "mine" / "x.toml").exists()


def test_others_may_read_the_folder_as_they_may_any_new_one(tmp_path: Path) -> None:
    (tmp_path / "usual").mkdir()
    with StagingFolder(tmp_path, "x") as stage:
        stage.add(BANDIT)
        folder = stage.commit()
    assert folder.stat().st_mode == (tmp_path / "usual").stat().st_mode
