"""The Report panel: a summary of the fight, a table of combatants, charts, and buttons to save, print and copy it."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QCheckBox, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from turnwright.encounter.running import InitialForecast
from turnwright.play.table.game_master import KeepForecast
from turnwright.report.fight_report import CombatantReport, FightReport, RoundReport
from turnwright.report.markdown import combatants_in_order, summary
from turnwright.ui.docks.dock import Dock
from turnwright.ui.docks.shared.chart_section import ChartSection, save_chart, write_chart
from turnwright.ui.look.style import ThemeSource, escaped_tooltip, scaled, tr
from turnwright.ui.plots.bars import Bar, BarPlot
from turnwright.ui.plots.lazy_plot import LazyPlot
from turnwright.ui.plots.steps import StepPlot, StepRow
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.settings_store import ask_save_path
from turnwright.ui.services.workers import LatestTask
from turnwright.ui.widgets.layout import (
    STRETCH,
    EmptyState,
    FlowRow,
    SectionHeader,
    fill,
    frameless_scroll_area,
    vertical,
)
from turnwright.ui.widgets.text import plain_label, push_button
from turnwright.workspace.print_job import initial_forecast, players_report_of, report_of, report_text

MOST_BARS = 12
COLUMN_GAP = 20
TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
HUNDRED = tuple((float(at), f"{at} %") for at in range(0, 101, 25))
COLUMNS = ("who", "dealt", "taken", "hits", "fell")


class ReportDock(Dock):
    """Shows the report of the fight while it is visible.

    Emits `saved(text)` with a message about a saved file, and `printRequested(edition)` to print the report.
    """

    name = "report"
    saved = Signal(str)
    printRequested = Signal(str)

    def __init__(self, document: DocumentModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(document, theme, parent)
        self._report: FightReport | None = None
        self.empty = EmptyState("script-text-outline", tr("ui.report.none"))
        self.empty.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.summary = plain_label("", "body", wraps=True)
        self.for_players = QCheckBox(tr("ui.report.for-players"))
        self.save_button = push_button(tr("ui.report.save"), self._save, icon_name="download")
        self.copy_button = push_button(tr("ui.report.copy"), self._copy, icon_name="content-copy")
        self.print_button = push_button(tr("ui.report.print"), self._print, icon_name="printer")
        self.foresee_button = push_button(tr("ui.report.foresee"), self.foresee, icon_name="crystal-ball")
        buttons = {"save": self.save_button, "print": self.print_button, "foresee": self.foresee_button}
        for name, button in {"for-players": self.for_players, **buttons}.items():
            button.setToolTip(escaped_tooltip(tr(f"ui.report.{name}-tip")))
        self.table = _table()
        self.damage = BarPlot(theme, tr("ui.report.damage-title"), "accent")
        self.course = StepPlot(theme, self._course_title())
        self.falls = BarPlot(theme, tr("ui.report.falls-title"), "harm")
        self.set_pages(self.empty, self._inside())
        self.for_players.toggled.connect(lambda _on: self.refresh())
        self._foreseeing = LatestTask(self)
        document.follow(self._on_changed)
        self.visibilityChanged.connect(lambda _visible: self._on_changed())
        self.refresh()

    def refresh(self) -> None:
        """Show the report of the fight so far, or a placeholder before the first round."""
        session, text = self._document.source.session, self._document.phrasebook.text
        report = players_report_of(session, text) if self.for_players.isChecked() else report_of(session)
        self._stack.setCurrentIndex(1 if report.rounds else 0)
        if not report.rounds or report == self._report:
            return
        self._report = report
        self.summary.setText("\n".join(summary(report, self._document.phrasebook.text)))
        self._fill_table(report)
        _show_damage(self.damage, report)
        _show_course(self.course, report)
        _show_falls(self.falls, report)
        self._falls_section.setVisible(_has_falls(report))

    def foresee(self) -> None:
        """Simulate the fight from its start in the background, and store the forecast with the fight."""
        document, encounter, rules = self._document.source, self._document.encounter, self._document.rules
        self.foresee_button.setEnabled(False)
        self.foresee_button.setText(tr("ui.report.foreseeing"))

        def end(result: object) -> None:
            self.foresee_button.setEnabled(True)
            self.foresee_button.setText(tr("ui.report.foresee"))
            if isinstance(result, InitialForecast) and self._document.source is document:
                self._document.execute(KeepForecast(result.won, result.rounds, result.falls))
            elif result is None:
                self.saved.emit(tr("ui.report.no-initial-forecast"))

        self._foreseeing.start(lambda: initial_forecast(encounter, rules), end, end)

    def _on_changed(self) -> None:
        if self.isVisible():
            self.refresh()

    def _inside(self) -> QWidget:
        inside = QWidget()
        column = vertical(inside, spacing=8, margins=(12, 8, 12, 8))
        row = fill(FlowRow(), self.save_button, self.print_button, self.copy_button, self.foresee_button)
        row.add(self.for_players)
        charts = (
            (tr("ui.report.damage-title"), self.damage),
            (self._course_title(), self.course),
            (tr("ui.report.falls-title"), self.falls),
        )
        sections = [ChartSection(title, plot, self._save_chart) for title, plot in charts]
        self._falls_section = sections[-1]
        fill(column, self.summary, row, SectionHeader(tr("ui.report.table")), self.table, *sections, STRETCH)
        return frameless_scroll_area(inside)

    def _course_title(self) -> str:
        return self._document.phrasebook.text("ui.report.course-title")

    def _fill_table(self, report: FightReport) -> None:
        """Fill the table with a row for each combatant, the party first."""
        rows = combatants_in_order(report)
        self.table.setRowCount(len(rows))
        for at, combatant in enumerate(rows):
            for column, text in enumerate(_cells(combatant)):
                item = QTableWidgetItem(text)
                if column:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.table.setItem(at, column, item)
        self._fit_table()

    def _fit_table(self) -> None:
        """Fit the number columns to their texts and the table's height to its rows. Names take the remaining width."""
        table, metrics = self.table, self.table.fontMetrics()
        for column in range(1, table.columnCount()):
            items = [table.item(row, column) for row in range(table.rowCount())]
            texts = [item.text() for item in items if item is not None]
            table.setColumnHidden(column, not any(texts))
            texts.append(tr(f"report.short-{COLUMNS[column]}"))
            table.setColumnWidth(column, max(map(metrics.horizontalAdvance, texts)) + scaled(COLUMN_GAP))
        for row in range(table.rowCount()):
            table.setRowHeight(row, metrics.height() + scaled(6))
        heights = [table.rowHeight(row) for row in range(table.rowCount())]
        table.setFixedHeight(table.horizontalHeader().sizeHint().height() + 2 * table.frameWidth() + sum(heights))

    def _text(self) -> str:
        """Return the current report as Markdown."""
        assert self._report is not None
        for_players = self.for_players.isChecked()
        return report_text(self._report, self._document.encounter, self._document.phrasebook, for_players=for_players)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text())
        self.saved.emit(tr("ui.report.copied"))

    def _print(self) -> None:
        self.printRequested.emit("players" if self.for_players.isChecked() else "game-master")

    def _save(self) -> None:
        """Ask for a file, save the report to it, and save the charts in the same folder."""
        suggested = Path.home() / f"{self.name}.md"
        path = ask_save_path(self, tr("ui.report.save-title"), suggested, tr("ui.report.save-kind"), ".md")
        if path is None:
            return
        path.write_text(self._text(), encoding="utf-8")
        charts: dict[str, LazyPlot] = {"damage": self.damage, "rounds": self.course}
        if self._report is not None and _has_falls(self._report):
            charts["forecast"] = self.falls
        for name, plot in charts.items():
            write_chart(plot, path.with_name(f"{path.stem}-{name}.svg"))
        self.saved.emit(tr("ui.report.saved", file=path.name))

    def _save_chart(self, title: str, plot: LazyPlot) -> None:
        if (path := save_chart(title, plot, self)) is not None:
            self.saved.emit(tr("ui.chart.saved", file=path.name))


