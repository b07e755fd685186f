"""The Forecast panel: the chance of victory as a sentence, then charts, notes, suggested changes and tuning."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from turnwright.encounter.prepared import Environment, RosterEntry
from turnwright.encounter.running import Combatant
from turnwright.forecast.estimate import Outlook
from turnwright.forecast.sentences import budget_sentences, course_sentences, idle_characters, pool_sentences, summary
from turnwright.forecast.sheet_builder import ChangeOutlook
from turnwright.play.kernel.transaction import Command
from turnwright.play.setup.roster import BringParty
from turnwright.ui.docks.dock import Dock
from turnwright.ui.docks.forecast import charts
from turnwright.ui.docks.forecast.headline import ForecastHeadline, NotesSection, TuningSection
from turnwright.ui.docks.forecast.played_fight import PlayedFightDialog
from turnwright.ui.docks.forecast.policies import PolicySection
from turnwright.ui.docks.shared.chart_section import ChartSection, save_chart
from turnwright.ui.look.style import ThemeSource, tr
from turnwright.ui.models.forecast import ForecastModel, TuningModel
from turnwright.ui.plots.bars import BarPlot
from turnwright.ui.plots.chance_line import ChanceLine
from turnwright.ui.plots.fan import FanPlot
from turnwright.ui.plots.lazy_plot import LazyPlot
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.services import Services
from turnwright.ui.services.settings_store import SettingsStore
from turnwright.ui.services.workers import single_shot_timer
from turnwright.ui.widgets.layout import STRETCH, EmptyState, SectionHeader, fill, frameless_scroll_area, vertical
from turnwright.workspace.fight_tuning import TunedPlan, commands_for, hit_points, variables_of
from turnwright.workspace.party_states import sample_level, sample_party


class ForecastDock(Dock):
    """Shows the forecast of the open encounter while it is visible.

    Emits `openRequested(key)` to open a record, and `saved(text)` after a chart was saved.
    """

    name = "forecast"
    openRequested = Signal(object)
    saved = Signal(str)

    def __init__(self, document: DocumentModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(document, theme, parent)
        self._shown: Outlook | None = None
        self._drawn: Outlook | None = None
        self._rest = single_shot_timer(self, self._show_rest)
        self._fallen: tuple[str, ...] = ()
        self._owners: tuple[str, ...] = ()
        self._actors: tuple[str, ...] = ()
        self.model = ForecastModel(document, self)
        take, add = tr("ui.forecast.take-four", n="", level=""), tr("ui.budget.add-party")
        self.empty = EmptyState("crystal-ball", tr("ui.forecast.wait"), take, other=add)
        self.empty.clicked.connect(self._take_sample_party)
        self.empty.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.headline = ForecastHeadline()
        self.question = charts.DieQuestion(document)
        self.live = ChanceLine(theme, tr("ui.forecast.live-title"))
        self.summary, self.pools, self.courses = charts.ChangeRows(), charts.ChangeRows(), charts.ChangeRows()
        self.notes = NotesSection()
        self.falls = BarPlot(theme, tr("ui.forecast.falls-name"), "harm")
        self.rounds = FanPlot(theme, tr("ui.forecast.rounds-name"))
        self.changes = BarPlot(theme, tr("ui.forecast.changes"), "accent")
        self.change_rows = charts.ChangeRows()
        self._changes: tuple[ChangeOutlook, ...] = ()
        self.sources = BarPlot(theme, tr("ui.forecast.sources-name"), "warn")
        self.party_actions = BarPlot(theme, tr("ui.forecast.actions-name"), "accent")
        self._plots = (self.live, self.falls, self.rounds, self.party_actions, self.sources, self.changes)
        self.tuning, self.tuning_model = TuningSection(), TuningModel(document, self)
        self.policies = PolicySection()
        self._settings_store: SettingsStore | None = None
        self.set_pages(self.empty, self._inside())
        self.falls.chosen.connect(lambda row: self._choose(self._fallen[row]))
        self.sources.chosen.connect(lambda row: self._choose(self._owners[row]))
        self.party_actions.chosen.connect(lambda row: self._choose(self._actors[row]))
        self.change_rows.requested.connect(lambda row: self._make(self._commands_for(self._changes[row], uuid4().hex)))
        self.headline.playRequested.connect(lambda: PlayedFightDialog(document, self.model.policies, self).open())
        self.notes.chosen.connect(self.openRequested.emit)
        self.tuning.wanted.connect(lambda aim, variables: self.tuning_model.start(aim, variables, self.model.policies))
        self.tuning.cancelled.connect(self.tuning_model.cancel)
        self.tuning.chosen.connect(self._make_plan)
        self.tuning_model.changed.connect(self._show_tuning)
        self.policies.edited.connect(self._set_policies)
        self.model.changed.connect(self.refresh)
        self.visibilityChanged.connect(lambda visible: self.model.watch(watched=visible))
        self.refresh()

    def use_services(self, services: Services) -> None:
        self._settings_store = services.settings_store
        settings = self._settings_store.settings
        self.policies.set_texts(settings.forecast_party, settings.forecast_enemies)
        self.model.set_policies(self.policies.policies())

    def refresh(self) -> None:
        """Show the current forecast, or the reason why there is none."""
        outlook = self.model.outlook
        if outlook is None:
            self._shown = self._drawn = None
            self._rest.stop()
            self._show_obstacle()
            self._stack.setCurrentIndex(0)
            return
        lookup = self.model.encounter
        model = self.model
        self.headline.show_outlook(
            lookup, outlook, is_stale=model.is_stale, is_running=model.is_running, compiled=model.compiled
        )
        if outlook is not self._shown:
            self._shown = outlook
            budget = budget_sentences(lookup, self._document.rules, outlook)
            above = len(idle_characters(lookup, outlook))
            self.summary.show_sentences((*summary(lookup, outlook)[above:], *budget))
        self.summary.set_stale(is_stale=self.model.is_stale)
        self._stack.setCurrentIndex(1)
        self._rest.start()

    @property
    def is_drawing(self) -> bool:
        """Whether the headline is up to date but the rest of the panel isn't."""
        return self._rest.isActive()

    def show_all(self) -> None:
        """Update the rest of the panel now, instead of after the headline has been painted."""
        if self._rest.isActive():
            self._rest.stop()
            self._show_rest()

    def _show_rest(self) -> None:
        """Show everything below the headline and the summary: charts, lists, and tuning."""
        outlook, lookup = self.model.outlook, self.model.encounter
        if outlook is None:
            return
        if outlook is not self._drawn:
            self._drawn = outlook
            self.pools.show_sentences(pool_sentences(lookup, outlook))
            self.courses.show_sentences(course_sentences(lookup, outlook))
            self._fallen = charts.show_falls(self.falls, outlook)
            charts.show_rounds(self.rounds, lookup, outlook)
            self._owners = charts.show_sources(self.sources, lookup, outlook)
            self._actors = charts.show_actions(self.party_actions, lookup, outlook)
            self.notes.show_notes(lookup, outlook.notes)
        changes = charts.distinct(lookup, self.model.changes)
        if changes != self._changes:
            self._changes = changes
            charts.show_changes(self.changes, lookup, changes)
            self.change_rows.show_changes(lookup, changes, lambda change: bool(self._commands_for(change)))
        self._change_section.setVisible(bool(changes))
        self.change_rows.setVisible(bool(changes))
        self.question.refresh()
        charts.show_live(self.live, self._document.encounter, self.model.live)
        self._live_section.setVisible(len(self.model.live) > 1)
        for lines in (self.pools, self.courses, self.change_rows):
            lines.set_stale(is_stale=self.model.is_stale)
        for plot in self._plots:
            plot.set_stale(is_stale=self.model.is_stale)
        self._show_tuning()

    def _show_obstacle(self) -> None:
        """Show why there is no forecast. If the party is missing, offer a sample party."""
        obstacle = self.model.obstacle
        lacks_party = obstacle == "no-party"
        party = sample_party(self._document.rules.id) if lacks_party else None
        if party is not None:
            self.empty.set_step(tr("ui.forecast.take-four", n=len(party.roster), level=sample_level(party)))
        self.empty.set_sentence(tr(f"ui.forecast.{obstacle or 'wait'}"), has_step=lacks_party)
        if self.empty.button is not None:
            self.empty.button.setVisible(party is not None)

    def _take_sample_party(self) -> None:
        if (party := sample_party(self._document.rules.id)) is not None:
            self._document.execute(BringParty(party))

    def _inside(self) -> QWidget:
        inside = QWidget()
        names = ("live-title", "falls-title", "rounds-title", "actions-title", "sources-title", "changes-title")
        self._live_section, falls, rounds, actions, sources, self._change_section = (
            ChartSection(tr(f"ui.forecast.{name}"), plot, self._save)
            for name, plot in zip(names, self._plots, strict=True)
        )
        column = fill(vertical(inside, spacing=8, margins=(12, 8, 12, 8)), self.headline, self.summary, self.question)
        title = SectionHeader(tr("ui.forecast.courses-title"))
        fill(column, self._live_section, falls, self.notes, actions, rounds, self.pools, title, self.courses, sources)
        fill(column, self._change_section, self.change_rows, self.tuning, self.policies, STRETCH)
        return frameless_scroll_area(inside)

    def _commands_for(self, change: ChangeOutlook, merge: str = "") -> list[Command]:
        return charts.commands_for_change(self.model.encounter, self._document.encounter, change, merge)

    def _make_plan(self, plan: TunedPlan) -> None:
        """Apply the changes of a plan as one undo step."""
        hp = hit_points(self.model.encounter)
        self._make(commands_for(self._document.encounter, dict(plan.values), hp, uuid4().hex))

    def _make(self, commands: Sequence[Command]) -> None:
        for command in commands:
            if not self._document.execute(command):
                return

    def _set_policies(self) -> None:
        """Recompute the forecast with the policies in the form, and save them in the settings."""
        self.model.set_policies(self.policies.policies())
        party, enemies = self.policies.texts()
        if self._settings_store is not None:
            self._settings_store.update(forecast_party=party, forecast_enemies=enemies)

    def _show_tuning(self) -> None:
        variables = variables_of(self._document.encounter)
        self.tuning.setVisible(bool(variables))
        self.tuning.show_variables(self._document.encounter, variables)
        self.tuning.show_search(self.tuning_model, self.model.encounter, hit_points(self.model.encounter))

    def _choose(self, owner: str) -> None:
        """Select a combatant (before the fight, its roster entry) or an environment."""
        combatant = self.model.encounter.get(Combatant, owner)
        roster = combatant.roster if combatant is not None else ""
        keys = ((Combatant.table, owner), (RosterEntry.table, roster), (Environment.table, owner))
        key = next((candidate for candidate in keys if self._document.encounter.record(candidate) is not None), None)
        if key is not None:
            self._document.select(key)

    def _save(self, title: str, plot: LazyPlot) -> None:
        """Ask for a file and save a chart to it as a picture or a table, depending on the suffix."""
        self.show_all()
        if (path := save_chart(title, plot, self)) is not None:
            self.saved.emit(tr("ui.chart.saved", file=path.name))
