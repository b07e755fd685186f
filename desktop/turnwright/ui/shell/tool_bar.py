"""The tool bar: file actions or the state of the fight, undo, commands, the two arrangements, and the next action."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMainWindow, QSizePolicy, QToolBar, QWidget

from turnwright.encounter.state import Encounter, clock_of, scene_of
from turnwright.rules.system import RuleSystem
from turnwright.ui.look.icons import icon
from turnwright.ui.look.style import GAP, scaled, set_role, tr
from turnwright.ui.services.actions import InstalledActions, native_keys, without_mnemonic
from turnwright.ui.services.encounter_status import ANSWER, RunStatus
from turnwright.ui.widgets.fields import KeyButton
from turnwright.ui.widgets.layout import ElidedLabel, PartsLabel, switch_of
from turnwright.ui.widgets.text import push_button

PREPARING = frozenset({"redo"})  # quiet buttons shown only while preparing
STATES = ("players-hold", "players-black")  # actions that end a state of the players' screen
ANSWERS = ("players-reveal", "players-keep-hidden")
LEAST_FACTS = 136  # minimum width of the facts next to the round
MARGINS = 28  # total margins of the tool bar and the mode switch


def run_status(encounter: Encounter, rules: RuleSystem) -> RunStatus:
    """Return the tool bar's contents for an encounter."""
    if clock_of(encounter).phase == "preparing":
        return RunStatus(scene_of(encounter).title or tr("ui.window.untitled"), tr("ui.run.not-started"), "start")
    from turnwright.ui.models.run_status import fight_status

    return fight_status(encounter, rules)


