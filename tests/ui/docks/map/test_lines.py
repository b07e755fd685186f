"""Barriers and doors drawn by hand: where they snap to, how they join, and how they are taken away."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from turnwright.encounter.prepared import Door, Map, MapBarrier
from turnwright.ui.docks.map.drawing.drawing import (
    snapped,
    with_barrier,
    with_door,
    with_door_change,
    without,
    without_lines,
)

FIELD = Map(columns=10, rows=8)
PLACES = st.tuples(st.integers(0, 40).map(lambda at: at / 4), st.integers(0, 32).map(lambda at: at / 4))


def segments(field: Map) -> set[frozenset[tuple[float, float]]]:
    return {
        frozenset(pair) for barrier in field.barriers for pair in zip(barrier.points, barrier.points[1:], strict=False)
    }


@given(st.lists(st.tuples(PLACES, PLACES), max_size=8))
def test_every_line_that_was_drawn_is_there_however_lines_join(lines):
    field = FIELD
    for start, end in lines:
        field = with_barrier(field, "wall", start, end)
    assert segments(field) == {
        frozenset((start, end))
        for start, end in lines
        if start != end and abs(start[0] - end[0]) + abs(start[1] - end[1]) > 0.1
    }


def test_a_line_goes_on_from_the_end_of_one_of_its_kind():
    field = with_barrier(FIELD, "wall", (1.0, 1.0), (3.0, 1.5))
    field = with_barrier(field, "wall", (3.0, 1.5), (3.0, 4.0))
    field = with_barrier(field, "rail", (3.0, 4.0), (5.0, 4.0))
    assert field.barriers == (
        MapBarrier("wall", ((1.0, 1.0), (3.0, 1.5), (3.0, 4.0))),
        MapBarrier("rail", ((3.0, 4.0), (5.0, 4.0))),
    )
    assert with_barrier(field, "wall", (2.0, 2.0), (2.0, 2.05)) is field


@pytest.mark.parametrize(
    ("point", "is_free", "place"),
    [
        ((2.37, 1.6), False, (2.25, 1.5)),
        ((2.37, 1.6), True, (2.375, 1.59375)),
        ((4.9, 2.2), False, (5.0, 2.3)),  # the end of the wall
        ((-3.0, 99.0), False, (0.0, 8.0)),
    ],
)
def test_ends_snap_to_quarters_and_to_other_ends(point, is_free, place):
    field = msgspec.structs.replace(FIELD, barriers=(MapBarrier("wall", ((0.0, 0.0), (5.0, 2.3))),))
    assert snapped(field, point, is_free=is_free) == place


def test_erasing_a_square_takes_the_segments_in_it_and_leaves_the_rest():
    wall = MapBarrier("wall", ((0.5, 0.5), (2.5, 0.5), (4.5, 0.5), (6.5, 0.5)))
    ring = MapBarrier("object", ((7.0, 7.0), (8.0, 7.0), (8.0, 7.9), (7.0, 7.0)))
    field = msgspec.structs.replace(FIELD, barriers=(wall, ring))
    field = with_door(field, (2.0, 3.0), (3.0, 3.0))
    cut = without_lines(field, [(3, 0)])
    assert [one.points for one in cut.barriers[:-1]] == [((0.5, 0.5), (2.5, 0.5)), ((4.5, 0.5), (6.5, 0.5))]
    assert cut.doors == field.doors
    assert without_lines(field, [(2, 3), (2, 2)]) is field  # a door along the edge lies in neither square
    assert without_lines(field, [(7, 7)]).barriers == (wall,)


def test_doors_change_their_kind_and_go():
    field = with_door(with_door(FIELD, (1.0, 1.0), (2.0, 1.0)), (4.0, 1.5), (4.0, 2.5))
    assert [one.id for one in field.doors] == ["door", "door-2"]
    field = with_door_change(field, "door-2", kind="portcullis")
    assert field.doors[1] == Door("door-2", (4.0, 1.5, 4.0, 2.5), kind="portcullis")
    assert [one.id for one in without(field, "doors", "door").doors] == ["door-2"]


def at(dock, x: float, y: float):
    return dock.view.mapFromScene(QPointF(x * dock.view.map.cell, y * dock.view.map.cell))


def test_a_line_is_dragged_over_the_map_and_undone(document, show) -> None:
    dock = show(document)
    dock.view.setFocus()
    QTest.keyClick(dock.view, Qt.Key.Key_L)
    assert dock.view.tool is dock.line_tool
    before, port = dock.canvas.field.barriers, dock.view.viewport()
    QTest.mousePress(port, Qt.MouseButton.LeftButton, pos=at(dock, 2, 2))
    QTest.mouseMove(port, at(dock, 4, 3.5))
    assert dock.line_tool.is_begun
    QTest.mouseRelease(port, Qt.MouseButton.LeftButton, pos=at(dock, 4.5, 3.5))
    (drawn,) = [one for one in dock.canvas.field.barriers if one not in before]
    assert drawn == MapBarrier("wall", ((2.0, 2.0), (4.5, 3.5)))
    document.undo()
    assert dock.canvas.field.barriers == before


def test_a_door_is_drawn_by_keys_and_esc_leaves_it(document, show) -> None:
    dock = show(document)
    dock.view.setFocus()
    QTest.keyClick(dock.view, Qt.Key.Key_D)
    dock.canvas.set_cursor((3, 3))
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Right, Qt.Key.Key_Return):
        QTest.keyClick(dock.view, key)
    assert dock.canvas.field.doors[-1].at == (3.0, 3.0, 4.0, 3.0)
    QTest.keyClick(dock.view, Qt.Key.Key_Return)
    assert dock.line_tool.is_begun
    QTest.keyClick(dock.view, Qt.Key.Key_Escape)
    assert not dock.line_tool.is_begun
    assert dock.view.tool is dock.line_tool
    QTest.keyClick(dock.view, Qt.Key.Key_Escape)
    assert dock.view.tool is dock.select_tool
