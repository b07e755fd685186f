"""Forms for commands that the game master enters manually: the *By Hand* menu, and the players' initiatives."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from turnwright.ui.dialogs.initiative_dialog import InitiativeDialog
from turnwright.ui.dialogs.manual_command_dialog import ManualCommandDialog
from turnwright.ui.dialogs.manual_commands import manual_commands
from turnwright.ui.look.translations import tr
from turnwright.ui.services.services import Controller, show_dialog

if TYPE_CHECKING:
    from turnwright.ui.docks.turn.dock import TurnDock


class ManualCommandController(Controller):
    """Opens the forms. They don't block the window."""

    def open_form(self, id: str) -> None:
        """Open the form of a manual command."""
        show_dialog(ManualCommandDialog(self._document, manual_commands()[id], self._window))

    def complete_menu(self, menu: QMenu) -> None:
        """Add the forms that have no window action to a menu that is about to open."""
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

        show_dialog(InitiativeDialog(self._document, self._window))
