"""Corrections of lines in the journal."""

from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.transaction import Command, Transaction, command, require


@command(script="correct {serial} {line} {text:rest}")
class CorrectLine(Command, frozen=True):
    """Replace an earlier line of the journal. `serial` is its step, and `line` is its position in the step."""

    serial: int
    line: int
    text: str

    def handle(self, tx: Transaction) -> None:
        """Correct an earlier line. Refuse an empty text."""
        require(self.text.strip(), "refused.empty")
        tx.emit(LineCorrected(serial=self.serial, line=self.line, text=self.text.strip()))


@journal("journal.corrected", kind="correction")
class LineCorrected(Event, frozen=True):
    """An earlier line was corrected."""

    serial: int
    line: int
    text: str
