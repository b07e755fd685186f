"""Resources and limited uses: remaining and maximum amounts, refills, and the vetoes on spending them.

Each is stored as a track. A missing track counts as full, even if the stat block got the feature later. A resource's id
is its role (`action`, `reaction`), so that engines can refer to it. Its name is the game's own term. Declared actions
reserve resources; combatants that have a reaction left can react to them.
"""

from dataclasses import dataclass
from typing import Final

from turnwright.dice.expression import Modifier
from turnwright.encounter.prepared import Feature, NamedNumbers
from turnwright.encounter.procedure_state import Declaration
from turnwright.encounter.roles import is_character
from turnwright.encounter.running import USES, Combatant, Effect, Slot, Track, track_id
from turnwright.encounter.state import Lookup, active_slot, clock_of, track_value
from turnwright.rules.parts.combatants.facts import cannot_act, legendary_actions
from turnwright.rules.parts.conditions.condition_rules import data_rules_on
from turnwright.rules.parts.conditions.numbers import additions, changed_number
from turnwright.rules.parts.conditions.predicates import is_there
from turnwright.rules.system import ExplainedNumber, Hook, HookContext, RuleSystem, Veto, creature_of, run_hooks
from turnwright.rules.system_data.numbers import Resource

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
    if resource.characters is not None:
        return resource.characters.most if is_character(lookup, lookup.need(Combatant, who)) else 0
    return dict(creature_of(lookup, lookup.need(Combatant, who)).pools).get(resource.id, resource.amount)


def character_points(lookup: Lookup, rules: RuleSystem, who: str, *, recovers: bool = False) -> Resource | None:
    """Return the resource for failed rolls of which a character has some left, or None.

    With `recovers`, it must be one that saves the dying.
    """
    for resource in rules.data.resources:
        points = resource.characters
        if points is not None and points.recovers >= recovers and track_value(lookup, who, resource.id):
            return resource
    return None


def refill_amount(lookup: Lookup, rules: RuleSystem, who: str, resource: Resource) -> int:
    """Return the amount of a resource that a combatant gets at a refill, as its conditions change it."""
    return max(0, refill_number(lookup, rules, who, resource).total)


def refill_number(lookup: Lookup, rules: RuleSystem, who: str, resource: Resource) -> ExplainedNumber:
    """Return the amount of a resource that a refill gives a combatant, with its reasons."""
    own = Modifier(maximum(lookup, who, resource), "why.stat_block")
    return changed_number(lookup, rules, who, resource.id, own, kind="resource")


def is_finite(resource: Resource) -> bool:
    """Return whether a resource has a limited amount."""
    return bool(resource.amount) or resource.own or resource.characters is not None


def paying_resource(lookup: Lookup, rules: RuleSystem, who: str, resource: str) -> str:
    """Return the resource to spend: this one or, outside the combatant's turn, its substitute."""
    definition = rules.resources.get(resource)
    if definition is None or not definition.off_turn_resource or is_on_turn(lookup, who):
        return resource
    return definition.off_turn_resource


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
    if is_on_turn(lookup, who) or (definition is not None and definition.characters is not None):
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
    in_force = tuple(data_rules_on(lookup, rules, who, "resource", resource.id))
    changes = [change.value for change in additions(lookup, in_force)]
    more, fewer = sum(max(0, change) for change in changes), sum(max(0, -change) for change in changes)
    wearing = ((each.context.effect, -each.amount) for each in in_force if each.rule.wears and each.amount < 0)
    return RefillModifier(more, fewer, tuple((effect.id, by) for effect, by in wearing if effect is not None))


LEGENDARY: Final = "legendary"
POINTS: Final = "points"  # property: each use is a point, and its owner chooses how many to spend
SHIELD: Final = "shield"  # property: its uses are the hit points of a shield, which takes the damage that is left
TWO_WEAPONS: Final = "two-weapons"  # property: the attacks of its steps are with different weapons
COMBINES: Final = "combines"  # property: resistances and weaknesses count once for all of its hits on a target
DIVIDED: Final = "divided"  # property: its owner divides the hit points that it heals among its targets
STACKS: Final = "stacks-"  # with a number: its temporary hit points add up to at most this number


def use_key(feature: Feature, level: int | None = None) -> str:
    """Return the name of the track that a feature uses: a slot level, uses, or a recharge. Empty if it is unlimited."""
    spent = level if level is not None and (feature.level or feature.by_slot) else feature.level
    if spent:
        return f"slots.{spent}"
    if feature.uses or (feature.shares and not (feature.recharge or feature.rests)):
        return f"uses.{feature.shares or feature.id}"
    return f"recharge.{feature.shares or feature.id}" if feature.recharge or feature.rests else ""


def uses_per_use(feature: Feature) -> int:
    """Return the number of uses that are spent when a feature is used. Points are spent later, one for each hit point."""
    return 0 if {POINTS, SHIELD} & {*feature.properties} else (feature.shares and feature.uses) or 1


