"""The form for all players' initiatives: the totals of their own dice, one line each, entered together."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QIntValidator, QKeyEvent
from PySide6.QtWidgets import QGridLayout, QLineEdit, QWidget

from turnwright.encounter.field_specs import spec_of
from turnwright.encounter.prepared import RosterEntry
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Encounter
from turnwright.play.turn_order.commands.set_initiative import SetInitiative
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.fonts import GAP, GROUP_GAP, scaled
from turnwright.ui.translations import tr
from turnwright.ui.widgets.dialog import StandardDialog
from turnwright.ui.widgets.layout import ElidedLabel
from turnwright.ui.widgets.text import plain_label, push_button

PARTY = "party"


def players_of(encounter: Encounter) -> list[Combatant]:
    """Return the combatants whose players roll: those with a player or a level, else the party, else all."""
    everybody = list(encounter.all(Combatant))
    played = [one for one in everybody if one.player or _level(encounter, one)]
    return played or [one for one in everybody if one.side == PARTY] or everybody


def _level(encounter: Encounter, one: Combatant) -> int:
    entry = encounter.get(RosterEntry, one.roster) if one.roster else None
    return entry.level if entry else 0


class InitiativeDialog(StandardDialog):
    """One line per player: Tab and Enter go to the next, Enter in the last submits. Empty lines are left out."""

    def __init__(self, bridge: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__(tr("ui.initiative.title"), parent, tr("ui.initiative.lead"))
        self._bridge = bridge
        self._who = players_of(bridge.encounter)
        self.fields = [self._field(one) for one in self._who]
        grid = QGridLayout()
        grid.setHorizontalSpacing(scaled(GROUP_GAP))
        grid.setVerticalSpacing(scaled(GAP))
        grid.setColumnStretch(0, 1)
        for row, (one, field) in enumerate(zip(self._who, self.fields, strict=True)):
            grid.addWidget(ElidedLabel(one.label, "strong"), row, 0)
            grid.addWidget(plain_label(one.player, "caption", "muted"), row, 1)
            grid.addWidget(field, row, 2)
        self.column.addLayout(grid)
        self.column.addStretch(1)
        self.add_buttons(
            push_button(tr("ui.general.cancel"), self.reject),
            push_button(tr("ui.initiative.enter"), self.submit, "primary", "check-bold"),
        )
        self.setMinimumWidth(scaled(360))
        if self.fields:
            self.fields[0].setFocus()
            self.fields[0].selectAll()

    def totals(self) -> tuple[tuple[str, int], ...]:
        """Return pairs of combatant and total, without empty lines."""
        pairs = zip(self._who, self.fields, strict=True)
        return tuple((one.id, int(field.text())) for one, field in pairs if field.hasAcceptableInput())

    def submit(self) -> None:
        """Enter all totals as one step, and close."""
        totals = self.totals()
        if not totals or self._bridge.execute(SetInitiative(totals)):
            self.accept()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and watched in self.fields:
            at = self.fields.index(watched)
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._go(at + 1)
                return True
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
                step = 1 if event.key() == Qt.Key.Key_Down else -1
                self._go(min(len(self.fields) - 1, max(0, at + step)))
                return True
        return super().eventFilter(watched, event)

    def _go(self, at: int) -> None:
        if at >= len(self.fields):
            self.submit()
            return
        self.fields[at].setFocus()
        self.fields[at].selectAll()

    def _field(self, one: Combatant) -> QLineEdit:
        field = QLineEdit("" if one.initiative is None else str(one.initiative))
        limits = spec_of(Combatant, "initiative")
        field.setValidator(QIntValidator(limits.least, limits.most, field))
        field.setAlignment(Qt.AlignmentFlag.AlignRight)
        field.setFixedWidth(scaled(72))
        field.setAccessibleName(tr("ui.initiative.of", name=one.label))
        field.installEventFilter(self)
        return field
