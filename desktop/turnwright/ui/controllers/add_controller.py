"""The Add menu, which creates records and opens them in their editors, and the quick-add line."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow

from turnwright.encounter.state import Key
from turnwright.storage.library.entries import LibraryEntry
from turnwright.ui.controllers.file_controller import FileController
from turnwright.ui.controllers.view_controller import ViewController
from turnwright.ui.controllers.window_port import WindowPort
from turnwright.ui.docks.shared.library_transfer import (
    add_countdown,
    add_creature,
    add_environment,
    add_from_library,
    add_reminder,
    add_treasure,
)
from turnwright.ui.services.document_model import DocumentModel


class AddController:
    """Adds records to the encounter."""

    def __init__(
        self,
        window: QMainWindow,
        port: WindowPort,
        document: DocumentModel,
        view: ViewController,
        file_controller: FileController,
    ) -> None:
        self._window = window
        self._port = port
        self._document = document
        self._view = view
        self._file_controller = file_controller

    def add_creature(self) -> None:
        """Add a creature with a roster entry (count 1), and open it in its editor."""
        self._open(add_creature(self._document, None))

    def add_environment(self) -> None:
        """Add an environment and open it in its editor."""
        self._open(add_environment(self._document, None))

    def add_countdown(self) -> None:
        """Add a countdown and open it in its editor."""
        self._open(add_countdown(self._document))

    def add_reminder(self) -> None:
        """Add a reminder and open it in its editor."""
        self._open(add_reminder(self._document))

    def add_treasure(self) -> None:
        """Add treasure and open it in its editor."""
        self._open(add_treasure(self._document))

    def open_quick_add(self) -> None:
        """Open the quick-add line."""
        from turnwright.ui.dialogs.quick_add import QuickAddLine

        files = self._file_controller
        line = QuickAddLine(
            self._document, files.find_creature, files.creature_names, self._window, files.find_creature_elsewhere
        )
        line.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        line.open_over(self._window)

    def add_from_library(self, entry: LibraryEntry) -> None:
        """Add a creature from the library to the encounter, or to the running fight."""
        creature = self._file_controller.load_creature(entry)
        if creature is not None:
            add_from_library(self._document, creature)

    def _open(self, key: Key | None) -> None:
        if key is None:
            return
        if self._port.arrangement == "prepare":
            self._view.open_record(key)
        else:
            self._document.select(key)
