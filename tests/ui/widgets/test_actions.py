import re
from dataclasses import dataclass, field

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QMainWindow

from turnwright.ui.actions import ActionSpec, ActionTable, InstalledActions
from turnwright.ui.dialogs.key_list import KeyListDialog, field_keys, key_rows
from turnwright.ui.dialogs.palette import CommandPalette, PaletteEntry, palette_entries
from turnwright.ui.matching import best_matches


@dataclass
class Table:
    can_undo: bool = False
    running: bool = False
    done: list[str] = field(default_factory=list)


def rows() -> list[ActionSpec[Table]]:
    return [
        ActionSpec("save", lambda c: c.done.append("save"), shortcuts=("Ctrl+S",), menu="file", in_toolbar=True),
        ActionSpec(
            "undo",
            lambda c: c.done.append("undo"),
            shortcuts=("Ctrl+Z",),
            menu="edit",
            enabled_when=lambda c: c.can_undo,
        ),
        ActionSpec("next", make_command=lambda c: "end the turn", shortcuts=("Ctrl+E", "F8"), menu="edit"),
        ActionSpec("nothing", make_command=lambda c: None, menu="edit"),
        ActionSpec("run", lambda c: setattr(c, "running", True), checked_when=lambda c: c.running, group="mode"),
        ActionSpec(
            "prepare", lambda c: setattr(c, "running", False), checked_when=lambda c: not c.running, group="mode"
        ),
    ]


@pytest.fixture
def installed(qtbot) -> InstalledActions[Table]:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setCentralWidget(QLineEdit())
    table = Table()
    installed = ActionTable(rows(), ["file", "edit"]).install(window, lambda: table, table.done.append)
    window.resize(800, 600)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return installed


def test_a_shortcut_triggers_its_action(qtbot, installed):
    qtbot.keyClick(installed.window.centralWidget(), Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert installed.context().done == ["save"]


def test_an_action_hands_over_the_command_it_makes(installed):
    installed.action("next").trigger()
    installed.action("nothing").trigger()
    assert installed.context().done == ["end the turn"]


def test_what_cannot_be_done_now_is_greyed_out(installed):
    assert not installed.action("undo").isEnabled()
    installed.context().can_undo = True
    installed.refresh()
    assert installed.action("undo").isEnabled()


def test_what_cannot_be_done_now_is_not_done_by_name_either(installed):
    installed.run("undo")
    assert installed.context().done == []


def test_switches_show_what_is_the_case(installed):
    assert installed.action("prepare").isChecked()
    installed.action("run").trigger()
    assert installed.action("run").isChecked()
    assert not installed.action("prepare").isChecked()


def test_menus_and_tool_bar_come_from_the_table(installed):
    assert installed.menus["file"].actions() == [installed.action("save")]
    assert installed.tool_bar.actions() == [installed.action("save")]
    assert "Ctrl+S" in installed.action("save").toolTip()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (ActionSpec("save", print), "the action save stands twice"),
        (ActionSpec("send", print, shortcuts=("Ctrl+S",)), "Ctrl+S is a shortcut of both save and send"),
        (ActionSpec("send", print, menu="mail"), "send: there is no menu mail"),
        (ActionSpec("send", print, shortcuts=("",)), "send:  is no shortcut"),
    ],
)
def test_a_table_that_contradicts_itself_is_refused(more, said):
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        ActionTable([*rows(), more], ["file", "edit"])


def test_an_action_either_makes_a_command_or_triggers_something():
    with pytest.raises(ValueError, match="either"):
        ActionSpec("idle")


@pytest.fixture
def palette(qtbot, installed):
    chosen = []
    names = ("End turn", "Roll initiative", "Reset to prepared", "Add to encounter")
    entries = [PaletteEntry(name, lambda name=name: chosen.append(name)) for name in names]
    palette = CommandPalette(installed.window, lambda: [*palette_entries(installed), *entries])
    palette.chosen = chosen
    palette.open_over(installed.window)
    return palette


def test_the_palette_offers_what_can_be_done_now(palette):
    assert "Save" in palette.texts()
    assert "Undo" not in palette.texts()


def test_typing_filters_and_enter_does_the_best_match(qtbot, palette):
    qtbot.keyClicks(palette.line, "ini")
    assert palette.texts() == ["Roll initiative"]
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: palette.chosen == ["Roll initiative"])
    assert not palette.isVisible()


def test_arrows_choose_another(qtbot, palette):
    qtbot.keyClicks(palette.line, "r")
    wanted = palette.texts()[1]
    qtbot.keyClick(palette.line, Qt.Key.Key_Down)
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: palette.chosen == [wanted])


def test_escape_closes_and_does_nothing(qtbot, palette):
    qtbot.keyClick(palette.line, Qt.Key.Key_Escape)
    assert not palette.isVisible()
    assert palette.chosen == []


def test_enter_on_nothing_found_stays(qtbot, palette):
    qtbot.keyClicks(palette.line, "zzzz")
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    assert palette.texts() == []
    assert palette.isVisible()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["Save", "Save as", "Undo", "End turn"]),
        ("sa", ["Save", "Save as"]),
        ("turn end", ["End turn"]),
        ("sas", ["Save as"]),
        ("xyz", []),
    ],
)
def test_matching(query, found):
    texts = ["Save", "Save as", "Undo", "End turn"]
    assert [texts[index] for index in best_matches(query, texts)] == found


def test_the_beginning_counts_for_more_than_the_middle():
    texts = ["Unturned", "End turn", "Turn order"]
    assert [texts[index] for index in best_matches("turn", texts)] == ["Turn order", "End turn", "Unturned"]


def test_the_key_list_has_every_shortcut_of_the_table(qtbot, installed):
    keys = KeyListDialog(None, [*key_rows(installed.table), *field_keys()])
    qtbot.addWidget(keys)
    assert ("ui.action.next", "Ctrl+E, F8") in keys.shown_rows()
    assert ("Half", "Ctrl+Return") in keys.shown_rows()
    qtbot.keyClicks(keys.line, "half")
    assert keys.shown_rows() == [("Half", "Ctrl+Return")]
