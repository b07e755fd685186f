"""Catching a thrown item: an ally may catch it, at the cost that the system sets."""

from __future__ import annotations

from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.actions import ACTION, ActionInProgress
from turnwright.encounter.procedure_state.asks import Option
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.scheduler import Answers, ask, data_of, goto, stages_in
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import deduct
from turnwright.play.state.events import ActionTaken
from turnwright.play.state.reactions import accepted_reactions, reaction_ask
from turnwright.rules.parts.actions.action_options import action_option
from turnwright.rules.parts.economy import resources
from turnwright.rules.parts.economy.declared import can_respond
from turnwright.rules.parts.positions import are_hostile
from turnwright.rules.system import RuleSystem, label_of
from turnwright.rules.system_data.actions import ActionOption

CATCH = "catch"


def offer_catch(
    tx: Transaction, rules: RuleSystem, procedure: Procedure, data: ActionInProgress, option: ActionOption
) -> Procedure | None:
    """Ask each ally who can catch a thrown item whether to catch it."""
    rule = rules.rule_id("throw.catch")
    label = label_of(tx, data.who)
    asks = [
        reaction_ask(target, [Option(CATCH, "option.catch")], rule=rule, detail=label)
        for target in data.targets
        if can_catch(tx, rules, data.who, target, option)
    ]
    if not asks:
        return None
    return ask(tx, goto(procedure, ACTION.finish_catch, data), "prompt.thrown", asks, subject=label_of(tx, asks[0].id))


def can_catch(lookup: Lookup, rules: RuleSystem, who: str, ally: str, option: ActionOption) -> bool:
    """Return whether an ally can catch an item thrown by a combatant."""
    price = rules.data.reactions.catch
    if not price or lookup.get(Combatant, ally) is None or are_hostile(lookup, who, ally):
        return False
    return can_respond(lookup, rules, ally) and not resources.spending_vetoes(lookup, rules, ally, option.cost, price)


def finish_catch(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> None:
    """Spend the cost of the catch for each ally who catches the item."""
    data = data_of(procedure, ActionInProgress)
    option = action_option(tx, rules, data.who, data.action)
    for who, _ in accepted_reactions(answers):
        if tx.get(Combatant, who) is not None:
            resource = resources.paying_resource(tx, rules, who, option.cost)
            deduct(tx, rules, who, option.cost, rules.data.reactions.catch)
            rule = rules.rule_id("throw.catch")
            price = resources.counted_price(rules, resource, rules.data.reactions.catch)
            tx.emit(
                ActionTaken(who=who, action="<action.catch>", cost=resource, note=data.note, price=price, rule=rule)
            )


STAGES = stages_in(globals(), ACTION)
