"""Resources: how many a combatant has left, how many it can have, and why some can't be spent now.

A resource goes by its role (`action`, `reaction`), so that engines can name it; what the game calls it is its name.
"""

from __future__ import annotations

from turnwright.encounter.lookups import active_slot, clock_of, track_value
from turnwright.encounter.prepared import NamedNumbers
from turnwright.encounter.procedure_state import Declaration
from turnwright.encounter.running import Combatant, Effect, Slot
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import Hook, HookContext, Veto, run_hooks
from turnwright.rules.parts.conditions.condition_rules import data_rules_on
from turnwright.rules.system import RuleSystem, creature_of
from turnwright.rules.system_data.actions import Resource

REACTED = "reacted"  # the mark of a combatant that has reacted in the current turn


def is_on_turn(lookup: Lookup, who: str) -> bool:
    """Return whether it is a combatant's turn."""
    slot = active_slot(lookup)
    if slot is None:
        return False
    return who in slot.members or any(one.joined_to == slot.id for one in lookup.of(Slot, who))


def remaining(lookup: Lookup, who: str, resource: str) -> int:
    """Return how many of a resource a combatant has that no declaration has reserved, usable or not."""
    have = track_value(lookup, who, resource)
    held = sum(dict(one.reserved).get(resource, 0) for one in lookup.all(Declaration) if one.who == who)
    return max(0, have - held) if held else have


def reaction_mark_id(who: str) -> str:
    """Return the id of the mark that a combatant has reacted in the current turn."""
    return f"{REACTED}-of-{who}"


def maximum(lookup: Lookup, who: str, resource: Resource) -> int:
    """Return a combatant's maximum of a resource: the stat block's, or the game's."""
    own = dict(creature_of(lookup, lookup.need(Combatant, who)).pools)
    return own.get(resource.id, resource.amount)


def refill_amount(lookup: Lookup, rules: RuleSystem, who: str, resource: Resource) -> int:
    """Return how many of a resource a combatant is given at a refill, with the limits of conditions."""
    found = maximum(lookup, who, resource)
    limits = data_rules_on(lookup, rules, who, "resource", resource.id)
    for one in limits:
        rule = one.rule
        if rule.set is not None:
            found = min(found, rule.set)
        elif rule.times != rule.over:
            found = found * rule.times // rule.over
        else:
            found = max(0, found + one.amount)
    return found


def amount_left_by_condition(lookup: Lookup, rules: RuleSystem, who: str, resource: Resource) -> int | None:
    """Return how many of a resource a condition leaves a combatant, however many it had; None for no limit."""
    limits = data_rules_on(lookup, rules, who, "resource", resource.id)
    return min((rule.set for _, rule, _ in limits if rule.set is not None), default=None)


def is_finite(resource: Resource) -> bool:
    """Return whether a resource has a limited amount."""
    return bool(resource.amount) or resource.own


def paying_resource(lookup: Lookup, rules: RuleSystem, who: str, resource: str) -> str:
    """Return the resource that pays: off turn another may stand in."""
    definition = rules.resources.get(resource)
    if definition is None or not definition.instead or is_on_turn(lookup, who):
        return resource
    return definition.instead


def counted_price(rules: RuleSystem, resource: str, price: int) -> int:
    """Return a price as it is reported: 0 for a resource of which a turn has one, or any number."""
    definition = rules.resources.get(resource)
    return price if definition is not None and definition.amount > 1 else 0


def is_limited(rules: RuleSystem, resource: str) -> bool:
    """Return whether a name is that of a resource with a limited amount."""
    definition = rules.resources.get(resource)
    return definition is not None and is_finite(definition)


def known_cost(lookup: Lookup, who: str, what: str, price: int, pool: str = "") -> int | None:
    """Return how many points a feature takes (of a further `pool`), None where that is unknown."""
    given = dict(lookup.need(Combatant, who).supplied_numbers)
    return price or given.get(cost_key(what, pool))


def cost_key(what: str, pool: str = "") -> str:
    """Return the name under which a price that a person entered is remembered."""
    return f"price.{what}.{pool}" if pool else f"price.{what}"


def _awaits_first_turn(lookup: Lookup, who: str) -> bool:
    """Return whether a combatant has had no turn in this fight yet."""
    clock = clock_of(lookup)
    own = lookup.of(Slot, who)
    return clock.round <= 1 and all(not slot.acted and slot.id != clock.active for slot in own)


def pool_vetoes(lookup: Lookup, rules: RuleSystem, who: str, what: str, spends: NamedNumbers) -> tuple[Veto, ...]:
    """Return why the further pools that a feature spends can't be spent."""
    return tuple(
        veto
        for pool, price in spends
        for veto in spending_vetoes(lookup, rules, who, pool, known_cost(lookup, who, what, price, pool) or 0)
    )


def out_of_turn_vetoes(lookup: Lookup, rules: RuleSystem, who: str, resource: str = "") -> tuple[Veto, ...]:
    """Return the veto on acting out of turn; empty on turn, or where the resource serves at any time of the rounds."""
    definition = rules.resources.get(paying_resource(lookup, rules, who, resource))
    if is_on_turn(lookup, who):
        return ()
    label = lookup.need(Combatant, who).label
    if definition is not None and definition.off_turn:
        if clock_of(lookup).phase != "rounds":
            return (Veto("refused.before_initiative", rules.rule_id("round.off-turn"), (("who", label),)),)
        if any(slot.delay == "waiting" for slot in lookup.of(Slot, who)):
            return (Veto("refused.delaying", rules.rule_id("turn.delay"), (("who", label),)),)
        return ()
    return (Veto("refused.not_your_turn", rules.rule_id("round.on-turn"), (("who", label),)),)


def denial_vetoes(lookup: Lookup, rules: RuleSystem, who: str, resource: str) -> tuple[Veto, ...]:
    """Return what forbids a combatant the use of a resource, however many are left."""
    return run_hooks(lookup, rules, Hook.ACTION_DECLARED, HookContext(who, resource)).vetoes


def spending_vetoes(lookup: Lookup, rules: RuleSystem, who: str, resource: str, amount: int = 1) -> tuple[Veto, ...]:
    """Return why an amount of a resource can't be spent now: out of turn, forbidden, too few left."""
    if not is_limited(rules, resource):
        return ()
    paying = paying_resource(lookup, rules, who, resource)
    found = (*out_of_turn_vetoes(lookup, rules, who, resource), *denial_vetoes(lookup, rules, who, paying))
    if paying != resource and lookup.get(Effect, reaction_mark_id(who)) is not None:
        label = lookup.need(Combatant, who).label
        found = (*found, Veto("refused.reacted_already", rules.rule_id("reaction.once"), (("who", label),)))
    have = remaining(lookup, who, paying)
    if have >= amount:
        return found
    definition = rules.resources[paying]
    params = (("resource", f"<resource.{paying}>"), ("who", lookup.need(Combatant, who).label))
    rule = definition.ledger[0] if definition.ledger else ""
    if definition.start == "none" and _awaits_first_turn(lookup, who):
        return (*found, Veto("refused.no_turn_yet", rule, params))
    if amount == 1:
        return (*found, Veto("refused.none_left", rule, params))
    return (*found, Veto("refused.too_few_left", rule, (*params, ("need", amount), ("left", have))))
