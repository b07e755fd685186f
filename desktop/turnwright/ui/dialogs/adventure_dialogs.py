"""Dialogs for a whole adventure: a new one, the line that finds a word, the packet to print, and the contents to share."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QLineEdit, QListWidget, QListWidgetItem, QWidget

from turnwright.handouts.kinds import MODULES
from turnwright.handouts.page_input import PrintOptions
from turnwright.ui.dialogs.palette import CommandPalette, PaletteEntry
from turnwright.ui.look.style import GAP, scaled, tr
from turnwright.ui.look.window_data import window_data
from turnwright.ui.services.settings_store import ask_folder
from turnwright.ui.widgets.dialog import StandardDialog
from turnwright.ui.widgets.fields import ComboBox, with_options
from turnwright.ui.widgets.layout import STRETCH, ElidedLabel, fill, horizontal, vertical
from turnwright.ui.widgets.text import named, plain_label, push_button

USUAL_KINDS = window_data("handouts.packet", tuple[str, ...])


class FindPalette(CommandPalette):
    """A line that lists the texts with all typed words. `search` returns an entry for each text."""

    def __init__(self, parent: QWidget, search: Callable[[str], Sequence[PaletteEntry]]) -> None:
        self._search = search
        super().__init__(parent, lambda: ())
        self.line.setPlaceholderText(tr("ui.adventure.find-all"))
        self.line.setAccessibleName(tr("ui.adventure.find-all"))

    def _filter(self, query: str) -> None:
        self.show_entries(self._search(query))


def _checks(name: str, rows: Sequence[tuple[str, str, bool]]) -> QListWidget:
    """Return a list with a tick for each row: its key, its text, and whether it is ticked."""
    listed = named(QListWidget(), name)
    for key, text, ticked in rows:
        item = QListWidgetItem(text)
        item.setData(Qt.ItemDataRole.UserRole, key)
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
        listed.addItem(item)
    listed.setCurrentRow(0)
    return listed


def _keys(listed: QListWidget, state: Qt.CheckState) -> tuple[str, ...]:
    items = (listed.item(row) for row in range(listed.count()))
    return tuple(str(item.data(Qt.ItemDataRole.UserRole)) for item in items if item.checkState() == state)


class PacketDialog(StandardDialog):
    """Chooses the steps and pages of a packet. Emits `chosen(left_out, kinds, options)`.

    `rows` are the steps: key, title, and whether it can be left out.
    """

    chosen = Signal(object, object, object)

    def __init__(self, rows: Sequence[tuple[str, str, bool]], paper: str, parent: QWidget | None = None) -> None:
        super().__init__(tr("ui.packet.title"), parent, tr("ui.packet.lead"))
        self.steps = _checks(tr("ui.packet.steps"), [(key, title, True) for key, title, can in rows if can])
        kinds = [name.replace("_", "-") for name in MODULES if name != "fight_report"]
        self.kinds = _checks(
            tr("ui.packet.pages"), [(kind, tr(f"ui.handouts.kind-{kind}"), kind in USUAL_KINDS) for kind in kinds]
        )
        left = fill(vertical(), plain_label(tr("ui.packet.steps"), "strong"), (self.steps, 1))
        right = fill(vertical(), plain_label(tr("ui.packet.pages"), "strong"), (self.kinds, 1))
        self.column.addLayout(fill(horizontal(spacing=GAP), (left, 1), (right, 1)), 1)
        self.edition = self._choice("edition", ("game-master", "players"))
        self.paper = self._choice("paper", ("a4", "letter"))
        self.paper.setCurrentIndex(max(0, self.paper.findData(paper)))
        self.sides = self._choice("sides", ("one", "two"))
        self.column.addLayout(fill(horizontal(), self.edition, self.paper, self.sides))
        self.add_answer(tr("ui.packet.save"), self._choose, "file-pdf-box")
        self.resize(scaled(560), scaled(480))
        self.steps.setFocus()

    def _choice(self, name: str, values: Sequence[str]) -> QComboBox:
        box = named(QComboBox(), tr(f"ui.packet.{name}"))
        return with_options(box, ((value, tr(f"ui.packet.{name}-{value}")) for value in values))

    def _choose(self) -> None:
        options = PrintOptions(
            edition=self.edition.currentData(), paper=self.paper.currentData(), sides=self.sides.currentData()
        )
        left_out, kinds = _keys(self.steps, Qt.CheckState.Unchecked), _keys(self.kinds, Qt.CheckState.Checked)
        self.accept()
        self.chosen.emit(left_out, kinds, options)


class ShareDialog(StandardDialog):
    """Asks for the contents of a shared adventure. Emits `chosen(with_party, with_progress)`."""

    chosen = Signal(bool, bool)

    def __init__(self, has_party: bool, parent: QWidget | None = None) -> None:
        super().__init__(tr("ui.share.title"), parent, tr("ui.share.lead"))
        self.party = QCheckBox(tr("ui.share.party"))
        self.party.setEnabled(has_party)
        self.progress = QCheckBox(tr("ui.share.progress"))
        fill(self.column, self.party, self.progress)
        self.add_answer(tr("ui.share.save"), self._choose, "export")

    def _choose(self) -> None:
        self.accept()
        self.chosen.emit(self.party.isChecked(), self.progress.isChecked())


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
        self.party = with_options(ComboBox(), [("", tr("ui.adventure.no-party")), *parties])
        self.party.setCurrentIndex(min(1, len(parties)))
        self.place = ElidedLabel()
        choose = push_button(tr("ui.adventure.choose"), self._choose, icon_name="folder-open-outline")
        choose.setVisible(folder is None)
        rows = QFormLayout()
        rows.addRow(tr("ui.adventure.name"), self.name)
        rows.addRow(tr("ui.adventure.party"), self.party)
        rows.addRow(tr("ui.adventure.folder"), fill(horizontal(), (self.place, 1), choose))
        fill(self.column, rows, STRETCH)
        self.create_button = self.add_answer(tr("ui.adventure.create"), self._create, "check")
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
        self._home = ask_folder(self, tr("ui.adventure.choose-folder"), self._home) or self._home
        self._show_place()

    def _create(self) -> None:
        self.chosen.emit(self.name.text().strip(), self.party.currentData(), self.folder)
        self.accept()
