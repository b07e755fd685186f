"""The table of a party: a row for each character, with the game's usual numbers for the cells left empty.

It adds a party, or edits an existing one and raises levels.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QCheckBox, QCompleter, QLineEdit, QWidget

from turnwright.encounter.prepared import Party, Role
from turnwright.rules.parts.preparation.encounter_budgets import budget_figures, threat_steps
from turnwright.rules.parts.stat_block.prose import ASSUMED
from turnwright.rules.word_keys import amount_text
from turnwright.ui.look.style import GAP, SPACE, scaled, tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.dialog import StandardDialog
from turnwright.ui.widgets.fields import KeyButton
from turnwright.ui.widgets.layout import STRETCH, fill, frameless_scroll_area, horizontal, vertical
from turnwright.ui.widgets.text import discard, named, plain_label, push_button, set_style, tool_button
from turnwright.workspace.party_table import CELLS, EDITED, NUMBERS, Member, PartyReader, PartyRow, ReadRow, pasted_rows

WIDTHS: Final = {"name": 132, "player": 92, "classes": 132, **dict.fromkeys(NUMBERS, 60)}  # the attacks get the rest


class PartyCell(QLineEdit):
    """A cell of the table.

    Emits `entered` for Enter, `stepped(rows)` for the arrow keys up and down, `emptied` for Delete in an empty cell, and
    `pasted(text)` for text with several cells.
    """

    entered = Signal()
    stepped = Signal(int)
    emptied = Signal()
    pasted = Signal(str)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, clipboard = event.key(), QGuiApplication.clipboard().text()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                event.ignore()  # for the dialog
            else:
                self.entered.emit()
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.stepped.emit(1 if key == Qt.Key.Key_Down else -1)
        elif key == Qt.Key.Key_Delete and not self.text():
            self.emptied.emit()
        elif event.matches(QKeySequence.StandardKey.Paste) and {"\t", "\n"} & set(clipboard.strip("\r\n")):
            self.pasted.emit(clipboard)
        else:
            super().keyPressEvent(event)


class RowWidget(QWidget):
    """A row of cells, with a line below it for assumed numbers and for words that aren't understood."""

    def __init__(self, role: Role, owner: RowWidget | None, member: Member | None, *, edits: bool) -> None:
        super().__init__()
        self.role, self.owner, self.member = role, owner, member
        self.rises = QCheckBox(tr("ui.party-table.rises"))  # for existing characters
        self.cells = {name: PartyCell() for name in CELLS}
        level = self.cells["classes"]
        self.rises.toggled.connect(lambda on: level.setText(PartyReader.raised(level.text(), 1 if on else -1)))
        line = horizontal(spacing=SPACE)
        for name, cell in self.cells.items():
            cell.setAccessibleName(tr(f"ui.party-table.{name}"))
            if name in WIDTHS:
                cell.setFixedWidth(scaled(WIDTHS[name]))
            if name in NUMBERS:
                cell.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            line.addWidget(cell, 0 if name in WIDTHS else 1)
        self.remove_button = tool_button("close", tr("ui.party-table.remove"), lambda: None)
        self.remove_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        fill(line, self.remove_button, self.rises)
        line.addStretch(edits)
        self.unread, self.assumed = plain_label("", "caption", "warn"), plain_label("", "caption", "muted", wraps=True)
        notes = fill(horizontal(margins=(SPACE, 0, 0, 0)), self.unread, (self.assumed, 1))
        fill(vertical(self, spacing=2), line, notes)
        unused = [self.remove_button, *(self.cells[name] for name in CELLS[5:])] if edits else [self.rises]
        for name in CELLS[5:]:
            self.cells[name].setEnabled(member is None)  # those of a member are in its stat block
        for widget in (*unused, *([] if role == "character" else [self.rises])):
            widget.hide()

    def row(self, others: Sequence[RowWidget]) -> PartyRow:
        """Return the typed cells."""
        owner = others.index(self.owner) if self.owner in others else -1
        cells = {name: cell.text() for name, cell in self.cells.items()}
        return PartyRow(**cells, role=self.role, owner=owner, member=self.member)

    def show_read(self, read: ReadRow) -> None:
        """Show the proposed numbers in the empty cells, and below them the assumptions and unknown words."""
        proposed = dict(read.proposed)
        for name, cell in self.cells.items():
            cell.setPlaceholderText(proposed.get(name) or (tr("ui.party-table.none") if name == "attacks" else ""))
        is_typed = any(cell.text().strip() for cell in self.cells.values())
        lacks_name = is_typed and self.member is None and not self.cells["name"].text().strip()
        set_style(self.cells["name"], "invalid", lacks_name)
        wrong = [tr("ui.party-table.no-name")] if lacks_name else []
        wrong += [tr(f"ui.party-table.not-{why}", word=word) for word, why in read.unread]
        self.unread.setText(" ".join(wrong) if is_typed else "")
        self.unread.setVisible(bool(self.unread.text()))
        owner = self.owner.cells["name"].text() if self.owner is not None else ""
        head = "" if self.role == "character" or self.member else tr(f"ui.party-table.is-{self.role}", who=owner)
        numbers = f"{ASSUMED}{'; '.join(read.assumed)}" if is_typed and read.assumed else ""
        if numbers:
            numbers = tr("ui.party-table.assumed", what=numbers, classes=read.creature.classes)
        kept = tr("ui.party-table.kept", what=", ".join(read.kept)) if read.kept else ""
        self.assumed.setText("   ".join(filter(None, (head, kept, numbers))))


