"""Dice: how results are determined, and rolls without further effects."""

from __future__ import annotations

from turnwright.dice.roll import Roll, RollSpec
from turnwright.encounter.field_specs import DiceText, Prose
from turnwright.encounter.running import Dice, DiceMode
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.commands import Command, command, require_dice_expression
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.rules.system import RuleSystem


@command(
    script="dice {script:faces} {mode=script} | dice roll {mode=roll} | dice ask {mode=ask} "
    "| dice seed {seed} {mode:dice-mode}"
)
class SetDice(Command, frozen=True):
    """Set whether dice results are typed by you, rolled by Turnwright or listed in a script.

    If `seed` is None, the seed doesn't change.
    """

    mode: DiceMode
    seed: int | None = None
    script: tuple[int, ...] = ()

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Set the source of dice results. A new seed restarts its sequence."""
        dice = tx.get(Dice, "dice") or Dice()
        seeded = dice if self.seed is None else Dice(seed=self.seed)
        tx.update(seeded, mode=self.mode, script=self.script)


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
