"""File › Earlier versions, and the notice that another program has changed the open file."""

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from turnwright.encounter.state import scene_of
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.setup.prepared_records import Edit
from turnwright.ui.controllers.version_controller import VersionController
from turnwright.ui.dialogs.recover import EarlierVersionsDialog
from turnwright.ui.shell.window import MainWindow


def retitle(window: MainWindow, title: str) -> None:
    window.document.execute(Edit(msgspec.structs.replace(scene_of(window.document.encounter), title=title)))


def saved_twice(window: MainWindow) -> str:
    first = scene_of(window.document.encounter).title
    retitle(window, "The second title")
    assert window.content.file_controller.save()
    return first


def test_a_version_is_compared_and_gone_back_to_and_that_is_undone(window: MainWindow) -> None:
    first = saved_twice(window)
    window.content.window_actions.actions["earlier-versions"].trigger()
    dialog = window.findChildren(EarlierVersionsDialog)[-1]
    assert dialog.list.topLevelItemCount() == 1
    assert dialog.text.toPlainText().splitlines()[2:4] == ['- title = "The second title"', f'+ title = "{first}"']
    dialog.back_button.click()
    assert scene_of(window.document.encounter).title == first
    window.document.undo()
    assert scene_of(window.document.encounter).title == "The second title"


def test_while_a_fight_runs_a_version_can_only_be_copied(window: MainWindow) -> None:
    first = saved_twice(window)
    window.document.execute(StartEncounter())
    dialog = window.content.services.controller(VersionController).open()
    assert dialog is not None
    assert not dialog.back_button.isEnabled()
    assert "only open an earlier version as a copy" in dialog.lead.text()
    window.document.undo()
    dialog.copyRequested.emit(0)
    assert (window.source.path, scene_of(window.document.encounter).title) == (None, first)
    dialog.close()


def test_a_file_without_versions_says_so(window: MainWindow) -> None:
    assert window.content.services.controller(VersionController).open() is None
    assert "no earlier versions yet" in window.messages().text()


def test_what_another_program_writes_is_noticed_once_when_the_window_comes_to_the_front(window: MainWindow) -> None:
    controller, path = window.content.services.controller(VersionController), window.source.path
    assert path is not None
    controller.look_at_file()
    assert not window.messages().isVisible()
    path.write_text(path.read_text(encoding="utf-8") + "# by hand\n", encoding="utf-8")
    QApplication.processEvents()
    QApplication.instance().applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    assert "Another program has changed ford.toml." in window.messages().text()
    window.messages().dismiss()
    controller.look_at_file()
    assert not window.messages().isVisible()
    window.content.file_controller.revert_to_saved()
    assert not window.source.changed_on_disk()


def test_its_own_saves_are_no_news(window: MainWindow) -> None:
    saved_twice(window)
    window.content.services.controller(VersionController).look_at_file()
    assert not window.messages().isVisible()
