"""Background search for changes with which the forecast reaches a target."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from turnwright.ui.models.background_run import PresentRun
from turnwright.ui.models.forecast import SEED, UNRELATED
from turnwright.ui.services.document_model import DocumentModel
from turnwright.workspace.fight_tuning import tunings
from turnwright.workspace.folders import set_kernel_cache

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from turnwright.encounter.state import Encounter
    from turnwright.forecast.policy_figures import Policy
    from turnwright.play.kernel.steps import Changed
    from turnwright.rules.system import RuleSystem
    from turnwright.workspace.encounter_variables import Variable
    from turnwright.workspace.fight_tuning import Aim, TunedPlan, Tuning


def _tunings(
    encounter: Encounter, rules: RuleSystem, aim: Aim, variables: Sequence[Variable], policies: Sequence[Policy]
) -> Generator[Tuning, None, str]:
    set_kernel_cache()
    yield from tunings(encounter, rules, aim, variables, seed=SEED, policies=policies)
    return ""


class TuningModel(QObject):
    """The current search. Emits `changed` when it progresses or ends, and when its plans are discarded.

    `tried` is the number of encounters tried so far. `plans` are the results, or None before the search ends. Any
    change of the encounter stops the search and discards the plans. If `has_failed`, the search ended with an error.
    """

    changed = Signal()

    def __init__(self, document: DocumentModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.tried = 0
        self.plans: tuple[TunedPlan, ...] | None = None
        self.is_running = False
        self.has_failed = False
        self._document = document
        self._present = PresentRun(self._found, self._ended)
        document.changed.connect(self._on_changed)
        document.documentChanged.connect(self.cancel)
        self.destroyed.connect(self._present.stop)

    def start(self, aim: Aim, variables: Sequence[Variable], policies: Sequence[Policy]) -> None:
        """Search for plans within the bounds of the variables. A running search is replaced."""
        self._forget()
        self.is_running = True
        self._present.begin(
            partial(_tunings, self._document.encounter, self._document.rules, aim, tuple(variables), tuple(policies))
        )
        self.changed.emit()

    def cancel(self) -> None:
        """Stop the search and discard its results."""
        self._forget()
        self.changed.emit()

    def _forget(self) -> None:
        self._present.cancel()
        self.tried, self.plans, self.is_running, self.has_failed = 0, None, False, False

    def _on_changed(self, changed: Changed) -> None:
        tables = {key[0] for keys in (changed.added, changed.removed, changed.updated) for key in keys}
        if (self.is_running or self.plans is not None) and not tables <= UNRELATED:
            self.cancel()

    def _found(self, tuning: Tuning) -> None:
        self.tried = tuning.tried
        if tuning.is_done:
            self.plans = tuning.plans
        self.changed.emit()

    def _ended(self, reason: str) -> None:
        self._present.run = None
        self.is_running, self.has_failed = False, bool(reason)
        self.changed.emit()
