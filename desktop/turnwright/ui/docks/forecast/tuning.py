"""Tuning in the Forecast panel: the target chances, the quantities that may change, and the resulting plans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QCheckBox, QLabel, QWidget

from turnwright.encounter.state import Encounter
from turnwright.forecast.sentences import percent
from turnwright.ui.docks.forecast.changes import ChangeRows
from turnwright.ui.docks.forecast.charts import FoldSection
from turnwright.ui.look.fonts import scaled
from turnwright.ui.look.translations import tr
from turnwright.ui.models.forecast import TuningModel
from turnwright.ui.widgets.fields import NumberField
from turnwright.ui.widgets.layout import STRETCH, fill, horizontal, vertical
from turnwright.ui.widgets.text import discard, plain_label, push_button
from turnwright.workspace.fight_tuning import (
    MOST_TRIED,
    SWITCHES,
    Aim,
    TunedPlan,
    Variable,
    value_sentence,
    variable_name,
)

USUAL_WON, USUAL_FALLS = 70, 50
MOST = 999
FIELD_WIDTH = 68
UNSAID = (*SWITCHES, "hp")  # kinds of variables whose current value isn't shown


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

    def __init__(self, encounter: Encounter, variable: Variable, parent: QWidget | None = None) -> None:
        self._variable = variable
        is_switch = variable.kind in SWITCHES
        name = variable_name(encounter, variable)
        text = tr("ui.forecast.tune.now", name=name, now=variable.now) if variable.kind not in UNSAID else name
        full_name = f"{tr(f'ui.forecast.tune.{variable.kind}')}: {text}"
        self.low, self.high = (NumberField(variable.least, MOST) for _ in range(2))
        for field, bound, value in ((self.low, "low", variable.low), (self.high, "high", variable.high)):
            field.set_number(value)
            field.setFixedWidth(scaled(FIELD_WIDTH))
            field.setAccessibleName(tr(f"ui.forecast.tune.{bound}", what=full_name))
        to = plain_label(tr("ui.forecast.tune.to"), "body")
        fields = () if is_switch else (self.low, to, self.high)
        super().__init__(text, full_name, *fields, is_checked=True, parent=parent)

    def variable(self) -> Variable | None:
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

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("ui.forecast.tune.title"), parent)
        self.won = WishRow(tr("ui.forecast.tune.won"), USUAL_WON, is_wished=True)
        self.falls = WishRow(tr("ui.forecast.tune.falls"), USUAL_FALLS, is_wished=False)
        self.rows: dict[Variable, VariableRow] = {}
        self._headings: list[QLabel] = []
        self._names: tuple[str, ...] = ()
        self._plans: tuple[TunedPlan, ...] = ()
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

    def show_variables(self, encounter: Encounter, variables: Sequence[Variable]) -> None:
        """Show the quantities that may change. Bounds that the user entered for the same variables are kept."""
        names = tuple(variable_name(encounter, variable) for variable in variables)
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
            text = tr("ui.forecast.tune.running", n=model.tried, most=MOST_TRIED)
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
        self.wanted.emit(Aim(self.won.wish(), self.falls.wish()), tuple(variables))

    def _show_whether_it_can_search(self, *_: object) -> None:
        wishes = self.won.check.isChecked() or self.falls.check.isChecked()
        self.search.setEnabled(wishes and any(row.check.isChecked() for row in self.rows.values()))


def plan_text(begun: Encounter, plan: TunedPlan, hp: Mapping[str, int]) -> str:
    """Return the description of a plan: its changes and the resulting chances."""
    sentences = [value_sentence(begun, variable, value, hp) for variable, value in plan.values]
    return tr(
        "ui.forecast.tune.plan",
        changes="; ".join(tr(sentence.key, **dict(sentence.params)) for sentence in sentences),
        won=percent(plan.won.value),
        low=percent(plan.won.low),
        high=percent(plan.won.high),
        falls=percent(plan.falls.value),
    )
