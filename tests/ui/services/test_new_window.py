"""Files that are open in another window, several files at once, and files that the desktop hands over."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QMimeData, QProcess, QUrl
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QFileDialog, QMenu

from turnwright.ui.application import startup
from turnwright.ui.controllers import file_controller
from turnwright.ui.controllers.import_controller import ImportController
from turnwright.ui.services import new_window
from turnwright.ui.services.new_window import FrontRequests, OpenEvents, start_window
from turnwright.ui.services.settings_store import local_files
from turnwright.workspace.locks import WindowRequests, ask_window

ask_patiently = partial(ask_window, patience=60)  # a busy machine takes its time


@pytest.fixture
def answering(window, application):
    """The window, as it answers requests."""
    found = FrontRequests(window, window.document, application.workspace.folders.state)
    yield found
    found.stop()
    found.deleteLater()


@pytest.fixture
def ask(application, qtbot):
    """Ask for a file as another process does; return whether a window has answered."""

    def asked(path: Path) -> bool:
        answers, state = [], application.workspace.folders.state
        other = threading.Thread(target=lambda: answers.append(ask_patiently(state, path)))
        other.start()
        qtbot.waitUntil(lambda: not other.is_alive())
        return answers[0]

    return asked


@pytest.fixture
def started(monkeypatch):
    """Return the files for which windows were opened."""
    files: list[Path] = []
    monkeypatch.setattr(file_controller, "start_window", files.append)
    return files


@pytest.fixture
def more(tmp_path, sample):
    """Return two more encounters."""
    return [Path(shutil.copy(sample, tmp_path / name)) for name in ("one.toml", "two.toml")]


def test_a_window_comes_to_the_front_when_its_file_is_asked_for(window, answering, ask, sample, qtbot):
    window.showMinimized()
    assert ask(sample)
    qtbot.waitUntil(lambda: not window.isMinimized())
    qtbot.waitUntil(window.isActiveWindow)


def test_it_answers_for_the_file_that_it_has_now(window, answering, ask, sample, more):
    window.content.file_controller.open(more[0])
    assert not ask(sample)
    assert ask(more[0])
    window.content.file_controller.new()
    assert not ask(more[0])


def test_it_answers_under_the_name_that_it_was_saved_as(monkeypatch, window, answering, ask, sample, tmp_path):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "other.toml"), ""))
    window.content.window_actions.run("save-as")
    assert ask(tmp_path / "other.toml")
    assert not ask(sample)


def test_a_window_that_only_looks_does_not_answer(window, application, answering, ask, more):
    holder = application.workspace.open(more[0])
    window.content.file_controller.show(application.workspace.open(more[0]))
    assert window.document.source.read_only
    assert not ask(more[0])
    holder.close()


class OtherWindow:
    """Another process with a file open, which answers or doesn't."""

    def __init__(self, application, path, *, answers=True):
        self.document = application.workspace.open(path)
        self.requests = WindowRequests(application.workspace.folders.state)
        self.requests.follow(path)
        self.raised = threading.Event()
        self.closed = threading.Event()
        if answers:
            threading.Thread(target=self._answer, daemon=True).start()

    def _answer(self):
        while not self.closed.is_set():
            if self.requests.take() is not None:
                self.raised.set()
            time.sleep(0.01)

    def close(self):
        self.closed.set()
        self.requests.follow(None)
        self.document.close()


@pytest.fixture
def other_window(application, monkeypatch):
    made = []

    def make(path, **options):
        for module in (file_controller, startup) if options.get("answers", True) else ():
            monkeypatch.setattr(module, "ask_window", ask_patiently)
        made.append(OtherWindow(application, path, **options))
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_a_file_that_is_open_in_another_window_is_not_opened_twice(window, sample, more, other_window):
    other = other_window(more[0])
    assert window.content.file_controller.open(more[0])
    assert other.raised.is_set()
    assert window.document.source.path == sample
    assert not window.messages().isVisible()


