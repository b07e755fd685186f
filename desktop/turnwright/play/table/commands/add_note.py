"""The command that adds a note to the journal."""

from __future__ import annotations

from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.table.events import NoteAdded
from turnwright.rules.system import RuleSystem


@command(script="note {text:rest}")
class AddNote(Command, frozen=True):
    """Add a note to the journal."""

    text: str

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Add a note to the journal; refuse an empty one."""
        if not self.text.strip():
            raise Refused("refused.empty")
        tx.emit(NoteAdded(text=self.text.strip(), rule=""))
