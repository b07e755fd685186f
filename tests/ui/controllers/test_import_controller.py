"""Imports in the window: chosen or dropped files, read in a worker, reported in a dialog, undone; exports and backups."""

from __future__ import annotations

import json
import shutil
import threading
import time

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QPushButton

from tests.importers.characters import HERO
from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.importers.exporters.formats import export_formats
from turnwright.importers.results import ImportedFile, ImportOutcome, UnderstoodFeature, UnreadRecord
from turnwright.play.setup.prepared_records import Add
from turnwright.storage.fights import ConversionNote
from turnwright.storage.library.entries import read_library_file
from turnwright.ui.controllers.import_controller import ImportController, is_encounter_file
from turnwright.ui.controllers.library_controller import LibraryController
from turnwright.ui.controllers.palette_controller import PaletteController
from turnwright.ui.controllers.print_controller import ExportController
from turnwright.ui.dialogs.imports.findings import FindingsDialog
from turnwright.ui.dialogs.imports.import_dialogs import (
    ImportAgainDialog,
    ImportResultDialog,
    TakeBackDialog,
    import_summary,
)
from turnwright.ui.models.import_report import ImportReportModel, report_tree
from turnwright.ui.services.workers import BackgroundTask, TaskCancelled
from turnwright.ui.widgets.dialog import ProgressDialog

PATIENCE_MS = 30_000
PACK = (
    "The troll has advantage on an attack roll against a creature if at least one of the troll's allies is within 5 feet of"
    " the creature and the ally isn't incapacitated."
)
SMELL = "The troll has advantage on Wisdom (Perception) checks that rely on smell."


def goblin(name="Goblin"):
    return {"Name": name, "HP": {"Value": 7}, "AC": {"Value": 15}, "Speed": ["30 ft."], "Challenge": "1/4"}


@pytest.fixture
def theirs(tmp_path):
    path = tmp_path / "theirs.json"
    odd = {"Name": "Odd", "HP": {"Value": "?"}}
    path.write_text(json.dumps([goblin(f"Goblin {n}") for n in range(9)] + [odd]), encoding="utf-8")
    return path


@pytest.fixture
def importing(window):
    return window.content.services.controller(ImportController)


@pytest.fixture(autouse=True)
def library(application):
    """The person's library, empty: the tests of this module share an application."""
    places = application.workspace.folders
    for folder in (places.data, places.backups):
        shutil.rmtree(folder, ignore_errors=True)
    return places.library


def results(window):
    return [one for one in window.children() if isinstance(one, ImportResultDialog) and one.isVisible()]


def wait_until_free(qtbot, window):
    qtbot.waitUntil(lambda: window.content.services.jobs.is_free, timeout=PATIENCE_MS)


def take(qtbot, window, importing, paths):
    importing.import_paths(paths)
    wait_until_free(qtbot, window)
    (result,) = results(window)
    return result


# Importing -----------------------------------------------------------------------------------------------------------


def test_chosen_files_come_into_the_library_and_are_told(monkeypatch, qtbot, window, importing, theirs, library):
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(theirs)], ""))
    window.content.window_actions.run("import-files")
    assert not window.content.services.jobs.is_free
    assert not window.content.window_actions.table.spec("import-files").enabled_when(window.content.services)
    wait_until_free(qtbot, window)
    (result,) = results(window)
    assert result.lead.text() == "Imported: 9 creatures."
    assert min(path.name for path in (library / "theirs").iterdir()) == "goblin-0.toml"
    first = result.model.line_at(result.model.index(0, 0))
    assert first.text == "Could not be read (1)"
    assert [(line.text, line.detail) for line in first.children] == [("theirs.json: Odd", "no hit points")]


def test_a_folder_is_chosen_and_read_whole(monkeypatch, qtbot, window, importing, theirs, library):
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(theirs.parent))
    window.content.window_actions.run("import-folder")
    wait_until_free(qtbot, window)
    assert results(window)[0].outcome.placed


