"""Functions that draw dice, pips and hit points, for widgets and item delegates."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

import msgspec
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPainterStateGuard, QPen, QPolygonF

from turnwright.ui.look.style import Theme, base_font, current_theme, role_font, role_metrics, scaled
from turnwright.ui.look.window_data import window_data

PIP_PLACES = window_data("dice.pips", tuple[tuple[tuple[float, float], ...], ...])  # by face, as parts of the side
BLOODIED = 0.5
KEY_CAP = 24


@contextmanager
def smoothly(painter: QPainter) -> Iterator[None]:
    """Draw with smooth edges, and restore the painter's state afterwards."""
    with QPainterStateGuard(painter):
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        yield


class HitPoints(msgspec.Struct, frozen=True):
    """Hit points to draw. `state` is `""`, `bloodied` or `down`."""

    now: int
    maximum: int
    temporary: int = 0
    state: str = ""

    @property
    def taken(self) -> int:
        """The damage taken."""
        return max(0, self.maximum - self.now)

    @property
    def share(self) -> float:
        """The fraction of hit points left, from 0 to 1."""
        return min(1.0, max(0.0, self.now / self.maximum)) if self.maximum > 0 else 0.0


def hit_points(now: int, maximum: int, temporary: int = 0, state: str | None = None) -> HitPoints:
    """Return hit points to draw. If `state` is None, use the default: down at 0, bloodied at half or less."""
    if state is None:
        state = "down" if now <= 0 else "bloodied" if now <= maximum * BLOODIED else ""
    return HitPoints(now, maximum, temporary, state)