def test_where_the_other_window_does_not_answer_it_can_be_looked_at(window, more, other_window):
    other_window(more[0], answers=False)
    assert window.content.file_controller.open(more[0])
    assert window.document.source.read_only
    assert "open in another window" in window.messages().text()


def test_a_window_closes_if_another_has_opened_its_file_in_the_meantime(window, application, more, other_window):
    other = other_window(more[0])
    window.content.file_controller.show(application.workspace.open(more[0]))
    startup.after_first_paint(window, application.workspace, more[0], None)
    assert other.raised.is_set()
    assert not window.isVisible()


def test_the_file_of_this_window_stays_as_it_is(window, sample):
    before = window.document.source
    assert window.content.file_controller.open(sample)
    assert window.document.source is before
    assert not before.read_only


def test_of_several_files_the_first_opens_here(monkeypatch, window, sample, more, started):
    chosen = [str(path) for path in (sample, *more)]
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: (chosen, ""))
    window.content.window_actions.run("open")
    assert window.document.source.path == more[0]  # the sample was in this window before: it has come to the front
    assert started == [more[1]]
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([], ""))
    window.content.window_actions.run("open")
    assert window.document.source.path == more[0]


def test_several_encounters_that_are_dropped_open_and_anything_else_is_imported(monkeypatch, window, more, started):
    data, imported = QMimeData(), []
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in more])
    window.content.services.controller(ImportController).drop(local_files(data))
    assert (window.document.source.path, started) == (more[0], [more[1]])
    monkeypatch.setattr(window.content.services.controller(ImportController), "import_paths", imported.append)
    window.content.services.controller(ImportController).drop([more[0], more[0].with_name("bestiary.json")])
    assert imported == [[more[0], more[0].with_name("bestiary.json")]]


def test_a_file_that_the_desktop_hands_over_takes_an_empty_window_or_gets_its_own(window, sample, more, started):
    files = window.content.file_controller
    files.open_from_desktop(more[0])
    assert (window.document.source.path, started) == (sample, [more[0]])
    files.open_from_desktop(sample)
    assert started == [more[0]]
    files.new()
    files.open_from_desktop(more[1])
    assert (window.document.source.path, started) == (more[1], [more[0]])


def test_files_of_the_desktop_wait_until_they_can_be_opened(qapp, tmp_path):
    opened, events = [], OpenEvents(qapp)
    qapp.installEventFilter(events)
    for name in ("one", "two"):
        QCoreApplication.sendEvent(qapp, QFileOpenEvent(str(tmp_path / name)))
    assert opened == []
    events.connect_to(opened.append)
    QCoreApplication.sendEvent(qapp, QFileOpenEvent(QUrl.fromLocalFile(str(tmp_path / "three"))))
    qapp.removeEventFilter(events)
    assert opened == [tmp_path / "one", tmp_path / "two", tmp_path / "three"]


@pytest.mark.parametrize(("bundled", "words"), [(False, ["-m", "turnwright"]), (True, [])])
def test_another_window_is_another_process_of_the_same_program(monkeypatch, tmp_path, bundled, words):
    calls = []
    monkeypatch.setattr(QProcess, "startDetached", lambda *call: calls.append(call) or (True, 1))
    if bundled:
        monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    monkeypatch.chdir(tmp_path)
    assert new_window.start_window is start_window
    assert start_window(Path("ford.toml"))
    assert calls == [(sys.executable, [*words, str(tmp_path / "ford.toml")], str(tmp_path))]


@pytest.fixture
def dock_menus(monkeypatch):
    """Return the menus that were given to the dock of a system that has one."""
    menus = []

    def keep(menu):
        menus.append(menu)

    monkeypatch.setattr(QMenu, "setAsDockMenu", keep, raising=False)
    return menus


def test_recent_files_stand_in_the_menu_of_the_dock_where_there_is_one(dock_menus, fresh_window, sample):
    window, (menu,) = fresh_window, dock_menus
    window.content.file_controller.remember(sample)
    menu.aboutToShow.emit()
    assert [action.text().partition("\t")[0] for action in menu.actions()] == [sample.stem]
