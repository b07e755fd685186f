"""Commands that move an encounter along: set-up and its steps, turns, rests, the end."""

from __future__ import annotations

from turnwright.encounter.lookups import clock_of
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.requirements import require_no_open_prompt
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.setup.events import SetupStepReached
from turnwright.play.turn_order.ambush import begin_ambush
from turnwright.play.turn_order.events import NoSurprise
from turnwright.play.turn_order.initiative import ask_initiative
from turnwright.play.turn_order.surprise import begin_surprise
from turnwright.rules.system import RuleSystem


@command(script="next")
class AdvanceSetup(Command, frozen=True):
    """Go on to the next step of set-up; from initiative on to round 1."""


SETUP_STEPS = ("scene", "surprise", "initiative")


def handle(command: AdvanceSetup, tx: Transaction, rules: RuleSystem) -> None:
    """Go on to the next step of set-up. A step that still asks something is passed over only on purpose."""
    clock = clock_of(tx)
    if clock.phase != "set-up":
        raise Refused("refused.not_setting_up", rule=rules.rule_id("phase.two"))
    require_no_open_prompt(tx)
    if clock.setup_step == "initiative":
        ask_initiative(tx, tuple(one.id for one in tx.all(Combatant)), starts_rounds=True)
        return
    following = SETUP_STEPS[SETUP_STEPS.index(clock.setup_step) + 1]
    if following == "initiative" and not clock.surprise_settled:
        tx.emit(NoSurprise(rule=rules.rule_id("surprise.none")))
    tx.update(clock, setup_step=following, surprise_settled=clock.surprise_settled or following == "initiative")
    tx.emit(SetupStepReached(step=following, rule=rules.rule_id("setup.order")))
    if following == "surprise" and not clock.surprise_settled:
        if rules.data.surprise.sides:
            begin_ambush(tx)
        else:
            begin_surprise(tx)
