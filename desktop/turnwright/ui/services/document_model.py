"""The document of a window. Executes commands, and emits `Changed` events and refusals.

Panels and models know this object, but not each other. It also stores the selected record, which the inspector, the
roster and the turn order share, and the selected combatants, which are the targets of the next command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Protocol
from weakref import WeakMethod

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QApplication

from turnwright.encounter import prepared, running, state
from turnwright.encounter.floors import floors_of, map_of
from turnwright.play.kernel import scheduler, transaction
from turnwright.ui.look.style import set_words
from turnwright.ui.services.portraits import Portraits
from turnwright.workspace.text import Phrasebook

if TYPE_CHECKING:
    from turnwright.play.kernel.events import Phrase
    from turnwright.play.kernel.transaction import Command
    from turnwright.rules.system import RuleSystem
    from turnwright.storage.word_catalogue import WordCatalogue
    from turnwright.workspace.document import Document

ALLOWED = "journal.done_anyway"


class SideHistory(Protocol):
    """The undo list of a panel that edits something other than the encounter."""

    @property
    def undo_label(self) -> Phrase | None:
        """The name of the next change to undo, or None if there is none."""

    @property
    def redo_label(self) -> Phrase | None:
        """The name of the next change to redo, or None if there is none."""

    def undo(self) -> object:
        """Undo the last change."""

    def redo(self) -> object:
        """Redo the last undone change."""


class _Follower(QObject):
    """Calls a method after changes of some tables, as long as the object of the method exists."""

    def __init__(self, refresh: Callable[[], object], tables: tuple[str, ...]) -> None:
        super().__init__(getattr(refresh, "__self__", None))
        self._refresh, self._tables = WeakMethod(refresh), tables

    def follow(self, changed: scheduler.Changed) -> None:
        """Call the method if the change affects it."""
        if (refresh := self._refresh()) is not None and (not self._tables or changed.touches(*self._tables)):
            refresh()


class DocumentModel(QObject):
    """Wraps the open document. `phrasebook` translates phrases, refusals and reasons into the terms of the rule system.

    - `changed(changed)`: passes on a `Changed` event.
    - `refused(refusal, command)`: a command was refused; the user may override the refusal.
    - `allowed(text)`: a command has broken rules that aren't enforced.
    - `documentChanged`: another document was opened, or the document was switched to another rule system.
    - `selected(key)`: the selected key or None. `combatantsSelected(ids)`: all selected combatants.
    - `lettersOffered(letters)`: the letter that selects each combatant as a target.
    - `saved`: the document was saved.
    - `floorChanged`: another floor of the map is shown.
    """

    changed = Signal(object)
    refused = Signal(object, object)
    allowed = Signal(str)
    documentChanged = Signal()
    selected = Signal(object)
    combatantsSelected = Signal(tuple)
    lettersOffered = Signal(object)
    saved = Signal()
    floorChanged = Signal()

    def __init__(self, source: Document, words: WordCatalogue, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plain_words = words
        self._take_words(source.session.rules)
        self.side_history: SideHistory | None = None
        self.selection: state.Key | None = None
        self.selected_combatants: tuple[str, ...] = ()
        self.source = source  # the open document
        self._floor = ""
        self._turn = self._present_turn()
        self._stop = source.session.subscribe(self._on_changed)

    def follow(self, refresh: Callable[[], object], *tables: str, replaced: Callable[[], object] | None = None) -> None:
        """Call a method after changes of these tables, or after all changes. Call `replaced` for another document."""
        self.changed.connect(_Follower(refresh, tables).follow)
        self.documentChanged.connect(replaced or refresh)

    # State ---------------------------------------------------------------------------------------------------

    @cached_property
    def portraits(self) -> Portraits:
        """The portraits of the document's creatures."""
        portraits = Portraits(lambda: self.source.picture_folder, self)
        self.documentChanged.connect(portraits.forget)
        self.saved.connect(portraits.forget)
        return portraits

    @property
    def encounter(self) -> state.Encounter:
        """The current state of the encounter."""
        return self.source.session.encounter

    @property
    def rules(self) -> RuleSystem:
        """The rule system of the open document."""
        return self.source.session.rules

    @property
    def floor(self) -> prepared.MapFloor:
        """The floor of the map that is shown, or else the first one."""
        floors = floors_of(self.encounter.get(prepared.Map, prepared.Map.table) or prepared.Map())
        return next((floor for floor in floors if floor.id == self._floor), floors[0])

    def show_floor(self, floor: prepared.MapFloor | None) -> None:
        """Show another floor of the map, unless it is None."""
        if floor is not None and floor.id != self.floor.id:
            self._floor = floor.id
            self.floorChanged.emit()

    @property
    def own_map(self) -> prepared.Map | None:
        """The floor that is shown, as a separate map, or None without a map."""
        whole = self.encounter.get(prepared.Map, prepared.Map.table)
        return whole and map_of(whole, self.floor)

    def selected_record(self) -> state.Record | None:
        """Return the selected record, or None if there is none or it no longer exists."""
        return self.encounter.record(self.selection) if self.selection else None

    # Commands and selection ----------------------------------------------------------------------------------

    def execute_together(self, commands: Iterable[Command | None], since: int | None = None) -> None:
        """Execute commands as one undo step. Each is made only after the previous one was executed.

        They also join the steps that were made after the serial number `since`, if it is given.
        """
        start = self.source.session.serial if since is None else since
        for command in filter(None, commands):
            self.execute(command, joins=self.source.session.serial != start)

    def execute(self, command: Command, *, override: bool = False, joins: bool = False) -> bool:
        """Execute a command, with `joins` as part of the last step. If it is refused, emit `refused` and return False."""
        try:
            step = self.source.do(command, override=override, joins=joins)
        except transaction.Refused as refusal:
            self.refused.emit(refusal, command)
            return False
        allowed = [line.phrase for line in step.lines if line.phrase.key == ALLOWED] if step is not None else []
        if allowed and not override:
            self.allowed.emit(" ".join(map(self.phrasebook.phrase_text, allowed)))
        return True

    def is_possible(self, command: Command) -> bool:
        """Return whether a command would be executed without breaking a rule."""
        try:
            step = self.source.session.preview(command)
        except transaction.Refused:
            return False
        return not any(line.phrase.key == ALLOWED for line in step.lines)

    def undo(self) -> None:
        """Undo the last step."""
        self.source.undo()

    def undo_focused(self) -> None:
        """Undo the last step, or the last change in the focused panel if it has its own undo list."""
        (self.side_history or self.source).undo()

    def redo_focused(self) -> None:
        """Redo the last undone step, or the last undone change in the focused panel."""
        (self.side_history or self.source).redo()

    def undo_to(self, serial: int) -> None:
        """Undo the step with this serial number and all later ones. Do nothing if the step isn't applied."""
        history = self.source.session.history
        while any(step.serial == serial for step in history.applied):
            depth = history.depth
            self.undo()
            if history.depth == depth:
                return

    def redo(self) -> None:
        """Redo the last undone step."""
        self.source.redo()

    def select(self, key: state.Key | None) -> None:
        """Select a record by its key. A combatant that isn't selected yet becomes the only selected one."""
        if key != self.selection:
            self.selection = key
            self.selected.emit(key)
        who = key[1] if key is not None and key[0] == running.Combatant.table else ""
        if who not in self.selected_combatants and (who or self.selected_combatants):
            self.selected_combatants = (who,) if who else ()
            self.combatantsSelected.emit(self.selected_combatants)

    def select_combatants(self, ids: Iterable[str]) -> None:
        """Select exactly these combatants. The last one becomes the selected record."""
        before, self.selected_combatants = self.selected_combatants, tuple(dict.fromkeys(ids))
        if self.selected_combatants:
            self.select((running.Combatant.table, self.selected_combatants[-1]))
        elif self.selection is not None and self.selection[0] == running.Combatant.table:
            self.select(None)
        if self.selected_combatants != before:
            self.combatantsSelected.emit(self.selected_combatants)

    def open(self, source: Document) -> None:
        """Replace the current document with another."""
        self._stop()
        self._floor = ""
        self.source = source
        self._turn = self._present_turn()
        self.selection = None
        self.selected_combatants = ()
        self._take_words(source.session.rules)
        self._stop = source.session.subscribe(self._on_changed)
        self.documentChanged.emit()

    def _take_words(self, rules: RuleSystem) -> None:
        """Apply the terms of a rule system to this model and to every widget."""
        self.words = self._plain_words.with_terms(dict(rules.data.terms))
        self.phrasebook = Phrasebook(self.words, rules)
        self._spoken = rules.id
        if isinstance(app := QCoreApplication.instance(), QApplication):
            set_words(app, self.words)

    def _present_turn(self) -> tuple[int, str]:
        now = state.clock_of(self.encounter)
        return now.round, now.active

    def _on_changed(self, changed: scheduler.Changed) -> None:
        before, self._turn = self._turn, self._present_turn()
        remaining = [who for who in self.selected_combatants if (running.Combatant.table, who) not in changed.removed]
        if self._turn != before:
            self.select_combatants(())
        elif len(remaining) < len(self.selected_combatants):
            self.select_combatants(remaining)
        if self.selection in changed.removed:
            self.select(None)
        if self.rules.id != self._spoken:
            self._take_words(self.rules)
            self.documentChanged.emit()
        self.changed.emit(changed)
