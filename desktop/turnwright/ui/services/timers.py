"""Single-shot timers for work that can wait until a burst of changes has ended."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, SignalInstance


def single_shot_timer(owner: QObject, slot: Callable[[], object] | SignalInstance, milliseconds: int = 0) -> QTimer:
    """Return a stopped timer that calls `slot` this many milliseconds after it was last started."""
    timer = QTimer(owner)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(slot)
    return timer
