"""Chart of the exact chance that a countdown has run out by each round, read by hovering or with the arrow keys."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from math import ceil

from PySide6.QtCore import QObject, QPointF, QSize, Qt, QThreadPool, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from turnwright.dice.distributions import CountdownOdds
from turnwright.ui.fonts import SPACE, role_font, scaled
from turnwright.ui.theme import ThemeSource, current_theme
from turnwright.ui.translations import tr

ALMOST_CERTAIN = 0.99
MIN_ROUNDS = 6
MAX_LABELS = 10


class _Loaded(QObject):
    """Signals the end of an import; the worker holds it too, so that it outlives a closed chart."""

    done = Signal()


def _load(loaded: _Loaded) -> None:
    """Import the chart library, in a worker: on the GUI thread the import takes a third of a second."""
    import pyqtgraph  # noqa: F401

    with suppress(RuntimeError):  # the window and its slots may have been destroyed meanwhile
        loaded.done.emit()


class CountdownPlot(QWidget):
    """Bars of the chance by round. `drawn` when the chart has been drawn for the first time."""

    drawn = Signal()

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._odds: CountdownOdds | None = None
        self._first = 1
        self._unit = "round"
        self._at: int | None = None
        self._loaded: _Loaded | None = None
        self.chart: _Chart | None = None
        self.readout = QLabel(self)
        self.readout.setTextFormat(Qt.TextFormat.PlainText)
        column = QVBoxLayout(self)  # plots don't know of widgets
        column.setContentsMargins(scaled(2), scaled(2), scaled(2), scaled(2))
        column.setSpacing(scaled(SPACE))
        column.addWidget(self.readout)
        column.addStretch(1)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("ui.chart.name"))
        theme.changed.connect(self._draw)

    def set_odds(self, odds: CountdownOdds | None, starts: int) -> None:
        """Set the odds; `starts` is the round of the first roll, 0 for a countdown started by hand."""
        unit = "round" if starts else "roll"
        if (odds, max(1, starts), unit) == (self._odds, self._first, self._unit):
            return
        self._odds, self._first, self._unit = odds, max(1, starts), unit
        self._at = None
        self._draw()

    def sizeHint(self) -> QSize:
        return QSize(scaled(320), scaled(200))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._loaded is None:
            self._loaded = _Loaded()
            self._loaded.done.connect(self._build)
            QThreadPool.globalInstance().start(partial(_load, self._loaded))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is None or self._odds is None:
            super().keyPressEvent(event)
            return
        here = self._odds.quantiles[50] if self._at is None else self._at + step
        self.show_chance(min(max(1, here), self.rounds_shown()))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.show_chance(None)

    def rounds_shown(self) -> int:
        """Return the number of rolls in the chart: until the countdown has almost surely run out."""
        if self._odds is None:
            return 0
        enough = next(
            (n for n, chance in enumerate(self._odds.cdf, 1) if chance >= ALMOST_CERTAIN), len(self._odds.cdf)
        )
        return max(MIN_ROUNDS, enough)

    def chance(self, roll: int) -> float:
        """Return the chance that the countdown has run out by a roll, counted from 1."""
        if self._odds is None:
            return 0.0
        return self._odds.cdf[roll - 1] if roll <= len(self._odds.cdf) else 1.0

    def show_chance(self, roll: int | None) -> None:
        """Show the chance by a roll; None shows the round at which it reaches one half."""
        self._at = roll
        if self._odds is None:
            text = ""
        elif roll is None:
            text = tr(f"ui.chart.even-{self._unit}", n=self._odds.quantiles[50] + self._first - 1)
        else:
            chance = percent(self.chance(roll))
            text = tr(f"ui.chart.by-{self._unit}", n=roll + self._first - 1, chance=chance)
        self.readout.setText(text)
        self.setAccessibleDescription(text)
        if self.chart is not None:
            self.chart.mark(roll)

    def _build(self) -> None:
        self.chart = _Chart(self)
        layout = self.layout()
        if isinstance(layout, QVBoxLayout):
            layout.takeAt(1)
            layout.addWidget(self.chart.widget, 1)
        self._draw()
        self.drawn.emit()

    def _draw(self) -> None:
        if self.chart is not None and self._odds is not None:
            chances = [self.chance(roll) for roll in range(1, self.rounds_shown() + 1)]
            self.chart.draw(chances, self._first, tr(f"ui.chart.axis-{self._unit}"), self._odds.mean)
        self.show_chance(self._at)


class _Chart:
    """The chart, made once its library is imported."""

    def __init__(self, plot: CountdownPlot) -> None:
        import pyqtgraph

        self._graph = pyqtgraph
        self._plot = plot
        self._chances: list[float] = []
        self._first = 1
        self.widget = pyqtgraph.PlotWidget(background=None, enableMenu=False)
        self.widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.widget.setAccessibleName(tr("ui.chart.name"))
        self.widget.setFrameShape(self.widget.Shape.NoFrame)
        item = self.widget.getPlotItem()
        item.hideButtons()
        item.setMouseEnabled(x=False, y=False)
        item.ctrlMenu.setParent(
            self.widget, item.ctrlMenu.windowFlags()
        )  # unused, but made anyway: it goes with the chart
        self._item = item
        self._bars = pyqtgraph.BarGraphItem(x=[], height=[], width=0.7)
        self._mean = pyqtgraph.InfiniteLine(angle=90)
        item.addItem(self._bars)
        item.addItem(self._mean)
        self.widget.scene().sigMouseMoved.connect(self._hover)

    def draw(self, chances: list[float], first: int, axis: str, mean: float) -> None:
        """Draw bars for rolls from `first` on, with a dashed line at the mean."""
        theme = current_theme()
        self._chances, self._first = chances, first
        line = self._graph.mkPen(theme.colour("edge"), width=1)
        for side in ("left", "bottom"):
            one = self._item.getAxis(side)
            one.setPen(line)
            one.setTextPen(theme.colour("muted"))
            one.setTickFont(role_font("caption"))
            one.setStyle(tickLength=-scaled(4))
        left, bottom = self._item.getAxis("left"), self._item.getAxis("bottom")
        style = {"color": theme.hex("muted"), "font-size": f"{role_font('caption').pointSizeF():.1f}pt"}
        left.setLabel(tr("ui.chart.axis-chance"), **style)
        bottom.setLabel(axis, **style)
        left.setTicks([[(part / 4, percent(part / 4)) for part in range(5)], []])
        step = max(1, ceil(len(chances) / MAX_LABELS))
        places = [roll for roll in range(1, len(chances) + 1) if (roll + first - 1) % step == 0 or step == 1]
        bottom.setTicks([[(roll, str(roll + first - 1)) for roll in places], []])
        self._item.setXRange(0.4, len(chances) + 0.6, padding=0)
        self._item.setYRange(0, 1.06, padding=0)
        self._item.showGrid(x=False, y=True, alpha=0.15)
        self._mean.setValue(mean)
        self._mean.setPen(self._graph.mkPen(theme.colour("warn"), width=1.5, style=Qt.PenStyle.DashLine))
        self.mark(None)

    def mark(self, roll: int | None) -> None:
        """Draw the bar of one roll in full colour."""
        theme = current_theme()
        full, pale = theme.colour("world"), theme.colour("world", 110)
        brushes = [full if roll == place else pale for place in range(1, len(self._chances) + 1)]
        self._bars.setOpts(
            x=list(range(1, len(self._chances) + 1)),
            height=self._chances,
            width=0.7,
            brushes=brushes,
            pen=self._graph.mkPen(theme.colour("world"), width=1),
        )

    def _hover(self, place: QPointF) -> None:
        box = self._item.getViewBox()
        inside = box.sceneBoundingRect().contains(place)
        roll = round(box.mapSceneToView(place).x()) if inside else 0
        self._plot.show_chance(roll if 1 <= roll <= len(self._chances) else None)


def percent(chance: float) -> str:
    """Return a chance in whole percent; a chance below 1 is never shown as 100."""
    if 0 < chance < 0.005:
        return "< 1 %"
    if 0.995 <= chance < 1:
        return "> 99 %"
    return f"{round(chance * 100)} %"
