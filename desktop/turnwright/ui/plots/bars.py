"""A horizontal bar chart. Bars are distinguished by text and hatching as well as colour."""

from types import ModuleType
from typing import Any

import msgspec
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QMouseEvent

from turnwright.ui.look.style import ThemeSource, current_theme, role_metrics, scaled
from turnwright.ui.plots.lazy_plot import LazyPlot

ROW = 26  # pixels at 100 %
AXIS = 44
NAME_SHARE = 0.4  # share of the width for row names
THICK, THIN = 0.62, 0.34
ROOM = 0.08  # space after the last tick, so that the library has room for its text


class Bar(msgspec.Struct, frozen=True):
    """A bar: its name, its value, the ends of the interval, and the length of the dark, hatched part.

    `hatched` hatches the whole bar. `text` is the readout.
    """

    name: str
    value: float
    low: float
    high: float
    text: str
    dark: float = 0.0
    hatched: bool = False


class BarPlot(LazyPlot):
    """Bars that start at 0, listed from the top. Emits `chosen(row)` on a click or Enter.

    `token` is the colour of the bars.
    """

    chosen = Signal(int)

    def __init__(self, theme: ThemeSource, name: str, token: str) -> None:
        super().__init__(theme, name)
        self._token = token
        self.bars: tuple[Bar, ...] = ()  # the bars of the chart, from top to bottom
        self._ticks: tuple[tuple[float, str], ...] = ()
        self._summary = ""

    def set_bars(self, bars: tuple[Bar, ...], ticks: tuple[tuple[float, str], ...], *, summary: str = "") -> None:
        """Set the bars and the axis with its `ticks` (value, text). `summary` is the readout if no bar is selected."""
        if (bars, ticks, summary) != (self.bars, self._ticks, self._summary):
            self.bars, self._ticks, self._summary = bars, ticks, summary
            self.at = None
            self.setFixedHeight(self.sizeHint().height())
            self.redraw()

    def sizeHint(self) -> QSize:
        reading = role_metrics("body").height() + scaled(8)
        return QSize(scaled(320), reading + scaled(ROW * max(1, len(self.bars)) + AXIS))

    def places(self) -> range:
        return range(len(self.bars))

    def place_at(self, point: QPointF) -> int:
        return round(-point.y())

    def read_out(self, place: int | None) -> str:
        return self._summary if place is None or place not in self.places() else self.bars[place].text

    def rows(self) -> list[tuple[str | float, ...]]:
        rows = [(bar.name, bar.value, bar.low, bar.high, bar.dark) for bar in self.bars]
        return [("name", "value", "low", "high", "dark"), *rows]

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self.at is not None:
            self.chosen.emit(self.at)

    def keyPressEvent(self, event: Any) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.at is not None:
            self.chosen.emit(self.at)
        else:
            super().keyPressEvent(event)

    def build(self, graph: ModuleType, item: Any) -> None:
        self._whole = graph.BarGraphItem(x0=[], y=[], width=[], height=THICK)
        self._dark = graph.BarGraphItem(x0=[], y=[], width=[], height=THICK)
        self._whiskers = graph.ErrorBarItem(beam=THIN)
        self._zero = graph.InfiniteLine(pos=0, angle=90)
        for graphic in (self._whole, self._dark, self._zero, self._whiskers):
            item.addItem(graphic)

    def draw(self) -> None:
        theme, rows = current_theme(), list(self.places())
        values = [bar.value for bar in self.bars]
        lowest = min([0.0, *(min(bar.low, bar.value) for bar in self.bars), *(at for at, _ in self._ticks)])
        highest = max([0.0, *(max(bar.high, bar.value) for bar in self.bars), *(at for at, _ in self._ticks)])
        full, pale, dark = theme.colour(self._token), theme.colour(self._token, 120), theme.colour("text")
        hatch = QBrush(theme.colour(self._token), Qt.BrushStyle.BDiagPattern)
        brushes = [
            hatch if bar.hatched else QBrush(full if row == self.at else pale) for row, bar in enumerate(self.bars)
        ]
        places = [-row for row in rows]
        edge = self.pen(full, width=1)
        self._whole.setOpts(x0=[0.0] * len(rows), y=places, width=values, height=THICK, brushes=brushes, pen=edge)
        self._dark.setOpts(
            x0=[0.0] * len(rows),
            y=places,
            width=[bar.dark for bar in self.bars],
            height=THICK,
            brushes=[QBrush(dark, Qt.BrushStyle.BDiagPattern)] * len(rows),
            pen=self.pen(dark, width=1),
        )
        import numpy as np

        self._whiskers.setData(
            x=np.array(values),
            y=np.array(places, dtype=float),
            left=np.array([bar.value - bar.low for bar in self.bars]),
            right=np.array([bar.high - bar.value for bar in self.bars]),
            beam=THIN,
            pen=self.pen(dark, width=1.5),
        )
        self._zero.setPen(self.pen(theme.colour("edge"), width=1))
        left = self.item.getAxis("left")
        room = int(self.width() * NAME_SHARE)
        metrics = role_metrics("caption")
        names = [metrics.elidedText(bar.name, Qt.TextElideMode.ElideRight, room) for bar in self.bars]
        left.setTicks([list(zip(places, names, strict=True)), []])
        left.setWidth(min(room, max((metrics.horizontalAdvance(name) for name in names), default=0)) + scaled(12))
        self.item.getAxis("bottom").setTicks([list(self._ticks), []])
        self.item.setXRange(lowest, highest or 1.0, padding=ROOM)
        self.item.setYRange(-len(rows) + 0.5, 0.5, padding=0)
        self.item.showGrid(x=True, y=False, alpha=0.15)

    def resizeEvent(self, event: Any) -> None:
        super().resizeEvent(event)
        self.redraw()

    def area(self) -> QRectF:
        """Return the area of the bars in widget coordinates, or an empty one if the chart hasn't been built."""
        return QRectF(self.item.getViewBox().sceneBoundingRect()) if self.item is not None else QRectF()
