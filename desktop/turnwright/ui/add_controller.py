"""The Add menu: new records of the encounter, each opened in its editor, and the quick-add line."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow

from turnwright.encounter.state import Key
from turnwright.ui.docking import Docks
from turnwright.ui.docks.shared.library_transfer import add_countdown, add_creature, add_environment
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.file_controller import FileController
from turnwright.ui.window_port import WindowPort


class AddController:
    """Adds records to the encounter."""

    def __init__(
        self,
        window: QMainWindow,
        port: WindowPort,
        bridge: DocumentModel,
        docks: Docks,
        file_controller: FileController,
    ) -> None:
        self._window = window
        self._port = port
        self._bridge = bridge
        self._docks = docks
        self._file_controller = file_controller

    def add_creature(self) -> None:
        """Add a creature with a roster entry of one, and open it in its editor."""
        self._open(add_creature(self._bridge, None), "creature")

    def add_environment(self) -> None:
        """Add an environment and open it in its editor."""
        self._open(add_environment(self._bridge, None), "environment")

    def add_countdown(self) -> None:
        """Add a countdown and open it in its editor."""
        self._open(add_countdown(self._bridge), "countdown")

    def open_quick_add(self) -> None:
        """Open the quick-add line."""
        from turnwright.ui.dialogs.quick_add import QuickAddLine

        files = self._file_controller
        line = QuickAddLine(
            self._bridge, files.find_creature, files.creature_names, self._window, files.find_creature_elsewhere
        )
        line.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        line.open_over(self._window)

    def _open(self, key: Key | None, dock: str) -> None:
        if key is not None:
            self._bridge.select(key)
            if self._port.arrangement == "prepare":
                self._docks.show(dock)
