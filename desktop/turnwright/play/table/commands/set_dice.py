"""Commands about who is on the table and where, about prompts and dice, and about the journal."""

from __future__ import annotations

from turnwright.encounter.running import Dice, DiceMode
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


class SetDice(Command, frozen=True):
    """Say where faces come from: a person, the machine, or a script. None leaves the seed as it is."""

    mode: DiceMode
    seed: int | None = None
    script: tuple[int, ...] = ()


def set_dice(command: SetDice, tx: Transaction, rules: RuleSystem) -> None:
    """Say where faces come from."""
    dice = tx.get(Dice, "dice") or Dice()
    seeded = dice if command.seed is None else Dice(seed=command.seed)
    tx.update(seeded, mode=command.mode, script=command.script)
