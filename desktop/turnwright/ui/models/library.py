"""The library as a list model: sections with rows, filtered while the user types.

Each key press may change thousands of rows. All rows are therefore replaced at once, and single rows are never inserted
or removed. The contents of a row are read from its entry.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from PySide6.QtCore import QMimeData, QModelIndex, QObject, Qt

from turnwright.encounter.state import grouped
from turnwright.rules.word_keys import amount_text
from turnwright.storage.library.entries import LibraryEntry, LibraryRecord
from turnwright.storage.library.search import NO_FILTER, LibraryFilter, LibrarySearch, SortOrder, is_named, rating_rank
from turnwright.ui.look.style import tr
from turnwright.ui.look.window_data import icon_names
from turnwright.ui.models.roster import LIBRARY_MIME
from turnwright.ui.models.row_list_model import DETAIL_ROLE, HEADING, KEY_ROLE, Index, Row, RowListModel

if TYPE_CHECKING:
    from turnwright.rules.parts.preparation.budget_fits import BudgetFit, BudgetFits

SECTIONS = icon_names("sections")
NO_BUDGET = "no-budget"
FIT_GROUPS = ("now", "more", "strong", "unknown", NO_BUDGET)
ENCOUNTER_KIND = "encounter"
MAX_SOURCES = 3


class LibraryModel(RowListModel):
    """Lists sections with their entries. `load` reads the record of an entry that the user drags."""

    def __init__(self, load: Callable[[LibraryEntry], LibraryRecord | None], parent: QObject | None = None) -> None:
        super().__init__(1, parent)
        self._load = load
        self._searches: dict[str, LibrarySearch] = {kind: LibrarySearch(()) for kind in SECTIONS}
        self._asked: tuple[str, LibraryFilter, SortOrder] = ("", NO_FILTER, "name")
        self._counts: dict[str, int] = {}
        self.favourites: Container[LibraryEntry] = ()
        self._fits: BudgetFits | None = None
        self._system = ""
        self.widest_fit = ""
        self._twins: Mapping[str, tuple[LibraryEntry, ...]] = {}

    # Contents --------------------------------------------------------------------------------------------------

    def set_entries(
        self, entries: Iterable[LibraryEntry], duplicates: Mapping[str, tuple[LibraryEntry, ...]] | None = None
    ) -> None:
        """Set the entries, and their duplicates keyed by path."""
        by_kind: dict[str, list[LibraryEntry]] = {kind: [] for kind in SECTIONS}
        for entry in entries:
            by_kind[entry.kind].append(entry)
        self._searches = {kind: LibrarySearch(kind_entries) for kind, kind_entries in by_kind.items()}
        self._twins = duplicates or {}
        self._show()

    def set_favourites(self, favourites: Container[LibraryEntry]) -> None:
        """Set the favourites, which are marked with a star."""
        self.favourites = favourites
        self._tell_all()

    def search(self, query: str, within: LibraryFilter | None = None, order: SortOrder | None = None) -> None:
        """Show the entries that match every word of the query. A filter or order of None stays unchanged."""
        _, filtered, sorted_by = self._asked
        self._asked = (query, filtered if within is None else within, order or sorted_by)
        self._show()

    def set_fits(self, fits: BudgetFits | None, system: str = "") -> None:
        """Set the fits of an encounter's budget and its rule system, for the next search in the order `fits`."""
        self._fits, self._system = fits, system

    def fit_of(self, entry: LibraryEntry) -> BudgetFit | None:
        """Return the effect of a creature of the same game on the budget. In other sort orders, return None."""
        if self._fits is None or self._asked[2] != "fits" or (entry.kind, entry.system) != ("creature", self._system):
            return None
        return self._fits.of(entry.rating, entry.xp, entry.type, entry.tags)

    def favourite_changed(self, entry: LibraryEntry) -> None:
        """Update the row of an entry whose star was set or removed."""
        if (row := self.row_of_entry(entry)) >= 0:
            self.dataChanged.emit(self.index(row, 0), self.index(row, 0))

    def _show(self) -> None:
        """Replace all rows with the results of the current search."""
        query, within, order = self._asked
        results = {kind: search.find(query, within, order) for kind, search in self._searches.items()}
        self.beginResetModel()
        self._counts = {kind: len(entries) for kind, entries in results.items() if entries}
        self.contents = {}
        words = tuple(query.casefold().split())
        for kind in sorted(self._counts, key=lambda kind: bool(words) and not is_named(words, results[kind])):
            self.contents[HEADING, kind] = None
            self.contents |= self._grouped(results[kind])
        self._keys = list(self.contents)
        fits = self._fits.found() if self._fits is not None else ()
        self.widest_fit = max(map(fit_text, fits), key=len, default="")
        self.endResetModel()

    def _grouped(self, entries: list[LibraryEntry]) -> Iterator[tuple[Row, LibraryEntry | None]]:
        """Yield entries, grouped under headings if they are creatures in the order `fits`, the strongest that fit first."""
        if self._asked[2] != "fits" or not entries or entries[0].kind != "creature":
            yield from (((entry.kind, entry.path), entry) for entry in entries)
            return
        by_group = grouped((fit.group if (fit := self.fit_of(entry)) else NO_BUDGET, entry) for entry in entries)
        if "now" in by_group and not self._asked[0].strip():
            by_group["now"].sort(key=lambda entry: -rating_rank(entry.rating))
        for group in sorted(by_group, key=FIT_GROUPS.index):
            yield (HEADING, group), None
            yield from (((entry.kind, entry.path), entry) for entry in by_group[group])

    def _tell_all(self) -> None:
        if self._keys:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._keys) - 1, 0))

    # Looking up ------------------------------------------------------------------------------------------------

    def row_of_entry(self, entry: LibraryEntry) -> int:
        """Return the row of an entry, or -1."""
        return self.row_of((entry.kind, entry.path))

    def item_at(self, index: Index) -> LibraryEntry | None:
        """Return the entry at an index, or None if it is a heading."""
        return self.entry_at(index.row()) if index.isValid() else None

    def entry_at(self, row: int) -> LibraryEntry | None:
        """Return the entry in a row, or None if the row is a heading."""
        entry: LibraryEntry | None = self.contents[self._keys[row]]
        return entry

    def party_rows(self) -> Sequence[int]:
        """Return the rows of parties with a second line."""
        return [row for row, entry in enumerate(self.contents.values()) if entry is not None and party_line(entry)]

    def duplicates_of(self, entry: LibraryEntry) -> tuple[LibraryEntry, ...]:
        """Return the other entries that have the same type, rule system and name."""
        return self._twins.get(entry.path, ())

    @property
    def shown_count(self) -> int:
        """The number of visible entries."""
        return sum(self._counts.values())

    def first_row(self) -> int:
        """Return the row of the first visible entry, or -1."""
        return next((row for row, entry in enumerate(self.contents.values()) if entry is not None), -1)

    # Roles -----------------------------------------------------------------------------------------------------

    def text_of(self, key: Row, column: int) -> str:
        table, kind = key
        if table != HEADING:
            return str(self.contents[key].name)
        if kind in self._counts:
            return tr("ui.library.counted", what=tr(f"ui.library.{kind}"), n=f"{self._counts[kind]:,}")
        return tr(f"ui.library.fits-{kind}", threat=self._fits.threat if self._fits is not None else "")

    def spoken(self, key: Row, column: int) -> str:
        entry = self.contents[key]
        return self.text_of(key, column) if entry is None else self.accessible_text(entry)

    def further_roles(self, key: Row, column: int) -> dict[int, Any]:
        return {KEY_ROLE: key, DETAIL_ROLE: tr("ui.library.rating") if key == (HEADING, "creature") else ""}

    def accessible_text(self, entry: LibraryEntry) -> str:
        """Return all facts about an entry as text, for tooltips and screen readers."""
        if entry.kind == ENCOUNTER_KIND:
            return f"{entry.name} ({tr('ui.library.kind-encounter')})"
        parts = [tr(f"ui.library.kind-{entry.kind}")]
        if entry.rating:
            parts.append(tr("ui.stat.rating", rating=entry.rating))
        parts += [part for part in (entry.size, entry.type) if part]
        parts += [tag for tag in entry.tags if tag != entry.type]
        parts += [tr(f"ui.creature.role-{entry.role}").lower()] if entry.role else []
        parts += [fit_text(fit, in_words=True)] if (fit := self.fit_of(entry)) is not None else []
        parts += [line] if (line := party_line(entry)) else []
        text = f"{entry.name} ({', '.join(parts)})"
        if entry.source:
            text += f"\n{entry.source}"
        if others := self.duplicates_of(entry):
            where = "; ".join(source_name(other) for other in others[:MAX_SOURCES])
            more = len(others) - MAX_SOURCES
            key = "ui.library.also-in" if more <= 0 else "ui.library.also-in-more"
            text += f"\n{tr(key, where=where, n=max(0, more))}"
        if entry in self.favourites:
            text += f"\n{tr('ui.library.is-favourite')}"
        return text

    def flags(self, index: Index) -> Qt.ItemFlag:
        entry, flags = self.item_at(index), super().flags(index)
        if entry is None:
            return flags & Qt.ItemFlag.ItemIsEnabled
        return flags if entry.kind == ENCOUNTER_KIND else flags | Qt.ItemFlag.ItemIsDragEnabled

    # Dragging --------------------------------------------------------------------------------------------------

    def mimeTypes(self) -> list[str]:
        return [LIBRARY_MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        data = QMimeData()
        entry = next((item for index in indexes if (item := self.item_at(index)) and item.kind != ENCOUNTER_KIND), None)
        record = self._load(entry) if entry else None
        if entry is not None and record is not None:
            data.setData(LIBRARY_MIME, msgspec.msgpack.encode((entry.kind, record)))
            data.setText(entry.name)
        return data

    def supportedDragActions(self) -> Qt.DropAction:
        return Qt.DropAction.CopyAction


def fit_text(fit: BudgetFit, *, in_words: bool = False) -> str:
    """Return the number of copies that fit, or the added worth. `in_words` is for screen readers and tooltips."""
    number = amount_text(fit.adds) if fit.group == "more" else str(fit.copies or "")
    words = "-words" if in_words else ""
    return tr(f"ui.library.fit-{fit.group}{words}", n=number) if number or in_words else ""


def party_line(entry: LibraryEntry) -> str:
    """Return the size, level and state of a party, or an empty string for other entries."""
    if entry.kind != "party" or not entry.levels:
        return ""
    known = sorted({level for level in entry.levels if level})
    level = str(known[0]) if len(known) == 1 else f"{known[0]}–{known[-1]}" if known else "?"
    parts = [tr("ui.library.party-hurt")] if any(what == "hurt" for _, what in entry.ills) else []
    parts += [f"{who} {what.replace('-', ' ')}" for who, what in entry.ills if what != "hurt"]
    size = tr("ui.library.party-line", n=len(entry.levels), level=level)
    return f"{size} · {', '.join(parts) or tr('ui.library.party-fresh')}"


def source_name(entry: LibraryEntry) -> str:
    """Return the source of an entry, followed by its file name or a note that it is shipped."""
    file = entry.path.replace("\\", "/").rpartition("/")[2]
    own = tr("ui.library.shipped") if entry.shipped else file
    return f"{entry.source} ({own})" if entry.source else own
