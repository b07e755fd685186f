"""Handling of uncaught exceptions: a message for the user, the details in a file, the document unharmed."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

Reporter = Callable[[Path | None], None]
_FILE = "faults.log"
_MOST = 200_000


class ExceptionHook:
    """Replaces `sys.excepthook` while a window is open. `report` gets the file with the details, None without one."""

    def __init__(self, state_folder: Path, report: Reporter) -> None:
        self._file = state_folder / _FILE
        self._say = report
        self._before = sys.excepthook
        self._busy = False

    def install(self) -> None:
        """Install the hook."""
        self._before = sys.excepthook
        sys.excepthook = self._caught

    def remove(self) -> None:
        """Restore the hook that was there before."""
        sys.excepthook = self._before

    def _caught(self, kind: type[BaseException], fault: BaseException, trace: TracebackType | None) -> None:
        if not issubclass(kind, Exception) or self._busy:
            self._before(kind, fault, trace)
            return
        self._busy = True
        try:
            self._say(self._write("".join(traceback.format_exception(kind, fault, trace))))
        finally:
            self._busy = False

    def _write(self, text: str) -> Path | None:
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            if self._file.exists() and self._file.stat().st_size > _MOST:
                self._file.unlink()
            with self._file.open("a", encoding="utf-8") as log:
                log.write(f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC\n{text}\n")
            return self._file
        return None
