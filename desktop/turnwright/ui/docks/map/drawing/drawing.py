"""Everything drawn over a map: its layers and brushes, barriers and doors, outlines of areas, and graphics.

A square is (column, row). The functions that draw are independent of Qt and of the rules; each returns a new `Map` and
leaves the text of other layers unchanged.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, pairwise, product
from math import dist, floor
from operator import itemgetter
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Final, Literal

import msgspec
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainterPath, QPen, QPolygonF, QTransform
from PySide6.QtWidgets import QGraphicsItem, QGraphicsPathItem, QGraphicsScene, QGraphicsSimpleTextItem

from turnwright.battlemap import segments
from turnwright.encounter.floors import floor_at, floors_of, is_on_floor, width_of
from turnwright.encounter.prepared import (
    Area,
    BarrierKind,
    Door,
    Map,
    MapBarrier,
    MapLight,
    Obstacle,
    Place,
    Point,
    Segment,
)
from turnwright.encounter.state import unique_id
from turnwright.rules.parts.positions.geometry import drawing_lines, drawing_text, height_steps
from turnwright.ui.docks.map.drawing.terrain_patterns import pixel_font
from turnwright.ui.forms.kinds import with_ids
from turnwright.ui.look.style import Theme, role_font, scaled

CLOSE: Final = 0.2  # squares; an end within this distance of another snaps to it
SNAPS_PER_SQUARE, FREE_PER_SQUARE = 4, 64
SHORTEST: Final = 0.1
RIM: Final = 0.02  # squares; excludes lines along the edge of a square
MANY: Final = 1000  # more columns and rows than a map can have
CENTRE: Final = ((0.5, 0.5),)
QUARTERS: Final = ((0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75))


def snapped(field: Map, point: Place, *, is_free: bool = False) -> Place:
    """Return the snapped end of a line: a nearby end of another line, or the nearest quarter of a square.

    With `is_free`, it is only rounded to a fine grid.
    """
    ends = [] if is_free else [end for end in line_ends(field) if dist(end, point) <= CLOSE]
    if ends:
        return min(ends, key=lambda end: dist(end, point))
    steps = FREE_PER_SQUARE if is_free else SNAPS_PER_SQUARE
    across = min(max(0.0, round(point[0] * steps) / steps), float(field.columns))
    return across, min(max(0.0, round(point[1] * steps) / steps), float(field.rows))


def line_ends(field: Map) -> Iterator[Place]:
    """Yield the ends of all barriers and doors."""
    for barrier in field.barriers:
        if barrier.points:
            yield from (barrier.points[0], barrier.points[-1])
    for door in field.doors:
        yield from (door.at[:2], door.at[2:])


def with_barrier(field: Map, kind: BarrierKind, start: Place, end: Place) -> Map:
    """Return the map with a barrier segment added. A barrier of the same kind is extended if it ends at the start."""
    if dist(start, end) < SHORTEST:
        return field
    for number, barrier in enumerate(field.barriers):
        is_open = barrier.kind == kind and barrier.points and barrier.points[0] != barrier.points[-1]
        if is_open and (longer := _longer(barrier.points, start, end)) is not None:
            joined = msgspec.structs.replace(barrier, points=longer)
            barriers = (*field.barriers[:number], joined, *field.barriers[number + 1 :])
            return msgspec.structs.replace(field, barriers=barriers)
    return msgspec.structs.replace(field, barriers=(*field.barriers, MapBarrier(kind, (start, end))))


def with_door(field: Map, start: Place, end: Place) -> Map:
    """Return the map with a door from point to point."""
    if dist(start, end) < SHORTEST:
        return field
    door = Door(unique_id("", [other.id for other in field.doors], "door"), (*start, *end))
    return msgspec.structs.replace(field, doors=(*field.doors, door))


def with_door_change(field: Map, id: str, **fields: object) -> Map:
    """Return the map with some fields of a door changed."""
    doors = tuple(msgspec.structs.replace(door, **fields) if door.id == id else door for door in field.doors)
    return msgspec.structs.replace(field, doors=doors)


def without_lines(field: Map, squares: Collection[Point]) -> Map:
    """Return the map without the doors and barrier segments in some squares. The rest of a barrier stays."""
    doors = tuple(door for door in field.doors if not _is_in_any(door.at[:2], door.at[2:], squares))
    barriers = tuple(piece for barrier in field.barriers for piece in _pieces(barrier, squares))
    if (doors, barriers) == (field.doors, field.barriers):
        return field
    return msgspec.structs.replace(field, doors=doors, barriers=barriers)


def _longer(points: tuple[Place, ...], start: Place, end: Place) -> tuple[Place, ...] | None:
    if points[-1] == start:
        return (*points, end)
    if points[-1] == end:
        return (*points, start)
    if points[0] == start:
        return (end, *points)
    return (start, *points) if points[0] == end else None


def _pieces(barrier: MapBarrier, squares: Collection[Point]) -> Iterable[MapBarrier]:
    """Yield the parts of a barrier outside some squares. An object that touches them is removed as a whole."""
    cut = [_is_in_any(start, end, squares) for start, end in pairwise(barrier.points)]
    if not any(cut):
        yield barrier
    elif barrier.kind != "object":
        for goes, run in groupby(zip(cut, pairwise(barrier.points), strict=True), itemgetter(0)):
            if not goes:
                (_, first), *rest = run
                yield msgspec.structs.replace(barrier, points=(*first, *(end for _, (_, end) in rest)))


def _is_in_any(start: Place, end: Place, squares: Collection[Point]) -> bool:
    touched = segments.squares_along(start, end, MANY, MANY) if len(squares) > 1 else squares
    return any(square in squares and _crosses(start, end, square) for square in touched)


def _crosses(start: Place, end: Place, square: Point) -> bool:
    """Whether a segment passes through the inside of a square."""
    (left, top), wide = square, 1 - RIM
    first, last = segments.share_inside((*start, *end), (left + RIM, top + RIM, left + wide, top + wide))
    return first <= last


Layer = Literal["ground", "heights", "light"]
EdgeKind = Literal["walls", "windows", "curtains"]

EDGE_KINDS: tuple[EdgeKind, ...] = ("walls", "windows", "curtains")
LAYERS: tuple[Layer, ...] = ("ground", "heights", "light")
PLAIN_GROUND = "."
HEIGHT_MARKS: Final = ascii_uppercase[::-1] + PLAIN_GROUND + digits[1:] + ascii_lowercase  # from the lowest


def layer_rows(field: Map, layer: Layer) -> tuple[str, ...]:
    """Return a layer as one string per row, each with a character per column."""
    return drawing_lines(getattr(field, layer), field.columns, field.rows)


def mark_at(field: Map, layer: Layer, square: Point) -> str:
    """Return the character drawn on a square, or a dot outside the map."""
    return layer_rows(field, layer)[square[1]][square[0]] if is_on_floor(field, square) else PLAIN_GROUND


def with_mark(field: Map, layer: Layer, squares: Iterable[Point], mark: str) -> Map:
    """Return the map with a character drawn on squares. Squares outside the map are ignored."""
    return _redrawn(field, layer, squares, lambda _before: mark)


def with_height_change(field: Map, squares: Iterable[Point], steps: int) -> Map:
    """Return the map with squares raised by a number of steps, or lowered if `steps` is negative."""
    return _redrawn(field, "heights", squares, lambda before: height_mark(height_steps(before) + steps))


def height_mark(steps: int) -> str:
    """Return the character for a height in steps, limited to the heights that can be drawn."""
    return HEIGHT_MARKS[max(0, min(HEIGHT_MARKS.index(PLAIN_GROUND) + steps, len(HEIGHT_MARKS) - 1))]


def feet_at(field: Map, square: Point) -> int:
    """Return the ground's height on a square in feet."""
    return height_steps(mark_at(field, "heights", square)) * field.cell


