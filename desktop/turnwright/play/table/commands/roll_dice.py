"""The command that rolls dice without further effects."""

from __future__ import annotations

from turnwright.dice.roll import Roll, RollSpec
from turnwright.encounter.field_specs import DiceText, Prose
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.requirements import require_dice_expression
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@command(script="roll dice {dice} [{purpose}]")
class RollDice(Command, frozen=True):
    """Roll dice and record the result in the journal, without further effects."""

    dice: DiceText
    purpose: Prose = ""

    def subject(self, _lookup: Lookup, /) -> str:
        """Return the purpose of the roll, or its dice."""
        return self.purpose or self.dice

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Roll the dice automatically, or take the results from the script."""
        require_dice_expression(self.dice)
        rolled = tx.roll_now(RollSpec(self.dice))
        if rolled is None:
            raise Refused("refused.no_faces")
        tx.emit(DiceRolled(dice=self.dice, roll=rolled, purpose=self.purpose.strip()))


@journal("journal.dice_rolled", kind="roll", when={"purpose": "journal.dice_rolled_for"}, total="roll")
class DiceRolled(Event, frozen=True):
    """Dice were rolled."""

    dice: str
    roll: Roll
    purpose: str = ""
