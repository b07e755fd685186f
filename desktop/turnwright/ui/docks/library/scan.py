"""Reading the library in the background, and the default library of a window."""

from __future__ import annotations

from contextlib import suppress

from PySide6.QtCore import QObject, QThreadPool, Signal

from turnwright.storage.library.entries import Library
from turnwright.storage.library.items import LibraryItems, indexed_library_items, library_items
from turnwright.workspace.folders import folders

INDEX_FILE = "library.index"
FAVOURITES_FILE = "library.favourites"


def default_library() -> Library:
    """Return a library of the user's entries and the built-in ones. Its index is in the state folder."""
    usual = folders()
    return Library.standard(usual.library, usual.state / INDEX_FILE)


class LibraryScan(QObject):
    """Reads the library in the background. Emits `finished(items)`, or `finished(None)` if nothing has changed."""

    finished = Signal(object)

    def __init__(self, library: Library, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = library

    def cached_items(self) -> LibraryItems:
        """Return the items of the last scan without reading the library."""
        return indexed_library_items(self._library)

    def start(self, shown: LibraryItems) -> None:
        """Start a scan as soon as a worker is free. The result is compared with `shown`, the current items."""

        def scan() -> None:
            items = library_items(self._library)
            with suppress(RuntimeError):  # the window may have been closed
                self.finished.emit(None if items == shown else items)

        QThreadPool.globalInstance().start(scan)
