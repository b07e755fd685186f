"""The form for initiative totals that players rolled with their own dice. All totals are submitted together."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from turnwright.play.turn_order.initiative_commands import SetInitiative
from turnwright.ui.forms.initiatives import InitiativeFields, players_of
from turnwright.ui.look.fonts import scaled
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.dialog import StandardDialog
from turnwright.ui.widgets.text import push_button


class InitiativeDialog(StandardDialog):
    """Has a line for each player. Tab and Enter go to the next line. Enter in the last one submits the form.

    Empty lines are skipped.
    """

    def __init__(self, document: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__(tr("ui.initiative.title"), parent, tr("ui.initiative.lead"))
        self._document = document
        self.fields = InitiativeFields()
        self.fields.show_people(players_of(document.encounter))
        self.fields.finished.connect(self.submit)
        self.column.addWidget(self.fields)
        self.column.addStretch(1)
        self.add_buttons(
            push_button(tr("ui.general.cancel"), self.reject),
            push_button(tr("ui.initiative.enter"), self.submit, "primary", "check-bold"),
        )
        self.setMinimumWidth(scaled(360))
        self.fields.focus_first()

    def submit(self) -> None:
        """Enter all totals in one step and close the dialog."""
        totals = self.fields.totals()
        if not totals or self._document.execute(SetInitiative(totals)):
            self.accept()
