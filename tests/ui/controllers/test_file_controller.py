"""Files of the window: saving, closing, files that can't be opened, and recovery after a crash."""

from __future__ import annotations

import errno
import os
import sys
import threading
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QPushButton, QToolButton

from turnwright.encounter.prepared import Creature, Scene
from turnwright.play.setup.prepared_records import Edit
from turnwright.ui.application.app import InitialDocument
from turnwright.ui.application.crash_handler import ExceptionHook
from turnwright.ui.application.startup import offer_recovery, show_fault
from turnwright.ui.dialogs.imports.findings import FindingsDialog
from turnwright.ui.dialogs.recover import RecoverDialog
from turnwright.ui.docks.editing.inspector import change_system
from turnwright.ui.models.problems import ProblemsModel
from turnwright.ui.services.settings_store import SettingsStore
from turnwright.workspace.log_format import header
from turnwright.workspace.settings import recent_files, with_recent
from turnwright.workspace.versions import LogFile


def rename(window, title):
    window.document.execute(Edit(replace(window.document.encounter.need(Scene, "scene"), title=title)))


def title_in(path):
    return next(line for line in path.read_text().splitlines() if line.startswith("title"))


def button(monkeypatch, text):
    """Answer every question with the button of these words."""
    monkeypatch.setattr(QMessageBox, "exec", lambda box: None)
    monkeypatch.setattr(
        QMessageBox, "clickedButton", lambda box: next(each for each in box.buttons() if each.text() == text)
    )


def test_saving_writes_the_file_and_says_so(window, sample):
    actions = window.content.window_actions
    assert not actions.action("save").isEnabled()
    rename(window, "Elsewhere")
    assert window.isWindowModified()
    actions.run("save")
    assert title_in(sample) == 'title = "Elsewhere"'
    assert not window.isWindowModified()
    assert not actions.action("save").isEnabled()


def test_saving_elsewhere_goes_on_there(monkeypatch, window, tmp_path, sample):
    rename(window, "Elsewhere")
    target = tmp_path / "other"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    window.content.window_actions.run("save-as")
    assert window.document.source.path == target.with_suffix(".toml")
    assert title_in(target.with_suffix(".toml")) == 'title = "Elsewhere"'
    assert title_in(sample) != 'title = "Elsewhere"'
    assert window.content.file_controller.recent_files[0] == target.with_suffix(".toml")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["Session 1.2", "Dr. Evil's lair", "vs. the dragon"])
def test_a_name_with_a_dot_gets_the_ending_of_encounters(monkeypatch, window, tmp_path, name):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / name), ""))
    window.content.window_actions.run("save-as")
    assert window.document.source.path == tmp_path / f"{name}.toml"


def test_the_file_of_a_running_fight_is_no_place_for_an_encounter(monkeypatch, window, tmp_path, sample):
    target = tmp_path / "other.fight.toml"
    target.write_text("a fight")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    window.content.window_actions.run("save-as")
    assert (target.read_text(), window.document.source.path) == ("a fight", sample)
    assert "other.fight.toml" in window.messages().text()


def test_a_file_changed_by_another_is_not_written_over_unasked(window, sample):
    rename(window, "Mine")
    sample.write_text(sample.read_text().replace("The bridge at Cold Ford", "Theirs"))
    window.content.window_actions.run("save")
    assert title_in(sample) == 'title = "Theirs"'
    assert window.messages().isVisible()
    next(each for each in window.messages().findChildren(QPushButton) if each.text() == "Overwrite").click()
    assert title_in(sample) == 'title = "Mine"'


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("answer", "closes", "saved"), [("Save", True, True), ("Discard", True, False), ("Cancel", False, False)]
)
def test_leaving_with_something_unsaved_asks(monkeypatch, window, sample, answer, closes, saved):
    rename(window, "Unsaved")
    button(monkeypatch, answer)
    assert window.close() is closes
    assert (title_in(sample) == 'title = "Unsaved"') is saved