def draw_focus(painter: QPainter, rect: QRectF, radius: float = 4, width: float = 2) -> None:
    """Draw the frame of the widget or cell with the focus, just inside a rectangle."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(current_theme().colour("focus"), width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), radius, radius)


def draw_panel(painter: QPainter, rect: QRectF, theme: Theme, outline: str, stripe: str = "") -> None:
    """Draw a raised panel with rounded corners. `stripe` is the tone of the band along the left edge."""
    with smoothly(painter):
        edge = QPainterPath()
        edge.addRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), scaled(6), scaled(6))
        painter.fillPath(edge, theme.colour("raised"))
        if stripe:
            painter.setClipPath(edge)
            painter.fillRect(QRectF(rect.left(), rect.top(), scaled(8), rect.height()), theme.colour(stripe))
            painter.setClipping(False)
        painter.setPen(QPen(theme.colour(outline), 1))
        painter.drawPath(edge)


def draw_die(
    painter: QPainter, rect: QRectF, face: int | None, theme: Theme, tone: str = "world", *, sides: int = 6
) -> None:
    """Draw one die: pips if it has six sides, otherwise a number, or no face if the result is unknown."""
    with smoothly(painter):
        ink = theme.colour(tone)
        box = rect.adjusted(0.75, 0.75, -0.75, -0.75)
        pen = QPen(ink, max(1.25, rect.width() / 18))
        if face is None:
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(soft_colour(theme, tone))
        corner = rect.width() * 0.22
        painter.drawRoundedRect(box, corner, corner)
        if face is not None and sides == 6 and 0 < face <= sides:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink)
            radius = rect.width() * 0.092
            for across, down in PIP_PLACES[face - 1]:
                centre = QPointF(box.left() + box.width() * across, box.top() + box.height() * down)
                painter.drawEllipse(centre, radius, radius)
        elif face is not None:
            _draw_numeral(painter, box, str(face), ink)


def draw_dice(painter: QPainter, rect: QRectF, faces: tuple[int | None, ...], theme: Theme) -> float:
    """Draw as many countdown dice as fit in a row with the height of the rectangle. Return the width used."""
    size = rect.height()
    gap = size / 5
    used = 0.0
    for face in faces:
        if used + size > rect.width():
            break
        draw_die(painter, QRectF(rect.left() + used, rect.top(), size, size), face, theme, "world")
        used += size + gap
    return max(0.0, used - gap)


def draw_pip(painter: QPainter, centre: QPointF, radius: float, theme: Theme, tone: str, *, filled: bool) -> None:
    """Draw one pip of a resource as a filled circle, or as a ring if it is spent."""
    with smoothly(painter):
        ink = theme.colour(tone if filled else "edge")
        painter.setPen(QPen(ink, max(1.5, radius / 4)))
        painter.setBrush(ink if filled else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(centre, radius - 1, radius - 1)


def draw_diamond(painter: QPainter, centre: QPointF, radius: float, theme: Theme, tone: str, *, filled: bool) -> None:
    """Draw one action as a filled diamond, or as a hollow one if it is spent."""
    with smoothly(painter):
        ink, half = theme.colour(tone if filled else "muted"), radius - 1
        painter.setPen(QPen(ink, max(1.5, radius / 6)))
        painter.setBrush(ink if filled else Qt.BrushStyle.NoBrush)
        corners = ((0, -half), (half, 0), (0, half), (-half, 0))
        painter.drawPolygon(QPolygonF([centre + QPointF(x, y) for x, y in corners]))


def draw_hit_point_bar(painter: QPainter, rect: QRectF, points: HitPoints, theme: Theme) -> None:
    """Draw the hit point bar, with a cap for temporary hit points, and ticks at a half and a quarter."""
    with smoothly(painter):
        round_ = rect.height() / 2
        outline = QPainterPath()
        outline.addRoundedRect(rect, round_, round_)
        painter.setClipPath(outline)
        painter.fillRect(rect, theme.colour("line"))
        scale = rect.width() / max(1, points.maximum + max(0, points.temporary))
        left = QRectF(rect.left(), rect.top(), max(0, min(points.now, points.maximum)) * scale, rect.height())
        painter.fillRect(left, theme.colour("harm" if points.state else "heal"))
        if points.now < 0:  # some games have negative hit points
            below = QRectF(rect.left(), rect.top(), min(-points.now, points.maximum) * scale, rect.height())
            painter.fillRect(below, theme.colour("harm"))
        if points.temporary > 0:
            cap = QRectF(left.right(), rect.top(), points.temporary * scale, rect.height())
            painter.fillRect(cap, theme.colour("accent"))
        painter.setPen(QPen(theme.colour("raised"), 1))
        for share in (0.25, 0.5):
            across = round(rect.left() + points.maximum * share * scale) + 0.5
            painter.drawLine(QPointF(across, rect.top()), QPointF(across, rect.bottom()))


def key_cap_size(keys: str) -> QSizeF:
    """Return the size of a key cap with a text."""
    base = base_font()
    return QSizeF(*_key_cap_size(keys, base.scale, base.is_at_table))


@lru_cache(maxsize=512)
def _key_cap_size(keys: str, _scale: float, _at_table: bool) -> tuple[float, float]:
    height = scaled(KEY_CAP)
    return max(role_metrics("caption").horizontalAdvance(keys) + scaled(12), height), height


def draw_key_cap(painter: QPainter, box: QRectF, keys: str, ink: QColor, ground: QColor) -> None:
    """Draw a key cap and its text. The outline is thicker at the bottom."""
    with smoothly(painter):
        painter.setPen(QPen(ink, 1))
        painter.setBrush(ground)
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), scaled(4), scaled(4))
        left, right, low = box.left() + scaled(4), box.right() - scaled(4), box.bottom() - 1.5
        painter.drawLine(QPointF(left, low), QPointF(right, low))
        painter.setFont(role_font("caption"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, keys)


def soft_colour(theme: Theme, tone: str) -> QColor:
    """Return the soft background colour of a tone, or the raised background if there is none."""
    return theme.colour(f"{tone}_soft") if f"{tone}_soft" in theme.colours else theme.colour("raised")


def _draw_numeral(painter: QPainter, box: QRectF, text: str, ink: QColor) -> None:
    font = QFont(painter.font())
    font.setPixelSize(max(7, round(box.height() * (0.58 if len(text) < 3 else 0.42))))
    font.setWeight(QFont.Weight.DemiBold)
    painter.setFont(font)
    painter.setPen(ink)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
