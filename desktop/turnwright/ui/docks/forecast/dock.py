"""The forecast dock: how often the party wins, in words before any chart; then who falls, and what is left out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDockWidget, QLabel, QScrollArea, QStackedWidget, QWidget

from turnwright.encounter.prepared import Countdown, Environment
from turnwright.encounter.running import Combatant
from turnwright.forecast.outlook import Outlook
from turnwright.forecast.sentences import sentences
from turnwright.ui.dialogs.save_path import ask_save_path
from turnwright.ui.dock_connections import WindowSlots
from turnwright.ui.docks.forecast.charts import ChartSection, show_falls, show_rounds, show_sources, write_chart
from turnwright.ui.docks.forecast.headline import ForecastHeadline
from turnwright.ui.docks.forecast.notes import NotesSection
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.models.forecast import ForecastModel
from turnwright.ui.plots.bars import BarPlot
from turnwright.ui.plots.fan import FanPlot
from turnwright.ui.plots.lazy_plot import LazyPlot
from turnwright.ui.theme import ThemeSource
from turnwright.ui.translations import tr
from turnwright.ui.widgets.cards import EmptyState
from turnwright.ui.widgets.layout import vertical
from turnwright.ui.widgets.text import plain_label

NAME = "forecast"


class ForecastDock(QDockWidget):
    """Shows the forecast of the open encounter while it is visible. `openRequested(key)` for a record to be looked at."""

    openRequested = Signal(object)
    saved = Signal(str)

    def __init__(self, bridge: DocumentModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(tr("ui.forecast.title"), parent)
        self.setObjectName(NAME)
        self.setAccessibleName(tr("ui.forecast.title"))
        self._bridge = bridge
        self._shown: Outlook | None = None
        self._fallen: tuple[str, ...] = ()
        self._owners: tuple[str, ...] = ()
        self.model = ForecastModel(bridge, self)
        self.empty = EmptyState("crystal-ball", tr("ui.forecast.wait"))
        self.headline = ForecastHeadline()
        self.sentences: list[QLabel] = []
        self.notes = NotesSection()
        self.falls = BarPlot(theme, tr("ui.forecast.falls-name"), "harm")
        self.rounds = FanPlot(theme, tr("ui.forecast.rounds-name"))
        self.sources = BarPlot(theme, tr("ui.forecast.sources-name"), "warn")
        self._words = vertical(spacing=4)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._inside())
        self.setWidget(self._stack)
        self.falls.chosen.connect(lambda row: self._choose(Combatant.table, self._fallen[row]))
        self.sources.chosen.connect(lambda row: self._choose_owner(self._owners[row]))
        self.notes.chosen.connect(self.openRequested.emit)
        self.model.changed.connect(self.refresh)
        self.visibilityChanged.connect(lambda visible: self.model.watch(watched=visible))
        self.refresh()

    def connect_slots(self, slots: WindowSlots) -> None:
        """Connect the dock's signals to the slots of the window."""
        self.openRequested.connect(slots.open_record)
        self.saved.connect(slots.notify_saved)

    def refresh(self) -> None:
        """Show the present forecast, or why there is none."""
        outlook = self.model.outlook
        if outlook is None:
            self._shown = None
            self.empty.set_sentence(tr(f"ui.forecast.{self.model.obstacle or 'wait'}"))
            self._stack.setCurrentIndex(0)
            return
        lookup = self._bridge.encounter
        self.headline.show_outlook(lookup, outlook, is_stale=self.model.is_stale, is_running=self.model.is_running)
        if outlook is not self._shown:
            self._shown = outlook
            self._show_sentences(outlook)
            self._fallen = show_falls(self.falls, outlook)
            show_rounds(self.rounds, lookup, outlook)
            self._owners = show_sources(self.sources, lookup, outlook)
            self.notes.show_notes(lookup, outlook.notes)
        self._stack.setCurrentIndex(1)

    def _inside(self) -> QWidget:
        inside = QWidget()
        column = vertical(inside, spacing=8, margins=(12, 8, 12, 8))
        column.addWidget(self.headline)
        column.addLayout(self._words)
        charts = (("falls-title", self.falls), ("rounds-title", self.rounds), ("sources-title", self.sources))
        sections = [ChartSection(name, plot, self._save) for name, plot in charts]
        column.addWidget(sections[0])
        column.addWidget(self.notes)
        for section in sections[1:]:
            column.addWidget(section)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(inside)
        return area

    def _show_sentences(self, outlook: Outlook) -> None:
        texts = [tr(one.key, **dict(one.params)) for one in sentences(self._bridge.encounter, outlook)]
        while len(self.sentences) < len(texts):
            label = plain_label("", "body", wraps=True)
            self.sentences.append(label)
            self._words.addWidget(label)
        for label, text in zip(self.sentences, texts, strict=False):
            label.setText(text)
        for place, label in enumerate(self.sentences):
            label.setVisible(place < len(texts))

    def _choose(self, table: str, id: str) -> None:
        record = self._bridge.encounter.record((table, id))
        if record is not None:
            self._bridge.select((table, id))

    def _choose_owner(self, owner: str) -> None:
        tables: tuple[Any, ...] = (Combatant, Environment, Countdown)
        key = next(((one.table, owner) for one in tables if self._bridge.encounter.get(one, owner)), None)
        if key is not None:
            self._bridge.select(key)

    def _save(self, name: str, plot: LazyPlot) -> None:
        """Ask for a file and write a chart there, as a picture or as figures by the suffix of its name."""
        title = tr("ui.forecast.save", chart=tr(f"ui.forecast.{name}"))
        suggested = Path.home() / f"{name.removesuffix('-title')}.svg"
        path = ask_save_path(self, title, suggested, tr("ui.forecast.kinds"), ".svg")
        if path is not None:
            write_chart(plot, path)
            self.saved.emit(tr("ui.forecast.saved", file=path.name))
