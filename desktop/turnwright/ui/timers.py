"""Timers that fire once after each start, for what can wait until a burst of changes is over."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, SignalInstance


def single_shot_timer(owner: QObject, slot: Callable[[], object] | SignalInstance, milliseconds: int = 0) -> QTimer:
    """Return a stopped timer that calls a function once, so long after its latest start."""
    timer = QTimer(owner)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(slot)
    return timer
