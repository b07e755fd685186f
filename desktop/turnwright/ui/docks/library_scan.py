"""Reading the library off the GUI thread, and where a window's library is."""

from __future__ import annotations

from contextlib import suppress

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal

from turnwright.storage.library import Library
from turnwright.storage.offered import Offer, offer_of, remembered_offer
from turnwright.workspace.folders import folders

INDEX = "library.index"
FAVOURITES = "library.favourites"


def usual_library() -> Library:
    """Return the person's own library with everything shipped, remembered in the state folder."""
    usual = folders()
    return Library.standard(usual.library, usual.state / INDEX)


class Scan(QObject):
    """Looks through the library in a worker: `done(offer)` when that is over, None where all is as it was shown."""

    done = Signal(object)

    def __init__(self, library: Library, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = library

    def remembered(self) -> Offer:
        """Return what was offered the last time, at once."""
        return remembered_offer(self._library)

    def start(self, shown: Offer) -> None:
        """Look through it, now or as soon as a worker is free, while this is shown."""
        QThreadPool.globalInstance().start(_Scanning(self._library, self, shown))


class _Scanning(QRunnable):
    def __init__(self, library: Library, scan: Scan, shown: Offer) -> None:
        super().__init__()
        self._library = library
        self._scan = scan
        self._shown = shown

    def run(self) -> None:
        offer = offer_of(self._library)
        with suppress(RuntimeError):  # the window, and all that listens, may have gone meanwhile
            self._scan.done.emit(None if offer == self._shown else offer)