class ToolBar(QToolBar):
    """The tool bar. `quiet` are actions shown as icon and shortcut; `modes` are actions that exclude each other.

    Actions that end a state of the players' screen are shown during it.

    While preparing, the `files` actions replace the round. The buttons never take the focus.
    """

    def __init__(
        self, installed: InstalledActions, files: Sequence[str], quiet: Sequence[str], modes: Sequence[str]
    ) -> None:
        super().__init__(tr("ui.window.tool-bar"), installed.window)
        self.setObjectName("tool-bar")
        self.setMovable(False)
        self._installed = installed
        self._next = ""
        self._words = ""
        self._headline = ElidedLabel(role="number", smaller="strong")
        self._headline.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._headline.setContentsMargins(scaled(GAP), 0, scaled(GAP), 0)
        self._facts = PartsLabel(tone="muted")
        self._facts.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.files = {id: self._quiet_button(id, keys="") for id in files}
        self._preparing = self.actions()
        self._running = self.addWidget(self._headline)
        self.addWidget(self._facts)
        self.quiet = {}
        for id in quiet:
            self.quiet[id] = self._quiet_button(id, self._keys(id))
            if id in PREPARING:
                self._preparing.append(self.actions()[-1])
        for action in self._preparing:
            action.setVisible(False)
        self.states, self._states = {}, {}
        for id in STATES:
            self.states[id] = self._quiet_button(id, self._keys(id))
            self.states[id].setText(tr(f"ui.run.{id}"))
            self.states[id].set_kind("waiting")
            set_role(self.states[id], "strong")
            self._states[id] = self.actions()[-1]
            self._states[id].setVisible(False)
        self.modes = {id: push_button("", partial(installed.run, id), "mode") for id in modes}
        for id, mode in self.modes.items():
            mode.setText(without_mnemonic(installed.action(id).text()))
        self.addWidget(switch_of(*self.modes.values(), margins=(GAP, 0, GAP, 0)))
        self.button = KeyButton("", lambda: self._installed.run(self._next), kind="primary")
        set_role(self.button, "strong")
        self._next_action = self.addWidget(self.button)
        for widget in (
            *self.files.values(),
            *self.quiet.values(),
            *self.states.values(),
            *self.modes.values(),
            self.button,
        ):
            widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def sizeHint(self) -> QSize:
        return super().sizeHint().expandedTo(QSize(0, scaled(56)))

    def show_encounter(
        self, encounter: Encounter, rules: RuleSystem, *, preparing: bool, has_start: bool = False
    ) -> None:
        """Show the status of an encounter. While preparing, it is small, and only visible if the fight has started.

        `has_start`: the start page, or another one, has its own first step.
        """
        status = run_status(encounter, rules)
        self._headline.setText(status.headline)
        begun = "" if status.next == "start" else "  ·  ".join(filter(None, (status.headline, status.facts)))
        self._facts.setText(begun if preparing else status.facts)
        for action in self._preparing:
            action.setVisible(preparing)
        self._running.setVisible(not preparing)
        self._next, self._words = "" if has_start else status.next, status.words
        self.refresh()

    def show_players(self, state: str) -> None:
        """Show whether players see something old or nothing: the action that ends this state, or an empty text."""
        for id, action in self._states.items():
            action.setVisible(id == state)
        self._fit()

    def refresh(self) -> None:
        """Update the buttons."""
        for id, button in (*self.files.items(), *self.quiet.items(), *self.states.items(), *self.modes.items()):
            action = self._installed.action(id)
            button.setEnabled(action.isEnabled())
            button.setChecked(action.isChecked())
            button.setToolTip(action.toolTip())
            button.setAccessibleName(without_mnemonic(action.text()))
        self._next_action.setVisible(bool(self._next))
        if not self._next:
            return
        action = self._installed.action(self._next)
        waits = self._next == ANSWER
        words = self._words or without_mnemonic(action.text()).rstrip("…")
        self.button.setText(words.replace("&", "&&"))
        self.button.set_keys(self._keys(self._next))
        self.button.set_kind("waiting" if waits else "primary")
        spec = self._installed.table.spec(self._next)
        self.button.setIcon(icon(spec.look.icon, "warn" if waits else "accent_text"))
        self.button.setEnabled(action.isEnabled())
        self.button.setToolTip(action.toolTip())
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show the shortcuts of the quiet buttons if there is enough room."""
        for id, button in self.quiet.items():
            button.set_keys(self._keys(id))
        quiet = [button for id, button in self.quiet.items() if id not in PREPARING or not self._running.isVisible()]
        widgets = [
            *quiet,
            *(self.states[id] for id, action in self._states.items() if action.isVisible()),
            *self.modes.values(),
            self.button,
        ]
        widgets += [] if self._running.isVisible() else self.files.values()
        head = self._headline.sizeHint().width() if self._running.isVisible() else 0
        if self._width_of(widgets) + head + scaled(LEAST_FACTS) > self.width():
            for button in self.quiet.values():
                button.set_keys("")

    @staticmethod
    def _width_of(widgets: Sequence[QWidget]) -> int:
        return sum(widget.sizeHint().width() + scaled(GAP) for widget in widgets) + scaled(MARGINS)

    def texts(self) -> tuple[str, str]:
        """Return the displayed headline and facts."""
        return self._headline.text(), self._facts.text()

    def _keys(self, id: str) -> str:
        shortcuts = self._installed.table.spec(id).look.shortcuts
        return native_keys(shortcuts[0]) if shortcuts else ""

    def _quiet_button(self, id: str, keys: str) -> KeyButton:
        look = self._installed.table.spec(id).look
        button = KeyButton("", partial(self._installed.run, id), keys, "quiet", look.icon)
        self.addWidget(button)
        return button


class QuestionBar(QToolBar):
    """A bar below the tool bar, shown while an undo would reveal something to the players again."""

    def __init__(self, installed: InstalledActions) -> None:
        super().__init__(tr("ui.players.question"), installed.window)
        self.setObjectName("question-bar")
        self.setMovable(False)
        self.toggleViewAction().setVisible(False)
        self.question = ElidedLabel(role="strong", tone="warn")
        self.question.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(self.question)
        for id in ANSWERS:
            keys = native_keys(installed.table.spec(id).look.shortcuts[0])
            self.addWidget(KeyButton(tr(f"ui.players.{id}"), partial(installed.run, id), keys))
        installed.window.addToolBar(self)
        self.hide()

    def ask(self, window: QMainWindow, who: Sequence[str]) -> None:
        """Ask whether players may see combatants or squares, or hide the bar if there are none."""
        self.question.setText(tr("ui.players.reveal", who=", ".join(who)))
        if not window.toolBarBreak(self):  # a restored layout may have removed it
            window.insertToolBarBreak(self)
        self.setVisible(bool(who))
