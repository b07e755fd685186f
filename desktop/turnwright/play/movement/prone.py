"""Standing up and dropping prone, using movement or an action."""

from __future__ import annotations

from turnwright.encounter.lookups import effects_named
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import ActionInProgress
from turnwright.encounter.running import Effect
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement.events import StoodUp
from turnwright.play.state.effect_records import end_effect, put_condition
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.actions import ActionOption

STAND, DROP = "stand", "drop"


def prone_effects(lookup: Lookup, rules: RuleSystem, who: str) -> list[Effect]:
    """Return the effects that make a combatant prone."""
    return effects_named(lookup, who, rules.role("prone"))


def get_up(
    tx: Transaction, rules: RuleSystem, who: str, rule: str, cost: int = 0, *, is_reported: bool = False
) -> None:
    """End a combatant's prone effects, for `cost` feet of movement.

    `is_reported`: the action that does this has its own journal line.
    """
    tx.emit(StoodUp(who=who, cost=cost, rule=rule, bookkeeping=is_reported))
    for effect in prone_effects(tx, rules, who):
        end_effect(tx, rules, effect, rule, is_reported=True)


def stand(
    tx: Transaction, rules: RuleSystem, procedure: Procedure, data: ActionInProgress, option: ActionOption
) -> None:
    """Stand up with an action that has been paid for."""
    get_up(tx, rules, data.who, rules.rule_id("prone.stand"), is_reported=True)


def drop(
    tx: Transaction, rules: RuleSystem, procedure: Procedure, data: ActionInProgress, option: ActionOption
) -> None:
    """Drop prone with an action that has been paid for."""
    put_condition(tx, rules, data.who, rules.role("prone"), rule=rules.rule_id("prone.drop-free"))
