"""The dialog that saves the party's state after a fight, with a check box for each member and the party's name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QLineEdit, QWidget

from turnwright.encounter.prepared import RosterEntry
from turnwright.ui.look.fonts import scaled
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.dialog import StandardDialog
from turnwright.ui.widgets.text import plain_label, push_button


class KeepPartyDialog(StandardDialog):
    """Asks which party members to save. Emits `kept(name, ids)` with the party's name and the checked roster entries.

    `members` are roster entries and their names, and `lines` are descriptions of their states, keyed by id.
    """

    kept = Signal(str, object)

    def __init__(
        self,
        members: Sequence[tuple[RosterEntry, str]],
        lines: Mapping[str, str],
        name: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("ui.party.keep"), parent, tr("ui.party.keep-lead"))
        self.ticks: dict[str, QCheckBox] = {}
        form = QFormLayout()
        for entry, label in members:
            tick = self.ticks[entry.id] = QCheckBox(label.replace("&", "&&"))
            tick.setChecked(True)
            form.addRow(tick, plain_label(lines[entry.id], wraps=True))
        self.column.addLayout(form)
        self.name = QLineEdit(name)
        self.name.setAccessibleName(tr("ui.party.name"))
        named = QFormLayout()
        named.addRow(plain_label(tr("ui.party.name")), self.name)
        self.column.addLayout(named)
        self.keep_button = push_button(tr("ui.party.keep-do"), self._keep, "primary", "content-save-outline")
        self.keep_button.setDefault(True)
        self.add_buttons(push_button(tr("ui.general.cancel"), self.reject), self.keep_button)
        self.name.textChanged.connect(lambda text: self.keep_button.setEnabled(bool(text.strip())))
        self.keep_button.setEnabled(bool(name.strip()))
        self.resize(scaled(560), self.sizeHint().height())

    def _keep(self) -> None:
        ids = tuple(id for id, tick in self.ticks.items() if tick.isChecked())
        self.kept.emit(self.name.text().strip(), ids)
        self.accept()
