"""Ground patterns, each painted once per zoom and then copied into every square with that ground."""

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPen, QPixmap

from turnwright.ui.look.style import Theme, role_font
from turnwright.ui.widgets.paint import smoothly

GROUNDS = ",~^#"


class TerrainPatterns:
    """Pixmaps of one square of `cell` pixels: difficult terrain, water, steep terrain, wall."""

    def __init__(self, theme: Theme, cell: int) -> None:
        self._theme = theme
        self._cell = cell
        self._stamps: dict[str, QPixmap] = {}

    def pattern(self, sign: str, painter: QPainter) -> QPixmap:
        """Return the pixmap for a ground character, at the pixel ratio of the painter's device."""
        if (pattern := self._stamps.get(sign)) is None:
            ratio = painter.device().devicePixelRatioF()
            pattern = QPixmap(round(self._cell * ratio), round(self._cell * ratio))
            pattern.setDevicePixelRatio(ratio)
            pattern.fill(Qt.GlobalColor.transparent)
            with QPainter(pattern) as inside, smoothly(inside):
                {",": self._rough, "~": self._water, "^": self._climb, "#": self._wall}[sign](inside)
            self._stamps[sign] = pattern
        return pattern

    def _rough(self, painter: QPainter) -> None:
        """Paint diagonal lines that continue in the next square."""
        cell, step = self._cell, self._cell / 3
        painter.fillRect(QRectF(0, 0, cell, cell), self._theme.colour("warn", 30))
        painter.setPen(QPen(self._theme.colour("warn", 130), max(1.0, cell / 28)))
        painter.drawLines([QLineF(n * step, 0, n * step - cell, cell) for n in range(1, 7)])

    def _water(self, painter: QPainter) -> None:
        cell = self._cell
        painter.fillRect(QRectF(0, 0, cell, cell), self._theme.colour("accent", 62))
        painter.setPen(QPen(self._theme.colour("accent", 150), max(1.0, cell / 26)))
        wave = cell / 4
        for top in (cell * 0.32, cell * 0.76):
            painter.drawArc(QRectF(0, top - wave / 2, cell / 2, wave), 0, 180 * 16)
            painter.drawArc(QRectF(cell / 2, top - wave / 2, cell / 2, wave), 180 * 16, 180 * 16)

    def _climb(self, painter: QPainter) -> None:
        cell = self._cell
        painter.fillRect(QRectF(0, 0, cell, cell), self._theme.colour("muted", 40))
        painter.setPen(QPen(self._theme.colour("muted", 200), max(1.0, cell / 22)))
        for top in (0.42, 0.76):
            left, middle, right = (QPointF(cell * x, cell * (top + y)) for x, y in ((0.26, 0), (0.5, -0.24), (0.74, 0)))
            painter.drawPolyline([left, middle, right])

    def _wall(self, painter: QPainter) -> None:
        """Paint a filled square with courses of stone."""
        cell = self._cell
        painter.fillRect(QRectF(0, 0, cell, cell), self._theme.colour("edge", 235))
        painter.setPen(QPen(self._theme.colour("raised", 90), max(1.0, cell / 30)))
        half, third = cell / 2, cell / 3
        painter.drawLines(
            [QLineF(0, third * n, cell, third * n) for n in (1, 2)]
            + [QLineF(half, 0, half, third), QLineF(half, 2 * third, half, cell), QLineF(0, third, 0, 2 * third)]
        )


def pixel_font(pixels: float, least: int, most: int | None = None) -> QFont:
    """Return a font of a height in pixels, within limits. The default maximum is the height of captions."""
    font = QFont(role_font("body"))
    highest = most or round(role_font("caption").pointSizeF() * 1.34)
    font.setPixelSize(max(least, min(round(pixels), highest)))
    return font
