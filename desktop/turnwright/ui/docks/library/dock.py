"""The Library panel: a searchable list of entries to add to an encounter."""

from collections.abc import Sequence
from operator import itemgetter

import msgspec
from PySide6.QtCore import QModelIndex, QPoint, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QMenu, QWidget

from turnwright.encounter.prepared import Countdown, Creature, Environment, Party, RosterEntry
from turnwright.encounter.state import Key, is_encounter_empty
from turnwright.play.kernel.scheduler import Changed
from turnwright.play.setup.prepared_records import Edit
from turnwright.rules.parts.preparation.budget_fits import BudgetFits
from turnwright.rules.parts.preparation.encounter_budgets import encounter_budget
from turnwright.rules.system_data.preparation import Company
from turnwright.storage.library import search
from turnwright.storage.library.entries import LibraryEntry, LibraryRecord, grouped_by_system
from turnwright.storage.library.search import Favourites, LibraryFilter, LibraryItems, filter_choices, likeliest_named
from turnwright.ui.docks.dock import Dock
from turnwright.ui.docks.editing.inspector import change_system
from turnwright.ui.docks.library.actions import LibraryActions, LibraryPanel
from turnwright.ui.docks.library.filter_card import FilterBar, FilterChoice, FilterOffers
from turnwright.ui.docks.shared.library_transfer import add_from_library, is_copy_of, most_similar
from turnwright.ui.forms.kinds import FormContext
from turnwright.ui.look.icons import icon
from turnwright.ui.look.style import ThemeSource, escaped_tooltip, tr
from turnwright.ui.models.library import ENCOUNTER_KIND, LibraryModel
from turnwright.ui.models.roster import creature_here, translation_text
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.services.library import default_library
from turnwright.ui.services.workers import LatestTask
from turnwright.ui.widgets.rules.why import Explanation, ExplanationLine, WhyPopup
from turnwright.ui.widgets.text import push_button, tool_button

FAVOURITES_FILE = "library.favourites"
RESCAN_DELAY_MS = 300  # wait until the other panels are built, which a scan would slow down


