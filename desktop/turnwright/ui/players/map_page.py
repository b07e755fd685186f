"""The map page for players: the painted map with visible tokens on top."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPainterPath, QPen

from turnwright.players.view import CombatantRow, PlayersMap, PlayersView, ShownToken
from turnwright.ui.look.translations import tr
from turnwright.ui.players.canvas import CENTRE, Canvas
from turnwright.ui.players.map_image import BLACK, looked_at
from turnwright.ui.players.order_page import HEALTH_TONES, SIDE_TONES, row_name

LEAST_SIGN: Final = 9  # minimum font height on a token in pixels
LEAST_FACE: Final = 24  # smallest tokens with a portrait, in pixels
UP, DOWN = "\N{UPWARDS ARROW}", "\N{DOWNWARDS ARROW}"
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
    seen = looked_at(players_map, canvas.page)
    picture = canvas.pictures.get(players_map.picture.key) if players_map.picture is not None else None
    if players_map.picture is not None and picture is not None:
        box = QRectF(*players_map.picture.at, *players_map.picture.size)
        canvas.painter.drawImage(_on_page(canvas, seen, box), picture)
    for token in players_map.tokens:
        _draw_token(canvas, _on_page(canvas, seen, QRectF(*token.at, token.across, token.across)), token)
    _draw_names(canvas, seen, players_map)


def _on_page(canvas: Canvas, seen: QRectF, box: QRectF) -> QRectF:
    """Convert a rectangle from squares to page coordinates."""
    scale, page = canvas.page.width() / seen.width(), canvas.page
    left, top = page.left() + (box.left() - seen.left()) * scale, page.top() + (box.top() - seen.top()) * scale
    return QRectF(left, top, box.width() * scale, box.height() * scale)


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
    painter, font = canvas.painter, QFont(canvas.font(0))
    font.setPixelSize(max(LEAST_SIGN, round(side * 0.2)))
    font.setWeight(QFont.Weight.DemiBold)
    metrics = QFontMetricsF(font)
    width = metrics.horizontalAdvance(text) + side * 0.12
    pill = QRectF(x - width / 2, bottom - metrics.height(), width, metrics.height())
    painter.save()
    painter.setFont(font)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(0, 0, 0, 190))
    painter.drawRoundedRect(pill, 3, 3)
    painter.setPen(ON_BLACK)
    painter.drawText(pill, CENTRE, text)
    painter.restore()


def _draw_names(canvas: Canvas, seen: QRectF, players_map: PlayersMap) -> None:
    """Write names below tokens if the squares are large enough."""
    cell = canvas.page.width() / seen.width()
    if cell < LEAST_NAME:
        return
    font = QFont(canvas.font(0))
    font.setPixelSize(max(LEAST_SIGN, round(cell * 0.2)))
    metrics = QFontMetricsF(font)
    canvas.painter.setFont(font)
    for token in players_map.tokens:
        name = row_name(token.row)
        box = _on_page(canvas, seen, QRectF(*token.at, token.across, token.across))
        text = metrics.elidedText(name, Qt.TextElideMode.ElideRight, box.width() * 1.4)
        width = metrics.horizontalAdvance(text) + cell * 0.12
        pill = QRectF(box.center().x() - width / 2, box.bottom() - cell * 0.1, width, metrics.height())
        canvas.painter.setPen(Qt.PenStyle.NoPen)
        canvas.painter.setBrush(QColor(0, 0, 0, 170))
        canvas.painter.drawRoundedRect(pill, 3, 3)
        canvas.painter.setPen(ON_BLACK)
        canvas.painter.drawText(pill, CENTRE, text)
