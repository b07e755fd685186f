"""The forms for commands that the game master enters by hand: the By hand menu and the players' initiatives."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QMainWindow

from turnwright.ui.document_model import DocumentModel


class ManualCommandController:
    """Opens the forms; the window stays usable beside them."""

    def __init__(self, window: QMainWindow, bridge: DocumentModel) -> None:
        self._window = window
        self._bridge = bridge

    def open_form(self, id: str) -> None:
        """Open the form of a manual command."""
        from turnwright.ui.dialogs.manual_command_dialog import ManualCommandDialog
        from turnwright.ui.dialogs.manual_commands import MANUAL_COMMANDS

        _show(ManualCommandDialog(self._bridge, MANUAL_COMMANDS[id], self._window))

    def open_initiatives(self) -> None:
        """Open the form for the initiatives of all players."""
        from turnwright.ui.dialogs.initiative_dialog import InitiativeDialog

        _show(InitiativeDialog(self._bridge, self._window))


def _show(dialog: QDialog) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.show()
