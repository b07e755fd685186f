"""The headline, the notes and the tuning in the Forecast panel.

The headline of the forecast: the chance of victory, its confidence interval, and other chances as chips.

The collapsible list of the forecast's omissions and assumptions. Each entry opens its record.

Tuning in the Forecast panel: the target chances, the quantities that may change, and the resulting plans.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QLabel, QSizePolicy, QToolButton, QWidget

from turnwright.encounter.state import Encounter, Key, Lookup
from turnwright.forecast.estimate import Chance, Outlook
from turnwright.forecast.sentences import WIDE, band, headline, idle_characters, note_parts, percent, pool_name
from turnwright.forecast.sheet import SheetNote
from turnwright.ui.docks.forecast.charts import ChangeRows, FoldSection
from turnwright.ui.look.style import current_theme, scaled, tr
from turnwright.ui.models.forecast import TuningModel
from turnwright.ui.widgets.fields import NumberField
from turnwright.ui.widgets.layout import STRETCH, FlowRow, fill, horizontal, vertical
from turnwright.ui.widgets.text import discard, plain_label, push_button, set_style, text_button
from turnwright.workspace import fight_tuning

BAR_HEIGHT = 12


class IntervalBar(QWidget):
    """Shows a chance on a scale from 0 to 1, with its confidence interval, and its range over all tactics in outline."""

    def __init__(self) -> None:
        super().__init__()
        self._chance, self._range = Chance(0, 0, 1), (0.0, 1.0)
        self._is_stale = True
        self.setFixedHeight(scaled(BAR_HEIGHT))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_chance(self, chance: Chance, tactics: tuple[float, float], *, is_stale: bool) -> None:
        """Show a chance and its range over all tactics, in grey if they are out of date."""
        self._chance, self._range, self._is_stale = chance, tactics, is_stale
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, width, height = current_theme(), self.width(), self.height()
        low, high = self._chance.low * width, self._chance.high * width
        with QPainter(self) as painter:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("line"))
            painter.drawRect(QRectF(0, height / 3, width, height / 3))
            colour = "edge" if self._is_stale else "accent"
            least, most = (chance * width for chance in self._range)
            painter.setBrush(theme.colour(colour, 70))
            painter.drawRect(QRectF(least, height / 6, max(most - least, 2), height * 2 / 3))
            painter.setBrush(theme.colour(colour, 120))
            painter.drawRect(QRectF(low, 0, max(high - low, 2), height))
            painter.setBrush(theme.colour("muted" if self._is_stale else "text"))
            painter.drawRect(QRectF(self._chance.value * width - 1, 0, 2, height))


class ForecastHeadline(QWidget):
    """The headline, the idle characters, the confidence interval in words and as a bar, and up to four chances as chips.

    Emits `partyEditRequested` to give idle characters the usual numbers of their class, and `playRequested` to show one
    of the fights.
    """

    partyEditRequested, playRequested = Signal(), Signal()

    def __init__(self) -> None:
        super().__init__()
        self.title = plain_label("", "number", wraps=True)
        self.band = plain_label("", "caption", "muted", wraps=True)
        self.bar, self.idle = IntervalBar(), plain_label("", "body", "warn", wraps=True)
        self.edit_party = push_button(tr("ui.forecast.edit-party"), self.partyEditRequested.emit)
        idle = fill(horizontal(), (self.idle, 1), self.edit_party)
        self.chips = FlowRow()
        self.play_button = push_button(tr("ui.forecast.play-fight"), self.playRequested.emit, "quiet", "play")
        play = fill(horizontal(), self.play_button, STRETCH)
        fill(vertical(self, spacing=4), self.title, idle, self.band, self.bar, self.chips, play)

    def show_outlook(
        self, lookup: Lookup, outlook: Outlook, *, is_stale: bool, is_running: bool, compiled: int = 100
    ) -> None:
        """Show a forecast. An outdated forecast stays visible in grey until it is replaced.

        `compiled` is the percentage of the simulation that is compiled.
        """
        sentence = headline(outlook)
        self.title.setText(tr(sentence.key, **dict(sentence.params)))
        tone = "muted" if is_stale else ""
        self.idle.setText(" ".join(tr(each.key, **dict(each.params)) for each in idle_characters(lookup, outlook)))
        for widget in (self.idle, self.edit_party):
            widget.setVisible(bool(self.idle.text()))
        set_style(self.title, "tone", tone)
        state = "stale" if is_stale else "compiling" if compiled < 100 else "more" if is_running else "done"
        low, high, fights = percent(outlook.won.low), percent(outlook.won.high), f"{outlook.fights:,}"
        tactics = band(outlook)
        if state in ("more", "done") and tactics[1] - tactics[0] > WIDE:
            state = "tactics"
        numbers = {"low": low, "high": high, "fights": fights, "percent": compiled, "n": percent(outlook.won.value)}
        self.band.setText(tr(f"ui.forecast.band-{state}", **numbers))
        self.bar.show_chance(outlook.won, tactics, is_stale=is_stale)
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


SHOWN = ("left-out", "never-chosen", "assumed", "used")


class NotesSection(FoldSection):
    """The notes on a forecast, grouped by list. The title shows their number. Emits `chosen(key)` on a click."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._notes: tuple[SheetNote, ...] = ()
        self.column.setSpacing(0)
        self.headings: list[QLabel] = []
        self.entries: list[QToolButton] = []

    def show_notes(self, encounter: Encounter, notes: tuple[SheetNote, ...]) -> None:
        """Show the notes. The section stays expanded or collapsed."""
        counts = Counter(note.list for note in notes)
        self.button.setText(tr("ui.forecast.notes", out=counts["left-out"], assumed=counts["assumed"]))
        if notes == self._notes:
            return
        self._notes = notes
        for widget in (*self.headings, *self.entries):
            discard(widget)
        self.headings, self.entries = [], []
        for list_ in SHOWN:
            if matches := [note for note in notes if note.list == list_]:
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


