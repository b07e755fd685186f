"""The headline of the forecast: the chance of victory, its confidence interval, and other chances as chips.

The collapsible list of the forecast's omissions and assumptions. Each entry opens its record.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QToolButton, QWidget

from turnwright.encounter.state import Encounter, Key, Lookup
from turnwright.forecast.estimate import Chance, Outlook
from turnwright.forecast.sentences import headline, note_parts, percent, pool_name
from turnwright.forecast.sheet import SheetNote
from turnwright.ui.docks.forecast.charts import FoldSection
from turnwright.ui.look.fonts import scaled
from turnwright.ui.look.theme import current_theme
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.layout import FlowRow, fill, vertical
from turnwright.ui.widgets.text import discard, plain_label, set_style, text_button

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
        theme, width, height = current_theme(), self.width(), self.height()
        low, high = self._chance.low * width, self._chance.high * width
        with QPainter(self) as painter:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("line"))
            painter.drawRect(QRectF(0, height / 3, width, height / 3))
            painter.setBrush(theme.colour("edge" if self._is_stale else "accent", 120))
            painter.drawRect(QRectF(low, 0, max(high - low, 2), height))
            painter.setBrush(theme.colour("muted" if self._is_stale else "text"))
            painter.drawRect(QRectF(self._chance.value * width - 1, 0, 2, height))


class ForecastHeadline(QWidget):
    """The headline, the confidence interval in words and as a bar, and up to four chances as chips."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = plain_label("", "number", wraps=True)
        self.band = plain_label("", "caption", "muted", wraps=True)
        self.bar = IntervalBar()
        self.chips = FlowRow()
        fill(vertical(self, spacing=4), self.title, self.band, self.bar, self.chips)

    def show_outlook(self, lookup: Lookup, outlook: Outlook, *, is_stale: bool, is_running: bool) -> None:
        """Show a forecast. An outdated forecast stays visible in grey until it is replaced."""
        sentence = headline(outlook)
        self.title.setText(tr(sentence.key, **dict(sentence.params)))
        tone = "muted" if is_stale else ""
        set_style(self.title, "tone", tone)
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


SHOWN = ("left-out", "assumed", "used")


class NotesSection(FoldSection):
    """The notes on a forecast, grouped by list. The title shows their number. Emits `chosen(key)` on a click."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._notes: tuple[SheetNote, ...] = ()
        self.column.setSpacing(0)
        self.headings: list[QLabel] = []
        self.entries: list[QToolButton] = []

    def show_notes(self, encounter: Encounter, notes: tuple[SheetNote, ...]) -> None:
        """Show the notes. The section stays expanded or collapsed."""
        counts = {list_: sum(note.list == list_ for note in notes) for list_ in SHOWN}
        self.button.setText(tr("ui.forecast.notes", out=counts["left-out"], assumed=counts["assumed"]))
        if notes == self._notes:
            return
        self._notes = notes
        for widget in (*self.headings, *self.entries):
            discard(widget)
        self.headings, self.entries = [], []
        for list_ in SHOWN:
            matches = [note for note in notes if note.list == list_]
            if matches:
                self._add_list(encounter, list_, matches)

    def _add_list(self, encounter: Encounter, list_: str, notes: Sequence[SheetNote]) -> None:
        heading = plain_label(tr(f"ui.forecast.{list_}"), "body")
        heading.setProperty("heavy", True)
        self.headings.append(heading)
        self.column.addWidget(heading)
        for note in notes:
            button = text_button("circle-small", note_text(encounter, note))
            key: Key = (note.table, note.subject)
            button.setEnabled(encounter.record(key) is not None)
            button.clicked.connect(lambda _on=False, key=key: self.chosen.emit(key))
            self.entries.append(button)
            self.column.addWidget(button)


def note_text(encounter: Encounter, note: SheetNote) -> str:
    """Return the text of a note: the record, the part concerned, and the reason."""
    parts, reason = note_parts(encounter, note)
    text = tr(reason.key, **dict(reason.params))
    return f"{', '.join(parts)}: {text}" if parts else text
