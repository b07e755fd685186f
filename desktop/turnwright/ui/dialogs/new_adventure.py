"""The dialog for a new adventure: its title, party and folder."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QLineEdit, QWidget

from turnwright.ui.look.style import scaled, tr
from turnwright.ui.services.settings_store import ask_folder
from turnwright.ui.widgets.dialog import StandardDialog
from turnwright.ui.widgets.fields import ComboBox
from turnwright.ui.widgets.layout import ElidedLabel, fill, horizontal
from turnwright.ui.widgets.text import push_button


class NewAdventureDialog(StandardDialog):
    """Asks for the title, the party and the folder. `parties` are pairs of id and name.

    `folder` is that of existing encounters; otherwise, the adventure gets a new folder in `home`, named after it. Emits
    `chosen(title, party, folder)`.
    """

    chosen = Signal(str, str, object)

    def __init__(
        self, home: Path, parties: Sequence[tuple[str, str]], folder: Path | None, parent: QWidget | None = None
    ) -> None:
        super().__init__(tr("ui.adventure.new-title"), parent, tr("ui.adventure.new-lead"))
        self._home, self._folder = home, folder
        self.name = QLineEdit(folder.name if folder is not None else "")
        self.party = ComboBox()
        self.party.addItem(tr("ui.adventure.no-party"), "")
        for id, name in parties:
            self.party.addItem(name, id)
        self.party.setCurrentIndex(min(1, len(parties)))
        self.place = ElidedLabel()
        choose = push_button(tr("ui.adventure.choose"), self._choose, icon_name="folder-open-outline")
        choose.setVisible(folder is None)
        rows = QFormLayout()
        rows.addRow(tr("ui.adventure.name"), self.name)
        rows.addRow(tr("ui.adventure.party"), self.party)
        rows.addRow(tr("ui.adventure.folder"), fill(horizontal(), (self.place, 1), choose))
        self.column.addLayout(rows)
        self.column.addStretch(1)
        self.create_button = push_button(tr("ui.adventure.create"), self._create, "primary", "check")
        self.create_button.setDefault(True)
        self.add_buttons(push_button(tr("ui.general.cancel"), self.reject), self.create_button)
        self.name.textChanged.connect(self._show_place)
        self._show_place()
        self.resize(scaled(560), self.sizeHint().height())

    @property
    def folder(self) -> Path:
        """The folder of the adventure."""
        name = "".join(letter for letter in self.name.text() if letter not in '<>:"/\\|?*').strip(" .")
        return self._folder or self._home / (name or tr("ui.adventure.title"))

    def _show_place(self, *_: object) -> None:
        self.place.setText(str(self.folder))
        self.create_button.setEnabled(bool(self.name.text().strip()))

    def _choose(self) -> None:
        home = ask_folder(self, tr("ui.adventure.choose-folder"), self._home)
        self._home = home or self._home
        self._show_place()

    def _create(self) -> None:
        self.chosen.emit(self.name.text().strip(), self.party.currentData(), self.folder)
        self.accept()
