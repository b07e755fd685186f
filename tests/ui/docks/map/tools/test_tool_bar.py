from functools import partial
from itertools import product

import msgspec
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtTest import QTest

from tests.effort import steps as steps_of
from tests.ui.docks.map.conftest import drag, keys, point, press, release
from turnwright.encounter.prepared import Door, Environment, EnvironmentEntry, Map, MapBarrier, Scene
from turnwright.play.setup.prepared_records import Add, Edit
from turnwright.rules.parts.positions.geometry import drawing_lines
from turnwright.ui.docks.map.drawing.drawing import with_barrier, with_door, with_mark, with_nothing_on
from turnwright.ui.docks.map.popovers import PartPopover
from turnwright.ui.docks.map.tools.draw_tool import ALL_TOOLS, AREA, ERASER, OBSTACLE, SELECT

TOOL = {tool.id: tool for tool in ALL_TOOLS}


def field(document):
    return document.encounter.need(Map, "map")


def sign(document, layer, square):
    lines = drawing_lines(getattr(field(document), layer), 12, 8)
    return lines[square[1]][square[0]]


def depth(document):
    return document.source.session.history.depth


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("tool", "layer", "mark"),
    [
        ("difficult", "ground", ","), ("water", "ground", "~"), ("climb", "ground", "^"), ("wall", "ground", "#"),
        ("raise", "heights", "1"), ("lower", "heights", "A"), ("lightly", "light", ":"), ("heavily", "light", "%"),
    ],
)  # fmt: skip
def test_a_stroke_paints_every_square_it_passes_and_is_one_step(show, document, tool, layer, mark):
    dock = show(document)
    before, steps = field(document), depth(document)
    dock.tools.choose(TOOL[tool])
    drag(dock, (0, 4), (1, 4), (3, 4))
    assert [sign(document, layer, (column, 4)) for column in range(5)] == [mark] * 4 + ["."]
    assert depth(document) == steps + 1
    document.undo()
    assert field(document) == before


def test_two_strokes_are_two_steps(show, document):
    dock = show(document)
    steps = depth(document)
    dock.tools.choose(TOOL["water"])
    drag(dock, (0, 4), (1, 4))
    drag(dock, (0, 5), (1, 5))
    assert depth(document) == steps + 2


def test_open_ground_takes_away_what_was_drawn(show, document):
    dock = show(document)
    dock.tools.choose(TOOL["open"])
    drag(dock, (4, 2), (5, 2))
    assert field(document).ground == ""


@pytest.mark.parametrize(
    ("tool", "fence"), [("edge-wall", "walls"), ("edge-window", "windows"), ("edge-curtain", "curtains")]
)
def test_edges_are_drawn_along_and_a_second_stroke_takes_them_away(show, document, tool, fence):
    dock = show(document)
    before = getattr(field(document), fence)
    dock.tools.choose(TOOL[tool])
    press(dock, (1, 1), (0.5, 0.05))
    release(dock, (1, 1))
    assert (1, 1, 2, 1) in getattr(field(document), fence)
    press(dock, (1, 1), (0.5, 0.05))
    release(dock, (1, 1))
    assert getattr(field(document), fence) == before


def test_the_edge_is_the_one_nearest_to_the_pointer(show, document):
    dock = show(document)
    dock.tools.choose(TOOL["edge-wall"])
    press(dock, (1, 1), (0.95, 0.5))
    release(dock, (1, 1))
    assert (2, 1, 2, 2) in field(document).walls


def test_an_obstacle_is_put_down_and_its_window_edits_it(show, document):
    dock = show(document)
    dock.tools.choose(OBSTACLE)
    press(dock, (2, 6))
    release(dock, (2, 6))
    made = field(document).obstacles[-1]
    assert (made.at, made.cover) == ((2, 6), "half")
    window = dock.findChild(PartPopover)
    assert window.isVisible()
    window.form.fields["name"].line.setText("")
    QTest.keyClicks(window.form.fields["name"].line, "Barrel")
    window.form.fields["ac"].box.setValue(15)
    window.form.fields["size"].box("wide").box.setValue(2)
    made = field(document).obstacles[-1]
    assert (made.name, made.ac, made.size) == ("Barrel", 15, (2, 1))
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()


def test_a_name_that_the_game_knows_brings_its_cover(show, document):
    document.execute(Edit(Scene(title="Map", options=("sheltering-examples",))))
    dock = show(document)
    dock.tools.choose(OBSTACLE)
    press(dock, (2, 6))
    release(dock, (2, 6))
    name = dock.findChild(PartPopover).form.fields["name"].line
    name.setText("")
    QTest.keyClicks(name, "arrow slit")
    assert field(document).obstacles[-1].cover == "three-quarters"