def test_a_fault_while_closing_leaves_the_window_open(monkeypatch, window):
    rename(window, "Unsaved")
    button(monkeypatch, "Save")
    monkeypatch.setattr(window.document.source, "save", lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        window.close()
    assert window.isVisible()


def test_a_log_that_cannot_be_written_is_told_once_and_the_work_goes_on(monkeypatch, window, qtbot):
    told = []
    monkeypatch.setattr(window.messages(), "notify", lambda text, *_, **__: told.append(text))

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    for title in ("One", "Two", "Three"):
        with qtbot.waitSignal(window.document.changed):
            rename(window, title)
        assert window.windowTitle().startswith(title)
    qtbot.wait(1)
    monkeypatch.undo()
    assert told == ["The recovery file could not be written: No space left on device. Save soon."]


def test_leaving_with_nothing_unsaved_asks_nothing(monkeypatch, window):
    monkeypatch.setattr(QMessageBox, "exec", lambda box: pytest.fail("asked"))
    assert window.close()


@pytest.mark.soak
def test_a_file_that_cannot_be_opened_names_its_first_error_before_all_warnings(window, tmp_path):
    broken = tmp_path / "broken.toml"
    broken.write_text('format = 3\ncolour = 3\ntitle = "Wolves"\nsystem = "a6e"\n', encoding="utf-8")
    before = window.document.source
    assert not window.content.file_controller.open(broken)
    assert window.document.source is before
    lead, reason = window.messages().text().splitlines()
    assert lead == "broken.toml was not opened: it has 1 error. Nothing was changed."
    assert reason.startswith('Line 4: system: unknown rule system "a6e"')
    next(each for each in window.messages().findChildren(QPushButton) if "all" in each.text()).click()
    dialog = next(each for each in window.findChildren(FindingsDialog) if each.isVisible())
    assert [dialog.tree.topLevelItem(row).text(0) for row in range(dialog.tree.topLevelItemCount())] == ["4", "2"]


def test_records_with_errors_are_listed_and_the_rest_opens(window, tmp_path):
    broken = tmp_path / "wolves.toml"
    wolves = '[creatures.wolf]\nname = "Wolf"\nhp = "many"\n[creatures.owl]\nname = "Owl"\n'
    broken.write_text(f'format = 3\nsystem = "a5e"\ntitle = "Wolves"\n{wolves}', encoding="utf-8")
    assert window.content.file_controller.open(broken)
    assert list(window.document.encounter.ids(Creature)) == ["owl"]
    lead, reason = window.messages().text().splitlines()
    assert lead.startswith("wolves.toml has 1 error.")
    assert reason.startswith("Line 6: creatures.wolf.hp: expected a whole number")
    (problem,) = ProblemsModel(window.document).problems
    assert (problem.severity, problem.place, problem.line) == ("error", "creatures.wolf.hp", 6)


def test_a_file_that_is_not_there_is_said(window, tmp_path):
    assert not window.content.file_controller.open(tmp_path / "none.toml")
    assert "none.toml" in window.messages().text()


def test_samples_open_as_encounters_of_their_own(window):
    choices = window.content.file_controller.sample_choices()
    assert choices[0][:2] == ("The bridge at Cold Ford", "A5E")
    assert {"A5E", "D&D 5e"} <= {game for _, game, _ in choices}
    choices[1][2]()
    assert window.document.source.path is None
    assert window.windowTitle().startswith(choices[1][0])
    assert not window.isWindowModified()


@pytest.mark.soak
def test_a_new_encounter_takes_the_game_last_used(window, application):
    files, document = window.content.file_controller, window.document
    files.new()
    for game in ("pf2e", "dnd5e"):
        change_system(document, game, window)  # empty: nothing is asked
        assert document.rules.id == application.settings_store.settings.last_game == game
        files.show(application.workspace.untitled())
        assert document.rules.id == document.encounter.need(Scene, "scene").system == game


@pytest.mark.soak
def test_an_empty_encounter_offers_the_last_files_and_samples(window, sample, qtbot):
    window.content.services.layout.arrange("prepare")
    dock, files = window.content.docks.show("roster"), window.content.file_controller
    assert dock.start is None or dock.start.isHidden()
    files.remember(sample)
    files.new()
    assert not dock.start.isHidden()
    (name,) = [each.text() for each in dock.start.findChildren(QToolButton) if not each.isHidden()]
    assert name == sample.stem
    window.content.window_actions.run("add-countdown")
    assert dock.start.isHidden()
    window.document.undo()
    assert not dock.start.isHidden()
    next(each for each in dock.start.findChildren(QToolButton) if not each.isHidden()).click()
    assert window.document.source.path == sample
    assert dock.start.isHidden()


def test_what_was_opened_is_recent(window, tmp_path, sample):
    other = tmp_path / "other.toml"
    other.write_text(sample.read_text())
    window.content.file_controller.open(other)
    assert window.content.file_controller.recent_files[0] == other
    assert window.content.window_actions.action("open-recent").isEnabled()


def test_recent_files_of_other_windows_are_recent_here_too(window, application, tmp_path, sample):
    files = window.content.file_controller
    other = tmp_path / "other.toml"
    other.write_text(sample.read_text())
    elsewhere = SettingsStore(application.workspace.folders.config)
    elsewhere.replace(with_recent(elsewhere.settings, other))
    elsewhere.write()
    files.remember(sample)
    application.settings_store.write()
    assert [name for name, _, _ in files.recent_choices()] == ["ford", "other"]
    elsewhere.refresh()
    assert recent_files(elsewhere.settings) == [sample, other]


def test_a_second_window_on_the_same_file_only_looks(window, application, sample, qtbot):
    document = application.workspace.open(sample)
    assert document.read_only
    document.close()


def test_undo_goes_on_after_leaving_and_opening_again(window, sample):
    before, actions = sample.read_bytes(), window.content.window_actions
    rename(window, "Elsewhere")
    actions.run("save")
    label = actions.action("undo").text()
    window.content.services.layout.arrange("run")
    window.content.file_controller.new()
    assert window.content.services.layout.arrangement == "prepare"
    assert not actions.action("undo").isEnabled()
    window.content.file_controller.open(sample)
    assert (actions.action("undo").isEnabled(), actions.action("undo").text()) == (True, label)
    assert not window.isWindowModified()
    actions.run("undo")
    actions.run("save")
    assert sample.read_bytes() == before


# After a crash -------------------------------------------------------------------------------------------------------


def leave_behind(window):
    """Let go of the document as a crash would: its log stays."""
    window.document.source.close()


def test_a_file_left_unsaved_opens_as_it_was_left(window, application, sample):
    rename(window, "Nearly lost")
    leave_behind(window)
    document = application.workspace.open_or_recover(sample)
    assert document.was_recovered
    assert document.title == "Nearly lost"
    assert document.session.undo_label is not None
    document.close(discard=True)


def test_a_change_by_another_program_is_told_with_the_recovery(window, application, sample):
    rename(window, "Nearly lost")
    leave_behind(window)
    sample.write_text(sample.read_text() + "\n# theirs\n")
    window.document.open(application.workspace.untitled())
    assert window.content.file_controller.open(sample)
    assert (window.document.source.title, sample.name in window.messages().text()) == ("Nearly lost", True)
    window.document.source.close(discard=True)


def test_what_a_crash_left_is_offered_and_restored(window, application):
    lost = application.workspace.untitled()
    lost.do(Edit(replace(lost.encounter.need(Scene, "scene"), title="Never saved")))
    lost.close()
    dialog = offer_recovery(window, application.workspace)
    assert isinstance(dialog, RecoverDialog)
    assert dialog.list.count() == 1
    dialog.restore()
    assert window.document.source.title == "Never saved"
    window.content.window_actions.run("undo")
    assert window.document.source.title == ""
    window.document.source.close(discard=True)
    assert offer_recovery(window, application.workspace) is None


def test_a_log_of_another_version_is_told_once_with_its_place(window, application):
    lost = application.workspace.untitled()
    lost.do(Edit(replace(lost.encounter.need(Scene, "scene"), title="From tomorrow")))
    lost.close()
    (log,) = (lost.state_folder / "recovery").glob("untitled*.log")
    log.write_bytes(header()[:-1] + bytes((header()[-1] ^ 1,)) + log.read_bytes()[len(header()) :])
    assert offer_recovery(window, application.workspace) is None
    assert "Another version of Turnwright" in window.messages().text()
    assert str(log.parent / "unread") in window.messages().text()
    window.messages().dismiss()
    assert offer_recovery(window, application.workspace) is None
    assert not window.messages().isVisible()


def test_what_is_discarded_is_gone(window, application):
    lost = application.workspace.untitled()
    lost.do(Edit(replace(lost.encounter.need(Scene, "scene"), title="Unwanted")))
    lost.close()
    dialog = offer_recovery(window, application.workspace)
    dialog.discard()
    assert not dialog.isVisible()
    assert offer_recovery(window, application.workspace) is None


# When the program itself is wrong --------------------------------------------------------------------------------------


@pytest.fixture
def printed(monkeypatch):
    """Return what the hooks that were there before have got, in the place of a terminal."""
    caught = []
    monkeypatch.setattr(sys, "excepthook", lambda *fault: caught.append(fault[1]))
    monkeypatch.setattr(threading, "excepthook", lambda fault: caught.append(fault.exc_value))
    monkeypatch.setattr(sys, "unraisablehook", lambda fault: caught.append(fault.exc_value))
    return caught


def test_a_fault_is_logged_told_and_printed(tmp_path, printed):
    told: list[Path | None] = []
    hook = ExceptionHook(LogFile(tmp_path), lambda log, _: told.append(log))
    hook.install()
    try:
        raise ZeroDivisionError("inside")
    except ZeroDivisionError as fault:
        sys.excepthook(type(fault), fault, fault.__traceback__)
        known = fault
    hook.remove()
    assert told == [tmp_path / "turnwright.log"]
    assert printed == [known]
    assert "ZeroDivisionError: inside" in told[0].read_text()
    sys.excepthook(ValueError, ValueError("later"), None)
    assert "later" not in told[0].read_text()


@pytest.mark.parametrize("log", [Path("/state/turnwright.log"), None])
def test_the_window_says_where_a_fault_is_written_down(window, log):
    show_fault(window, log, "ValueError: inside\n")
    assert "Turnwright has run into an internal error" in window.messages().text()
    assert (str(Path("/state/turnwright.log")) in window.messages().text()) is (log is not None)
    next(one for one in window.messages().findChildren(QPushButton) if one.text() == "Copy details").click()
    copied = QApplication.clipboard().text()
    assert copied.startswith("turnwright ")
    assert copied.endswith("\n\nValueError: inside\n")


def test_a_fault_while_the_first_file_is_opened_leaves_a_window_with_a_new_encounter(
    fresh_application, sample, monkeypatch
):
    def broken(path):
        raise ZeroDivisionError("inside")

    monkeypatch.setattr(fresh_application.workspace, "open_or_recover", broken)
    first = InitialDocument(fresh_application, sample)
    document = first.open()
    assert document.path is None
    assert isinstance(first.fault, ZeroDivisionError)
    document.close(discard=True)


class Unruly:
    def __del__(self):
        raise ValueError("ignored")


def test_faults_in_threads_and_those_that_python_ignores_are_logged_only(tmp_path, printed):
    told: list[Path | None] = []
    hook = ExceptionHook(LogFile(tmp_path), lambda log, _: told.append(log))
    hook.install()
    worker = threading.Thread(target=lambda: 1 // 0, name="the worker")
    worker.start()
    worker.join()
    Unruly()
    hook.remove()
    assert (told, len(printed)) == ([], 2)
    log = (tmp_path / "turnwright.log").read_text()
    assert "the worker" in log
    assert "ZeroDivisionError" in log
    assert "ValueError: ignored" in log


def test_a_creature_of_the_other_edition_is_found_by_its_new_name(window):
    library = window.content.services.workspace.library
    library.save(Creature("goblin-warrior", "Goblin Warrior"), "dnd5e-2024")
    window.document.execute(Edit(replace(window.document.encounter.need(Scene, "scene"), system="dnd5e-2024")))
    found = window.content.file_controller.find_creature("goblin")
    assert found is not None
    assert found.name == "Goblin Warrior"
