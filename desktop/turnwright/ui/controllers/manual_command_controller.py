"""Forms for commands that the game master enters manually: the *By Hand* menu, and the players' initiatives."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QMainWindow, QMenu

from turnwright.ui.docks.docking import Docks
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel

if TYPE_CHECKING:
    from turnwright.ui.docks.turn.dock import TurnDock


class ManualCommandController:
    """Opens the forms. They don't block the window."""

    def __init__(self, window: QMainWindow, document: DocumentModel, docks: Docks) -> None:
        self._window = window
        self._docks = docks
        self._document = document

    def open_form(self, id: str) -> None:
        """Open the form of a manual command."""
        from turnwright.ui.dialogs.manual_command_dialog import ManualCommandDialog
        from turnwright.ui.dialogs.manual_commands import manual_commands

        _show(ManualCommandDialog(self._document, manual_commands()[id], self._window))

    def complete_menu(self, menu: QMenu) -> None:
        """Add the forms that have no window action to a menu that is about to open."""
        from turnwright.ui.dialogs.manual_commands import manual_commands

        for id in manual_commands():
            if self._window.findChild(QAction, f"manual-{id}") is None:
                action = QAction(tr(f"ui.manual.{id}") + "…", self._window)
                action.setObjectName(f"manual-{id}")
                action.triggered.connect(lambda _checked=False, id=id: self.open_form(id))
                menu.addAction(action)

    def open_initiatives(self) -> None:
        """Go to the players' initiatives on the set-up page, or open their form if the page isn't shown."""
        turn = self._docks.built("turn")
        if turn is not None and cast("TurnDock", turn).enter_initiatives():
            return
        from turnwright.ui.dialogs.initiative_dialog import InitiativeDialog

        _show(InitiativeDialog(self._document, self._window))


def _show(dialog: QDialog) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.show()
