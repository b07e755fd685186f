"""Questions a window asks about attacks: which there are, and what one would be like before anybody rolls. Read-only."""

from __future__ import annotations

import msgspec

from turnwright.dice.roll import Modifier, Offered, RollSpec
from turnwright.encounter.pending import Assault
from turnwright.encounter.prepared import Feature, Point
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.play.assaults import assault_on, attacks_in, is_stowed, legality, means_of, must_guess, name_of
from turnwright.play.events import Phrase, phrase
from turnwright.play.procedures.attack_costs import OFF_HAND, attacks_left, cost_vetoes
from turnwright.rules.figures import Figure
from turnwright.rules.hooks import Veto
from turnwright.rules.parts.attacks import tags_of
from turnwright.rules.parts.means import MELEE, RANGED, kind_of
from turnwright.rules.parts.opportunity import bare_hands, melee_means
from turnwright.rules.parts.riding import is_led
from turnwright.rules.system import RuleSystem


class UnknownFact(msgspec.Struct, frozen=True):
    """Something that nobody knows of an attack and that would change its roll: the fact to add, and how it is asked."""

    fact: str
    label: Phrase


class AttackOffer(msgspec.Struct, frozen=True):
    """An attack of a stat block, of one kind; `thrown` where it flies. `vetoes` say why it can't be made now."""

    means: Feature
    kind: str
    thrown: bool = False
    purpose: str = ""
    vetoes: tuple[Veto, ...] = ()


class AttackPreview(msgspec.Struct, frozen=True):
    """An attack that has not been made: its roll and the AC against it (None: to be asked), each with reasons.

    `damage` is None for an attack that deals none. `asked` are questions that some rule leaves to a person, `suggested`
    what stands in the roll though the system's sources only name it; `guess`: where the target is has to be guessed.
    """

    assault: Assault
    kind: str
    name: str
    roll: RollSpec
    defence: Figure | None
    damage: RollSpec | None
    vetoes: tuple[Veto, ...] = ()
    unknown: tuple[UnknownFact, ...] = ()
    asked: tuple[str, ...] = ()
    suggested: tuple[Offered, ...] = ()
    guess: bool = False


def attack_preview(
    lookup: Lookup,
    rules: RuleSystem,
    who: str,
    target: str,
    means: str | Feature = "",
    *,
    thrown: bool = False,
    facts: tuple[str, ...] = (),
    purpose: str = "",
    at: Point | None = None,
    modifiers: tuple[Modifier, ...] = (),
) -> AttackPreview:
    """Return what an attack would be like. Refused where there is no such target or means."""
    named, given = (means, None) if isinstance(means, str) else ("", means)
    using = means_of(lookup, rules, who, named, given, purpose)
    assault = assault_on(
        lookup, rules, who, target, using, purpose=purpose, at=at, thrown=thrown, facts=facts, modifiers=modifiers
    )
    rolling = rules.attack.roll(lookup, rules, assault)
    is_creature = lookup.get(Combatant, assault.target) is not None
    return AttackPreview(
        assault,
        RANGED if RANGED in tags_of(lookup, rules, assault) else MELEE,
        name_of(lookup, assault),
        rolling.spec,
        rules.attack.defence(lookup, rules, assault),
        rules.attack.damage(lookup, rules, assault),
        legality(lookup, rules, assault),
        tuple(UnknownFact(fact, _question(fact)) for fact in rules.attack.unknown(lookup, rules, assault)),
        tuple(one.reason for one in rolling.asked),
        rolling.suggested,
        guess=is_creature and at is None and must_guess(lookup, who, assault.target),
    )


def _question(fact: str) -> Phrase:
    word, _, number = fact.partition(":")
    return phrase(f"fact.{word.replace('.', '-')}", n=number)


def attacks_of(lookup: Lookup, rules: RuleSystem, who: str, target: str = "") -> list[AttackOffer]:
    """Return every attack somebody has, each kind of it once, with why it can't be made now (at `target`, if given).

    Attacks of the off hand stand at the end, where the Attack action has been used and there are any.
    """
    in_hand = tuple(one for one in attacks_in(lookup, who) if not is_stowed(rules, one))
    listed = in_hand or melee_means(lookup, who)
    bare = bare_hands(lookup, who)
    if rules.catalogue.attack.bare_hands and not is_led(lookup, who) and bare.id not in [one.id for one in listed]:
        listed = (*listed, bare)
    offers = []
    for means in listed:
        offers.append(_offer(lookup, rules, who, means, target))
        if means.reach and means.range:
            offers.append(_offer(lookup, rules, who, means, target, thrown=True))
    for means in listed:
        if rules.catalogue.attack.off_hand and "dual-wielding" in means.properties:
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
        assault = assault_on(lookup, rules, who, target, means, purpose=purpose, thrown=thrown)
        vetoes = legality(lookup, rules, assault)
    else:
        tags = ("thrown",) if thrown else ()
        vetoes = cost_vetoes(lookup, rules, Assault(who, means, purpose=purpose, tags=tags))
    return AttackOffer(means, kind_of(means, thrown=thrown), thrown, purpose, vetoes)


__all__ = [
    "AttackOffer",
    "AttackPreview",
    "UnknownFact",
    "attack_preview",
    "attacks_left",
    "attacks_of",
]
