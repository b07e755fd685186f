"""The versions to name with a problem, and the places of the program's files."""

from __future__ import annotations

import platform
from pathlib import Path

from turnwright import __version__
from turnwright.workspace.folders import Folders, cache_folder
from turnwright.workspace.log_file import log_file


def versions() -> dict[str, str]:
    """Return the versions of the program, of Python, of Qt and of the system; without Qt where it can't be loaded."""
    found = {"turnwright": __version__, "Python": platform.python_version()}
    try:
        from PySide6.QtCore import qVersion

        found["Qt"] = qVersion()
    except ImportError:
        found["Qt"] = "-"
    return {**found, platform.system(): f"{platform.release()} {platform.machine()}"}


def places(folders: Folders) -> dict[str, Path]:
    """Return the places of the person's own files."""
    return {
        "library": folders.library,
        "settings": folders.config,
        "unsaved work": folders.recovery,
        "backups": folders.backups,
        "cache": cache_folder(),
        "log": log_file(folders.state),
    }
