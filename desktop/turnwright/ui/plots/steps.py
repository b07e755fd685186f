"""A step chart of one or two numbers over the rounds: a solid and a dashed line, each labelled at its end."""

from types import ModuleType
from typing import Any

import msgspec
from PySide6.QtCore import Qt

from turnwright.ui.look.style import current_theme, role_font
from turnwright.ui.plots.lazy_plot import RoundPlot

STYLES = ((Qt.PenStyle.SolidLine, "accent"), (Qt.PenStyle.DashLine, "harm"))


class StepRow(msgspec.Struct, frozen=True):
    """The numbers at the end of a round, in the order of the lines, and the readout text."""

    round: int
    values: tuple[int, ...]
    text: str


class StepPlot(RoundPlot):
    """Lines that change at each round. The labels are the names at the ends of the lines."""

    chart_height = 200

    def rows(self) -> list[tuple[str | float, ...]]:
        return [("round", *self._labels), *((row.round, *row.values) for row in self._rows)]

    def build(self, graph: ModuleType, item: Any) -> None:
        self._curves = [graph.PlotCurveItem(stepMode="right") for _ in STYLES]
        self._texts = [graph.TextItem() for _ in STYLES]
        self._point = graph.InfiniteLine(angle=90)
        for graphic in (*self._curves, *self._texts, self._point):
            item.addItem(graphic)

    def draw(self) -> None:
        theme = current_theme()
        rounds = self.draw_rounds()
        end = rounds[-1] + 1
        for at, (style, token) in enumerate(STYLES):
            is_shown = at < len(self._labels)
            for part in (self._curves[at], self._texts[at]):
                part.setVisible(is_shown)
            if is_shown:
                values = [float(row.values[at]) for row in self._rows]
                self._curves[at].setData([*rounds, end], [*values, values[-1]])
                self._curves[at].setPen(self.pen(theme.colour(token), width=2.5, style=style))
                self._texts[at].setText(self._labels[at], color=theme.colour("text"))
                self._texts[at].setFont(role_font("caption"))
                self._texts[at].setPos(end, values[-1])
                self._texts[at].setAnchor((1, 1 if values[-1] == max(self._rows[-1].values) else 0))
        highest = max(value for row in self._rows for value in row.values) or 1
        self.item.setXRange(rounds[0], end, padding=0.02)
        self.item.setYRange(0, highest * 1.15, padding=0)