class PartyTableDialog(StandardDialog):
    """Adds a party, or edits one. Emits `added(party, keeps)` with the characters, and whether the library keeps them.

    Emits `importRequested` to read characters from files. With `edited`, the rows are the members of this party, and the table emits `changed(rows)`.
    """

    added = Signal(object, bool)
    changed = Signal(object)
    importRequested = Signal()

    def __init__(
        self, document: DocumentModel, reader: PartyReader, parent: QWidget | None = None, edited: Party | None = None
    ) -> None:
        words = "ui.party-table.add" if edited is None else "ui.party-table.edit"
        super().__init__(tr(f"{words}-title"), parent, tr(f"{words}-lead"), spacing=GAP)
        self._document, self._reader, self._edited = document, reader, edited
        self.rows: list[RowWidget] = []
        holder = QWidget()
        self._list = vertical(spacing=SPACE)
        head = horizontal(spacing=SPACE)
        for name in CELLS if edited is None else EDITED:
            label = plain_label(tr(f"ui.party-table.{name}"), "caption", "muted")
            if name in WIDTHS:
                label.setFixedWidth(scaled(WIDTHS[name]))
            head.addWidget(label, 0 if name in WIDTHS else 1)
        head.addStretch(edited is not None)
        self.companion_button = push_button(tr("ui.party-table.companion"), self._add_companion, "quiet", "paw")
        self.more = (
            push_button(tr("ui.party-table.row"), self._add_row, "quiet", "plus"),
            self.companion_button,
            push_button(tr("ui.party-table.guest"), lambda: self._add("guest"), "quiet", "account-outline"),
            push_button(tr("ui.party-table.import"), self.importRequested.emit, "quiet", "import"),
            plain_label(tr("ui.party-table.keys"), "caption", "muted"),
        )
        fill(vertical(holder), head, self._list, fill(horizontal(), *self.more[:4], STRETCH, self.more[4]), STRETCH)
        self._area = frameless_scroll_area(holder)
        self.column.addWidget(self._area, 1)
        self.size_label, self.threats = plain_label("", "strong"), plain_label("", tone="muted")
        self.count = plain_label("", tone="muted")
        self.column.addLayout(fill(horizontal(), self.size_label, self.threats, STRETCH, self.count))
        self.keep = QCheckBox(tr("ui.party-table.keep"))
        self.keep.setChecked(True)
        self.name = named(QLineEdit(), tr("ui.party.name"))
        self.name.setFixedWidth(scaled(240))
        self.name.returnPressed.connect(self.submit)
        QShortcut(QKeySequence("F2"), self, self.name.setFocus)
        self.keep.toggled.connect(self.name.setEnabled)
        self.rise_button = push_button(tr("ui.party-table.level-up"), self.level_up, icon_name="arrow-up")
        self.add_button = KeyButton(tr(words), self.submit, "Ctrl+Enter", "primary")
        cancel = push_button(tr("ui.general.cancel"), self.reject)
        self.column.addLayout(
            fill(horizontal(), self.keep, self.name, self.rise_button, STRETCH, cancel, self.add_button)
        )
        window = parent.size() if parent is not None else self.sizeHint()
        wide, high = (1180, 680) if edited is None else (960, 480)
        self.resize(min(scaled(wide), window.width() - scaled(40)), min(scaled(high), window.height() - scaled(80)))
        for widget in (*self.more, self.keep, self.name):
            widget.setVisible(edited is None)
        self.rise_button.setHidden(edited is None)
        if edited is None:
            self._add_row()
        else:
            self.show_party(edited)
            self.rows[0].cells["name"].setFocus()

    # Rows -----------------------------------------------------------------------------------------------------------

    def typed(self) -> tuple[PartyRow, ...]:
        """Return the rows."""
        return tuple(row.row(self.rows) for row in self.rows)

    def show_party(self, party: Party) -> None:
        """Add rows for the members of a party."""
        self.show_rows(self._reader.rows_of(party))

    def show_rows(self, rows: Sequence[PartyRow]) -> None:
        """Add rows with typed cells."""
        added: list[RowWidget] = []
        for typed in rows:
            owner = added[typed.owner] if 0 <= typed.owner < len(added) else None
            added.append(row := self._add(typed.role, owner, typed.member))
            for name, cell in row.cells.items():
                cell.setText(getattr(typed, name))

    def level_up(self) -> None:
        """Give all characters of an edited party the next level."""
        for row in self.rows:
            row.rises.setChecked(not row.rises.isHidden())

    def submit(self) -> None:
        """Emit the party of the rows with a name, or the edited party, and close the dialog."""
        if self._edited is not None:
            self.changed.emit(self.typed())
            self.accept()
            return
        party = self._reader.party(self.typed(), "party", self.name.text().strip() or self.name.placeholderText())
        if party.roster:
            self.added.emit(party, self.keep.isChecked())
            self.accept()
        else:
            self.rows[0].cells["name"].setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.submit()
        elif not is_enter:
            super().keyPressEvent(event)

    def _add_row(self) -> None:
        self._add("character")

    def _add_companion(self) -> None:
        named = [row for row in self.rows if row.role == "character" and row.cells["name"].text().strip()]
        self._add("companion", named[-1] if named else None)

    def _add(self, role: Role, owner: RowWidget | None = None, member: Member | None = None) -> RowWidget:
        """Add a row and focus its name. An empty last row of the same role is used instead."""
        last = self.rows[-1] if self.rows else None
        if last is not None and last.row(()).is_empty:
            if last.role == role:
                last.cells["name"].setFocus()
                return last
            self._remove(last)
        row = RowWidget(role, owner, member, edits=self._edited is not None)
        self.rows.append(row)
        self._list.addWidget(row)
        for name, cell in row.cells.items():
            cell.textChanged.connect(self._refresh)
            cell.entered.connect(lambda row=row: self._step(row, "name", 1))
            cell.stepped.connect(lambda rows, row=row, name=name: self._step(row, name, rows))
            cell.emptied.connect(lambda row=row: self._remove(row) if row.row(()).is_empty else None)
            if self._edited is None:
                cell.pasted.connect(lambda text: self.show_rows(pasted_rows(text)))
        row.remove_button.clicked.connect(lambda _checked=False, row=row: self._remove(row))
        self._refresh()
        row.cells["name"].setFocus()
        return row

    def _remove(self, row: RowWidget) -> None:
        at = self.rows.index(row)
        self.rows.remove(row)
        discard(row)
        if not self.rows:
            self._add_row()
        else:
            self.rows[max(0, at - 1)].cells["name"].setFocus()
            self._refresh()

    def _step(self, row: RowWidget, name: str, rows: int) -> None:
        """Go to a cell of another row, or add a row after the last one."""
        at = self.rows.index(row) + rows
        if 0 <= at < len(self.rows):
            self.rows[at].cells[name].setFocus()
        elif at > 0 and self._edited is None and not row.row(()).is_empty:
            self._add_row()

    # Results --------------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        typed = self.typed()
        found = self._reader.read(typed)
        above = 1
        for widget, read in zip(self.rows, found, strict=True):
            widget.show_read(read)
            _complete(widget.cells["classes"], self._reader.classes(above))
            above = read.creature.level or above
        named = [(row, read) for row, read in zip(typed, found, strict=True) if row.name.strip() or row.member]
        levels = tuple(read.entry.level or read.creature.level for row, read in named if row.role == "character")
        self._show_size(levels)
        assumed = sum(read.count for _, read in named)
        self.count.setText(tr("ui.party-table.count", n=assumed) if assumed else "")
        who = ", ".join(row.player.strip() or row.name.strip() for row, _ in named if row.role == "character")
        self.name.setPlaceholderText(tr("ui.roster.party-usual", who=who))
        self.add_button.setEnabled(bool(named))
        last = next((row.name.strip() for row, _ in reversed(named) if row.role == "character"), "")
        self.companion_button.setText(tr("ui.party-table.companion-of", who=last or "…").replace("&", "&&"))
        self.companion_button.setEnabled(bool(last))

    def _show_size(self, levels: tuple[int, ...]) -> None:
        """Show the size and levels of the party, and the game's amount for each difficulty."""
        low, high = min(levels, default=0), max(levels, default=0)
        text = tr("ui.party-table.size", n=len(levels), level=low if low == high else f"{low}–{high}")
        self.size_label.setText(text if levels else tr("ui.party-table.nobody"))
        figures = budget_figures(self._document.encounter, self._document.rules)
        threats = ""
        if levels and figures is not None and (figures.measure != "level" or high <= len(figures.levels)):
            steps = threat_steps(figures, levels, len(levels))
            amounts = " · ".join(f"{name} {amount_text(Fraction(at))}" for name, at in steps)
            threats = f"{amounts} {figures.unit}"
        self.threats.setText(threats)


def _complete(cell: QLineEdit, texts: tuple[str, ...]) -> None:
    """Complete a cell while typing with these texts."""
    if cell.property("completed") == " ".join(texts):
        return
    completer = QCompleter(list(texts), cell, completionMode=QCompleter.CompletionMode.InlineCompletion)
    completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    cell.setCompleter(completer)
    cell.setProperty("completed", " ".join(texts))