USUAL_WON, USUAL_FALLS = 70, 50
MOST = 999
FIELD_WIDTH = 68
UNSAID = (*fight_tuning.SWITCHES, "hp")  # kinds of variables whose current value isn't shown


class CheckRow(QWidget):
    """A check box with a wrapping text and fields at the end. A click anywhere on the row toggles the box."""

    def __init__(self, text: str, name: str, *fields: QWidget, is_checked: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.check = QCheckBox()
        self.check.setChecked(is_checked)
        self.check.setAccessibleName(name)
        fill(horizontal(self, spacing=4), self.check, (plain_label(text, "body", wraps=True), 1), *fields)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.check.click()
        super().mouseReleaseEvent(event)


class WishRow(CheckRow):
    """A target chance in percent, which is used only if its box is checked."""

    def __init__(self, text: str, value: int, *, is_wished: bool, parent: QWidget | None = None) -> None:
        self.field = NumberField(0, 100)
        self.field.set_number(value)
        self.field.setAccessibleName(text)
        super().__init__(text, text, self.field, is_checked=is_wished, parent=parent)

    def wish(self) -> float | None:
        """Return the target chance (0 to 1), or None if the box isn't checked."""
        return self.field.value() / 100 if self.check.isChecked() else None


class VariableRow(CheckRow):
    """A quantity that may change, with fields for its bounds."""

    def __init__(self, encounter: Encounter, variable: fight_tuning.Variable) -> None:
        self._variable = variable
        is_switch = variable.kind in fight_tuning.SWITCHES
        name = fight_tuning.variable_name(encounter, variable)
        text = tr("ui.forecast.tune.now", name=name, now=variable.now) if variable.kind not in UNSAID else name
        full_name = f"{tr(f'ui.forecast.tune.{variable.kind}')}: {text}"
        self.low, self.high = (NumberField(variable.least, MOST) for _ in range(2))
        for field, bound, value in ((self.low, "low", variable.low), (self.high, "high", variable.high)):
            field.set_number(value)
            field.setFixedWidth(scaled(FIELD_WIDTH))
            field.setAccessibleName(tr(f"ui.forecast.tune.{bound}", what=full_name))
        to = plain_label(tr("ui.forecast.tune.to"), "body")
        fields = () if is_switch else (self.low, to, self.high)
        super().__init__(text, full_name, *fields, is_checked=True)

    def variable(self) -> fight_tuning.Variable | None:
        """Return the variable with the entered bounds, or None if the box isn't checked."""
        if not self.check.isChecked():
            return None
        low, high = sorted((self.low.value(), self.high.value()))
        return msgspec.structs.replace(self._variable, low=low, high=high)


class TuningSection(FoldSection):
    """Target chances, variables with bounds, a search button, and the plans found.

    Emits `wanted(aim, variables)` to start a search, `cancelled` to stop it, and `chosen(plan)` to apply a plan.
    """

    wanted = Signal(object, object)
    cancelled = Signal()
    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__(tr("ui.forecast.tune.title"))
        self.won = WishRow(tr("ui.forecast.tune.won"), USUAL_WON, is_wished=True)
        self.falls = WishRow(tr("ui.forecast.tune.falls"), USUAL_FALLS, is_wished=False)
        self.rows: dict[fight_tuning.Variable, VariableRow] = {}
        self._headings: list[QLabel] = []
        self._names: tuple[str, ...] = ()
        self._plans: tuple[fight_tuning.TunedPlan, ...] = ()
        may = plain_label(tr("ui.forecast.tune.may"), "body")
        may.setProperty("heavy", True)
        self._variables, self.plan_rows = vertical(spacing=4), ChangeRows()
        self.plan_rows.requested.connect(lambda row: self.chosen.emit(self._plans[row]))
        self.search = push_button(tr("ui.forecast.tune.search"), self._search)
        self.stop = push_button(tr("ui.forecast.tune.stop"), self.cancelled.emit, kind="quiet")
        self.state = plain_label("", "body", "muted", wraps=True)
        line = fill(horizontal(), self.search, self.stop, STRETCH)
        fill(self.column, self.won, self.falls, may, self._variables, line, self.state, self.plan_rows)
        for row in (self.won, self.falls):
            row.check.toggled.connect(self._show_whether_it_can_search)

    def show_variables(self, encounter: Encounter, variables: Sequence[fight_tuning.Variable]) -> None:
        """Show the quantities that may change. Bounds that the user entered for the same variables are kept."""
        names = tuple(fight_tuning.variable_name(encounter, variable) for variable in variables)
        if tuple(self.rows) == tuple(variables) and names == self._names:
            return
        reusable = self.rows if names == self._names else {}
        self._names = names
        rows = {variable: reusable.get(variable) or VariableRow(encounter, variable) for variable in variables}
        for old in (*(row for variable, row in self.rows.items() if rows.get(variable) is not row), *self._headings):
            discard(old)
        self._headings = []
        kind = ""
        for variable, row in rows.items():
            if variable.kind != kind:
                kind = variable.kind
                self._headings.append(plain_label(tr(f"ui.forecast.tune.{kind}"), "caption", "muted"))
                self._variables.addWidget(self._headings[-1])
            if reusable.get(variable) is not row:
                row.check.toggled.connect(self._show_whether_it_can_search)
            self._variables.addWidget(row)
        self.rows = rows
        self._show_whether_it_can_search()

    def show_search(self, model: TuningModel, begun: Encounter, hp: Mapping[str, int]) -> None:
        """Show the progress of the search and the plans found."""
        self.stop.setVisible(model.is_running)
        self.search.setVisible(not model.is_running)
        if model.is_running:
            text = tr("ui.forecast.tune.running", n=model.tried, most=fight_tuning.MOST_TRIED)
        elif model.has_failed:
            text = tr("ui.forecast.failed")
        else:
            text = tr("ui.forecast.no-plans") if model.plans == () else ""
        self.state.setText(text)
        self.state.setVisible(bool(text))
        plans = model.plans or ()
        if plans != self._plans:
            self._plans = plans
            self._show_plans(begun, hp)

    def _show_plans(self, begun: Encounter, hp: Mapping[str, int]) -> None:
        texts = [plan_text(begun, plan, hp) for plan in self._plans]
        self.plan_rows.show_lines([(text, text, True) for text in texts])

    def _search(self) -> None:
        variables = [variable for row in self.rows.values() if (variable := row.variable()) is not None]
        self.wanted.emit(fight_tuning.Aim(self.won.wish(), self.falls.wish()), tuple(variables))

    def _show_whether_it_can_search(self, *_: object) -> None:
        wishes = self.won.check.isChecked() or self.falls.check.isChecked()
        self.search.setEnabled(wishes and any(row.check.isChecked() for row in self.rows.values()))


def plan_text(begun: Encounter, plan: fight_tuning.TunedPlan, hp: Mapping[str, int]) -> str:
    """Return the description of a plan: its changes and the resulting chances."""
    sentences = [fight_tuning.value_sentence(begun, variable, value, hp) for variable, value in plan.values]
    return tr(
        "ui.forecast.tune.plan",
        changes="; ".join(tr(sentence.key, **dict(sentence.params)) for sentence in sentences),
        won=percent(plan.won.value),
        low=percent(plan.won.low),
        high=percent(plan.won.high),
        falls=percent(plan.falls.value),
    )
