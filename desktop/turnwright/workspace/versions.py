"""Version numbers for problem reports, and the paths of the program's files."""

from __future__ import annotations

import platform
from pathlib import Path

from turnwright import __version__
from turnwright.workspace.folders import Folders, cache_folder
from turnwright.workspace.log_file import log_file


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
