"""The drawn layers of a map and the effects of the brushes. Independent of Qt and of the rules.

A square is (column, row). Every function returns a new `Map` and leaves the text of other layers unchanged.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal

import msgspec

from turnwright.battlemap.square_sets import SquareEdge, merged_segments, rectangles_of
from turnwright.encounter.prepared import Area, Door, Map, Obstacle, Point, Segment
from turnwright.rules.parts.positions.map_geometry import drawing_lines, drawing_text, height_steps
from turnwright.ui.docks.map.drawing.line_drawing import without_lines
from turnwright.ui.models.display_names import unique_id

Layer = Literal["ground", "heights", "light"]
EdgeKind = Literal["walls", "windows", "curtains"]

EDGE_KINDS: tuple[EdgeKind, ...] = ("walls", "windows", "curtains")
LAYERS: tuple[Layer, ...] = ("ground", "heights", "light")
PLAIN_GROUND = "."
MIN_HEIGHT_STEP, MAX_HEIGHT_STEP = -26, 35


def layer_rows(field: Map, layer: Layer) -> tuple[str, ...]:
    """Return a layer as one string per row, each with a character per column."""
    return drawing_lines(getattr(field, layer), field.columns, field.rows)


def mark_at(field: Map, layer: Layer, square: Point) -> str:
    """Return the character drawn on a square, or a dot outside the map."""
    return layer_rows(field, layer)[square[1]][square[0]] if contains(field, square) else PLAIN_GROUND


def with_mark(field: Map, layer: Layer, squares: Iterable[Point], mark: str) -> Map:
    """Return the map with a character drawn on squares. Squares outside the map are ignored."""
    lines = [list(line) for line in layer_rows(field, layer)]
    for column, row in squares:
        if contains(field, (column, row)):
            lines[row][column] = mark
    return _with_layer(field, layer, lines)


def with_height_change(field: Map, squares: Iterable[Point], steps: int) -> Map:
    """Return the map with squares raised by a number of steps, or lowered if `steps` is negative."""
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
    """Whether a square is on the map."""
    return 0 <= square[0] < field.columns and 0 <= square[1] < field.rows


def _with_layer(field: Map, layer: Layer, lines: list[list[str]]) -> Map:
    text = drawing_text(tuple("".join(line) for line in lines))
    if text.startswith("\n"):  # TOML drops a line break right after the opening quotes
        text = PLAIN_GROUND + text
    return msgspec.structs.replace(field, **{layer: text})


# Edges --------------------------------------------------------------------------------------------------------


def square_edges(segments: Iterable[Segment]) -> set[SquareEdge]:
    """Split straight segments into the edges of single squares. Diagonal segments are ignored."""
    edges: set[SquareEdge] = set()
    for left, top, right, bottom in segments:
        if top == bottom:
            edges |= {(column, top, True) for column in range(min(left, right), max(left, right))}
        elif left == right:
            edges |= {(left, row, False) for row in range(min(top, bottom), max(top, bottom))}
    return edges


def with_edges(field: Map, edge_kind: EdgeKind | None, edges: Collection[SquareEdge]) -> Map:
    """Return the map with a wall, window or curtain on edges, replacing others there. None clears the edges."""
    changed: dict[str, tuple[Segment, ...]] = {}
    for kind in EDGE_KINDS:
        before = getattr(field, kind)
        present = square_edges(before)
        after = present | set(edges) if kind == edge_kind else present - set(edges)
        if after != present:
            slanting = tuple(segment for segment in before if segment[0] != segment[2] and segment[1] != segment[3])
            changed[kind] = (*merged_segments(after), *slanting)
    return msgspec.structs.replace(field, **changed)


def edges_within(square: Point) -> tuple[SquareEdge, ...]:
    """Return the four edges of a square."""
    column, row = square
    return ((column, row, True), (column, row + 1, True), (column, row, False), (column + 1, row, False))


def outline_edges(squares: Iterable[Point]) -> set[SquareEdge]:
    """Return the outer edges of a set of squares."""
    edges: set[SquareEdge] = set()
    for square in squares:
        edges ^= set(edges_within(square))
    return edges


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
    """Return the map with squares added to, or removed from, the area of an environment's feature."""
    on_map = {square for square in squares if contains(field, square)}
    existing = next(
        (other for other in field.areas if (other.environment, other.feature) == (environment, feature)), None
    )
    before = squares_of(existing) if existing else set()
    after = before | on_map if included else before - on_map
    if after == before:
        return field
    id = existing.id if existing else unique_id(f"{environment}-{feature}", [other.id for other in field.areas], "area")
    area = Area(id=id, environment=environment, feature=feature, squares=rectangles_of(after))
    others = [other for other in field.areas if other.id != id]
    place = field.areas.index(existing) if existing else len(others)
    return msgspec.structs.replace(field, areas=(*others[:place], *([area] if after else []), *others[place:]))


def without_areas(field: Map, squares: Collection[Point]) -> Map:
    """Return the map with squares removed from every area."""
    for area in field.areas:
        field = with_area(field, area.environment, area.feature, squares, included=False)
    return field


# Obstacles ----------------------------------------------------------------------------------------------------


def obstacle_at(field: Map, square: Point) -> Obstacle | None:
    """Return the obstacle on a square, or the last placed if there are several."""
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
    """Return the map with an obstacle. It replaces the obstacle with the same id."""
    exists = any(other.id == obstacle.id for other in field.obstacles)
    obstacles = tuple(obstacle if other.id == obstacle.id else other for other in field.obstacles)
    return msgspec.structs.replace(field, obstacles=obstacles if exists else (*obstacles, obstacle))


def without_obstacle(field: Map, id: str) -> Map:
    """Return the map without an obstacle."""
    return msgspec.structs.replace(
        field, obstacles=tuple(obstacle for obstacle in field.obstacles if obstacle.id != id)
    )


def new_obstacle(field: Map, at: Point, name: str) -> Obstacle:
    """Return a one-square obstacle with half cover and an unused id."""
    return Obstacle(id=unique_id("", [obstacle.id for obstacle in field.obstacles], "obstacle"), name=name, at=at)


def with_nothing_on(field: Map, squares: Collection[Point]) -> Map:
    """Return the map with squares cleared of ground, height, light, areas, obstacles, barriers, doors and edges."""
    for layer in LAYERS:
        if any(mark_at(field, layer, square) != PLAIN_GROUND for square in squares):
            field = with_mark(field, layer, squares, PLAIN_GROUND)
    field = without_areas(field, squares)
    for square in squares:
        obstacle = obstacle_at(field, square)
        if obstacle is not None:
            field = without_obstacle(field, obstacle.id)
        field = with_edges(field, None, edges_within(square))
    return without_lines(field, squares)


# Lines of squares ---------------------------------------------------------------------------------------------


def line_between(start: Point, end: Point) -> tuple[Point, ...]:
    """Return the squares on a straight line between two squares, both included. It fills the gaps of a fast brush."""
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
