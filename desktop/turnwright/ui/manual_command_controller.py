"""The forms for commands that the game master enters by hand: the People menu and the initiatives of the players."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QMainWindow

from turnwright.ui.bridge import Bridge


class ManualCommandController:
    """Opens the forms; the window stays usable beside them."""

    def __init__(self, window: QMainWindow, bridge: Bridge) -> None:
        self._window = window
        self._bridge = bridge

    def open_form(self, id: str) -> None:
        """Open the form of a manual command."""
        from turnwright.ui.dialogs.hand_form import HandForm
        from turnwright.ui.dialogs.hand_world import ALL

        act = next(kind for kind in ALL if kind.id == id)
        _show(HandForm(self._bridge, act(self._bridge), self._window))

    def open_initiatives(self) -> None:
        """Open the form for the initiatives of all players."""
        from turnwright.ui.dialogs.initiative import InitiativeForm

        _show(InitiativeForm(self._bridge, self._window))


def _show(dialog: QDialog) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.show()
