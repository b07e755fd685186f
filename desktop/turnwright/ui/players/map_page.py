"""The map page for players: the painted map with visible tokens on top.

A part of the map is painted in a worker. Unexplored squares are made black before any scaling, so nothing hidden gets
into the image, not even blended into the edge of a neighbouring square.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby, product
from math import ceil, floor
from typing import Final, NamedTuple

import msgspec
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPainter,
    QPainterPath,
    QPainterStateGuard,
    QPen,
    QTransform,
)

from turnwright.battlemap.segments import merged_segments, outline_edges, row_runs
from turnwright.players.view import CombatantRow, MapCamera, PlayersMap, PlayersView, ShownLine, ShownRuler, ShownToken
from turnwright.ui.look.style import Theme, tr
from turnwright.ui.players.canvas import CENTRE, Canvas
from turnwright.ui.players.order_page import HEALTH_TONES, SIDE_TONES, row_name

Place = tuple[float, float]
HIDDEN, EXPLORED, LASTING = ".", "-", "*"
SHADES: Final = {":": QColor(8, 12, 44, 90), "#": QColor(4, 6, 26, 165)}  # over dim and dark squares
TINT: Final = 70  # opacity of lasting areas
TINTS: Final = {":": 45, "#": 28}  # opacity of areas on dim and dark squares
BLACK: Final = QColor("black")
GRID: Final = QColor(0, 0, 0, 70)
PAST: Final = QColor(0, 0, 0, 140)  # colour of squares seen before
LINE_TONES: Final = {"wall": "text", "window": "accent", "curtain": "world", "rail": "muted", "door": "world"}
DOTTED: Final = frozenset({"curtain", "rail"})
MOST_SIDE: Final = 4096  # largest side of the painted part in pixels
LEAST_GRID: Final = 8  # smallest squares with a grid, in pixels


class PicturePlace(NamedTuple):
    """An image at several sizes, largest first, with its position and size in squares of the view."""

    levels: tuple[QImage, ...]
    at: Place
    size: Place
    dim: float = 0.0


class MapPart(msgspec.Struct, frozen=True):
    """A part of the map: its first square, its columns and rows, and the size of a square in pixels."""

    at: tuple[int, int]
    size: tuple[int, int]
    pixels: float


def looked_at(players_map: PlayersMap, page: QRectF) -> QRectF:
    """Return the part of the map that a page shows, in squares. If the camera sets no width, this is the whole map."""
    columns, rows = len(players_map.fog[0]) if players_map.fog else 1, max(1, len(players_map.fog))
    camera: MapCamera = players_map.camera
    page = page.transposed() if camera.turned % 2 else page
    across = camera.across or max(columns + 1.0, (rows + 1.0) * page.width() / page.height())
    down = across * page.height() / page.width()
    middle = (players_map.at[0] + columns / 2, players_map.at[1] + rows / 2)
    x, y = camera.centre if camera.across and camera.centre is not None else middle
    return QRectF(x - across / 2, y - down / 2, across, down)


def on_page(players_map: PlayersMap, page: QRectF) -> QTransform:
    """Return the transform from squares to a page. Since the map turns by quarters, rectangles stay upright."""
    seen, turned = looked_at(players_map, page), players_map.camera.turned
    scale = (page.height() if turned % 2 else page.width()) / seen.width()
    turning = QTransform().translate(page.center().x(), page.center().y()).rotate(90 * turned)
    return turning.scale(scale, scale).translate(-seen.center().x(), -seen.center().y())


def part_for(players_map: PlayersMap, page: QRectF) -> MapPart | None:
    """Return the part of the map to paint for a page of this size in pixels, or None if none of that is explored."""
    if not players_map.fog:
        return None
    seen = looked_at(players_map, page)
    explored = QRectF(*players_map.at, len(players_map.fog[0]), len(players_map.fog))
    crop = explored.adjusted(-1, -1, 1, 1).intersected(seen)  # add one square, so that walls at the edge aren't cut off
    left, top, right, bottom = floor(crop.left()), floor(crop.top()), ceil(crop.right()), ceil(crop.bottom())
    if crop.isEmpty():
        return None
    size = right - left, bottom - top
    return MapPart((left, top), size, min(_cell(on_page(players_map, page)), MOST_SIDE / max(size)))


def _cell(transform: QTransform) -> float:
    """Return the side of a square on the page."""
    return transform.mapRect(QRectF(0, 0, 1, 1)).width()


def paint_part(players_map: PlayersMap, part: MapPart, theme: Theme, picture: PicturePlace | None) -> QImage:
    """Paint a part of the map as players see it, without tokens."""
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
    if players_map.has_picture and picture is not None and picture.levels:
        _paint_picture(painter, players_map, part, picture)
    else:
        _paint_ground(painter, players_map, part, theme)
    _paint_darkness(painter, players_map)
    lasting = _lasting(players_map)
    _tint_areas(painter, players_map, lasting, theme)
    has_grid, colour, strength = players_map.grid
    if part.pixels >= LEAST_GRID and has_grid:
        painter.setPen(QPen(grid_colour(colour, strength, GRID), 0))
        painter.drawLines([line for box in _runs(players_map, part, hidden=False) for line in _grid(box)])
    painter.setPen(QPen(theme.colour("world"), 0.08))
    painter.drawLines([QLineF(*segment) for segment in merged_segments(outline_edges(lasting))])
    for map_line in players_map.lines:
        _paint_line(painter, map_line, part, theme)
    for box in _runs(players_map, part, hidden=False, signs=EXPLORED):
        painter.fillRect(box, PAST)
    painter.end()
    return image


def _runs(
    players_map: PlayersMap, part: MapPart, *, hidden: bool, signs: str = "", margin: int = 0
) -> Iterator[QRectF]:
    """Return runs of squares along the rows of a part: hidden squares, explored ones, or those with certain signs."""
    left, top = part.at[0] - margin, part.at[1] - margin
    squares = product(range(left, left + part.size[0] + 2 * margin), range(top, top + part.size[1] + 2 * margin))
    marked = ((square, _sign(players_map.fog, players_map.at, *square)) for square in squares)
    fitting = (square for square, sign in marked if (sign in signs if signs else (sign == HIDDEN) == hidden))
    return (QRectF(start, row, length, 1) for start, row, length in row_runs(fitting))


def _sign(rows: Sequence[str], at: tuple[int, int], column: int, row: int) -> str:
    """Return the sign of a square. Squares outside the explored part are hidden."""
    across, down = column - at[0], row - at[1]
    return rows[down][across] if 0 <= down < len(rows) and 0 <= across < len(rows[down]) else HIDDEN


def _grid(box: QRectF) -> Iterator[QLineF]:
    """Yield the edges of all squares in a run."""
    yield QLineF(box.topLeft(), box.topRight())
    yield QLineF(box.bottomLeft(), box.bottomRight())
    for step in range(round(box.width()) + 1):
        yield QLineF(box.left() + step, box.top(), box.left() + step, box.bottom())


def grid_colour(own: str, strength: int, usual: QColor) -> QColor:
    """Return the colour of the lines between squares. `usual` is their colour on maps without their own."""
    colour = QColor(own) if own else QColor(usual)
    colour.setAlphaF(strength / 100 if strength else usual.alphaF())
    return colour


def _paint_picture(painter: QPainter, players_map: PlayersMap, part: MapPart, picture: PicturePlace) -> None:
    """Paint the explored part of the background image. Hidden squares are made black before any scaling."""
    place = QRectF(*picture.at, *picture.size)
    region = place.intersected(QRectF(*part.at, *part.size))
    if region.isEmpty():
        return
    needed = part.pixels * place.width()
    level = next((image for image in reversed(picture.levels) if image.width() >= needed), picture.levels[0])
    in_pixels = QTransform.fromScale(level.width() / place.width(), level.height() / place.height())
    in_pixels.translate(-place.left(), -place.top())
    cut = in_pixels.mapRect(region).toAlignedRect().intersected(level.rect())
    copy = level.copy(cut)
    eraser = QPainter(copy)
    for box in _runs(players_map, part, hidden=True, margin=1):
        erased = in_pixels.mapRect(box).toAlignedRect()
        eraser.fillRect(erased.adjusted(-1, -1, 1, 1).translated(-cut.topLeft()), BLACK)
    if picture.dim > 0:
        eraser.fillRect(copy.rect(), QColor(0, 0, 0, round(255 * min(1.0, picture.dim))))
    eraser.end()
    painter.drawImage(in_pixels.inverted()[0].mapRect(QRectF(cut)), copy)


def _paint_ground(painter: QPainter, players_map: PlayersMap, part: MapPart, theme: Theme) -> None:
    looks = {
        ",": QBrush(theme.colour("muted", 110), Qt.BrushStyle.Dense6Pattern),
        "~": QBrush(theme.colour("accent", 110)),
        "^": QBrush(theme.colour("muted", 150), Qt.BrushStyle.HorPattern),
        "#": QBrush(theme.colour("text", 190)),
    }
    for box in _runs(players_map, part, hidden=False):
        painter.fillRect(box, theme.colour("raised"))
    for down, line in enumerate(players_map.ground):
        for across, sign in enumerate(line):
            square = QRectF(players_map.at[0] + across, players_map.at[1] + down, 1, 1)
            if sign in looks:
                painter.fillRect(square, looks[sign])
            elif sign == "o":
                painter.setPen(QPen(theme.colour("muted"), 0))
                painter.setBrush(theme.colour("sunken"))
                painter.drawRoundedRect(square.adjusted(0.06, 0.06, -0.06, -0.06), 0.12, 0.12)


def _paint_darkness(painter: QPainter, players_map: PlayersMap) -> None:
    """Shade dim and dark squares. Runs are painted without antialiasing, since seams would be visible."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    for down, line in enumerate(players_map.darkness):
        across = 0
        for sign, run in groupby(line):
            wide = len([*run])
            if sign in SHADES:
                painter.fillRect(QRectF(players_map.at[0] + across, players_map.at[1] + down, wide, 1), SHADES[sign])
            across += wide
    painter.restore()


