"""Opportunity attacks: which combatants a move provokes, their targets and their weapons."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup, track_value
from turnwright.rules.parts import positions
from turnwright.rules.parts.attacks.attack_targeting import MELEE, attack_kind, attack_reach, is_attack
from turnwright.rules.parts.combatants.facts import WALK, condition_names
from turnwright.rules.parts.conditions.condition_rules import data_rules
from turnwright.rules.parts.conditions.predicates import is_there
from turnwright.rules.parts.movement.move_legs import effective_mode, moving_with
from turnwright.rules.system import Hook, HookContext, RuleSystem, creature_of, run_hooks

UNARMED = "unarmed"


class OpportunityAttack(msgspec.Struct, frozen=True):
    """An available opportunity attack: the attacker, and each possible target with the attacks that reach it."""

    attacker: str
    targets: tuple[tuple[str, tuple[Feature, ...]], ...]


def melee_attacks(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[Feature, ...]:
    """Return a combatant's current melee attacks, or an unarmed strike if it has none."""
    attacks = tuple(attack for attack in _listed_melee_attacks(lookup, who) if is_there(lookup, rules, who, attack))
    return attacks or (unarmed_strike(lookup, who),)


def _listed_melee_attacks(lookup: Lookup, who: str) -> Iterator[Feature]:
    for feature in creature_of(lookup, lookup.need(Combatant, who)).features:
        if is_attack(feature) and attack_kind(feature) == MELEE and "spell" not in feature.properties:
            yield feature


def unarmed_strike(lookup: Lookup, who: str) -> Feature:
    """Return a combatant's unarmed strike."""
    reach = creature_of(lookup, lookup.need(Combatant, who)).reach
    return Feature(UNARMED, "", "action", damage="1 bludgeoning", properties=(UNARMED,), reach=reach)


def farthest_reach(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the reach in feet of a combatant's longest melee attack.

    Attacks that are currently unavailable count as well, because their availability may depend on the reach.
    """
    attacks = tuple(_listed_melee_attacks(lookup, who)) or (unarmed_strike(lookup, who),)
    return max(attack_reach(lookup, rules, who, means) for means in attacks)


def opportunity_attacks(
    lookup: Lookup, rules: RuleSystem, who: str, after: Lookup | None = None, dragged: str = "", mode: str = WALK
) -> tuple[OpportunityAttack, ...]:
    """Return the opportunity attacks that a step provokes from combatants that see the mover and can react.

    `after` holds the positions after the step. If it is None, they are unknown, and the step may leave any reach.
    A dragged combatant leaves a reach like its dragger does, unless dragging requires a grapple.
    """
    if not rules.data.movement.opportunity or avoids_opportunity_attacks(lookup, rules, who, mode):
        return ()
    pulled = (dragged,) if dragged and not rules.data.movement.drag_hold else ()
    together = (*reversed(moving_with(lookup, who)), *pulled)
    offers = []
    feet = positions.longest_reach(lookup, rules)
    near = {combatant.id for body in together for combatant in positions.possibly_within(lookup, rules, body, feet)}
    for foe in lookup.all(Combatant):
        if after is not None and foe.id not in near:
            continue
        blows = tuple((id, means) for id in together if (means := _attacks_on(lookup, rules, foe.id, id, after)))
        if blows and can_react(lookup, rules, foe.id):
            offers.append(OpportunityAttack(foe.id, blows))
    return tuple(offers)


def avoids_opportunity_attacks(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> bool:
    """Return whether a combatant or its mount can leave a reach by this mode without provoking."""
    free, body = set(rules.data.movement.unprovoking), moving_with(lookup, who)[0]
    if any(free & condition_names(lookup, rules, id) for id in {who, body}):
        return True
    way = effective_mode(lookup, rules, who, mode)
    return any(True for _ in data_rules(lookup, rules, body, (way, "move"), kind="unprovoking"))


def can_react(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether a combatant is up and has a reaction that it can use."""
    combatant = lookup.get(Combatant, who)
    if combatant is None or combatant.dead or combatant.hp <= 0 or combatant.bystander:
        return False
    for resource in rules.data.resources:
        if resource.off_turn and track_value(lookup, who, resource.id) > 0:
            return not run_hooks(lookup, rules, Hook.ACTION_DECLARED, HookContext(who, resource.id)).vetoes
    return False


def _attacks_on(lookup: Lookup, rules: RuleSystem, foe: str, mover: str, after: Lookup | None) -> tuple[Feature, ...]:
    """Return an enemy's attacks against a combatant that it sees leaving its reach.

    Empty if the combatant doesn't leave it.
    """
    victim = lookup.get(Combatant, mover)
    if victim is None or victim.dead or not positions.are_hostile(lookup, foe, mover):
        return ()
    here = None
    if after is not None:
        here, there = positions.distance(lookup, rules, foe, mover), positions.distance(after, rules, foe, mover)
        if here is None or there is None or there <= farthest_reach(lookup, rules, foe):
            return ()
    means = melee_attacks(lookup, rules, foe)
    if here is not None:
        means = tuple(attack for attack in means if here <= attack_reach(lookup, rules, foe, attack))
    seen = means and positions.sees(lookup, rules, foe, mover) is not False
    return means if seen and not positions.is_unnoticed(lookup, rules, mover, foe) else ()
