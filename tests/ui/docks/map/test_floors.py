"""The floors of the map: shown one at a time, with their tokens, fog, size and cursor."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import QPointF, Qt

from tests.ui.docks.map.conftest import FIELD, drag, keys
from turnwright.encounter.floors import stacked
from turnwright.encounter.prepared import Map, MapFloor, RosterEntry
from turnwright.encounter.running import Combatant, Fog
from turnwright.play.environment.map_changes import ArrangeFloors
from turnwright.play.state.position_changes import SetPosition
from turnwright.play.turns.turns import EndTurn

TOP = FIELD.rows + 1
HOUSE = stacked(((MapFloor("hall", "Hall & yard"), FIELD), (MapFloor("cellar", "Cellar"), Map(columns=7, rows=5))))
SHIFT, ALT = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier


@pytest.fixture
def house(document):
    document.execute(ArrangeFloors(HOUSE))
    return document


def shown(dock) -> tuple[int, int, int]:
    """Return the first row of the map on the screen, its columns and its rows."""
    extent = dock.view.backdrop.extent
    return extent.top(), extent.width(), extent.height()


def test_tabs_and_keys_show_one_floor_at_a_time(house, show):
    dock = show(house)
    assert [dock.floor_tabs.tabText(at) for at in (0, 1)] == ["Hall && yard", "Cellar"]
    assert shown(dock) == (0, 12, 8)
    dock.floor_tabs.setCurrentIndex(1)
    assert shown(dock) == (TOP, 7, 5)
    assert dock.view.sceneRect() == dock.view.backdrop.bounds()
    for y in (0.0, dock.view.viewport().height() - 1.0):  # the squares above and below belong to no floor
        square = dock.view.position_at(QPointF(dock.view.viewport().width() / 2, y)).square
        assert TOP - 1 <= square[1] <= TOP + 5
    keys(dock, Qt.Key.Key_PageUp, held=SHIFT)
    keys(dock, Qt.Key.Key_PageUp, held=SHIFT)
    assert shown(dock) == (0, 12, 8)
    house.execute(ArrangeFloors(msgspec.structs.replace(FIELD)))
    assert dock.floor_tabs.isHidden()


def test_the_cursor_and_a_drag_stay_on_the_floor(house, show):
    dock = show(house)
    keys(dock, Qt.Key.Key_PageDown, held=SHIFT)
    dock.canvas.set_cursor((11, 2))
    assert dock.canvas.cursor == (6, TOP)
    keys(dock, Qt.Key.Key_Up)
    assert dock.canvas.cursor == (6, TOP)
    house.execute(ArrangeFloors(HOUSE))
    dock.select_tool.begin_move(next(token for token in dock.canvas.tokens.unplaced()))
    dock.select_tool.mover.move_to((11, 0))
    assert dock.select_tool.mover.drag.square == (6, TOP)


def test_a_token_goes_to_another_floor_and_back_by_undo(house, show):
    dock = show(house)
    dock.canvas.select(dock.canvas.tokens.for_record(("roster", "tam")))
    keys(dock, Qt.Key.Key_PageDown, held=ALT)
    assert house.encounter.need(RosterEntry, "tam").positions == ((6, TOP + 4),)  # the nearest square of a small cellar
    assert shown(dock) == (TOP, 7, 5)
    house.undo()
    assert house.encounter.need(RosterEntry, "tam").positions == ((10, 6),)


def test_the_map_follows_who_acts_and_journals_who_changes_floors(fight, show):
    fight.execute(ArrangeFloors(HOUSE))
    dock = show(fight)
    dock.canvas.select(dock.canvas.tokens.for_record(("combatants", "tam")))
    keys(dock, Qt.Key.Key_PageDown, held=ALT)
    assert fight.encounter.need(Combatant, "tam").position[1] >= TOP
    line = fight.source.session.history.last.lines[-1]
    assert fight.phrasebook.phrase_text(line.phrase) == "Tam goes to another floor: Cellar"
    fight.show_floor(HOUSE.floors[0])
    fight.execute(EndTurn())
    assert shown(dock)[0] == TOP
    fight.execute(SetPosition("tam", position=(5, 5)))  # acts, and stays in sight
    fight.execute(EndTurn())
    assert shown(dock)[0] == 0


def test_fog_size_and_walls_are_those_of_the_floor(fight, show):
    fight.execute(ArrangeFloors(HOUSE))
    dock = show(fight)
    dock.floor_tabs.setCurrentIndex(1)
    dock.show_fog(shown=True)
    dock.fog_bar.buttons["hide-all"].click()
    dock.fog_bar.buttons["show-all"].click()
    assert fight.encounter.need(Fog, "fog").squares.splitlines() == [".", *[""] * (TOP - 1), *["+" * 7] * 5]
    dock.fog_bar.buttons["hide-all"].click()
    dock.fog_bar.buttons["rectangle"].click()
    drag(dock, (5, TOP + 3), (5, TOP + 4))
    assert fight.encounter.need(Fog, "fog").squares.splitlines()[TOP + 3 :] == [".....+"] * 2
    dock.floor_tabs.setCurrentIndex(0)
    binding = dock.size_popover.form.binding
    binding.write(msgspec.structs.replace(binding.value(), rows=10), "rows")
    assert fight.encounter.need(Map, "map").floors[1].row == TOP + 2
    assert fight.encounter.need(Fog, "fog").squares.splitlines()[TOP + 5 :] == [".....+"] * 2
