"""The forecast of the open encounter, and searches for changes with which it reaches a target, off the GUI thread.

The forecast is computed only while visible, and after each change.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from functools import partial
from threading import Event
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, QThreadPool, Signal

from turnwright.encounter import prepared, state
from turnwright.encounter.running import Clock
from turnwright.forecast import estimate, sheet, sheet_builder
from turnwright.play.kernel.scheduler import Changed
from turnwright.rules.system import RuleSystem
from turnwright.ui.services import document_model, workers
from turnwright.workspace.fight_forecast import SEED, FightForecast, forecasts, obstacle_to_forecast
from turnwright.workspace.fight_tuning import Aim, TunedPlan, Tuning, TuningRequest, Variable, tunings

Results = Callable[[], Iterator[Any]]  # a generator may return the reason why it has ended early


class BackgroundRun(QObject):
    """One run in a worker. Emits `found(result)` for each result, and `ended(reason)`, with `failed` after an error.

    The worker also holds a reference, so the run can outlive a closed window.
    """

    found = Signal(object)
    ended = Signal(str)

    def __init__(self, results: Results) -> None:
        super().__init__()
        self.stop = Event()
        self._results = results

    def start(self) -> None:
        """Start the run in a worker."""
        QThreadPool.globalInstance().start(self._work)

    def _work(self) -> None:
        """Emit each result, and finally the reason why the run has ended."""
        with suppress(RuntimeError):  # the window may have been destroyed
            results = self._results()
            try:
                while not self.stop.is_set():
                    result = next(results)
                    if self.stop.is_set():
                        return
                    self.found.emit(result)
            except StopIteration as end:
                if not self.stop.is_set():
                    self.ended.emit(end.value or "")
            except Exception:
                self.ended.emit("failed")
                raise


class PresentRun:
    """The current run, if any. Not a `QObject`, so that the run can be stopped when its owner is destroyed."""

    def __init__(self, on_found: Callable[[Any], None], on_ended: Callable[[str], None]) -> None:
        self.run: BackgroundRun | None = None
        self._on_found, self._on_ended = on_found, on_ended

    def begin(self, results: Results) -> None:
        """Cancel the current run and start a new one."""
        self.cancel()
        self.run = BackgroundRun(results)
        self.run.found.connect(self._on_found)
        self.run.ended.connect(self._on_ended)
        self.run.start()

    def stop(self) -> None:
        """Stop computing results."""
        if self.run is not None:
            self.run.stop.set()

    def cancel(self) -> None:
        """Stop the run and disconnect from it."""
        self.stop()
        if self.run is not None:
            self.run.found.disconnect(self._on_found)
            self.run.ended.disconnect(self._on_ended)
            self.run = None


QUIET = 20  # milliseconds without a further change before a new simulation, if one was running
UNRELATED = frozenset({prepared.Handout.table, prepared.Reminder.table, prepared.Treasure.table})


def _forecasts(
    encounter: state.Encounter, rules: RuleSystem, policies: tuple[sheet.Policy, ...]
) -> Generator[FightForecast, None, str]:
    """Yield a forecast after each batch of fights until it is precise enough. Return the reason if there is none."""
    reason = obstacle_to_forecast(encounter)
    if not reason:
        yield from forecasts(encounter, rules, seed=SEED, policies=policies)
    return reason


class LiveChance(NamedTuple):
    """The chance of victory at one turn of the running fight, with its round and active slot."""

    round: int
    active: str
    won: estimate.Chance


class ForecastModel(QObject):
    """The current forecast. Emits `changed` when it is new, out of date or removed.

    - `obstacle`: the reason why there is no forecast (`no-party`, `no-enemies`, `failed`), or empty.
    - `is_stale`: the encounter has changed since. `is_running`: more fights are being simulated.
    - `encounter`: the simulated copy. It has combatants even if the fight hasn't begun.
    - `compiled`: the percentage of the simulation that is compiled.
    - `changes`: the effects of possible changes, empty until the forecast is precise.
    - `live`: the chances of victory in the running fight so far, one for each turn that has a forecast.
    """

    changed = Signal()

    def __init__(self, document: document_model.DocumentModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.outlook: estimate.Outlook | None = None
        self.encounter = document.encounter
        self.changes: tuple[sheet_builder.ChangeOutlook, ...] = ()
        self.compiled = 100
        self.live: tuple[LiveChance, ...] = ()
        self.obstacle = ""
        self.is_stale = True
        self.is_running = False
        self._document = document
        self.policies: tuple[sheet.Policy, ...] = ()
        self._present = PresentRun(self._found, self._ended)
        self._is_watched = False
        self._started = ("", 0, "")
        self._turn = self._present_turn()
        self._timer = workers.single_shot_timer(self, self._start, QUIET)
        document.changed.connect(self._on_changed)
        document.documentChanged.connect(self._forget)
        self.destroyed.connect(self._present.stop)

    def watch(self, *, watched: bool) -> None:
        """Start or stop computing forecasts, depending on whether the user can see them."""
        self._is_watched = watched
        if watched and self.is_stale:
            self._timer.start(QUIET)
        elif not watched:
            self._cancel()

    @property
    def wait(self) -> int:
        """The milliseconds to wait for further changes before the simulation starts, or -1 if it isn't waiting."""
        return self._timer.interval() if self._timer.isActive() else -1

    def set_policies(self, policies: tuple[sheet.Policy, ...]) -> None:
        """Set the policies of the party and of all others."""
        if policies != self.policies:
            self.policies = policies
            self._go_out_of_date()

    def _on_changed(self, changed: Changed) -> None:
        turn, self._turn = self._turn, self._present_turn()
        running = state.clock_of(self._document.encounter).phase == "rounds"
        if changed.tables <= UNRELATED or (running and turn == self._turn and not self.is_stale):
            return  # during rounds there is a new forecast after each turn
        self._go_out_of_date()

    def _go_out_of_date(self) -> None:
        is_burst = self.is_running or self._timer.isActive()
        self._cancel()
        self.is_stale = True
        self.changed.emit()
        if self._is_watched:
            self._timer.start(QUIET if is_burst else 0)  # 0: start as soon as the change has been painted

    def _present_turn(self) -> tuple[str, int, str]:
        clock = self._document.encounter.get(Clock, "clock") or Clock()
        return clock.phase, clock.round, clock.active

    def _forget(self) -> None:
        """Discard all results when another document is opened."""
        self.outlook = None
        self.live = ()
        self._turn = ("", 0, "")
        self.is_stale = True
        self._cancel()
        self.changed.emit()
        if self._is_watched:
            self._timer.start(QUIET)

    def _cancel(self) -> None:
        self._timer.stop()
        self.is_running = False
        self._present.cancel()

    def _start(self) -> None:
        self._cancel()
        self.is_running = True
        self._started = self._present_turn()
        self._present.begin(partial(_forecasts, self._document.encounter, self._document.rules, self.policies))

    def _found(self, forecast: FightForecast) -> None:
        self.outlook, self.encounter, self.changes = forecast.outlook, forecast.encounter, forecast.changes
        self.obstacle, self.is_stale, self.compiled = "", False, forecast.compiled
        self._keep_chance(forecast.outlook.won)
        self.changed.emit()

    def _keep_chance(self, won: estimate.Chance) -> None:
        """Record the chance of the current turn. Replace an earlier chance, and remove those of turns undone since."""
        phase, number, active = self._started
        if phase != "rounds":
            self.live = ()
            return
        before = next((at for at, live in enumerate(self.live) if (live.round, live.active) == (number, active)), None)
        self.live = (*self.live[:before], LiveChance(number, active, won))

    def _ended(self, obstacle: str) -> None:
        self._present.run = None
        self.is_running = False
        self.obstacle = obstacle
        if obstacle:
            self.outlook, self.is_stale = None, False
        self.changed.emit()


class TuningModel(QObject):
    """The current search. Emits `changed` when it progresses or ends, and when its plans are discarded.

    `tried` is the number of encounters tried so far. `plans` are the results, or None before the search ends. Any
    change of the encounter stops the search and discards the plans. If `has_failed`, the search ended with an error.
    """

    changed = Signal()

    def __init__(self, document: document_model.DocumentModel, parent: QObject | None = None) -> None:
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

    def start(self, aim: Aim, variables: Sequence[Variable], policies: Sequence[sheet.Policy]) -> None:
        """Search for plans within the bounds of the variables. A running search is replaced."""
        self._forget()
        self.is_running = True
        encounter, rules = self._document.encounter, self._document.rules
        request = TuningRequest(encounter, rules, aim, tuple(variables), SEED, tuple(policies))
        self._present.begin(partial(tunings, request))
        self.changed.emit()

    def cancel(self) -> None:
        """Stop the search and discard its results."""
        self._forget()
        self.changed.emit()

    def _forget(self) -> None:
        self._present.cancel()
        self.tried, self.plans, self.is_running, self.has_failed = 0, None, False, False

    def _on_changed(self, changed: Changed) -> None:
        if (self.is_running or self.plans is not None) and not changed.tables <= UNRELATED:
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
