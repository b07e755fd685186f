"""The collapsible section below the roster with the details of an entry that aren't shown in a column.

It is built at the first paint, to keep startup fast.

The card above an empty encounter: recent files, a new encounter, and the samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.state import Encounter, Key
from turnwright.play.kernel.scheduler import Changed
from turnwright.rules.topics import signed_text
from turnwright.ui.docks.editing.inspector import CollapsibleSection
from turnwright.ui.forms.bindings import RecordBinding
from turnwright.ui.forms.encounter_layouts import ROSTER_ENTRY
from turnwright.ui.forms.form import Form
from turnwright.ui.forms.kinds import FormContext
from turnwright.ui.look.theme import escaped_tooltip
from turnwright.ui.look.translations import tr
from turnwright.ui.models.row_list_model import roster_entry_name, squares_text
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.cards import Card
from turnwright.ui.widgets.layout import STRETCH, fill, horizontal, vertical
from turnwright.ui.widgets.text import discard, plain_label, push_button, text_button


class RosterDetails(CollapsibleSection):
    """Edits one roster entry: the selected one, else the last selected, else the first."""

    def __init__(self, document: DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__(tr("ui.roster-entry.details"), parent)
        self._document = document
        self.binding = RecordBinding(document, RosterEntry)
        document.changed.connect(self._on_changed)
        document.documentChanged.connect(self._reset)
        document.selected.connect(self._on_selected)

    def prepare(self) -> None:
        """Create the expand/collapse button if it doesn't exist yet."""
        if self.button is None and self._document.selection is not None:
            self._aim(self._document.selection)
        super().prepare()

    def build_form(self, parent: QWidget) -> Form:
        """Return the form of the entry."""
        return Form(ROSTER_ENTRY, self.binding, FormContext.of(self._document), parent)

    def refresh(self) -> None:
        """Show the current state of the entry."""
        if self.binding.value() is None:
            self.binding.id = next(iter(self._document.encounter.ids(RosterEntry)), "")
        super().refresh()

    def toggle_text(self) -> str:
        """Return the text of the expand/collapse button."""
        return tr(f"ui.roster-entry.{'close' if self.is_open() else 'open'}", what=self._name())

    def summary(self) -> str:
        """Return the entry's name and, while the section is collapsed, a summary of its fields."""
        entry = self.binding.value()
        if entry is None:
            return ""
        parts = () if self.is_open() else details_summary(entry, self._document.encounter)
        return " · ".join(part for part in (self._name(), *parts) if part)

    def _name(self) -> str:
        return _called(self._document.encounter, self.binding.id) if self.binding.value() is not None else ""

    def _aim(self, key: Key) -> bool:
        if key[0] != RosterEntry.table or key[1] == self.binding.id:
            return False
        self.binding.commit()
        self.binding.id = key[1]
        return True

    def _reset(self) -> None:
        self.binding.id = ""
        self.refresh()

    def _on_selected(self, key: Key | None) -> None:
        if key is not None and self._aim(key):
            self.refresh()

    def _on_changed(self, changed: Changed) -> None:
        if changed.touches(RosterEntry.table, Creature.table) or self.is_open():
            self.refresh()


def details_summary(entry: RosterEntry, encounter: Encounter) -> list[str]:
    """Return short texts for the details of an entry that aren't shown in a column."""
    squares = squares_text(entry.positions)
    creature = encounter.get(Creature, entry.creature)
    bonus = signed_text(entry.initiative) if entry.initiative is not None else ""
    links = [link for link in ("controller", "rides") if getattr(entry, link)]
    return [
        creature.name if creature is not None and entry.name else "",
        entry.player,
        tr("ui.roster.level", n=entry.level) if entry.level else "",
        tr("ui.roster-entry.initiative-is", bonus=bonus) if bonus else "",
        tr("ui.roster-entry.state-is", hp=entry.state.hp) if entry.state is not None else "",
        entry.counts,
        entry.place,
        tr("ui.roster-entry.at", squares=squares) if squares else "",
        tr("ui.roster-entry.at-height", n=entry.elevation) if entry.elevation else "",
        *(tr(f"ui.roster-entry.{link}-is", who=_called(encounter, getattr(entry, link))) for link in links),
        tr("ui.roster-entry.group-is") if entry.group else "",
        tr(f"ui.roster-entry.dying-{entry.dying}").lower() if entry.dying else "",
        tr("ui.roster-entry.bystander").lower() if entry.bystander else "",
        entry.notes,
    ]


def _called(encounter: Encounter, id: str) -> str:
    entry = encounter.get(RosterEntry, id)
    return roster_entry_name(entry, encounter.get(Creature, entry.creature)) if entry is not None else id


MOST_FILES = 5


class StartCard(Card):
    """A button for each recent file, which emits `recentRequested(path)`.

    Emits `newRequested` and `samplesRequested` from the buttons below them.
    """

    recentRequested = Signal(object)
    newRequested = Signal()
    samplesRequested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("accent", parent)
        self.files = vertical(spacing=4)
        new = push_button(tr("ui.start.new"), self.newRequested.emit, icon_name="file-plus-outline")
        samples = push_button(tr("ui.start.samples"), self.samplesRequested.emit, icon_name="book-open-variant")
        title = plain_label(tr("ui.start.title"), "strong")
        fill(self.body, title, self.files, fill(horizontal(), new, samples, STRETCH))

    def show_files(self, paths: Sequence[Path]) -> None:
        """List the recent files, with their folders as tool tips."""
        while (item := self.files.takeAt(0)) is not None:
            discard(item.widget())
        for path in paths[:MOST_FILES]:
            button = text_button("file-outline", path.stem.replace("&", "&&"))
            button.setToolTip(escaped_tooltip(str(path.parent)))
            button.clicked.connect(lambda _checked=False, path=path: self.recentRequested.emit(path))
            self.files.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