def _lasting(players_map: PlayersMap) -> frozenset[tuple[int, int]]:
    """Return the squares covered by lasting areas."""
    left, top = players_map.at
    return frozenset(
        (left + across, top + down)
        for down, line in enumerate(players_map.areas)
        for across, sign in enumerate(line)
        if sign == LASTING
    )


def _tint_areas(painter: QPainter, players_map: PlayersMap, squares: frozenset[tuple[int, int]], theme: Theme) -> None:
    """Tint the squares covered by lasting areas. Dark squares get less colour, so that they don't look lit."""
    for column, row in squares:
        tint = TINTS.get(_sign(players_map.darkness, players_map.at, column, row), TINT)
        painter.fillRect(QRectF(column, row, 1, 1), theme.colour("world", tint))


def _paint_line(painter: QPainter, line: ShownLine, part: MapPart, theme: Theme) -> None:
    """Paint a wall, window, curtain, rail or door. Closed doors are filled, open ones only outlined."""
    is_door = line.kind == "door"
    width = max(0.16 if is_door else 0.1, 2 / part.pixels)
    style = Qt.PenStyle.DotLine if line.kind in DOTTED else Qt.PenStyle.SolidLine
    painter.setPen(QPen(theme.colour(LINE_TONES[line.kind]), width, style, Qt.PenCapStyle.RoundCap))
    painter.drawLine(QLineF(*line.ends))
    if is_door and line.is_open:
        painter.setPen(QPen(theme.colour("raised"), width / 2, style, Qt.PenCapStyle.RoundCap))
        painter.drawLine(QLineF(*line.ends))


