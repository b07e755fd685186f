"""Commands about who is on the table and where, about prompts and dice, and about the journal."""

from __future__ import annotations

from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.table.events import NoteAdded
from turnwright.rules.system import RuleSystem


class AddNote(Command, frozen=True):
    """Write a line of one's own into the journal."""

    text: str


def add_note(command: AddNote, tx: Transaction, rules: RuleSystem) -> None:
    """Write a line."""
    if not command.text.strip():
        raise Refused("refused.empty")
    tx.emit(NoteAdded(text=command.text.strip(), rule=""))
