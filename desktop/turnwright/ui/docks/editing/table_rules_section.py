"""A collapsible section with the scenarios and house rules of the encounter.

Only options that differ from their default are written to the encounter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QSizePolicy, QWidget

from turnwright.encounter.prepared import Countdown, Scene
from turnwright.rules.system_data.known_ids import SUSPENSIONS
from turnwright.rules.system_data.rounds import TableRule
from turnwright.ui.docks.editing.inspector import CollapsibleSection
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.forms.compound_fields import MultiChoiceField
from turnwright.ui.forms.fields import Field
from turnwright.ui.forms.form import Form, FormLayout, Row, WrappingRow
from turnwright.ui.forms.kinds import Binding, FormContext
from turnwright.ui.look.style import GAP, SPACE, scaled, tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.layout import STRETCH, HorizontalLine, fill, horizontal, vertical
from turnwright.ui.widgets.rules.why import Explanation, WhyCard, WhyPopup
from turnwright.ui.widgets.text import named, plain_label, push_button, set_style

SCENARIO_TOPIC = "scenario.not-only-combat"
MIN_WIDTH = 232


def is_rule_on(options: Sequence[str], rule: TableRule) -> bool:
    """Whether a house rule is on in an encounter with these options."""
    return rule.id in options or (rule.default and _off(rule) not in options)


def with_option(options: Sequence[str], rule: TableRule, *, on: bool) -> tuple[str, ...]:
    """Return the options with a rule turned on or off.

    A setting that differs from the default is stored as `id` or `not id`; the default isn't stored.
    """
    result = [option for option in options if option not in (rule.id, _off(rule))]
    if on != rule.default:
        result.append(rule.id if on else _off(rule))
    return tuple(result)


def changed_rules(options: Sequence[str], rules: Sequence[TableRule]) -> list[TableRule]:
    """Return the rules that aren't set to their default."""
    return [rule for rule in rules if is_rule_on(options, rule) != rule.default]


def _off(rule: TableRule) -> str:
    return f"not {rule.id}"


