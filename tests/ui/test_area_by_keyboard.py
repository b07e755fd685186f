"""An area in the real window by keyboard: from a feature of the stat block, and for the damage that is typed."""

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.ui.test_turn_by_keyboard import dock_of, press, running
from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.running import Combatant
from turnwright.play.queries.queries import open_prompts
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.state.position_changes import SetPosition
from turnwright.ui.widgets.action_bar import ActionButton

ARRANGEMENT = "run"

__all__ = ["running"]
SHIFT = Qt.KeyboardModifier.ShiftModifier
BREATH = Feature(
    "breath", "Cold Breath", "action", area="15-foot cone", save="con", dc=13, half=True, damage="3d6 cold"
)


@pytest.fixture
def breathing(running):
    """Mira can breathe; Raider 1 is right of her, and the others are far away."""
    document = running.document
    document.execute(SetPosition("mira", position=(10, 9)))
    hero = document.encounter.need(Creature, document.encounter.need(Combatant, "mira").creature)
    document.execute(Edit(msgspec.structs.replace(hero, features=(BREATH, *hero.features))))
    return running


def map_of(window):
    return window.content.docks.dock("map")


def test_a_breath_takes_three_keys(breathing, qtbot):
    dock = dock_of(breathing)
    (button,) = [one for one in dock.action_bar.findChildren(ActionButton) if one.view.name == "Cold Breath"]
    press(qtbot, str(button.number))
    qtbot.waitUntil(map_of(breathing).view.hasFocus)
    assert [one.label for one in map_of(breathing).template_tool.info.inside] == ["Raider 1"]
    press(qtbot, Qt.Key.Key_Return)
    qtbot.waitUntil(dock.form_host.form_card.isVisible)
    assert dock.form_host.form_card.field("targets").row.chosen() == ("raiders-1",)
    press(qtbot, Qt.Key.Key_Return)
    (prompt,) = open_prompts(breathing.document.encounter)
    assert [ask.who for ask in prompt.asks] == ["raiders-1"]


@pytest.mark.soak
def test_an_area_chooses_whom_the_typed_damage_hits(running, qtbot):
    dock = dock_of(running)
    press(qtbot, Qt.Key.Key_D)
    press(qtbot, "6d6 fire, dex 15 half")
    press(qtbot, Qt.Key.Key_L, SHIFT | Qt.KeyboardModifier.ControlModifier)
    laying = map_of(running)
    qtbot.waitUntil(laying.view.hasFocus)
    goal, tool = running.document.encounter.need(Combatant, "raiders-1").position, laying.template_tool
    while tool.square != goal:
        right, down = goal[0] - tool.square[0], goal[1] - tool.square[1]
        press(
            qtbot,
            (Qt.Key.Key_Right if right > 0 else Qt.Key.Key_Left)
            if right
            else (Qt.Key.Key_Down if down > 0 else Qt.Key.Key_Up),
        )
    inside = {one.key[1] for one in tool.info.inside}
    assert "raiders-1" in inside
    press(qtbot, Qt.Key.Key_Return)
    qtbot.waitUntil(dock.damage.amount.line.hasFocus)
    assert dock.damage.amount.line.text() == "6d6 fire, dex 15 half"
    assert set(dock.damage.targets.chosen()) == inside
    press(qtbot, Qt.Key.Key_Return)
    (prompt, *_) = open_prompts(running.document.encounter)
    assert {ask.who for ask in prompt.asks if ask.who} == inside


@pytest.mark.soak
def test_escape_goes_back_without_targets(breathing, qtbot):
    running = breathing
    press(qtbot, Qt.Key.Key_A, SHIFT)
    qtbot.waitUntil(map_of(running).view.hasFocus)
    press(qtbot, Qt.Key.Key_Escape)
    qtbot.waitUntil(running.content.docks.dock("order").view.hasFocus)
    assert running.document.selected_combatants == ()
    assert QApplication.focusWidget() is not None
