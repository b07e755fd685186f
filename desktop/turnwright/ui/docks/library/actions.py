"""The Library panel's widgets and the actions on its entries.

The actions appear in the list's menu and report their results in the panel's banner.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

import msgspec
from PySide6.QtCore import Qt, QUrl, SignalInstance
from PySide6.QtGui import QDesktopServices, QKeySequence
from PySide6.QtWidgets import QMenu, QPushButton, QStackedWidget, QToolButton, QWidget

from turnwright.encounter.prepared import Countdown, Creature, Environment, Party
from turnwright.encounter.state import unique_id
from turnwright.storage.library import search
from turnwright.storage.library.entries import Library, LibraryEntry, LibraryRecord
from turnwright.ui.docks.library.filter_card import FilterBar, LibraryView
from turnwright.ui.docks.shared.row_view import SearchField
from turnwright.ui.look.icons import icon
from turnwright.ui.look.style import GAP, SPACE, tr
from turnwright.ui.models.library import ENCOUNTER_KIND, LibraryModel, source_name
from turnwright.ui.widgets.layout import Banner, EmptyState, FlowRow, fill, vertical
from turnwright.ui.widgets.text import named, push_button


class LibraryMessage(QWidget):
    """A message with buttons below it, because the panel is too narrow to place them side by side."""

    def __init__(self) -> None:
        super().__init__()
        self._banner = Banner()
        self._banner.dismissed.connect(self.hide)
        self._steps = FlowRow(gap=SPACE, roomy=True)
        fill(vertical(self, spacing=SPACE), self._banner, self._steps)
        self.hide()

    def show_message(self, text: str, tone: str = "", actions: Sequence[tuple[str, Callable[[], object]]] = ()) -> None:
        """Show a message. Pressing one of its buttons also hides the message."""
        self._steps.clear()
        for label, slot in actions:
            self._steps.add(push_button(label, partial(self._follow, slot)))
        self._steps.setVisible(bool(actions))
        self.show()
        self._banner.show_message(text, tone)

    def text(self) -> str:
        """Return the text of the message, or an empty string if none is shown."""
        return self._banner.text()

    def dismiss(self) -> None:
        """Hide the message."""
        self._banner.dismiss()

    def _follow(self, slot: Callable[[], object]) -> None:
        self.dismiss()
        slot()


class LibraryPanel(QWidget):
    """The panel's widgets in a column."""

    def __init__(self, model: LibraryModel, bar: FilterBar) -> None:
        super().__init__()
        self.model = model
        self.bar = bar
        self.view = named(LibraryView(), tr("ui.library.title"))
        self.search = SearchField(tr("ui.library.search"), self.view)
        self.view.setModel(model)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.empty = EmptyState(
            "magnify", "", tr("ui.library.bring-over", name=""), other=tr("ui.library.switch", name="")
        )
        self.stack = fill(QStackedWidget(), self.view, self.empty)
        self.banner = LibraryMessage()
        self._buttons = FlowRow(gap=SPACE, roomy=True)
        fill(vertical(self, margins=GAP), self.search, self.bar, (self.stack, 1), self.banner, self._buttons)

    def add_buttons(self, *buttons: QPushButton, last: QToolButton) -> None:
        """Add buttons at the bottom, side by side if there is room. `last` is a small button at the end."""
        fill(self._buttons, *buttons, last)


KEYS: Mapping[str, Qt.Key] = {  # handled by the list, shown in its menu
    "add": Qt.Key.Key_Return,
    "open": Qt.Key.Key_Return,
    "mark": Qt.Key.Key_Asterisk,
    "unmark": Qt.Key.Key_Asterisk,
    "delete": Qt.Key.Key_Delete,
}  # fmt: skip
MessageActions = Sequence[tuple[str, Callable[[], object]]]


class ComparedEntry(msgspec.Struct, frozen=True):
    """A stat block to compare or vary: the creature, its rule system, and the name of its source."""

    creature: Creature
    system: str
    place: str


