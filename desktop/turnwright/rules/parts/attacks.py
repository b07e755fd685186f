"""Attack rolls from abilities, proficiency and armor class: what kind an attack is, what is rolled, and what it deals.

Everything is asked about an `Assault`: one under way, or one that somebody only thinks of.
"""

from __future__ import annotations

from typing import Final

import msgspec

from turnwright.dice.roll import Edge, EdgeKind, Modifier, Roll, RollSpec, share_id
from turnwright.encounter.pending import CRITICAL, FUMBLE, HIT, MISS, Assault, AttackOutcome
from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.catalogue import Catalogue
from turnwright.rules.figures import stacked
from turnwright.rules.hooks import NOTHING, Contribution, Grant, Hook, Moment, contributions
from turnwright.rules.parts.aim import feet_to, met_by
from turnwright.rules.parts.conditions import names_of, on_figure
from turnwright.rules.parts.critical_dice import grown
from turnwright.rules.parts.degrees import attack_outcome
from turnwright.rules.parts.means import MELEE, RANGED, is_attack, is_spell, kind_of, range_of
from turnwright.rules.parts.only_named import usual_effects
from turnwright.rules.parts.predicates import truth
from turnwright.rules.parts.statements import standing_conditions
from turnwright.rules.system import AttackRoll, RuleSystem, creature_of

DISADVANTAGE: Final = "disadvantage"
EDGES: tuple[EdgeKind, ...] = ("advantage", DISADVANTAGE)
WEAPON, SPELL, UNARMED = "weapon", "spell", "unarmed"


def tags_of(lookup: Lookup, rules: RuleSystem, assault: Assault) -> tuple[str, ...]:
    """Return all that is settled about an attack: its kind and properties, what pays for it, and what a person said."""
    means = assault.means
    found = [*assault.tags, kind_of(means, thrown="thrown" in assault.tags)]
    words = (means.id, *means.id.split("-"), *means.properties)
    found += [SPELL] if is_spell(means) else [UNARMED] if UNARMED in words else [WEAPON]
    found += [f"with:{word}" for word in words]
    if assault.purpose in ("off-hand", "opportunity"):
        found.append(assault.purpose)
    feet = feet_to(lookup, rules, assault)
    normal, longest = range_of(means)
    if RANGED in found and feet is not None and longest and feet > normal:
        found.append("long-range")
    return tuple(dict.fromkeys((*found, *assault.facts)))


def attack_roll(lookup: Lookup, rules: RuleSystem, assault: Assault) -> AttackRoll:
    """Return the roll for an attack, with all that both sides and a person's word add to it."""
    own, against = _said(lookup, rules, assault)
    rule = rules.cite("attack.edges")
    said = tuple(Edge(kind, "why.narrator", rule) for kind in EDGES if kind in assault.facts)
    if {edge.kind for edge in (*own.edges, *against.edges, *said)} == {DISADVANTAGE}:  # some sources lend nothing then
        own, against = _said(lookup, rules, msgspec.structs.replace(assault, tags=(*assault.tags, DISADVANTAGE)))
    grants = tuple(_answered(one, assault) for one in (*own.grants, *against.grants))
    spec = rules.spec(
        lookup,
        (
            *attack_bonus(lookup, rules, assault),
            *_afar(lookup, rules, assault),
            *own.modifiers,
            *against.modifiers,
            *_by_hand(rules, assault),
        ),
        (*own.edges, *against.edges, *said),
        (*own.extra, *against.extra, *rules.expertise(grants)),
    )
    return AttackRoll(
        spec,
        critical=next((one for one in grants if one.kind == "critical"), None),
        fails=next((one for one in grants if one.kind == "fail"), None),
        asked=tuple(one for one in grants if one.kind == "ask"),
        used=(*own.used, *against.used),
        suggested=usual_effects(rules, own, against, _defended(lookup, rules, assault)),
        flat=max((one for one in grants if one.kind == "flat"), key=lambda one: one.steps, default=None),
    )


def _defended(lookup: Lookup, rules: RuleSystem, assault: Assault) -> Contribution:
    """Return what conditions do to the AC that the attack has to meet, where somebody's is met."""
    if assault.thing or lookup.get(Combatant, assault.target) is None:
        return NOTHING
    moved = on_figure(lookup, rules, assault.target, "ac", met_by(lookup, rules, assault))
    return _less_declined(Contribution(moved), assault)


