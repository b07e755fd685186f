"""The window's part in the library: messages about saved files, and the dialogs over its stat blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMainWindow

from turnwright.ui.document_model import DocumentModel
from turnwright.ui.import_controller import ImportController

if TYPE_CHECKING:
    from turnwright.encounter.prepared import Creature
    from turnwright.rules.system import RuleSystem
    from turnwright.ui.docks.library.actions import ComparedEntry


class LibraryController:
    """Opens the dialogs of the library dock."""

    def __init__(self, window: QMainWindow, bridge: DocumentModel, import_controller: ImportController) -> None:
        self._window = window
        self._bridge = bridge
        self._import_controller = import_controller

    def notify_saved(self, text: str) -> None:
        """Report what was written into the library, and read its list again."""
        self._import_controller.notify(text)
        self._import_controller.reload()

    def compare(self, first: ComparedEntry, second: ComparedEntry) -> None:
        """Show two stat blocks of the library side by side."""
        from turnwright.ui.dialogs.compare import CompareDialog

        left, right = ((side.creature, self._rules_of(side.system).data, side.place) for side in (first, second))
        CompareDialog(left, right, self._window).open()

    def open_variant_dialog(self, side: ComparedEntry, save: Callable[[Creature, str], object]) -> None:
        """Open the dialog that scales a creature; `save` gets the variant and the id of its system."""
        from turnwright.ui.dialogs.variant_dialog import VariantDialog
        from turnwright.ui.forms.kinds import FormContext

        context = FormContext(self._rules_of(side.system), lambda: self._bridge.encounter)
        dialog = VariantDialog(side.creature, context, self._window)
        dialog.variantMade.connect(lambda creature: save(creature, side.system))
        dialog.open()

    def _rules_of(self, system: str) -> RuleSystem:
        """Return a rule system, the encounter's where the id is unknown."""
        systems = self._bridge.document.systems
        return systems.get(system) if system in systems.ids else self._bridge.rules