def test_whoever_chooses_nothing_imports_nothing(monkeypatch, window, importing):
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([], ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "")
    window.content.window_actions.run("import-files")
    window.content.window_actions.run("import-folder")
    assert window.content.services.jobs.is_free


def test_what_came_in_can_be_taken_back_whole(qtbot, window, importing, theirs, library, application):
    result = take(qtbot, window, importing, [theirs])
    assert (library / "theirs").is_dir()
    result.undo_button.click()
    wait_until_free(qtbot, window)
    assert not (library / "theirs").exists()
    (aside,) = application.workspace.folders.backups.glob("theirs.*")
    assert len(list(aside.glob("*.toml"))) == 9
    assert window.messages().isVisible()
    assert not results(window)


def dialogs(window, kind):
    return [one for one in window.children() if isinstance(one, kind) and one.isVisible()]


def import_again(qtbot, window, importing, theirs, library):
    """Import a file, edit one record in the library, change the file, and import it again; return the question."""
    take(qtbot, window, importing, [theirs]).close()
    edited = library / "theirs" / "goblin-8.toml"
    edited.write_text(edited.read_text(encoding="utf-8") + "# mine\n", encoding="utf-8")
    stronger = {**goblin("Goblin 0"), "HP": {"Value": 70}}
    changed = [stronger, *(goblin(f"Goblin {n}") for n in range(1, 10))]
    theirs.write_text(json.dumps(changed), encoding="utf-8")
    importing.import_paths([theirs])
    qtbot.waitUntil(lambda: bool(dialogs(window, ImportAgainDialog)), timeout=PATIENCE_MS)
    (question,) = dialogs(window, ImportAgainDialog)
    return question


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.toml")}


def test_importing_again_asks_before_anything_is_written_and_an_update_is_taken_back(
    qtbot, window, importing, theirs, library
):
    question = import_again(qtbot, window, importing, theirs, library)
    before = contents(library / "theirs")
    groups = [question.model.line_at(question.model.index(row, 0)).text for row in range(question.model.rowCount())]
    assert groups == ["New (1)", "Changed (1)", "Edited by you: kept, unless ticked (1)", "Unchanged (7)"]
    assert not window.content.services.jobs.is_free
    question.update_button.click()
    wait_until_free(qtbot, window)
    (result,) = results(window)
    assert result.lead.text() == "Imported: 1 creature. Updated: 1 creature."
    after = contents(library / "theirs")
    assert {name for name in after if after[name] != before.get(name)} == {"goblin-0.toml", "goblin-9.toml"}
    assert [path.name for path in library.iterdir()] == ["theirs"]
    result.undo_button.click()
    wait_until_free(qtbot, window)
    assert contents(library / "theirs") == before


def test_what_was_edited_is_written_over_only_if_it_is_ticked(qtbot, window, importing, theirs, library):
    question = import_again(qtbot, window, importing, theirs, library)
    model = question.model
    line = model.index(0, 0, model.index(2, 0))
    assert model.setData(line, Qt.CheckState.Checked.value, Qt.ItemDataRole.CheckStateRole)
    question.update_button.click()
    wait_until_free(qtbot, window)
    assert b"# mine" not in contents(library / "theirs")["goblin-8.toml"]


@pytest.mark.parametrize("leave", ["reject", "deleteLater"])
def test_whoever_cancels_importing_again_leaves_all_as_it_was(qtbot, window, importing, theirs, library, leave):
    question = import_again(qtbot, window, importing, theirs, library)
    before = contents(library / "theirs")
    getattr(question, leave)()
    wait_until_free(qtbot, window)
    assert contents(library / "theirs") == before
    assert [path.name for path in library.iterdir()] == ["theirs"]