def _afar(lookup: Lookup, rules: RuleSystem, assault: Assault) -> tuple[Modifier, ...]:
    """Return what distance takes from a shot, where a weapon's range is the first of several increments."""
    figures = rules.catalogue.attack
    shot = kind_of(assault.means, thrown="thrown" in assault.tags) == RANGED and not is_spell(assault.means)
    feet, (increment, _) = feet_to(lookup, rules, assault), range_of(assault.means)
    if not shot or not figures.increments or not increment or feet is None or feet <= increment:
        return ()
    beyond = -(-feet // increment) - 1
    return (Modifier(beyond * figures.increment_penalty, "why.range_increment", rules.cite("ranged.increment")),)


def _answered(grant: Grant, assault: Assault) -> Grant:
    """Return a question that a person has answered as what it brings: an expertise die where they said yes."""
    if grant.kind != "ask":
        return grant
    kind = next(
        (kind for word, kind in (("yes", "expertise"), ("no", "")) if f"{word}:{grant.rule}" in assault.facts), "ask"
    )
    return Grant(kind, grant.reason, grant.rule, grant.steps)


def _said(lookup: Lookup, rules: RuleSystem, assault: Assault) -> tuple[Contribution, Contribution]:
    moments = _moments(lookup, rules, assault)
    own, against = [
        *(_less_declined(contributions(lookup, rules, Hook.CHECK_MADE, moment), assault) for moment in moments),
        NOTHING,
    ][:2]
    return own, against


def _less_declined(said: Contribution, assault: Assault) -> Contribution:
    """Return what is said without that to which a person has said no, by the rule of each."""
    declined = {fact.removeprefix("no:") for fact in assault.facts if fact.startswith("no:")}
    if not declined:
        return said
    return msgspec.structs.replace(
        said,
        modifiers=tuple(one for one in said.modifiers if not {one.rule, share_id(one.rule, one.reason)} & declined),
        edges=tuple(one for one in said.edges if not {one.rule, share_id(one.rule, one.reason)} & declined),
        grants=tuple(one for one in said.grants if not {one.rule, share_id(one.rule, one.reason)} & declined),
    )


def _moments(lookup: Lookup, rules: RuleSystem, assault: Assault) -> list[Moment]:
    """Return the roll as the attacker's and, where a creature is attacked, as the target's."""
    tags = tags_of(lookup, rules, assault)
    target = "" if assault.thing else assault.target
    found = [Moment(assault.attacker, "attack", other=target, tags=tags)]
    if target:
        found.append(Moment(target, "attack-against", other=assault.attacker, tags=tags))
    return found


def _by_hand(rules: RuleSystem, assault: Assault) -> tuple[Modifier, ...]:
    rule = rules.cite("attack.modifier.misc")
    return tuple(msgspec.structs.replace(one, rule=rule) for one in assault.modifiers)


def attack_bonus(lookup: Lookup, rules: RuleSystem, assault: Assault) -> tuple[Modifier, ...]:
    """Return the parts of the bonus: the stat block's own figure, or ability, proficiency and magic."""
    means = assault.means
    combatant = lookup.need(Combatant, assault.attacker)
    creature = creature_of(lookup, combatant)
    if means.attack is not None:
        return (Modifier(means.attack, "why.stat_block", rules.cite("attack.modifier.monster")),)
    ability, topic = ability_for(rules.catalogue, creature, means, kind_of(means, thrown="thrown" in assault.tags))
    parts = [Modifier(rules.modifier_of(creature, ability), f"<ability.{ability}>", rules.cite(topic))]
    bonus = dict(combatant.given).get("proficiency", creature.proficiency)
    if means.proficient or is_spell(means):
        parts.append(Modifier(bonus, "why.proficiency", rules.cite("attack.modifier.proficient")))
    else:
        parts.append(Modifier(0, "why.not_proficient", rules.cite("attack.modifier.nonproficient")))
    if means.magic:
        parts.append(Modifier(means.magic, "why.magic", rules.cite("attack.modifier.magic-weapon")))
    return tuple(parts)


def ability_for(data: Catalogue, creature: Creature, means: Feature, kind: str) -> tuple[str, str]:
    """Return the ability an attack uses, and the topic of the rule that says so."""
    figures = data.attack
    if is_spell(means):
        best = max(figures.casters, key=lambda each: data.modifier_of(creature, each))
        return means.ability or creature.spellcasting or best, "attack.modifier.spell-ability"
    thrown_or_shot = "attack.modifier.ranged-ability"
    topic = thrown_or_shot if kind == RANGED else "attack.modifier.melee-ability"
    if means.ability:
        return means.ability, topic
    if kind == RANGED and not means.reach and "thrown" not in means.properties:
        return figures.ranged_ability, topic
    better = data.modifier_of(creature, figures.ranged_ability) > data.modifier_of(creature, figures.melee_ability)
    if "finesse" in means.properties and better:
        return figures.ranged_ability, topic
    return figures.melee_ability, topic


def outcome_of(rules: RuleSystem, roll: Roll, armor_class: int, critical: bool) -> AttackOutcome:
    """Return how an attack went by its roll, empty where its total is unknown; `critical`: a hit is a critical one."""
    if rules.catalogue.checks.degrees:
        return attack_outcome(rules, roll, armor_class, critical)
    figures = rules.catalogue.attack
    if figures.natural_hit and roll.natural == figures.natural_hit:
        return CRITICAL
    if figures.natural_miss and roll.natural == figures.natural_miss:
        return FUMBLE
    if roll.total is None:
        return ""
    if roll.total < armor_class:
        return MISS
    return CRITICAL if critical else HIT


def damage_roll(lookup: Lookup, rules: RuleSystem, assault: Assault) -> RollSpec | None:
    """Return the damage of a hit: what the attack states, and a weapon's ability modifier; None for none."""
    if not assault.means.damage:
        return None
    doubled = assault.critical and rules.catalogue.attack.critical_twice
    target = "" if assault.thing else assault.target
    hit = Moment(assault.attacker, "damage", other=target, tags=tags_of(lookup, rules, assault))
    moved = Contribution(on_figure(lookup, rules, assault.attacker, "damage", hit))
    modifiers = (*_weapon_modifier(lookup, rules, assault), *_less_declined(moved, assault).modifiers)
    counting = stacked(modifiers) if rules.catalogue.checks.typed else modifiers
    return RollSpec(grown(rules, assault), counting, doubled=doubled)


def _weapon_modifier(lookup: Lookup, rules: RuleSystem, assault: Assault) -> tuple[Modifier, ...]:
    """Return what a weapon's ability does to its damage; written out damage has it in it, and loses it off hand."""
    means = assault.means
    if is_spell(means):
        return ()
    creature = creature_of(lookup, lookup.need(Combatant, assault.attacker))
    ability, _ = ability_for(rules.catalogue, creature, means, kind_of(means, thrown="thrown" in assault.tags))
    modifier = rules.modifier_of(creature, ability)
    off_hand = assault.purpose == "off-hand" and modifier > 0
    if means.attack is None and not off_hand:
        return (Modifier(modifier, f"<ability.{ability}>", rules.cite("damage.weapon-modifier")),)
    if means.attack is not None and off_hand and means.ability:
        return (Modifier(-modifier, "why.off_hand", rules.cite("twf.damage")),)
    return ()


def unknown_facts(lookup: Lookup, rules: RuleSystem, assault: Assault) -> tuple[str, ...]:
    """Return the facts that nobody knows and that would change the roll, in the attacker's words; `cover` too."""
    found: list[str] = []
    for moment in _moments(lookup, rules, assault):
        for when in _whens(lookup, rules, moment):
            if truth(lookup, rules, moment.who, when, moment) is None:
                found += [_named(one, moment) for one in when.split(",") if _is_open(lookup, rules, one, moment)]
    tags = tags_of(lookup, rules, assault)
    if RANGED in tags and range_of(assault.means)[1] and feet_to(lookup, rules, assault) is None:
        found.append("long-range")
    said = {fact.removeprefix("not ") for fact in assault.facts}
    return tuple(fact for fact in dict.fromkeys(found) if fact not in said)


def _is_open(lookup: Lookup, rules: RuleSystem, fact: str, moment: Moment) -> bool:
    return bool(moment.other) and truth(lookup, rules, moment.who, fact, moment) is None


def _named(fact: str, moment: Moment) -> str:
    """Return a fact as a person would say it of an attack: about the attacker, or `target.…`."""
    bare = fact.strip().removeprefix("not ")
    head, _, rest = bare.partition(".")
    if head in ("attacker", "target", "other"):
        of_target = head == "target" or (head == "other" and not moment.what.endswith("-against"))
        return f"target.{rest}" if of_target else rest
    return f"target.{bare}" if moment.what.endswith("-against") else bare


def _whens(lookup: Lookup, rules: RuleSystem, moment: Moment) -> list[str]:
    wanted = names_of(moment) | ({"ac"} if moment.what == "attack-against" else set())
    held = (rules.conditions.get(name) for name, _ in standing_conditions(lookup, rules, moment.who))
    return [
        rule.when
        for condition in (*rules.standing, *(one for one in held if one is not None))
        for rule in condition.rules
        if rule.what in wanted and rule.kind != "note"
    ]


__all__ = [
    "MELEE",
    "RANGED",
    "ability_for",
    "attack_bonus",
    "attack_roll",
    "damage_roll",
    "is_attack",
    "is_spell",
    "kind_of",
    "outcome_of",
    "tags_of",
    "unknown_facts",
]
