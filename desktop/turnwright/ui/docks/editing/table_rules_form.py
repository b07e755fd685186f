"""The fold below the setting: what else than a plain fight this is, and which of the system's choices the table makes.

Only what differs from the usual is written into the encounter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from turnwright.encounter.prepared import Countdown, Scene
from turnwright.rules.catalogue.table_rules import TableRule
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.answers import rule_lines
from turnwright.ui.docks.editing.compound import PicksField
from turnwright.ui.docks.editing.fields import Field, SwitchField
from turnwright.ui.docks.editing.fold import Fold
from turnwright.ui.docks.editing.form import Form, WrappingRow
from turnwright.ui.docks.editing.subjects import Subject
from turnwright.ui.docks.explain import explainer
from turnwright.ui.fonts import GAP, SPACE, px
from turnwright.ui.say import say
from turnwright.ui.widgets.cards import Card, Rule
from turnwright.ui.widgets.reasons import Why
from turnwright.ui.widgets.text import plain_label, push_button, restyle
from turnwright.ui.widgets.why import WhyCard, WhyPopup

SUSPENSIONS = ("water", "sky", "astral")
SCENARIO_TOPIC = "scenario.not-only-combat"
LEAST_WIDTH = 232


def is_on(options: Sequence[str], rule: TableRule) -> bool:
    """Return whether a table that has written down these options plays by a rule."""
    return rule.id in options or (rule.usual and _off(rule) not in options)


def with_option(options: Sequence[str], rule: TableRule, *, on: bool) -> tuple[str, ...]:
    """Return the options with a rule on or off: written as `id` or `not id` where that is not the usual, else not at all."""
    kept = [option for option in options if option not in (rule.id, _off(rule))]
    if on != rule.usual:
        kept.append(rule.id if on else _off(rule))
    return tuple(kept)


def differing(options: Sequence[str], rules: Sequence[TableRule]) -> list[TableRule]:
    """Return the rules that a table plays otherwise than usual."""
    return [rule for rule in rules if is_on(options, rule) != rule.usual]


def _off(rule: TableRule) -> str:
    return f"not {rule.id}"


class OptionTick(QWidget):
    """One table rule: a box, its name, and below it what it means. A click anywhere on it ticks the box."""

    def __init__(self, rule: TableRule, why: Callable[[OptionTick], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rule = rule
        self._why = why
        self.box = QCheckBox()
        self.box.setAccessibleName(rule.name)
        self.name = plain_label(rule.name, wraps=True)
        self.caption = plain_label(rule.text, "caption", "muted", wraps=True)
        words = QVBoxLayout()
        words.setSpacing(px(2))
        words.addWidget(self.name)
        words.addWidget(self.caption)
        words.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(px(SPACE))
        row.addWidget(self.box, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def show_state(self, *, on: bool) -> None:
        """Tick or clear the box; what is not as usual stands out."""
        self.box.blockSignals(True)
        self.box.setChecked(on)
        self.box.blockSignals(False)
        unusual = on != self.rule.usual
        self.caption.setText(say("ui.table-rules.unusual", text=self.rule.text) if unusual else self.rule.text)
        self.box.setAccessibleDescription(self.caption.text())
        self.name.setProperty("tone", "accent" if unusual else "")
        restyle(self.name)

    def explain(self) -> bool:
        """Show the rules that it stands for."""
        self._why(self)
        return True

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.box.setFocus(Qt.FocusReason.MouseFocusReason)
            self.box.click()


class OptionsField(Field):
    """The table rules of a system as ticks. The value is the tuple of those that differ from the usual."""

    def __init__(self, rules: Sequence[TableRule], why: Callable[[OptionTick], None]) -> None:
        super().__init__()
        self._value: tuple[str, ...] = ()
        self.ticks: dict[str, OptionTick] = {}
        grid = WrappingRow(2, LEAST_WIDTH, self)
        grid.grid.setContentsMargins(0, 0, 0, 0)
        grid.grid.setHorizontalSpacing(px(GAP * 2))
        grid.grid.setVerticalSpacing(px(GAP))
        for rule in rules:
            tick = OptionTick(rule, why, grid)
            tick.box.toggled.connect(lambda on, rule=rule: self._turn(rule, on=on))
            tick.box.clicked.connect(lambda _on: self.settled.emit())
            self.ticks[rule.id] = tick
            grid.add(tick)
        self.column.addWidget(grid)
        self.usual = push_button(say("ui.table-rules.all-usual"), self._forget, "quiet", "restore")
        foot = QHBoxLayout()
        foot.addWidget(self.usual)
        foot.addStretch(1)
        self.column.addLayout(foot)
        if self.ticks:
            self.setFocusProxy(next(iter(self.ticks.values())).box)

    def show_value(self, value: Any) -> None:
        """Show which rules are on."""
        self._value = tuple(value)
        for tick in self.ticks.values():
            tick.show_state(on=is_on(self._value, tick.rule))
        self.usual.setVisible(bool(differing(self._value, [tick.rule for tick in self.ticks.values()])))

    def set_name(self, name: str) -> None:
        """The ticks have names of their own."""

    def _turn(self, rule: TableRule, *, on: bool) -> None:
        self.edited.emit(with_option(self._value, rule, on=on))

    def _forget(self) -> None:
        value = self._value
        for tick in self.ticks.values():
            value = with_option(value, tick.rule, on=tick.rule.usual)
        if self.ticks:
            next(iter(self.ticks.values())).box.setFocus()
        self.edited.emit(value)
        self.settled.emit()


def suspension_name(id: str) -> str:
    """Return what everybody floats in, in words; what the table calls it where it is none of the usual."""
    return say(f"ui.table-rules.suspended-{id}") if id in SUSPENSIONS else id


class TableRules(Fold):
    """The fold. `add_countdown` puts a countdown into the encounter: the one scenario that is a record of its own."""

    def __init__(self, bridge: Bridge, scene: Subject, add_countdown: Callable[[], None], parent: QWidget) -> None:
        super().__init__(say("ui.table-rules.title"), parent)
        self._bridge = bridge
        self._scene = scene
        self._add_countdown = add_countdown
        self._popup = WhyPopup(self)
        self.form: Form | None = None

    def fill(self, card: Card) -> None:
        """Build the form."""
        self.form = form = Form(self._scene, card)
        suspensions = [(id, suspension_name(id)) for id in SUSPENSIONS]
        form.row(
            ("suspended", "ui.table-rules.suspended", PicksField(suspensions, own=say("ui.table-rules.suspended-own"))),
            ("rolling", "", SwitchField(say("ui.table-rules.rolling"))),
        )
        self.together = plain_label("", "caption", "muted", wraps=True)
        self.add_button = push_button(say("ui.roster.add-countdown"), self._add_countdown, "quiet", "timer-sand")
        row = QHBoxLayout()
        row.setSpacing(px(GAP))
        row.addWidget(self.together, 1)
        row.addWidget(self.add_button, 0, Qt.AlignmentFlag.AlignTop)
        form.column.addLayout(row)
        if self._rules():
            form.column.addWidget(Rule(form))
            form.row(("options", "", OptionsField(self._rules(), self._explain_tick)))
        card.body.addWidget(form)

    def show_inside(self) -> None:
        """Show the scene in the form."""
        if self.form is None:
            return
        self.form.refresh()
        on = self._scenarios()
        self.together.setText(say("ui.table-rules.together", what=", ".join(on)) if on else say("ui.table-rules.plain"))
        self.add_button.setVisible(not self._bridge.encounter.ids(Countdown))

    def opening(self) -> str:
        """Return what pressing the line does now."""
        return say(f"ui.table-rules.{'close' if self.is_open() else 'open'}")

    def summary(self) -> str:
        """Return what differs from the usual in a few words, nothing while it can be seen."""
        if self.is_open():
            return ""
        scene = self._scene.value()
        options = scene.options if isinstance(scene, Scene) else ()
        differ = differing(options, self._rules())
        names = [say("ui.table-rules.without", what=rule.name) if rule.usual else rule.name for rule in differ]
        return " · ".join((*self._scenarios(), *names)) or say("ui.table-rules.usual")

    def explain(self) -> bool:
        """Show the rule on what a scene may be beside a fight."""
        explain = explainer(self._bridge)
        lines = rule_lines(explain, (explain.rule_on(SCENARIO_TOPIC),))
        self._popup.open(Why(say("ui.table-rules.title"), "", tuple(lines)), beside=self.button)
        return bool(lines)

    def card(self) -> WhyCard | None:
        """Return the open card, if any."""
        return self._popup.card()

    def _scenarios(self) -> list[str]:
        """Return which scenarios are on together."""
        scene, found = self._scene.value(), list[str]()
        if isinstance(scene, Scene):
            found += [suspension_name(each) for each in scene.suspended]
            found += [say("ui.table-rules.rolling-short")] if scene.rolling else []
        countdowns = len(self._bridge.encounter.ids(Countdown))
        return [*found, say("ui.table-rules.countdowns", n=countdowns)] if countdowns else found

    def _explain_tick(self, tick: OptionTick) -> None:
        state = say(f"ui.table-rules.{'on' if tick.box.isChecked() else 'off'}")
        lines = rule_lines(explainer(self._bridge), tick.rule.ledger)
        self._popup.open(Why(tick.rule.name, state, tuple(lines), (), (tick.rule.text,)), beside=tick)

    def _rules(self) -> tuple[TableRule, ...]:
        return self._bridge.rules.catalogue.options
