"""The Use an Item action: the item used (carried or within reach) and the feature behind it."""

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

ITEM = "item"  # the entry in `asks` of an action that uses an item
OTHER_ITEM = "something-else"  # an item that isn't listed; the note names it


def item_asks(tx: Transaction, rules: RuleSystem, data: ActionInProgress, option: ActionOption) -> list[Ask]:
    """Return the ask for the item to use, or an empty list if the command's note names the item."""
    if ITEM not in option.asks or data.note or data.choice:
        return []
    options = tuple(Option(usable_item.id, usable_item.name) for usable_item in usable_items(tx, rules, data.who))
    rule = option.rule("access")
    return [Ask(CHOICE, "choice", "ask.which_item", data.who, options=options, rule=rule)] if options else []


def with_selected_item(
    tx: Transaction, rules: RuleSystem, data: ActionInProgress, option: ActionOption
) -> ActionInProgress:
    """Return the action with the chosen item: its stat block feature, or a note with the item's name."""
    if ITEM not in option.asks or not data.choice:
        return data
    if data.choice == OTHER_ITEM:
        return msgspec.structs.replace(data, choice="")
    object_out_of_reach = item_out_of_reach(tx, rules, data.who, data.choice)
    if object_out_of_reach is not None:
        name = object_out_of_reach.name or object_out_of_reach.id
        tx.forbid("refused.item_out_of_reach", option.rule("access"), who=label_of(tx, data.who), what=name)
        return msgspec.structs.replace(data, choice="", note=data.note or name)
    item = next((candidate for candidate in usable_items(tx, rules, data.who) if candidate.id == data.choice), None)
    if item is None:
        raise Refused("refused.unknown", params={"what": data.choice})
    if item.feature is not None:
        return msgspec.structs.replace(data, action=item.feature.id, choice="")
    return msgspec.structs.replace(data, choice="", note=data.note or item.name)