def _table() -> QTableWidget:
    """Create the read-only table of combatants."""
    table = QTableWidget(0, len(COLUMNS))
    for column, name in enumerate(COLUMNS):
        head = QTableWidgetItem(tr(f"report.short-{name}"))
        side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
        head.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        table.setHorizontalHeaderItem(column, head)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
    table.setTabKeyNavigation(False)
    table.setAccessibleName(tr("ui.report.table"))
    table.verticalHeader().hide()
    table.setShowGrid(False)
    header = table.horizontalHeader()
    header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    header.setMinimumSectionSize(scaled(COLUMN_GAP))
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return table


def _cells(combatant: CombatantReport) -> tuple[str, ...]:
    """Return the texts of a combatant's table row."""
    hits = tr("report.hits-of", hits=combatant.hits, attacks=combatant.attacks) if combatant.attacks else ""
    fell = tr("report.short-round", round=combatant.fell) if combatant.fell else ""
    fell = tr("report.dead") if combatant.dead else fell
    fate = ", ".join(part for part in (fell, tr("report.gone") if combatant.gone else "") if part)
    return (combatant.label, str(combatant.dealt or ""), str(combatant.taken or ""), hits, fate)


def _show_damage(plot: BarPlot, report: FightReport) -> None:
    """Show the damage that each combatant dealt and took, starting with the highest totals. Damage taken is hatched."""
    harmed = [combatant for combatant in report.combatants if combatant.dealt or combatant.taken]
    rows = sorted(harmed, key=lambda row: -row.dealt - row.taken)
    bars = []
    for combatant in rows[:MOST_BARS]:
        for kind, amount in (("dealt", combatant.dealt), ("taken", combatant.taken)):
            if amount:
                key, params = f"ui.report.{kind}", {"name": combatant.label, "n": amount}
                name, text = tr(key, **params), tr(f"{key}-row", **params)
                bars.append(Bar(name, amount, amount, amount, text, hatched=kind == "taken"))
    highest = max((bar.value for bar in bars), default=1.0)
    step = next((tick for tick in TICKS if highest <= 5 * tick), TICKS[-1])
    ticks = tuple((float(at), str(at)) for at in range(0, int(highest) + step, step))
    plot.set_bars(tuple(bars), ticks, summary=tr("ui.report.damage-summary"))


