"""The command that keeps with a fight what a forecast of its start said."""

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
    """Keep with the fight what a forecast of its start said: how often the party wins, rounds, who falls how often.

    All is in hundredths, the rounds in tenths.
    """

    won: Hundred
    rounds: Natural
    falls: NamedNumbers = ()


def handle(command: KeepForecast, tx: Transaction, rules: RuleSystem) -> None:
    """Keep the figures of a forecast."""
    require_running(tx)
    tx.put(ForeseenFight(won=command.won, rounds=command.rounds, falls=command.falls))
