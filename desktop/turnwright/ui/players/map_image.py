"""The painted part of the map for players: made in a worker, black where nothing is explored, before it is scaled.

Nothing hidden is in it, not even blended into the edge of a square beside.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import ceil, floor
from types import MappingProxyType
from typing import Final, NamedTuple

import msgspec
from PySide6.QtCore import QLineF, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPen

from turnwright.players.view import MapCamera, PlayersMap, ShownLine
from turnwright.ui.theme import Theme

Place = tuple[float, float]
HIDDEN, EXPLORED, LASTING = ".", "-", "*"
SHADES: Final = MappingProxyType({":": QColor(8, 12, 44, 90), "#": QColor(4, 6, 26, 165)})  # over dim and dark squares
TINT: Final = 70  # of an area that lasts
TINTS: Final = MappingProxyType({":": 45, "#": 28})  # on dim and dark squares
BLACK: Final = QColor("black")
GRID: Final = QColor(0, 0, 0, 70)
PAST: Final = QColor(0, 0, 0, 140)  # over what was seen before
LINE_TONES: Final = MappingProxyType(
    {"wall": "text", "window": "accent", "curtain": "world", "rail": "muted", "door": "world"}
)
DOTTED: Final = frozenset({"curtain", "rail"})
MOST_SIDE: Final = 4096  # pixels of the painted part
LEAST_GRID: Final = 8  # pixels a square, below which there is no grid


class PicturePlace(NamedTuple):
    """A picture at several sizes, largest first; where it lies and how large it is, in squares of the view."""

    levels: tuple[QImage, ...]
    at: Place
    size: Place
    dim: float = 0.0


class MapPart(msgspec.Struct, frozen=True):
    """A part of the map: the first square and how many across and down, and the pixels of a square."""

    at: tuple[int, int]
    size: tuple[int, int]
    pixels: float


def looked_at(shown: PlayersMap, page: QRectF) -> QRectF:
    """Return what of the map a page shows, in squares: the whole of it where the camera doesn't say how much."""
    columns, rows = len(shown.fog[0]) if shown.fog else 1, max(1, len(shown.fog))
    camera: MapCamera = shown.camera
    across = camera.across or max(columns + 1.0, (rows + 1.0) * page.width() / page.height())
    down = across * page.height() / page.width()
    middle = (shown.at[0] + columns / 2, shown.at[1] + rows / 2)
    x, y = camera.centre if camera.across and camera.centre is not None else middle
    return QRectF(x - across / 2, y - down / 2, across, down)


def part_for(shown: PlayersMap, page: QRectF) -> MapPart | None:
    """Return the part of the map to be painted for a page of so many pixels; None where nothing of it is explored."""
    if not shown.fog:
        return None
    seen = looked_at(shown, page)
    known = QRectF(*shown.at, len(shown.fog[0]), len(shown.fog))
    crop = known.adjusted(-1, -1, 1, 1).intersected(seen)  # a wall at the edge is as thick as any other
    left, top, right, bottom = floor(crop.left()), floor(crop.top()), ceil(crop.right()), ceil(crop.bottom())
    if crop.isEmpty():
        return None
    size = right - left, bottom - top
    return MapPart((left, top), size, min(page.width() / seen.width(), MOST_SIDE / max(size)))


