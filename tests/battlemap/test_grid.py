"""The map is made of plain data, refuses nonsense, and can't be written to."""

import os
import subprocess
import sys

import pytest

from tests.battlemap.maps import draw
from tests.conftest import ROOT
from tests.for_each import for_each
from turnwright.battlemap.grid import UNLIMITED, TerrainLayers, build


def test_each_kind_of_obstacle_stops_its_own():
    grid, _ = draw("#%:o.")
    assert grid.move.squares.tolist() == [[True, True, False, True, False]]
    assert grid.sight.squares.tolist() == [[True, False, True, False, False]]
    assert grid.effect.squares.tolist() == [[True, True, False, False, False]]
    assert grid.blocked.tolist() == [[True, False, False, False, False]]


def test_edges_stop_apart_from_squares():
    grid = build(2, 2, TerrainLayers(edges={(0, 0, "east"): "pane", (1, 0, "south"): "curtain"}))
    assert grid.effect.east.tolist() == [[True, False], [False, False]]
    assert grid.sight.south.tolist() == [[False, True], [False, False]]
    assert not grid.sight.east.any()
    assert not grid.move.south.any()


def test_an_obstacle_rises_from_its_ground():
    grid = build(
        3,
        1,
        TerrainLayers(obstacles={(0, 0): "wall", (1, 0): "wall"}, height={(0, 0): 3}, ground={(0, 0): 10, (2, 0): -5}),
    )
    assert grid.effect.top.tolist() == [[13, UNLIMITED, -5]]


def test_a_window_is_clipped_to_the_map():
    grid = build(10, 4, TerrainLayers(cost={(8, 3): 7}))
    window = grid.window((9, 3), 2)
    assert (window.left, window.top, window.columns, window.rows) == (7, 1, 3, 3)
    assert window.of(grid.cost).tolist() == [[0, 0, 0], [0, 0, 0], [0, 7, 0]]


@for_each("name", ["blocked", "difficult", "water", "climb", "cost", "light", "cover", "ground"])
def test_arrays_are_read_only(name):
    array = getattr(build(2, 2), name)
    with pytest.raises(ValueError, match="read-only"):
        array[0, 0] = 1


@pytest.mark.parametrize(
    ("figures", "message"),
    [
        ({"obstacles": {(2, 0): "wall"}}, "outside"),
        ({"difficult": [(0, -1)]}, "outside"),
        ({"obstacles": {(0, 0): "fog"}}, "unknown kind"),
        ({"edges": {(0, 0, "west"): "wall"}}, "must be east or south"),
        ({"light": {(0, 0): 3}}, "light of square"),
        ({"cover": {(0, 0): -1}}, "cover of square"),
    ],
)
def test_nonsense_is_refused(figures, message):
    with pytest.raises(ValueError, match=message):
        build(2, 2, TerrainLayers(**figures))


def test_squares_without_a_side_are_refused():
    with pytest.raises(ValueError, match="above 0"):
        build(2, 2, cell=0)


def test_the_room_comes_without_heavy_libraries():
    code = (
        "import sys, turnwright.battlemap as room, pkgutil, importlib\n"
        "for module in pkgutil.walk_packages(room.__path__, room.__name__ + '.'): importlib.import_module(module.name)\n"
        "print(*{name.partition('.')[0] for name in sys.modules} & {'numpy', 'numba', 'PySide6'})"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT / "desktop")}
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert result.stdout.split() == []
