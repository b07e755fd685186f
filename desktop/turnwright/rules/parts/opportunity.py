"""Attacks that a mover gives others the chance of by leaving their reach: who may, on whom, and with what."""

from __future__ import annotations

import msgspec

from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import Hook, Moment, contributions
from turnwright.rules.parts import positions
from turnwright.rules.parts.aim import reach_of
from turnwright.rules.parts.attacks import MELEE, is_attack, kind_of
from turnwright.rules.parts.riding import carried_by
from turnwright.rules.parts.statements import condition_names
from turnwright.rules.system import RuleSystem, creature_of

UNARMED = "unarmed"


class Opening(msgspec.Struct, frozen=True):
    """A blow that somebody may strike: at whom of those who move together, and with which attacks."""

    by: str
    targets: tuple[str, ...]
    means: tuple[Feature, ...]


def melee_means(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[Feature, ...]:
    """Return the attacks in melee of a stat block, bare hands where it names none."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    listed = tuple(
        one for one in creature.features if is_attack(one) and kind_of(one) == MELEE and "spell" not in one.properties
    )
    bare = Feature(UNARMED, "", "action", damage="1 bludgeoning", properties=(UNARMED,), reach=creature.reach)
    return listed or (bare,)


def farthest_reach(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return how many feet the longest of somebody's attacks in melee reaches."""
    return max(reach_of(lookup, rules, who, means) for means in melee_means(lookup, rules, who))


def openings(lookup: Lookup, rules: RuleSystem, who: str, after: Lookup | None = None) -> tuple[Opening, ...]:
    """Return the blows that a step gives chances of: to all whose reach it leaves, who can see it and may react.

    `after` is how things stand after the step; None where nobody knows, and then everybody's reach may be left.
    """
    if moves_freely(lookup, rules, who):
        return ()
    together = carried_by(lookup, who)
    found = []
    for foe in lookup.all(Combatant):
        if foe.id in together or foe.dead:
            continue
        targets = tuple(one for one in reversed(together) if _may_strike(lookup, rules, foe.id, one, after))
        if not targets or not may_react(lookup, rules, foe.id):
            continue
        means = _within_reach(lookup, rules, foe.id, who) if after is not None else melee_means(lookup, rules, foe.id)
        if means:
            found.append(Opening(foe.id, targets, means))
    return tuple(found)


def moves_freely(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether something lets somebody, or whatever carries them, leave a reach without a blow."""
    free = set(rules.catalogue.movement.unprovoking)
    return any(free & condition_names(lookup, rules, one) for one in {who, carried_by(lookup, who)[0]})


def may_react(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether somebody is up and has a reaction that nothing forbids."""
    from turnwright.encounter.running import Track

    combatant = lookup.get(Combatant, who)
    if combatant is None or combatant.dead or combatant.hp <= 0 or combatant.bystander:
        return False
    for resource in rules.catalogue.resources:
        track = lookup.get(Track, f"{who}.{resource.id}")
        if resource.off_turn and track is not None and track.value > 0:
            return not contributions(lookup, rules, Hook.ACTION_DECLARED, Moment(who, resource.id)).vetoes
    return False


def _may_strike(lookup: Lookup, rules: RuleSystem, foe: str, one: str, after: Lookup | None) -> bool:
    """Return whether somebody leaves a foe's reach before its eyes."""
    victim = lookup.get(Combatant, one)
    if victim is None or victim.dead or not positions.hostile(lookup, foe, one):
        return False
    if after is not None:
        reach = farthest_reach(lookup, rules, foe)
        here = positions.distance(lookup, rules, foe, one)
        if here is None or here > reach:
            return False
        there = positions.distance(after, rules, foe, one)
        if there is None or there <= reach:
            return False
    return positions.sees(lookup, rules, foe, one) is not False and not positions.is_unnoticed(lookup, one, foe)


def _within_reach(lookup: Lookup, rules: RuleSystem, foe: str, one: str) -> tuple[Feature, ...]:
    feet = positions.distance(lookup, rules, foe, one)
    return tuple(
        means
        for means in melee_means(lookup, rules, foe)
        if feet is None or feet <= reach_of(lookup, rules, foe, means)
    )