LEAST_SIGN: Final = 9  # minimum font height on a token in pixels
LEAST_FACE: Final = 24  # smallest tokens with a portrait, in pixels
UP, DOWN = "\N{UPWARDS ARROW}", "\N{DOWNWARDS ARROW}"
LEAST_RULER: Final = 48  # smallest squares to whose size rulers are drawn, in pixels at full size
LEAST_NAME: Final = 44  # smallest squares with names below tokens, in pixels
ON_BLACK: Final = QColor("white")


def draw_map(canvas: Canvas, view: PlayersView) -> None:
    """Draw the map, or a text if players don't see a map."""
    canvas.fill(canvas.page, BLACK)
    players_map = view.map
    if players_map is None or not (players_map.fog or players_map.tokens):
        words = tr("ui.players-window.no-map")
        canvas.write(words, canvas.page, canvas.font(40), QColor(Qt.GlobalColor.gray), CENTRE)
        return
    transform = on_page(players_map, canvas.page)
    picture = canvas.pictures.get(players_map.picture.key) if players_map.picture is not None else None
    if players_map.picture is not None and picture is not None:
        box = QRectF(*players_map.picture.at, *players_map.picture.size)
        canvas.painter.save()
        canvas.painter.setTransform(transform, combine=True)
        canvas.painter.drawImage(box, picture)
        canvas.painter.restore()
    for token in players_map.tokens:
        _draw_token(canvas, transform.mapRect(QRectF(*token.at, token.across, token.across)), token)
    _draw_names(canvas, transform, players_map)
    if players_map.ruler is not None:
        _draw_ruler(canvas, transform, players_map.ruler)


