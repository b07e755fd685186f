"""The menu of a token and of a light, and lights placed by hand."""

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from tests.ui.docks.map.conftest import drag, keys, place, point, press, release
from turnwright.encounter.prepared import Map, MapLight, RosterEntry
from turnwright.encounter.running import Combatant, Effect, LastingArea
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.state.position_changes import SetPosition
from turnwright.players.secrets import known_name
from turnwright.ui.docks.map import dock as map_dock
from turnwright.ui.docks.map.popovers import PartPopover


@pytest.fixture
def menu_at(monkeypatch):
    """Return a function that opens the menu of a square, and returns its actions by text, with those of its submenus."""
    opened = []
    monkeypatch.setattr(map_dock, "pop_up", lambda menu, _place: opened.append(menu))

    def actions_of(menu: QMenu, before: str = "") -> dict:
        found = {}
        for action in menu.actions():
            text = before + action.text().partition("\t")[0]
            if (inner := action.menu()) is not None:
                found |= actions_of(inner, f"{text}/")
            elif action.text():
                found[text] = action
        return found

    def opener(dock, square, *, by_key=False):
        if by_key:
            dock.canvas.set_cursor(square)
            keys(dock, Qt.Key.Key_F10, held=Qt.KeyboardModifier.ShiftModifier)
        else:
            dock.view.menuRequested.emit(dock.view.position_at(place(dock, square).toPointF()))
        return actions_of(opened[-1])

    return opener


def lights(document):
    return document.encounter.need(Map, Map.table).lights


def test_a_lamp_is_placed_dragged_put_out_and_taken_away_and_each_is_undone(show, document, menu_at):
    dock = show(document)
    menu_at(dock, (6, 1))["Place a light/Torch"].trigger()
    assert lights(document) == (MapLight((6.5, 1.5), 20),)
    dock.tools.show_drawing(shown=True)
    keys(dock, Qt.Key.Key_H)
    drag(dock, (6, 1), (7, 2), (9, 3))
    assert lights(document) == (MapLight((9.5, 3.5), 20),)
    document.undo()
    assert lights(document) == (MapLight((6.5, 1.5), 20),)
    press(dock, (1, 6))
    release(dock, (1, 6))
    assert [light.at for light in lights(document)] == [(6.5, 1.5), (1.5, 6.5)]
    press(dock, (1, 6))
    release(dock, (1, 6))
    (popover,) = [popover for popover in dock.findChildren(PartPopover) if popover.isVisible()]
    form = popover.form
    form.binding.write(msgspec.structs.replace(form.binding.value(), bright=5, dim=30, colour="#cc3300"), "bright")
    assert lights(document)[1] == MapLight((1.5, 6.5), 5, 30, "#cc3300")
    popover.close()
    menu_at(dock, (1, 6), by_key=True)["Put out the light"].trigger()
    assert [light.lit for light in lights(document)] == [True, False]
    menu_at(dock, (6, 1))["Remove the light"].trigger()
    assert [light.at for light in lights(document)] == [(1.5, 6.5)]
    keys(dock, Qt.Key.Key_E)
    press(dock, (1, 6))
    release(dock, (1, 6))
    assert lights(document) == ()
    for _ in range(3):
        document.undo()
    assert [light.lit for light in lights(document)] == [True, True]


def carried(document, who):
    return [(area.name, area.radius, area.light) for area in document.encounter.all(LastingArea) if area.owner == who]


def test_a_torch_is_lit_for_all_selected_tokens_and_lasts_into_the_fight(show, document, menu_at):
    dock = show(document)
    drag(dock, (1, 1), (2, 2), (4, 3))
    menu_at(dock, (2, 2))["Light/Torch"].trigger()
    entries = [document.encounter.need(RosterEntry, id) for id in ("mira", "raiders")]
    assert [entry.lights for entry in entries] == [("torch",), ("torch", "", "")]
    assert menu_at(dock, (2, 2))["Light/Torch"].isChecked()
    assert "Light/Bullseye lantern" not in menu_at(dock, (2, 2))
    document.execute(StartEncounter())
    assert carried(document, "mira") == carried(document, "raiders-1") == [("Torch", 20, "bright")]
    assert carried(document, "raiders-2") == []
    raiders = document.encounter.need(RosterEntry, "raiders")
    document.execute(Edit(msgspec.structs.replace(raiders, count=4, lights=("torch", "", "", "candle"))))
    assert carried(document, next(reversed(list(document.encounter.ids(Combatant))))) == [("Candle", 5, "bright")]
    document.undo()
    document.undo()
    document.undo()
    assert document.encounter.need(RosterEntry, "raiders").lights == ()


