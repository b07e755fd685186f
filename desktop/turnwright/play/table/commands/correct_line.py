"""The command that corrects an earlier line of the journal."""

from __future__ import annotations

from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@command(script="correct {serial} {line} {text:rest}")
class CorrectLine(Command, frozen=True):
    """Replace an earlier line of the journal. `serial` is its step, and `line` is its position in the step."""

    serial: int
    line: int
    text: str

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Correct an earlier line. Refuse an empty text."""
        if not self.text.strip():
            raise Refused("refused.empty")
        tx.emit(LineCorrected(serial=self.serial, line=self.line, text=self.text.strip()))


@journal("journal.corrected", kind="correction")
class LineCorrected(Event, frozen=True, tag="Corrected"):
    """An earlier line was corrected."""

    serial: int
    line: int
    text: str
