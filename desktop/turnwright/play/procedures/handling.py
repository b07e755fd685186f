"""Using an item: which of those in the bags or within reach, and what it then is that is done."""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Ask, Deed, Option
from turnwright.play.procedures.questions import CHOICE
from turnwright.play.refusals import Refused
from turnwright.play.transaction import Transaction
from turnwright.rules.catalogue.actions import ActionOption
from turnwright.rules.parts.items import items_within, out_of_reach
from turnwright.rules.system import RuleSystem, label_of

ITEM = "item"  # what an action asks for that uses one
ELSE = "something-else"  # the choice of none of those listed: what it is stands in the note


def item_asked(tx: Transaction, rules: RuleSystem, data: Deed, option: ActionOption) -> list[Ask]:
    """Ask which item is used, of those there are; what a person has put into words already is not asked about."""
    if ITEM not in option.asks or data.note or data.choice:
        return []
    options = tuple(Option(one.id, one.name) for one in items_within(tx, rules, data.who))
    rule = option.rule("access")
    return [Ask(CHOICE, "choice", "ask.which_item", data.who, options=options, rule=rule)] if options else []


def in_hand(tx: Transaction, rules: RuleSystem, data: Deed, option: ActionOption) -> Deed:
    """Return what is done with the item chosen: the feature that it is in the stat block, or else its name for a note."""
    if ITEM not in option.asks or not data.choice:
        return data
    if data.choice == ELSE:
        return msgspec.structs.replace(data, choice="")
    thing = out_of_reach(tx, rules, data.who, data.choice)
    if thing is not None:
        name = thing.name or thing.id
        tx.forbid("refused.item_out_of_reach", option.rule("access"), who=label_of(tx, data.who), what=name)
        return msgspec.structs.replace(data, choice="", note=data.note or name)
    one = next((each for each in items_within(tx, rules, data.who) if each.id == data.choice), None)
    if one is None:
        raise Refused("refused.unknown", params={"what": data.choice})
    if one.feature is not None:
        return msgspec.structs.replace(data, action=one.feature.id, choice="")
    return msgspec.structs.replace(data, choice="", note=data.note or one.name)
