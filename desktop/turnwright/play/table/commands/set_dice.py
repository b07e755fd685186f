"""The command that sets how dice results are determined: rolled automatically, entered or listed."""

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
