"""A chart of the exact chance that a countdown has ended by each round, with a readout for each bar."""

from math import ceil
from types import ModuleType
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QWidget

from turnwright.dice.distributions import CountdownOdds
from turnwright.ui.look.style import ThemeSource, current_theme, scaled, tr
from turnwright.ui.plots.lazy_plot import MAX_LABELS, LazyPlot, percent

ALMOST_CERTAIN = 0.99
MIN_ROUNDS = 6


class CountdownPlot(LazyPlot):
    """Bars for the chance by each round, with a dashed line at the mean."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(theme, tr("ui.chart.name"), parent)
        self._odds: CountdownOdds | None = None
        self._first = 1
        self._unit = "round"

    def set_odds(self, odds: CountdownOdds | None, starts: int) -> None:
        """Set the odds. `starts` is the round of the first roll, or 0 if the countdown is started by hand."""
        unit = "round" if starts else "roll"
        if (odds, max(1, starts), unit) == (self._odds, self._first, self._unit):
            return
        self._odds, self._first, self._unit = odds, max(1, starts), unit
        self.at = None
        self.redraw()

    def sizeHint(self) -> QSize:
        return QSize(scaled(320), scaled(200))

    def rounds_shown(self) -> int:
        """Return the number of rolls in the chart, after which the countdown has almost certainly ended."""
        if self._odds is None:
            return 0
        enough = next((n for n, share in enumerate(self._odds.cdf, 1) if share >= ALMOST_CERTAIN), len(self._odds.cdf))
        return max(MIN_ROUNDS, enough)

    def chance(self, roll: int) -> float:
        """Return the chance that the countdown has ended by a roll, counted from 1."""
        if self._odds is None:
            return 0.0
        return self._odds.cdf[roll - 1] if roll <= len(self._odds.cdf) else 1.0

    def places(self) -> range:
        return range(1, self.rounds_shown() + 1) if self._odds is not None else range(0)

    def first_place(self) -> int:
        return self._odds.quantiles[50] if self._odds is not None else 1

    def read_out(self, place: int | None) -> str:
        if self._odds is None:
            return ""
        if place is None:
            return tr(f"ui.chart.even-{self._unit}", n=self._odds.quantiles[50] + self._first - 1)
        return tr(f"ui.chart.by-{self._unit}", n=place + self._first - 1, chance=percent(self.chance(place)))

    def rows(self) -> list[tuple[str | float, ...]]:
        return [("round", "chance"), *((roll + self._first - 1, self.chance(roll)) for roll in self.places())]

    def build(self, graph: ModuleType, item: Any) -> None:
        self._bars = graph.BarGraphItem(x=[], height=[], width=0.7)
        self._mean = graph.InfiniteLine(angle=90)
        item.addItem(self._bars)
        item.addItem(self._mean)

    def draw(self) -> None:
        theme, places, first = current_theme(), list(self.places()), self._first
        self.set_axis_label("left", tr("ui.chart.axis-chance"))
        self.set_axis_label("bottom", tr(f"ui.chart.axis-{self._unit}"))
        self.item.getAxis("left").setTicks([[(part / 4, percent(part / 4)) for part in range(5)], []])
        step = max(1, ceil(len(places) / MAX_LABELS))
        labelled = [roll for roll in places if (roll + first - 1) % step == 0 or step == 1]
        self.item.getAxis("bottom").setTicks([[(roll, str(roll + first - 1)) for roll in labelled], []])
        self.item.setXRange(0.4, len(places) + 0.6, padding=0)
        self.item.setYRange(0, 1.06, padding=0)
        self.item.showGrid(x=False, y=True, alpha=0.15)
        self._mean.setValue(self._odds.mean if self._odds is not None else 0)
        self._mean.setPen(self.pen(theme.colour("warn"), width=1.5, style=Qt.PenStyle.DashLine))
        full, pale = theme.colour("world"), theme.colour("world", 110)
        self._bars.setOpts(
            x=places,
            height=[self.chance(roll) for roll in places],
            width=0.7,
            brushes=[full if place == self.at else pale for place in places],
            pen=self.pen(theme.colour("world"), width=1),
        )