def _redrawn(field: Map, layer: Layer, squares: Iterable[Point], change: Callable[[str], str]) -> Map:
    """Return the map with the characters of a layer changed on squares."""
    lines = [list(line) for line in layer_rows(field, layer)]
    for column, row in squares:
        if is_on_floor(field, (column, row)):
            lines[row][column] = change(lines[row][column])
    text = drawing_text(tuple("".join(line) for line in lines))
    if text.startswith("\n"):  # TOML drops a line break right after the opening quotes
        text = PLAIN_GROUND + text
    return msgspec.structs.replace(field, **{layer: text})


# Edges --------------------------------------------------------------------------------------------------------


def with_edges(field: Map, edge_kind: EdgeKind | None, edges: Collection[segments.SquareEdge]) -> Map:
    """Return the map with a wall, window or curtain on edges, replacing others there. None clears the edges."""
    changed: dict[str, tuple[Segment, ...]] = {}
    for kind in EDGE_KINDS:
        before = getattr(field, kind)
        present = segments.square_edges(before)
        after = present | set(edges) if kind == edge_kind else present - set(edges)
        if after != present:
            slanting = tuple(segment for segment in before if segment[0] != segment[2] and segment[1] != segment[3])
            changed[kind] = (*segments.merged_segments(after), *slanting)
    return msgspec.structs.replace(field, **changed)


