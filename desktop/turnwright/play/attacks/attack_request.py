"""From an attack command to an `AttackInProgress`: target, weapon, and whether the attack is allowed."""

from __future__ import annotations

import msgspec

from turnwright.dice.errors import DiceError
from turnwright.dice.manual_rolls import typed_bonus
from turnwright.dice.roll import ExtraDice, Modifier
from turnwright.encounter.prepared import Feature, OtherDamage, Point
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.attacks.attack_cost import cost_vetoes
from turnwright.play.kernel.refusals import Refused
from turnwright.rules.hooks import HookContext, Veto
from turnwright.rules.parts import positions
from turnwright.rules.parts.actions.action_options import switched_off_vetoes
from turnwright.rules.parts.attacks.attack_rolls import attack_tags
from turnwright.rules.parts.attacks.attack_targeting import (
    obstacle_on,
    occupies_square,
    targeted_object,
    targeting_vetoes,
)
from turnwright.rules.parts.attacks.weapon_kind import MELEE, attack_kind, is_attack, is_stowed
from turnwright.rules.parts.conditions.predicates import is_there, is_true_of
from turnwright.rules.parts.movement.opportunity_attacks import melee_attacks, unarmed_strike
from turnwright.rules.system import RuleSystem, creature_of

USUAL_DAMAGE = "usual"  # chosen in place of other damage whose statement holds
GUESSED_RIGHT, GUESSED_WRONG = "guess:right", "guess:wrong"


def attack_features(lookup: Lookup, who: str) -> tuple[Feature, ...]:
    """Return the attacks of a combatant's stat block."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    return tuple(feature for feature in creature.features if is_attack(feature))


def _stowed(rules: RuleSystem, means: Feature) -> tuple[Veto, ...]:
    if not is_stowed(rules.data, means):
        return ()
    params = (("what", means.name), ("property", rules.data.attack.stowed))
    return (Veto("refused.stowed", rules.rule_id("attack.stowed"), params),)


def weapon_for(
    lookup: Lookup, rules: RuleSystem, who: str, weapon_id: str = "", given: Feature | None = None, purpose: str = ""
) -> Feature:
    """Return the weapon of an attack; where none is named, the first that suits the purpose, or bare hands. Refused."""
    if given is not None:
        return given
    creature = creature_of(lookup, lookup.need(Combatant, who))
    if weapon_id:
        bare: tuple[Feature, ...] = (unarmed_strike(lookup, who),) if rules.data.attack.bare_hands else ()
        known = (*creature.features, *melee_attacks(lookup, rules, who), *bare)
        found = next((feature for feature in known if feature.id == weapon_id), None)
        if found is None:
            raise Refused("refused.unknown", params={"what": weapon_id})
        return found
    listed = (one for one in attack_features(lookup, who) if is_there(lookup, rules, who, one))
    in_hand = (one for one in listed if not is_stowed(rules.data, one))
    usual = (one for one in in_hand if purpose != "opportunity" or attack_kind(one) == MELEE)
    return next(usual, melee_attacks(lookup, rules, who)[0])


def attack_on(
    lookup: Lookup,
    rules: RuleSystem,
    who: str,
    target: str,
    weapon: Feature,
    *,
    purpose: str = "",
    at: Point | None = None,
    thrown: bool = False,
    facts: tuple[str, ...] = (),
    modifiers: tuple[Modifier, ...] = (),
    bonus: str = "",
    other_damage: str = "",
) -> AttackInProgress:
    """Return the attack as far as it is settled before the roll. Refused where there is no such target or damage.

    Aimed at a square, it meets whoever stands there. On somebody hidden, `at` is a guess, right or wrong; without one
    the guess is still to be asked.
    """
    tags = ("thrown",) if thrown else ()
    if not target and at is not None:
        thing = obstacle_on(lookup, at)
        target = _whoever_stands_on(lookup, rules, at) or (thing.id if thing else "")
    thing_there = lookup.get(Combatant, target) is None and bool(target)
    if thing_there and targeted_object(lookup, target) is None:
        raise Refused("refused.unknown", params={"what": target})
    if not target and at is None:
        raise Refused("refused.no_target")
    if at is not None and not thing_there and (not target or must_guess_square(lookup, rules, who, target)):
        facts = (*facts, GUESSED_RIGHT if target and occupies_square(lookup, rules, target, at) else GUESSED_WRONG)
    entered = _entered_bonus(bonus) if bonus else ()
    attack = AttackInProgress(
        who,
        weapon,
        target,
        is_object=thing_there,
        square=at,
        purpose=purpose,
        tags=tags,
        facts=facts,
        modifiers=(*modifiers, *(one for one in entered if isinstance(one, Modifier))),
        extra=tuple(one for one in entered if isinstance(one, ExtraDice)),
    )
    found = _other_damage(lookup, rules, attack, other_damage)
    if found is None:
        return attack
    return msgspec.structs.replace(attack, weapon=msgspec.structs.replace(weapon, damage=found.damage))


def _other_damage(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress, name: str) -> OtherDamage | None:
    """Return the other damage that is named, else the first whose statement holds; None for the usual damage. Refused."""
    listed = attack.weapon.other_damage
    if name and name != USUAL_DAMAGE:
        found = next((one for one in listed if one.name.lower() == name.lower()), None)
        if found is None:
            raise Refused("refused.unknown", params={"what": name})
        return found
    if name or not any(one.when for one in listed):
        return None
    target = "" if attack.is_object else attack.target
    context = HookContext(attack.attacker, "damage", other=target, tags=attack_tags(lookup, rules, attack))
    return next(
        (one for one in listed if one.when and is_true_of(lookup, rules, attack.attacker, one.when, context)), None
    )


def _entered_bonus(bonus: str) -> tuple[Modifier | ExtraDice]:
    try:
        return (typed_bonus(bonus),)
    except DiceError as error:
        raise Refused("refused.dice_expression", params={"what": bonus, "why": str(error)}) from error


def must_guess_square(lookup: Lookup, rules: RuleSystem, who: str, target: str) -> bool:
    """Return whether an attacker has to guess where the target is: neither seen nor detected."""
    return positions.is_unnoticed(lookup, rules, target, who)


def _whoever_stands_on(lookup: Lookup, rules: RuleSystem, at: Point) -> str:
    return next((one.id for one in lookup.all(Combatant) if occupies_square(lookup, rules, one.id, at)), "")


def target_name(lookup: Lookup, attack: AttackInProgress) -> str:
    """Return the name of an attack's target: empty for a square with no known creature in it."""
    combatant = lookup.get(Combatant, attack.target)
    if combatant is not None:
        return combatant.label
    thing = targeted_object(lookup, attack.target) if attack.is_object else None
    return (thing.name or attack.target) if thing is not None else ""


def attack_vetoes(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[Veto, ...]:
    """Return every reason against an attack: its cost and its target."""
    switched_off = switched_off_vetoes(lookup, rules, attack.attacker, rules.data.attack.action)
    away = _stowed(rules, attack.weapon)
    return (*switched_off, *away, *cost_vetoes(lookup, rules, attack), *target_vetoes(lookup, rules, attack))


def target_vetoes(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[Veto, ...]:
    """Return every reason against an attack's target."""
    target = lookup.get(Combatant, attack.target) if attack.target and not attack.is_object else None
    dead = (Veto("refused.target_dead", "", (("who", target.label),)),) if target is not None and target.dead else ()
    return (*dead, *targeting_vetoes(lookup, rules, attack))
