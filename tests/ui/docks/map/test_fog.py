"""The fog's tools of the map: rooms, rectangles and strokes, by mouse and by keys, and the party's sight in a worker."""

from __future__ import annotations

import threading

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from tests.ui.docks.map.conftest import drag, keys, place, press, release
from turnwright.encounter.prepared import Map, MapBarrier, MapLight
from turnwright.encounter.running import Combatant, Fog, LastingArea
from turnwright.encounter.state import scene_of
from turnwright.play.environment.map_changes import EndArea, LayArea, SetFog
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.state.position_changes import SetPosition
from turnwright.rules.parts.positions import sight as fog_rules
from turnwright.rules.parts.positions.sight import fog_lines
from turnwright.ui.docks.map.tools import fog_tool
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


def test_a_circle_takes_the_squares_with_their_centre_in_it_by_mouse_and_by_keys(show, fight):
    dock = show(fight)
    keys(dock, Key.Key_G, Key.Key_C)
    steps = depth(fight)
    inside = {(x, y) for x in range(12) for y in range(8) if (x - 4) ** 2 + (y - 3) ** 2 <= 4}
    drag(dock, (4, 3), (5, 3), (6, 3))
    assert shown(fight) == inside
    assert depth(fight) == steps + 1
    fight.undo()
    dock.canvas.set_cursor((4, 3))
    keys(dock, Key.Key_Return, Key.Key_Right, Key.Key_Right, Key.Key_Return)
    assert shown(fight) == inside
    keys(dock, Key.Key_Return, Key.Key_Right, Key.Key_Escape)
    assert dock.view.tool is dock.fog_tool
    assert not dock.fog_tool.is_begun
    assert depth(fight) == steps + 1


def test_a_polygon_is_closed_at_a_corner_by_mouse_and_by_keys(show, fight):
    dock = show(fight)
    keys(dock, Key.Key_G, Key.Key_N)
    steps = depth(fight)
    for square, aside in (((1, 1), (0, 0)), ((5, 1), (0, 0)), ((5, 5), (0, 0)), ((1, 1), (0, 0))):
        press(dock, square, aside)
        release(dock, square)
    triangle = {(x, y) for x in range(1, 5) for y in range(1, 5) if x > y}
    assert triangle <= shown(fight) <= triangle | {(x, x) for x in range(1, 5)}
    assert depth(fight) == steps + 1
    keys(dock, Key.Key_3)
    dock.canvas.set_cursor((0, 0))
    right, down = [Key.Key_Right] * 5, [Key.Key_Down] * 5
    keys(dock, Key.Key_Return, *right, Key.Key_Return, *down, Key.Key_Return, *([Key.Key_Left] * 5), Key.Key_Return)
    assert depth(fight) == steps + 1
    keys(dock, Key.Key_Return)  # the last corner again
    assert shown(fight) == set()
    assert depth(fight) == steps + 2


def test_a_part_of_a_square_that_a_slanted_wall_cuts_is_enough(show, fight):
    wall = MapBarrier("wall", ((0, 0), (5, 8)))
    fight.execute(Edit(msgspec.structs.replace(fight.encounter.need(Map, "map"), barriers=(wall,))))
    dock = show(fight)
    keys(dock, Key.Key_G, Key.Key_N)
    for square in ((0, 0), (5, 8), (0, 8), (0, 0)):
        dock.fog_tool.draw_at(square)
    left = {(x, y) for x in range(12) for y in range(8) if (x + 0.5) * 8 < (y + 0.5) * 5}
    cut = {(x, y) for x in range(12) for y in range(8) if 8 * x < 5 * (y + 1) and 8 * (x + 1) > 5 * y}
    assert left < shown(fight) < left | cut
    assert {(0, 0), (2, 3), (3, 5)} <= shown(fight) - left


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


def test_what_the_party_sees_is_worked_out_in_another_thread_and_said(show, fight, threads, qtbot, monkeypatch):
    dock = show(fight)
    monkeypatch.setattr(fog_tool, "load_kernels", lambda: threads.append(threading.get_ident()))
    keys(dock, Key.Key_G, Key.Key_L)
    assert dock.status.text() == "Looking…"
    qtbot.waitUntil(lambda: fight.encounter.get(Fog, "fog") is not None)
    assert dock.status.text() == "Players see what the party sees now"
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
    field, unlit = fight.encounter.need(Map, "map"), lines(fight)
    fight.execute(Edit(msgspec.structs.replace(field, lights=(MapLight((4.5, 2.5), bright=15),))))
    qtbot.waitUntil(lambda: lines(fight) != unlit)
    lamp = lines(fight)
    fight.execute(Edit(msgspec.structs.replace(field, lights=())))
    qtbot.waitUntil(lambda: lines(fight) != lamp)
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
