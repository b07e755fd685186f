"""Handling of uncaught exceptions: informs the user, logs the details, and leaves the document unharmed."""

from __future__ import annotations

import faulthandler
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO

from turnwright.workspace.versions import LogFile, versions

Reporter = Callable[[Path | None, str], None]


class ExceptionHook:
    """Logs uncaught exceptions of all threads, and reports those of the GUI thread to the user.

    `report` receives the details and the path of the log, or None if the log can't be written. The previous hooks are
    called too, and print to the terminal if there is one.
    """

    def __init__(self, log: LogFile, report: Reporter) -> None:
        self._log = log
        self._say = report
        self._before = (sys.excepthook, threading.excepthook, sys.unraisablehook)
        self._busy = False
        self._crashes: IO[bytes] | None = None

    def install(self) -> None:
        """Install the hooks."""
        self._before = (sys.excepthook, threading.excepthook, sys.unraisablehook)
        sys.excepthook, threading.excepthook, sys.unraisablehook = self._caught, self._caught_in_thread, self._ignored

    def begin_log(self) -> None:
        """Log the start of the program, and enable stack traces of crashes in Qt and other libraries."""
        self._log.write("Started: " + ", ".join(f"{name} {version}" for name, version in versions().items()))
        if not faulthandler.is_enabled():
            with suppress(OSError):
                self._crashes = self._log.path.open("ab")
                faulthandler.enable(self._crashes)

    def remove(self) -> None:
        """Restore the previous hooks."""
        sys.excepthook, threading.excepthook, sys.unraisablehook = self._before
        if self._crashes is not None:
            faulthandler.disable()
            self._crashes.close()
            self._crashes = None

    def _caught(self, kind: type[BaseException], fault: BaseException, trace: TracebackType | None) -> None:
        if not issubclass(kind, Exception) or self._busy:
            self._before[0](kind, fault, trace)
            return
        self._busy = True
        try:
            written = self._write("Uncaught exception", fault)
            self._before[0](kind, fault, trace)
            self._say(self._log.path if written else None, "".join(traceback.format_exception(fault)))
        finally:
            self._busy = False

    def _caught_in_thread(self, caught: threading.ExceptHookArgs) -> None:
        if caught.exc_value is not None:
            self._write(f"Uncaught exception in the thread {caught.thread and caught.thread.name}", caught.exc_value)
        self._before[1](caught)

    def _ignored(self, ignored: sys.UnraisableHookArgs) -> None:
        if ignored.exc_value is not None:
            self._write(ignored.err_msg or "Exception ignored", ignored.exc_value)
        self._before[2](ignored)

    def _write(self, what: str, fault: BaseException) -> bool:
        return self._log.write(f"{what}\n{''.join(traceback.format_exception(fault))}")