def _draw_ruler(canvas: Canvas, transform: QTransform, ruler: ShownRuler) -> None:
    """Draw the distance that the game master shows, or rings around the place pointed at."""
    side, line = max(_cell(transform), canvas.length(LEAST_RULER)), transform.map(QLineF(*ruler.ends))
    canvas.painter.setBrush(Qt.BrushStyle.NoBrush)
    for ink, width in ((BLACK, side * 0.14), (canvas.theme.colour("focus"), side * 0.08)):
        canvas.painter.setPen(QPen(ink, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        canvas.painter.drawLine(line)
        for radius in (0.6, 1.0) if line.isNull() else ():
            canvas.painter.drawEllipse(line.p1(), side * radius, side * radius)
    if not line.isNull():
        _draw_pill(canvas, tr("ui.map.feet", n=ruler.feet), line.x2(), line.y2() - side * 0.2, side * 2)


def sign_of(row: CombatantRow) -> str:
    """Return the letters on a token: the initials of its name, and a number if necessary."""
    words = row.name.split()
    letters = "".join(word[0] for word in words[:2]).upper() if len(words) > 1 else row.name[:2].capitalize()
    return f"{letters}{row.number or ''}" if letters else str(row.number or "?")


def _draw_token(canvas: Canvas, box: QRectF, token: ShownToken) -> None:
    """Draw a token, round for the party and square for others, with its side's colour at the edge."""
    painter, theme, row = canvas.painter, canvas.theme, token.row
    side = box.width()
    body = box.adjusted(side * 0.08, side * 0.08, -side * 0.08, -side * 0.08)
    is_down = row.health == "down"
    painter.setOpacity(0.6 if is_down else 1.0)
    painter.setBrush(theme.colour("raised"))
    painter.setPen(QPen(theme.colour(SIDE_TONES[row.side]), max(2.0, side * 0.07)))
    corner = body.width() / 2 if row.side == "party" else side * 0.1
    painter.drawRoundedRect(body, corner, corner)
    tone = HEALTH_TONES.get(row.health, "text")
    face = canvas.pictures.get(token.portrait) if token.portrait and side >= LEAST_FACE else None
    if face is not None:
        _draw_face(canvas, body, corner, face)
        if side / token.across < LEAST_NAME:  # the name below it is missing
            _draw_pill(canvas, str(row.number) if row.number else sign_of(row), body.center().x(), body.bottom(), side)
    else:
        font = QFont(canvas.font(0))
        font.setPixelSize(max(LEAST_SIGN, round(side * 0.34)))
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(theme.colour("text"))
        painter.drawText(body, CENTRE, sign_of(row))
    if token.elevation:
        height = f"{UP if token.elevation > 0 else DOWN}{abs(token.elevation)}"
        _draw_pill(canvas, height, body.left() + side * 0.2, body.top() + side * 0.16, side)
    if row.health and row.health != "unhurt":
        painter.setBrush(theme.colour(tone))
        painter.setPen(QPen(theme.colour("raised"), max(1.0, side * 0.03)))
        spot = side * 0.24
        painter.drawEllipse(QRectF(body.right() - spot * 0.8, body.top() - spot * 0.2, spot, spot))
    if is_down:
        painter.setPen(QPen(theme.colour("text"), max(2.0, side * 0.06)))
        inner = body.adjusted(side * 0.12, side * 0.12, -side * 0.12, -side * 0.12)
        painter.drawLine(inner.topLeft(), inner.bottomRight())
        painter.drawLine(inner.topRight(), inner.bottomLeft())
    painter.setOpacity(1.0)
    if token.acts:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.colour("focus"), max(3.0, side * 0.06)))
        rim = box.adjusted(-1, -1, 1, 1)
        corner = rim.width() / 2 if row.side == "party" else side * 0.14
        painter.drawRoundedRect(rim, corner, corner)


