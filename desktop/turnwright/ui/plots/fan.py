"""A chart of quantiles by round: the median as a line, and the others as bands around it."""

from types import ModuleType
from typing import Any

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush

from turnwright.ui.look.style import current_theme, role_font
from turnwright.ui.plots.lazy_plot import RoundPlot, percent


class FanRow(msgspec.Struct, frozen=True):
    """One round: five quantiles of a share (10, 25, 50, 75, 90 %), and the readout text."""

    round: int
    share: tuple[float, float, float, float, float]
    text: str


class FanMark(msgspec.Struct, frozen=True):
    """A named mark on the axis for an event in a round, such as a wave or the end of a countdown."""

    round: float
    name: str


class FanPlot(RoundPlot):
    """Bands between the quantiles 10 to 90 and 25 to 75 over the rounds, with the median. The labels are `FanMark`s."""

    chart_height = 230

    def rows(self) -> list[tuple[str | float, ...]]:
        return [("round", "10", "25", "50", "75", "90"), *((row.round, *row.share) for row in self._rows)]

    def build(self, graph: ModuleType, item: Any) -> None:
        self._curves = [graph.PlotCurveItem() for _ in range(5)]
        pairs = ((0, 4), (1, 3))
        self._bands = [graph.FillBetweenItem(self._curves[low], self._curves[high]) for low, high in pairs]
        self._point, self._lines = graph.InfiniteLine(angle=90), list[Any]()
        for graphic in (*self._bands, *self._curves, self._point):
            item.addItem(graphic)

    def draw(self) -> None:
        theme = current_theme()
        rounds = self.draw_rounds()
        for quantile, curve in enumerate(self._curves):
            width = 2.5 if quantile == 2 else 1
            style = Qt.PenStyle.SolidLine if quantile == 2 else Qt.PenStyle.DotLine
            curve.setData(rounds, [row.share[quantile] for row in self._rows])
            curve.setPen(self.pen(theme.colour("accent"), width=width, style=style))
        for band, alpha in zip(self._bands, (50, 90), strict=True):
            band.setBrush(QBrush(theme.colour("accent", alpha)))
        self._draw_marks()
        self.item.getAxis("left").setTicks([[(part / 4, percent(part / 4)) for part in range(5)], []])
        self.item.setXRange(rounds[0], max(rounds[-1], rounds[0] + 1), padding=0.02)
        self.item.setYRange(0, 1.02, padding=0)

    def _draw_marks(self) -> None:
        assert self.graph is not None
        theme = current_theme()
        for line in self._lines:
            self.item.removeItem(line)
        self._lines = []
        for number, mark in enumerate(self._labels):
            side = sum(other.round == mark.round for other in self._labels[:number]) % 2
            anchors = [(0.5, 1 - side)] * 2  # two marks in one round: each name gets one side of the line
            options = {
                "color": theme.hex("text"),
                "position": 0.6,
                "rotateAxis": (1, 0),
                "movable": False,
                "anchors": anchors,
            }
            pen = self.pen(theme.colour("world"), width=1.5, style=Qt.PenStyle.DashDotLine)
            line = self.graph.InfiniteLine(pos=mark.round, angle=90, pen=pen, label=mark.name, labelOpts=options)
            line.label.setFont(role_font("caption"))
            self._lines.append(line)
            self.item.addItem(line)
