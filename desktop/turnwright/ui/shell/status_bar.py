"""Status bar: buttons for closed docks, the source of die results, and whether the file is saved."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStatusBar, QToolButton

from turnwright.ui.docks.docking import Docks
from turnwright.ui.look.fonts import scaled, set_role
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.encounter_status import EncounterStatus
from turnwright.ui.widgets.text import plain_label, text_button

DOCK_BUTTONS = (("journal", "script-text-outline"), ("problems", "alert-circle-outline"))


class StatusBar:
    """Fills a status bar. `refresh` must be called after every change."""

    def __init__(self, bar: QStatusBar, docks: Docks, document: DocumentModel) -> None:
        self._docks = docks
        self._document = document
        self._status = EncounterStatus(document)
        bar.setSizeGripEnabled(False)
        self.buttons = {id: self._button(bar, id, icon_name) for id, icon_name in DOCK_BUTTONS}
        self._dice = plain_label("", "caption", "muted")
        self._file = plain_label("", "caption", "muted")
        for label in (self._dice, self._file):
            label.setContentsMargins(scaled(12), 0, scaled(12), 0)
            bar.addPermanentWidget(label)

    def refresh(self) -> None:
        """Update the contents of the status bar."""
        for id, button in self.buttons.items():
            button.setChecked(self._docks.is_open(id))
            button.setText(self._docks.all[id].windowTitle())
        self._file.setText(self._file_words())
        self._dice.setText(tr(f"ui.status.dice-{self._status.dice_mode}"))

    def _file_words(self) -> str:
        document = self._document.source
        if document.read_only:
            return tr("ui.status.read-only")
        if document.path is None:
            return tr("ui.status.no-file")
        return tr("ui.status.unsaved" if document.is_modified else "ui.status.saved")

    def _button(self, bar: QStatusBar, id: str, icon_name: str) -> QToolButton:
        button = text_button(icon_name, tr(f"ui.dock.{id}"))
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_role(button, "caption")
        button.clicked.connect(lambda checked, id=id: self._docks.set_open(id, is_open=checked))
        bar.addWidget(button)
        return button
