"""Walls off the grid and doors: lines against them, corners that they cut off, and the steps that they close."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise, product
from pathlib import Path
from random import Random

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.battlemap.maps import grids
from tests.effort import examples, steps
from tests.for_each import for_each
from turnwright.battlemap.grid import STOPS, Grid, TerrainLayers, build, with_barriers
from turnwright.battlemap.paths import open_ground, path, path_cost, reachable
from turnwright.battlemap.segments import STEPS, UNIT, FreeBarrier, fixed
from turnwright.battlemap.sight import MapPoint, between, between_points, cover
from turnwright.battlemap.spaces import Space
from turnwright.importers.universal_vtt import read_map
from turnwright.rules.parts.positions.geometry import free_barriers

SIDES = {"east": ((1, 0), (1, 1)), "south": ((0, 1), (1, 1))}


def wall(*points: tuple[float, float], kind: str = "wall") -> FreeBarrier:
    return FreeBarrier(kind, points)  # type: ignore[arg-type]


def door(*points: tuple[float, float], kind: str = "wall", is_open: bool = False) -> FreeBarrier:
    return FreeBarrier(kind, points, is_door=True, is_open=is_open)  # type: ignore[arg-type]


def hall(*barriers: FreeBarrier, columns: int = 8, rows: int = 6, **more) -> Grid:
    return build(columns, rows, TerrainLayers(barriers=barriers, **more))


def is_clear(grid: Grid, start: tuple[float, float], end: tuple[float, float]) -> bool:
    found = between_points(grid, grid.sight, MapPoint(*start), MapPoint(*end))
    assert found.clear is between_points(grid, grid.sight, MapPoint(*end), MapPoint(*start)).clear
    return found.clear


# Lines ---------------------------------------------------------------------------------------------------------------


@st.composite
def edged(draw_one):
    """Draw a map twice: its edges as walls of the grid, and some or all of them as barriers."""
    columns, rows = draw_one(st.integers(2, 5)), draw_one(st.integers(2, 5))
    squares = st.tuples(st.integers(0, columns - 1), st.integers(0, rows - 1))
    names = st.tuples(squares, st.sampled_from(["east", "south"])).map(lambda both: (*both[0], both[1]))
    inner = names.filter(lambda edge: edge[0] + 1 < columns if edge[2] == "east" else edge[1] + 1 < rows)
    edges = draw_one(st.dictionaries(inner, st.sampled_from(["wall", "curtain", "pane"]), max_size=12))
    freed = draw_one(st.sets(st.sampled_from(sorted(edges)))) if edges else set()
    barriers = [
        wall(*((edge[0] + x, edge[1] + y) for x, y in SIDES[edge[2]]), kind=edges[edge]) for edge in sorted(freed)
    ]
    kept = {edge: kind for edge, kind in edges.items() if edge not in freed}
    return build(columns, rows, TerrainLayers(edges=edges)), build(
        columns, rows, TerrainLayers(edges=kept, barriers=barriers)
    )


@given(edged(), st.integers(0, 2**32))
@settings(max_examples=examples(60))
def test_a_barrier_along_the_grid_stops_what_the_same_wall_of_the_grid_stops(both, seed):
    exact, free = both
    chance = Random(seed)
    for _ in range(30):
        start, end = (
            MapPoint(chance.randint(0, 2 * exact.columns) / 2, chance.randint(0, 2 * exact.rows) / 2) for _ in "12"
        )
        if (start.x % 1 and end.x % 1 and start.y % 1 and end.y % 1) or start[:2] != end[:2]:
            for one, other in ((exact.sight, free.sight), (exact.effect, free.effect)):
                expected = between_points(exact, one, start, end).clear
                assert between_points(free, other, start, end).clear is expected, (start, end)


@pytest.mark.soak
@given(edged())
@settings(max_examples=examples(30))
def test_spaces_see_past_barriers_along_the_grid_as_past_its_walls(both):
    exact, free = both
    spaces = [Space(column, row) for row in range(exact.rows) for column in range(exact.columns)]
    for one, other in product(spaces[:6], spaces[-6:]):
        if one != other:
            assert between(free, free.sight, one, other).clear is between(exact, exact.sight, one, other).clear
            assert cover(free, one, other).grade == cover(exact, one, other).grade


def crossing(line, start, end) -> int:
    """1 where a segment crosses the inside of a line, 0 where it is apart, -1 where it only touches."""
    (ax, ay, bx, by), (px, py), (qx, qy) = line, start, end

    def side(ux, uy, vx, vy, x, y):
        return (vx - ux) * (y - uy) - (vy - uy) * (x - ux)

    four = (
        side(px, py, qx, qy, ax, ay),
        side(px, py, qx, qy, bx, by),
        side(ax, ay, bx, by, px, py),
        side(ax, ay, bx, by, qx, qy),
    )
    if 0 in four:
        return -1
    return int((four[0] > 0) != (four[1] > 0) and (four[2] > 0) != (four[3] > 0))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(12))
def test_lines_agree_with_every_segment_looked_at_one_by_one(seed: int) -> None:
    chance = Random(seed)
    size = chance.choice([6, 12, 30])
    barriers = []
    for _ in range(size * 4):
        x, y = chance.uniform(0, size), chance.uniform(0, size)
        points = [(x, y)]
        for _ in range(chance.randint(1, 3)):
            x, y = (min(size, max(0, one + chance.uniform(-2.5, 2.5))) for one in (x, y))
            points.append((x, y))
        barriers.append(wall(*points))
    grid = build(size, size, TerrainLayers(barriers=barriers))
    lines = grid.free.table[0].tolist()
    looked = stopped = 0
    for _ in range(400):
        start, end = (tuple(chance.randint(0, 2 * size) for _ in "12") for _ in "12")
        found = [crossing(line, *((x * UNIT // 2, y * UNIT // 2) for x, y in (start, end))) for line in lines]
        if start == end or -1 in found:
            continue
        looked += 1
        stopped += 1 in found
        line = between_points(grid, grid.sight, MapPoint(start[0] / 2, start[1] / 2), MapPoint(end[0] / 2, end[1] / 2))
        assert line.clear is (1 not in found)
        if line.obstacle is not None:
            assert line.obstacle.part == "barrier"
            assert found[line.obstacle.segment] == 1
    assert looked > 150
    assert 0 < stopped < looked


def test_a_line_may_touch_the_end_of_a_wall_but_not_pass_between_two() -> None:
    tip = wall((3, 3), (3.5, 0.5))
    assert is_clear(hall(tip), (0, 3), (6, 3))
    assert is_clear(hall(tip), (1, 1), (5, 5))
    assert not is_clear(hall(tip, wall((3, 3), (2.5, 5.5))), (0, 3), (6, 3))
    assert not is_clear(hall(tip, wall((3, 3), (2.5, 5.5))), (1, 1), (5, 5))
    assert is_clear(hall(tip, wall((4, 3), (4.5, 5.5))), (0, 3), (6, 3))  # it swings past either


def test_a_line_along_a_wall_stays_on_its_side() -> None:
    along = wall((3, 3), (5, 3))
    assert is_clear(hall(along), (0, 3), (7, 3))
    assert is_clear(hall(along, wall((3, 3), (3, 1))), (0, 3), (7, 3))
    assert not is_clear(hall(along, wall((3, 3), (3, 1)), wall((5, 3), (5, 5))), (0, 3), (7, 3))
    assert not is_clear(hall(along, wall((3, 3), (3, 1)), wall((4, 3), (4.5, 5))), (0, 3), (7, 3))


def test_nothing_slips_between_a_wall_of_the_grid_and_a_barrier_that_meets_it() -> None:
    grid = hall(wall((4, 3), (4, 3.5), (6.5, 5)), edges={(3, 2, "east"): "wall", (3, 1, "east"): "wall"})
    assert not is_clear(grid, (2, 1), (6, 5))
    assert not is_clear(grid, (2, 3), (6, 3))


def test_panes_curtains_and_rails_stop_what_their_names_say() -> None:
    for kind, stops in STOPS.items():
        if kind != "object":
            grid = hall(wall((4, 0), (4, 6), kind=kind))
            ends = MapPoint(1.5, 2.5), MapPoint(6.5, 2.5)
            assert between_points(grid, grid.sight, *ends).clear is ("sight" not in stops)
            assert between_points(grid, grid.effect, *ends).clear is ("effect" not in stops)
            route = path(grid, Space(1, 2), open_ground(grid), (6, 2))
            assert (route is None) is ("move" in stops)


def test_an_object_is_seen_but_not_past() -> None:
    statue = wall((3.2, 2.1), (4.8, 2.1), (4.8, 3.9), (3.2, 3.9), kind="object")
    grid = hall(statue)
    assert not is_clear(grid, (0.5, 3), (7.5, 3))
    assert is_clear(grid, (0.5, 3), (4, 3))
    assert is_clear(grid, (4, 3), (7.5, 3))
    assert is_clear(grid, (0.5, 2), (7.5, 2))
    assert path(grid, Space(0, 2), open_ground(grid), (7, 2)) is not None


def test_an_obstacle_is_named_by_its_segment() -> None:
    grid = hall(wall((1.5, 1), (1.5, 2)), door((4.25, 2), (4.25, 4)))
    found = between_points(grid, grid.sight, MapPoint(2.5, 2.5), MapPoint(6.5, 2.5)).obstacle
    assert found is not None
    assert (found.part, grid.free.owners[found.segment].number) == ("door", 1)
    assert grid.free.line(found.segment) == (4.25, 2.0, 4.25, 4.0)


# Corners -------------------------------------------------------------------------------------------------------------


def test_one_does_not_see_from_the_corner_of_ones_square_beyond_a_wall() -> None:
    slanted = wall((2.2, 0), (2.9, 2), (2.2, 6))  # cuts the right corners off the squares of column 2
    grid = hall(slanted)
    assert not between(grid, grid.sight, Space(2, 3), Space(6, 3)).clear
    assert not between(grid, grid.sight, Space(6, 3), Space(2, 3)).clear
    assert cover(grid, Space(2, 3), Space(6, 3)).grade == 3
    assert between(grid, grid.sight, Space(3, 3), Space(6, 3)).clear


def test_a_corner_of_the_target_behind_a_wall_is_covered() -> None:
    grid = hall(wall((6.6, 2.05), (6.6, 2.2)))
    assert cover(grid, Space(1, 2), Space(6, 2)).grade == 0
    shut = hall(wall((6.6, 1.5), (6.6, 3.5)))
    found = cover(shut, Space(1, 2), Space(6, 2))
    assert (found.grade, found.stopped) == (1, 2)
    assert {one.part for one in found.obstacles} == {"barrier"}


# Steps ---------------------------------------------------------------------------------------------------------------


def can_step(grid: Grid, square: tuple[int, int], to: tuple[int, int], *, lenient: bool = False) -> bool:
    return path_cost(grid, Space(*square), ground_of(grid), (square, to), cut_corners=lenient).complete


@lru_cache(maxsize=1)
def ground_of(grid: Grid) -> np.ndarray:
    return open_ground(grid)


def step_crosses(grid: Grid, square: tuple[int, int], to: tuple[int, int], closed: set[int]) -> bool:
    """Whether the way between the middles of two squares crosses a segment that stops movement."""
    ends = [tuple(one * UNIT + UNIT // 2 for one in place) for place in (square, to)]
    lines = grid.free.table[0].tolist()
    return any(crossing(lines[index], *ends) == 1 for index in closed)


def closed_segments(grid: Grid) -> set[int]:
    return {index for index, bits in enumerate(grid.free.table[1].tolist()) if bits & 1}


@given(grids(size=6, barriers=True), st.booleans())
@settings(max_examples=examples(60))
def test_no_step_crosses_a_barrier(grid, lenient):
    closed = closed_segments(grid)
    if 2 in grid.free.table[1]:
        return  # a step past a curtain may bend
    for column, row in product(range(grid.columns), range(grid.rows)):
        for across, down in ((1, 0), (0, 1), (1, 1), (-1, 1)):
            to = (column + across, row + down)
            if to in grid and can_step(grid, (column, row), to, lenient=lenient):
                assert not step_crosses(grid, (column, row), to, closed)


def nears(step: tuple[int, int, int, int], line: list[int]) -> bool:
    """Whether a segment is within 1/64 of a square of a step, worked out plainly from its definition."""
    (px, py, qx, qy), near = step, UNIT // 64
    length = ((qx - px) ** 2 + (qy - py) ** 2) ** 0.5
    dx, dy = (qx - px) / length, (qy - py) / length
    (t0, s0), (t1, s1) = (
        ((x - px) * dx + (y - py) * dy, dx * (y - py) - dy * (x - px)) for x, y in (line[:2], line[2:])
    )
    if min(s0, s1) > near or max(s0, s1) < -near:
        return False
    if max(s0, s1) > near and min(s0, s1) < -near:
        return -near <= t0 + (t1 - t0) * -s0 / (s1 - s0) <= length + near
    shares = [max(0, min(1, (edge - s0) / (s1 - s0))) for edge in (-near, near)] if abs(s0 - s1) > 1e-9 else (0, 1)
    ends = [t0 + (t1 - t0) * share for share in shares]
    return max(ends) >= -near and min(ends) <= length + near


def closed_steps(grid: Grid) -> dict[str, np.ndarray]:
    marks = grid.free.diagonals
    return {"east": grid.free.east, "south": grid.free.south, "falling": marks & 1 > 0, "rising": marks & 2 > 0}


@given(grids(size=5, barriers=True))
@settings(max_examples=examples(40))
def test_the_closed_steps_are_those_with_a_wall_near_them_or_some_of_these_beside_a_curtain(grid):
    segments = zip(grid.free.table[0].tolist(), grid.free.table[1].tolist(), grid.free.owners, strict=True)
    kinds = [(line, bits) for line, bits, owner in segments if owner.part != "edge" or owner.edge in grid.free.parted]
    walls, others = ([line for line, bits in kinds if bool(bits & 1) is one] for one in (True, False))
    for name, (x, y, dx, dy) in STEPS.items():
        for column, row in product(range(grid.columns - dx), range(grid.rows - (dy != 0))):
            middle = ((column + x) * UNIT + UNIT // 2, (row + y) * UNIT + UNIT // 2)
            step = (*middle, middle[0] + dx * UNIT, middle[1] + dy * UNIT)
            is_near = any(nears(step, line) for line in walls)
            assert bool(closed_steps(grid)[name][row, column]) in ({is_near, False} if others else {is_near}), step


@pytest.mark.parametrize("seed", range(4))
def test_a_map_with_doors_and_curtains_closes_the_same_steps_beside_other_walls(seed: int) -> None:
    chance = Random(seed)
    parts: list[FreeBarrier] = []
    for _ in range(12):
        (x, y), across = (chance.randint(4, 24) / 4 for _ in "12"), chance.random() < 0.5
        ends = [(x + at * across, y + at * (not across)) for at in (0, 1, 2, 3)]
        parts += [wall(ends[0], ends[3]), wall(ends[1], ends[2], kind=chance.choice(["rail", "curtain"]))]
        parts.append(door(ends[1], ends[2], is_open=chance.random() < 0.7))
    alone = hall(*parts, columns=10, rows=10)
    moved = [one._replace(points=tuple((x + 9, y + 7) for x, y in one.points)) for one in parts]
    fence = [wall((x, 0.25), (x + 0.5, 5.75)) for x in range(1, 28)]
    both = hall(*fence, *moved, columns=30, rows=20)
    for name, closed in closed_steps(alone).items():
        assert np.array_equal(closed[1:-1, 1:-1], closed_steps(both)[name][8:16, 10:18]), name
    assert 10 < alone.free.east.sum() + alone.free.south.sum() < 90


def test_a_wall_added_to_many_costs_little_work() -> None:
    chance = Random(5)
    spots = [(chance.uniform(1, 98), chance.uniform(1, 98)) for _ in range(1500)]
    barriers = [wall((x, y), (x + 0.9, y + 0.7), (x - 0.3, y + 1.4)) for x, y in spots]
    grid = build(100, 100)
    with_barriers(grid, barriers)
    assert steps(lambda: with_barriers(grid, [*barriers, wall((3, 3), (5, 5.5))])) < 40 * len(barriers)


def test_a_pillar_between_four_middles_stops_the_diagonals_alone() -> None:
    grid = hall(wall((2.8, 3.0), (3.2, 3.05)))
    assert can_step(grid, (2, 2), (3, 2))
    assert can_step(grid, (2, 2), (2, 3))
    for lenient in (False, True):
        assert not can_step(grid, (2, 3), (3, 2), lenient=lenient)
        assert not can_step(grid, (3, 3), (2, 2), lenient=lenient)


def test_a_door_half_a_square_off_opens_both_squares_beside_it() -> None:
    jambs = (wall((4, 0), (4, 1.5)), wall((4, 2.5), (4, 6)))
    shut, opened = (hall(*jambs, door((4, 1.5), (4, 2.5), is_open=is_open)) for is_open in (False, True))
    for row in range(6):
        assert not can_step(shut, (3, row), (4, row))
        assert can_step(opened, (3, row), (4, row)) is (row in (1, 2))
    assert not is_clear(shut, (1.5, 2), (6.5, 2))
    assert is_clear(opened, (1.5, 2), (6.5, 2))
    assert path(opened, Space(1, 4), open_ground(opened), (6, 4)) is not None
    assert path(shut, Space(1, 4), open_ground(shut), (6, 4)) is None


def test_a_curtain_opens_the_gap_in_which_it_hangs_but_no_wall_behind_it() -> None:
    jambs = (wall((4, 0), (4, 1.5)), wall((4, 2.5), (4, 6)))
    for hung in (wall((4, 1.5), (4, 2.5), kind="curtain"), door((4, 1.5), (4, 2.5), kind="curtain")):
        grid = hall(*jambs, hung)
        assert can_step(grid, (3, 1), (4, 1))
        assert can_step(grid, (3, 2), (4, 2))
        assert not can_step(grid, (3, 3), (4, 3))
    tapestry = hall(wall((4, 0), (4, 6)), wall((4, 1.5), (4, 2.5), kind="curtain"))
    assert not any(can_step(tapestry, (3, row), (4, row)) for row in range(6))


EDGES = {(3, row, "east"): "wall" for row in range(6)}


@for_each(
    ("first", "last", "rows"),
    [
        (1, 2, {1}),
        (1.25, 1.75, {1}),
        (1, 1.4, {1}),
        (1.6, 2, {1}),
        (1.6, 2.4, {1, 2}),
        (1.5, 2.5, {1, 2}),
        (0, 6, {*range(6)}),
    ],
)
@for_each("kind", ["wall", "rail", "pane", "curtain"])
def test_a_door_lets_the_way_through_at_any_part_of_a_square_s_side(first, last, rows, kind) -> None:
    """In a gap, or put onto a wall off the grid or onto walls along edges."""
    gap = (wall((4, 0), (4, first)), wall((4, last), (4, 6)))
    height = round(first + last) / 2
    ends = MapPoint(2.5, height), MapPoint(5.5, height)
    for walls, edges in ((gap, {}), ((wall((4, 6), (4, 0)),), {}), ((), EDGES)):
        for is_open in (True, False):
            grid = hall(*walls, door((4, first), (4, last), kind=kind, is_open=is_open), edges=edges)
            found = {row for row in range(6) if can_step(grid, (3, row), (4, row))}
            assert found == (rows if is_open or "move" not in STOPS[kind] else set()), (walls, is_open)
            sees = is_open or "sight" not in STOPS[kind]
            assert sees == between_points(grid, grid.sight, *ends).clear


@pytest.mark.parametrize("seed", range(4))
def test_no_line_passes_between_a_wall_and_a_closed_door_on_it(seed: int) -> None:
    chance = Random(seed)
    top, bottom = chance.randint(10, 20) / 4, chance.randint(10, 20) / 4
    whole = [EDGES if seed % 2 else {}, () if seed % 2 else (wall((top, 0), (chance.uniform(3, 5), 3), (bottom, 6)),)]
    points = [(4.0, 0.0), (4.0, 6.0)] if seed % 2 else whole[1][0].points
    doors = []
    for (x0, y0), (x1, y1) in pairwise(points):
        ends = [chance.uniform(0.05, 0.45), chance.uniform(0.55, 0.95)]
        off = [chance.uniform(-0.06, 0.06) * chance.randint(0, 1) for _ in "12"]
        doors.append(
            door(*((x0 + (x1 - x0) * at + aside, y0 + (y1 - y0) * at) for at, aside in zip(ends, off, strict=True)))
        )
    grid = hall(*whole[1], *doors, edges=whole[0])
    assert len(grid.free.owners) >= 3 * len(doors)
    spots = [(x / 2, y / 2) for x in (0, 1, 2, 3, 4) for y in range(13)]
    for start, end in product(spots, ((8 - x, y) for x, y in spots)):
        assert not is_clear(grid, start, end), (start, end)


def test_one_open_leaf_of_a_double_door_and_a_slanted_door_let_the_way_through() -> None:
    leaves = [door((4, 1), (4, 1.5), is_open=True), door((4, 1.5), (4, 2))]
    assert can_step(hall(wall((4, 0), (4, 6)), *leaves), (3, 1), (4, 1))
    slope, gate = wall((0.5, 0), (6.5, 6)), door((2.6, 2.1), (2.85, 2.35), is_open=True)
    for is_open in (True, False):
        grid = hall(slope, gate._replace(is_open=is_open))
        assert can_step(grid, (2, 2), (3, 2)) is can_step(grid, (2, 1), (2, 2)) is is_open
        assert not can_step(grid, (3, 3), (4, 3))


def test_a_door_does_not_open_a_wall_beside_it() -> None:
    grid = hall(wall((4, 0), (4, 6)), wall((4.5, 0), (4.5, 6)), door((4, 1), (4, 1.4), is_open=True))
    assert not any(can_step(grid, (3, row), (4, row)) for row in range(6))


def test_an_open_door_does_not_open_the_wall_that_it_hangs_on() -> None:
    across = wall((0, 2), (8, 2))
    grid = hall(across, door((4, 2), (4, 3), is_open=True), door((5.5, 2), (5.5, 3.2), is_open=True))
    for column in range(8):
        assert not can_step(grid, (column, 1), (column, 2))


def test_a_door_that_was_put_onto_a_wall_opens_it() -> None:
    shut, opened = (hall(wall((4, 0), (4, 6)), door((4, 1), (4, 2), is_open=one)) for one in (False, True))
    assert not can_step(shut, (3, 1), (4, 1))
    assert can_step(opened, (3, 1), (4, 1))
    assert not can_step(opened, (3, 2), (4, 2))


def test_a_gap_of_a_64th_is_no_gap() -> None:
    grid = hall(wall((4, 0), (4, 2.495)), wall((4, 2.505), (4, 6)))
    assert not can_step(grid, (3, 2), (4, 2))
    wide = hall(wall((4, 0), (4, 2.4)), wall((4, 2.6), (4, 6)))
    assert can_step(wide, (3, 2), (4, 2))


def test_a_large_creature_does_not_stand_or_step_across_a_wall() -> None:
    grid = hall(wall((4.1, 0), (3.9, 6)))
    found = reachable(grid, Space(0, 0, 10), open_ground(grid), 200)
    assert {column for column, _ in found.squares()} == {0, 1, 2}


def test_opening_a_door_keeps_the_segments() -> None:
    barriers = [wall((1.5, 0), (2.5, 6)), door((4.5, 2), (4.5, 3))]
    shut, opened = hall(*barriers), hall(barriers[0], barriers[1]._replace(is_open=True))
    assert np.array_equal(shut.free.table[0], opened.free.table[0])
    assert [fixed(1.5), 0] == shut.free.table[0][0][:2].tolist()


# Real maps -----------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(1)
@pytest.mark.parametrize("open_doors", [False, True])
@pytest.mark.parametrize("name", ["oganm-dd2vtt_importer/test", "mbround18-vtt-maps/the-litch-and-his-tomb"])
def test_no_walk_on_a_real_map_crosses_a_wall(real_data: Path, name: str, open_doors: bool) -> None:
    chance = Random(19)
    battle_map = read_map((real_data / "uvtt" / f"{name}.dd2vtt").read_bytes()).battle_map
    doors = tuple(msgspec.structs.replace(one, open=open_doors) for one in battle_map.doors)
    barriers = free_barriers(msgspec.structs.replace(battle_map, doors=doors))
    grid = build(battle_map.columns, battle_map.rows, TerrainLayers(barriers=barriers))
    closed = closed_segments(grid)
    crossed = {
        (square, to): step_crosses(grid, square, to, closed)
        for square in product(range(grid.columns), range(grid.rows))
        for to in product(*(range(one - 1, one + 2) for one in square))
        if to in grid and to != square
    }
    steps = {
        square: [to for to in product(*(range(one - 1, one + 2) for one in square)) if (square, to) in crossed]
        for square in product(range(grid.columns), range(grid.rows))
    }
    allowed = {
        square: [to for to in near if can_step(grid, square, to, lenient=True)] for square, near in steps.items()
    }
    for _ in range(2500):
        square = chance.choice(list(allowed))
        way = [square]
        for _ in range(20):
            if not allowed[way[-1]]:
                break
            way.append(chance.choice(allowed[way[-1]]))
        assert not any(crossed[pair] for pair in pairwise(way))
