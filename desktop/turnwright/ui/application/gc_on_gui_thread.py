"""Restricts garbage collection to the GUI thread.

Python runs a collection in the thread whose allocation reaches the threshold. In a worker thread, it could destroy an
unreachable widget, which crashes Qt.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

INTERVAL_MS = 2_000


class GarbageCollector(QObject):
    """Replaces Python's automatic garbage collection while this object exists."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self, interval=INTERVAL_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()
        self.destroyed.connect(gc.enable)

    def collect(self) -> int:
        """Collect the oldest generation that exceeds its threshold. Return its number, or -1 if there is none."""
        counts, thresholds = gc.get_count(), gc.get_threshold()
        due = [age for age, (count, most) in enumerate(zip(counts, thresholds, strict=True)) if most and count > most]
        if not due:
            return -1
        gc.collect(due[-1])
        return due[-1]
