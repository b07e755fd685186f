"""The command that saves the initial forecast with the fight."""

from __future__ import annotations

from turnwright.encounter.field_specs import Hundred, Natural
from turnwright.encounter.prepared import NamedNumbers
from turnwright.encounter.running import ForeseenFight
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import require_running
from turnwright.rules.system import RuleSystem


@command(script="foreseen {won} percent rounds {rounds} [falls {falls}]")
class KeepForecast(Command, frozen=True):
    """Save the initial forecast with the fight: wins, rounds and how often each character falls.

    All values are percentages, except the rounds, which are tenths.
    """

    won: Hundred
    rounds: Natural
    falls: NamedNumbers = ()

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Save the results of a forecast with the fight."""
        require_running(tx)
        tx.put(ForeseenFight(won=self.won, rounds=self.rounds, falls=self.falls))
