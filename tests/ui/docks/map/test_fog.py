"""The fog's tools of the map: rooms, rectangles and strokes, by mouse and by keys, and the party's sight in a worker."""

from __future__ import annotations

import threading

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from tests.ui.docks.map.conftest import drag, keys, place, press, release
from turnwright.encounter.prepared import Map, MapLight
from turnwright.encounter.running import Combatant, Fog, LastingArea
from turnwright.encounter.state import scene_of
from turnwright.play.environment.map_changes import EndArea, LayArea, SetFog
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.state.position_changes import SetPosition
from turnwright.rules.parts.positions import sight as fog_rules
from turnwright.rules.parts.positions.sight import fog_lines
from turnwright.ui.docks.map.drawing.drawing import with_light
from turnwright.ui.services.workers import BackgroundTask

Key = Qt.Key


def lines(document) -> tuple[str, ...] | None:
    return fog_lines(document.encounter, document.encounter.need(Map, "map"))


def shown(document) -> set[tuple[int, int]]:
    return {(x, y) for y, line in enumerate(lines(document) or ()) for x, sign in enumerate(line) if sign == "+"}


def depth(document) -> int:
    return document.source.session.history.depth


def test_the_tools_are_off_at_first_and_prepare_the_fog_before_a_fight(show, document):
    dock = show(document)
    keys(dock, Key.Key_G)
    assert dock.view.tool is dock.draw_tool or dock.view.tool is dock.select_tool
    assert not dock.fog_bar.isVisible()
    dock.tools.buttons["fog"].click()
    dock.fog_bar.buttons["hide-all"].click()
    assert document.encounter.need(Map, "map").fog == "."
    press(dock, (7, 6))
    release(dock, (7, 6))
    assert (7, 6) in shown(document)
    document.execute(StartEncounter())
    assert fog_lines(document.encounter, document.encounter.need(Map, "map")) is not None
    assert (7, 6) in shown(document)


def test_g_begins_and_ends_the_fog_and_moves_go_on(show, fight):
    dock = show(fight)
    assert dock.view.tool is dock.select_tool
    assert not dock.fog_bar.isVisible()
    keys(dock, Key.Key_G)
    assert dock.fog_bar.isVisible()
    assert dock.view.tool is dock.fog_tool
    keys(dock, Key.Key_Escape)
    assert not dock.fog_bar.isVisible()
    assert dock.view.tool is dock.select_tool
    assert lines(fight) is None


def test_a_click_shows_a_room_and_hides_it_again(show, fight):
    dock = show(fight)
    keys(dock, Key.Key_G)
    press(dock, (0, 0))
    release(dock, (0, 0))
    assert len(shown(fight)) == 12 * 8  # no wall parts the yard
    keys(dock, Key.Key_3)
    press(dock, (0, 0))
    release(dock, (0, 0))
    assert shown(fight) == set()


def test_a_rectangle_is_drawn_from_corner_to_corner(show, fight):
    dock = show(fight)
    keys(dock, Key.Key_G, Key.Key_B)
    steps = depth(fight)
    drag(dock, (3, 3), (2, 2), (1, 1))
    assert shown(fight) == {(x, y) for x in (1, 2, 3) for y in (1, 2, 3)}
    assert depth(fight) == steps + 1
    keys(dock, Key.Key_2)
    drag(dock, (1, 1), (3, 1))
    assert (lines(fight) or ())[1].startswith(".---.")


def test_a_stroke_of_the_brush_is_one_step_and_shift_widens_it(show, fight):
    dock = show(fight)
    keys(dock, Key.Key_G, Key.Key_P)
    steps = depth(fight)
    drag(dock, (0, 4), (1, 4), (4, 4))
    assert shown(fight) == {(x, 4) for x in range(5)}
    assert depth(fight) == steps + 1
    fight.undo()
    assert lines(fight) is None
    dock.canvas.set_cursor((5, 5))
    keys(dock, Key.Key_Space, held=Qt.KeyboardModifier.ShiftModifier)
    assert shown(fight) == {(x, y) for x in (4, 5, 6) for y in (4, 5, 6)}


def test_a_rectangle_by_keys(show, fight):
    dock = show(fight)
    keys(dock, Key.Key_G, Key.Key_B)
    dock.canvas.set_cursor((2, 2))
    keys(dock, Key.Key_Return, Key.Key_Right, Key.Key_Down, Key.Key_Return)
    assert shown(fight) == {(2, 2), (3, 2), (2, 3), (3, 3)}


