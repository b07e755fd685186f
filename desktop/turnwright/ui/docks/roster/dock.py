"""The Encounter panel: the encounter's title and setting, its roster, its world, and texts to read aloud.

The details of the selected entry are below the roster; they are built at the first paint, to keep startup fast.
"""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QScrollArea, QToolButton, QWidget

from turnwright.encounter import prepared, state
from turnwright.play.kernel.scheduler import Changed
from turnwright.play.setup.prepared_records import Remove, Reorder
from turnwright.rules.word_keys import signed_text
from turnwright.ui.docks.dock import Dock
from turnwright.ui.docks.editing import inspector, table_rules_section
from turnwright.ui.docks.roster import actions, budget_line, delegate
from turnwright.ui.docks.shared import library_transfer, why_prepared
from turnwright.ui.docks.shared.row_view import RowDelegate, RowView
from turnwright.ui.forms import encounter_layouts, kinds
from turnwright.ui.forms.form import Form, Row
from turnwright.ui.look.icons import icon
from turnwright.ui.look.style import ThemeSource, escaped_tooltip, scaled, tr
from turnwright.ui.look.window_data import KINDS_OF_RECORDS
from turnwright.ui.models import roster, row_list_model
from turnwright.ui.models.world import WorldModel
from turnwright.ui.services import document_model, workers
from turnwright.ui.widgets import fields, layout, text
from turnwright.ui.widgets.rules.why import WhyPopup


class RosterDetails(inspector.CollapsibleSection):
    """Edits one roster entry: the selected one, else the last selected, else the first."""

    def __init__(self, document: document_model.DocumentModel, parent: QWidget | None = None) -> None:
        super().__init__(tr("ui.roster-entry.details"), parent)
        self._document = document
        self.binding = kinds.RecordBinding(document, prepared.RosterEntry)
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
        return Form(encounter_layouts.ROSTER_ENTRY, self.binding, kinds.FormContext.of(self._document), parent)

    def refresh(self) -> None:
        """Show the current state of the entry."""
        if self.binding.value() is None:
            self.binding.id = next(iter(self._document.encounter.ids(prepared.RosterEntry)), "")
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

    def _aim(self, key: state.Key) -> bool:
        if key[0] != prepared.RosterEntry.table or key[1] == self.binding.id:
            return False
        self.binding.commit()
        self.binding.id = key[1]
        return True

    def _reset(self) -> None:
        self.binding.id = ""
        self.refresh()

    def _on_selected(self, key: state.Key | None) -> None:
        if key is not None and self._aim(key):
            self.refresh()

    def _on_changed(self, changed: Changed) -> None:
        if changed.touches(prepared.RosterEntry.table, prepared.Creature.table) or self.is_open():
            self.refresh()


def details_summary(entry: prepared.RosterEntry, encounter: state.Encounter) -> list[str]:
    """Return short texts for the details of an entry that aren't shown in a column."""
    squares = row_list_model.squares_text(entry.positions)
    creature = encounter.get(prepared.Creature, entry.creature)
    bonus = signed_text(entry.initiative) if entry.initiative is not None else ""
    links = [link for link in ("controller", "rides") if getattr(entry, link)]
    return [
        creature.name if creature is not None and entry.name else "",
        entry.player,
        tr(f"ui.roster-entry.role-{entry.role}").lower() if entry.role else "",
        tr("ui.roster.level", n=entry.level) if entry.level else "",
        tr("ui.roster-entry.initiative-is", bonus=bonus) if bonus else "",
        tr("ui.roster-entry.state-is", hp=entry.state.hp) if entry.state is not None else "",
        tr("ui.roster-entry.effects-are", what=", ".join(entry.effects)) if entry.effects else "",
        entry.counts,
        entry.place,
        tr("ui.roster-entry.at", squares=squares) if squares else "",
        tr("ui.roster-entry.at-height", n=entry.elevation) if entry.elevation else "",
        *(tr(f"ui.roster-entry.{link}-is", who=_called(encounter, getattr(entry, link))) for link in links),
        tr("ui.roster-entry.group-is") if entry.group else "",
        tr(f"ui.roster-entry.dying-{entry.dying}").lower() if entry.dying else "",
        tr("ui.roster-entry.absent").lower() if entry.absent else "",
        tr("ui.roster-entry.bystander").lower() if entry.bystander else "",
        entry.notes,
    ]


