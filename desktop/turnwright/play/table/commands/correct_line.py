"""Commands about who is on the table and where, about prompts and dice, and about the journal."""

from __future__ import annotations

from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.table.events import LineCorrected
from turnwright.rules.system import RuleSystem


class CorrectLine(Command, frozen=True):
    """Correct an earlier line of the journal: the step's serial, the line in it, and what it should say."""

    serial: int
    line: int
    text: str


def correct_line(command: CorrectLine, tx: Transaction, rules: RuleSystem) -> None:
    """Correct an earlier line."""
    if not command.text.strip():
        raise Refused("refused.empty")
    tx.emit(LineCorrected(serial=command.serial, line=command.line, text=command.text.strip()))