def test_an_earlier_import_is_taken_back_from_a_list_and_put_back(qtbot, window, importing, theirs, library):
    take(qtbot, window, importing, [theirs]).close()
    before = contents(library / "theirs")
    window.content.window_actions.actions["undo-import"].trigger()
    wait_until_free(qtbot, window)
    (listed,) = dialogs(window, TakeBackDialog)
    item = listed.list.topLevelItem(0)
    assert [item.text(1), item.text(2)] == [str(theirs), "9"]
    listed.take_back_button.click()
    wait_until_free(qtbot, window)
    assert not (library / "theirs").exists()
    assert "9 entries were moved from the library to " in window.messages().text()
    (step,) = [one for one in window.messages().findChildren(QPushButton) if one.text() == "Restore"]
    step.click()
    wait_until_free(qtbot, window)
    assert contents(library / "theirs") == before


def test_a_library_without_imports_says_so(qtbot, window, importing):
    importing.ask_undo_import()
    wait_until_free(qtbot, window)
    assert "Nothing in your library was imported" in window.messages().text()


def test_show_in_library_shows_what_came_in_whatever_game_is_open(qtbot, window, importing, theirs):
    result = take(qtbot, window, importing, [theirs])
    reloaded = []
    dock = window.content.docks.dock("library")
    window.content.docks.set_open("library", is_open=False)
    dock.listLoaded.connect(lambda: reloaded.append(1))
    window.content.services.controller(LibraryController).reload()
    qtbot.waitUntil(lambda: bool(reloaded), timeout=PATIENCE_MS)
    result.show_in_library.click()
    assert window.content.docks.is_open("library")
    choice = dock.bar.card.filter_choice
    assert (choice.game, choice.count) == ("", 1)  # whatever game is open
    assert set(choice.paths) == {file.path for file in result.outcome.placed}
    dock.bar.card.clear()
    assert dock.bar.card.filter_choice.count == 0


def test_an_encounter_that_came_in_can_be_opened(qtbot, window):
    outcome = ImportOutcome(
        "/library/x", (ImportedFile("Ambush", "ambush", "encounter", "a5e", "/library/x/ambush.toml", "f", "own"),)
    )
    result = ImportResultDialog(outcome, report_tree(outcome), window)
    opened = []
    result.openRequested.connect(opened.append)
    result.open_button.click()
    assert opened == ["/library/x/ambush.toml"]
    result.deleteLater()


def test_what_holds_nothing_says_so_and_offers_nothing_to_take_back(qtbot, window, importing, tmp_path, library):
    (tmp_path / "x.json").write_text("[" * 9, encoding="utf-8")
    result = take(qtbot, window, importing, [tmp_path / "x.json"])
    assert result.lead.text() == "Nothing was imported. Your library was not changed."
    assert not result.undo_button.isVisible()
    assert not result.show_in_library.isVisible()
    assert result.close_button.isVisible()


def test_the_window_goes_on_while_files_are_read(qtbot, window, importing, tmp_path):
    """The worker gives way: the event loop takes many turns before the import is done."""
    path = tmp_path / "many.json"
    path.write_text(json.dumps([goblin(f"G{n}") for n in range(600)]), encoding="utf-8")
    turns = []
    timer = QTimer(interval=0)
    timer.timeout.connect(lambda: turns.append(window.content.services.jobs.is_free))
    importing.import_paths([path])
    timer.start()
    wait_until_free(qtbot, window)
    assert turns.count(False) > 20


def test_progress_is_shown_when_it_takes_long_and_can_be_cancelled(qtbot, window, importing, library, monkeypatch):
    monkeypatch.setattr("turnwright.ui.services.services.SHOW_AFTER_MS", 0)
    threads = []

    def make(progress):
        threads.append(threading.current_thread())
        for number in range(1, 100_000):
            progress(number, "Goblin")
            time.sleep(0.001)

    window.content.services.jobs.run(make, lambda _: pytest.fail("was not cancelled"), "ui.import.title")
    qtbot.waitUntil(lambda: any(one.isVisible() for one in window.findChildren(ProgressDialog)), timeout=PATIENCE_MS)
    dialog = next(one for one in window.findChildren(ProgressDialog) if one.isVisible())
    qtbot.waitUntil(lambda: dialog.label.text().endswith(": Goblin"), timeout=PATIENCE_MS)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    wait_until_free(qtbot, window)
    assert threads[0] is not threading.main_thread()
    assert window.messages().isVisible()