def paint_part(shown: PlayersMap, part: MapPart, theme: Theme, picture: PicturePlace | None) -> QImage:
    """Return a part of the map as players see it, without those who stand on it."""
    image = QImage(
        max(1, round(part.size[0] * part.pixels)),
        max(1, round(part.size[1] * part.pixels)),
        QImage.Format.Format_ARGB32_Premultiplied,
    )
    image.fill(BLACK)
    painter = QPainter(image)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
    painter.scale(image.width() / part.size[0], image.height() / part.size[1])
    painter.translate(-part.at[0], -part.at[1])
    if shown.has_picture and picture is not None and picture.levels:
        _paint_picture(painter, shown, part, picture)
    else:
        _paint_ground(painter, shown, part, theme)
    _paint_darkness(painter, shown)
    lasting = _lasting(shown)
    _tint_areas(painter, shown, lasting, theme)
    if part.pixels >= LEAST_GRID:
        painter.setPen(QPen(GRID, 0))
        painter.drawLines([line for box in _runs(shown, part, hidden=False) for line in _grid(box)])
    _outline_areas(painter, shown, lasting, theme)
    for one in shown.lines:
        _paint_line(painter, one, part, theme)
    for box in _runs(shown, part, hidden=False, signs=EXPLORED):
        painter.fillRect(box, PAST)
    painter.end()
    return image


def _runs(shown: PlayersMap, part: MapPart, *, hidden: bool, signs: str = "", margin: int = 0) -> Iterator[QRectF]:
    """Yield the hidden or explored squares of a part, or those of some signs, as runs along rows."""
    left, top = part.at[0] - margin, part.at[1] - margin
    width = part.size[0] + 2 * margin
    for row in range(top, top + part.size[1] + 2 * margin):
        start = None
        for column in range(left, left + width + 1):
            sign = _sign(shown.fog, shown.at, column, row) if column < left + width else ""
            wanted = bool(sign) and (sign in signs if signs else (sign == HIDDEN) == hidden)
            if wanted and start is None:
                start = column
            elif not wanted and start is not None:
                yield QRectF(start, row, column - start, 1)
                start = None


def _sign(rows: Sequence[str], at: tuple[int, int], column: int, row: int) -> str:
    """Return the sign of a square, that of a hidden one outside of the explored part."""
    across, down = column - at[0], row - at[1]
    return rows[down][across] if 0 <= down < len(rows) and 0 <= across < len(rows[down]) else HIDDEN


def _grid(box: QRectF) -> Iterator[QLineF]:
    """Yield the edges of the squares of a run."""
    yield QLineF(box.topLeft(), box.topRight())
    yield QLineF(box.bottomLeft(), box.bottomRight())
    for step in range(round(box.width()) + 1):
        yield QLineF(box.left() + step, box.top(), box.left() + step, box.bottom())


def _paint_picture(painter: QPainter, shown: PlayersMap, part: MapPart, picture: PicturePlace) -> None:
    """Paint the explored part of the picture: what is hidden is black before anything is scaled."""
    place = QRectF(*picture.at, *picture.size)
    region = place.intersected(QRectF(*part.at, *part.size))
    if region.isEmpty():
        return
    needed = part.pixels * place.width()
    level = next((one for one in reversed(picture.levels) if one.width() >= needed), picture.levels[0])
    across, down = level.width() / place.width(), level.height() / place.height()
    cut = _around((region.left() - place.left()) * across, (region.top() - place.top()) * down,
                  (region.right() - place.left()) * across, (region.bottom() - place.top()) * down)  # fmt: skip
    cut = cut.intersected(level.rect())
    copy = level.copy(cut)
    eraser = QPainter(copy)
    for box in _runs(shown, part, hidden=True, margin=1):
        erased = _around((box.left() - place.left()) * across, (box.top() - place.top()) * down,
                         (box.right() - place.left()) * across, (box.bottom() - place.top()) * down)  # fmt: skip
        eraser.fillRect(erased.adjusted(-1, -1, 1, 1).translated(-cut.topLeft()), BLACK)
    if picture.dim > 0:
        eraser.fillRect(copy.rect(), QColor(0, 0, 0, round(255 * min(1.0, picture.dim))))
    eraser.end()
    target = QRectF(
        place.left() + cut.left() / across, place.top() + cut.top() / down, cut.width() / across, cut.height() / down
    )
    painter.drawImage(target, copy)


def _around(left: float, top: float, right: float, bottom: float) -> QRect:
    """Return the smallest rectangle of whole pixels around one."""
    return QRect(floor(left), floor(top), ceil(right) - floor(left), ceil(bottom) - floor(top))


