"""Loads the compiled kernels of the map in a worker, as soon as an encounter has a map."""

from __future__ import annotations

from PySide6.QtCore import QObject, QThreadPool

from turnwright.encounter.prepared import Map
from turnwright.ui.services.document_model import DocumentModel


def _load() -> None:
    from turnwright.workspace.kernel_library import await_kernels

    await_kernels()


class KernelLoader(QObject):
    """Starts the worker when the open encounter first has a map."""

    def __init__(self, document: DocumentModel, parent: QObject) -> None:
        super().__init__(parent)
        self.started = False
        self._document = document
        document.documentChanged.connect(self.check)
        document.changed.connect(lambda changed: self.check() if changed.touches(Map.table) else None)
        self.check()

    def check(self) -> None:
        """Start the worker if the encounter has a map."""
        field = self._document.encounter.get(Map, Map.table)
        if not self.started and field is not None and field.columns and field.rows:
            self.started = True
            self.start()

    def start(self) -> None:
        """Start the worker in the thread pool."""
        QThreadPool.globalInstance().start(_load)
