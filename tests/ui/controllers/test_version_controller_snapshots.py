"""Snapshots in the window: taken by keys, compared, gone back to, deleted, and there again when the fight is reopened."""

import shutil

from PySide6.QtCore import Qt

from turnwright.encounter.running import Combatant, Snapshot
from turnwright.play.damage.manual_hit_points import SetHitPoints
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.table.snapshots import GoBackToSnapshot
from turnwright.storage.fights import fight_path
from turnwright.ui.dialogs.manual_commands import ManualCommandDialog
from turnwright.ui.dialogs.recover import EarlierVersionsDialog

CONTROL = Qt.KeyboardModifier.ControlModifier
BOTH = CONTROL | Qt.KeyboardModifier.ShiftModifier


def take(window, qtbot, name):
    """Take a snapshot by keys alone."""
    qtbot.keyClick(window, Qt.Key.Key_T, BOTH)
    form = next(each for each in window.findChildren(ManualCommandDialog) if each.isVisible())
    line = form.field("name").line
    line.setFocus()
    qtbot.keyClicks(line, name)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert not form.isVisible()


def shown(window, qtbot):
    """Return the dialog of the snapshots, opened by its key."""
    qtbot.keyClick(window, Qt.Key.Key_T, CONTROL)
    return next(each for each in window.findChildren(EarlierVersionsDialog) if each.isVisible())


def test_one_is_taken_compared_gone_back_to_and_that_is_undone(qtbot, window):
    document = window.document
    assert not window.content.window_actions.actions["snapshots"].isEnabled()
    document.execute(StartEncounter())
    take(window, qtbot, "Before the sledge")
    document.execute(SetHitPoints("mira", hp=7))
    take(window, qtbot, "Mira hurt")
    document.execute(SetHitPoints("mira", hp=3))
    window.content.refresh()
    dialog = shown(window, qtbot)
    assert [dialog.list.topLevelItem(row).text(0) for row in range(2)] == [
        "Mira hurt, round 0",
        "Before the sledge, round 0",
    ]
    dialog.list.setCurrentItem(dialog.list.topLevelItem(1))
    lines = dialog.text.toPlainText().splitlines()
    assert [line[:1] for line in lines if line.lstrip("+- ").startswith("Mira")] == ["-", "+"]
    dialog.back_button.click()
    assert document.encounter.need(Combatant, "mira").hp == 44
    assert len(document.encounter.ids(Snapshot)) == 2
    document.undo()
    assert document.encounter.need(Combatant, "mira").hp == 3
    window.content.refresh()
    dialog = shown(window, qtbot)
    dialog.copyRequested.emit(0)
    dialog.close()
    assert [one.name for one in document.encounter.all(Snapshot)] == ["Before the sledge"]


def test_one_is_there_again_when_the_fight_is_reopened(qtbot, window, application, tmp_path):
    document, path = window.document, window.source.path
    document.execute(StartEncounter())
    take(window, qtbot, "Door")
    document.execute(SetHitPoints("mira", hp=7))
    assert window.content.file_controller.save()
    other = tmp_path / "elsewhere"
    other.mkdir()
    for file in (path, fight_path(path)):
        shutil.copy(file, other)
    source = application.workspace.open(other / path.name)
    source.do(GoBackToSnapshot("snapshot"))
    assert source.session.encounter.need(Combatant, "mira").hp == 44
    source.close(discard=True)
