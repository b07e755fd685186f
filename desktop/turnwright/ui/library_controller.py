"""The window's part in the library: messages about saved files, and the dialogs over its stat blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMainWindow

from turnwright.ui.bridge import Bridge
from turnwright.ui.importing import Importing

if TYPE_CHECKING:
    from turnwright.encounter.prepared import Creature
    from turnwright.rules.catalogue import Catalogue
    from turnwright.ui.docks.library_deeds import Side


class LibraryController:
    """Opens the dialogs of the library dock."""

    def __init__(self, window: QMainWindow, bridge: Bridge, importing: Importing) -> None:
        self._window = window
        self._bridge = bridge
        self._importing = importing

    def notify_saved(self, text: str) -> None:
        """Report what was written into the library, and read its list again."""
        self._importing.say(text)
        self._importing.reload()

    def compare(self, first: Side, second: Side) -> None:
        """Show two stat blocks of the library side by side."""
        from turnwright.ui.dialogs.compare import CompareDialog

        left, right = ((side.creature, self._catalogue_of(side.system), side.place) for side in (first, second))
        CompareDialog(left, right, self._window).open()

    def open_variant_dialog(self, side: Side, save: Callable[[Creature, str], object]) -> None:
        """Open the dialog that scales a creature; `save` gets the variant and the id of its system."""
        from turnwright.ui.dialogs.scaling import ScalingDialog

        dialog = ScalingDialog(side.creature, self._catalogue_of(side.system), self._window)
        dialog.made.connect(lambda creature: save(creature, side.system))
        dialog.open()

    def _catalogue_of(self, system: str) -> Catalogue:
        """Return the data of a rule system, that of the encounter's system where the id is unknown."""
        systems = self._bridge.document.systems
        return (systems.get(system) if system in systems.ids else self._bridge.rules).catalogue