def test_a_failure_is_said_and_the_next_may_begin(qtbot, window, importing, theirs, library):
    library.parent.mkdir(parents=True, exist_ok=True)
    library.write_text("in the way", encoding="utf-8")
    importing.import_paths([theirs])
    wait_until_free(qtbot, window)
    assert not results(window)
    assert window.messages().isVisible()
    library.unlink()


def test_work_ends_in_one_signal_on_the_thread_of_the_window(qtbot, window):
    def fails(_progress):
        raise OSError(28, "No space left on device")

    def stops(_progress):
        raise TaskCancelled

    for make, signal in ((lambda _: 7, "finished"), (fails, "failed"), (stops, "cancelled")):
        work = BackgroundTask(make, window)
        threads = []
        getattr(work, signal).connect(lambda *_, threads=threads: threads.append(threading.current_thread()))
        with qtbot.waitSignal(getattr(work, signal), timeout=PATIENCE_MS):
            pass
        assert threads == [threading.main_thread()]


# Dropping ------------------------------------------------------------------------------------------------------------


def dragged(*paths):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def drop(window, data):
    """Drop something onto the window; return whether it would have it."""
    actions, button, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPointF(5, 5).toPoint(), actions, data, button, none)
    enter.ignore()
    QApplication.sendEvent(window, enter)
    if enter.isAccepted():
        QApplication.sendEvent(window, QDropEvent(QPointF(5, 5), actions, data, button, none))
    return enter.isAccepted()


def test_files_that_are_dropped_are_imported(qtbot, window, importing, theirs, library):
    assert drop(window, dragged(theirs))
    qtbot.waitUntil(lambda: bool(results(window)), timeout=PATIENCE_MS)
    assert (library / "theirs").is_dir()


