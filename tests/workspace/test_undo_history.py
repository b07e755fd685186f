"""The undo history of a saved file outlives the program: kept by path and content, and bounded in size."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from tests.workspace.conftest import TEXT
from tests.workspace.steps import begin, edit, many_acts
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, Scene
from turnwright.play.setup.encounter_course import ResetToPrepared
from turnwright.play.setup.prepared_records import Edit, Remove
from turnwright.play.table.game_master import AddNote
from turnwright.storage.fights import fight_path
from turnwright.workspace import recovery
from turnwright.workspace.document import AppContext, Document
from turnwright.workspace.files import Leftovers, find_leftovers, read_files, sweep_logs
from turnwright.workspace.locks import DocumentLock, lock_name
from turnwright.workspace.recovery import history_path
from turnwright.workspace.settings import Folders, Settings

Opener = Callable[..., Document]


@pytest.fixture
def workspace(state: Path, tmp_path: Path, systems: RuleSystems) -> AppContext:
    return AppContext(systems, Folders(state, tmp_path / "config", tmp_path / "data"), Settings)


def labels(document: Document) -> list[object]:
    return [step.label for step in document.session.history.applied]


def undo_all(document: Document) -> None:
    for _ in labels(document):
        assert document.undo()
    assert not document.undo()


def saved_and_closed(document: Document) -> list[object]:
    document.save()
    document.close()
    return labels(document)


def left_by_a_kill(document: Document, state: Path, file: Path) -> None:
    """Leave a document as a killed process does: its log in the folder of recovery, its lock free."""
    log = state / "recovery" / f"{lock_name(file)}.log"
    data = log.read_bytes()
    document.close()
    history_path(state, lock_name(file)).unlink()
    log.write_bytes(data)


def test_a_saved_encounter_is_undone_after_a_restart_to_the_text_it_had(opened: Opener, file: Path) -> None:
    document = opened(seed=None)
    edit(document, 31)
    document.do(Remove((("countdowns", "gate"),)))
    before = saved_and_closed(document)
    assert "countdowns" not in file.read_text(encoding="utf-8")
    again = opened(seed=None)
    assert (labels(again), again.is_modified, again.was_recovered) == (before, False, False)
    undo_all(again)
    assert again.is_modified
    again.save()
    assert file.read_bytes() == TEXT.encode()
    again.close()
    third = opened(seed=None)
    assert third.redo()
    assert third.redo()
    third.save()
    assert third.encounter.need(Creature, "guard").hp == 31
    assert "countdowns" not in file.read_text(encoding="utf-8")


def test_a_saved_fight_is_undone_after_a_restart(opened: Opener, file: Path) -> None:
    document = opened()
    many_acts(document, 60, lambda: None)
    journal = list(document.session.journal())
    before = saved_and_closed(document)
    for _ in range(2):  # each restart goes on with the same history
        again = opened(seed=None)
        assert (labels(again), list(again.session.journal())) == (before, journal)
        assert not again.is_modified
        again.do(AddNote("Later"))
        before, journal = saved_and_closed(again), list(again.session.journal())
    last = opened(seed=None)
    undo_all(last)
    last.save()
    assert (file.read_bytes(), fight_path(file).exists()) == (TEXT.encode(), False)


def test_nothing_joins_the_last_step_of_an_earlier_process(opened: Opener) -> None:
    document = opened(seed=None)
    edit(document, 31, "drag")
    saved_and_closed(document)
    again = opened(seed=None)
    edit(again, 32, "drag")
    assert len(labels(again)) == 2


@pytest.mark.parametrize("name", ["gate.toml", "gate.fight.toml"])
def test_a_file_changed_outside_has_no_undo_history(opened: Opener, state: Path, file: Path, name: str) -> None:
    document = opened()
    edit(document, 31)
    begin(document)
    saved_and_closed(document)
    path = file.with_name(name)
    path.write_text(path.read_text(encoding="utf-8") + "\n# mine\n", encoding="utf-8")
    again = opened(seed=None)
    assert labels(again) == []
    assert not again.is_modified
    assert not history_path(state, lock_name(file)).exists()


def test_what_is_discarded_leaves_the_history_of_what_was_saved(
    opened: Opener, systems, state: Path, file: Path
) -> None:
    document = opened(seed=None)
    edit(document, 31)
    document.save()
    edit(document, 32)
    again = document.reopen(read_files(file, systems))
    assert again.encounter.need(Creature, "guard").hp == 31
    assert len(labels(again)) == 1
    edit(again, 33)
    again.close(discard=True)
    assert len(labels(opened(seed=None))) == 1
    assert find_leftovers(state) == Leftovers()


def test_what_was_never_saved_and_is_discarded_leaves_nothing(opened: Opener, state: Path) -> None:
    document = opened(seed=None)
    edit(document, 31)
    document.close(discard=True)
    assert list(state.rglob("*.log")) == []


def test_steps_that_lead_back_to_the_saved_content_are_kept(opened: Opener, state: Path) -> None:
    document = opened(seed=None)
    edit(document, 31)
    edit(document, 30)
    assert not document.is_modified
    document.close()
    assert len(labels(opened(seed=None))) == 2


def test_the_history_goes_along_to_another_name(opened: Opener, file: Path, tmp_path: Path) -> None:
    document = opened(seed=None)
    edit(document, 31)
    document.save()
    document.save_as(tmp_path / "other.toml")
    document.close()
    other = opened(tmp_path / "other.toml", seed=None)
    assert len(labels(other)) == 1
    assert other.path == tmp_path / "other.toml"
    other.close()
    assert labels(opened(seed=None)) == []


def test_a_link_to_a_file_has_its_history_and_stays_the_name(opened: Opener, file: Path) -> None:
    document = opened(seed=None)
    edit(document, 31)
    saved_and_closed(document)
    link = file.with_name("link.toml")
    link.symlink_to(file)
    again = opened(link, seed=None)
    assert (len(labels(again)), again.path, again.is_modified) == (1, link, False)
    again.undo()
    again.save()
    assert (link.is_symlink(), file.read_bytes()) == (True, TEXT.encode())


def test_a_fight_reset_after_a_save_is_taken_back_after_a_restart(opened: Opener, file: Path) -> None:
    document = opened()
    begin(document)
    fought = document.encounter
    document.save()
    document.do(ResetToPrepared())
    saved_and_closed(document)
    again = opened(seed=None)
    again.undo()
    assert again.encounter == fought
    again.save()
    assert fight_path(file).exists()


def test_a_reader_of_a_file_in_use_leaves_its_history_alone(opened: Opener, state: Path, file: Path) -> None:
    document = opened(seed=None)
    edit(document, 31)
    saved_and_closed(document)
    first, second = opened(seed=None), opened(seed=None)
    assert second.read_only
    assert labels(second) == []
    second.close()
    edit(first, 32)
    assert len(saved_and_closed(first)) == 2


def test_a_kill_after_a_save_loses_no_history(opened: Opener, workspace, state: Path, file: Path) -> None:
    document = opened(seed=None)
    many_acts(document, 30, lambda: None)
    document.save()
    before = labels(document)
    left_by_a_kill(document, state, file)
    again = workspace.open_or_recover(file)
    assert (labels(again), again.was_recovered, again.is_modified) == (before, False, False)
    again.do(AddNote("Going on"))
    again.save()
    again.close()
    assert [path.parent.name for path in state.rglob("*.log")] == ["history"]


def test_logs_of_saved_documents_are_tidied_away_at_a_start(opened: Opener, state: Path, file: Path) -> None:
    document = opened(seed=None)
    edit(document, 31)
    document.save()
    left_by_a_kill(document, state, file)
    assert find_leftovers(state) == Leftovers()
    assert [path.parent.name for path in state.rglob("*.log")] == ["history"]
    assert len(labels(opened(seed=None))) == 1


def test_a_log_set_aside_does_not_replace_the_history_of_an_open_file(opened: Opener, state: Path, file: Path) -> None:
    document = opened(seed=None)
    edit(document, 31)
    document.save()
    log = state / "recovery" / f"{lock_name(file)}.log"
    aside = log.with_name(f"{lock_name(file)}.2.log")
    data = log.read_bytes()
    edit(document, 32)
    saved_and_closed(document)
    again = opened(seed=None)
    aside.write_bytes(data)
    assert find_leftovers(state) == Leftovers()
    assert aside.exists()
    again.do(AddNote("Going on"))
    saved_and_closed(again)
    assert find_leftovers(state) == Leftovers()
    assert not aside.exists()
    assert len(labels(opened(seed=None))) == 3


def test_what_is_discarded_of_a_crash_leaves_the_history_of_what_was_saved(opened: Opener, workspace, file) -> None:
    document = opened(seed=None)
    edit(document, 31)
    document.save()
    edit(document, 32)
    document.close()
    (left,) = workspace.recoverable()
    workspace.discard(left)
    assert workspace.recoverable() == ()
    again = workspace.open_or_recover(file)
    assert (len(labels(again)), again.is_modified) == (1, False)
    again.close()


def test_a_history_that_can_t_be_read_is_dropped(opened: Opener, state: Path, file: Path) -> None:
    document = opened(seed=None)
    edit(document, 31)
    saved_and_closed(document)
    history = history_path(state, lock_name(file))
    history.write_bytes(history.read_bytes()[:30])
    again = opened(seed=None)
    assert labels(again) == []
    assert not history.exists()


def test_a_long_history_keeps_its_last_steps(opened: Opener, state: Path, file: Path, monkeypatch) -> None:
    monkeypatch.setattr(recovery, "MAX_BYTES", 20_000)
    document = opened()
    scene = document.encounter.need(Scene, "scene")
    document.do(Edit(msgspec.structs.replace(scene, notes="Somebody does.")))
    many_acts(document, 90, lambda: None)
    document.undo()
    document.do(AddNote("The last"))
    document.undo()
    journal = list(document.session.journal())
    following = document.session.redo_label
    before = saved_and_closed(document)
    assert history_path(state, lock_name(file)).stat().st_size < 40_000
    again = opened(seed=None)
    kept = labels(again)
    assert 3 < len(kept) < len(before)
    assert before[-len(kept) :] == kept
    assert list(again.session.journal()) == journal
    assert again.session.redo_label == following
    first = before[: -len(kept)]
    undo_all(again)
    for _ in kept:
        document.session.undo()
    assert labels(document) == first
    assert again.encounter == document.session.encounter
    again.save()
    assert not again.is_modified


def test_the_oldest_histories_are_dropped(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = state / "history"
    folder.mkdir(parents=True)
    for age in range(6):
        (folder / f"{age}.log").write_bytes(b"x" * 10)
        os.utime(folder / f"{age}.log", (1_000 - age, 1_000 - age))
    monkeypatch.setattr(recovery, "MAX_FILES", 5)
    sweep_logs(state)
    assert sorted(path.stem for path in folder.iterdir()) == ["0", "1", "2", "3", "4"]
    monkeypatch.setattr(recovery, "MAX_FOLDER_BYTES", 25)
    in_use = DocumentLock(state / "recovery", "3")
    in_use.acquire()
    sweep_logs(state)
    assert sorted(path.stem for path in folder.iterdir()) == ["0", "1", "3"]
