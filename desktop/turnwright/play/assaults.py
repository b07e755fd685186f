"""From what somebody wants to attack to an `Assault`: who or what is aimed at, with what, and whether it may be."""

from __future__ import annotations

from turnwright.dice.roll import Modifier
from turnwright.encounter.pending import Assault
from turnwright.encounter.prepared import Feature, Point
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.procedures.attack_costs import cost_vetoes
from turnwright.play.refusals import Refused
from turnwright.rules.hooks import Veto
from turnwright.rules.parts import positions
from turnwright.rules.parts.actions import barred
from turnwright.rules.parts.aim import obstacle_on, stands_on, thing_of
from turnwright.rules.parts.means import MELEE, is_attack, kind_of
from turnwright.rules.parts.opportunity import bare_hands, melee_means
from turnwright.rules.system import RuleSystem, creature_of

RIGHT, WRONG = "guess:right", "guess:wrong"


def attacks_in(lookup: Lookup, who: str) -> tuple[Feature, ...]:
    """Return the features of somebody's stat block that are attacks."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    return tuple(feature for feature in creature.features if is_attack(feature))


def is_stowed(rules: RuleSystem, means: Feature) -> bool:
    """Return whether something to attack with is put away, in a game that strikes only with what is in hand."""
    return bool(rules.catalogue.attack.stowed) and rules.catalogue.attack.stowed in means.properties


def _stowed(rules: RuleSystem, means: Feature) -> tuple[Veto, ...]:
    if not is_stowed(rules, means):
        return ()
    params = (("what", means.name), ("property", rules.catalogue.attack.stowed))
    return (Veto("refused.stowed", rules.cite("attack.stowed"), params),)


def means_of(
    lookup: Lookup, rules: RuleSystem, who: str, means: str = "", given: Feature | None = None, purpose: str = ""
) -> Feature:
    """Return what is attacked with; where nobody says, the first attack that suits the purpose, or bare hands. Refused."""
    if given is not None:
        return given
    creature = creature_of(lookup, lookup.need(Combatant, who))
    if means:
        bare: tuple[Feature, ...] = (bare_hands(lookup, who),) if rules.catalogue.attack.bare_hands else ()
        known = (*creature.features, *melee_means(lookup, who), *bare)
        found = next((feature for feature in known if feature.id == means), None)
        if found is None:
            raise Refused("refused.unknown", params={"what": means})
        return found
    in_hand = (one for one in attacks_in(lookup, who) if not is_stowed(rules, one))
    usual = (one for one in in_hand if purpose != "opportunity" or kind_of(one) == MELEE)
    return next(usual, melee_means(lookup, who)[0])


def assault_on(
    lookup: Lookup,
    rules: RuleSystem,
    who: str,
    target: str,
    means: Feature,
    *,
    purpose: str = "",
    at: Point | None = None,
    thrown: bool = False,
    facts: tuple[str, ...] = (),
    modifiers: tuple[Modifier, ...] = (),
) -> Assault:
    """Return the attack as far as it is settled before the roll. Refused where there is no such target.

    Aimed at a square, it meets whoever stands there. On somebody hidden, `at` is a guess, right or wrong; without one
    the guess is still to be asked.
    """
    tags = ("thrown",) if thrown else ()
    if not target and at is not None:
        thing = obstacle_on(lookup, at)
        target = _whoever_stands_on(lookup, rules, at) or (thing.id if thing else "")
    thing_there = lookup.get(Combatant, target) is None and bool(target)
    if thing_there and thing_of(lookup, target) is None:
        raise Refused("refused.unknown", params={"what": target})
    if not target and at is None:
        raise Refused("refused.no_target")
    if at is not None and not thing_there and (not target or must_guess(lookup, who, target)):
        facts = (*facts, RIGHT if target and stands_on(lookup, rules, target, at) else WRONG)
    return Assault(
        who, means, target, thing=thing_there, at=at, purpose=purpose, tags=tags, facts=facts, modifiers=modifiers
    )


def must_guess(lookup: Lookup, who: str, target: str) -> bool:
    """Return whether an attacker has to guess where the target is: neither seen nor detected."""
    return positions.is_unnoticed(lookup, target, who)


def _whoever_stands_on(lookup: Lookup, rules: RuleSystem, at: Point) -> str:
    return next((one.id for one in lookup.all(Combatant) if stands_on(lookup, rules, one.id, at)), "")


def name_of(lookup: Lookup, assault: Assault) -> str:
    """Return what is attacked, as a name: empty for a square with nobody known in it."""
    combatant = lookup.get(Combatant, assault.target)
    if combatant is not None:
        return combatant.label
    thing = thing_of(lookup, assault.target) if assault.thing else None
    return (thing.name or assault.target) if thing is not None else ""


def legality(lookup: Lookup, rules: RuleSystem, assault: Assault) -> tuple[Veto, ...]:
    """Return everything that forbids an attack: what it costs, and where it is aimed."""
    switched_off = barred(lookup, rules, assault.attacker, rules.catalogue.attack.action)
    away = _stowed(rules, assault.means)
    return (*switched_off, *away, *cost_vetoes(lookup, rules, assault), *rules.attack.vetoes(lookup, rules, assault))
