"""The command that resets an encounter to its prepared state."""

from __future__ import annotations

from turnwright.encounter.running import Dice
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.setup.running_records import remove_running_records
from turnwright.rules.system import RuleSystem


@command(script="reset")
class ResetToPrepared(Command, frozen=True):
    """Discard the fight and go back to the prepared encounter."""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Remove all records of the fight, except the dice settings."""
        dice = tx.get(Dice, "dice")
        remove_running_records(tx)
        if dice is not None:
            tx.put(dice)
        tx.emit(EncounterReset())


@journal("journal.went_back")
class EncounterReset(Event, frozen=True, tag="WentBackToPrepared"):
    """All records of the fight were discarded."""
