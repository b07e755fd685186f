"""Attacks that a mover gives others the chance of by leaving their reach: who may, on whom, and with what."""

from __future__ import annotations

import msgspec

from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant, Track
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import Hook, HookContext, run_hooks
from turnwright.rules.parts import positions
from turnwright.rules.parts.attacks.attack_targeting import attack_reach
from turnwright.rules.parts.attacks.weapon_kind import MELEE, attack_kind, is_attack
from turnwright.rules.parts.combatants.facts import condition_names
from turnwright.rules.parts.movement.riding import moving_with
from turnwright.rules.system import RuleSystem, creature_of

UNARMED = "unarmed"


class OpportunityAttack(msgspec.Struct, frozen=True):
    """The one blow that somebody may strike: each of those who move together, with the attacks that reach them."""

    attacker: str
    targets: tuple[tuple[str, tuple[Feature, ...]], ...]


def melee_attacks(lookup: Lookup, who: str) -> tuple[Feature, ...]:
    """Return the attacks in melee of a stat block, bare hands where it names none."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    listed = tuple(
        one
        for one in creature.features
        if is_attack(one) and attack_kind(one) == MELEE and "spell" not in one.properties
    )
    return listed or (unarmed_strike(lookup, who),)


def unarmed_strike(lookup: Lookup, who: str) -> Feature:
    """Return the blow that takes no weapon."""
    reach = creature_of(lookup, lookup.need(Combatant, who)).reach
    return Feature(UNARMED, "", "action", damage="1 bludgeoning", properties=(UNARMED,), reach=reach)


def farthest_reach(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return how many feet the longest of somebody's attacks in melee reaches."""
    return max(attack_reach(lookup, rules, who, means) for means in melee_attacks(lookup, who))


def opportunity_attacks(
    lookup: Lookup, rules: RuleSystem, who: str, after: Lookup | None = None, dragged: str = ""
) -> tuple[OpportunityAttack, ...]:
    """Return the blows that a step gives chances of: to all whose reach it leaves, who can see it and may react.

    `after` is how things stand after the step; None where nobody knows, and then everybody's reach may be left.
    Whoever is dragged along leaves a reach as the one who drags does, unless it takes force.
    """
    if not rules.data.movement.opportunity or avoids_opportunity_attacks(lookup, rules, who):
        return ()
    pulled = (dragged,) if dragged and not rules.data.movement.drag_hold else ()
    together = (*reversed(moving_with(lookup, who)), *pulled)
    found = []
    for foe in lookup.all(Combatant):
        blows = tuple((one, means) for one in together if (means := _means(lookup, rules, foe.id, one, after)))
        if blows and can_react(lookup, rules, foe.id):
            found.append(OpportunityAttack(foe.id, blows))
    return tuple(found)


def avoids_opportunity_attacks(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether something lets somebody, or whatever carries them, leave a reach without a blow."""
    free = set(rules.data.movement.unprovoking)
    return any(free & condition_names(lookup, rules, one) for one in {who, moving_with(lookup, who)[0]})


def can_react(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether somebody is up and has a reaction that nothing forbids."""
    combatant = lookup.get(Combatant, who)
    if combatant is None or combatant.dead or combatant.hp <= 0 or combatant.bystander:
        return False
    for resource in rules.data.resources:
        track = lookup.get(Track, f"{who}.{resource.id}")
        if resource.off_turn and track is not None and track.value > 0:
            return not run_hooks(lookup, rules, Hook.ACTION_DECLARED, HookContext(who, resource.id)).vetoes
    return False


def _means(lookup: Lookup, rules: RuleSystem, foe: str, one: str, after: Lookup | None) -> tuple[Feature, ...]:
    """Return the attacks that reach somebody who leaves a foe's reach before its eyes, none where it is otherwise."""
    victim = lookup.get(Combatant, one)
    if victim is None or victim.dead or not positions.are_hostile(lookup, foe, one):
        return ()
    means = melee_attacks(lookup, foe)
    if after is not None:
        here, there = positions.distance(lookup, rules, foe, one), positions.distance(after, rules, foe, one)
        if here is None or there is None or there <= farthest_reach(lookup, rules, foe):
            return ()
        means = tuple(each for each in means if here <= attack_reach(lookup, rules, foe, each))
    seen = means and positions.sees(lookup, rules, foe, one) is not False
    return means if seen and not positions.is_unnoticed(lookup, one, foe) else ()