def _draw_face(canvas: Canvas, body: QRectF, corner: float, face: QImage) -> None:
    """Draw a portrait over a token in the same shape, and redraw the edge."""
    painter, outline = canvas.painter, QPainterPath()
    outline.addRoundedRect(body, corner, corner)
    painter.save()
    painter.setClipPath(outline, Qt.ClipOperation.IntersectClip)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawImage(body, face)
    painter.restore()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(outline)


def _draw_pill(canvas: Canvas, text: str, x: float, bottom: float, side: float) -> None:
    """Draw a short text on a dark background above a point."""
    font = _pill_font(canvas, side)
    font.setWeight(QFont.Weight.DemiBold)
    with QPainterStateGuard(canvas.painter):
        _draw_on_pill(canvas, text, font, (x, bottom - QFontMetricsF(font).height()), side, QColor(0, 0, 0, 190))


def _pill_font(canvas: Canvas, side: float) -> QFont:
    font = QFont(canvas.font(0))
    font.setPixelSize(max(LEAST_SIGN, round(side * 0.2)))
    return font


def _draw_on_pill(canvas: Canvas, text: str, font: QFont, top: Place, side: float, ground: QColor) -> None:
    """Write a text on a dark background, given the middle of its upper edge."""
    painter, metrics = canvas.painter, QFontMetricsF(font)
    width = metrics.horizontalAdvance(text) + side * 0.12
    pill = QRectF(top[0] - width / 2, top[1], width, metrics.height())
    painter.setFont(font)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    painter.drawRoundedRect(pill, 3, 3)
    painter.setPen(ON_BLACK)
    painter.drawText(pill, CENTRE, text)


def _draw_names(canvas: Canvas, transform: QTransform, players_map: PlayersMap) -> None:
    """Write names below tokens if the squares are large enough."""
    cell = _cell(transform)
    if cell < LEAST_NAME:
        return
    font = _pill_font(canvas, cell)
    metrics = QFontMetricsF(font)
    for token in players_map.tokens:
        box = transform.mapRect(QRectF(*token.at, token.across, token.across))
        text = metrics.elidedText(row_name(token.row), Qt.TextElideMode.ElideRight, box.width() * 1.4)
        top = (box.center().x(), box.bottom() - cell * 0.1)
        _draw_on_pill(canvas, text, font, top, cell, QColor(0, 0, 0, 170))
