"""The turn order panel: the world's area, then the combatants in initiative order."""

from collections.abc import Callable
from functools import partial
from string import ascii_lowercase

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QMenu, QScrollArea, QSizePolicy, QWidget

from turnwright.encounter.prepared import Countdown, Creature, Environment
from turnwright.encounter.roles import is_ours
from turnwright.encounter.running import Combatant, CountdownPool, Slot
from turnwright.encounter.state import clock_of, slot_of, slots_in_order
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetDead, SetTrack
from turnwright.play.environment.countdown_pools import AdjustPool, SetPoolUnstoppable, StartPool, StopPool
from turnwright.play.environment.entry_readiness import SetEntryReady
from turnwright.play.environment.environment_effect import UseEntry
from turnwright.play.kernel.transaction import Command
from turnwright.play.queries.queries import active_combatants, presumed_source, resources_of
from turnwright.play.table.game_master import SetHidden, SetKnownName, SetPlan
from turnwright.play.turn_order.surprise import MoveInOrder, can_delay
from turnwright.play.turns.turns import ComeIn, Delay, GoToTurn, RemoveCombatant
from turnwright.players.secrets import known_name
from turnwright.rules.parts.environment.entries import entry_state
from turnwright.ui.docks.dock import Dock
from turnwright.ui.docks.shared.combatant_menu import CombatantMenu
from turnwright.ui.docks.shared.why_fight import explain_countdown_pool, explain_turn_order_row, explain_world_action
from turnwright.ui.docks.turn_order import foot
from turnwright.ui.docks.turn_order.view import Drop, TurnOrderView
from turnwright.ui.look.icons import icon
from turnwright.ui.look.style import ThemeSource, number_text, scaled
from turnwright.ui.models.turn_order import TABLES, TurnOrderColumn, TurnOrderModel, TurnOrderRow
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.fields import KeyButton, add_action_with_key, pop_up
from turnwright.ui.widgets.layout import EmptyState, fill, vertical
from turnwright.ui.widgets.records.world_panel import WorldPanel
from turnwright.ui.widgets.rules.why import WhyPopup
from turnwright.ui.widgets.text import push_button

MAX_WORLD_SHARE = 0.45
LEAST_WORLD = 40
MOVE_KEYS, ADD_KEYS = "Alt+↑↓", "Ctrl+⇧A"
AMOUNT_STARTS = {foot.DAMAGE: "", foot.HEAL: "+"}


FOLLOWED = (*TABLES, "pools", "entry_states", "environments", "countdowns", "procedures", *foot.WAVE_TABLES)


class _Room(QWidget):
    """A widget that calls a function when it is resized."""

    def __init__(self, resized: Callable[[], object]) -> None:
        super().__init__()
        self._resized = resized

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._resized()


class _WorldArea(QScrollArea):
    """The scroll area of the world. It shrinks below its preferred height if the widgets below it need the space."""

    def __init__(self) -> None:
        super().__init__(widgetResizable=True)
        self._wanted = 0
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def set_wanted(self, height: int) -> None:
        """Set the preferred height."""
        if height != self._wanted:
            self._wanted = height
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._wanted)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, scaled(LEAST_WORLD))