def test_an_encounter_that_is_dropped_is_opened(qtbot, window, importing, repository, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text((repository / "encounters" / "lantern-climb.toml").read_text(encoding="utf-8"), encoding="utf-8")
    assert drop(window, dragged(path))
    qtbot.waitUntil(lambda: window.document.source.path == path, timeout=PATIENCE_MS)
    assert window.content.services.jobs.is_free
    assert not results(window)


def test_a_creature_of_our_own_that_is_dropped_is_imported(repository, tmp_path):
    assert not is_encounter_file(repository / "resources" / "library" / "a5e" / "bell-goat.toml")
    assert is_encounter_file(repository / "encounters" / "lantern-climb.toml")
    assert not is_encounter_file(tmp_path)
    (tmp_path / "x.json").write_text("{}", encoding="utf-8")
    assert not is_encounter_file(tmp_path / "x.json")


def test_what_is_no_file_is_not_taken(window, importing):
    text, away = QMimeData(), QMimeData()
    text.setText("hello")
    away.setUrls([QUrl("https://example.org/x.json")])
    assert not drop(window, text)
    assert not drop(window, away)
    assert window.content.services.jobs.is_free


# Telling -------------------------------------------------------------------------------------------------------------


def test_reports_stand_by_kind_then_record_then_field(qtbot, window):
    reports = (
        ConversionNote("Bat", "Bite: damage", "1d6 odd", "data value 1d6 used; the text says 1d6+2"),
        ConversionNote("Cat", "Claw: damage", "2d6", "data value 1d4 used; the text says 2d6"),
        ConversionNote("Cat", "Bite: damage", "3d6", "data value 1d4 used; the text says 3d6"),
        ConversionNote("Bat", "senses", "keen", "not a sense; ignored"),
    )
    unread = (
        UnreadRecord("/a/x.json", "", "empty file"),
        UnreadRecord("/a/y.json", "A", "1"),
        UnreadRecord("/a/y.json", "B", "2"),
    )
    tree = report_tree(ImportOutcome("", (), reports, unread, ("/a/LICENSE",)))
    assert [line.text for line in tree.children] == [
        "Could not be read (3)",
        "Lost: enter it yourself if it matters (1)",
        "Please check (3)",
        "Files without importable content (1)",
    ]
    files = tree.children[0].children
    assert [(line.text, line.detail, len(line.children)) for line in files] == [
        ("x.json", "empty file", 0),
        ("y.json", "2 times", 2),
    ]
    (rare,), (common,) = tree.children[1].children, tree.children[2].children
    assert common.text == '2 records: The entry "damage" is \u2026, as the data says; the text says \u2026 (Bat, Cat).'
    assert common.detail == "3 times"
    assert [(line.text, len(line.children)) for line in common.children] == [("Bat: Bite: damage", 0), ("Cat", 2)]
    assert common.children[0].detail == "1d6 odd (data value 1d6 used; the text says 1d6+2)"
    assert (rare.text, rare.children) == ('Bat: The entry "senses" is not a sense; it is ignored ("keen").', ())


def test_the_report_lists_the_features_that_play_by_entry_the_commonest_first():
    found = (
        UnderstoodFeature("Wolf", "Pack Tactics", ("pack-tactics",), "whole"),
        UnderstoodFeature("Wolf", "Howl", ("remind-at-the-start",), "reminder"),
        UnderstoodFeature("Kobold", "Pack Tactics", ("pack-tactics",), "part"),
    )
    (group,) = report_tree(ImportOutcome("", understood=found, unplayed=4)).children
    told = "1 fully automatic, 1 partly automatic, 1 as reminders, 4 more kept as text"
    assert group.text == f"Automatic features and reminders (3): {told}"
    assert [(line.text, line.detail) for line in group.children] == [
        ("Pack tactics", "2 times"),
        ("Remind at the start", "1 time"),
    ]
    below = [(line.text, line.detail) for line in group.children[0].children]
    assert below == [("Wolf: Pack Tactics", "Fully automatic"), ("Kobold: Pack Tactics", "Partly automatic")]


def test_markup_in_what_is_told_stays_text(qtbot, window):
    tree = report_tree(ImportOutcome("", (), (ConversionNote("<b>x</b>", "f", "<img src=x>", "<i>why</i>"),)))
    model = ImportReportModel(tree)
    group = model.index(0, 0, model.index(0, 0))
    assert "<i>why</i>" in model.data(group)
    assert "&lt;i&gt;" in model.data(group, Qt.ItemDataRole.ToolTipRole)


def test_the_model_of_many_reports_keeps_its_shape(qtbot, window, qtmodeltester):
    reports = tuple(ConversionNote(f"R{n % 40}", f"f{n}", "t", f"why {n % 3}x") for n in range(300))
    model = ImportReportModel(report_tree(ImportOutcome("", (), reports, (UnreadRecord("f", "", "w"),))))
    qtmodeltester.check(model)


@pytest.mark.parametrize(
    ("kinds", "words"),
    [
        ([], "Nothing was imported. Your library was not changed."),
        (["creature"], "Imported: 1 creature."),
        (["creature"] * 3 + ["encounter"], "Imported: 3 creatures and 1 encounter."),
        (
            ["creature"] * 3 + ["environment"] * 2 + ["countdown", "party"],
            "Imported: 3 creatures, 2 environments, 1 countdown and 1 party.",
        ),
    ],
)
def test_what_came_in_is_a_sentence(window, kinds, words):
    placed = tuple(ImportedFile("x", "x", kind, "a5e", "p", "f", "own") for kind in kinds)
    assert import_summary(ImportOutcome("folder" if kinds else "", placed)) == words


# Exporting and backups -----------------------------------------------------------------------------------------------


def test_export_offers_its_forms_in_a_menu(window):
    assert [entry.text for entry in window.content.services.controller(PaletteController).choices("export")] == [
        "Improved Initiative…",
        "5etools…",
        "Fantasy Statblocks…",
        "Foundry VTT (A5E)…",
        "The Homebrewery…",
        "This encounter's creatures as TOML…",
    ]


def test_an_encounter_is_exported_and_what_has_no_place_is_said(monkeypatch, window, tmp_path):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "out"), ""))
    window.content.services.controller(ExportController).ask_improved()
    data = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert len(data["Creatures"]) == len(list(window.document.encounter.all(Creature)))
    assert window.messages().isVisible()