class LibraryDock(Dock):
    """The Library panel. Enter, a double click or dragging adds entries to the encounter.

    Emits `openRequested(path)` to open an encounter, `editRequested(key)` to edit an added record, and `listLoaded`
    after a scan. Emits `compareRequested(first, second)`, `variantRequested(entry, save)`, `restRequested(party, system)`
    and `partyRequested(party, system)` to open dialogs, and `printRequested(creature, system)` to print a stat block.
    """

    name = "library"
    openRequested = Signal(str)
    editRequested = Signal(object)
    compareRequested = Signal(object, object)
    variantRequested = Signal(object, object)
    restRequested = Signal(object, str)
    partyRequested = Signal(object, str)
    printRequested = Signal(object, str)
    listLoaded = Signal()

    def __init__(self, document: DocumentModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(document, theme, parent)
        self.library = default_library()
        index = self.library.index
        folder = index.parent if index is not None else self.library.folder.parent / "state"
        self.favourites = Favourites(folder / FAVOURITES_FILE)
        self.backups = folder / "backups"
        self.items = LibraryItems()
        self._within = LibraryFilter()
        self._scan = LatestTask(self)
        self._asked = False
        self._elsewhere: LibraryEntry | None = None
        self.model = LibraryModel(self.load_here, self)
        self.model.set_favourites(self.favourites)
        self.library_actions = LibraryActions(self)
        self._popup = WhyPopup(self)
        self._build()
        document.selected.connect(lambda _key: self._judge_buttons())
        document.changed.connect(self._on_changed)
        document.documentChanged.connect(self._filter)
        self._judge_buttons()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._asked:
            self._asked = True
            self._show_offer(search.indexed_library_items(self.library))
            QTimer.singleShot(RESCAN_DELAY_MS if self.items.entries else 0, self, self.reload)

    def reload(self) -> None:
        """Reload the list in the background. Emits `listLoaded` when done."""
        self._asked = True
        self._scan.start(lambda: search.library_items(self.library), self._list)

    def show_only(self, paths: Sequence[str]) -> None:
        """Show only these files, whatever their game is, until the filters are cleared."""
        self.search.clear()
        self.bar.card.show_only(paths)

    def add_current(self) -> bool:
        """Add the selected entries to the encounter, or open the selected encounter."""
        return self.add(self.view.selected_entries())

    def add(self, entries: Sequence[LibraryEntry]) -> bool:
        """Add entries to the encounter. If some belong to another rule system, ask how to add them."""
        if not entries:
            return False
        if entries[0].kind == ENCOUNTER_KIND:
            self.openRequested.emit(entries[0].path)
            return True
        records = [entry for entry in entries if entry.kind != ENCOUNTER_KIND]
        own = grouped_by_system(records).get(self._document.rules.id, [])
        foreign = next((entry for entry in records if entry not in own), None)
        if foreign is None:
            return self._bring_in(records)
        text = tr("ui.library.foreign", what=foreign.name, name=self._game(foreign.system))
        over = tr("ui.library.bring-over", name=self._game(self._document.rules.id))
        switch = (self._switch_text(foreign), lambda: self._switch_to(foreign, records))
        steps = [
            *([switch] if self._can_switch(foreign) else []),
            (over, lambda: self._bring_in(records, over=True)),
            (tr("ui.library.foreign-add"), lambda: self._bring_in(records)),
            (tr("ui.general.cancel"), lambda: None),
        ]
        self.banner.show_message(text, "warn", steps)
        return True

    def _can_switch(self, entry: LibraryEntry) -> bool:
        """Whether the encounter can switch to the rule system of an entry, because it is still empty."""
        known = {*self._document.source.systems.ids} & {entry.system}
        return bool(known) and is_encounter_empty(self._document.encounter)

    def _switch_text(self, entry: LibraryEntry) -> str:
        return tr("ui.library.switch", name=self._game(entry.system)).replace("&", "&&")

    def _switch_to(self, entry: LibraryEntry, entries: Sequence[LibraryEntry]) -> bool:
        """Switch the encounter to the rule system of an entry, and add entries unchanged."""
        change_system(self._document, entry.system, self)
        return self._bring_in(entries)

    def explain(self) -> bool:
        """Explain the challenge rating of the current creature. Return False if it has none."""
        entry = self.view.current_entry()
        if entry is None or not entry.rating:
            return False
        line = ExplanationLine(entry.rating, tr("ui.explanation.rating"))
        place = self.view.visualRect(self.view.currentIndex())
        self._popup.open(Explanation(entry.name, "", (line,)), place, self.view.viewport())
        return True

    def save_variant(self, creature: Creature, system: str) -> bool:
        """Save a variant of a creature in the user's library."""
        return self.library_actions.save_variant(creature, system, self.items.entries)

    def save_selected(self) -> None:
        """Save the selected record in the user's library."""
        if (record := self._selected()) is not None:
            self.library_actions.save(record, self._document.rules.id)

    def refresh_selected(self) -> None:
        """Replace the selected record with its current version in the library, in one undo step."""
        record, system = self._selected(), self._document.rules.id
        origins = [entry for entry in self.items.entries if is_copy_of(entry, record, system)]
        version = most_similar(record, [candidate for entry in origins if (candidate := self.load(entry)) is not None])
        if record is None or not isinstance(version, Creature | Environment | Countdown):
            return
        own_fields = {"id": record.id, "source": getattr(record, "source", "")}
        own_fields |= {"portrait": record.portrait} if isinstance(record, Creature) else {}
        fresh = msgspec.structs.replace(version, **own_fields)
        if fresh == record:
            self.banner.show_message(tr("ui.library.same", what=record.name))
        elif self._document.execute(Edit(fresh)):
            self.banner.show_message(tr("ui.library.refreshed", what=record.name), "heal")

    # Building -------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.panel = LibraryPanel(self.model, FilterBar(self._filter_offers, FormContext.of(self._document)))
        self.search, self.bar, self.view = self.panel.search, self.panel.bar, self.panel.view
        self.stack, self.empty, self.banner = self.panel.stack, self.panel.empty, self.panel.banner
        self.search.textChanged.connect(self._find)
        self.search.returnPressed.connect(lambda: self.add_current() or self._add_from_elsewhere())
        self.empty.clicked.connect(self._copy_from_elsewhere)
        self.empty.otherClicked.connect(self._add_from_elsewhere)
        self.bar.changed.connect(self._filter)
        self.view.customContextMenuRequested.connect(self._open_menu_at)
        self.view.rowActivated.connect(lambda _index: self.add_current())
        self.view.removeRequested.connect(lambda: self.library_actions.confirm_delete(self.view.selected_entries()))
        self.view.favouriteToggled.connect(self.library_actions.toggle_favourite)
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._judge_more())
        self.save_button = push_button(tr("ui.library.save"), self.save_selected, "quiet", "content-save-outline")
        self.refresh_button = push_button(tr("ui.library.refresh"), self.refresh_selected, "quiet", "refresh")
        self.more_button = tool_button("dots-horizontal", tr("ui.library.more"), self.open_menu)
        self.panel.add_buttons(self.save_button, self.refresh_button, last=self.more_button)
        self.setWidget(self.panel)

    def open_menu(self) -> None:
        """Open the menu for the selected entries next to the menu button."""
        self.menu().popup(self.more_button.mapToGlobal(QPoint(0, self.more_button.height())))

    def _open_menu_at(self, place: QPoint) -> None:
        menu = self.menu()
        if not menu.isEmpty():
            menu.popup(self.view.viewport().mapToGlobal(place))

    def menu(self) -> QMenu:
        """Return the menu for the selected entries."""
        selected = self.view.selected_entries()
        twins = self.model.duplicates_of(selected[0]) if len(selected) == 1 else ()
        menu = self.library_actions.menu(selected, twins, self)
        menu.aboutToHide.connect(menu.deleteLater)
        return menu

    # Updates ----------------------------------------------------------------------------------------------------

    def _list(self, offer: LibraryItems) -> None:
        if offer != self.items:
            self._show_offer(offer)
        self.listLoaded.emit()

    def _show_offer(self, offer: LibraryItems) -> None:
        self.items = offer
        self.model.set_entries(offer.entries, offer.duplicates)
        self._filter()
        self._judge_buttons()

    def _find(self) -> None:
        """Show the entries that match the search and the filters, in the selected sort order."""
        query = self.search.text()
        self.model.set_fits(self._fits() if self.bar.order == "fits" else None, self._document.rules.id)
        self.model.search(query, self._within, self.bar.order)
        self._judge_emptiness()
        if query and self.view.current_entry() is None:
            self.view.setCurrentIndex(QModelIndex())
            self.view.go_to(self.model.first_row())
        self._judge_more()

    def _fits(self) -> BudgetFits | None:
        """Return the fits of the encounter's budget, or None if it has no budget."""
        rules = self._document.rules
        budget = encounter_budget(self._document.encounter, rules)
        return BudgetFits(budget, rules.data.suggest) if budget is not None else None

    def _companies(self, choice: FilterChoice) -> Sequence[Company]:
        """Return the companies of the rule system that is shown."""
        system = next(iter(choice.filter(self._document.rules.id).system.split()), self._document.rules.id)
        systems = self._document.source.systems
        return systems.get(system).data.companies if system in systems.ids else ()

    def _filter(self) -> None:
        """Reapply the filters and show the result."""
        picked, paths = self.bar.card.filter_choice, None
        met = [company.kinds for company in self._companies(picked) if company.id in picked.companies]
        if picked.favourites_only or picked.duplicates_only or picked.paths:
            only = frozenset(picked.paths)
            paths = frozenset(
                entry.path
                for entry in self.items.entries
                if (not only or entry.path in only)
                and (not picked.favourites_only or entry in self.favourites)
                and (not picked.duplicates_only or entry.path in self.items.duplicates)
            )
        ids = frozenset(kind for kinds in met for kind in kinds) if picked.companies else None
        self._within = msgspec.structs.replace(picked.filter(self._document.rules.id), paths=paths, ids=ids)
        self._find()

    def _filter_offers(self, choice: FilterChoice) -> FilterOffers:
        """Return the filter values used by entries of the selected rule system, and the available rule systems."""
        system, own = choice.filter(self._document.rules.id).system, self._document.rules.id
        games = grouped_by_system(self.items.entries)
        entries = [each for id in system.split() for each in games.get(id, [])] if system else self.items.entries
        names = [(id, self._game(id)) for id in (own, *sorted(games.keys() - {own}))]
        if editions := dict(self._document.rules.data.editions):
            both = " ".join((own, *(id for id in editions if id != own)))
            names.insert(1, (both, tr("ui.library.editions", name=self._game(own))))
        values = filter_choices(entries)
        met = (company for company in self._companies(choice) if not values.ids.isdisjoint(company.kinds))
        return FilterOffers(values, names, sorted(((company.id, company.name) for company in met), key=itemgetter(1)))

    def _game(self, system: str) -> str:
        """Return the short name of a rule system, or its id if the system is unknown."""
        systems = self._document.source.systems
        return systems.get(system).word("system.short") if system in systems.ids else system

    def _bring_in(self, entries: Sequence[LibraryEntry], *, over: bool = False) -> bool:
        """Add entries to the encounter. With `over`, convert creatures to the encounter's rule system."""
        results = []
        for entry in entries:
            translation = self._translation(entry) if over else None
            if isinstance(record := translation or self.load(entry), Party):
                self.partyRequested.emit(record, entry.system)
                results.append(True)
            elif record is not None:
                results.append(add_from_library(self._document, record, keeps_source=translation is not None))
        return bool(results) and all(results)

    def _translation(self, entry: LibraryEntry) -> Creature | None:
        """Convert a creature of another rule system and show a message about it. Return None for any other entry."""
        own = self._document.rules.id
        others = {*self._document.source.systems.ids} - {own}
        creature = self.load(entry) if others & grouped_by_system([entry]).keys() else None
        if not isinstance(creature, Creature):
            return None
        translation = creature_here(self._document, creature, entry.system)
        text = translation_text(translation, self._game(own))
        self.banner.show_message(text, "warn" if translation.unknown else "")
        return translation.creature

    def load_here(self, entry: LibraryEntry) -> LibraryRecord | None:
        """Return the record of an entry for the encounter. Creatures of another rule system are converted."""
        return self._translation(entry) or self.load(entry)

    def show_favourite(self, entry: LibraryEntry) -> None:
        """Update the list after an entry was marked or unmarked as a favourite."""
        self.model.favourite_changed(entry)
        if self.bar.card.filter_choice.favourites_only:
            self._filter()

    def _judge_emptiness(self) -> None:
        nothing = not self.model.shown_count
        self._elsewhere = self._find_elsewhere() if nothing else None
        if nothing:
            self.empty.set_step(tr("ui.library.bring-over", name=self._game(self._document.rules.id)))
            self.empty.set_sentence(self._why_nothing(), has_step=self._elsewhere is not None)
            if self._elsewhere is not None and self.empty.other is not None:
                self.empty.other.setText(self._switch_text(self._elsewhere))
                self.empty.other.setVisible(self._can_switch(self._elsewhere))
                self.empty.other.setIcon(icon("swap-horizontal"))
        self.stack.setCurrentWidget(self.empty if nothing else self.view)

    def _find_elsewhere(self) -> LibraryEntry | None:
        """Return the creature of another rule system that best matches the search, or None if filters are set."""
        picked = self.bar.card.filter_choice
        if picked.count or picked.favourites_only or picked.duplicates_only:
            return None
        others = (entry for entry in self.items.entries if entry.kind == "creature")
        return likeliest_named(self.search.text(), others)

    def _copy_from_elsewhere(self) -> bool:
        """Convert the creature of another rule system that matches the search, and add it."""
        return self._elsewhere is not None and self._bring_in([self._elsewhere], over=True)

    def _add_from_elsewhere(self) -> bool:
        """Add the creature of another rule system that matches the search. An empty encounter switches to its system."""
        if self._elsewhere is None or not self._can_switch(self._elsewhere):
            return self._copy_from_elsewhere()
        return self._switch_to(self._elsewhere, [self._elsewhere])

    def _why_nothing(self) -> str:
        query, picked = self.search.text().strip(), self.bar.card.filter_choice
        if self._elsewhere is not None:
            return tr("ui.library.elsewhere", what=self._elsewhere.name, name=self._game(self._elsewhere.system))
        if picked.favourites_only and not len(self.favourites):
            return tr("ui.library.no-favourites")
        if picked.count or picked.favourites_only:
            return tr("ui.library.filtered-out")
        return tr("ui.library.nothing", query=query) if query else tr("ui.library.empty")

    def _judge_more(self) -> None:
        self.more_button.setEnabled(bool(self.view.selected_entries()))

    def _judge_buttons(self) -> None:
        record = self._selected()
        self.save_button.setEnabled(record is not None)
        self.save_button.setToolTip(escaped_tooltip(tr("ui.library.save-tip", what=record.name)) if record else "")
        entry = self._origin_entry(record)
        self.refresh_button.setEnabled(entry is not None)
        tip = tr("ui.library.refresh-tip", what=record.name) if record and entry else ""
        self.refresh_button.setToolTip(escaped_tooltip(tip) if tip else "")

    def _selected(self) -> Creature | Environment | Countdown | None:
        record = self._document.selected_record()
        if isinstance(record, RosterEntry):
            record = self._document.encounter.get(Creature, record.creature)
        return record if isinstance(record, Creature | Environment | Countdown) else None

    def _origin_entry(self, record: LibraryRecord | None) -> LibraryEntry | None:
        system = self._document.rules.id
        return next((entry for entry in self.items.entries if is_copy_of(entry, record, system)), None)

    def load(self, entry: LibraryEntry) -> LibraryRecord | None:
        """Read an entry's record. If it can't be read, show the error and return None."""
        record, findings = self.library.load(entry)
        if record is None:
            why = findings[0].message if findings else ""
            self.banner.show_message(tr("ui.library.unreadable", what=entry.name, why=why), "harm")
        return record

    def _on_changed(self, changed: Changed) -> None:
        if self._elsewhere is not None:
            self._judge_emptiness()
        if self.bar.order == "fits" and changed.touches(RosterEntry.table, Creature.table, Environment.table):
            self._find()
        key: Key | None = self._document.selection
        if key is not None and changed.touches(key[0], Creature.table):
            self._judge_buttons()
