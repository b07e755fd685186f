"""Results that are worked out one after another off the GUI thread, until they are no longer wanted."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import suppress
from threading import Event
from typing import Any

from PySide6.QtCore import QObject, QThreadPool, Signal

Results = Callable[[], Generator[Any, None, str]]


class BackgroundRun(QObject):
    """One run in a worker. `found(result)` for each, `ended(reason)` after the last, `failed` for an error.

    The worker holds it too, so that it outlives a closed window.
    """

    found = Signal(object)
    ended = Signal(str)

    def __init__(self, results: Results) -> None:
        super().__init__()
        self.stop = Event()
        self._results = results

    def start(self) -> None:
        """Begin in a worker."""
        QThreadPool.globalInstance().start(self._work)

    def _work(self) -> None:
        """Emit the results one after another, then why they ended."""
        with suppress(RuntimeError):  # the window and its slots may have been destroyed meanwhile
            results = self._results()
            try:
                while not self.stop.is_set():
                    found = next(results)
                    if self.stop.is_set():
                        return
                    self.found.emit(found)
            except StopIteration as end:
                if not self.stop.is_set():
                    self.ended.emit(end.value or "")
            except Exception:
                self.ended.emit("failed")
                raise


class PresentRun:
    """The run under way, None for none; not a `QObject`, so that it can be stopped when its owner is destroyed."""

    def __init__(self, on_found: Callable[[Any], None], on_ended: Callable[[str], None]) -> None:
        self.run: BackgroundRun | None = None
        self._on_found, self._on_ended = on_found, on_ended

    def begin(self, results: Results) -> None:
        """Begin a run in place of the present one."""
        self.cancel()
        self.run = BackgroundRun(results)
        self.run.found.connect(self._on_found)
        self.run.ended.connect(self._on_ended)
        self.run.start()

    def stop(self) -> None:
        """Have the run work out no more."""
        if self.run is not None:
            self.run.stop.set()

    def cancel(self) -> None:
        """Stop the run, and hear nothing more of it."""
        self.stop()
        if self.run is not None:
            self.run.found.disconnect(self._on_found)
            self.run.ended.disconnect(self._on_ended)
            self.run = None
