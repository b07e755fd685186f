"""Files that take long to open: the window stays usable, shows that something goes on, and lets a person give up."""

from __future__ import annotations

import shutil
import threading

import pytest
from msgspec.structs import replace

from turnwright.encounter.prepared import Scene
from turnwright.play.setup.prepared_records import Edit
from turnwright.ui.application.app import InitialDocument
from turnwright.ui.application.startup import offer_recovery
from turnwright.ui.controllers import file_controller
from turnwright.ui.widgets.dialog import ProgressDialog
from turnwright.workspace.locks import DocumentLock, lock_name


@pytest.fixture
def more(tmp_path, sample):
    """Return further files."""
    return [shutil.copy(sample, tmp_path / f"{name}.toml") for name in ("one", "two")]


@pytest.fixture
def gate(monkeypatch):
    """Let a window wait no time, and files open only once the gate is opened."""
    gate = threading.Event()
    monkeypatch.setattr(file_controller, "PATIENCE", 0)
    yield gate
    gate.set()


def hold(monkeypatch, workspace, gate, by="open_or_recover"):
    """Keep a function from reading files before the gate is open; return the threads that call it."""
    threads, opened = [], getattr(workspace, by)

    def slow(path):
        threads.append(threading.current_thread())
        assert gate.wait(30)
        return opened(path)

    monkeypatch.setattr(workspace, by, slow)
    return threads


def rename(document, title):
    document.do(Edit(replace(document.encounter.need(Scene, "scene"), title=title)))


def progress_of(window):
    return next(each for each in window.findChildren(ProgressDialog) if each.isVisible())


def test_a_quick_file_opens_at_once_and_off_the_gui_thread(monkeypatch, window, application, more):
    gate = threading.Event()
    gate.set()
    threads = hold(monkeypatch, application.workspace, gate)
    monkeypatch.setattr(file_controller, "PATIENCE", 30)
    assert window.content.file_controller.open(more[0])
    assert window.document.source.path == more[0]
    assert threads[0] is not threading.main_thread()
    assert not window.findChildren(ProgressDialog)


def test_a_slow_file_shows_its_progress_until_it_is_open(monkeypatch, qtbot, window, application, more, gate):
    hold(monkeypatch, application.workspace, gate)
    before = window.document.source
    assert not window.content.file_controller.open(more[0])
    dialog = progress_of(window)
    assert dialog.isModal()
    assert more[0].name in dialog.label.text()
    assert window.document.source is before
    assert not window.content.file_controller.open(more[1])  # one at a time
    gate.set()
    qtbot.waitUntil(lambda: window.document.source.path == more[0])
    qtbot.waitUntil(lambda: not window.findChildren(ProgressDialog))
    assert not window.document.source.read_only


def test_a_slow_file_that_is_given_up_leaves_everything_as_it_was(monkeypatch, qtbot, window, application, more, gate):
    threads = hold(monkeypatch, application.workspace, gate)
    before = window.document.source
    window.content.file_controller.open(more[0])
    progress_of(window).cancel.click()
    assert window.document.source is before
    assert not [each for each in window.findChildren(ProgressDialog) if each.isVisible()]
    gate.set()
    threads[0].join()
    lock = DocumentLock(application.workspace.folders.recovery, lock_name(more[0]))
    assert lock.acquire()  # the document was closed, and keeps nobody from opening it
    lock.release()
    qtbot.wait(0)
    assert window.document.source is before
    assert window.content.file_controller.open(more[0]) or progress_of(window)
    qtbot.waitUntil(lambda: window.document.source.path == more[0])
    assert not window.document.source.read_only


def test_a_slow_file_that_is_broken_is_told(monkeypatch, qtbot, window, application, tmp_path, gate):
    hold(monkeypatch, application.workspace, gate)
    broken = tmp_path / "broken.toml"
    broken.write_text("x = = 1")
    window.content.file_controller.open(broken)
    gate.set()
    qtbot.waitUntil(lambda: "broken.toml" in window.messages().text())


@pytest.mark.sampled(1)
@pytest.mark.parametrize("is_given_up", [False, True])
def test_a_slow_saved_file_to_go_back_to(monkeypatch, qtbot, window, application, sample, gate, is_given_up):
    threads = hold(monkeypatch, application.workspace, gate, "read")
    before = window.document.source
    saved = before.title
    rename(before, "Of this minute")
    window.content.file_controller.revert_to_saved()
    if is_given_up:
        progress_of(window).cancel.click()
    gate.set()
    threads[0].join()
    if not is_given_up:
        qtbot.waitUntil(lambda: window.document.source is not before)
    qtbot.wait(0)
    assert threads[0] is not threading.main_thread()
    assert window.document.source.path == sample
    assert window.document.source.title == ("Of this minute" if is_given_up else saved)
    assert window.document.source.is_modified == is_given_up
    rename(window.document.source, "Not read-only")
    assert not window.document.source.read_only
    window.document.source.close(discard=True)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("is_given_up", [False, True])
def test_slow_work_of_a_crash(monkeypatch, qtbot, window, application, gate, is_given_up):
    lost = application.workspace.untitled()
    rename(lost, "Never saved")
    lost.close()
    threads = hold(monkeypatch, application.workspace, gate, "recover")
    before = window.document.source
    offer_recovery(window, application.workspace).restore()
    assert progress_of(window).isModal()
    if is_given_up:
        progress_of(window).cancel.click()
    gate.set()
    threads[0].join()
    if not is_given_up:
        qtbot.waitUntil(lambda: window.document.source is not before)
    qtbot.wait(0)
    assert threads[0] is not threading.main_thread()
    assert (window.document.source is before) == is_given_up
    left = application.workspace.recoverable()
    assert len(left) == is_given_up
    if is_given_up:
        application.workspace.discard(left[0])
    else:
        assert window.document.source.title == "Never saved"
        window.document.source.close(discard=True)


def test_work_of_a_crash_that_cannot_be_read_is_told(monkeypatch, qtbot, window, application, gate):
    lost = application.workspace.untitled()
    rename(lost, "Never saved")
    lost.close()
    before = window.document.source
    dialog = offer_recovery(window, application.workspace)
    for log in (lost.state_folder / "recovery").glob("untitled*.log"):
        log.write_bytes(b"")
    dialog.restore()
    qtbot.waitUntil(lambda: "could not be restored" in window.messages().text())
    assert window.document.source is before


@pytest.mark.parametrize("is_given_up", [False, True])
def test_a_slow_first_file(monkeypatch, qtbot, fresh_application, sample, gate, is_given_up):
    hold(monkeypatch, fresh_application.workspace, gate)
    first = InitialDocument(fresh_application, sample)
    window = fresh_application.create_window(first.open)
    qtbot.addWidget(window)
    window.show()
    first.load_for(window)
    dialog = progress_of(window)
    if is_given_up:
        dialog.cancel.click()
    else:
        gate.set()
        qtbot.waitSignal(window.contentReady).wait()
    assert window.source.path == (None if is_given_up else sample)
    assert window.content is not None
    gate.set()
    qtbot.waitUntil(lambda: not [one for one in threading.enumerate() if one.name == "document"])
    window.source.close(discard=True)
    window.hide()
