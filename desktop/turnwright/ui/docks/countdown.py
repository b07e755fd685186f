"""The countdown inspector: number of dice, speed, outcomes, and exact odds."""

from __future__ import annotations

from typing import Any, get_args

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from turnwright.encounter.field_specs import spec_of
from turnwright.encounter.prepared import Countdown, CountdownSpeed, Environment, RosterEntry
from turnwright.play.kernel.steps import Changed
from turnwright.rules.system import RuleSystem
from turnwright.ui.docks.editing.inspector import InspectorDock
from turnwright.ui.docks.shared.row_delegate import draw_focus
from turnwright.ui.docks.shared.why_sources import explain_countdown
from turnwright.ui.forms.environment_layouts import outcomes
from turnwright.ui.forms.fields import Field, PickField
from turnwright.ui.forms.form import Form, FormLayout, Row
from turnwright.ui.forms.kinds import FieldRequest, FormContext
from turnwright.ui.look.fonts import SPACE, scaled
from turnwright.ui.look.theme import ThemeSource
from turnwright.ui.look.tooltips import escaped_tooltip
from turnwright.ui.look.translations import tr
from turnwright.ui.models.countdown_odds import estimated_rolls, exact_odds
from turnwright.ui.plots.countdown import CountdownPlot
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.cards import SectionHeader
from turnwright.ui.widgets.layout import horizontal
from turnwright.ui.widgets.pick_row import PickOption
from turnwright.ui.widgets.records.dice_row import DiceRow
from turnwright.ui.widgets.rules.why_popup import WhyPopup
from turnwright.ui.widgets.text import plain_label, tool_button

MAX_DICE = spec_of(Countdown, "dice").most
DIE_SIDES = 6


class CountdownDock(InspectorDock):
    """Edits a countdown."""

    kind = Countdown
    name = "countdown"
    icon_name = "timer-sand"

    def __init__(self, document: DocumentModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(document, theme, parent)
        self._popup = WhyPopup(self)

    def build(self, context: FormContext, parent: QWidget) -> tuple[Form]:
        """Return the form, including the odds chart."""
        self.form = Form(COUNTDOWN, self.binding, context, parent)
        self.form.column.addWidget(SectionHeader(tr("ui.chart.title"), "chart-bell-curve-cumulative"))
        self.estimate_label = plain_label("", "body", wraps=True)
        self.form.column.addWidget(self.estimate_label)
        self.plot = CountdownPlot(self._theme, self.form)
        self.form.column.addWidget(self.plot)
        self.form.add_row(Row("outcomes", heading=("ui.outcome.title", "flag-variant")))
        self.form.add_row(Row("notes"))
        return (self.form,)

    def is_affected_by(self, changed: Changed) -> bool:
        """Whether a change affects this panel."""
        return changed.touches(Countdown.table, Environment.table, RosterEntry.table)

    def refresh_body(self) -> None:
        """Update the form, the estimate and the chart."""
        super().refresh_body()
        countdown = self.binding.value()
        odds = exact_odds(countdown, self._document.rules)
        about = estimated_rolls(countdown, self._document.rules)
        if odds is None or about is None:
            self.estimate_label.setText(tr("ui.chart.unknown"))
        else:
            self.estimate_label.setText(tr("ui.chart.expected", n=about, mean=f"{odds.mean:.2f}"))
        self.plot.set_odds(odds, countdown.starts)

    def explain(self) -> bool:
        """Explain how long the countdown lasts. Return False if no countdown is shown."""
        countdown = self.binding.value()
        if countdown is not None:
            self._popup.open(explain_countdown(self._document, countdown), next_to=self.estimate_label)
        return countdown is not None


class DicePoolField(Field):
    """Shows a countdown's dice. Buttons and the + and − keys change their number."""

    def __init__(self) -> None:
        super().__init__()
        self._value = 1
        self.dice = FocusableDiceRow()
        self.fewer_button = tool_button("minus", tr("ui.countdown.remove-die"), lambda: self._change(-1))
        self.more_button = tool_button("plus", tr("ui.countdown.add-die"), lambda: self._change(1))
        self.count = plain_label("", "number", "world")
        for button in (self.fewer_button, self.more_button):
            button.setAutoRepeat(True)
        row = horizontal(spacing=SPACE)
        row.addWidget(self.count, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addSpacing(scaled(SPACE))
        row.addWidget(self.dice, 1)
        row.addWidget(self.fewer_button, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.more_button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.column.addLayout(row)
        self.setFocusProxy(self.dice)
        self.dice.changeRequested.connect(self._change)
        self.dice.installEventFilter(self)

    def show_value(self, value: Any) -> None:
        """Draw this many dice. Their faces vary, because the pool hasn't been rolled yet."""
        self._value = value
        faces = tuple(DIE_SIDES - index % DIE_SIDES for index in range(value))
        if faces != self.dice.faces():
            self.dice.set_dice(faces)
            self.count.setText(str(value))
        self.dice.set_accessible_count(value)
        self.fewer_button.setEnabled(value > 1)
        self.more_button.setEnabled(value < MAX_DICE)

    def set_name(self, name: str) -> None:
        """Ignore the name: the dice set their own accessible name."""

    def _change(self, by: int) -> None:
        dice = min(MAX_DICE, max(1, self._value + by))
        if dice != self._value:
            self.edited.emit(dice)


class FocusableDiceRow(DiceRow):
    """A row of dice that accepts the keyboard focus.

    Emits `changeRequested(by)` when the user presses +, − or an arrow key.
    """

    changeRequested = Signal(int)

    def __init__(self) -> None:
        super().__init__("world", 26)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def set_accessible_count(self, count: int) -> None:
        """Set the accessible name to the number of dice, without the faces of the unrolled pool."""
        text = tr("ui.dice.unrolled", n=count)
        self.setAccessibleName(text)
        self.setToolTip(escaped_tooltip(f"{text}. {tr('ui.countdown.keys')}"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_Equal):
            self.changeRequested.emit(1)
        elif event.key() in (Qt.Key.Key_Minus, Qt.Key.Key_Down, Qt.Key.Key_Left):
            self.changeRequested.emit(-1)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self)
            draw_focus(painter, self.rect())
            painter.end()


def _speed(request: FieldRequest) -> Field:
    """Return the field for a countdown's speed: slow, medium or fast, each with the faces that remove a die."""
    faces = {speed: _faces(request.context.rules, speed) for speed in get_args(CountdownSpeed)}
    options = [
        PickOption(
            speed, f"{tr(f'ui.countdown.speed-{speed}').capitalize()}  {text}", tr("ui.countdown.leaves", faces=text)
        )
        for speed, text in faces.items()
    ]
    return PickField(lambda: options, request.words())


def _faces(rules: RuleSystem, speed: str) -> str:
    face = rules.countdown_faces.get(speed, DIE_SIDES)
    return str(face) if face >= DIE_SIDES else f"{face}–{DIE_SIDES}"


COUNTDOWN = FormLayout(
    Countdown,
    (Row("name"), Row("dice"), Row("speed"), Row("starts"), Row("unstoppable", "secret", wraps=(2, 156))),
    fields={
        "dice": lambda _request: DicePoolField(),
        "speed": _speed,
        "outcomes": outcomes,
    },
)