def _show_course(plot: StepPlot, report: FightReport) -> None:
    """Show the hit points of both sides by round."""
    rows = tuple(_step(round_report) for round_report in (report.start, *report.course))
    both = all(round_report.others is not None for round_report in report.course)
    names = (tr("ui.report.column-party"), tr("ui.report.column-others"))[: 1 + both]
    text = tr("ui.report.course-summary" if both else "ui.report.course-party")
    plot.set_rows(rows, names, axis=tr("ui.chart.axis-round"), summary=text)


def _has_falls(report: FightReport) -> bool:
    """Whether the forecast stored with the fight includes chances to fall."""
    return report.initial_forecast is not None and bool(report.initial_forecast.falls)


def _show_falls(plot: BarPlot, report: FightReport) -> None:
    """Show each party member's forecast chance of falling. The bar is hatched if that member did fall."""
    fallen = {combatant.label for combatant in report.combatants if combatant.fell or combatant.dead}
    falls = report.initial_forecast.falls if report.initial_forecast is not None else ()
    bars = []
    for who, chance in falls:
        text = tr("ui.report.falls-fell" if who in fallen else "ui.report.falls-row", who=who, chance=chance)
        bars.append(Bar(who, chance, chance, chance, text, hatched=who in fallen))
    plot.set_bars(tuple(bars), HUNDRED, summary=tr("ui.report.falls-summary"))


def _step(round_report: RoundReport) -> StepRow:
    """Convert one round of the report to a chart row."""
    key = "ui.report." + ("course-row" if round_report.round else "course-start")
    if round_report.others is None:
        text = tr(f"{key}-party", round=round_report.round, party=round_report.party)
        return StepRow(round_report.round, (round_report.party,), text)
    text = tr(key, round=round_report.round, party=round_report.party, others=round_report.others)
    return StepRow(round_report.round, (round_report.party, round_report.others), text)
