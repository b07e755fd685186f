"""The command that sets who rolls the dice."""

from __future__ import annotations

from turnwright.encounter.running import Dice, DiceMode
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@command(
    script="dice {script:faces} {mode=script} | dice roll {mode=roll} | dice ask {mode=ask} "
    "| dice seed {seed} {mode:dice-mode}"
)
class SetDice(Command, frozen=True):
    """Set where the faces of dice come from: a person, the machine, or a script.

    `seed` None leaves the seed as it is.
    """

    mode: DiceMode
    seed: int | None = None
    script: tuple[int, ...] = ()


def handle(command: SetDice, tx: Transaction, rules: RuleSystem) -> None:
    """Set where the faces of dice come from; a new seed starts its sequence anew."""
    dice = tx.get(Dice, "dice") or Dice()
    seeded = dice if command.seed is None else Dice(seed=command.seed)
    tx.update(seeded, mode=command.mode, script=command.script)
