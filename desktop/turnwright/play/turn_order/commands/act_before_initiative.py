"""Commands that move an encounter along: set-up and its steps, turns, rests, the end."""

from __future__ import annotations

from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import require_running
from turnwright.play.turn_order.surprise import mark_surprised
from turnwright.rules.system import RuleSystem


class ActBeforeInitiative(Command, frozen=True):
    """Everyone is aware and one side acts at once: nobody is surprised; `advantage` names who rolls with it."""

    advantage: tuple[str, ...] = ()


def act_before_initiative(command: ActBeforeInitiative, tx: Transaction, rules: RuleSystem) -> None:
    """Everyone was aware: nobody is surprised, and those named roll initiative with advantage."""
    require_running(tx)
    mark_surprised(tx, rules, (), rule=rules.rule_id("sudden.no-surprise"))
    for who in command.advantage:
        tx.update(tx.need(Combatant, who), edge="advantage")
