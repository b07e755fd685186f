"""The document of a window: commands go in, `Changed` and refusals come out.

Docks and models know this object, and not each other. It also holds the selected record, so that the inspector, the
roster and the turn order agree on it, and the selected combatants: the targets of the next command.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QApplication

from turnwright.encounter.lookups import clock_of
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Encounter, Key, Record
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.steps import Changed
from turnwright.ui.translations import set_words
from turnwright.workspace.text import Phrasebook

if TYPE_CHECKING:
    from turnwright.play.kernel.commands import Command
    from turnwright.rules.system import RuleSystem
    from turnwright.storage.word_catalogue import WordCatalogue
    from turnwright.ui.portraits import Portraits
    from turnwright.workspace.document import Document

ALLOWED = "journal.done_anyway"


class DocumentModel(QObject):
    """Wraps the open document. `phrasebook` puts phrases, refusals and reasons into the game's words.

    `changed` carries a `Changed`; `refused` a `Refused` and the command, so that a person may insist; `documentChanged`
    says that another document is open, or that this one now belongs to another game; `selected` carries the selected
    key or None, `combatantsSelected` the ids of all selected combatants, `lettersOffered` the letter by which each may now be chosen. `allowed` says what a command has done against
    the rules where they are not enforced.
    """

    changed = Signal(object)
    refused = Signal(object, object)
    allowed = Signal(str)
    documentChanged = Signal()
    selected = Signal(object)
    combatantsSelected = Signal(tuple)
    lettersOffered = Signal(object)
    saved = Signal()

    def __init__(self, source: Document, words: WordCatalogue, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plain_words = words
        self._take_words(source.session.rules)
        self._selection: Key | None = None
        self._combatants: tuple[str, ...] = ()
        self._source = source
        self._turn = self._present_turn()
        self._stop = source.session.subscribe(self._on_changed)

    # Reading -------------------------------------------------------------------------------------------------

    @property
    def source(self) -> Document:
        """The open document."""
        return self._source

    @cached_property
    def portraits(self) -> Portraits:
        """The portraits of the document's creatures."""
        from turnwright.ui.portraits import Portraits

        return Portraits(self)

    @property
    def encounter(self) -> Encounter:
        """The present state of the encounter."""
        return self._source.session.encounter

    @property
    def rules(self) -> RuleSystem:
        """The rule system of the open document."""
        return self._source.session.rules

    @property
    def selection(self) -> Key | None:
        """The key (table, id) of the selected record."""
        return self._selection

    @property
    def selected_combatants(self) -> tuple[str, ...]:
        """The ids of the selected combatants, none at the start of each turn; the last one is the selected record."""
        return self._combatants

    def selected_record(self) -> Record | None:
        """Return the selected record, None where there is none (any more)."""
        return self.encounter.record(self._selection) if self._selection else None

    # Acting --------------------------------------------------------------------------------------------------

    def execute(self, command: Command, *, override: bool = False) -> bool:
        """Execute a command. Return False, and emit `refused`, if it is refused."""
        try:
            step = self._source.do(command, override=override)
        except Refused as refusal:
            self.refused.emit(refusal, command)
            return False
        allowed = [line.phrase for line in step.lines if line.phrase.key == ALLOWED] if step is not None else []
        if allowed and not override:
            self.allowed.emit(" ".join(map(self.phrasebook.phrase_text, allowed)))
        return True

    def undo(self) -> None:
        """Undo the last step."""
        self._source.undo()

    def undo_to(self, serial: int) -> None:
        """Undo the step with this serial number and all after it; nothing where it isn't applied."""
        history = self._source.session.history
        while any(step.serial == serial for step in history.applied):
            depth = history.depth
            self.undo()
            if history.depth == depth:
                return

    def redo(self) -> None:
        """Redo the last undone step."""
        self._source.redo()

    def select(self, key: Key | None) -> None:
        """Select a record by its key; a combatant that isn't among the selected ones becomes the only one."""
        if key != self._selection:
            self._selection = key
            self.selected.emit(key)
        who = key[1] if key is not None and key[0] == Combatant.table else ""
        if who not in self._combatants and (who or self._combatants):
            self._combatants = (who,) if who else ()
            self.combatantsSelected.emit(self._combatants)

    def select_combatants(self, ids: Iterable[str]) -> None:
        """Select exactly these combatants, and the last of them as the record that other docks show."""
        before, self._combatants = self._combatants, tuple(dict.fromkeys(ids))
        if self._combatants:
            self.select((Combatant.table, self._combatants[-1]))
        elif self._selection is not None and self._selection[0] == Combatant.table:
            self.select(None)
        if self._combatants != before:
            self.combatantsSelected.emit(self._combatants)

    def open(self, source: Document) -> None:
        """Replace the open document by another."""
        self._stop()
        self._source = source
        self._turn = self._present_turn()
        self._selection = None
        self._combatants = ()
        self._take_words(source.session.rules)
        self._stop = source.session.subscribe(self._on_changed)
        self.documentChanged.emit()

    def _take_words(self, rules: RuleSystem) -> None:
        """Use the words of a game from now on, here and in every widget."""
        self.words = self._plain_words.with_terms(dict(rules.data.terms))
        self.phrasebook = Phrasebook(self.words, rules)
        self._spoken = rules.id
        app = QCoreApplication.instance()
        if isinstance(app, QApplication):
            set_words(app, self.words)

    def _present_turn(self) -> tuple[int, str]:
        now = clock_of(self.encounter)
        return now.round, now.active

    def _on_changed(self, changed: Changed) -> None:
        before, self._turn = self._turn, self._present_turn()
        left = [who for who in self._combatants if (Combatant.table, who) not in changed.removed]
        if self._turn != before:
            self.select_combatants(())
        elif len(left) < len(self._combatants):
            self.select_combatants(left)
        if self._selection in changed.removed:
            self.select(None)
        if self.rules.id != self._spoken:
            self._take_words(self.rules)
            self.documentChanged.emit()
        self.changed.emit(changed)
