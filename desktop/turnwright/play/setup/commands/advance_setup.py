"""The command that advances to the next set-up step."""

from __future__ import annotations

from typing import Literal

from turnwright.encounter.lookups import clock_of
from turnwright.encounter.running import Clock, Combatant
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.requirements import require_no_open_prompt
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.setup.events import SetupStepReached
from turnwright.play.turn_order.ambush import begin_ambush
from turnwright.play.turn_order.events import NoSurprise
from turnwright.play.turn_order.initiative import ask_initiative
from turnwright.play.turn_order.surprise import begin_surprise, is_surprise_open
from turnwright.rules.system import RuleSystem


@command(script="next | begin {begins=true}")
class AdvanceSetup(Command, frozen=True):
    """Go to the next set-up step, or from initiative to round 1. `begin` goes straight to round 1.

    If combatants sneak, it stops at the step that decides who is surprised.
    """

    begins: bool = False

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Advance to the next set-up step, or through all remaining steps. Rule systems without surprise skip that step."""
        clock = clock_of(tx)
        if clock.phase != "set-up":
            raise Refused("refused.not_setting_up", rule=rules.rule_id("phase.two"))
        require_no_open_prompt(tx)
        begins = clock.setup_step == "initiative" or (self.begins and not is_surprise_open(tx, rules))
        if clock.setup_step == "scene" and rules.has_surprise and not begins:
            _reach(tx, rules, clock, "surprise")
            if not clock.surprise_settled and rules.data.surprise.sides:
                begin_ambush(tx)
            elif not clock.surprise_settled:
                begin_surprise(tx)
        elif clock.setup_step != "initiative":
            if rules.has_surprise and not clock.surprise_settled:
                tx.emit(NoSurprise(rule=rules.rule_id("surprise.none")))
            _reach(tx, rules, tx.update(clock, surprise_settled=True), "initiative")
        if begins:
            ask_initiative(tx, tuple(combatant.id for combatant in tx.all(Combatant)), starts_rounds=True)


def _reach(tx: Transaction, rules: RuleSystem, clock: Clock, step: Literal["surprise", "initiative"]) -> None:
    tx.update(clock, setup_step=step)
    tx.emit(SetupStepReached(step=step, rule=rules.rule_id("setup.order")))
