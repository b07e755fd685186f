"""The inspectors of prepared records (countdown, environment, handout, treasure, reminder), and of problems."""

from collections.abc import Callable
from functools import partial
from typing import Any, get_args

from PySide6.QtCore import QModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QMenu, QSizePolicy, QWidget

from turnwright.encounter import field_specs, prepared
from turnwright.ui.docks.dock import Dock
from turnwright.ui.docks.editing.inspector import ChildListEditor, InspectorDock
from turnwright.ui.docks.shared import library_transfer, row_view, why_prepared
from turnwright.ui.forms import encounter_layouts, environment_layouts, kinds
from turnwright.ui.forms.fields import Field, PickField
from turnwright.ui.forms.form import Form, FormLayout, form_layout, form_rows
from turnwright.ui.look.style import GAP, SPACE, ThemeSource, escaped_tooltip, scaled, tr
from turnwright.ui.models import problems, world
from turnwright.ui.plots.countdown import CountdownPlot
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.fields import PickOption, set_menu
from turnwright.ui.widgets.layout import SectionHeader, fill, horizontal
from turnwright.ui.widgets.paint import draw_focus
from turnwright.ui.widgets.records.world_panel import DiceRow
from turnwright.ui.widgets.rules.why import WhyPopup
from turnwright.ui.widgets.text import named, plain_label, tool_button

MAX_DICE = field_specs.spec_of(prepared.Countdown, "dice").most
DIE_SIDES = 6