def _called(encounter: state.Encounter, id: str) -> str:
    entry = encounter.get(prepared.RosterEntry, id)
    return state.entry_name(encounter, entry) if entry is not None else id


MIN_NAME_WIDTH = 176
NARROW = 440
NOTES_HEIGHT, NOTES_WAIT_MS = 200, 500  # the form is built after this delay or, if earlier, at the next paint
HIDDEN_WHEN_NARROW = (roster.RosterColumn.SIDE, roster.RosterColumn.RATING, roster.RosterColumn.WAVE)


class RosterDock(Dock):
    """The Encounter panel, in the middle of the Prepare arrangement.

    Emits `editRequested(key)` to edit a row's record, `partyRequested` to add a party, `partyEditRequested` to edit
    it, `partySaveRequested` to save it in the library, `suggestRequested` for suggestions, and `printRequested(table, ids)`.
    """

    name = "roster"
    editRequested = Signal(object)
    partySaveRequested = Signal()
    partyRequested = Signal()
    partyEditRequested = Signal()
    printRequested = Signal(str, object)
    suggestRequested = Signal()

    def __init__(
        self, document: document_model.DocumentModel, theme: ThemeSource, parent: QWidget | None = None
    ) -> None:
        super().__init__(document, theme, parent)
        self.scene = kinds.SceneBinding(document)
        self.roster = roster.RosterModel(document, self)
        self.world = WorldModel(document, self)
        self._popup = WhyPopup(self)
        self._noting = workers.single_shot_timer(self, self._make_notes, NOTES_WAIT_MS)
        self._fitting = workers.single_shot_timer(self, self._fit_columns)
        self._widths: Mapping[roster.RosterColumn, int] = {}
        self._build()
        for model in (self.roster, self.world):
            model.rowsInserted.connect(lambda *_: self._show_emptiness())
            model.rowsRemoved.connect(lambda *_: self._show_emptiness())
        for signal in (self.roster.rowsInserted, self.roster.rowsRemoved, self.roster.dataChanged):
            signal.connect(lambda *_: self._fitting.start())
        theme.changed.connect(self._fitting.start)
        self.roster.dropped.connect(self._drop)
        document.changed.connect(self._on_changed)
        document.documentChanged.connect(self._start_over)
        document.selected.connect(self._on_selected)
        self._fit_columns()
        self.refresh()

    def _start_over(self) -> None:
        if self._built_for != self._document.rules.id:
            self._build()
            self._fit_columns()
        self.refresh()
        if isinstance(area := self.widget(), QScrollArea):
            area.verticalScrollBar().setValue(0)

    def refresh(self) -> None:
        """Show the current state of the scene."""
        self.scene.commit()
        self._show_scene()

    # Commands -----------------------------------------------------------------------------------------------

    def add(self, kind: str) -> None:
        """Add a new record of a kind, such as `countdown`, to the encounter and edit it."""
        self._go_to(library_transfer.add_new(self._document, kind))

    def add_environment(self, base: prepared.Environment | None) -> None:
        """Add a copy of `base`, or an empty environment, to the encounter and edit it."""
        self._go_to(library_transfer.add_environment(self._document, base))

    def remove_current(self, view: RowView) -> None:
        """Remove the record of a view's current row from the encounter."""
        key = self._key(view)
        if key is None:
            return
        row = view.currentIndex().row()
        if self._document.execute(Remove((key,))):
            self._settle_on(view, row)

    def move_current(self, view: RowView, by: int) -> None:
        """Move the record of a view's current row past its neighbour of the same kind and side."""
        key = self._key(view)
        if key is None:
            return
        model = view.rows()
        other = model.key_at(model.index(view.currentIndex().row() + by, 0))
        if other is not None and other[0] == key[0]:
            self._document.execute(Reorder(key, self._document.encounter.index_of(other)))
            view.go_to(model.row_of(key))

    def explain(self) -> bool:
        """Explain the number in the focused cell. Return False if no row has the focus."""
        view = self.world_view if self.world_view.hasFocus() else self.roster_view
        key = self._key(view)
        record = self._document.encounter.record(key) if key is not None else None
        if isinstance(record, prepared.RosterEntry):
            why = why_prepared.explain_roster_cell(self._document, record, view.currentIndex().column())
        elif isinstance(record, prepared.Countdown):
            why = why_prepared.explain_countdown(self._document, record)
        else:
            return False
        self._popup.open(why, view.visualRect(view.currentIndex()), view.viewport())
        return True

    # Building -------------------------------------------------------------------------------------------------

    def _make_title(self, context: kinds.FormContext, parent: QWidget) -> Form:
        """Create the row with the encounter's title, its difficulty, and its rule system with a menu to change it."""
        form, name = Form(encounter_layouts.TITLE, self.scene, context, parent), context.rules.data.name
        holder = form.add_row(Row(("title",), captions=False))
        row = holder.layout() if holder is not None else None
        system = QToolButton()
        system.setText(name.replace("&", "&&"))
        fields.set_menu(system, lambda menu: inspector.fill_systems(menu, self._document, parent))
        system.setAccessibleName(tr("ui.scene.system", name=name))
        system.setToolTip(escaped_tooltip(tr("ui.scene.system-change", name=name)))
        self.difficulty = budget_line.DifficultyMeter(self._document, holder)
        self.difficulty.partyRequested.connect(self.partyRequested)
        if row is not None:
            for widget in (self.difficulty, system):
                row.addWidget(widget)
                row.setAlignment(widget, Qt.AlignmentFlag.AlignVCenter)
        return form

    def _build(self) -> None:
        self._built_for = self._document.rules.id
        before = self.widget()
        area, whole, column = layout.form_scroll_area(self, tr("ui.roster.title"))
        self._whole, self._column = whole, column
        self.setWidget(area)
        if before is not None:
            before.deleteLater()
        context = kinds.FormContext.of(self._document)
        self.title = self._make_title(context, whole)
        self.setting = Form(encounter_layouts.SETTING, self.scene, context, whole)
        self.roster_view = self._make_roster_view(whole)
        self.world_view = self._make_world_view(whole)
        self.table_rules = table_rules_section.TableRulesSection(
            self._document, self.scene, partial(self.add, "countdown"), whole
        )
        people = layout.SectionHeader(tr("ui.roster.combatants"), "account-group")
        people.add_button("content-save-outline", tr("ui.roster.save-party"), self.partySaveRequested.emit)
        people.add_button("account-multiple-plus-outline", tr("ui.budget.add-party"), self.partyRequested.emit)
        people.add_button("pencil", tr("ui.roster.edit-party"), self.partyEditRequested.emit)
        people.add_button("auto-fix", tr("ui.roster.suggest"), self.suggestRequested.emit)
        people.add_button("plus", tr("ui.roster.add-creature"), partial(self.add, "creature"))
        words = tr("ui.roster.empty"), tr("ui.roster.empty-step")
        self.empty_roster = layout.EmptyState(
            "account-group", *words, other=tr("ui.roster.suggest"), other_icon="auto-fix"
        )
        self.empty_roster.clicked.connect(partial(self.add, "creature"))
        self.empty_roster.otherClicked.connect(self.suggestRequested)
        self.wave = budget_line.WaveStrip(self._document, whole)
        self.details = RosterDetails(self._document, whole)
        world = layout.SectionHeader(tr("ui.roster.world"), "earth", "world")
        self.world_button = text.named(text.text_button("plus", tr("ui.roster.add")), tr("ui.roster.add-to-world"))
        fields.set_menu(self.world_button, self._fill_world_menu)
        world.add_widget(self.world_button)
        self.empty_world = layout.EmptyState("earth", tr("ui.roster.empty-world"), tr("ui.roster.empty-world-step"))
        self.empty_world.clicked.connect(partial(self.add, "countdown"))
        self._notes: Form | None = None
        self._notes_place = QWidget(whole, minimumHeight=scaled(NOTES_HEIGHT))
        notes = layout.SectionHeader(tr("ui.roster.notes"), "note-text-outline")
        layout.fill(column, self.title, self.setting, self.table_rules)
        layout.fill(column, people, self.empty_roster, self.roster_view, self.wave, self.details)
        layout.fill(column, world, self.empty_world, self.world_view, notes, self._notes_place)
        self._show_emptiness()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._notes is None and not self._noting.isActive():
            self._noting.start()

    def prepare_in_sight(self) -> None:
        """Build the delayed parts now, so that the next paint shows them."""
        if self._noting.isActive():
            self._make_notes()

    @property
    def notes(self) -> Form:
        """The form at the bottom, built at first use."""
        return self._make_notes()

    def _make_notes(self) -> Form:
        self._noting.stop()
        if self._notes is None:
            self._notes = Form(
                encounter_layouts.SCENE_NOTES, self.scene, kinds.FormContext.of(self._document), self._notes_place
            )
            layout.vertical(self._notes_place).addWidget(self._notes)
            self._notes_place.setMinimumHeight(0)
            self._notes.refresh()
        return self._notes

    def _fill_world_menu(self, menu: QMenu) -> None:
        """Fill the menu for adding environments, countdowns, reminders, handouts and treasure."""
        environments = menu.addMenu(icon("earth"), tr("ui.environment.title"))
        library_transfer.fill_environments(environments, self._document, self.add_environment)
        menu.addAction(icon("timer-sand"), tr("ui.countdown.title"), partial(self.add, "countdown"))
        menu.addAction(icon("bell-outline"), tr("ui.reminder.title"), partial(self.add, "reminder"))
        menu.addAction(icon("email-outline"), tr("ui.roster.handout"), partial(self.add, "handout"))
        menu.addAction(icon("treasure-chest-outline"), tr("ui.treasure.title"), partial(self.add, "treasure"))

    def open_world_menu(self, place: QPoint) -> QMenu | None:
        """Open the menu of the row at a place of the world's list. Return None if its record can't be printed singly."""
        key, menu = self.world.key_at(self.world_view.indexAt(place)), QMenu(self.world_view)
        if key is None or key[0] not in KINDS_OF_RECORDS:
            return None
        menu.addAction(icon("printer"), tr("ui.handouts.print"), partial(self.printRequested.emit, key[0], [key[1]]))
        fields.pop_up(menu, self.world_view.viewport().mapToGlobal(place))
        return menu

    def _make_roster_view(self, parent: QWidget) -> delegate.RosterView:
        view = text.named(delegate.RosterView(parent), tr("ui.roster.combatants"))
        self._delegate = delegate.RosterDelegate(self.roster, view)
        view.setItemDelegate(self._delegate)
        view.setModel(self.roster)
        header = view.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(roster.RosterColumn.NAME, QHeaderView.ResizeMode.Stretch)
        view.resized.connect(self._hide_columns)  # immediately, before painting
        triggers = QAbstractItemView.EditTrigger
        view.setEditTriggers(triggers.EditKeyPressed | triggers.AnyKeyPressed | triggers.DoubleClicked)
        view.setAcceptDrops(True)
        view.setDragDropMode(QAbstractItemView.DragDropMode.DropOnly)
        view.setDropIndicatorShown(False)
        view.partyEditRequested.connect(self.partyEditRequested)
        view.printRequested.connect(self.printRequested)
        self.roster_actions = actions.RosterActions(self._document, self.roster, view)
        self._connect(view)
        return view

    def _fit_columns(self) -> None:
        """Fit every column except the name to its contents."""
        self._widths = self._delegate.widths()
        self._hide_columns()

    def _hide_columns(self) -> None:
        """Hide columns that leave too little room for the name, and the budget numbers if the title needs the room."""
        widths = self._widths
        self.difficulty.set_brief(brief=self.roster_view.viewport().width() < scaled(NARROW))
        room = self.roster_view.viewport().width() - scaled(MIN_NAME_WIDTH)
        hidden = set() if self._document.rules.has_surprise else {roster.RosterColumn.SNEAKING}
        for column in HIDDEN_WHEN_NARROW:
            if sum(width for other, width in widths.items() if other not in hidden) > room:
                hidden.add(column)
        for column, width in widths.items():
            self.roster_view.setColumnWidth(column, width)
            self.roster_view.setColumnHidden(column, column in hidden)

    def _make_world_view(self, parent: QWidget) -> RowView:
        view = text.named(RowView(parent, fits_rows=True, row_height=delegate.ENCOUNTER_ROW), tr("ui.roster.world"))
        view.setModel(self.world)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self.open_world_menu)
        view.setItemDelegate(RowDelegate(view))
        self._connect(view)
        return view

    def _connect(self, view: RowView) -> None:
        view.selectionModel().currentRowChanged.connect(lambda *_: self._choose(view))
        view.clicked.connect(lambda _index: self._choose(view))
        view.removeRequested.connect(lambda: self.remove_current(view))
        view.moveRequested.connect(lambda by: self.move_current(view, by))
        view.rowActivated.connect(lambda index: self._open(view, index))

    # Updates ----------------------------------------------------------------------------------------------------

    def _show_scene(self) -> None:
        for form in (self.title, self.setting, self.table_rules, self._notes):
            if form is not None:
                form.refresh()
        self.difficulty.refresh()

    def _show_emptiness(self) -> None:
        for view, empty, model in (
            (self.roster_view, self.empty_roster, self.roster),
            (self.world_view, self.empty_world, self.world),
        ):
            view.setVisible(model.rowCount() > 0)
            empty.setVisible(model.rowCount() == 0)
        self.details.setVisible(self.roster.rowCount() > 0)

    def _go_to(self, key: state.Key | None) -> None:
        if key is not None:
            self._document.select(key)
            self.editRequested.emit(key)

    def _key(self, view: RowView) -> state.Key | None:
        key = view.rows().key_at(view.currentIndex())
        return None if key is None or key[0] == row_list_model.HEADING else key

    def _choose(self, view: RowView) -> None:
        if (key := self._key(view)) is not None:
            self._document.select(key)

    def _open(self, view: RowView, index: QModelIndex) -> None:
        if (key := self._key(view)) is not None:
            self.editRequested.emit(key)

    def _settle_on(self, view: RowView, row: int) -> None:
        model = view.rows()
        for place in (*range(row, model.rowCount()), *range(min(row, model.rowCount()) - 1, -1, -1)):
            if (key := model.key_at(model.index(place, 0))) is not None and key[0] != row_list_model.HEADING:
                view.go_to(place)
                return

    def _drop(self, data: bytes, side: str) -> None:
        if (record := library_transfer.dropped_record(data)) is not None:
            library_transfer.add_from_library(self._document, record, side)

    def _on_selected(self, key: state.Key | None) -> None:
        for view in (self.roster_view, self.world_view):
            row = view.rows().row_of(key) if key is not None else -1
            if row >= 0:
                view.go_to(row, show=True)
            elif self._key(view) != key and not view.hasFocus():
                view.clearSelection()
                view.setCurrentIndex(QModelIndex())

    def _on_changed(self, changed: Changed) -> None:
        if changed.touches(prepared.RosterEntry.table, prepared.Creature.table, prepared.Environment.table):
            self.difficulty.refresh()
        if changed.touches(prepared.Scene.table):
            self._show_scene()
        elif changed.touches(prepared.Countdown.table):
            self.table_rules.refresh()