# Areas --------------------------------------------------------------------------------------------------------


def squares_of(area: Area) -> set[Point]:
    """Return the squares of an area."""
    spans = ((range(left, left + width), range(top, top + height)) for left, top, width, height in area.squares)
    return {square for columns, rows in spans for square in product(columns, rows)}


def with_area(field: Map, environment: str, feature: str, squares: Iterable[Point], *, included: bool = True) -> Map:
    """Return the map with squares added to, or removed from, the area of an environment's feature."""
    on_map = {square for square in squares if is_on_floor(field, square)}
    same = (other for other in field.areas if (other.environment, other.feature) == (environment, feature))
    existing = next(same, None)
    before = squares_of(existing) if existing else set()
    after = before | on_map if included else before - on_map
    if after == before:
        return field
    id = existing.id if existing else unique_id(f"{environment}-{feature}", [other.id for other in field.areas], "area")
    area = Area(id=id, environment=environment, feature=feature, squares=segments.rectangles_of(after))
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
        if all(at <= part < at + size for at, part, size in zip(obstacle.at, square, obstacle.size, strict=True)):
            return obstacle
    return None


def doors_at(field: Map, square: Point) -> list[Door]:
    """Return the doors in a square or on its edges."""
    column, row = square
    ends = ((door, sorted(door.at[::2]), sorted(door.at[1::2])) for door in field.doors)
    near = ((door, down) for door, across, down in ends if across[0] <= column + 1 and across[1] >= column)
    return [door for door, down in near if down[0] <= row + 1 and down[1] >= row]


def with_obstacle(field: Map, obstacle: Obstacle) -> Map:
    """Return the map with an obstacle. It replaces the obstacle with the same id."""
    exists = any(other.id == obstacle.id for other in field.obstacles)
    obstacles = tuple(obstacle if other.id == obstacle.id else other for other in field.obstacles)
    return msgspec.structs.replace(field, obstacles=obstacles if exists else (*obstacles, obstacle))


def without(field: Map, part: Literal["doors", "obstacles", "lights"], id: str) -> Map:
    """Return the map without a door, an obstacle or a light."""
    return msgspec.structs.replace(
        field, **{part: tuple(one for key, one in with_ids(getattr(field, part)) if key != id)}
    )


def light_at(field: Map, square: Point) -> str:
    """Return the number of the light on a square as text, or an empty string if there is none."""
    found = [number for number, light in with_ids(field.lights) if (int(light.at[0]), int(light.at[1])) == square]
    return found[-1] if found else ""


def with_light(field: Map, number: str, light: MapLight) -> Map:
    """Return the map with a light. It replaces the light with this number, or it is added."""
    lights = [*field.lights]
    lights[int(number) : int(number) + 1] = [light]
    return msgspec.structs.replace(field, lights=tuple(lights))


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
        if (obstacle := obstacle_at(field, square)) is not None:
            field = without(field, "obstacles", obstacle.id)
        field = without(field, "lights", light_at(field, square))
    field = with_edges(field, None, {edge for square in squares for edge in segments.edges_within(square)})
    return without_lines(field, squares)


# Shapes of squares --------------------------------------------------------------------------------------------


