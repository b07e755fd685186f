"""The forecast of the open encounter: made off the GUI thread while it is looked at, and made anew after each change."""

from __future__ import annotations

from contextlib import suppress
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThreadPool, QTimer, Signal

from turnwright.encounter.lookups import clock_of
from turnwright.encounter.prepared import Handout
from turnwright.encounter.running import Clock
from turnwright.play.kernel.steps import Changed
from turnwright.ui.document_model import DocumentModel
from turnwright.workspace.folders import set_kernel_cache

if TYPE_CHECKING:
    from turnwright.encounter.state import Encounter
    from turnwright.forecast.changes import ChangeOutlook
    from turnwright.forecast.outlook import Outlook
    from turnwright.rules.system import RuleSystem
    from turnwright.workspace.fight_forecast import FightForecast

QUIET = 60  # milliseconds without a change before the fights begin
SEED = 1  # the same from batch to batch and from edit to edit, so that nothing but the edit changes a figure
UNRELATED = frozenset({Handout.table})


class _Run(QObject):
    """One forecast in a worker. The worker holds it too, so that it outlives a closed window."""

    found = Signal(object)
    ended = Signal(str)

    def __init__(self, encounter: Encounter, rules: RuleSystem) -> None:
        super().__init__()
        self.stop = Event()
        self._encounter, self._rules = encounter, rules

    def work(self) -> None:
        """Emit a forecast after each batch of fights, until it is narrow enough or no longer wanted."""
        from turnwright.workspace.fight_forecast import forecasts, obstacle_to_forecast

        set_kernel_cache()
        reason = obstacle_to_forecast(self._encounter)
        with suppress(RuntimeError):  # the window and its slots may have been destroyed meanwhile
            try:
                if not reason:
                    for forecast in forecasts(self._encounter, self._rules, seed=SEED):
                        if self.stop.is_set():
                            return
                        self.found.emit(forecast)
            except Exception:
                self.ended.emit("failed")
                raise
            if not self.stop.is_set():
                self.ended.emit(reason)


class _Present:
    """The run under way, None for none; not a `QObject`, so that it can be stopped when the model is destroyed."""

    def __init__(self) -> None:
        self.run: _Run | None = None

    def stop(self) -> None:
        """Have the run make no more fights."""
        if self.run is not None:
            self.run.stop.set()


class ForecastModel(QObject):
    """The present forecast; `changed` when there is a new one, when it is out of date, or when there is none.

    `obstacle` says why there is none: `no-party`, `no-foes`, `failed`; empty where there is or will be one. `is_stale`:
    the encounter has changed since. `is_running`: more fights are under way. `encounter` is the begun copy that the
    forecast is of: it has the combatants of a fight that has not begun. `changes` are what would change it, none until
    the forecast is narrow.
    """

    changed = Signal()

    def __init__(self, bridge: DocumentModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.outlook: Outlook | None = None
        self.encounter = bridge.encounter
        self.changes: tuple[ChangeOutlook, ...] = ()
        self.obstacle = ""
        self.is_stale = True
        self.is_running = False
        self._bridge = bridge
        self._present = _Present()
        self._is_watched = False
        self._turn = self._present_turn()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(QUIET)
        self._timer.timeout.connect(self._start)
        bridge.changed.connect(self._on_changed)
        bridge.documentChanged.connect(self._forget)
        self.destroyed.connect(self._present.stop)

    def watch(self, *, watched: bool) -> None:
        """Make forecasts while they are looked at, none while they aren't."""
        self._is_watched = watched
        if watched and self.is_stale:
            self._timer.start()
        elif not watched:
            self._cancel()

    def _on_changed(self, changed: Changed) -> None:
        turn, self._turn = self._turn, self._present_turn()
        running = clock_of(self._bridge.encounter).phase == "rounds"
        tables = {key[0] for keys in (changed.added, changed.removed, changed.updated) for key in keys}
        if tables <= UNRELATED or (running and turn == self._turn and not self.is_stale):
            return  # while rounds run, a forecast is made anew after each turn
        self._cancel()
        self.is_stale = True
        self.changed.emit()
        if self._is_watched:
            self._timer.start()

    def _present_turn(self) -> tuple[str, int, str]:
        clock = self._bridge.encounter.get(Clock, "clock") or Clock()
        return clock.phase, clock.round, clock.active

    def _forget(self) -> None:
        """Begin with another document."""
        self.outlook = None
        self._turn = ("", 0, "")
        self.is_stale = True
        self._cancel()
        self.changed.emit()
        if self._is_watched:
            self._timer.start()

    def _cancel(self) -> None:
        self._timer.stop()
        self.is_running = False
        self._present.stop()
        if self._present.run is not None:
            self._present.run.found.disconnect(self._found)
            self._present.run.ended.disconnect(self._ended)
            self._present.run = None

    def _start(self) -> None:
        self._cancel()
        run = self._present.run = _Run(self._bridge.encounter, self._bridge.rules)
        run.found.connect(self._found)
        run.ended.connect(self._ended)
        self.is_running = True
        QThreadPool.globalInstance().start(run.work)

    def _found(self, forecast: FightForecast) -> None:
        self.outlook, self.encounter, self.changes = forecast.outlook, forecast.encounter, forecast.changes
        self.obstacle, self.is_stale = "", False
        self.changed.emit()

    def _ended(self, obstacle: str) -> None:
        self._present.run = None
        self.is_running = False
        self.obstacle = obstacle
        if obstacle:
            self.outlook, self.is_stale = None, False
        self.changed.emit()
