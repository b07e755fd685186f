"""The table of actions: commands and triggers, shortcuts, menus, and mistakes in a table."""

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow

from tests.ui.action_rows import Table, install, rows
from turnwright.ui.services.actions import ActionLook, ActionSpec, ActionTable, InstalledActions


@pytest.fixture
def installed(qtbot) -> InstalledActions[Table]:
    return install(qtbot)


def test_a_shortcut_triggers_its_action(qtbot, installed):
    qtbot.keyClick(installed.window.centralWidget(), Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert installed.context.done == ["save"]


def test_what_cannot_be_done_now_is_greyed_out(installed):
    assert not installed.action("undo").isEnabled()
    installed.context.can_undo = True
    installed.refresh()
    assert installed.action("undo").isEnabled()


def test_what_cannot_be_done_now_is_not_done_by_name_either(installed):
    installed.run("undo")
    assert installed.context.done == []


def test_switches_show_what_is_the_case(installed):
    assert installed.action("prepare").isChecked()
    installed.action("run").trigger()
    assert installed.action("run").isChecked()
    assert not installed.action("prepare").isChecked()


def test_a_submenu_stands_where_its_first_action_would(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    rows = (("save", ""), ("problems", "panels"), ("journal", "panels"), ("quit", ""))
    specs = [ActionSpec(id, ActionLook("file", submenu=inner), print) for id, inner in rows]
    made = ActionTable(specs, ("file",)).install(window, object())
    assert [bool(one.menu()) for one in made.menus["file"].actions()] == [False, True, False]
    assert made.menus["panels"].actions() == [made.action("problems"), made.action("journal")]


def test_menus_come_from_the_table(installed):
    assert installed.menus["file"].actions() == [installed.action("save")]
    assert "Ctrl+S" in installed.action("save").toolTip()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (ActionSpec("save", ActionLook(), print), "save: duplicate action id"),
        (
            ActionSpec("send", ActionLook(shortcuts=("Ctrl+S",)), print),
            "send: the shortcut Ctrl+S is already used by save",
        ),
        (ActionSpec("send", ActionLook("mail"), print), "send: unknown menu 'mail'"),
        (ActionSpec("send", ActionLook(shortcuts=("",)), print), "send: '' is not a valid shortcut"),
    ],
)
def test_a_table_that_contradicts_itself_is_refused(more, said):
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        ActionTable([*rows(), more], ["file", "edit"])