@pytest.mark.parametrize(("id", "pattern"), [("foundry-a5e", "out/*/newt.json"), ("homebrewery", "out.md")])
def test_creatures_are_exported_for_other_programs(monkeypatch, window, tmp_path, id, pattern):
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "out"))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "out"), ""))
    window.document.execute(Add((Creature(id="newt", name="Newt", tactics="Hides."),)))
    window.content.services.controller(ExportController).ask_program(export_formats()[id])
    (file,) = tmp_path.glob(pattern)
    assert "Newt" in file.read_text(encoding="utf-8")
    [each for each in window.messages().findChildren(QPushButton) if each.text() == "Show all"][-1].click()
    (dialog,) = (each for each in window.findChildren(FindingsDialog) if each.isVisible())
    rows = [
        [dialog.tree.topLevelItem(at).text(column) for column in range(3)]
        for at in range(dialog.tree.topLevelItemCount())
    ]
    assert ["Newt", "tactics", "can't be stored in this format; left out: Hides."] in rows
    dialog.close()


def test_creatures_are_exported_into_a_new_folder(monkeypatch, window, tmp_path):
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "out"))
    window.document.execute(Add((Creature(id="newt", name="Newt"),)))
    window.content.services.controller(ExportController).ask_creatures()
    (folder,) = (tmp_path / "out").iterdir()
    assert (folder / "newt.toml").is_file()


def test_an_export_that_cannot_be_written_is_said(window, tmp_path):
    window.content.services.controller(ExportController).export_improved(tmp_path / "no" / "out.json")
    assert window.messages().isVisible()


def test_a_library_is_backed_up_and_restored(monkeypatch, qtbot, window, importing, library, tmp_path):
    library.mkdir(parents=True, exist_ok=True)
    (library / "mine.toml").write_text("mine", encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "b"), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(tmp_path / "b.zip"), ""))
    window.content.window_actions.run("back-up")
    wait_until_free(qtbot, window)
    (library / "mine.toml").write_text("changed", encoding="utf-8")
    monkeypatch.setattr(QMessageBox, "exec", lambda box: None)
    for answer, held in (("Cancel", "changed"), ("Restore", "mine")):
        monkeypatch.setattr(
            QMessageBox,
            "clickedButton",
            lambda box, answer=answer: next(each for each in box.buttons() if each.text() == answer),
        )
        window.content.window_actions.run("restore-backup")
        wait_until_free(qtbot, window)
        assert (library / "mine.toml").read_text(encoding="utf-8") == held
    (aside,) = library.parent.glob("library.2*")
    assert (aside / "mine.toml").read_text(encoding="utf-8") == "changed"


def test_what_is_no_backup_is_said_and_changes_nothing(qtbot, window, importing, library, theirs):
    library.mkdir(parents=True, exist_ok=True)
    before = sorted(library.rglob("*"))
    window.content.services.controller(ExportController).restore(theirs)
    wait_until_free(qtbot, window)
    assert sorted(library.rglob("*")) == before
    assert window.messages().isVisible()


