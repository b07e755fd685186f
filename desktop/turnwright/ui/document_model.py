"""The document of a window: commands go in, `Changed` and refusals come out.

Docks and models know this object, and not each other. It also holds the selection, so that the inspector, the roster
and the turn order agree on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QApplication

from turnwright.encounter.state import Encounter, Key, Record
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.steps import Changed
from turnwright.ui.translations import set_words
from turnwright.workspace.text import Phrasebook

if TYPE_CHECKING:
    from turnwright.play.kernel.commands import Command
    from turnwright.rules.system import RuleSystem
    from turnwright.storage.word_catalogue import WordCatalogue
    from turnwright.workspace.document import Document

ALLOWED = "journal.done_anyway"


class DocumentModel(QObject):
    """Wraps the open document. `phrasebook` puts phrases, refusals and reasons into the game's words.

    `changed` carries a `Changed`; `refused` a `Refused` and the command, so that a person may insist; `documentChanged`
    says that another document is open, or that this one now belongs to another game; `selected` carries the selected
    key or None. `allowed` says what a command has done against the rules where they are not enforced.
    """

    changed = Signal(object)
    refused = Signal(object, object)
    allowed = Signal(str)
    documentChanged = Signal()
    selected = Signal(object)
    saved = Signal()

    def __init__(self, document: Document, words: WordCatalogue, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plain_words = words
        self._take_words(document.session.rules)
        self._selection: Key | None = None
        self._document = document
        self._stop = document.session.subscribe(self._on_changed)

    # Reading -------------------------------------------------------------------------------------------------

    @property
    def document(self) -> Document:
        """The open document."""
        return self._document

    @property
    def encounter(self) -> Encounter:
        """The present state of the encounter."""
        return self._document.session.encounter

    @property
    def rules(self) -> RuleSystem:
        """The rule system of the open document."""
        return self._document.session.rules

    @property
    def selection(self) -> Key | None:
        """The key (table, id) of the selected record."""
        return self._selection

    def selected_record(self) -> Record | None:
        """Return the selected record, None where there is none (any more)."""
        return self.encounter.record(self._selection) if self._selection else None

    # Acting --------------------------------------------------------------------------------------------------

    def execute(self, command: Command, *, override: bool = False) -> bool:
        """Execute a command. Return False, and emit `refused`, if it is refused."""
        try:
            step = self._document.do(command, override=override)
        except Refused as refusal:
            self.refused.emit(refusal, command)
            return False
        allowed = [line.phrase for line in step.lines if line.phrase.key == ALLOWED] if step is not None else []
        if allowed and not override:
            self.allowed.emit(" ".join(map(self.phrasebook.phrase_text, allowed)))
        return True

    def undo(self) -> None:
        """Undo the last step."""
        self._document.undo()

    def redo(self) -> None:
        """Redo the last undone step."""
        self._document.redo()

    def select(self, key: Key | None) -> None:
        """Select a record by its key."""
        if key != self._selection:
            self._selection = key
            self.selected.emit(key)

    def open(self, document: Document) -> None:
        """Replace the open document by another."""
        self._stop()
        self._document = document
        self._selection = None
        self._take_words(document.session.rules)
        self._stop = document.session.subscribe(self._on_changed)
        self.documentChanged.emit()

    def _take_words(self, rules: RuleSystem) -> None:
        """Use the words of a game from now on, here and in every widget."""
        self.words = self._plain_words.with_terms(dict(rules.data.terms))
        self.phrasebook = Phrasebook(self.words, rules)
        self._spoken = rules.id
        app = QCoreApplication.instance()
        if isinstance(app, QApplication):
            set_words(app, self.words)

    def _on_changed(self, changed: Changed) -> None:
        if self._selection in changed.removed:
            self.select(None)
        if self.rules.id != self._spoken:
            self._take_words(self.rules)
            self.documentChanged.emit()
        self.changed.emit(changed)
