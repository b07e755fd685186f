"""The dialog that saves the party's state after a fight, with a check box for each member and the party's name.

The dialog that gives a library party a rest, and shows each member's state before and after.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QGridLayout, QLineEdit, QSpinBox, QWidget

from turnwright.encounter.prepared import Party, RosterEntry
from turnwright.ui.look.style import scaled, tr
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


RESTS: Final = ("short", "long", "haven", "fresh")
MOST_REGAINED = 999

Regained = Mapping[str, int]


class RestPartyDialog(StandardDialog):
    """Asks how the party rests. Emits `rested(party)` with the rested party when the user accepts.

    `rest` returns the party after one of `RESTS`, including additional hit points. `line` describes a member's state.
    `members` are pairs of id and name.
    """

    rested = Signal(object)

    def __init__(
        self,
        party: Party,
        members: Sequence[tuple[str, str]],
        rest: Callable[[str, Regained], Party],
        line: Callable[[Party, str], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("ui.rest.title", name=party.name), parent, tr("ui.rest.lead"))
        self._party, self._rest, self._line = party, rest, line
        self.length = QComboBox()
        self.length.setAccessibleName(tr("ui.rest.length"))
        for rest_id in RESTS:
            self.length.addItem(tr(f"ui.rest.{rest_id}"), rest_id)
        self.column.addWidget(self.length)
        grid = QGridLayout()
        grid.setHorizontalSpacing(scaled(16))
        heads = ("member", "now", "regains", "then")
        for column, head in enumerate(heads):
            grid.addWidget(plain_label(tr(f"ui.rest.{head}"), "caption"), 0, column)
        self.regained: dict[str, QSpinBox] = {}
        self.after = {id: plain_label("", wraps=True) for id, _ in members}
        for row, (id, name) in enumerate(members, 1):
            box = self.regained[id] = QSpinBox()
            box.setRange(0, MOST_REGAINED)
            box.setAccessibleName(tr("ui.rest.regains-of", who=name))
            box.valueChanged.connect(self._show)
            grid.addWidget(plain_label(name, "strong"), row, 0)
            grid.addWidget(plain_label(line(party, id), wraps=True), row, 1)
            grid.addWidget(box, row, 2)
            grid.addWidget(self.after[id], row, 3)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        self.column.addLayout(grid)
        self.column.addStretch(1)
        self.rest_button = push_button(tr("ui.rest.do"), self._keep, "primary", "bed")
        self.rest_button.setDefault(True)
        self.add_buttons(push_button(tr("ui.general.cancel"), self.reject), self.rest_button)
        self.length.currentIndexChanged.connect(self._show)
        self._show()
        self.resize(scaled(720), self.sizeHint().height())

    def party_after(self) -> Party:
        """Return the party after the chosen rest."""
        return self._rest(self.length.currentData(), {id: box.value() for id, box in self.regained.items()})

    def _show(self) -> None:
        for box in self.regained.values():
            box.setEnabled(self.length.currentData() != "fresh")
        after = self.party_after()
        for id, label in self.after.items():
            label.setText(self._line(after, id))

    def _keep(self) -> None:
        self.rested.emit(self.party_after())
        self.accept()