def test_an_obstacle_is_moved_by_dragging(show, document):
    dock = show(document)
    dock.tools.choose(OBSTACLE)
    drag(dock, (8, 1), (8, 2), (7, 3))
    assert field(document).obstacles[0].at == (7, 3)
    assert not dock.findChild(PartPopover).isVisible()
    document.undo()
    assert field(document).obstacles[0].at == (8, 1)


def test_an_area_is_painted_for_a_feature_and_painted_away(show, document):
    document.execute(Add((Environment("ice", "Ice", features=(EnvironmentEntry("thin", "Thin ice"),)),)))
    dock = show(document)
    dock.tools.choose(AREA)
    drag(dock, (0, 6), (1, 6), (2, 6))
    (area,) = field(document).areas
    assert (area.environment, area.feature, area.squares) == ("ice", "thin", ((0, 6, 3, 1),))
    drag(dock, (1, 6), (2, 6))
    assert field(document).areas[0].squares == ((0, 6, 1, 1),)


def test_the_eraser_clears_what_is_drawn(show, document):
    dock = show(document)
    dock.tools.choose(ERASER)
    drag(dock, (8, 1), (7, 1))
    drag(dock, (4, 2), (5, 2))
    assert field(document).obstacles == ()
    assert field(document).ground == ""


def test_keys_choose_tools_and_draw(show, document):
    dock = show(document)
    dock.canvas.set_cursor((0, 4))
    keys(dock, Qt.Key.Key_2, Qt.Key.Key_Space, Qt.Key.Key_Right, Qt.Key.Key_Space)
    assert [sign(document, "ground", (column, 4)) for column in range(3)] == ["~", "~", "."]
    assert "B5 · water" in dock.status.text()
    keys(dock, Qt.Key.Key_Escape)
    assert dock.draw_tool.tool is SELECT
    assert dock.view.tool is dock.select_tool


def marked(document, sign=","):
    drawn = enumerate(drawing_lines(field(document).ground, 12, 8))
    return {(column, row) for row, line in drawn for column, own in enumerate(line) if own == sign}


def test_a_rectangle_is_drawn_at_once_by_mouse_and_by_keys(show, document):
    dock = show(document)
    before, steps = marked(document), depth(document)
    keys(dock, Qt.Key.Key_1, Qt.Key.Key_B)
    drag(dock, (3, 7), (2, 6), (0, 5))
    drawn = before | {(x, y) for x in range(4) for y in (5, 6, 7)}
    assert marked(document) == drawn
    dock.canvas.set_cursor((7, 5))
    keys(dock, Qt.Key.Key_Return, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Return)
    assert marked(document) == drawn | {(x, y) for x in (7, 8) for y in (5, 6)}
    assert depth(document) == steps + 2
    keys(dock, Qt.Key.Key_Return, Qt.Key.Key_Escape)
    assert not dock.draw_tool.is_begun
    assert dock.view.tool is dock.draw_tool
    keys(dock, Qt.Key.Key_6)
    drag(dock, (0, 0), (1, 0))
    assert field(document).heights == "11\n"
    keys(dock, Qt.Key.Key_E)
    drag(dock, (0, 0), (11, 7))
    assert (field(document).heights, field(document).ground, field(document).walls) == ("", "", ())
    document.undo()
    document.undo()
    document.undo()
    assert marked(document) == drawn
    assert (depth(document), field(document).heights) == (steps + 1, "")
    keys(dock, Qt.Key.Key_1, Qt.Key.Key_B)
    drag(dock, (9, 7), (10, 6), (11, 5))
    assert marked(document) == drawn | {(9, 7), (10, 6), (11, 5)}


@pytest.mark.parametrize(
    ("tool", "at", "expected"),
    [
        ("water", (8, 6), {(x, y) for x in range(6, 12) for y in (4, 5, 6, 7)}),  # up to the walls
        ("water", (4, 2), {(4, 2), (5, 2)}),  # up to other ground
        ("water", (0, 7), {(x, y) for x in range(6) for y in range(8)} - {(4, 2), (5, 2), (5, 3)}),
    ],
)
def test_an_area_is_filled_up_to_walls_doors_and_other_ground(show, document, tool, at, expected):
    barriers = (
        MapBarrier("wall", ((6, 4), (6, 0))),
        MapBarrier("wall", ((6, 4), (8, 4))),
        MapBarrier("wall", ((9, 4), (12, 4))),
    )
    doors = (Door("gate", (8, 4, 9, 4), open=True),)
    ground = "\n\n....,,\n.....#\n"
    document.execute(Edit(msgspec.structs.replace(field(document), barriers=barriers, doors=doors, ground=ground)))
    dock = show(document)
    steps = depth(document)
    dock.tools.choose(TOOL[tool])
    keys(dock, Qt.Key.Key_R)
    point(dock, at)
    press(dock, at)
    release(dock, at)
    assert marked(document, "~") == expected
    assert depth(document) == steps + 1
    document.undo()
    dock.canvas.set_cursor(at)
    keys(dock, Qt.Key.Key_Return)
    assert marked(document, "~") == expected