class LibraryContext(Protocol):
    """The part of the Library panel that `LibraryActions` uses.

    Signals: `compareRequested(first, second)`, `variantRequested(entry, save)`, `restRequested(party, system)` and
    `printRequested(creature, system)`.
    """

    library: Library
    favourites: search.Favourites
    backups: Path
    compareRequested: SignalInstance
    variantRequested: SignalInstance
    restRequested: SignalInstance
    printRequested: SignalInstance

    @property
    def banner(self) -> LibraryMessage:
        """The banner for messages."""

    def load(self, entry: LibraryEntry) -> LibraryRecord | None:
        """Read an entry's record. If it can't be read, show the error and return None."""

    def reload(self) -> None:
        """Reload the list."""

    def add(self, entries: Sequence[LibraryEntry]) -> object:
        """Add entries to the encounter."""

    def save_variant(self, creature: Creature, system: str) -> object:
        """Save a variant of a creature for a rule system."""

    def show_favourite(self, entry: LibraryEntry) -> None:
        """Update the list after an entry was marked or unmarked as a favourite."""


class LibraryActions:
    """The actions in the library's menu."""

    def __init__(self, context: LibraryContext) -> None:
        self._around = context
        self._first: LibraryEntry | None = None

    def menu(self, selected: Sequence[LibraryEntry], duplicates: Sequence[LibraryEntry], parent: QWidget) -> QMenu:
        """Return the menu for the selected entries, or an empty menu if none is selected."""
        menu = QMenu(parent)
        if not selected:
            return menu
        single = selected[0] if len(selected) == 1 else None
        opens = single is not None and single.kind == ENCOUNTER_KIND
        _add(menu, "open" if opens else "add", "folder-open-outline" if opens else "plus", self._around.add, selected)
        starred = all(entry in self._around.favourites for entry in selected)
        _add(menu, "unmark" if starred else "mark", "star-outline", self.set_favourite, selected, not starred)
        menu.addSeparator()
        creatures = [entry for entry in selected if entry.kind == "creature"]
        if len(creatures) == 2 == len(selected):
            _add(menu, "compare-two", "compare-horizontal", self.compare, *creatures)
        elif single is not None and creatures:
            if duplicates:
                _add(menu, "compare-duplicate", "content-copy", self.compare, single, duplicates[0])
            if self._first is not None and self._first != single:
                first = self._first
                _add(menu, "compare-to", "compare-horizontal", self.compare, first, single, name=first.name)
            else:
                _add(menu, "compare", "compare-horizontal", self.begin_compare, single)
            _add(menu, "vary", "arrow-expand-vertical", self.create_variant, single)
            _add(menu, "print", "printer", self.print_creature, single)
        if single is not None and single.kind == "party" and not single.shipped:
            _add(menu, "rest", "bed", self.rest_party, single)
        menu.addSeparator()
        if single is not None:
            _add(menu, "folder", "folder-open-outline", self.show_folder, single)
        own = [entry for entry in selected if not entry.shipped]
        if len(own) == len(selected):
            _add(menu, "delete", "trash-can-outline", self.confirm_delete, own)
        return menu

    def print_creature(self, entry: LibraryEntry) -> None:
        """Open the print dialog for a creature."""
        if (record := self._around.load(entry)) is not None:
            self._around.printRequested.emit(record, entry.system)

    # Favourites ------------------------------------------------------------------------------------------------

    def set_favourite(self, entries: Sequence[LibraryEntry], on: bool) -> None:
        """Mark or unmark entries as favourites."""
        for entry in entries:
            if (entry in self._around.favourites) != on:
                self.toggle_favourite(entry)

    def toggle_favourite(self, entry: LibraryEntry) -> None:
        """Mark an entry as a favourite, or unmark it."""
        try:
            self._around.favourites.toggle(entry)
        except OSError as error:
            self._say("ui.library.mark-not-kept", "warn", why=error.strerror or "")
        self._around.show_favourite(entry)

    # Stat blocks -----------------------------------------------------------------------------------------------

    def begin_compare(self, entry: LibraryEntry) -> None:
        """Remember the first of two entries to compare, and ask for the second."""
        self._first = entry
        cancel: MessageActions = [(tr("ui.general.cancel"), self._forget)]
        self._around.banner.show_message(tr("ui.library.compare-first", name=entry.name), "", cancel)

    def compare(self, first: LibraryEntry, second: LibraryEntry) -> None:
        """Show two stat blocks side by side."""
        self._forget()
        sides = [side for side in map(self._side, (first, second)) if side is not None]
        if len(sides) == 2:
            self._around.banner.dismiss()
            self._around.compareRequested.emit(*sides)

    def create_variant(self, entry: LibraryEntry) -> None:
        """Open the dialog for a variant of a creature."""
        if (side := self._side(entry)) is not None:
            self._around.variantRequested.emit(side, self._around.save_variant)

    def rest_party(self, entry: LibraryEntry) -> None:
        """Open the dialog for resting a party outside an encounter."""
        if isinstance(party := self._around.load(entry), Party):
            self._around.restRequested.emit(party, entry.system)

    def save_variant(self, variant: Creature, system: str, taken: Sequence[LibraryEntry]) -> bool:
        """Save a variant as a new file in the user's library. Return False if writing fails."""
        ids = {entry.id for entry in taken if (entry.kind, entry.system) == ("creature", system)}
        return self.save(msgspec.structs.replace(variant, id=unique_id(variant.name, ids, "creature")), system)

    def save(self, record: Creature | Environment | Countdown, system: str) -> bool:
        """Save a record in the user's library. Return False if writing fails."""
        try:
            path = self._around.library.save(record, system)
        except OSError as error:
            self._say("ui.library.not-saved", "harm", what=record.name, why=error.strerror or "")
            return False
        self._say("ui.library.saved", "heal", what=record.name, file=path.name)
        self._around.reload()
        return True

    def _side(self, entry: LibraryEntry) -> ComparedEntry | None:
        record = self._around.load(entry)
        return ComparedEntry(record, entry.system, source_name(entry)) if isinstance(record, Creature) else None

    def _forget(self) -> None:
        self._first = None

    # Files -----------------------------------------------------------------------------------------------------

    def show_folder(self, entry: LibraryEntry) -> None:
        """Open the folder of an entry's file in the desktop's file manager."""
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(Path(entry.path).parent)))

    def confirm_delete(self, entries: Sequence[LibraryEntry]) -> None:
        """Ask whether to delete entries of the user's library."""
        own = [entry for entry in entries if not entry.shipped]
        if not own:
            self._say("ui.library.shipped-stays", "")
            return
        first = own[0].name
        text = tr("ui.library.delete-one" if len(own) == 1 else "ui.library.delete-many", what=first, n=len(own) - 1)
        steps: MessageActions = [
            (tr("ui.library.delete-yes"), partial(self._delete, own)),
            (tr("ui.library.delete-no"), lambda: None),
        ]
        self._around.banner.show_message(text, "warn", steps)

    def _delete(self, entries: Sequence[LibraryEntry]) -> None:
        deleted: list[tuple[LibraryEntry, bytes]] = []
        for entry in entries:
            try:
                deleted.append((entry, search.discard(entry, self._around.backups)))
            except OSError as error:
                self._say("ui.library.not-deleted", "harm", what=entry.name, why=error.strerror or "")
                break
        else:
            text = tr("ui.library.deleted", what=deleted[0][0].name, n=len(deleted))
            self._around.banner.show_message(text, "", [(tr("ui.library.put-back"), partial(self._put_back, deleted))])
        self._around.reload()

    def _put_back(self, deleted: Sequence[tuple[LibraryEntry, bytes]]) -> None:
        try:
            for entry, content in deleted:
                search.restore(entry, content)
        except OSError as error:
            self._say("ui.library.not-saved", "harm", what=deleted[0][0].name, why=error.strerror or "")
        self._around.reload()

    def _say(self, key: str, tone: str, **params: object) -> None:
        self._around.banner.show_message(tr(key, **params), tone)


def _add(menu: QMenu, key: str, icon_name: str, slot: Callable[..., object], *args: object, name: str = "") -> None:
    text = tr(f"ui.library.do-{key}", name=name).replace("&", "&&")
    keys = QKeySequence(KEYS[key]).toString(QKeySequence.SequenceFormat.NativeText) if key in KEYS else ""
    action = menu.addAction(icon(icon_name), f"{text}\t{keys}" if keys else text)
    action.triggered.connect(lambda _checked=False: slot(*args))
