"""The services of a window for tests of one controller: those that it uses are given, all others are missing."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

from PySide6.QtWidgets import QMainWindow

NAMES = ("document", "workspace", "settings_store", "theme", "status", "messages", "jobs", "docks", "layout", "actions")


def services_for(window: QMainWindow, **given: Any) -> SimpleNamespace:
    """Return services in the shape of `Services`."""
    missing: dict[str, Any] = dict.fromkeys(NAMES)
    return SimpleNamespace(**{**missing, "window": window, "clock": time.monotonic, **given})
