"""Creates creatures from the clipboard's text with a dialog, and adds them to the encounter or the library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QMainWindow

from turnwright.ui.controllers.import_controller import ImportController
from turnwright.ui.docks.shared.library_transfer import add_from_library
from turnwright.ui.look.translations import tr
from turnwright.ui.models.display_names import unique_id
from turnwright.ui.services.document_model import DocumentModel

if TYPE_CHECKING:
    from turnwright.encounter.prepared import Creature
    from turnwright.workspace.app_context import AppContext

MOST_CHARACTERS: Final = 200_000


class PasteController(QObject):
    """Opens the dialog that reads creatures from text."""

    def __init__(
        self, window: QMainWindow, document: DocumentModel, workspace: AppContext, import_controller: ImportController
    ) -> None:
        super().__init__(window)
        self._window = window
        self._document = document
        self._workspace = workspace
        self._import_controller = import_controller

    def open(self) -> None:
        """Open the dialog with the text of the clipboard."""
        from turnwright.importers.pasted_text.format import SYSTEMS
        from turnwright.ui.dialogs.imports.paste_dialog import PasteDialog

        systems = self._document.source.systems
        choices = [(id, systems.get(id).word("system.short")) for id in SYSTEMS if id in systems.ids]
        text = QApplication.clipboard().text()[:MOST_CHARACTERS]
        dialog = PasteDialog(text, choices, lambda id: systems.get(id).data, self._document.rules.id, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.addRequested.connect(lambda creature: dialog.show_result(self.add(creature)))
        dialog.saveRequested.connect(lambda creature, system: dialog.show_result(self.save(creature, system)))
        dialog.open()

    def add(self, creature: Creature) -> str:
        """Add a creature to the encounter or the fight. Return a message, or an empty string if it was refused."""
        if not add_from_library(self._document, creature):
            return ""
        return self._report(tr("ui.paste.added", name=creature.name))

    def save(self, creature: Creature, system: str) -> str:
        """Save a creature as a new file in the user's library. Return a message."""
        used_ids = {entry.id for entry in self._workspace.library.entries_for(system) if entry.kind == "creature"}
        record = msgspec.structs.replace(creature, id=unique_id(creature.name, used_ids, "creature"))
        try:
            path = self._workspace.library.save(record, system)
        except OSError as error:
            why = error.strerror or ""
            return self._report(tr("ui.library.not-saved", what=creature.name, why=why), "harm")
        self._import_controller.reload()
        return self._report(tr("ui.library.saved", what=creature.name, file=path.name), "heal")

    def _report(self, message: str, tone: str = "") -> str:
        """Show a message in the window's message bar, which is behind the dialog. Return the message."""
        self._import_controller.notify(message, tone)
        return message