def test_a_rectangle_of_walls_is_drawn_at_once_along_edges_and_from_point_to_point(show, document):
    dock = show(document)
    before, steps = field(document).walls, depth(document)
    dock.tools.choose(TOOL["edge-wall"])
    keys(dock, Qt.Key.Key_B)
    drag(dock, (1, 1), (2, 2), (3, 2))
    assert set(field(document).walls) - set(before) == {(1, 1, 4, 1), (1, 3, 4, 3), (1, 1, 1, 3), (4, 1, 4, 3)}
    dock.tools.choose(TOOL["line-wall"])
    dock.canvas.set_cursor((7, 1))
    keys(dock, Qt.Key.Key_Return, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Return)
    assert field(document).barriers[-1].points == ((7, 1), (9, 1), (9, 2), (7, 2), (7, 1))
    dock.tools.choose(TOOL["line-door"])
    drag(dock, (7, 6), (8, 7))
    assert field(document).doors[-1].at == (7.5, 6.5, 8.5, 7.5)
    assert depth(document) == steps + 3


def test_erasing_a_large_map_with_many_walls_takes_little_work() -> None:
    walls = tuple(MapBarrier("wall", ((x, y + 0.25), (x + 0.75, y + 0.5))) for x in range(40) for y in range(20))
    large = Map(columns=40, rows=40, barriers=walls, walls=((0, 5, 40, 5),))
    squares = set(product(range(40), range(40)))
    assert steps_of(lambda: with_nothing_on(large, squares)) < 400_000
    assert with_nothing_on(large, squares) == Map(columns=40, rows=40)


def test_the_size_is_a_small_form(show, document):
    dock = show(document)
    dock.tools.size_button.click()
    window = dock.size_popover
    window.form.fields["columns"].box.setValue(30)
    window.form.fields["diagonals"].edited.emit("alternating")
    assert (field(document).columns, field(document).diagonals) == (30, "alternating")
    assert "30 × 8" in dock.view.accessibleName()
    window.close()


def test_every_tool_has_a_name_a_tip_and_a_key_of_its_own(show, document):
    dock = show(document)
    names = [dock.tools.buttons[tool.id].accessibleName() for tool in ALL_TOOLS]
    assert len(set(names)) == len(ALL_TOOLS)
    assert not any(name.startswith("ui.") for name in names)
    assert all(f"({tool.key})" in dock.tools.buttons[tool.id].toolTip() for tool in ALL_TOOLS)
    assert len({tool.key for tool in ALL_TOOLS}) == len(ALL_TOOLS)


def test_a_stroke_repaints_only_the_squares_it_touches(show, document):
    dock = show(document)
    cell = dock.view.map.cell
    touched = dock.view.backdrop.set_field(with_mark(field(document), "ground", [(1, 5)], "~"))
    assert touched is not None
    assert touched.width() <= 3 * cell
    assert dock.view.backdrop.set_field(field(document)) is not None
    for change in (partial(with_barrier, kind="wall"), with_door):
        after = change(field(document), start=(1.25, 5.0), end=(2.0, 5.5))
        touched = dock.view.backdrop.set_field(after)
        assert touched is not None
        assert touched.contains(QRectF(1.25 * cell, 5 * cell, 0.75 * cell, 0.5 * cell))
        assert touched.width() <= 5 * cell
        dock.view.backdrop.set_field(field(document))


def test_a_stroke_of_wall_keeps_to_its_line(show, document):
    dock = show(document)
    dock.tools.choose(TOOL["edge-wall"])
    press(dock, (1, 5), (0.5, 0.05))
    point(dock, (2, 5), (0.95, 0.5))
    point(dock, (4, 4), (0.5, 0.6))
    release(dock, (4, 4))
    assert set(field(document).walls) == {(6, 4, 6, 8), (1, 5, 5, 5)}


def test_without_an_environment_kinds_of_ground_can_be_painted(show, document):
    dock = show(document)
    dock.tools.choose(AREA)
    drag(dock, (0, 6), (1, 6))
    (area,) = field(document).areas
    assert area.environment == ""
    assert area.feature in {one.id for one in document.rules.data.terrains}
    assert dock.tools.buttons["area"].accessibleName() in dock.tools.buttons["area"].toolTip()


def test_areas_are_offered_by_place(show, document):
    document.execute(Add((Environment("ice", "Ice & snow", features=(EnvironmentEntry("thin", "Thin ice"),)),)))
    dock = show(document)
    menu = dock.tools.buttons["area"].menu()
    menu.aboutToShow.emit()
    chosen = next(action for action in menu.actions() if action.text() == "Thin ice")
    chosen.trigger()
    assert dock.draw_tool.tool is AREA
    assert dock.draw_tool.area == ("ice", "thin")
