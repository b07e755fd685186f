"""Loading of files off the GUI thread. If it is slow, a dialog shows the progress and can cancel it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Generic, TypeVar

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from turnwright.ui.dialogs.imports.import_dialogs import ProgressDialog
from turnwright.ui.look.translations import tr
from turnwright.workspace.document import Document

Loaded = TypeVar("Loaded")

PATIENCE: Final = 0.3  # seconds that the window freezes before it shows progress
_one_at_a_time = threading.Lock()  # a cancelled document must release its lock before the next one opens


class _Outcome(Generic[Loaded]):
    """The loaded object, or the error that occurred in the thread. Discarded if the window no longer needs it."""

    def __init__(self) -> None:
        self.ended = threading.Event()
        self.loaded: Loaded | None = None
        self.error: Exception | None = None
        self._is_unwanted = False
        self._mutex = threading.Lock()

    def run(self, load: Callable[[], Loaded]) -> None:
        """Load the object. Close a loaded document that is no longer needed."""
        loaded = None
        with _one_at_a_time:
            try:
                loaded = None if self._is_unwanted else load()
            except Exception as error:  # noqa: BLE001 - raised again by `take`
                self.error = error
            with self._mutex:
                self.loaded, unneeded = (None, loaded) if self._is_unwanted else (loaded, None)
            if isinstance(unneeded, Document):
                unneeded.close()
            self.ended.set()

    def drop(self) -> None:
        """Close the document now, or as soon as it has been loaded."""
        with self._mutex:
            self._is_unwanted = True
            unneeded, self.loaded = self.loaded, None
        if isinstance(unneeded, Document):
            unneeded.close()


class DocumentLoading(QObject, Generic[Loaded]):
    """Loads a document, or the contents of its files, in a thread that starts immediately.

    If `is_quick` returns False, a small progress dialog is open, and the object emits `finished` or `cancelled` later.
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
        """Wait briefly for the file. If it takes longer, show a progress dialog with its `name` and return False."""
        if self._outcome.ended.wait(PATIENCE):
            self._is_over = True
            return True
        dialog = ProgressDialog(tr("ui.files.open"), window)
        dialog.show_progress(tr("ui.import.reading", file=name))
        dialog.setWindowModality(Qt.WindowModality.WindowModal)
        dialog.cancelled.connect(self.cancel)
        dialog.show()
        self.dialog = dialog
        return False

    def take(self) -> Loaded:
        """Return the loaded object and pass its ownership to the caller. Raise the error if loading failed."""
        loaded, self._outcome.loaded = self._outcome.loaded, None
        if loaded is None:
            raise self._outcome.error or AssertionError("loading ended without a result or an error")
        return loaded

    def cancel(self) -> None:
        """Cancel loading. The document is closed as soon as it has been loaded."""
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

    # In the worker's thread ----------------------------------------------------------------------------------------

    def _run(self, outcome: _Outcome[Loaded], load: Callable[[], Loaded]) -> None:
        outcome.run(load)
        with suppress(RuntimeError):  # the window may have been destroyed by now
            self._ended.emit()
