"""Computes a series of results off the GUI thread until they are no longer needed."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import suppress
from threading import Event
from typing import Any

from PySide6.QtCore import QObject, QThreadPool, Signal

Results = Callable[[], Generator[Any, None, str]]


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
