"""Tool bar of the run arrangement: round, elapsed time, light, whose turn it is, and the next action."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QSizePolicy, QToolBar, QToolButton, QWidget

from turnwright.encounter.prepared import Scene
from turnwright.encounter.running import Clock, Combatant, Slot
from turnwright.encounter.state import Encounter
from turnwright.play.kernel.journal import game_time
from turnwright.play.queries.queries import open_prompts
from turnwright.rules.system import RuleSystem
from turnwright.ui.actions import InstalledActions, native_keys, without_mnemonic
from turnwright.ui.fonts import GAP, scaled
from turnwright.ui.icons import icon
from turnwright.ui.models.initiative_pending import is_initiative_pending
from turnwright.ui.translations import tr
from turnwright.ui.widgets.layout import ElidedLabel
from turnwright.ui.widgets.text import escaped_tooltip, plain_label, push_button

ANSWER = "answer"


@dataclass(frozen=True)
class RunStatus:
    """Text of the tool bar: the large words, the muted facts beside them, and the id of the next action."""

    headline: str
    facts: str
    next: str


def run_status(encounter: Encounter, rules: RuleSystem) -> RunStatus:
    """Return the text of the tool bar for an encounter."""
    clock = encounter.get(Clock, "clock") or Clock()
    scene = encounter.get(Scene, "scene") or Scene()
    light = tr(f"ui.light.{scene.light}")
    prompts = open_prompts(encounter)
    if clock.phase == "rounds":
        facts = [game_time(clock.elapsed_seconds), light, _whose(encounter, clock)]
        return RunStatus(tr("ui.run.round", n=clock.round), _joined(facts), ANSWER if prompts else "end-turn")
    if clock.phase == "set-up":
        facts = [tr(f"ui.run.step-{clock.setup_step}"), light]
        rolling = clock.setup_step == "initiative" and is_initiative_pending(encounter, rules)
        following = "roll-initiative" if rolling else "next-step"
        held = any(prompt.blocks for prompt in prompts)
        return RunStatus(tr("ui.run.set-up"), _joined(facts), ANSWER if held else following)
    if clock.phase == "ended":
        return RunStatus(tr("ui.run.ended"), tr("ui.run.ended-after", n=clock.round), "reset")
    return RunStatus(scene.title or tr("ui.window.untitled"), tr("ui.run.not-started"), "start")


def _whose(encounter: Encounter, clock: Clock) -> str:
    slot = encounter.get(Slot, clock.active) if clock.active else None
    who = [one.label for id in (slot.members if slot else ()) if (one := encounter.get(Combatant, id))]
    if not who:
        return tr("ui.run.world")
    if len(who) > 1:
        return tr("ui.run.several", who=who[0], n=len(who) - 1)
    return tr("ui.run.turn-of", who=who[0])


def _joined(facts: Sequence[str]) -> str:
    return "  ·  ".join(fact for fact in facts if fact)


class RunToolBar(QToolBar):
    """The tool bar of the run arrangement."""

    def __init__(self, installed: InstalledActions, quiet: Sequence[str], last: Sequence[str]) -> None:
        super().__init__(tr("ui.window.run-line"), installed.window)
        self.setObjectName("run-line")
        self.setMovable(False)
        self.setIconSize(installed.tool_bar.iconSize())
        self._installed = installed
        self._next = ""
        self._headline = plain_label("", "strong")
        self._headline.setContentsMargins(scaled(GAP), 0, scaled(GAP), 0)
        self._facts = ElidedLabel()
        self._facts.setProperty("tone", "muted")
        self._facts.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.button = push_button("", self._do_next, "primary")
        self.button.setIconSize(QSize(scaled(16), scaled(16)))
        self.addWidget(self._headline)
        self.addWidget(self._facts)
        for id in quiet:
            self._add(installed.action(id), with_text=False)
        self.addWidget(_space(GAP))
        self.addWidget(self.button)
        self.addWidget(_space(GAP))
        for id in last:
            self._add(installed.action(id), with_text=installed.action(id).isCheckable())

    def show_encounter(self, encounter: Encounter, rules: RuleSystem) -> None:
        """Show the status of an encounter."""
        told = run_status(encounter, rules)
        self._headline.setText(told.headline)
        self._facts.setText(told.facts)
        self._next = told.next
        self.refresh()

    def refresh(self) -> None:
        """Update the button of the next action."""
        if not self._next:
            return
        action = self._installed.action(self._next)
        spec = self._installed.table.spec(self._next)
        keys = native_keys(spec.look.shortcuts[0]) if spec.look.shortcuts else ""
        text = tr("ui.run.answer") if self._next == ANSWER else without_mnemonic(action.text()).rstrip("…")
        self.button.setText(f"{text} ({keys})" if keys else text)
        self.button.setIcon(icon(spec.look.icon, "accent_text"))
        self.button.setEnabled(action.isEnabled())
        self.button.setToolTip(escaped_tooltip(action.toolTip()))

    def texts(self) -> tuple[str, str]:
        """Return the large words and the facts, as shown."""
        return self._headline.text(), self._facts.text()

    def _do_next(self) -> None:
        self._installed.run(self._next)

    def _add(self, action: QAction, *, with_text: bool) -> None:
        self.addAction(action)
        button = self.widgetForAction(action)
        if isinstance(button, QToolButton):
            button.setAccessibleName(without_mnemonic(action.text()))
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            if with_text:
                button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)


def _space(width: int) -> QWidget:
    space = QWidget()
    space.setFixedWidth(scaled(width))
    return space
