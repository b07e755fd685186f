"""Painting of ground, heights, light, areas, walls and obstacles. Every kind has a pattern as well as a colour."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple, Protocol

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen

from turnwright.battlemap.segments import column_name, edges_within, outline_edges, row_runs
from turnwright.encounter import floors, prepared, running
from turnwright.rules.parts.positions import geometry, sight
from turnwright.ui.docks.map.drawing import drawing, terrain_patterns
from turnwright.ui.look.icons import draw_icon
from turnwright.ui.look.style import Theme, scaled
from turnwright.ui.look.window_data import icon_names, window_data
from turnwright.ui.players.map_page import grid_colour

COVER_ICONS = icon_names("covers")
EDGE_TONES, BARRIER_TONES = (window_data(f"map.tones.{kind}", dict[str, str]) for kind in ("edges", "barriers"))
DOOR_TONE = "world"
DOTTED = frozenset({"curtain", "curtains", "object", "rail"})
AREA_TONES = ("world", "warn", "heal", "accent", "harm")
GRID_DARK, GRID_LIGHT = QColor(0, 0, 0, 110), QColor(255, 255, 255, 60)
PALE_SHADES = {":": QColor(8, 12, 44, 50), "#": QColor(4, 6, 26, 105)}  # over dim and dark squares
DEEP_SHADES = {":": QColor(8, 12, 44, 85), "#": QColor(4, 6, 26, 175)}  # on a dark background
FOG_SHADES: Mapping[sight.FogState, int] = {"explored": 60, "hidden": 120}
FOG_HATCH = QColor(255, 255, 255, 50)
MAX_SHADE = 90  # maximum alpha, out of 255
MIN_LEGIBLE_CELL = 18  # side of a square in pixels
NUMBER_ROOM = 18  # width of three digits in the smallest type, in pixels
COLUMN_LABEL_STEPS, ROW_LABEL_STEPS = 6, 4


class AreaInfo(NamedTuple):
    """The name of an area, and whether it is difficult terrain."""

    name: str
    is_difficult: bool = False


class MapFacts(Protocol):
    """Facts about areas and obstacles that are not in the map's record."""

    def area_info(self, environment: str, feature: str) -> AreaInfo:
        """Return the name of an area, and whether it is difficult terrain."""

    def obstacle_state(self, obstacle: str) -> running.ObstacleState | None:
        """Return the state of an obstacle in the fight, or None if it is unchanged."""

    def is_door_open(self, door: prepared.Door) -> bool:
        """Whether a door is currently open."""

    def paint_picture(self, painter: QPainter, squares: QRect, cell: int) -> bool:
        """Paint the map's picture on some squares. Return False if there is none."""


