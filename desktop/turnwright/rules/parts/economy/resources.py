"""Resources: a combatant's remaining and maximum amounts, and the vetoes on spending them.

A resource's id is its role (`action`, `reaction`), so that engines can refer to it. Its name is the game's own term.

Modifiers of conditions to a resource's refill.
"""

from __future__ import annotations

from dataclasses import dataclass

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
    return who in slot.members or any(own_slot.joined_to == slot.id for own_slot in lookup.of(Slot, who))


def remaining(lookup: Lookup, who: str, resource: str) -> int:
    """Return a combatant's remaining amount of a resource, excluding amounts reserved by declarations."""
    have = track_value(lookup, who, resource)
    own = (declaration for declaration in lookup.all(Declaration) if declaration.who == who)
    reserved = sum(dict(declaration.reserved).get(resource, 0) for declaration in own)
    return max(0, have - reserved) if reserved else have


def reaction_mark_id(who: str) -> str:
    """Return the id of the mark for a combatant's reaction in the current turn."""
    return f"{REACTED}-of-{who}"


def maximum(lookup: Lookup, who: str, resource: Resource) -> int:
    """Return a combatant's maximum of a resource: the stat block's, or the game's."""
    return dict(creature_of(lookup, lookup.need(Combatant, who)).pools).get(resource.id, resource.amount)


def refill_amount(lookup: Lookup, rules: RuleSystem, who: str, resource: Resource) -> int:
    """Return the amount of a resource that a combatant gets at a refill, limited by its conditions."""
    amount = maximum(lookup, who, resource)
    for limit in data_rules_on(lookup, rules, who, "resource", resource.id):
        rule = limit.rule
        if rule.set is not None:
            amount = min(amount, rule.set)
        elif rule.times != rule.over:
            amount = amount * rule.times // rule.over
        else:
            amount = max(0, amount + limit.amount)
    return amount


def amount_left_by_condition(lookup: Lookup, rules: RuleSystem, who: str, resource: Resource) -> int | None:
    """Return the highest amount of a resource that conditions allow a combatant, or None if they set no limit."""
    limits = data_rules_on(lookup, rules, who, "resource", resource.id)
    return min((rule.set for _, rule, _ in limits if rule.set is not None), default=None)


def is_finite(resource: Resource) -> bool:
    """Return whether a resource has a limited amount."""
    return bool(resource.amount) or resource.own


def paying_resource(lookup: Lookup, rules: RuleSystem, who: str, resource: str) -> str:
    """Return the resource to spend: this one or, outside the combatant's turn, its substitute."""
    definition = rules.resources.get(resource)
    if definition is None or not definition.instead or is_on_turn(lookup, who):
        return resource
    return definition.instead


def counted_price(rules: RuleSystem, resource: str, price: int) -> int:
    """Return the price to report, or 0 if a turn has only one of the resource or an unlimited amount."""
    definition = rules.resources.get(resource)
    return price if definition is not None and definition.amount > 1 else 0


def is_limited(rules: RuleSystem, resource: str) -> bool:
    """Return whether this is the id of a resource with a limited amount."""
    definition = rules.resources.get(resource)
    return definition is not None and is_finite(definition)


def known_cost(lookup: Lookup, who: str, what: str, price: int, pool: str = "") -> int | None:
    """Return a feature's cost in points (from `pool`, if given), or None if unknown."""
    return price or dict(lookup.need(Combatant, who).supplied_numbers).get(cost_key(what, pool))


def cost_key(what: str, pool: str = "") -> str:
    """Return the key under which an entered price is stored."""
    return f"price.{what}.{pool}" if pool else f"price.{what}"


def _awaits_first_turn(lookup: Lookup, who: str) -> bool:
    """Return whether a combatant hasn't had a turn in this fight yet."""
    clock = clock_of(lookup)
    return clock.round <= 1 and all(not slot.acted and slot.id != clock.active for slot in lookup.of(Slot, who))


def pool_vetoes(lookup: Lookup, rules: RuleSystem, who: str, what: str, spends: NamedNumbers) -> tuple[Veto, ...]:
    """Return the vetoes on spending the additional pools that a feature uses."""
    return tuple(
        veto
        for pool, price in spends
        for veto in spending_vetoes(lookup, rules, who, pool, known_cost(lookup, who, what, price, pool) or 0)
    )


def out_of_turn_vetoes(lookup: Lookup, rules: RuleSystem, who: str, resource: str = "") -> tuple[Veto, ...]:
    """Return the veto on acting out of turn. Empty on turn, or if the resource can be used at any time."""
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
    """Return the vetoes on using a resource, whatever amount is left."""
    return run_hooks(lookup, rules, Hook.ACTION_DECLARED, HookContext(who, resource)).vetoes


def spending_vetoes(lookup: Lookup, rules: RuleSystem, who: str, resource: str, amount: int = 1) -> tuple[Veto, ...]:
    """Return the vetoes on spending an amount of a resource now: out of turn, forbidden, or too little left."""
    if not is_limited(rules, resource):
        return ()
    paying = paying_resource(lookup, rules, who, resource)
    vetoes = (*out_of_turn_vetoes(lookup, rules, who, resource), *denial_vetoes(lookup, rules, who, paying))
    if paying != resource and lookup.get(Effect, reaction_mark_id(who)) is not None:
        label = lookup.need(Combatant, who).label
        vetoes = (*vetoes, Veto("refused.reacted_already", rules.rule_id("reaction.once"), (("who", label),)))
    have = remaining(lookup, who, paying)
    if have >= amount:
        return vetoes
    definition = rules.resources[paying]
    params = (("resource", f"<resource.{paying}>"), ("who", lookup.need(Combatant, who).label))
    rule = definition.ledger[0] if definition.ledger else ""
    if definition.start == "none" and _awaits_first_turn(lookup, who):
        return (*vetoes, Veto("refused.no_turn_yet", rule, params))
    if amount == 1:
        return (*vetoes, Veto("refused.none_left", rule, params))
    return (*vetoes, Veto("refused.too_few_left", rule, (*params, ("need", amount), ("left", have))))


@dataclass(frozen=True)
class RefillModifier:
    """A change to a refill: a bonus and a penalty.

    `wearing_off` pairs effects with the amount by which they reduce the refill and then wear off. `withheld`: nothing
    is refilled, whatever else applies.
    """

    bonus: int = 0
    penalty: int = 0
    wearing_off: tuple[tuple[str, int], ...] = ()
    withheld: bool = False


def refill_modifier(lookup: Lookup, rules: RuleSystem, who: str, resource: Resource) -> RefillModifier:
    """Return the current modifier of a combatant's refill of a resource."""
    if resource.withheld and any(data_rules_on(lookup, rules, who, "deny", resource.id)):
        return RefillModifier(withheld=True)
    more = fewer = 0
    wearing: list[tuple[str, int]] = []
    for in_force in data_rules_on(lookup, rules, who, "resource", resource.id):
        by, effect = in_force.amount, in_force.context.effect
        more, fewer = more + max(0, by), fewer + max(0, -by)
        if in_force.rule.wears and effect is not None and by < 0:
            wearing.append((effect.id, -by))
    return RefillModifier(more, fewer, tuple(wearing))
