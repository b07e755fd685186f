"""Commands that move an encounter along: set-up and its steps, turns, rests, the end."""

from __future__ import annotations

from turnwright.encounter.running import Dice
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.setup.running_records import remove_running_records
from turnwright.rules.system import RuleSystem


@command(script="reset")
class ResetToPrepared(Command, frozen=True):
    """Throw away all that running has made and stand before the start again."""


@journal("journal.went_back")
class EncounterReset(Event, frozen=True, tag="WentBackToPrepared"):
    """Everything that running had made was thrown away."""


def handle(command: ResetToPrepared, tx: Transaction, rules: RuleSystem) -> None:
    """Take out everything that running has made; the dice stay as they are set."""
    dice = tx.get(Dice, "dice")
    remove_running_records(tx)
    if dice is not None:
        tx.put(dice)
    tx.emit(EncounterReset())
