"""Reading of files off the GUI thread: a quick one is there at once, a slow one shows progress and can be cancelled."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Generic, TypeVar

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from turnwright.ui.translations import tr
from turnwright.workspace.document import Document

Loaded = TypeVar("Loaded")

PATIENCE: Final = 0.3  # seconds in which the window stands still rather than show progress
_one_at_a_time = threading.Lock()  # a cancelled document has to give up its lock before the next is opened


class _Outcome(Generic[Loaded]):
    """What a thread hands to the window: what it has loaded or an error, unless the window no longer wants it."""

    def __init__(self) -> None:
        self.ended = threading.Event()
        self.loaded: Loaded | None = None
        self.error: Exception | None = None
        self._is_unwanted = False
        self._mutex = threading.Lock()

    def run(self, load: Callable[[], Loaded]) -> None:
        """Load; close a document that is unwanted by then."""
        loaded = None
        with _one_at_a_time:
            try:
                loaded = None if self._is_unwanted else load()
            except Exception as error:  # noqa: BLE001 - raised again where the document is wanted
                self.error = error
            with self._mutex:
                self.loaded, left = (None, loaded) if self._is_unwanted else (loaded, None)
            if isinstance(left, Document):
                left.close()
            self.ended.set()

    def drop(self) -> None:
        """Close a document, now or once it is loaded."""
        with self._mutex:
            self._is_unwanted = True
            left, self.loaded = self.loaded, None
        if isinstance(left, Document):
            left.close()


class DocumentLoading(QObject, Generic[Loaded]):
    """Loads a document, or what its files hold, in a thread, started at once.

    Where `is_quick` returns False, `finished` or `cancelled` follows, and a small dialog shows that it takes a while.
    """

    finished = Signal()
    cancelled = Signal()
    _ended = Signal()  # emitted in the thread; the public signals are emitted in the GUI thread

    def __init__(self, load: Callable[[], Loaded], parent: QObject) -> None:
        super().__init__(parent)
        outcome = self._outcome = _Outcome[Loaded]()
        self._is_over = False
        self.dialog: QWidget | None = None
        self._ended.connect(self._end)
        self.destroyed.connect(outcome.drop)
        threading.Thread(target=self._run, args=(outcome, load), name="document", daemon=True).start()

    def is_quick(self, name: str, window: QWidget) -> bool:
        """Wait a moment for the document of this name; show its progress over the window if it takes longer."""
        if self._outcome.ended.wait(PATIENCE):
            self._is_over = True
            return True
        from turnwright.ui.dialogs.import_dialogs import ProgressDialog  # for few files

        dialog = ProgressDialog(tr("ui.files.open"), window)
        dialog.show_progress(tr("ui.import.reading", file=name))
        dialog.setWindowModality(Qt.WindowModality.WindowModal)
        dialog.cancelled.connect(self.cancel)
        dialog.show()
        self.dialog = dialog
        return False

    def take(self) -> Loaded:
        """Return what was loaded, the caller's from then on; whatever kept it from being loaded is raised."""
        loaded, self._outcome.loaded = self._outcome.loaded, None
        if loaded is None:
            raise self._outcome.error or AssertionError("nothing was loaded")
        return loaded

    def cancel(self) -> None:
        """Give up: the document is closed as soon as it is loaded."""
        if not self._is_over:
            self._close_dialog()
            self._outcome.drop()
            self.cancelled.emit()

    def _end(self) -> None:
        if not self._is_over:
            self._close_dialog()
            self.finished.emit()

    def _close_dialog(self) -> None:
        self._is_over = True
        if self.dialog is not None:
            self.dialog.hide()
            self.dialog.deleteLater()
            self.dialog = None

    # In the thread -------------------------------------------------------------------------------------------------

    def _run(self, outcome: _Outcome[Loaded], load: Callable[[], Loaded]) -> None:
        outcome.run(load)
        with suppress(RuntimeError):  # the window may have been destroyed meanwhile
            self._ended.emit()
