"""Long tasks off the GUI thread, and timers for delayed work.

Tasks report progress, can be cancelled, and end with exactly one signal.
"""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from PySide6.QtCore import QCoreApplication, QObject, QThreadPool, QTimer, Signal, SignalInstance

PROGRESS_INTERVAL: Final = 0.05  # seconds
Progress = Callable[[int, str], None]


class TaskCancelled(Exception):
    """Raised by the progress function of a task that the user has cancelled."""


class BackgroundTask(QObject):
    """A task that starts immediately. `job` receives the progress function.

    Emits `finished(result)`, `cancelled`, or `failed(why)`. The argument is the reason that files could not be read or
    written, or an empty string for a bug. The task deletes itself afterwards.
    """

    progressed = Signal(int, str)
    finished = Signal(object)
    cancelled = Signal()
    failed = Signal(str)
    _progressed = Signal(int, str)  # emitted in the worker's thread; the public signals are emitted in the GUI thread
    _ended = Signal(str, object)

    def __init__(self, job: Callable[[Progress], Any], parent: QObject) -> None:
        super().__init__(parent)
        self._job = job
        self._stop = threading.Event()
        self._emitted = threading.Event()  # set when the worker no longer uses the Qt object
        self._reported_at = 0.0
        self._progressed.connect(self.progressed)
        self._ended.connect(self._end)
        self.destroyed.connect(self._stop.set)
        if (app := QCoreApplication.instance()) is not None:
            app.aboutToQuit.connect(self._stop.set)
        QThreadPool.globalInstance().start(self._run)

    def cancel(self) -> None:
        """Cancel the task at its next progress report."""
        self._stop.set()

    def _end(self, how: str, result: object) -> None:
        self._emitted.wait()  # else a slot could delete the Qt object while the worker still emits its signal
        if how == "made":
            self.finished.emit(result)
        elif how == "cancelled":
            self.cancelled.emit()
        else:
            self.failed.emit(result)
        with suppress(RuntimeError):  # a slot may have destroyed its parent
            self.deleteLater()

    # In the worker's thread ----------------------------------------------------------------------------------------

    def _run(self) -> None:
        how, result = "failed", ""
        try:
            result = self._job(self._progress)
            how = "made"
        except TaskCancelled:
            how = "cancelled"
        except OSError as error:
            result = error.strerror or str(error)
        finally:
            with suppress(RuntimeError):  # the window and its slots may have been destroyed by now
                self._ended.emit(how, result)
            self._emitted.set()

    def _progress(self, done: int, what: str) -> None:
        if self._stop.is_set():
            raise TaskCancelled
        now = time.monotonic()
        if now - self._reported_at > PROGRESS_INTERVAL:
            self._reported_at = now
            with suppress(RuntimeError):
                self._progressed.emit(done, what)


class LatestTask(QObject):
    """Runs tasks of one kind. The result of a task is ignored if it was dropped or if another was started since."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._task: BackgroundTask | None = None

    @property
    def is_running(self) -> bool:
        """Whether a result is awaited."""
        return self._task is not None

    def start(
        self, job: Callable[[], Any], finished: Callable[[Any], object], failed: Callable[[str], object] | None = None
    ) -> None:
        """Start a task. Call `finished` with its result, or `failed` with the reason for its failure."""
        task = self._task = BackgroundTask(lambda _progress: job(), self)
        task.finished.connect(lambda result: self._end(task, finished, result))
        task.failed.connect(lambda why: self._end(task, failed or (lambda _why: None), why))

    def drop(self) -> None:
        """Ignore the result of the current task."""
        self._task = None

    def _end(self, task: BackgroundTask, take: Callable[[Any], object], result: object) -> None:
        if task is self._task:
            self._task = None
            take(result)


def single_shot_timer(owner: QObject, slot: Callable[[], object] | SignalInstance, milliseconds: int = 0) -> QTimer:
    """Return a stopped timer that calls `slot` this many milliseconds after it was last started."""
    timer = QTimer(owner, singleShot=True, interval=milliseconds)
    timer.timeout.connect(slot)
    return timer
