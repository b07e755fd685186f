"""Opportunity attacks: which combatants a move provokes, their targets and their weapons."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from turnwright.encounter.lookups import track_value
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import Hook, HookContext, run_hooks
from turnwright.rules.parts import positions
from turnwright.rules.parts.attacks.attack_targeting import attack_reach
from turnwright.rules.parts.attacks.weapon_kind import MELEE, attack_kind, is_attack
from turnwright.rules.parts.combatants.facts import condition_names
from turnwright.rules.parts.combatants.speeds import WALK
from turnwright.rules.parts.conditions.condition_rules import data_rules
from turnwright.rules.parts.conditions.predicates import is_there
from turnwright.rules.parts.movement.allowance import effective_mode
from turnwright.rules.parts.movement.riding import moving_with
from turnwright.rules.system import RuleSystem, creature_of

UNARMED = "unarmed"


class OpportunityAttack(msgspec.Struct, frozen=True):
    """An opportunity attack on offer: the attacker, and each possible target with the attacks that reach it."""

    attacker: str
    targets: tuple[tuple[str, tuple[Feature, ...]], ...]


def melee_attacks(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[Feature, ...]:
    """Return the melee attacks that a combatant has now, an unarmed strike where there are none."""
    listed = tuple(one for one in _listed_melee_attacks(lookup, who) if is_there(lookup, rules, who, one))
    return listed or (unarmed_strike(lookup, who),)


def _listed_melee_attacks(lookup: Lookup, who: str) -> Iterator[Feature]:
    for one in creature_of(lookup, lookup.need(Combatant, who)).features:
        if is_attack(one) and attack_kind(one) == MELEE and "spell" not in one.properties:
            yield one


def unarmed_strike(lookup: Lookup, who: str) -> Feature:
    """Return a combatant's unarmed strike."""
    reach = creature_of(lookup, lookup.need(Combatant, who)).reach
    return Feature(UNARMED, "", "action", damage="1 bludgeoning", properties=(UNARMED,), reach=reach)


def farthest_reach(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the feet that the longest of a combatant's melee attacks reaches.

    Those that it doesn't have now count too: whether it has one may hang on its reach.
    """
    listed = tuple(_listed_melee_attacks(lookup, who)) or (unarmed_strike(lookup, who),)
    return max(attack_reach(lookup, rules, who, means) for means in listed)


def opportunity_attacks(
    lookup: Lookup, rules: RuleSystem, who: str, after: Lookup | None = None, dragged: str = "", mode: str = WALK
) -> tuple[OpportunityAttack, ...]:
    """Return the opportunity attacks that a step provokes from combatants who see the mover and may react.

    `after` holds the positions after the step; None where they are unknown, and then any reach may be left.
    A dragged combatant leaves a reach as its dragger does, unless dragging takes a grapple.
    """
    if not rules.data.movement.opportunity or avoids_opportunity_attacks(lookup, rules, who, mode):
        return ()
    pulled = (dragged,) if dragged and not rules.data.movement.drag_hold else ()
    together = (*reversed(moving_with(lookup, who)), *pulled)
    found = []
    feet = positions.longest_reach(lookup, rules)
    near = {one.id for body in together for one in positions.possibly_within(lookup, rules, body, feet)}
    for foe in lookup.all(Combatant):
        if after is not None and foe.id not in near:
            continue
        blows = tuple((one, means) for one in together if (means := _attacks_on(lookup, rules, foe.id, one, after)))
        if blows and can_react(lookup, rules, foe.id):
            found.append(OpportunityAttack(foe.id, blows))
    return tuple(found)


def avoids_opportunity_attacks(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> bool:
    """Return whether a combatant or its mount leaves a reach by a mode without provoking."""
    free, body = set(rules.data.movement.unprovoking), moving_with(lookup, who)[0]
    if any(free & condition_names(lookup, rules, one) for one in {who, body}):
        return True
    way = effective_mode(lookup, rules, who, mode)
    return any(True for _ in data_rules(lookup, rules, body, (way, "move"), kind="unprovoking"))


def can_react(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether a combatant is up and has a reaction that nothing forbids."""
    combatant = lookup.get(Combatant, who)
    if combatant is None or combatant.dead or combatant.hp <= 0 or combatant.bystander:
        return False
    for resource in rules.data.resources:
        if resource.off_turn and track_value(lookup, who, resource.id) > 0:
            return not run_hooks(lookup, rules, Hook.ACTION_DECLARED, HookContext(who, resource.id)).vetoes
    return False


def _attacks_on(lookup: Lookup, rules: RuleSystem, foe: str, one: str, after: Lookup | None) -> tuple[Feature, ...]:
    """Return the attacks that reach a combatant leaving a foe's reach in its sight, none where it doesn't."""
    victim = lookup.get(Combatant, one)
    if victim is None or victim.dead or not positions.are_hostile(lookup, foe, one):
        return ()
    here = None
    if after is not None:
        here, there = positions.distance(lookup, rules, foe, one), positions.distance(after, rules, foe, one)
        if here is None or there is None or there <= farthest_reach(lookup, rules, foe):
            return ()
    means = melee_attacks(lookup, rules, foe)
    if here is not None:
        means = tuple(each for each in means if here <= attack_reach(lookup, rules, foe, each))
    seen = means and positions.sees(lookup, rules, foe, one) is not False
    return means if seen and not positions.is_unnoticed(lookup, rules, one, foe) else ()