def test_a_light_is_exchanged_and_put_out_in_a_fight_and_a_lantern_is_aimed(show, fight, menu_at):
    dock = show(fight)
    menu_at(dock, (2, 2))["Light/Candle"].trigger()
    menu_at(dock, (2, 2))["Light/Hooded lantern"].trigger()
    assert carried(fight, "mira") == [("Hooded lantern", 30, "bright")]
    assert "End: Hooded lantern" not in menu_at(dock, (3, 3))
    menu_at(dock, (2, 2))["Light/Hooded lantern"].trigger()
    assert carried(fight, "mira") == []
    fight.undo()
    fight.undo()
    assert carried(fight, "mira") == [("Candle", 5, "bright")]
    fight.undo()
    fight.select_combatants(("mira", "raiders-1"))
    keys(dock, Qt.Key.Key_Z)
    assert carried(fight, "mira") == carried(fight, "raiders-1") == [("Torch", 20, "bright")]
    dock.tools.buttons["torch"].click()
    assert carried(fight, "mira") == carried(fight, "raiders-1") == []
    menu_at(dock, (2, 2))["Light/Bullseye lantern"].trigger()
    point(dock, (8, 2))
    keys(dock, Qt.Key.Key_Return)
    assert carried(fight, "mira") == [("Bullseye lantern", 0, "bright"), ("Bullseye lantern", 0, "dim")]
    fight.undo()
    assert carried(fight, "mira") == []


def test_the_menu_of_a_token_offers_what_can_be_done_by_mouse_and_by_key(show, fight, menu_at, qtbot):
    dock = show(fight)
    fight.execute(SetPosition("ogre", position=(2, 3)))
    menu = menu_at(dock, (2, 2), by_key=True)
    assert {"Move", "Choose a target", "Mount Ogre", "Take off the map", "Conditions/Prone"} <= set(menu)
    assert not {"Mount Tam", "Dismount", "Reveal its name to players"} & set(menu)
    with qtbot.waitSignal(dock.amountRequested) as asked:
        menu["Damage"].trigger()
    assert asked.args == [""]
    with qtbot.waitSignal(dock.manualCommandRequested):
        next(
            action for text, action in menu.items() if text.startswith("By hand") or "Damage with details" in text
        ).trigger()
    depth = fight.source.session.history.depth
    for text in ("Conditions/Prone", "Hide from the players", "Raise by one square"):
        fight.select_combatants(("mira", "raiders-1"))
        menu_at(dock, (2, 2))[text].trigger()
    people = [fight.encounter.need(Combatant, who) for who in ("mira", "raiders-1")]
    assert [(person.hidden, person.elevation) for person in people] == [(True, 5), (True, 5)]
    assert {effect.target for effect in fight.encounter.all(Effect) if effect.name == "prone"} == {"mira", "raiders-1"}
    assert fight.source.session.history.depth == depth + 3
    menu_at(dock, (10, 1))["Reveal its name to players"].trigger()
    assert known_name(fight.encounter, fight.encounter.need(Combatant, "raiders-2")) is not None
    menu_at(dock, (10, 6))["Take off the map"].trigger()
    assert fight.encounter.need(Combatant, "tam").position is None


def test_the_menu_before_the_fight_hides_and_raises(show, document, menu_at):
    dock = show(document)
    menu_at(dock, (4, 5))["Hide from the players"].trigger()
    menu_at(dock, (4, 5))["Lower by one square"].trigger()
    ogre = document.encounter.need(RosterEntry, "ogre")
    assert (ogre.hidden, ogre.elevation) == (True, -5)
    document.execute(Edit(msgspec.structs.replace(ogre, hidden=False)))
    assert "Show to the players" not in menu_at(dock, (4, 5))
