"""The headline of the forecast: the chance of victory, its confidence interval, and other chances as chips."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from turnwright.encounter.state import Lookup
from turnwright.forecast.outlook import Chance, Outlook
from turnwright.forecast.sentences import headline, percent, pool_name
from turnwright.ui.look.fonts import scaled
from turnwright.ui.look.theme import current_theme
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.layout import FlowRow, vertical
from turnwright.ui.widgets.text import plain_label, restyle

BAR_HEIGHT = 12


class IntervalBar(QWidget):
    """Shows a chance on a scale from 0 to 1, with its confidence interval as a band."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chance = Chance(0, 0, 1)
        self._is_stale = True
        self.setFixedHeight(scaled(BAR_HEIGHT))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_chance(self, chance: Chance, *, is_stale: bool) -> None:
        """Show a chance, in grey if it is out of date."""
        self._chance, self._is_stale = chance, is_stale
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), current_theme()
        painter.setPen(Qt.PenStyle.NoPen)
        width, height = self.width(), self.height()
        painter.setBrush(theme.colour("line"))
        painter.drawRect(QRectF(0, height / 3, width, height / 3))
        painter.setBrush(theme.colour("edge" if self._is_stale else "accent", 120))
        low, high = self._chance.low * width, self._chance.high * width
        painter.drawRect(QRectF(low, 0, max(high - low, 2), height))
        painter.setBrush(theme.colour("muted" if self._is_stale else "text"))
        painter.drawRect(QRectF(self._chance.value * width - 1, 0, 2, height))
        painter.end()


class ForecastHeadline(QWidget):
    """The headline, the confidence interval in words and as a bar, and up to four chances as chips."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = vertical(self, spacing=4)
        self.title = plain_label("", "number", wraps=True)
        self.band = plain_label("", "caption", "muted", wraps=True)
        self.bar = IntervalBar()
        self.chips = FlowRow()
        for widget in (self.title, self.band, self.bar, self.chips):
            column.addWidget(widget)

    def show_outlook(self, lookup: Lookup, outlook: Outlook, *, is_stale: bool, is_running: bool) -> None:
        """Show a forecast. An outdated forecast stays visible in grey until it is replaced."""
        sentence = headline(outlook)
        self.title.setText(tr(sentence.key, **dict(sentence.params)))
        tone = "muted" if is_stale else ""
        if self.title.property("tone") != tone:
            self.title.setProperty("tone", tone)
            restyle(self.title)
        state = "stale" if is_stale else "more" if is_running else "done"
        low, high = percent(outlook.won.low), percent(outlook.won.high)
        self.band.setText(tr(f"ui.forecast.band-{state}", low=low, high=high, fights=f"{outlook.fights:,}"))
        self.bar.show_chance(outlook.won, is_stale=is_stale)
        self.bar.setAccessibleName(self.band.text())
        self._show_chips(lookup, outlook, tone)

    def _show_chips(self, lookup: Lookup, outlook: Outlook, tone: str) -> None:
        texts = [
            tr("ui.forecast.falls", n=percent(outlook.one_down.value)),
            tr("ui.forecast.dies", n=percent(outlook.one_dead.value)),
            tr("ui.forecast.all-fall", n=percent(outlook.all_down.value)),
        ]
        likeliest = max(outlook.pools, key=lambda pool: pool.ends.value, default=None)
        if likeliest is not None and likeliest.ends.value:
            name = pool_name(lookup, likeliest.pool)
            texts.append(tr("ui.forecast.pool", name=name, n=percent(likeliest.ends.value)))
        self.chips.clear()
        for text in texts:
            chip = plain_label(text, "body", tone)
            chip.setProperty("chip", True)
            self.chips.add(chip)