def squares_between(field: Map, one: Place, other: Place) -> set[Point]:
    """Return the squares of the map in a rectangle with two of its corners in these places."""
    (left, right), (top, bottom) = (sorted((floor(one[axis]), floor(other[axis]))) for axis in (0, 1))
    shown = floor_at(field, (top + bottom) // 2) or floors_of(field)[0]
    columns = range(max(0, left), min(width_of(field, shown) - 1, right) + 1)
    return set(product(columns, range(max(shown.row, top), min(shown.row + shown.rows - 1, bottom) + 1)))


def squares_inside(field: Map, around: Iterable[Place], contains: Callable[[Place], bool]) -> set[Point]:
    """Return the squares between some places whose centre a shape contains, or a quarter if a slanted wall cuts it."""
    (left, *_, right), (top, *_, bottom) = (sorted(line) for line in zip(*around, strict=True))
    squares, cut = squares_between(field, (left, top), (right, bottom)), _cut_squares(field)
    spots = ((at, (at[0] + x, at[1] + y)) for at in squares for x, y in (QUARTERS if at in cut else CENTRE))
    return {square for square, spot in spots if contains(spot)}


@lru_cache(maxsize=1)
def _cut_squares(field: Map) -> frozenset[Point]:
    """Return the squares that slanted walls cut."""
    lines = [line for barrier in field.barriers for line in pairwise(barrier.points)]
    lines += [(segment[:2], segment[2:]) for segment in field.walls]
    slanting = ((start, end) for start, end in lines if start[0] != end[0] and start[1] != end[1])
    near = ((line, square) for line in slanting for square in segments.squares_along(*line, field.columns, field.rows))
    return frozenset(square for line, square in near if _crosses(*line, square))


# Lines of squares ---------------------------------------------------------------------------------------------


def line_between(start: Point, end: Point) -> tuple[Point, ...]:
    """Return the squares on a straight line between two squares, both included. It fills the gaps of a fast brush."""
    longest = max(abs(end[0] - start[0]), abs(end[1] - start[1]))
    if longest == 0:
        return (end,)
    across, down = end[0] - start[0], end[1] - start[1]
    steps = range(longest + 1)
    return tuple((round(start[0] + across * n / longest), round(start[1] + down * n / longest)) for n in steps)


def ring_path(at: Point, size: int, squares: int, diagonals: str) -> QPainterPath:
    """Return the outline of the area within a distance of a space. All lengths are in squares."""
    path = QPainterPath()
    left, top = at
    right, bottom = left + size, top + size
    if diagonals != "alternating":
        path.addRect(left - squares, top - squares, right - left + 2 * squares, bottom - top + 2 * squares)
        return path
    quarter = [(max_columns(squares, down), down) for down in range(squares + 1)]
    steps: list[tuple[int, int]] = []
    for wide, down in quarter:  # from the side to the top, along the squares' edges
        steps += [(wide, max(0, down - 1) if down else 0), (wide, down)]
    steps.append((0, squares))
    corners = [QPointF(right + wide, bottom + down) for wide, down in steps]
    corners += [QPointF(left - wide, bottom + down) for wide, down in reversed(steps)]
    corners += [QPointF(left - wide, top - down) for wide, down in steps]
    corners += [QPointF(right + wide, top - down) for wide, down in reversed(steps)]
    path.addPolygon(QPolygonF([*corners, corners[0]]))
    return path


def max_columns(squares: int, rows: int) -> int:
    """Return the number of columns in range, `rows` rows away, if every second diagonal counts double."""
    wide = squares
    while wide > 0 and max(wide, rows) + min(wide, rows) // 2 > squares:
        wide -= 1
    return wide


SHRUNK, LEAST_TEXT = 0.5, 10  # text size: share of a square's side, and minimum in pixels
Z_DASH_RANGE, Z_RANGE, Z_RING, Z_ROUTE, Z_LABELS = 1, 2, 3, 40, 50


class MapLabel(msgspec.Struct, frozen=True):
    """A label on the map, centred above or below a point in squares. With `shrinks`, its size follows the zoom."""

    text: str
    at: tuple[float, float]
    tone: str = "text"
    below: bool = False
    shrinks: bool = False


class Overlay:
    """Graphics items over a scene, with paths in squares. Keeps references to the items, which Qt itself paints."""

    def __init__(self, scene: QGraphicsScene, theme: Theme, cell: int) -> None:
        self._scene = scene
        self.theme = theme
        self.cell = cell
        self._items: list[QGraphicsItem] = []
        self.labels: list[QGraphicsSimpleTextItem] = []
        self._written: list[QRectF] = []

    def clear(self) -> None:
        """Remove all graphics."""
        for item in (*self._items, *self.labels):
            self._scene.removeItem(item)
        self._items, self.labels, self._written = [], [], []

    def tint(self, squares: Iterable[Point], tone: str, alpha: int, z: int) -> None:
        """Tint squares."""
        self._cover(squares, QBrush(self.theme.colour(tone, alpha)), z)

    def hatch(self, squares: Iterable[Point], tone: str, z: int) -> None:
        """Hatch squares, so that they can be recognised without colour."""
        self._cover(squares, QBrush(self.theme.colour(tone, 150), Qt.BrushStyle.BDiagPattern), z)

    def _cover(self, squares: Iterable[Point], brush: QBrush, z: int) -> None:
        path = QPainterPath()
        for left, row, width in segments.row_runs(squares):
            path.addRect(left, row, width, 1)
        self._lay(path, QPen(Qt.PenStyle.NoPen), brush, z)

    def surround(self, squares: Iterable[Point], tone: str, z: int) -> None:
        """Draw the outline of squares."""
        self.draw_lines(edge_lines(segments.outline_edges(squares)), tone, z=z)

    def outline(self, path: QPainterPath, tone: str, *, dashed: bool = False, z: int = Z_RING) -> None:
        """Draw an outline."""
        pen = QPen(self.theme.colour(tone), max(1.5, self.cell / 20))
        pen.setStyle(Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine)
        self._lay(path, pen, QBrush(Qt.BrushStyle.NoBrush), z)

    def draw_route(self, points: Sequence[tuple[float, float]], tone: str) -> None:
        """Draw a route through points in squares, with an arrowhead at its end."""
        if len(points) < 2:
            return
        path = QPainterPath()
        path.addPolygon(QPolygonF([QPointF(*point) for point in points]))
        path.addPath(_arrowhead(points[-2], points[-1]))
        width, line = max(2.0, self.cell / 11), Qt.PenStyle.SolidLine
        pen = QPen(self.theme.colour(tone), width, line, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        self._lay(path, pen, QBrush(Qt.BrushStyle.NoBrush), Z_ROUTE)

    def draw_lines(self, lines: Iterable[QLineF], tone: str, *, dashed: bool = False, z: int = Z_ROUTE) -> None:
        """Draw thin lines."""
        path = QPainterPath()
        for line in lines:
            path.moveTo(line.p1())
            path.lineTo(line.p2())
        if not path.isEmpty():
            self.outline(path, tone, dashed=dashed, z=z)

    def mark(self, squares: Iterable[Point], tone: str) -> None:
        """Mark squares with a thick dashed frame."""
        path = QPainterPath()
        for column, row in squares:
            path.addRect(QRectF(column + 0.06, row + 0.06, 0.88, 0.88))
        if not path.isEmpty():
            self.outline(path, tone, dashed=True, z=Z_ROUTE)

    def mark_point(self, at: tuple[float, float], tone: str) -> None:
        """Mark a point with a cross."""
        x, y = at
        self.draw_lines((QLineF(x - 0.2, y, x + 0.2, y), QLineF(x, y - 0.2, x, y + 0.2)), tone)

    def add_label(self, label: MapLabel) -> None:
        """Draw a label."""
        text = QGraphicsSimpleTextItem(label.text)
        text.setFont(pixel_font(self.cell * SHRUNK, LEAST_TEXT) if label.shrinks else role_font("caption"))
        text.setBrush(self.theme.colour(label.tone))
        size = text.boundingRect()
        x, y = label.at[0] * self.cell - size.width() / 2, label.at[1] * self.cell
        y += scaled(3) if label.below else -size.height() - scaled(3)
        board = self._scene.sceneRect()
        if not board.isEmpty():
            least = board.left() + scaled(4)
            x = min(max(x, least), max(least, board.right() - size.width() - scaled(4)))
            y = max(y, board.top() + scaled(2))
        box = size.translated(x, y).adjusted(-scaled(4), -scaled(1), scaled(4), scaled(1))
        step = size.height() + scaled(4)
        while any(box.intersects(other) for other in self._written):
            y += step if label.below else -step
            box.translate(0, step if label.below else -step)
        self._written.append(box)
        path = QPainterPath()
        path.addRoundedRect(box, scaled(3), scaled(3))
        ground = QBrush(self.theme.colour("raised", 240))
        self._lay(path, QPen(self.theme.colour(label.tone), 1), ground, Z_LABELS, by=1)
        text.setPos(x, y)
        text.setZValue(Z_LABELS + 1)
        self._scene.addItem(text)
        self.labels.append(text)

    def _lay(self, path: QPainterPath, pen: QPen, brush: QBrush, z: int, by: int = 0) -> None:
        """Add a path, scaled by `by`, which defaults to the side of a square."""
        item = path_item(self._scene, z)
        item.setPen(pen)
        item.setBrush(brush)
        scale = by or self.cell
        item.setPath(QTransform.fromScale(scale, scale).map(path))
        self._items.append(item)


def path_item(scene: QGraphicsScene, z: float) -> QGraphicsPathItem:
    """Add an empty path item to a scene and return it."""
    item = QGraphicsPathItem()
    item.setZValue(z)
    scene.addItem(item)
    return item


def edge_lines(edges: Iterable[segments.SquareEdge], cell: int = 1) -> list[QLineF]:
    """Convert the edges of squares to lines. `cell` is the side of a square."""
    ends = ((column, row, column + across, row + (not across)) for column, row, across in edges)
    return [QLineF(*(at * cell for at in line)) for line in ends]


def _arrowhead(before: tuple[float, float], end: tuple[float, float]) -> QPainterPath:
    line = QLineF(QPointF(*end), QPointF(*before))
    path = QPainterPath()
    for turn in (-32, 32):
        wing = QLineF(line)
        wing.setAngle(line.angle() + turn)
        wing.setLength(0.3)
        path.moveTo(wing.p1())
        path.lineTo(wing.p2())
    return path
