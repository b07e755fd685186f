"""Version numbers for problem reports, and the program's log.

Version numbers for problem reports, and the paths of the program's files.

The program's log of errors, and of versions at each start.
"""

import os
import platform
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from turnwright import __version__
from turnwright.storage.atomic import make_private
from turnwright.workspace.settings import Folders, cache_folder

MOST = 500_000  # maximum size in bytes of the log, and of the previous log
_NAME = "turnwright.log"


def log_file(state_folder: Path) -> Path:
    """Return the path of the log in the state folder."""
    return state_folder / _NAME


class LogFile:
    """Appends entries to the log. A full log becomes `turnwright.log.1` and replaces an earlier one."""

    def __init__(self, state_folder: Path) -> None:
        self.path = log_file(state_folder)

    def write(self, text: str) -> bool:
        """Append an entry with its time and process. Return whether it was written."""
        with suppress(OSError):
            self._make_room()
            with self.path.open("a", encoding="utf-8", errors="backslashreplace") as log:
                log.write(f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC [{os.getpid()}] {text.rstrip()}\n")
            return True
        return False

    def _make_room(self) -> None:
        """Rename a full log.

        Raise OSError if that fails, for example because another process has it open on Windows.
        """
        make_private(self.path.parent)
        if self.path.exists() and self.path.stat().st_size > MOST:
            self.path.replace(self.path.with_name(f"{_NAME}.1"))


def versions() -> dict[str, str]:
    """Return the versions of the program, Python, Qt and the operating system.

    If Qt can't be loaded, its version is `-`.
    """
    result = {"turnwright": __version__, "Python": platform.python_version()}
    try:
        from PySide6.QtCore import qVersion

        result["Qt"] = qVersion()
    except ImportError:
        result["Qt"] = "-"
    return {**result, platform.system(): f"{platform.release()} {platform.machine()}"}


def places(folders: Folders) -> dict[str, Path]:
    """Return the paths of the user's files."""
    return {
        "library": folders.library,
        "settings": folders.config,
        "unsaved work": folders.recovery,
        "backups": folders.backups,
        "cache": cache_folder(),
        "log": log_file(folders.state),
    }
