"""The Use an Item action: the item used, of those carried or within reach, and the feature behind it."""

from __future__ import annotations

import msgspec

from turnwright.encounter.procedure_state.actions import ActionInProgress
from turnwright.encounter.procedure_state.asks import Ask, Option
from turnwright.play.asking.action_parameters import CHOICE
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.parts.actions.usable_items import item_out_of_reach, usable_items
from turnwright.rules.system import RuleSystem, label_of
from turnwright.rules.system_data.actions import ActionOption

ITEM = "item"  # what an action asks for that uses one
OTHER_ITEM = "something-else"  # the choice of none of those listed: what it is stands in the note


def item_asks(tx: Transaction, rules: RuleSystem, data: ActionInProgress, option: ActionOption) -> list[Ask]:
    """Return the ask for the item used; none where the command names it in words."""
    if ITEM not in option.asks or data.note or data.choice:
        return []
    options = tuple(Option(one.id, one.name) for one in usable_items(tx, rules, data.who))
    rule = option.rule("access")
    return [Ask(CHOICE, "choice", "ask.which_item", data.who, options=options, rule=rule)] if options else []


def with_selected_item(
    tx: Transaction, rules: RuleSystem, data: ActionInProgress, option: ActionOption
) -> ActionInProgress:
    """Return the action with the chosen item: the stat block's feature for it, or its name as a note."""
    if ITEM not in option.asks or not data.choice:
        return data
    if data.choice == OTHER_ITEM:
        return msgspec.structs.replace(data, choice="")
    thing = item_out_of_reach(tx, rules, data.who, data.choice)
    if thing is not None:
        name = thing.name or thing.id
        tx.forbid("refused.item_out_of_reach", option.rule("access"), who=label_of(tx, data.who), what=name)
        return msgspec.structs.replace(data, choice="", note=data.note or name)
    one = next((each for each in usable_items(tx, rules, data.who) if each.id == data.choice), None)
    if one is None:
        raise Refused("refused.unknown", params={"what": data.choice})
    if one.feature is not None:
        return msgspec.structs.replace(data, action=one.feature.id, choice="")
    return msgspec.structs.replace(data, choice="", note=data.note or one.name)