class CountdownDock(InspectorDock):
    """Edits a countdown."""

    kind = prepared.Countdown
    name = "countdown"
    icon_name = "timer-sand"
    other_tables = (prepared.Environment.table, prepared.RosterEntry.table)

    def __init__(self, document: DocumentModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(document, theme, parent)
        self._popup = WhyPopup(self)

    def build(self, context: kinds.FormContext, parent: QWidget) -> tuple[Form]:
        """Return the form, including the odds chart."""
        self.form = Form(COUNTDOWN, self.binding, context, parent)
        title = SectionHeader(tr("ui.chart.title"), "chart-bell-curve-cumulative")
        self.estimate_label = plain_label("", "body", wraps=True)
        self.plot = CountdownPlot(self._theme, self.form)
        fill(self.form.column, title, self.estimate_label, self.plot)
        for row in form_rows("countdown", "below-the-chart"):
            self.form.add_row(row)
        return (self.form,)

    def refresh_body(self) -> None:
        """Update the form, the estimate and the chart."""
        super().refresh_body()
        countdown = self.binding.value()
        odds = world.exact_odds(countdown, self._document.rules)
        about = world.estimated_rolls(countdown, self._document.rules)
        if odds is None or about is None:
            self.estimate_label.setText(tr("ui.chart.unknown"))
        else:
            self.estimate_label.setText(tr("ui.chart.expected", n=about, mean=f"{odds.mean:.2f}"))
        self.plot.set_odds(odds, countdown.starts)

    def explain(self) -> bool:
        """Explain how long the countdown lasts. Return False if no countdown is shown."""
        countdown = self.binding.value()
        if countdown is not None:
            self._popup.open(why_prepared.explain_countdown(self._document, countdown), next_to=self.estimate_label)
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
        middle = Qt.AlignmentFlag.AlignVCenter
        row = fill(horizontal(spacing=SPACE), (self.count, 0, middle))
        row.addSpacing(scaled(SPACE))
        self.column.addLayout(fill(row, (self.dice, 1), (self.fewer_button, 0, middle), (self.more_button, 0, middle)))
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
        if (dice := min(MAX_DICE, max(1, self._value + by))) != self._value:
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
            with QPainter(self) as painter:
                draw_focus(painter, QRectF(self.rect()))


def _speed(request: kinds.FieldRequest) -> Field:
    """Return the field for a countdown's speed: slow, medium or fast, each with the faces that remove a die."""
    options = []
    for speed in get_args(prepared.CountdownSpeed):
        face = request.context.rules.countdown_faces.get(speed, DIE_SIDES)
        faces = str(face) if face >= DIE_SIDES else f"{face}–{DIE_SIDES}"
        name = f"{tr(f'ui.countdown.speed-{speed}').capitalize()}  {faces}"
        options.append(PickOption(speed, name, tr("ui.countdown.leaves", faces=faces)))
    return PickField(lambda: options, request.words())


COUNTDOWN = form_layout(
    "countdown",
    prepared.Countdown,
    fields={"dice": lambda _request: DicePoolField(), "speed": _speed, "outcomes": environment_layouts.outcomes},
)


class EnvironmentDock(InspectorDock):
    """Edits an environment. A new one is empty or a copy of a shipped environment."""

    kind = prepared.Environment
    name = "environment"
    icon_name = "earth"

    def __init__(self, document: DocumentModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(document, theme, parent)
        if self.empty.button is not None:
            menu = QMenu(self)
            menu.aboutToShow.connect(menu.clear)
            menu.aboutToShow.connect(lambda: library_transfer.fill_environments(menu, document, self.add_copy))
            self.empty.button.setMenu(menu)

    def build(self, context: kinds.FormContext, parent: QWidget) -> tuple[Form | ChildListEditor, ...]:
        """Return the forms for the environment and its notes, and the lists of features and world actions."""
        self.place = Form(environment_layouts.ENVIRONMENT, self.binding, context, parent)
        self.base = plain_label("", "caption", "muted", wraps=True)
        self.place.column.addWidget(self.base)
        feature, action = tr("ui.environment-entry.new-feature"), tr("ui.environment-entry.new-action")

        def rows(
            collection: str, icon_name: str, layout: FormLayout, create: Callable[[str], prepared.EnvironmentEntry]
        ) -> ChildListEditor:
            editor = ChildListEditor(
                self.binding,
                collection,
                f"ui.environment-entry.{collection}",
                icon_name,
                create,
                lambda subject, holder: Form(layout, subject, context, holder),
                environment_layouts.describe_entry(context.rules.data),
                parent,
                can_be_disabled=True,
                empty_text=tr(f"ui.environment-entry.no-{collection}"),
            )
            words = tr("ui.environment-entry.copy-from")
            editor.copy_button = editor.header.add_button("content-copy", words, lambda: None)
            set_menu(editor.copy_button, lambda menu: self._fill_copies(menu, editor, collection))
            return editor

        new_feature = partial(prepared.EnvironmentEntry, name=feature, kind="area", trigger="standing")
        new_action = partial(prepared.EnvironmentEntry, name=action, affects="each", recharge=5)
        self.feature_rows = rows("features", "pine-tree", environment_layouts.FEATURE, new_feature)
        self.action_rows = rows("actions", "weather-lightning", environment_layouts.ACTION, new_action)
        notes = Form(environment_layouts.ENVIRONMENT_NOTES, self.binding, context, parent)
        return self.place, self.feature_rows, self.action_rows, notes

    def add_copy(self, base: prepared.Environment | None) -> None:
        """Add a copy of a shipped environment to the encounter, or an empty one if `base` is None, and show it."""
        self.show_new(library_transfer.add_environment(self._document, base))

    def refresh_body(self) -> None:
        """Update the form and the name of the shipped environment that this one is based on."""
        super().refresh_body()
        shipped = self._document.rules.environments.get(self.binding.value().source)
        self.base.setText(tr("ui.environment.based-on", what=shipped.name) if shipped else "")
        self.base.setVisible(shipped is not None)

    def add_buttons(self, row: QHBoxLayout) -> None:
        """Add the buttons next to the combo box. The first opens a menu of environments to copy."""
        super().add_buttons(row)
        set_menu(self.add_button, lambda menu: library_transfer.fill_environments(menu, self._document, self.add_copy))

    def _fill_copies(self, menu: QMenu, editor: ChildListEditor, collection: str) -> None:
        others = [other for other in self._document.encounter.all(prepared.Environment) if other.id != self.binding.id]
        for environment in (*others, *self._document.rules.data.environments):
            rows = getattr(environment, collection)
            if not rows:
                continue
            inner = menu.addMenu(environment.name or environment.id)
            for row in rows:
                inner.addAction(row.name or row.id, partial(editor.insert, row))


class HandoutDock(InspectorDock):
    """Edits a handout. Emits `sendRequested(handout)` to show it to the players."""

    sendRequested = Signal(object)
    kind = prepared.Handout
    name = "handout"
    form_layout = encounter_layouts.HANDOUT
    icon_name = "email-outline"

    def add_buttons(self, row: QHBoxLayout) -> None:
        super().add_buttons(row)
        self.send_button = tool_button("send", tr("ui.handout.send"), self._send)
        row.addWidget(self.send_button)

    def _send(self) -> None:
        if isinstance(handout := self.binding.value(), prepared.Handout):
            self.sendRequested.emit(handout)


class ReminderDock(InspectorDock):
    """Edits a reminder."""

    kind = prepared.Reminder
    name = "reminder"
    form_layout = encounter_layouts.REMINDER
    icon_name = "bell-outline"
    other_tables = (prepared.RosterEntry.table, prepared.Countdown.table)


class TreasureDock(InspectorDock):
    """Edits treasure."""

    kind = prepared.Treasure
    name = "treasure"
    form_layout = encounter_layouts.TREASURE
    icon_name = "treasure-chest-outline"


class ProblemsDock(Dock):
    """Lists the problems and shows their number in the title. Emits `editRequested(key)` when the user opens one."""

    name = "problems"
    editRequested = Signal(object)

    def __init__(self, document: DocumentModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(document, theme, parent)
        self.model = problems.ProblemsModel(document, self)
        self.view = named(row_view.RowView(), tr("ui.problems.name"))
        self.view.setModel(self.model)
        self.view.setItemDelegate(row_view.RowDelegate(self.view))
        header = self.view.horizontalHeader()
        header.setSectionResizeMode(problems.MESSAGE, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(problems.WHERE, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(problems.LINE, QHeaderView.ResizeMode.ResizeToContents)
        header.setHighlightSections(False)
        header.setVisible(True)
        self.empty = plain_label(tr("ui.problems.none"), tone="muted")
        self.empty.setContentsMargins(scaled(12), scaled(GAP), scaled(12), scaled(GAP))
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.set_pages(self.view, self.empty)
        self.view.clicked.connect(self._select)
        self.view.selectionModel().currentRowChanged.connect(lambda index, _before: self._select(index))
        self.view.rowActivated.connect(self._open)
        self.model.countChanged.connect(self._count)
        self._count(self.model.rowCount())

    def _count(self, n: int) -> None:
        self.set_title(tr("ui.problems.title", n=n))
        shown = self.view if n else self.empty
        for page in (self.view, self.empty):  # so that the dock is only as high as the page shown
            policy = QSizePolicy.Policy.Preferred if page is shown else QSizePolicy.Policy.Ignored
            page.setSizePolicy(policy, policy)
        self._stack.setCurrentWidget(shown)

    def _select(self, index: QModelIndex) -> None:
        problem = self.model.problem_at(index)
        if problem is not None and problem.target is not None and self._document.encounter.record(problem.target):
            self._document.select(problem.target)

    def _open(self, index: QModelIndex) -> None:
        if (problem := self.model.problem_at(index)) is not None and problem.target is not None:
            self.editRequested.emit(problem.target)
