"""Queries about attacks for views: the available attacks, and an attack's roll before it is made. Read-only."""

from __future__ import annotations

import msgspec

from turnwright.dice.distributions import Distribution, convolve, of_expression
from turnwright.dice.expression import parse
from turnwright.dice.roll import DeclinableModifier, Roll, RollSpec
from turnwright.encounter.lookups import find_effect
from turnwright.encounter.prepared import Feature
from turnwright.encounter.procedure_state.attacks import CRITICAL, HIT, AttackInProgress
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Change, Encounter, Lookup
from turnwright.play.attacks.attack_request import (
    OFF_HAND,
    USUAL_CHOICES,
    AttackChoices,
    attack_features,
    attack_on,
    attack_vetoes,
    cost_vetoes,
    must_guess_square,
    target_name,
    weapon_for,
)
from turnwright.play.kernel.events import Phrase, phrase
from turnwright.rules.explained_number import ExplainedNumber
from turnwright.rules.hooks import Veto
from turnwright.rules.parts.actions.action_options import feature_of
from turnwright.rules.parts.attacks.attack_rolls import attack_roll, attack_tags, damage_roll, outcome_of, unknown_facts
from turnwright.rules.parts.attacks.attack_targeting import target_armor_class
from turnwright.rules.parts.attacks.weapon_kind import MELEE, RANGED, attack_kind, is_stowed
from turnwright.rules.parts.movement.opportunity_attacks import melee_attacks, unarmed_strike
from turnwright.rules.parts.movement.riding import is_controlled_mount
from turnwright.rules.system import RuleSystem

D20 = "1d20"


class UnknownFact(msgspec.Struct, frozen=True):
    """An unknown fact that would change an attack's roll, and the label of the question about it."""

    fact: str
    label: Phrase


class AttackOffer(msgspec.Struct, frozen=True):
    """An attack from a stat block, made in melee or at range (`thrown`). `vetoes` are the reasons against it now."""

    weapon: Feature
    kind: str
    thrown: bool = False
    purpose: str = ""
    vetoes: tuple[Veto, ...] = ()


class AttackPreview(msgspec.Struct, frozen=True):
    """An attack before it is made: its roll, and the AC against it (None: to be asked for), with reasons.

    `damage` is None for an attack that deals none. `open_questions` are questions that a rule leaves to the user.
    `suggested` are modifiers in the roll that the system's sources mention but don't make a rule.
    `must_guess_square`: the attacker has to guess the target's square.
    """

    attack: AttackInProgress
    kind: str
    name: str
    roll: RollSpec
    defence: ExplainedNumber | None
    damage: RollSpec | None
    vetoes: tuple[Veto, ...] = ()
    unknown_facts: tuple[UnknownFact, ...] = ()
    open_questions: tuple[str, ...] = ()
    suggested: tuple[DeclinableModifier, ...] = ()
    must_guess_square: bool = False


def preview_attack(
    lookup: Lookup,
    rules: RuleSystem,
    who: str,
    target: str,
    weapon: str | Feature = "",
    choices: AttackChoices = USUAL_CHOICES,
) -> AttackPreview:
    """Return the preview of an attack. Raise Refused if the target or weapon doesn't exist."""
    weapon_id, given = (weapon, None) if isinstance(weapon, str) else ("", weapon)
    using = weapon_for(lookup, rules, who, weapon_id, given, choices.purpose)
    attack = attack_on(lookup, rules, who, target, using, choices)
    rolling = attack_roll(lookup, rules, attack)
    is_creature = lookup.get(Combatant, attack.target) is not None
    return AttackPreview(
        attack,
        RANGED if RANGED in attack_tags(lookup, rules, attack) else MELEE,
        target_name(lookup, attack),
        rolling.spec,
        target_armor_class(lookup, rules, attack),
        damage_roll(lookup, rules, attack),
        attack_vetoes(lookup, rules, attack),
        tuple(UnknownFact(fact, fact_phrase(lookup, attack, fact)) for fact in unknown_facts(lookup, rules, attack)),
        tuple(question.reason for question in rolling.questions),
        rolling.suggested,
        must_guess_square=is_creature and choices.at is None and must_guess_square(lookup, rules, who, attack.target),
    )


def fact_phrase(lookup: Lookup, attack: AttackInProgress, fact: str) -> Phrase:
    """Return a phrase for a fact of an attack. For a feature that the user may apply, the phrase names the feature."""
    word, _, argument = fact.partition(":")
    if word.endswith("chosen"):
        owner = attack.target if word.startswith("target.") else attack.attacker
        feature = feature_of(lookup, owner, argument)
        return phrase("fact.chosen", n=feature.name if feature is not None else argument)
    return phrase(f"fact.{word.replace('.', '-')}", n=argument)


