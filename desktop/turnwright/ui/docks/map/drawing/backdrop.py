"""The static parts of the map: ground, heights, light, areas, walls, obstacles, the grid, and darkness.

They are painted into square tiles once per map, theme and zoom, and then copied. A change to the map repaints only
the affected tiles. Coordinates are pixels at the current zoom; the map begins at (0, 0). Darkness is recomputed in the
background after every change that can affect it.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import pairwise
from math import ceil, floor

from PySide6.QtCore import QObject, QRect, QRectF, Signal
from PySide6.QtGui import QPainter, QPixmap

from turnwright.battlemap.segments import square_edges, squares_along
from turnwright.encounter.prepared import Environment, Map, Point, Scene
from turnwright.encounter.running import Clock, Combatant, DoorState, Effect, LastingArea, ObstacleState
from turnwright.encounter.state import Lookup, scene_of, standing_areas
from turnwright.players.map_view import DARKNESS
from turnwright.rules.parts.environment.entries import current_map
from turnwright.rules.parts.positions.sight import LEVELS, levels_now
from turnwright.rules.system import RuleSystem
from turnwright.ui.docks.map.drawing.drawing import EDGE_KINDS, LAYERS, layer_rows
from turnwright.ui.docks.map.drawing.terrain_painter import MapFacts, TerrainPainter
from turnwright.ui.docks.map.drawing.terrain_patterns import TerrainPatterns
from turnwright.ui.look.style import Theme
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.workers import LatestTask
from turnwright.workspace.kernel_library import load_kernels

TILE_SQUARES = 512  # approximate side of a tile in pixels
MAX_CACHED = 160  # tiles of about 1 MB each; more than any screen shows at once
MANY = 1000  # if more squares change, repainting everything is faster than finding the tiles
LABEL_MARGIN = 1  # squares around the map, for the names of columns and rows


class Backdrop(TerrainPainter):
    """The painted map, stored in tiles."""

    def __init__(self, theme: Theme, facts: MapFacts) -> None:
        super().__init__(Map(), theme, 32, facts)
        self.ratio = 1.0
        self._pieces: dict[Point, QPixmap] = {}

    def set_theme(self, theme: Theme) -> None:
        """Set the theme (also after a change of the font scale) and repaint."""
        self.theme = theme
        self.repaint_all()

    def repaint_all(self) -> None:
        """Repaint the whole map."""
        self._pieces.clear()
        self._stamps = TerrainPatterns(self.theme, self.cell)

    def repaint_squares(self, squares: QRect) -> None:
        """Repaint the tiles that contain these squares."""
        for piece in self._pieces_of(squares):
            self._pieces.pop(piece, None)

    def zoom(self, cell: int, ratio: float) -> None:
        """Set the side of a square in pixels and the pixel ratio, and repaint."""
        if (cell, ratio) != (self.cell, self.ratio):
            self.cell, self.ratio = cell, ratio
            self.repaint_all()

    def set_field(self, field: Map, extent: QRect | None = None) -> QRectF | None:
        """Replace the map and the part to show, by default all of it. Return the area to repaint, or None for the whole map."""
        before, self.field = self.field, field
        shown, self.extent = self.extent, extent or QRect(0, 0, field.columns, field.rows)
        if shown != self.extent or _differs_at_large(before, field):
            self.repaint_all()
            return None
        return self._repaint(_touched(before, field))

    def set_fog(self, fog: tuple[str, ...] | None) -> QRectF | None:
        """Set the fog, one string of characters per row. Return the area to repaint, or None for the whole map."""
        before, self.fog = self.fog, fog
        return self._replace(before or (), fog or ())

    def set_shades(self, shades: tuple[str, ...]) -> QRectF | None:
        """Set the characters of dim and dark squares by row. Return the area to repaint, or None for the whole map."""
        before, self.shades = self.shades, shades
        return self._replace(before, shades)

    def _replace(self, before: tuple[str, ...], after: tuple[str, ...]) -> QRectF | None:
        """Drop the tiles in which two drawings differ. Return the area to repaint, or None for the whole map."""
        if before == after:
            return QRectF()
        is_of_one_size = [*map(len, before)] == [*map(len, after)]
        touched = list(_differing(before, after)) if is_of_one_size else []
        if not is_of_one_size or len(touched) > MANY:
            self.repaint_all()
            return None
        return self._repaint(touched)

    def _repaint(self, touched: Iterable[Point]) -> QRectF:
        """Drop the tiles around some squares. Return the area to repaint."""
        area = QRectF()
        for column, row in touched:
            # Heights are written where they change, so the neighbouring squares may need repainting too.
            for piece in self._pieces_of(QRect(column - 1, row - 1, 3, 3)):
                self._pieces.pop(piece, None)
            area |= QRectF(column * self.cell, row * self.cell, self.cell, self.cell)
        return area if area.isEmpty() else area.adjusted(-self.cell, -self.cell, self.cell, self.cell)

    def bounds(self) -> QRectF:
        """Return the bounds of the map, including the names of columns and rows."""
        margin = LABEL_MARGIN
        box = self._box(self.extent.adjusted(-margin, -margin, margin, margin))
        return box.adjusted(self.cell - self.number_room(), 0, 0, 0)

    def draw(self, painter: QPainter, exposed: QRectF | QRect) -> None:
        """Draw the exposed part of the map."""
        side = self._squares_a_piece() * self.cell
        left, top = floor(exposed.left() / side), floor(exposed.top() / side)
        for row in range(top, ceil(exposed.bottom() / side)):
            for column in range(left, ceil(exposed.right() / side)):
                if (piece := self._piece((column, row))) is not None:
                    painter.drawPixmap(column * side, row * side, piece)

    # Painting --------------------------------------------------------------------------------------------------

    def _squares_a_piece(self) -> int:
        return max(1, TILE_SQUARES // self.cell)

    def _pieces_of(self, squares: QRect) -> Iterator[Point]:
        size = self._squares_a_piece()
        for row in range(squares.top() // size, squares.bottom() // size + 1):
            for column in range(squares.left() // size, squares.right() // size + 1):
                yield column, row

    def _piece(self, place: Point) -> QPixmap | None:
        if place in self._pieces:
            self._pieces[place] = found = self._pieces.pop(place)  # the most recently used is last
            return found
        size = self._squares_a_piece()
        side = size * self.cell
        if not self.bounds().intersects(QRectF(place[0] * side, place[1] * side, side, side)):
            return None
        piece = QPixmap(round(side * self.ratio), round(side * self.ratio))
        piece.setDevicePixelRatio(self.ratio)
        piece.fill(self.theme.colour("surface"))
        if len(self._pieces) >= MAX_CACHED:
            self._pieces.pop(next(iter(self._pieces)))
        self._pieces[place] = piece  # before painting, so that a failure is not repeated for every frame
        with QPainter(piece) as painter:
            painter.translate(-place[0] * side, -place[1] * side)
            self.paint(painter, QRect(place[0] * size, place[1] * size, size, size))
        return piece


def _differs_at_large(before: Map, after: Map) -> bool:
    """Whether a change can affect more than individual squares."""
    names = ("columns", "rows", "cell", "areas", "obstacles", "picture", "lights", "grid_lines")
    return any(getattr(before, name) != getattr(after, name) for name in names)


def _touched(before: Map, after: Map) -> Iterable[Point]:
    """Yield the squares whose ground, edges, barriers or doors have changed."""
    for layer in LAYERS:
        if getattr(before, layer) != getattr(after, layer):
            yield from _differing(layer_rows(before, layer), layer_rows(after, layer))
    for fence in EDGE_KINDS:
        if getattr(before, fence) != getattr(after, fence):
            for column, row, _across in square_edges(getattr(before, fence)) ^ square_edges(getattr(after, fence)):
                yield column, row
    doors = {door.at for door in set(before.doors) ^ set(after.doors)}
    walls = {line for barrier in set(before.barriers) ^ set(after.barriers) for line in pairwise(barrier.points)}
    for start, end in walls | {(at[:2], at[2:]) for at in doors}:
        yield from squares_along(start, end, after.columns, after.rows)


def _differing(before: tuple[str, ...], after: tuple[str, ...]) -> Iterator[Point]:
    """Yield the squares whose characters differ in two drawings of the same size."""
    for row, (old, new) in enumerate(zip(before, after, strict=True)):
        if old != new:
            yield from ((column, row) for column, sign in enumerate(new) if sign != old[column])


KINDS = (Map, Scene, Environment, LastingArea, Combatant, Effect, Clock, DoorState, ObstacleState)


def may_differ(lookup: Lookup) -> bool:
    """Whether some squares of the map may be darker than others."""
    battle_map = current_map(lookup)
    if battle_map is None or not battle_map.columns or not battle_map.rows:
        return False
    lit = {area.light for area in standing_areas(lookup) if area.light}
    return LEVELS[0] in lit or (scene_of(lookup).light in DARKNESS and bool(battle_map.lights or lit))


def shades_now(lookup: Lookup, rules: RuleSystem) -> tuple[str, ...]:
    """Return the shading of the map as one string per row, or no rows if all squares are equally dark.

    Dim and dark squares have a character each, other squares a blank. Uniform darkness isn't shaded, because the
    scene's light already describes it and shading would make the map harder to read. This can take seconds on a large
    map, so call it in a worker.
    """
    load_kernels()
    levels = levels_now(lookup, rules) if may_differ(lookup) else None
    if levels is None:
        return ()
    signs = [DARKNESS.get(level, " ") for level in LEVELS]
    rows = tuple("".join(signs[level] for level in line) for line in levels.tolist())
    return rows if len(set().union(*rows)) > 1 else ()


class LightShading(QObject):
    """Keeps `shades`, the characters of dim and dark squares by row, up to date. Emits `changed` when they change."""

    changed = Signal()

    def __init__(self, document: DocumentModel, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._work = LatestTask(self)
        self._is_stale = False
        self.is_shown = True
        self.shades: tuple[str, ...] = ()
        document.follow(self.refresh, *(kind.table for kind in KINDS))

    def set_shown(self, *, shown: bool) -> None:
        """Turn the shading on or off."""
        if shown != self.is_shown:
            self.is_shown = shown
            self.refresh()

    def refresh(self) -> None:
        """Recompute the shading for the current encounter, after the running computation if there is one."""
        if not self.is_shown or not may_differ(self._document.encounter):
            self._work.drop()
            self._take(())
            return
        self._is_stale = self._work.is_running
        if not self._is_stale:
            job = partial(shades_now, self._document.encounter, self._document.rules)
            self._work.start(job, self._on_worked_out, lambda _why: self._on_worked_out(self.shades))

    def _on_worked_out(self, shades: tuple[str, ...]) -> None:
        if self._is_stale:
            self.refresh()
        else:
            self._take(shades)

    def _take(self, shades: tuple[str, ...]) -> None:
        if shades != self.shades:
            self.shades = shades
            self.changed.emit()