def _paint_ground(painter: QPainter, shown: PlayersMap, part: MapPart, theme: Theme) -> None:
    looks = {
        ",": QBrush(theme.colour("muted", 110), Qt.BrushStyle.Dense6Pattern),
        "~": QBrush(theme.colour("accent", 110)),
        "^": QBrush(theme.colour("muted", 150), Qt.BrushStyle.HorPattern),
        "#": QBrush(theme.colour("text", 190)),
    }
    for box in _runs(shown, part, hidden=False):
        painter.fillRect(box, theme.colour("raised"))
    for down, line in enumerate(shown.ground):
        for across, sign in enumerate(line):
            square = QRectF(shown.at[0] + across, shown.at[1] + down, 1, 1)
            if sign in looks:
                painter.fillRect(square, looks[sign])
            elif sign == "o":
                painter.setPen(QPen(theme.colour("muted"), 0))
                painter.setBrush(theme.colour("sunken"))
                painter.drawRoundedRect(square.adjusted(0.06, 0.06, -0.06, -0.06), 0.12, 0.12)


def _paint_darkness(painter: QPainter, shown: PlayersMap) -> None:
    """Shade dim and dark squares, as one piece of each: seams between squares would show."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    for down, line in enumerate(shown.darkness):
        across = 0
        for sign, run in groupby(line):
            wide = len([*run])
            if sign in SHADES:
                painter.fillRect(QRectF(shown.at[0] + across, shown.at[1] + down, wide, 1), SHADES[sign])
            across += wide
    painter.restore()


def _lasting(shown: PlayersMap) -> frozenset[tuple[int, int]]:
    """Return the squares on which an area lasts, from the first of the explored part."""
    return frozenset(
        (across, down) for down, line in enumerate(shown.areas) for across, sign in enumerate(line) if sign == LASTING
    )


def _tint_areas(painter: QPainter, shown: PlayersMap, squares: frozenset[tuple[int, int]], theme: Theme) -> None:
    """Tint the squares on which an area lasts, dark ones less: they would look as if it gave them light."""
    for across, down in squares:
        sign = shown.darkness[down][across] if shown.darkness else " "
        painter.fillRect(_square(shown, across, down), theme.colour("world", TINTS.get(sign, TINT)))


def _outline_areas(painter: QPainter, shown: PlayersMap, squares: frozenset[tuple[int, int]], theme: Theme) -> None:
    painter.setPen(QPen(theme.colour("world"), 0.08))
    for across, down in squares:
        box = _square(shown, across, down)
        edges = (
            ((across, down - 1), box.topLeft(), box.topRight()),
            ((across, down + 1), box.bottomLeft(), box.bottomRight()),
            ((across - 1, down), box.topLeft(), box.bottomLeft()),
            ((across + 1, down), box.topRight(), box.bottomRight()),
        )
        painter.drawLines([QLineF(start, end) for beside, start, end in edges if beside not in squares])


def _square(shown: PlayersMap, across: int, down: int) -> QRectF:
    return QRectF(shown.at[0] + across, shown.at[1] + down, 1, 1)


def _paint_line(painter: QPainter, one: ShownLine, part: MapPart, theme: Theme) -> None:
    """Paint a wall or the like; a door is a leaf, an open one its outline."""
    is_door = one.kind == "door"
    width = max(0.16 if is_door else 0.1, 2 / part.pixels)
    style = Qt.PenStyle.DotLine if one.kind in DOTTED else Qt.PenStyle.SolidLine
    painter.setPen(QPen(theme.colour(LINE_TONES[one.kind]), width, style, Qt.PenCapStyle.RoundCap))
    painter.drawLine(QLineF(*one.ends))
    if is_door and one.is_open:
        painter.setPen(QPen(theme.colour("raised"), width / 2, style, Qt.PenCapStyle.RoundCap))
        painter.drawLine(QLineF(*one.ends))