class TerrainPainter:
    """Paints squares of a map at one zoom. `cell` is a square's side in pixels."""

    def __init__(self, field: prepared.Map, theme: Theme, cell: int, facts: MapFacts) -> None:
        self.field = field
        self.extent = QRect(0, 0, field.columns, field.rows)  # of the floor that is shown
        self.theme = theme
        self.cell = cell
        self._facts = facts
        self._stamps = terrain_patterns.TerrainPatterns(theme, cell)
        self._on_picture = False
        self.fog: tuple[str, ...] | None = None
        self.shades: tuple[str, ...] = ()

    def paint(self, painter: QPainter, squares: QRect) -> None:
        """Paint the squares of a rectangle, and the part of the rim inside it."""
        on_map = squares.intersected(self.extent)
        painter.fillRect(self._box(on_map), self.theme.colour("raised"))
        self._on_picture = self._facts.paint_picture(painter, on_map, self.cell)
        self._ground(painter, on_map)
        self._darkness(painter, on_map)
        self._areas(painter, on_map)
        self._heights(painter, on_map)
        self._light(painter, on_map)
        self._grid(painter, on_map)
        self._obstacles(painter, squares)
        self._fences(painter)
        self._barriers(painter, squares)
        self._doors(painter)
        self._lights(painter)
        self._area_names(painter)
        self._fog(painter, on_map)
        self._rim(painter, squares)

    def _box(self, squares: QRect) -> QRectF:
        cell = self.cell
        return QRectF(squares.left() * cell, squares.top() * cell, squares.width() * cell, squares.height() * cell)

    def _marks(self, layer: drawing.Layer, squares: QRect) -> Iterator[tuple[str, int, int]]:
        """Yield the characters drawn in a layer on some squares, with column and row."""
        lines = drawing.layer_rows(self.field, layer) if getattr(self.field, layer) else ()
        for row in range(squares.top(), squares.bottom() + 1) if lines else ():
            for column in range(squares.left(), squares.right() + 1):
                if lines[row][column] != drawing.PLAIN_GROUND:
                    yield lines[row][column], column, row

    def _square(self, column: int, row: int) -> QRectF:
        return QRectF(column * self.cell, row * self.cell, self.cell, self.cell)

    # Ground, heights and light -----------------------------------------------------------------------------------

    def _ground(self, painter: QPainter, squares: QRect) -> None:
        for mark, column, row in self._marks("ground", squares):
            if mark in terrain_patterns.GROUNDS:
                painter.drawPixmap(self._square(column, row).topLeft(), self._stamps.pattern(mark, painter))

    def _darkness(self, painter: QPainter, squares: QRect) -> None:
        """Shade dim squares lightly and dark squares strongly."""
        shades = DEEP_SHADES if self.theme.dark and not self._on_picture else PALE_SHADES
        for sign, colour in shades.items():
            for box in self._runs(self.shades, sign, squares):
                painter.fillRect(box, colour)

    def _runs(self, lines: tuple[str, ...], sign: str, squares: QRect) -> Iterator[QRectF]:
        """Yield the boxes of adjoining squares in a row that have the same character."""
        for row in range(squares.top(), min(squares.bottom() + 1, len(lines))):
            line = lines[row][: squares.right() + 1]
            columns = [column for column in range(squares.left(), len(line)) if line[column] == sign]
            for left, _, width in row_runs((column, row) for column in columns):
                yield self._box(QRect(left, row, width, 1))

    def _heights(self, painter: QPainter, squares: QRect) -> None:
        lines, cell = drawing.layer_rows(self.field, "heights"), self.cell
        painter.setFont(terrain_patterns.pixel_font(cell * 0.26, 7, 13))
        for mark, column, row in self._marks("heights", squares):
            steps = geometry.height_steps(mark)
            box = self._square(column, row)
            shade = min(MAX_SHADE, 14 + 11 * abs(steps))
            painter.fillRect(box, self.theme.colour("text" if steps > 0 else "accent", shade))
            self._step(painter, lines, column, row, steps)
            if cell >= MIN_LEGIBLE_CELL and _is_told(lines, column, row):
                feet = steps * self.field.cell
                painter.setPen(self.theme.colour("muted"))
                text = f"+{feet}" if feet > 0 else f"−{-feet}"
                corner = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
                painter.drawText(box.adjusted(0, 0, -cell * 0.06, -cell * 0.02), corner, text)

    def _step(self, painter: QPainter, lines: tuple[str, ...], column: int, row: int, steps: int) -> None:
        """Paint the edges between a square and its lower neighbours."""
        painter.setPen(QPen(self.theme.colour("text", 130), max(1.0, self.cell / 24)))
        neighbours = ((column, row - 1), (column, row + 1), (column - 1, row), (column + 1, row))
        lower = [
            edge
            for edge, square in zip(edges_within((column, row)), neighbours, strict=True)
            if (geometry.height_steps(lines[square[1]][square[0]]) if floors.is_on_floor(self.field, square) else 0)
            < steps
        ]
        painter.drawLines(drawing.edge_lines(lower, self.cell))

    def _light(self, painter: QPainter, squares: QRect) -> None:
        for mark, column, row in self._marks("light", squares):
            if mark in ":%":
                box, heavy = self._square(column, row), mark == "%"
                style = Qt.BrushStyle.Dense5Pattern if heavy else Qt.BrushStyle.Dense7Pattern
                painter.fillRect(box, self.theme.colour("muted", 80 if heavy else 26))
                painter.fillRect(box, QBrush(self.theme.colour("text", 90), style))

    # Areas -------------------------------------------------------------------------------------------------------

    def _areas(self, painter: QPainter, visible: QRect) -> None:
        for tone, area in self._toned():
            inside = drawing.squares_of(area)
            for left, top, width, height in area.squares:
                part = QRect(left, top, width, height).intersected(visible)
                if not part.isEmpty():
                    painter.fillRect(self._box(part), self.theme.colour(tone, 26))
            self._roughen(painter, area, inside, visible)
            painter.setPen(QPen(self.theme.colour(tone, 190), max(1.0, self.cell / 20), Qt.PenStyle.DashLine))
            painter.drawLines(drawing.edge_lines(outline_edges(inside), self.cell))

    def _roughen(self, painter: QPainter, area: prepared.Area, inside: set[prepared.Point], visible: QRect) -> None:
        """Hatch an area of difficult terrain, except on squares already drawn as difficult."""
        if self._facts.area_info(area.environment, area.feature).is_difficult:
            lines = drawing.layer_rows(self.field, "ground")
            for column, row in inside:
                if visible.contains(column, row) and lines[row][column] != ",":
                    painter.drawPixmap(self._square(column, row).topLeft(), self._stamps.pattern(",", painter))

    def _area_names(self, painter: QPainter) -> None:
        if self.cell < MIN_LEGIBLE_CELL:
            return
        font = terrain_patterns.pixel_font(self.cell * 0.3, 9)
        metrics = QFontMetricsF(font)
        occupied: set[tuple[int, int]] = set()
        for tone, area in self._toned():
            name = self._facts.area_info(area.environment, area.feature).name
            if not area.squares or not name:
                continue
            left, top, width, _ = min(area.squares, key=lambda square: (square[1], square[0]))
            while (left, top) in occupied:
                top += 1
            occupied.add((left, top))
            text = metrics.elidedText(name, Qt.TextElideMode.ElideRight, max(width, 3) * self.cell - 8)
            size = QSizeF(metrics.horizontalAdvance(text) + 6, metrics.height())
            box = QRectF(QPointF(left * self.cell + 2, top * self.cell + 2), size)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.theme.colour("raised", 215))
            painter.drawRoundedRect(box, 3, 3)
            painter.setFont(font)
            painter.setPen(self.theme.colour(tone))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _toned(self) -> Iterator[tuple[str, prepared.Area]]:
        for number, area in enumerate(self.field.areas):
            yield AREA_TONES[number % len(AREA_TONES)], area

    # Edges, obstacles, grid ----------------------------------------------------------------------------------------

    def _grid(self, painter: QPainter, squares: QRect) -> None:
        box, cell, (is_shown, colour, strength) = self._box(squares), self.cell, self.field.grid_lines
        if not is_shown:
            return
        painter.setPen(QPen(grid_colour(colour, strength, self.theme.colour("line")), 1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        columns, rows = range(squares.left(), squares.right() + 2), range(squares.top(), squares.bottom() + 2)
        across = [QLineF(n * cell, box.top(), n * cell, box.bottom()) for n in columns]
        down = [QLineF(box.left(), n * cell, box.right(), n * cell) for n in rows]
        if self._on_picture and not colour:  # dark and light lines, so that one of them is visible on any picture
            painter.setPen(QPen(grid_colour(colour, strength, GRID_LIGHT), 1))
            painter.drawLines([line.translated(1, 1) for line in across + down])
            painter.setPen(QPen(grid_colour(colour, strength, GRID_DARK), 1))
        painter.drawLines(across + down)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def _fences(self, painter: QPainter) -> None:
        cell = self.cell
        for fence, tone in EDGE_TONES.items():
            lines = [QLineF(a * cell, b * cell, c * cell, d * cell) for a, b, c, d in getattr(self.field, fence)]
            if not lines:
                continue
            self._stroke(painter, lines, tone, dotted=fence in DOTTED)
            if fence == "windows":  # the pane is a pale line inside
                painter.setPen(QPen(self.theme.colour("raised"), max(1.0, cell / 24)))
                painter.drawLines(lines)

    def _stroke(
        self, painter: QPainter, lines: list[QLineF], tone: str, *, dotted: bool = False, thick: float = 1.0
    ) -> None:
        """Draw walls. On a picture they are thinner, with a light margin to set them off."""
        width = thick * max(2.0, self.cell / (16 if self._on_picture else 9))
        cap = Qt.PenCapStyle.RoundCap
        if self._on_picture:
            painter.setPen(QPen(self.theme.colour("raised", 170), width + 2, Qt.PenStyle.SolidLine, cap))
            painter.drawLines(lines)
        style = Qt.PenStyle.DotLine if dotted else Qt.PenStyle.SolidLine
        painter.setPen(QPen(self.theme.colour(tone), width, style, cap))
        painter.drawLines(lines)

    def _barriers(self, painter: QPainter, squares: QRect) -> None:
        cell = self.cell
        left, top, right, bottom = squares.left() - 1, squares.top() - 1, squares.right() + 2, squares.bottom() + 2
        for kind, tone in BARRIER_TONES.items():
            walls = (pairwise(barrier.points) for barrier in self.field.barriers if barrier.kind == kind)
            lines = [
                QLineF(x0 * cell, y0 * cell, x1 * cell, y1 * cell)
                for wall in walls
                for (x0, y0), (x1, y1) in wall
                if (x0 > left or x1 > left) and (x0 < right or x1 < right)
                if (y0 > top or y1 > top) and (y0 < bottom or y1 < bottom)
            ]
            if lines:
                self._stroke(painter, lines, tone, dotted=kind in DOTTED)

    def _doors(self, painter: QPainter) -> None:
        """Draw doors: a filled leaf if closed, a hollow one if open, and a dotted one if secret."""
        cell = self.cell
        for door in self.field.doors:
            line = QLineF(*(coordinate * cell for coordinate in door.at))
            tone = "harm" if door.kind == "secret" else DOOR_TONE
            if self._facts.is_door_open(door):
                self._stroke(painter, [line], tone, thick=2.2)
                painter.setPen(QPen(self.theme.colour("raised"), max(2.0, cell / 10)))
                painter.drawLine(line)
            else:
                self._stroke(painter, [line], tone, dotted=door.kind == "secret", thick=2.2)

    def _lights(self, painter: QPainter) -> None:
        side = max(10.0, self.cell * 0.4)
        for light in self.field.lights:
            box = QRectF(light.at[0] * self.cell - side / 2, light.at[1] * self.cell - side / 2, side, side)
            painter.setPen(QPen(self.theme.colour("line"), 1))
            painter.setBrush(self.theme.colour("raised", 215))
            painter.drawEllipse(box)
            inner = box.adjusted(side * 0.15, side * 0.15, -side * 0.15, -side * 0.15)
            own, usual = QColor.fromString(light.colour), self.theme.colour("world")
            sign = f"lightbulb-{'on' if light.lit else 'off'}-outline"
            draw_icon(painter, sign, inner, own if own.isValid() else usual)

    def _obstacles(self, painter: QPainter, squares: QRect) -> None:
        for obstacle in self.field.obstacles:
            if QRect(*obstacle.at, *obstacle.size).intersects(squares):
                self._obstacle(painter, obstacle)

    def _obstacle(self, painter: QPainter, obstacle: prepared.Obstacle) -> None:
        cell, inset = self.cell, self.cell * 0.07
        box = self._box(QRect(*obstacle.at, *obstacle.size)).adjusted(inset, inset, -inset, -inset)
        state = self._facts.obstacle_state(obstacle.id) or running.ObstacleState(obstacle.id)
        tone = "harm" if state.burning else "muted"
        pen = QPen(self.theme.colour(tone), max(1.25, cell / 20))
        pen.setStyle(Qt.PenStyle.DotLine if state.broken else Qt.PenStyle.SolidLine)
        painter.setPen(pen)
        painter.setBrush(self.theme.colour("sunken", 60 if state.broken else 235))
        painter.drawRoundedRect(box, cell * 0.12, cell * 0.12)
        size = min(box.width(), box.height()) * 0.5
        font = terrain_patterns.pixel_font(cell * 0.22, 8, 12)
        metrics = QFontMetricsF(font)
        lines = self._obstacle_lines(obstacle, state, metrics, box) if cell >= 2 * MIN_LEGIBLE_CELL else []
        room = len(lines) * metrics.height()
        glyph = QRectF(box.center().x() - size / 2, box.center().y() - (size + room) / 2, size, size)
        icon = "fire" if state.burning else "close" if state.broken else COVER_ICONS[obstacle.cover]
        draw_icon(painter, icon, glyph, self.theme.colour(tone))
        painter.setFont(font)
        painter.setPen(self.theme.colour("muted"))
        for number, line in enumerate(lines):
            text = metrics.elidedText(line, Qt.TextElideMode.ElideRight, box.width() - 4)
            where = QRectF(box.left(), glyph.bottom() + number * metrics.height(), box.width(), metrics.height())
            painter.drawText(where, Qt.AlignmentFlag.AlignCenter, text)

    def _obstacle_lines(
        self, obstacle: prepared.Obstacle, state: running.ObstacleState, metrics: QFontMetricsF, box: QRectF
    ) -> list[str]:
        """Return an obstacle's name and numbers as lines, as many as fit into a box."""
        hp = obstacle.hp if state.hp is None else state.hp
        numbers = [f"{word} {number}" for word, number in (("AC", obstacle.ac), ("HP", hp)) if number]
        together = "  ".join(numbers)
        if metrics.horizontalAdvance(together) <= box.width() - 4:
            numbers = [together]
        lines = [line for line in (obstacle.name, *numbers) if line]
        return lines[: max(0, int(box.height() * 0.62 / metrics.height()))]

    # Fog -----------------------------------------------------------------------------------------------------------

    def _fog(self, painter: QPainter, squares: QRect) -> None:
        """Shade the squares that players don't see now, and hatch those they have never seen."""
        for state, alpha in FOG_SHADES.items():
            for box in self._runs(self.fog or (), sight.SIGNS[state], squares):
                painter.fillRect(box, QColor(0, 0, 0, alpha))
                if state == "hidden":
                    painter.fillRect(box, QBrush(FOG_HATCH, Qt.BrushStyle.BDiagPattern))

    # The rim -------------------------------------------------------------------------------------------------------

    def number_room(self) -> int:
        """The width in pixels of the strip left of the map, for the numbers of rows. They keep a legible size."""
        return max(self.cell, scaled(NUMBER_ROOM))

    def _rim(self, painter: QPainter, squares: QRect) -> None:
        cell = self.cell
        painter.setFont(terrain_patterns.pixel_font(cell * 0.36, 7))
        painter.setPen(self.theme.colour("muted"))
        every = 1 if cell >= MIN_LEGIBLE_CELL else 5
        low = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if squares.top() < self.extent.top():
            for column in range(max(0, squares.left()), min(self.extent.width(), squares.right() + 1), 1):
                if (column + 1) % every == 0:
                    box = QRectF(
                        (column - 2) * cell, (self.extent.top() - 1) * cell, 5 * cell, cell - min(2, cell // 8)
                    )
                    painter.drawText(box, low, column_name(column))
        if squares.left() <= -1:
            for row in range(max(self.extent.top(), squares.top()), min(self.extent.bottom(), squares.bottom()) + 1):
                if (row + 1) % every == 0:
                    room = self.number_room()
                    painter.drawText(QRectF(-room, (row - 1) * cell, room - 3, 3 * cell), right, str(row + 1))


def _is_told(lines: tuple[str, ...], column: int, row: int) -> bool:
    """Whether a square shows its height. It does if the height changes there, and every few squares on level ground."""
    here = lines[row][column]
    across = column % COLUMN_LABEL_STEPS == 0 or column == 0 or lines[row][column - 1] != here
    return across and (row % ROW_LABEL_STEPS == 0 or row == 0 or lines[row - 1][column] != here)