class TurnOrderDock(Dock):
    """The turn order panel. Emits `selection_changed(ids)` with all selected combatants when the selection changes.

    It emits `manualCommandRequested(id)` to ask for a form about the selected combatants, `amountRequested(start)` for
    an amount, `conditionRequested` for conditions, `checkRequested` for checks and saves, and `addRequested` for more
    combatants. `printRequested(table, ids)` prints records.
    """

    name = "turn-order"
    selection_changed = Signal(tuple)
    manualCommandRequested = Signal(str)
    amountRequested = Signal(str)
    conditionRequested = Signal()
    checkRequested = Signal()
    addRequested = Signal()
    printRequested = Signal(str, object)

    def __init__(self, document: DocumentModel, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(document, theme, parent)
        self.model = TurnOrderModel(document, self)
        self.world = WorldPanel()
        self.view = TurnOrderView(self.model)
        document.portraits.loaded.connect(lambda _file: self.view.viewport().update())
        words = document.words
        self.title_button = KeyButton(
            words("ui.turn-order.add"), self.addRequested.emit, ADD_KEYS, "quiet", "plus", role="caption"
        )
        self.title_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # not needed, because its key works everywhere
        self.waves = foot.WaveLine(document)
        self.fold_button = push_button("", self._fold, "fold", "chevron-right")
        self.bulk = foot.BulkBar(lambda: tuple(kind.id for kind in document.rules.data.damage_types))
        keep, leave = words("ui.turn-order.keep"), words("ui.turn-order.leave")
        self.count_hint = foot.KeyHint((("Enter", keep), ("Tab", words("ui.turn-order.go-on")), ("Esc", leave)))
        self.drag_hint = foot.KeyHint(
            (("", words("ui.turn-order.drop")), (MOVE_KEYS, words("ui.turn-order.by-key")), ("Esc", leave))
        )
        self.go_hint = foot.KeyHint((("G", words("ui.turn-order.go-anyway")), ("Esc", leave)))
        self._asked_to_go = ""  # slot whose turn awaits confirmation, because the active combatant has actions left
        self.note = foot.NoteEditor()
        self._scroll = _WorldArea()
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self.world)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.empty = EmptyState("format-list-bulleted", "")
        self.set_pages(self.empty, self._filled())
        self._popup = WhyPopup(self)
        self._scrolled_for: tuple[int, str] | None = None
        self._make_actions()
        self._connect(theme)
        self._refresh()
        self._show_selected(self.selected)

    @property
    def selected(self) -> tuple[str, ...]:
        """The ids of the selected combatants."""
        return self._document.selected_combatants

    def choose_target(self) -> None:
        """Show a letter in front of each combatant that isn't acting or out. Typing a letter selects that combatant.

        The letters of an open attack don't change.
        """
        rows = [self.model.row_at(place) for place in range(self.model.rowCount())]
        others = [row.id for row in rows if not (row.active or row.is_out)]
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)
        letters = self.view.letters or dict(zip(others, ascii_lowercase, strict=False))
        self.view.show_letters(letters, choosing=True)

    def _filled(self) -> QWidget:
        self._room = _Room(self._fit_world)
        self._bulk_room = QWidget()
        vertical(self._bulk_room, margins=8).addWidget(self.bulk)
        column = fill(vertical(self._room, spacing=0), self._scroll, (self.view, 1), self.fold_button, self.waves)
        fill(column, self.count_hint, self.drag_hint, self.go_hint, self.note, self._bulk_room)
        return self._room

    def _connect(self, theme: ThemeSource) -> None:
        self.world.actionTriggered.connect(lambda id: self._do(UseEntry(*id.split("/", 1))))
        self.world.menuRequested.connect(lambda kind, id, place: pop_up(self.world_menu_for(kind, id), place))
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._menu_at)
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._on_chosen())
        self.view.opened.connect(lambda place: self._document.select_combatants((self.model.row_at(place).id,)))
        self.view.countEdited.connect(self._show_count_hint)
        self.view.dragMoved.connect(self._show_drag_hint)
        self.view.dropped.connect(self._on_dropped)
        self.bulk.requested.connect(self._do_with_selected)
        self.bulk.clearRequested.connect(self._clear_selection)
        self.bulk.halfEntered.connect(self._apply_half)
        self.note.entered.connect(lambda who, text: self._do(SetPlan(who, text)))
        self.note.closed.connect(lambda: self.view.setFocus(Qt.FocusReason.OtherFocusReason))
        self.view.deathSaveClicked.connect(lambda who, track, value: self._do(SetTrack(who, track, value)))
        self._document.follow(self._refresh, *FOLLOWED, replaced=self._start_over)
        self._document.combatantsSelected.connect(self._show_selected)
        self._document.lettersOffered.connect(self.view.show_letters)
        self.view.targetChosen.connect(lambda who: self._document.select_combatants((who,)))
        self.view.pointsClicked.connect(lambda: self.amountRequested.emit(""))
        self.view.goRequested.connect(self._go)
        self.view.left.connect(self._ask_to_go)
        theme.changed.connect(self._restyle)

    def _make_actions(self) -> None:
        """Create the actions of the list's context menu. Their keys work while the list has the focus."""
        self._actions: dict[str, QAction] = {}
        for name, keys, slot in (
            ("go-to-turn", "", self._go),
            ("initiative", "F2", self.view.edit_count),
            ("earlier", "Alt+Up", lambda: self._move(-1)),
            ("later", "Alt+Down", lambda: self._move(1)),
            ("delay", "E", lambda: self._do(Delay())),
            ("return", "B", self._come_in),
            ("hide", "Ctrl+H", lambda: self._do_with_current(lambda row: SetHidden((row.id,), not row.hidden))),
            ("reveal-name", "", lambda: self._do_with_current(self._meeting)),
            ("rename", "Shift+F2", self._rename),
            ("note", "", self._write_note),
            ("dead", "Ctrl+Del", lambda: self._do_with_current(lambda row: SetDead(row.id, row.state != "dead"))),
            ("remove", "Del", lambda: self._do_with_current(lambda row: RemoveCombatant(row.id))),
        ):
            text = self._document.words(f"ui.turn-order.{name}")
            self._actions[name] = add_action_with_key(self.view, text, keys, slot)

    # Refreshing --------------------------------------------------------------------------------------------------

    def _start_over(self) -> None:
        """Show another encounter and make its active row current, or else its first row."""
        self._scrolled_for = None
        self._show_selected(())
        self._refresh()
        self.view.set_current_row(max(0, self.model.active_row()))

    def _refresh(self) -> None:
        clock = clock_of(self._document.encounter)
        self._ask_to_go()
        running = clock.phase in ("set-up", "rounds") or self.model.rowCount() > 0
        self.empty.set_sentence(self._document.words("ui.turn-order.empty"))
        self._stack.setCurrentIndex(1 if running else 0)
        actions, pools = foot.world_actions(self._document), foot.countdown_pools(self._document)
        self.world.show_world(actions, pools, active=foot.is_world_step(self._document))
        self._scroll.setVisible(bool(actions or pools))
        self.waves.refresh()
        self.view.fit()
        self._show_fold()
        self._fit_world()
        active = self.model.active_row()
        if not self.view.currentIndex().isValid():
            self.view.set_current_row(max(0, active))
        if (clock.round, clock.active) == self._scrolled_for:
            return
        self._scrolled_for = (clock.round, clock.active)
        if active >= 0:
            self.view.scrollTo(self.model.index(active, TurnOrderColumn.WHO))
        elif foot.is_world_step(self._document):
            self.view.scrollToTop()

    def _show_fold(self) -> None:
        """Update the button that shows or hides copies and the combatants that are out, with their numbers."""
        out = sum(self.model.row_at(place).is_out for place in range(self.model.rowCount()))
        numbers = {"alike": sum(self.view.copies.values()), "out": out}
        self.fold_button.setVisible(any(numbers.values()))
        texts = [self._document.words(f"ui.turn-order.{kind}", n=number) for kind, number in numbers.items() if number]
        self.fold_button.setText(" · ".join(texts))
        self.fold_button.setIcon(icon("chevron-right" if self.view.is_folded else "chevron-down", "muted"))

    def _fold(self) -> None:
        self.view.fold(not self.view.is_folded)
        self._show_fold()

    def _restyle(self) -> None:
        self.view.fit()
        self.view.viewport().update()
        self._fit_world()

    def _fit_world(self) -> None:
        height = min(self.world.sizeHint().height(), round(self._room.height() * MAX_WORLD_SHARE))
        self._scroll.set_wanted(max(scaled(LEAST_WORLD), height))

    def explain(self) -> bool:
        """Explain the focused row of the order or of the world. Return False if no row has the focus."""
        kind, id = self.world.focused()
        row = self._current()
        if kind == "action":
            environment, _, entry = id.partition("/")
            self._popup.open(explain_world_action(self._document, environment, entry), next_to=self.world.action(id))
        elif kind == "pool":
            self._popup.open(explain_countdown_pool(self._document, id), next_to=self.world.pool(id))
        elif row is not None:
            part = self.view.visualRect(self.view.currentIndex())
            self._popup.open(explain_turn_order_row(self._document, row.id), part, self.view.viewport())
        return bool(kind) or row is not None

    # Selection -------------------------------------------------------------------------------------------------------

    def _on_chosen(self) -> None:
        """Select the combatants of the rows that the user selected."""
        if set(self.view.selected_ids()) != set(self.selected):
            self._document.select_combatants(self.view.selected_ids())

    def _show_selected(self, combatants: tuple[str, ...]) -> None:
        if set(self.view.selected_ids()) != set(combatants):
            self.view.select_ids(combatants)
        self._show_fold()
        places = [place for who in combatants if (place := self.model.row_of(who)) >= 0]
        if self.view.is_folded and any(self.model.row_at(place).is_out for place in places):
            self._fold()
        hidden = [self.model.row_at(place).hidden for place in places]
        self._bulk_room.setVisible(len(places) > 1)
        self.bulk.show_count(len(places), hidden=all(hidden))
        self.selection_changed.emit(combatants)

    def _clear_selection(self) -> None:
        self._document.select_combatants(())
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _do_with_selected(self, id: str) -> None:
        """Run a command of the bulk bar for all selected combatants."""
        if id in AMOUNT_STARTS:
            self.amountRequested.emit(AMOUNT_STARTS[id])
        elif id == foot.CONDITION:
            self.conditionRequested.emit()
        elif id == foot.SAVE:
            self.checkRequested.emit()
        else:
            rows = [self.model.row_at(self.model.row_of(who)) for who in self.selected]
            hides = not all(row.hidden for row in rows)
            self._do(SetHidden(tuple(row.id for row in rows if row.hidden != hides), hides))
            self._show_selected(self.selected)

    def _apply_half(self, expression: str) -> None:
        active = self.model.active_row()
        by = self.model.row_at(active).id if active >= 0 else ""
        source = presumed_source(self._document.encounter, by, self.selected)
        self._do(ApplyDamage(self.selected, expression, source, share="half"))

    # Moving and editing rows -----------------------------------------------------------------------------------------

    def _show_count_hint(self, place: int) -> None:
        row = self.model.row_at(place) if place >= 0 else None
        count = "–" if row is None or row.count is None else number_text(row.count)
        text = self._document.words("ui.turn-order.initiative-of", who=row.label, n=count) if row is not None else ""
        self.count_hint.show_text(text)

    def _show_drag_hint(self, drop: Drop | None) -> None:
        if drop is None:
            self.drag_hint.show_text("")
            return
        who = self.model.row_at(self.model.row_of(drop.who)).label
        count = number_text(self.model.row_at(self.model.row_of(drop.neighbour)).count or 0)
        predecessor = self.model.row_at(drop.row - 1).label if drop.row else ""
        key = "ui.turn-order.dropped-after" if predecessor else "ui.turn-order.dropped-first"
        self.drag_hint.show_text(self._document.words(key, who=who, n=count, other=predecessor))

    def _on_dropped(self, drop: Drop) -> None:
        moved, neighbour = (self.model.row_at(self.model.row_of(id)) for id in (drop.who, drop.neighbour))
        self._do(MoveInOrder(moved.slot, neighbour.slot, drop.after))

    def _write_note(self) -> None:
        if (row := self._current()) is not None:
            self.note.open_for(row.id, row.label, row.note)

    def _current(self) -> TurnOrderRow | None:
        index = self.view.currentIndex()
        return self.model.row_at(index.row()) if index.isValid() and index.row() < self.model.rowCount() else None

    # Commands on a combatant ------------------------------------------------------------------------------------

    def _go(self) -> None:
        """Go to the turn of the current row. Ask for confirmation first if the active combatant has actions left."""
        row = self._current()
        if row is None or not row.slot:
            return
        unfinished = self._who_has_actions()
        if unfinished and row.slot != self._asked_to_go and row.slot != clock_of(self._document.encounter).active:
            self._ask_to_go(row.slot, self._document.words("ui.turn-order.has-actions", who=unfinished))
        else:
            self._do(GoToTurn(row.slot))

    def _ask_to_go(self, slot: str = "", text: str = "") -> None:
        self._asked_to_go = slot
        self.go_hint.show_text(text)

    def _who_has_actions(self) -> str:
        """Return the name of an active combatant with actions left, or an empty string if there is none."""
        encounter, rules = self._document.encounter, self._document.rules
        for combatant in active_combatants(encounter):
            owned = (have for have in resources_of(encounter, rules, combatant.id) if not have.resource.off_turn)
            if (main := next(owned, None)) is not None and main.left and not main.denied:
                return combatant.label
        return ""

    def _move(self, step: int) -> None:
        """Move the current slot past the slot before or after it."""
        row = self._current()
        order = [slot.id for slot in slots_in_order(self._document.encounter)]
        place = order.index(row.slot) + step if row is not None and row.slot in order else -1
        if row is not None and 0 <= place < len(order):
            self._do(MoveInOrder(row.slot, order[place], after=step > 0))

    def _come_in(self) -> None:
        """Take the delayed turn of the current combatant. If it isn't delaying, use the first combatant that is."""
        row = self._current()
        waiting = [slot.id for slot in self._document.encounter.all(Slot) if slot.delay == "waiting"]
        if waiting:
            self._do(ComeIn(row.slot if row is not None and row.slot in waiting else waiting[0]))

    def _do_with_current(self, command: Callable[[TurnOrderRow], Command]) -> None:
        if (row := self._current()) is not None:
            self._do(command(row))

    def _meeting(self, row: TurnOrderRow) -> SetKnownName:
        """Return the command that reveals a combatant's creature name to the players, or conceals it again."""
        combatant = self._document.encounter.need(Combatant, row.id)
        return SetKnownName((row.id,), forget=known_name(self._document.encounter, combatant) is not None)

    def _rename(self) -> None:
        index = self.view.currentIndex()
        if index.isValid():
            self.view.edit(index.siblingAtColumn(TurnOrderColumn.WHO))

    def _menu_at(self, place: QPoint) -> None:
        index = self.view.indexAt(place)
        if index.isValid():
            self.view.setCurrentIndex(index)
            pop_up(self.menu_for(self.model.row_at(index.row()).id), self.view.viewport().mapToGlobal(place))

    def menu_for(self, who: str) -> QMenu:
        """Return the context menu of a combatant."""
        words = self._document.words
        combatant = self._document.encounter.need(Combatant, who)
        menu = QMenu(self.view)
        self._actions["hide"].setText(words("ui.turn-order.show" if combatant.hidden else "ui.turn-order.hide"))
        key = "reveal-name" if known_name(self._document.encounter, combatant) is None else "hide-name"
        self._actions["reveal-name"].setText(words(f"ui.turn-order.{key}"))
        meets = ("reveal-name",) if not is_ours(self._document.encounter, combatant) else ()
        self._actions["dead"].setText(words("ui.turn-order.restore" if combatant.dead else "ui.turn-order.mark-dead"))
        slot = slot_of(self._document.encounter, who)
        clock = clock_of(self._document.encounter)
        self._actions["go-to-turn"].setEnabled(slot is not None and clock.phase == "rounds")
        reorder = ("initiative", "earlier", "later") if slot is not None else ()
        delays = ("return",) if slot is not None and slot.delay == "waiting" else ()
        if slot is not None and slot.id == clock.active:
            delays = ("delay",) if can_delay(self._document.encounter, self._document.rules) else ()
        names = ("go-to-turn", *delays, *reorder, "rename", "note", "hide", *meets)
        menu.addActions([self._actions[name] for name in names])
        CombatantMenu(menu, self._document, (who,), self.manualCommandRequested.emit)
        menu.addSeparator()
        menu.addActions([self._actions[name] for name in ("dead", "remove")])
        if self._document.encounter.get(Creature, combatant.creature) is not None:
            self._add_print(menu, Creature.table, combatant.creature)
        return menu

    def _add_print(self, menu: QMenu, table: str, id: str) -> None:
        """Add the action that opens the print dialog for a record."""
        text, print_it = self._document.words("ui.handouts.print"), partial(self.printRequested.emit, table, [id])
        menu.addAction(icon("printer"), text, print_it)

    # Commands on the world -----------------------------------------------------------------------------------

    def world_menu_for(self, kind: str, id: str) -> QMenu:
        """Return the context menu of a world action (`environment/entry`) or of a running countdown."""
        menu = QMenu(self.world)
        for name, command in self._action_menu(id) if kind == "action" else self._pool_menu(id):
            menu.addAction(self._document.words(f"ui.turn-order.{name}"), partial(self._do, command))
        if kind == "action":
            self._add_print(menu, Environment.table, id.partition("/")[0])
        else:
            self._add_print(menu, Countdown.table, self._document.encounter.need(CountdownPool, id).countdown)
        return menu

    def _action_menu(self, id: str) -> list[tuple[str, Command]]:
        environment, _, entry = id.partition("/")
        ready = entry_state(self._document.encounter, environment, entry).ready
        by_hand = ("make-spent" if ready else "make-ready", SetEntryReady(environment, entry, ready=not ready))
        return [("use", UseEntry(environment, entry)), by_hand]

    def _pool_menu(self, id: str) -> list[tuple[str, Command]]:
        pool = self._document.encounter.need(CountdownPool, id)
        reason = self._document.words("ui.turn-order.manual")
        start = [("pool-start", StartPool(pool.countdown))] if pool.status == "waiting" else []
        holds = "pool-may-stop" if pool.unstoppable else "pool-may-not-stop"
        return [
            *start,
            ("pool-more", AdjustPool(id, 1, reason)),
            ("pool-fewer", AdjustPool(id, -1, reason)),
            ("pool-stop", StopPool(id)),
            (holds, SetPoolUnstoppable(id, not pool.unstoppable)),
        ]
