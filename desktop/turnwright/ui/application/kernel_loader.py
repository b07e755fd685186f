"""Loads the compiled kernels of the map in a worker, as soon as an encounter has a map."""

from PySide6.QtCore import QThreadPool

from turnwright.encounter.prepared import Map
from turnwright.ui.services.document_model import DocumentModel


def load_for_maps(document: DocumentModel) -> None:
    """Load the kernels if the encounter has a map, now and after each change of it. They are only loaded once."""

    def check() -> None:
        if (field := document.encounter.get(Map, Map.table)) is not None and field.columns and field.rows:
            QThreadPool.globalInstance().start(_load)

    document.documentChanged.connect(check)
    document.changed.connect(lambda changed: check() if changed.touches(Map.table) else None)
    check()


def _load() -> None:
    from turnwright.workspace.kernel_library import await_kernels

    await_kernels()
