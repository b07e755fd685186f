"""The collapsible list of the forecast's omissions and assumptions. Each entry opens its record."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from turnwright.encounter.state import Encounter, Key
from turnwright.forecast.sentences import note_parts
from turnwright.forecast.sheet import SheetNote
from turnwright.ui.docks.forecast.fold_section import FoldSection
from turnwright.ui.look.translations import tr
from turnwright.ui.widgets.text import plain_label, text_button

SHOWN = ("left-out", "assumed", "used")


class NotesSection(FoldSection):
    """The notes on a forecast, grouped by list. The title shows their number. Emits `chosen(key)` on a click."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._notes: tuple[SheetNote, ...] = ()
        self.column.setSpacing(0)
        self.headings: list[QLabel] = []
        self.entries: list[QToolButton] = []

    def show_notes(self, encounter: Encounter, notes: tuple[SheetNote, ...]) -> None:
        """Show the notes. The section stays expanded or collapsed."""
        counts = {list_: sum(note.list == list_ for note in notes) for list_ in SHOWN}
        self.button.setText(tr("ui.forecast.notes", out=counts["left-out"], assumed=counts["assumed"]))
        if notes == self._notes:
            return
        self._notes = notes
        for widget in (*self.headings, *self.entries):
            widget.hide()
            widget.deleteLater()
        self.headings, self.entries = [], []
        for list_ in SHOWN:
            matches = [note for note in notes if note.list == list_]
            if matches:
                self._add_list(encounter, list_, matches)

    def _add_list(self, encounter: Encounter, list_: str, notes: Sequence[SheetNote]) -> None:
        heading = plain_label(tr(f"ui.forecast.{list_}"), "body")
        heading.setProperty("heavy", True)
        self.headings.append(heading)
        self.column.addWidget(heading)
        for note in notes:
            button = text_button("circle-small", note_text(encounter, note))
            key: Key = (note.table, note.subject)
            button.setEnabled(encounter.record(key) is not None)
            button.clicked.connect(lambda _on=False, key=key: self.chosen.emit(key))
            self.entries.append(button)
            self.column.addWidget(button)


def note_text(encounter: Encounter, note: SheetNote) -> str:
    """Return the text of a note: the record, the part concerned, and the reason."""
    parts, reason = note_parts(encounter, note)
    text = tr(reason.key, **dict(reason.params))
    return f"{', '.join(parts)}: {text}" if parts else text
