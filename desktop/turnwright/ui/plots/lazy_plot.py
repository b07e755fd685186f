"""A chart that is built when it is first shown. A worker imports the chart library, which takes a third of a second."""

from collections.abc import Sequence
from csv import writer
from importlib import import_module
from io import StringIO
from math import ceil
from pathlib import Path
from types import ModuleType
from typing import Any

from PySide6.QtCore import QBuffer, QEvent, QObject, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QShowEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from turnwright.ui.look.style import SPACE, ThemeSource, current_theme, role_font, scaled, set_role
from turnwright.ui.services.workers import BackgroundTask

MAX_LABELS = 10
PALE = 0.35  # opacity of a chart whose data is out of date


class LazyPlot(QWidget):
    """A chart with a line of text above it, the readout. Emits `drawn` after it is first drawn.

    Charts implement `build` to create the graphics, `draw` to draw the data, `read_out` to return the text for a
    position, and `places` to list the positions for the arrow keys.
    """

    drawn = Signal()

    def __init__(self, theme: ThemeSource, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._loading: BackgroundTask | None = None
        self._is_stale = False
        self.at: int | None = None
        self.graph: ModuleType | None = None
        self.item: Any = None
        self._view: QWidget | None = None  # if Python collected it, Qt would delete the graphics
        self.readout = QLabel(self, textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.readout.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        set_role(self.readout, "body")
        column = QVBoxLayout(self)  # `plots` may not import `widgets`
        column.setContentsMargins(scaled(2), scaled(2), scaled(2), scaled(2))
        column.setSpacing(scaled(SPACE))
        column.addWidget(self.readout)
        column.addStretch(1)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)
        theme.changed.connect(self.redraw)

    # For subclasses ---------------------------------------------------------------------------------------------------

    def build(self, graph: ModuleType, item: Any) -> None:
        """Create the graphics in the plot item. Called only once."""
        raise NotImplementedError

    def draw(self) -> None:
        """Draw the data in the colours of the current theme."""
        raise NotImplementedError

    def read_out(self, place: int | None) -> str:
        """Return the readout text for a position, or for the whole chart if `place` is None."""
        raise NotImplementedError

    def places(self) -> range:
        """Return the positions that the arrow keys step through, or an empty range if there is no data."""
        raise NotImplementedError

    def place_at(self, point: QPointF) -> int:
        """Return the position at a point in chart coordinates."""
        return round(point.x())

    def first_place(self) -> int:
        """Return the position where the arrow keys start."""
        return self.places().start

    def rows(self) -> Sequence[Sequence[str | float]]:
        """Return the data of the chart as a table, including a header row."""
        return ()

    # Writing ----------------------------------------------------------------------------------------------------------

    def table(self) -> str:
        """Return the data of the chart as CSV."""
        text = StringIO(newline="")
        writer(text).writerows(self.rows())
        return text.getvalue()

    def write_picture(self, path: Path) -> None:
        """Write the chart as SVG. Raise OSError if the file can't be written."""
        from PySide6.QtSvg import QSvgGenerator  # the library's own exporter fails on filled bands

        if self.item is None:
            self._build()
        scene, buffer = self.item.scene(), QBuffer()
        generator = QSvgGenerator()
        generator.setOutputDevice(buffer)
        generator.setTitle(self.accessibleName())
        generator.setSize(scene.sceneRect().size().toSize())
        generator.setViewBox(scene.sceneRect())
        painter = QPainter(generator)
        scene.render(painter)
        painter.end()
        path.write_bytes(bytes(buffer.data().data()))

    # Showing ----------------------------------------------------------------------------------------------------------

    def redraw(self) -> None:
        """Redraw the chart if it has been built, and update the readout."""
        if self.item is not None and len(self.places()):
            self._style_axes()
        self.show_place(self.at)

    def set_stale(self, *, is_stale: bool) -> None:
        """Fade the chart and its readout while its data is out of date."""
        if is_stale != self._is_stale:
            self._is_stale = is_stale
            self.readout.setProperty("tone", "muted" if is_stale else "")
            self.readout.style().polish(self.readout)
            set_role(self.readout, "body")
            self._pale()

    def _pale(self) -> None:
        if self.item is not None:
            self.item.setOpacity(PALE if self._is_stale else 1.0)

    def show_place(self, place: int | None) -> None:
        """Show the readout of a position, or of the whole chart if `place` is None."""
        self.at = place
        text = self.read_out(place)
        self.readout.setText(text)
        self.setAccessibleDescription(text)
        if self.item is not None and len(self.places()):
            self.draw()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._loading is None:
            self._loading = BackgroundTask(lambda _progress: import_module("pyqtgraph"), self)
            self._loading.finished.connect(lambda _library: self._build())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        step, places = steps.get(Qt.Key(event.key())), self.places()
        if step is None or not len(places):
            super().keyPressEvent(event)
            return
        place = self.first_place() if self.at is None else self.at + step
        self.show_place(min(max(places.start, place), places.stop - 1))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.show_place(None)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if not self.hasFocus():
            self.show_place(None)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Leave the wheel to the panel around the chart, which scrolls."""
        if event.type() == QEvent.Type.Wheel:
            event.ignore()
            return True
        return False

    def _build(self) -> None:
        import pyqtgraph

        self.graph = pyqtgraph
        self._view = widget = pyqtgraph.PlotWidget(background=None, enableMenu=False)
        widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        widget.setAccessibleName(self.accessibleName())
        widget.setFrameShape(widget.Shape.NoFrame)
        widget.viewport().installEventFilter(self)
        item = self.item = widget.getPlotItem()
        item.hideButtons()
        item.setMouseEnabled(x=False, y=False)
        # The library always creates this menu. It is unused, and the chart deletes it.
        item.ctrlMenu.setParent(widget, item.ctrlMenu.windowFlags())
        self.build(pyqtgraph, item)
        self._pale()
        widget.scene().sigMouseMoved.connect(self._hover)
        if isinstance(layout := self.layout(), QVBoxLayout):
            layout.takeAt(1)
            layout.addWidget(widget, 1)
        self.redraw()
        self.drawn.emit()

    def _style_axes(self) -> None:
        theme = current_theme()
        line = self.pen(theme.colour("edge"))
        for side in ("left", "bottom"):
            axis = self.item.getAxis(side)
            axis.setPen(line)
            axis.setTextPen(theme.colour("text"))
            axis.setTickFont(role_font("caption"))
            axis.setStyle(tickLength=-scaled(4))

    def set_axis_label(self, side: str, text: str) -> None:
        """Set the label of an axis."""
        style = {"color": current_theme().hex("muted"), "font-size": f"{role_font('caption').pointSizeF():.1f}pt"}
        self.item.getAxis(side).setLabel(text, **style)

    def pen(self, *args: Any, **options: Any) -> Any:
        """Create a pen of the chart library."""
        assert self.graph is not None
        return self.graph.mkPen(*args, **options)

    def _hover(self, place: QPointF) -> None:
        box = self.item.getViewBox()
        inside = box.sceneBoundingRect().contains(place)
        at = self.place_at(box.mapSceneToView(place)) if inside else None
        self.show_place(at if at is not None and at in self.places() else None)


def percent(chance: float) -> str:
    """Format a chance in whole percent. Chances below 1 are never shown as 100 %, and chances above 0 never as 0 %."""
    if 0 < chance < 0.005:
        return "< 1 %"
    return "> 99 %" if 0.995 <= chance < 1 else f"{round(chance * 100)} %"


class RoundPlot(LazyPlot):
    """A chart over the rounds, whose positions are the rounds. A dashed line marks the current one."""

    chart_height = 0

    def __init__(self, theme: ThemeSource, name: str) -> None:
        super().__init__(theme, name)
        self._rows: tuple[Any, ...] = ()
        self._labels: tuple[Any, ...] = ()
        self._axis = self._summary = ""
        self._point: Any = None
        self.setFixedHeight(self.sizeHint().height())

    def set_rows(
        self, rows: tuple[Any, ...], labels: tuple[Any, ...] = (), *, axis: str = "", summary: str = ""
    ) -> None:
        """Set the rounds and the labels of the chart. `summary` is the readout while no round is selected."""
        if (rows, labels, axis, summary) != (self._rows, self._labels, self._axis, self._summary):
            self._rows, self._labels, self._axis, self._summary = rows, labels, axis, summary
            self.at = None
            self.redraw()

    def sizeHint(self) -> QSize:
        return QSize(scaled(320), scaled(self.chart_height))

    def places(self) -> range:
        return range(self._rows[0].round, self._rows[-1].round + 1) if self._rows else range(0)

    def read_out(self, place: int | None) -> str:
        return next((row.text for row in self._rows if row.round == place), self._summary)

    def draw_rounds(self) -> list[float]:
        """Draw the line at the current round and the labels of the rounds. Return the rounds."""
        self._point.setVisible(self.at is not None)
        self._point.setValue(self.at or 0)
        self._point.setPen(self.pen(current_theme().colour("text"), width=1, style=Qt.PenStyle.DashLine))
        rounds = [float(row.round) for row in self._rows]
        step = max(1, ceil(len(rounds) / MAX_LABELS))
        self.item.getAxis("bottom").setTicks([[(at, str(int(at))) for at in rounds[::step]], []])
        self.set_axis_label("bottom", self._axis)
        self.item.showGrid(x=False, y=True, alpha=0.15)
        return rounds