class OptionCheckBox(QWidget):
    """A house rule: check box, name and description. A click anywhere on it toggles the box."""

    def __init__(
        self, rule: TableRule, explain_rules: Callable[[OptionCheckBox], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.rule = rule
        self._why = explain_rules
        self.box = named(QCheckBox(), rule.name)
        self.name = plain_label(rule.name, wraps=True)
        self.caption = plain_label(rule.text, "caption", "muted", wraps=True)
        words = fill(vertical(spacing=2), self.name, self.caption, STRETCH)
        fill(horizontal(self, spacing=SPACE), (self.box, 0, Qt.AlignmentFlag.AlignTop), (words, 1))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def set_checked(self, *, on: bool) -> None:
        """Tick or clear the box, and highlight a setting that differs from the default."""
        with QSignalBlocker(self.box):
            self.box.setChecked(on)
        unusual = on != self.rule.default
        self.caption.setText(tr("ui.table-rules.unusual", text=self.rule.text) if unusual else self.rule.text)
        self.box.setAccessibleDescription(self.caption.text())
        set_style(self.name, "tone", "accent" if unusual else "")

    def explain(self) -> bool:
        """Show the rule texts. Always return True."""
        self._why(self)
        return True

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.box.setFocus(Qt.FocusReason.MouseFocusReason)
            self.box.click()


class OptionsField(Field):
    """The house rules of a system as check boxes. Its value is the tuple of options that differ from the default."""

    def __init__(self, rules: Sequence[TableRule], explain_rules: Callable[[OptionCheckBox], None]) -> None:
        super().__init__()
        self._value: tuple[str, ...] = ()
        self.check_boxes: dict[str, OptionCheckBox] = {}
        grid = WrappingRow(2, MIN_WIDTH, self)
        grid.grid.setContentsMargins(0, 0, 0, 0)
        grid.grid.setHorizontalSpacing(scaled(GAP * 2))
        grid.grid.setVerticalSpacing(scaled(GAP))
        for rule in rules:
            tick = OptionCheckBox(rule, explain_rules, grid)
            tick.box.toggled.connect(lambda on, rule=rule: self.edited.emit(with_option(self._value, rule, on=on)))
            tick.box.clicked.connect(lambda _on: self.editingFinished.emit())
            self.check_boxes[rule.id] = tick
            grid.add(tick)
        self.column.addWidget(grid)
        self.reset_button = push_button(tr("ui.table-rules.all-usual"), self._forget, "quiet", "restore")
        self.column.addLayout(fill(QHBoxLayout(), self.reset_button, STRETCH))
        if self.check_boxes:
            self.setFocusProxy(next(iter(self.check_boxes.values())).box)

    def show_value(self, value: Any) -> None:
        """Tick the rules that are on."""
        self._value = tuple(value)
        for tick in self.check_boxes.values():
            tick.set_checked(on=is_rule_on(self._value, tick.rule))
        rules = [tick.rule for tick in self.check_boxes.values()]
        self.reset_button.setVisible(bool(changed_rules(self._value, rules)))

    def set_name(self, name: str) -> None:
        """Ignore the name: the check boxes have their own accessible names."""

    def _forget(self) -> None:
        value = self._value
        for tick in self.check_boxes.values():
            value = with_option(value, tick.rule, on=tick.rule.default)
        if self.check_boxes:
            next(iter(self.check_boxes.values())).box.setFocus()
        self.edited.emit(value)
        self.editingFinished.emit()


def suspension_text(id: str) -> str:
    """Return the name of the medium in which all combatants float. A custom name is returned unchanged."""
    return tr(f"ui.table-rules.suspended-{id}") if id in SUSPENSIONS else id


class TableRulesSection(CollapsibleSection):
    """The section for scenarios and house rules. `add_countdown` adds a countdown, the only scenario with a record."""

    def __init__(
        self, document: DocumentModel, scene: Binding, add_countdown: Callable[[], None], parent: QWidget
    ) -> None:
        super().__init__(tr("ui.table-rules.title"), parent)
        self._document = document
        self._scene = scene
        self._add_countdown = add_countdown
        self._popup = WhyPopup(self)

    def build_form(self, parent: QWidget) -> Form:
        """Return the form of the scene's options."""
        form = Form(self._layout(), self._scene, FormContext.of(self._document), parent)
        form.add_row(Row(("suspended", "rolling")))
        self.together = plain_label("", "caption", "muted", wraps=True)
        self.add_button = push_button(tr("ui.roster.add-countdown"), self._add_countdown, "quiet", "timer-sand")
        form.column.addLayout(fill(horizontal(), (self.together, 1), (self.add_button, 0, Qt.AlignmentFlag.AlignTop)))
        if self._rules():
            form.column.addWidget(HorizontalLine(form))
            form.add_row(Row(("options",)))
        return form

    def _layout(self) -> FormLayout:
        suspensions = [(id, suspension_text(id)) for id in SUSPENSIONS]
        return FormLayout(
            Scene,
            words="ui.table-rules",
            fields={
                "suspended": lambda request: MultiChoiceField(suspensions, own_caption=request.words("own")),
                "options": lambda _request: OptionsField(self._rules(), self._explain_tick),
            },
        )

    def refresh_content(self, form: Form) -> None:
        """Update the form and the list of scenarios below it."""
        super().refresh_content(form)
        on = self._scenarios()
        self.together.setText(tr("ui.table-rules.together", what=", ".join(on)) if on else tr("ui.table-rules.plain"))
        self.add_button.setVisible(not self._document.encounter.ids(Countdown))

    def toggle_text(self) -> str:
        """Return the heading's current action: open or close."""
        return tr(f"ui.table-rules.{'close' if self.is_open() else 'open'}")

    def summary(self) -> str:
        """Return the active scenarios and the non-default rules, or an empty string while the section is expanded."""
        if self.is_open():
            return ""
        scene = self._scene.value()
        differ = changed_rules(scene.options if isinstance(scene, Scene) else (), self._rules())
        names = [tr("ui.table-rules.without", what=rule.name) if rule.default else rule.name for rule in differ]
        return " · ".join((*self._scenarios(), *names)) or tr("ui.table-rules.usual")

    def explain(self) -> bool:
        """Show the rule on scenarios other than combat. Return False if the rule system has no such rule."""
        explain = explainer(self._document)
        lines = explain.rule_lines((explain.rule_on_topic(SCENARIO_TOPIC),))
        self._popup.open(Explanation(tr("ui.table-rules.title"), "", tuple(lines)), next_to=self.button)
        return bool(lines)

    def card(self) -> WhyCard | None:
        """Return the open why-card, or None if none is open."""
        return self._popup.card()

    def _scenarios(self) -> list[str]:
        """Return the names of the scenarios that are on."""
        scene, names = self._scene.value(), list[str]()
        if isinstance(scene, Scene):
            names += [suspension_text(medium) for medium in scene.suspended]
            names += [tr("ui.table-rules.rolling-short")] if scene.rolling else []
        countdowns = len(self._document.encounter.ids(Countdown))
        return [*names, tr("ui.table-rules.countdowns", n=countdowns)] if countdowns else names

    def _explain_tick(self, tick: OptionCheckBox) -> None:
        state = tr(f"ui.table-rules.{'on' if tick.box.isChecked() else 'off'}")
        lines = explainer(self._document).rule_lines(tick.rule.ledger)
        self._popup.open(Explanation(tick.rule.name, state, tuple(lines), (), (tick.rule.text,)), next_to=tick)

    def _rules(self) -> tuple[TableRule, ...]:
        return self._document.rules.data.options
