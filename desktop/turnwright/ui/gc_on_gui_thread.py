"""Garbage collection on the GUI thread alone.

Python collects in whichever thread allocates once enough has been allocated. A widget without outside references would
then be destroyed by a worker thread, which Qt does not survive.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

INTERVAL_MS = 2_000


class GarbageCollector(QObject):
    """Replaces Python's automatic garbage collection as long as it lives."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self, interval=INTERVAL_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()
        self.destroyed.connect(gc.enable)

    def collect(self) -> int:
        """Collect the oldest generation beyond its threshold, and return it; -1 for none."""
        counts, thresholds = gc.get_count(), gc.get_threshold()
        due = [age for age, (count, most) in enumerate(zip(counts, thresholds, strict=True)) if most and count > most]
        if not due:
            return -1
        gc.collect(due[-1])
        return due[-1]
