"""The map shaded where it is dim or dark: worked out in a worker, followed through changes, and left off if wanted."""

from __future__ import annotations

import threading

import msgspec
import pytest
from PySide6.QtGui import QColor

from tests.ui.docks.map.conftest import FIELD, place
from turnwright.encounter.prepared import Map, MapLight, Scene
from turnwright.play.environment.map_changes import LayArea
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.state.position_changes import SetPosition
from turnwright.rules.parts.positions import sight
from turnwright.ui.services.workers import BackgroundTask

LAMP = MapLight((0.5, 0.5), bright=10, dim=15)


def darken(document, light: str = "dark") -> None:
    document.execute(Edit(msgspec.structs.replace(document.encounter.need(Scene, "scene"), light=light)))


def light_lamp(document) -> None:
    document.execute(Edit(msgspec.structs.replace(document.encounter.need(Map, "map"), lights=(LAMP,))))


def row_of(dock, row: int) -> str:
    return dock.canvas.light.shades[row] if dock.canvas.light.shades else ""


def lightness(dock, *squares) -> list[int]:
    picture = dock.view.viewport().grab().toImage()
    spots = [place(dock, square, (0.7, 0.7)) * picture.devicePixelRatio() for square in squares]
    return [QColor(picture.pixelColor(spot)).lightness() for spot in spots]


@pytest.fixture
def threads(monkeypatch) -> list[int]:
    """The threads in which the light of a lamp was worked out."""
    found: list[int] = []
    look = sight.squares_in_sight

    def told(*given):
        found.append(threading.get_ident())
        return look(*given)

    monkeypatch.setattr(sight, "squares_in_sight", told)
    sight.light_levels.cache_clear()
    sight.with_areas.cache_clear()
    return found


@pytest.mark.parametrize("prepared", [True, False])
def test_what_is_dim_is_shaded_and_what_is_dark_more(show, document, qtbot, request, prepared, threads):
    if not prepared:
        request.getfixturevalue("fight")
    dock = show(document)
    squares = (0, 0), (4, 0), (7, 0)
    bright = lightness(dock, *squares)
    light_lamp(document)
    darken(document)
    qtbot.waitUntil(lambda: row_of(dock, 0) == "   :::######")
    lit, dim, dark = lightness(dock, *squares)
    assert lit == bright[0]
    assert bright[1] > dim > dark
    assert threads
    assert threading.get_ident() not in threads
    darken(document, "bright")
    assert dock.canvas.light.shades == ()  # at once: there is nothing to work out
    assert lightness(dock, *squares) == bright


def test_a_torch_takes_its_light_with_it(show, fight, qtbot):
    dock = show(fight)
    darken(fight)
    fight.execute(LayArea("Torch", "mira", radius=5, light="bright"))
    qtbot.waitUntil(lambda: row_of(dock, 2) == ":   :#######")
    fight.execute(SetPosition("mira", position=(8, 3)))
    qtbot.waitUntil(lambda: row_of(dock, 3) == "######:   :#")
    fight.undo()
    qtbot.waitUntil(lambda: row_of(dock, 2) == ":   :#######")
    fight.undo()
    assert dock.canvas.light.shades == ()


def test_where_all_of_the_map_is_alike_nothing_is_shaded(show, fight, qtbot):
    dock = show(fight)
    bright = lightness(dock, (7, 0))
    darken(fight)
    assert not dock.canvas.light.findChildren(BackgroundTask)
    assert lightness(dock, (7, 0)) == bright
    squares = tuple((column, row) for column in range(FIELD.columns) for row in range(FIELD.rows))
    fight.execute(LayArea("Fairy lights", squares=squares, light="dim"))
    qtbot.waitUntil(lambda: not dock.canvas.light.findChildren(BackgroundTask))
    assert dock.canvas.light.shades == ()
    assert lightness(dock, (7, 0)) == bright


def test_of_many_changes_the_last_is_shown_and_few_are_worked_out(show, fight, qtbot):
    dock = show(fight)
    darken(fight)
    fight.execute(LayArea("Torch", "mira", radius=5, light="bright"))
    qtbot.waitUntil(lambda: row_of(dock, 2) == ":   :#######")
    for column in (4, 5, 6, 7, 8):
        fight.execute(SetPosition("mira", position=(column, 1)))
        assert len(dock.canvas.light.findChildren(BackgroundTask)) <= 2  # one at work, and one that has just finished
    qtbot.waitUntil(lambda: row_of(dock, 1) == "######:   :#")


def test_light_and_dark_are_told_of_the_square_with_the_cursor(show, document, qtbot):
    dock = show(document)
    light_lamp(document)
    darken(document)
    qtbot.waitUntil(lambda: row_of(dock, 0) != "")
    said = []
    dock.canvas.statusChanged.connect(said.append)
    for square in ((0, 0), (4, 0), (7, 0)):
        dock.canvas.announce_square(square)
    assert said == ["A1", "E1 · dim light", "H1 · dark"]


def test_the_map_may_stay_as_bright_as_it_is_drawn(show, document, qtbot):
    dock = show(document)
    bright = lightness(dock, (7, 0))
    light_lamp(document)
    darken(document)
    qtbot.waitUntil(lambda: row_of(dock, 0) != "")
    assert lightness(dock, (7, 0)) < bright
    dock.show_light(shown=False)
    assert lightness(dock, (7, 0)) == bright
    darken(document, "dim")
    assert dock.canvas.light.shades == ()
    dock.show_light(shown=True)
    qtbot.waitUntil(lambda: row_of(dock, 0) == "   :::::::::")


@pytest.mark.soak
def test_the_choice_stands_in_the_menu_of_the_map_and_is_remembered(window, qtbot):
    content = window.content
    action = content.window_actions.action("map-light")
    assert action.isChecked()
    content.docks.focus_dock("map")
    dock = content.docks.dock("map")
    light_lamp(window.document)
    darken(window.document)
    qtbot.waitUntil(lambda: row_of(dock, 0) != "")
    content.window_actions.run("map-light")
    assert not action.isChecked()
    assert not content.services.settings_store.settings.map_light
    assert dock.canvas.light.shades == ()
    content.window_actions.run("map-light")
    assert action.isChecked()
    qtbot.waitUntil(lambda: row_of(dock, 0) != "")