@pytest.fixture
def threads(monkeypatch) -> list[int]:
    """The threads in which the sight of a whole map was worked out."""
    found: list[int] = []
    whole = fog_rules.squares_in_sight

    def told(*arguments, **named):
        found.append(threading.get_ident())
        return whole(*arguments, **named)

    monkeypatch.setattr(fog_rules, "squares_in_sight", told)
    fog_rules.seen_from.cache_clear()
    return found


def test_what_the_party_sees_is_worked_out_in_another_thread(show, fight, threads, qtbot):
    dock = show(fight)
    keys(dock, Key.Key_G, Key.Key_L)
    qtbot.waitUntil(lambda: fight.encounter.get(Fog, "fog") is not None)
    assert {(2, 2), (10, 6)} <= shown(fight)
    assert threads
    assert threading.get_ident() not in threads


def test_the_partys_sight_follows_its_moves_but_not_undo(show, fight, threads, qtbot):
    dock = show(fight)
    dock.show_fog(shown=True)
    dock.fog_bar.buttons["follow"].click()
    qtbot.waitUntil(lambda: fight.encounter.get(Fog, "fog") is not None)
    before, steps = lines(fight), depth(fight)
    fight.execute(SetPosition("mira", position=(11, 7)))
    qtbot.waitUntil(lambda: lines(fight) != before)
    assert depth(fight) == steps + 2
    fight.undo()
    fight.undo()
    assert lines(fight) == before
    assert fight.encounter.need(Combatant, "mira").position == (2, 2)
    looked = len(dock.party_sight.findChildren(BackgroundTask))
    fight.execute(SetPosition("raiders-1", position=(0, 0)))
    assert len(dock.party_sight.findChildren(BackgroundTask)) == looked
    assert threading.get_ident() not in threads


def test_the_partys_sight_follows_changes_of_light(show, fight, qtbot):
    fight.execute(Edit(msgspec.structs.replace(scene_of(fight.encounter), light="dark")))
    fight.execute(SetPosition("raiders-1", position=(0, 0)))
    dock = show(fight)
    dock.show_fog(shown=True)
    dock.fog_bar.buttons["follow"].click()
    qtbot.waitUntil(lambda: fight.encounter.get(Fog, "fog") is not None)
    dark = lines(fight)
    fight.execute(LayArea("Torch", "mira", radius=20, light="bright"))
    qtbot.waitUntil(lambda: lines(fight) != dark)
    lit = lines(fight)
    fight.execute(EndArea(next(iter(fight.encounter.all(LastingArea))).id))
    qtbot.waitUntil(lambda: lines(fight) != lit)
    lamp = MapLight((3.5, 3.5))
    for light, is_seen in ((lamp, True), (msgspec.structs.replace(lamp, lit=False), False)):
        dock.canvas.replace_map(with_light(dock.canvas.field, "0", light))
        qtbot.waitUntil(lambda is_seen=is_seen: ((3, 4) in shown(fight)) == is_seen)
    fight.execute(Edit(msgspec.structs.replace(scene_of(fight.encounter), light="bright")))
    qtbot.waitUntil(lambda: len(shown(fight)) > 60)


def test_a_move_while_the_party_looks_is_looked_at_in_another_thread_too(show, fight, threads, qtbot):
    dock = show(fight)
    dock.party_sight.show_now()
    fight.execute(SetPosition("mira", position=(11, 7)))
    qtbot.waitUntil(lambda: fight.encounter.get(Fog, "fog") is not None)
    assert (11, 7) in shown(fight)
    assert threads
    assert threading.get_ident() not in threads


def test_what_is_hidden_is_painted_darker(show, fight):
    dock = show(fight)

    def colour(square) -> QColor:
        picture = dock.view.viewport().grab().toImage()
        spot = place(dock, square, (0.7, 0.7)) * picture.devicePixelRatio()
        return picture.pixelColor(spot)

    bright = colour((7, 6)).lightness()
    fight.execute(SetFog("explored"))
    dim = colour((7, 6)).lightness()
    fight.execute(SetFog("hidden", ((7, 6),)))
    dark = colour((7, 6)).lightness()
    assert bright > dim > dark
    fight.execute(SetFog("off"))
    assert colour((7, 6)).lightness() == bright
