"""The drawn layers of a map as squares, and the effect of each brush. Independent of Qt and of rules.

A square is (column, row). Every function returns another `Map` and leaves the text of other layers unchanged.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal

import msgspec

from turnwright.battlemap.square_sets import SquareEdge, merged_segments, rectangles_of
from turnwright.encounter.prepared import Area, Door, Map, Obstacle, Point, Segment
from turnwright.rules.parts.positions.map_geometry import drawing_lines, drawing_text, height_steps
from turnwright.ui.docks.map.line_drawing import without_lines
from turnwright.ui.models.display_names import unique_id

Layer = Literal["ground", "heights", "light"]
EdgeKind = Literal["walls", "windows", "curtains"]

EDGE_KINDS: tuple[EdgeKind, ...] = ("walls", "windows", "curtains")
LAYERS: tuple[Layer, ...] = ("ground", "heights", "light")
PLAIN_GROUND = "."
MIN_HEIGHT_STEP, MAX_HEIGHT_STEP = -26, 35


def layer_rows(field: Map, layer: Layer) -> tuple[str, ...]:
    """Return a layer as one string per row, each as long as the map is wide."""
    return drawing_lines(getattr(field, layer), field.columns, field.rows)


def mark_at(field: Map, layer: Layer, square: Point) -> str:
    """Return the character drawn on a square, a dot off the map."""
    return layer_rows(field, layer)[square[1]][square[0]] if contains(field, square) else PLAIN_GROUND


def with_mark(field: Map, layer: Layer, squares: Iterable[Point], mark: str) -> Map:
    """Return the map with a character drawn on squares; those off the map are left out."""
    lines = [list(line) for line in layer_rows(field, layer)]
    for column, row in squares:
        if contains(field, (column, row)):
            lines[row][column] = mark
    return _with_layer(field, layer, lines)


def with_height_change(field: Map, squares: Iterable[Point], steps: int) -> Map:
    """Return the map with squares raised by some steps, or lowered below 0."""
    lines = [list(line) for line in layer_rows(field, "heights")]
    for column, row in squares:
        if contains(field, (column, row)):
            lines[row][column] = height_mark(height_steps(lines[row][column]) + steps)
    return _with_layer(field, "heights", lines)


def height_mark(steps: int) -> str:
    """Return the character for a height in steps, limited to the heights that can be drawn."""
    steps = max(MIN_HEIGHT_STEP, min(MAX_HEIGHT_STEP, steps))
    if steps == 0:
        return PLAIN_GROUND
    if steps < 0:
        return chr(ord("A") - steps - 1)
    return str(steps) if steps < 10 else chr(ord("a") + steps - 10)


def feet_at(field: Map, square: Point) -> int:
    """Return the ground's height on a square in feet."""
    return height_steps(mark_at(field, "heights", square)) * field.cell


def contains(field: Map, square: Point) -> bool:
    """Return whether a square is on the map."""
    return 0 <= square[0] < field.columns and 0 <= square[1] < field.rows


def _with_layer(field: Map, layer: Layer, lines: list[list[str]]) -> Map:
    text = drawing_text(tuple("".join(line) for line in lines))
    if text.startswith("\n"):  # an empty first line would be taken for the line break after opening quotes
        text = PLAIN_GROUND + text
    return msgspec.structs.replace(field, **{layer: text})


# Edges --------------------------------------------------------------------------------------------------------


def square_edges(segments: Iterable[Segment]) -> set[SquareEdge]:
    """Return straight segments as edges of single squares; slanting ones are left out."""
    found: set[SquareEdge] = set()
    for left, top, right, bottom in segments:
        if top == bottom:
            found |= {(column, top, True) for column in range(min(left, right), max(left, right))}
        elif left == right:
            found |= {(left, row, False) for row in range(min(top, bottom), max(top, bottom))}
    return found


def with_edges(field: Map, edge_kind: EdgeKind | None, edges: Collection[SquareEdge]) -> Map:
    """Return the map with a wall, window or curtain on edges, in place of what was there; None clears them."""
    changed: dict[str, tuple[Segment, ...]] = {}
    for kind in EDGE_KINDS:
        before = getattr(field, kind)
        there = square_edges(before)
        after = there | set(edges) if kind == edge_kind else there - set(edges)
        if after != there:
            slanting = tuple(one for one in before if one[0] != one[2] and one[1] != one[3])
            changed[kind] = (*merged_segments(after), *slanting)
    return msgspec.structs.replace(field, **changed)


def edges_within(square: Point) -> tuple[SquareEdge, ...]:
    """Return the four edges of a square."""
    column, row = square
    return ((column, row, True), (column, row + 1, True), (column, row, False), (column + 1, row, False))


