"""A collapsible chart in a panel, with a button that saves it."""

import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QSizePolicy, QWidget

from turnwright.ui.look.icons import icon
from turnwright.ui.look.style import tr
from turnwright.ui.plots.lazy_plot import LazyPlot
from turnwright.ui.services.settings_store import ask_save_path
from turnwright.ui.widgets.layout import STRETCH, fill, horizontal, vertical
from turnwright.ui.widgets.text import name_and_tip, text_button, tool_button

Save = Callable[[str, LazyPlot], object]


class ChartSection(QWidget):
    """A chart with a title that collapses it, and a button that calls `save` with the title and the chart."""

    def __init__(self, title: str, plot: LazyPlot, save: Save) -> None:
        super().__init__()
        self.plot = plot
        self._title = title
        self.button = text_button("chevron-down", self._title)
        self.button.clicked.connect(lambda _on=False: self.set_open(is_open=self.plot.isHidden()))
        self.save_button = tool_button("download", tr("ui.chart.save", chart=self._title), lambda: save(title, plot))
        fill(vertical(self, spacing=4), fill(horizontal(), self.button, STRETCH, self.save_button), plot)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.set_open(is_open=True)

    def set_open(self, *, is_open: bool) -> None:
        """Expand or collapse the chart."""
        self.plot.setVisible(is_open)
        self.save_button.setVisible(is_open)
        self.button.setIcon(icon("chevron-down" if is_open else "chevron-right"))
        text = tr("ui.chart.fold" if is_open else "ui.chart.unfold", chart=self._title)
        name_and_tip(self.button, text)


def save_chart(title: str, plot: LazyPlot, parent: QWidget) -> Path | None:
    """Ask for a file and write a chart to it. Return the file, or None if the user cancelled.

    Raise OSError if the file can't be written.
    """
    name = re.sub(r"\W+", "-", title.casefold()).strip("-")
    file = Path.home() / f"{name}.svg"
    path = ask_save_path(parent, tr("ui.chart.save", chart=title), file, tr("ui.chart.kinds"), ".svg")
    if path is not None:
        write_chart(plot, path)
    return path


def write_chart(plot: LazyPlot, path: Path) -> None:
    """Write a chart as a picture (SVG) or as a table of its numbers (CSV), depending on the file's suffix.

    Raise OSError if the file can't be written.
    """
    if path.suffix == ".csv":
        path.write_text(plot.table(), encoding="utf-8")
    else:
        plot.write_picture(path)
