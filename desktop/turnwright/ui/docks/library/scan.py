"""Reading the library off the GUI thread, and where a window's library is."""

from __future__ import annotations

from contextlib import suppress

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal

from turnwright.storage.library import Library
from turnwright.storage.library_items import LibraryItems, indexed_library_items, library_items
from turnwright.workspace.folders import folders

INDEX_FILE = "library.index"
FAVOURITES_FILE = "library.favourites"


def default_library() -> Library:
    """Return the person's own library with everything shipped, remembered in the state folder."""
    usual = folders()
    return Library.standard(usual.library, usual.state / INDEX_FILE)


class LibraryScan(QObject):
    """Looks through the library in a worker: `done(offer)` when that is over, None where all is as it was shown."""

    finished = Signal(object)

    def __init__(self, library: Library, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = library

    def cached_items(self) -> LibraryItems:
        """Return what was offered the last time, at once."""
        return indexed_library_items(self._library)

    def start(self, shown: LibraryItems) -> None:
        """Look through it, now or as soon as a worker is free, while this is shown."""
        QThreadPool.globalInstance().start(_Scanning(self._library, self, shown))


class _Scanning(QRunnable):
    def __init__(self, library: Library, scan: LibraryScan, shown: LibraryItems) -> None:
        super().__init__()
        self._library = library
        self._scan = scan
        self._shown = shown

    def run(self) -> None:
        offer = library_items(self._library)
        with suppress(RuntimeError):  # the window, and all that listens, may have gone meanwhile
            self._scan.finished.emit(None if offer == self._shown else offer)