def outline_edges(squares: Iterable[Point]) -> set[SquareEdge]:
    """Return the edges around squares, without those between two of them."""
    found: set[SquareEdge] = set()
    for square in squares:
        found ^= set(edges_within(square))
    return found


# Areas --------------------------------------------------------------------------------------------------------


def squares_of(area: Area) -> set[Point]:
    """Return the squares of an area."""
    return {
        (column, row)
        for left, top, width, height in area.squares
        for column in range(left, left + width)
        for row in range(top, top + height)
    }


def with_area(field: Map, environment: str, feature: str, squares: Iterable[Point], *, included: bool = True) -> Map:
    """Return the map with squares added to the area of an environment's feature, or removed from it."""
    wanted = {square for square in squares if contains(field, square)}
    found = next((one for one in field.areas if (one.environment, one.feature) == (environment, feature)), None)
    before = squares_of(found) if found else set()
    after = before | wanted if included else before - wanted
    if after == before:
        return field
    id = found.id if found else unique_id(f"{environment}-{feature}", [one.id for one in field.areas], "area")
    area = Area(id=id, environment=environment, feature=feature, squares=rectangles_of(after))
    others = [one for one in field.areas if one.id != id]
    place = field.areas.index(found) if found else len(others)
    return msgspec.structs.replace(field, areas=(*others[:place], *([area] if after else []), *others[place:]))


def without_areas(field: Map, squares: Collection[Point]) -> Map:
    """Return the map with squares removed from every area."""
    for area in field.areas:
        field = with_area(field, area.environment, area.feature, squares, included=False)
    return field


# Obstacles ----------------------------------------------------------------------------------------------------


def obstacle_at(field: Map, square: Point) -> Obstacle | None:
    """Return the obstacle that stands on a square, the last placed of several."""
    for obstacle in reversed(field.obstacles):
        if (
            obstacle.at[0] <= square[0] < obstacle.at[0] + obstacle.size[0]
            and obstacle.at[1] <= square[1] < obstacle.at[1] + obstacle.size[1]
        ):
            return obstacle
    return None


def doors_at(field: Map, square: Point) -> list[Door]:
    """Return the doors in a square or on its edges."""
    column, row = square
    return [
        door
        for door in field.doors
        if min(door.at[0], door.at[2]) <= column + 1
        and max(door.at[0], door.at[2]) >= column
        and min(door.at[1], door.at[3]) <= row + 1
        and max(door.at[1], door.at[3]) >= row
    ]


def with_obstacle(field: Map, obstacle: Obstacle) -> Map:
    """Return the map with an obstacle, which replaces the obstacle of the same id."""
    there = any(one.id == obstacle.id for one in field.obstacles)
    kept = tuple(obstacle if one.id == obstacle.id else one for one in field.obstacles)
    return msgspec.structs.replace(field, obstacles=kept if there else (*kept, obstacle))


def without_obstacle(field: Map, id: str) -> Map:
    """Return the map without an obstacle."""
    return msgspec.structs.replace(
        field, obstacles=tuple(obstacle for obstacle in field.obstacles if obstacle.id != id)
    )


def new_obstacle(field: Map, at: Point, name: str) -> Obstacle:
    """Return an obstacle of one square that gives half cover, under an unused id."""
    return Obstacle(id=unique_id("", [obstacle.id for obstacle in field.obstacles], "obstacle"), name=name, at=at)


def with_nothing_on(field: Map, squares: Collection[Point]) -> Map:
    """Return the map with squares cleared: no ground, height, light, area, obstacle, barrier, door or edge around them."""
    for layer in LAYERS:
        if any(mark_at(field, layer, square) != PLAIN_GROUND for square in squares):
            field = with_mark(field, layer, squares, PLAIN_GROUND)
    field = without_areas(field, squares)
    for square in squares:
        found = obstacle_at(field, square)
        if found is not None:
            field = without_obstacle(field, found.id)
        field = with_edges(field, None, edges_within(square))
    return without_lines(field, squares)


# Names of squares ---------------------------------------------------------------------------------------------


def line_between(start: Point, end: Point) -> tuple[Point, ...]:
    """Return the squares on a straight line between two squares, both included, as a fast brush passes them."""
    longest = max(abs(end[0] - start[0]), abs(end[1] - start[1]))
    if longest == 0:
        return (end,)
    return tuple(
        (
            round(start[0] + (end[0] - start[0]) * step / longest),
            round(start[1] + (end[1] - start[1]) * step / longest),
        )
        for step in range(longest + 1)
    )