def test_a_kind_of_feature_without_its_tick_stays_text(qtbot, window, importing, tmp_path, library):
    troll = goblin("Troll") | {
        "Traits": [{"Name": "Pack Tactics", "Content": PACK}, {"Name": "Keen Smell", "Content": SMELL}]
    }
    path = tmp_path / "trolls.json"
    path.write_text(json.dumps([troll]), encoding="utf-8")
    result = take(qtbot, window, importing, [path])
    (file,) = library.glob("*/troll.toml")
    assert file.read_text(encoding="utf-8").count("rules = ") == 2
    group = next(row for row in range(result.model.rowCount()) if "Automatic" in result.model.index(row, 0).data())
    entries = result.model.index(group, 0)
    names = [result.model.index(row, 0, entries).data() for row in range(result.model.rowCount(entries))]
    pack = result.model.index(names.index("Pack tactics"), 0, entries)
    assert not result.again_button.isVisible()
    result.model.setData(pack, Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    assert result.again_button.isVisible()
    result.again_button.click()
    wait_until_free(qtbot, window)
    text = file.read_text(encoding="utf-8")
    assert text.count("rules = ") == 1
    assert text.index("[features.keen-smell]") < text.index("rules = ")
    (after,) = results(window)
    assert after.lead.text() == "Updated: 1 creature."
    after.undo_button.click()
    wait_until_free(qtbot, window)
    assert file.read_text(encoding="utf-8").count("rules = ") == 2


@pytest.fixture
def hero(tmp_path):
    path = tmp_path / "hero.json"
    path.write_text(json.dumps(HERO), encoding="utf-8")
    return path


def choose(qtbot, window, result, label):
    """Press Enter on the button for characters, which has the focus, and choose a line of its menu by keys."""
    QTest.keyClick(result.places_button, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None)
    menu = QApplication.activePopupWidget()
    action = next(action for action in menu.actions() if action.text() == label)
    while menu.activeAction() is not action:
        QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not result.isVisible())


def test_a_character_comes_into_the_encounter(qtbot, window, importing, hero):
    result = take(qtbot, window, importing, [hero])
    assert result.lead.text() == "Imported: 1 character."
    assert result.focusWidget() is result.places_button
    choose(qtbot, window, result, "Add to this encounter")
    roster = window.content.services.document.encounter.all(RosterEntry)
    (entry,) = [entry for entry in roster if entry.creature == "nim-ashdown"]
    assert (entry.role, entry.side, entry.state.hp, entry.state.temp_hp) == ("character", "party", 42, 4)


def test_characters_join_a_party_of_the_library(qtbot, window, importing, hero, library):
    choose(qtbot, window, take(qtbot, window, importing, [hero]), "Add to a new party")
    (file,) = library.rglob("*.toml")
    party, _ = read_library_file(file)
    assert (party.name, [one.name for one in party.creatures]) == ("New party", ["Nim Ashdown"])
    hero.write_text(
        json.dumps(HERO | {"removedHitPoints": 0, "temporaryHitPoints": 0, "conditions": [], "spellSlots": []}),
        encoding="utf-8",
    )
    choose(qtbot, window, take(qtbot, window, importing, [hero]), "Add to New party")
    party, _ = read_library_file(file)
    assert [(entry.id, entry.state) for entry in party.roster] == [("nim-ashdown", None)]
    assert len(list(library.rglob("*.toml"))) == 1


def test_a_character_is_kept_as_a_creature(qtbot, window, importing, hero, library):
    choose(qtbot, window, take(qtbot, window, importing, [hero]), "Keep as creatures")
    (file,) = library.rglob("*.toml")
    creature, _ = read_library_file(file)
    assert isinstance(creature, Creature)
    assert creature.level == 5


def test_numbers_that_were_worked_out_have_a_group(qtbot, window, importing, hero):
    model = take(qtbot, window, importing, [hero]).model
    groups = {model.index(row, 0).data(): model.index(row, 0) for row in range(model.rowCount())}
    group = next(index for text, index in groups.items() if text.startswith("Worked out, because the file lacks it"))
    rows = [
        (model.index(row, 0, group).data(), model.index(row, 1, group).data()) for row in range(model.rowCount(group))
    ]
    assert (
        "Shortbow: attack",
        "+7 (Dexterity +2, proficiency +3, bonuses +2)",
    ) in rows