def bonuses_in_turn(encounter: Encounter, rules: RuleSystem, who: str, weapon: Feature) -> tuple[int, ...]:
    """Return the bonuses to hit of a combatant's successive attacks in a turn, until the bonus stops falling."""
    name = rules.data.attack.tally
    attack = AttackInProgress(who, weapon)
    tally = find_effect(encounter, who, name) if name else None
    supposed = encounter
    if tally is not None:
        supposed = encounter.with_changes((Change((Effect.table, tally.id), tally, None),))
    bonuses: list[int] = []
    while True:
        bonus = sum(modifier.value for modifier in attack_roll(supposed, rules, attack).spec.modifiers)
        if bonuses and bonus >= bonuses[-1]:
            return tuple(bonuses)
        bonuses.append(bonus)
        if not name:
            return tuple(bonuses)
        counted = Effect(name, who, name, value=len(bonuses))
        supposed = supposed.with_changes((Change((Effect.table, name), supposed.get(Effect, name), counted),))


class HitOdds(msgspec.Struct, frozen=True):
    """The chance that an attack hits, and the lowest face of its die that hits (None if no face hits)."""

    chance: float
    least: int | None


def hit_odds(rules: RuleSystem, spec: RollSpec, armor_class: int) -> HitOdds | None:
    """Return the odds of an attack roll against an AC, or None if it isn't one d20 or the system has no AC."""
    if spec.dice != D20 or spec.counted or rules.data.attack.said:
        return None
    further = Distribution(0, (1.0,))
    for extra_dice in spec.extra:
        further = convolve(further, of_expression(parse(extra_dice.dice)))
    bonus = sum(modifier.value for modifier in spec.modifiers)
    kinds = {edge.kind for edge in spec.edges}
    edge = kinds.pop() if len(kinds) == 1 else ""
    chance, least = 0.0, None
    for face in range(1, 21):
        face_chance = {"": 1 / 20, "advantage": (2 * face - 1) / 400, "disadvantage": (41 - 2 * face) / 400}[edge]
        for more, chance_of_more in enumerate(further.chances, further.low):
            if outcome_of(rules, Roll(total=face + bonus + more, natural=face), armor_class, False) in (HIT, CRITICAL):
                chance += face_chance * chance_of_more
                least = face if least is None and not spec.extra else least
    return HitOdds(chance, least)


def available_attacks(lookup: Lookup, rules: RuleSystem, who: str, target: str = "") -> list[AttackOffer]:
    """Return all melee and thrown attacks of a combatant, each with the vetoes against it (at `target`, if given).

    Off-hand attacks come last.
    """
    in_hand = tuple(feature for feature in attack_features(lookup, who) if not is_stowed(rules.data, feature))
    listed = in_hand or melee_attacks(lookup, rules, who)
    bare = unarmed_strike(lookup, who)
    is_listed = bare.id in [attack.id for attack in listed]
    if rules.data.attack.bare_hands and not is_listed and not is_controlled_mount(lookup, rules, who):
        listed = (*listed, bare)
    offers = []
    for means in listed:
        offers.append(_offer(lookup, rules, who, means, target))
        if means.reach and means.range:
            offers.append(_offer(lookup, rules, who, means, target, thrown=True))
    for means in listed:
        if rules.data.attack.off_hand and "dual-wielding" in means.properties:
            offers.append(_offer(lookup, rules, who, means, target, purpose=OFF_HAND))
            if "thrown" in means.properties and means.range:
                offers.append(_offer(lookup, rules, who, means, target, thrown=True, purpose=OFF_HAND))
    return offers


def _offer(
    lookup: Lookup,
    rules: RuleSystem,
    who: str,
    means: Feature,
    target: str,
    *,
    thrown: bool = False,
    purpose: str = "",
) -> AttackOffer:
    if target:
        attack = attack_on(lookup, rules, who, target, means, AttackChoices(purpose, thrown=thrown))
        vetoes = attack_vetoes(lookup, rules, attack)
    else:
        tags = ("thrown",) if thrown else ()
        vetoes = cost_vetoes(lookup, rules, AttackInProgress(who, means, purpose=purpose, tags=tags))
    return AttackOffer(means, attack_kind(means, thrown=thrown), thrown, purpose, vetoes)