def maximum_uses(lookup: Lookup, who: str, name: str) -> int:
    """Return the maximum of a combatant's track of uses."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    word, _, rest = name.partition(".")
    if word == LEGENDARY:
        return legendary_actions(lookup, who)
    if word == "slots":
        return dict(creature.slots).get(rest, 0)
    feature = next((candidate for candidate in creature.features if candidate.id == rest), None)
    if word == "uses":  # a pool that the stat block doesn't list begins with the points gained for it
        track = lookup.get(Track, track_id(who, name))
        return (feature.uses if feature is not None else 0) or (track.maximum if track is not None else 0)
    return int(feature is not None and bool(feature.recharge or feature.rests))


def remaining_uses(lookup: Lookup, who: str, name: str) -> int:
    """Return the number of uses left on a track."""
    track = lookup.get(Track, track_id(who, name))
    return track.value if track is not None else maximum_uses(lookup, who, name)


def all_uses(lookup: Lookup, who: str) -> list[Track]:
    """Return a combatant's limited uses as tracks: spell slots by level, then features, then legendary actions."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    names = [f"slots.{level}" for level, count in creature.slots if count]
    names += [f"uses.{feature.id}" for feature in creature.features if feature.uses and not feature.shares]
    shared = dict.fromkeys(f"{USES}{feature.shares}" for feature in creature.features if feature.shares)
    names += [name for name in shared if name not in names and maximum_uses(lookup, who, name)]
    names += [
        f"recharge.{feature.id}"
        for feature in creature.features
        if (feature.recharge or feature.rests) and not (feature.uses or feature.shares)
    ]
    names += [LEGENDARY] if legendary_actions(lookup, who) else []
    return [use_track(lookup, who, name, remaining_uses(lookup, who, name)) for name in names]


def uses_at_head(lookup: Lookup, who: str) -> list[Track]:
    """Return the limited uses to show above a stat block. A listed spell appears only after it was used."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    spells = {f"{USES}{feature.id}" for feature in creature.features if feature.is_spell}
    return [track for track in all_uses(lookup, who) if track.name not in spells or track.value < track.maximum]


def use_track(lookup: Lookup, who: str, name: str, uses: int) -> Track:
    """Return a track with `left` uses. A number above the maximum, set by hand, raises the maximum."""
    return Track(track_id(who, name), who, name, uses, max(maximum_uses(lookup, who, name), uses))


def awaiting_recharge(lookup: Lookup, who: str) -> tuple[Feature, ...]:
    """Return a combatant's spent features that may recharge."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    return tuple(
        feature
        for feature in creature.features
        if feature.recharge and not remaining_uses(lookup, who, f"recharge.{feature.id}")
    )


def affordable_legendary_actions(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[Feature, ...]:
    """Return the legendary actions that a combatant can still pay for and that have uses left."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    if not (creature.legendary or creature.phases) or denial_vetoes(lookup, rules, who, LEGENDARY):
        return ()
    remaining = remaining_uses(lookup, who, LEGENDARY) if legendary_actions(lookup, who) else 0
    affordable = (feature for feature in creature.features if feature.cost == LEGENDARY and feature.price <= remaining)
    with_uses = (item for item in affordable if not use_key(item) or remaining_uses(lookup, who, use_key(item)))
    return tuple(feature for feature in with_uses if is_there(lookup, rules, who, feature))


def can_be_reacted_to(lookup: Lookup, rules: RuleSystem) -> bool:
    """Return whether actions are declared first, so that every combatant is asked for a reaction."""
    settings = rules.data.reactions
    return settings.stack and not (settings.on_call and rules.has_option(lookup, settings.on_call))


def pending_declarations(lookup: Lookup) -> tuple[Declaration, ...]:
    """Return the unresolved declarations, in the order in which they were made."""
    return tuple(lookup.all(Declaration))


def resolution_order(lookup: Lookup) -> tuple[Declaration, ...]:
    """Return the declarations in the order in which they resolve: the newest first, moves last."""
    newest_first = pending_declarations(lookup)[::-1]
    return tuple(sorted(newest_first, key=lambda declaration: declaration.is_movement))


def newest_declaration(lookup: Lookup, who: str) -> Declaration | None:
    """Return a combatant's newest declaration."""
    return next((item for item in reversed(pending_declarations(lookup)) if item.who == who), None)


def reactors(lookup: Lookup, rules: RuleSystem) -> tuple[str, ...]:
    """Return the ids of combatants that can react: they can act, it isn't their turn, and they can pay for it."""
    return tuple(combatant.id for combatant in lookup.all(Combatant) if can_respond(lookup, rules, combatant.id))


def can_respond(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether a combatant can react now. An unknown fact forbids nothing."""
    combatant = lookup.get(Combatant, who)
    if combatant is None or combatant.bystander or cannot_act(lookup, who) or is_on_turn(lookup, who):
        return False
    if lookup.get(Effect, reaction_mark_id(who)) is not None:
        return False
    stand_ins = {resource.off_turn_resource for resource in rules.data.resources if resource.off_turn_resource}
    return any(remaining(lookup, who, name) > 0 and not denial_vetoes(lookup, rules, who, name) for name in stand_ins)
