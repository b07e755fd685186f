"""Attack targeting: distance, lines, cover, and the armor class to meet, and the price and number of attacks.

Attacks and saves have tags for the categories, ranges and threats that data rules name (`magic`, `against:frightened`).
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, Literal

from turnwright.battlemap import sight as lines
from turnwright.battlemap.spaces import Space
from turnwright.dice.expression import Edge, Modifier, modifier_id
from turnwright.encounter.prepared import (
    Creature,
    Environment,
    EnvironmentEntry,
    Feature,
    InflictedCondition,
    Obstacle,
    Point,
)
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup, find_entry
from turnwright.rules.parts.checks.ability_checks import armor_class, armor_class_unknown, dc_from_bonus
from turnwright.rules.parts.combatants.facts import count_sources
from turnwright.rules.parts.conditions.condition_rules import condition_veto, data_rules_on, is_immune_to
from turnwright.rules.parts.conditions.predicates import evaluate, is_true_of
from turnwright.rules.parts.environment.entries import current_map
from turnwright.rules.parts.positions import geometry
from turnwright.rules.parts.positions.sight import (
    blocking_door,
    cover_bonus,
    is_hidden_from,
    line_of_effect,
    line_of_sight,
    total_cover_vetoes,
)
from turnwright.rules.system import (
    ExplainedNumber,
    HookContext,
    RollGrant,
    RuleSystem,
    Veto,
    creature_of,
    explained_sum,
    label_of,
)
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.places import CoverGrade
from turnwright.rules.system_data.references import damage_types_in
from turnwright.rules.system_data.statements import StatementError, readable_statement

MELEE, RANGED = "melee", "ranged"
LIMITED = "limited"
HALF_ON_MISS = "half-on-miss"  # property of attacks that deal half their damage on a miss
_NUMBERS = re.compile(r"\d+")


def is_attack(feature: Feature) -> bool:
    """Return whether a feature has an attack roll: it has a bonus, is a weapon or unarmed, or is marked as an attack.

    Damage alone needs no roll: a creature that is crushed takes it.
    """
    is_weapon = not {"weapon", "unarmed"}.isdisjoint(feature.properties)
    return feature.attack is not None or "attack" in feature.properties or (is_weapon and feature.cost != "trait")


def is_spell(feature: Feature) -> bool:
    """Return whether a feature is a spell."""
    return feature.is_spell


def is_limited(feature: Feature) -> bool:
    """Return whether a feature has limited uses, a recharge or a spell slot."""
    return bool(feature.uses or feature.recharge or feature.rests or feature.level)


def is_item(feature: Feature) -> bool:
    """Return whether a feature is a carried item that can be used, such as a potion or a horn."""
    return "item" in feature.properties


def is_stowed(data: SystemData, weapon: Feature) -> bool:
    """Return whether a weapon is stowed, in games where only weapons in hand can attack."""
    return bool(data.attack.stowed) and data.attack.stowed in weapon.properties


def is_nonmagical(feature: Feature) -> bool:
    """Return whether a feature counts as a nonmagical weapon, to which some creatures are immune."""
    return not is_spell(feature) and not feature.magic and "magical" not in feature.properties


def is_mundane_against(lookup: Lookup, weapon: Feature, target: str) -> bool:
    """Return whether a weapon is nonmagical, and not made of a material that overcomes the target's immunity."""
    excepted = creature_of(lookup, lookup.need(Combatant, target)).mundane_except
    return is_nonmagical(weapon) and set(excepted).isdisjoint(weapon.properties)


def ignores_criticals(lookup: Lookup, rules: RuleSystem, target: str) -> bool:
    """Return whether a target takes normal damage from critical hits."""
    word = rules.data.attack.critical_immunity
    return bool(word) and count_sources(lookup, target, "immune", word) > 0


def attack_kind(feature: Feature, *, thrown: bool = False) -> str:
    """Return `melee` or `ranged`. A weapon with both a reach and a range is melee unless it is thrown."""
    return RANGED if thrown or ((feature.range or RANGED in feature.properties) and not feature.reach) else MELEE


def kind_of_attack(attack: AttackInProgress) -> str:
    """Return whether an attack is `melee` or `ranged`."""
    return attack_kind(attack.weapon, thrown="thrown" in attack.tags)


def entered(attack: AttackInProgress, word: str) -> tuple[str, ...]:
    """Return the values entered for an attack under a key, such as `half` for `cover` from `cover:half`."""
    return tuple(fact.removeprefix(f"{word}:") for fact in attack.facts if fact.startswith(f"{word}:"))


def is_declined(attack: AttackInProgress, contribution: Modifier | Edge | RollGrant) -> bool:
    """Return whether the game master has declined a contribution to an attack, identified by its rule or its own id."""
    return not {contribution.rule, modifier_id(contribution.rule, contribution.reason)}.isdisjoint(
        entered(attack, "no")
    )


def is_range_unknown(feature: Feature, *, thrown: bool = False) -> bool:
    """Return whether the range of a ranged or thrown attack is missing."""
    return attack_kind(feature, thrown=thrown) == RANGED and not is_spell(feature) and not ranges(feature)[0]


def ranges(feature: Feature) -> tuple[int, int]:
    """Return the normal and the long range in feet, each 0 if the feature has none."""
    numbers = [int(number) for number in _NUMBERS.findall(feature.range)]
    return (numbers[0] if numbers else 0, numbers[1] if len(numbers) > 1 else 0)


def attack_ability(data: SystemData, creature: Creature, weapon: Feature, kind: str) -> tuple[str, str]:
    """Return the ability that an attack uses, and the topic of its rule."""
    settings = data.attack
    if is_spell(weapon):
        best = max(settings.casters, key=lambda each: data.modifier_of(creature, each))
        return weapon.ability or creature.spellcasting or best, "attack.modifier.spell-ability"
    topic = "attack.modifier.ranged-ability" if kind == RANGED else "attack.modifier.melee-ability"
    if weapon.ability:
        return weapon.ability, topic
    if kind == RANGED and not weapon.reach and "thrown" not in weapon.properties:
        return settings.ranged_ability, topic
    better = data.modifier_of(creature, settings.ranged_ability) > data.modifier_of(creature, settings.melee_ability)
    if "finesse" in weapon.properties and better:
        return settings.ranged_ability, topic
    return settings.melee_ability, topic


MUNDANE: Final = "not magic"
CONCENTRATION_TAGS: Final = ("concentration", MUNDANE, "against:concentration")
MASSIVE_DAMAGE_TAGS: Final = (MUNDANE, "against:damage", "against:dying")
SEAT_TAGS: Final = (MUNDANE, "against:prone")


def feature_save_tags(rules: RuleSystem, feature: Feature, *, spell: bool = False) -> tuple[str, ...]:
    """Return the tags of a save against a feature.

    Spells and features with a magical property are tagged as magic. If only the text mentions magic, this stays
    unknown. So does each condition that the text names but the feature doesn't inflict. If no field names a threat, all
    threats stay unknown.
    """
    tags = [f"with:{word}" for word in (feature.id, *feature.properties)] + ["area"] * bool(feature.area)
    text = feature.text.casefold()
    magical = not set(rules.data.attack.magical).isdisjoint(feature.properties)
    if spell or is_spell(feature):
        tags += ["spell", "magic"]
    elif magical and not is_attack(feature):
        tags.append("magic")
    elif "magic" not in text and not magical:
        tags.append(MUNDANE)
    threats = [*_threats(feature.afflictions, feature.damage, feature.save_damage, feature.ongoing, push=feature.push)]
    kinds = {damage_type.id for damage_type in rules.data.damage_types}
    tags += [*threats, *(f"against:{word}" for word in feature.properties if word in kinds)]
    for condition in rules.data.conditions if text else ():
        if f"against:{condition.id}" not in threats and condition.name.casefold() in text:
            tags.append(f"perhaps against:{condition.id}")
    return tuple(dict.fromkeys(tags))


def entry_save_tags(entry: EnvironmentEntry, fatigue: str) -> tuple[str, ...]:
    """Return the tags of a save against an environment feature."""
    threats = [*_threats(entry.afflictions, entry.damage, entry.reduced_damage, push=entry.push)]
    magic = "magic" if entry.magical else MUNDANE
    return tuple(dict.fromkeys([magic, *threats, *([f"against:{fatigue}"] if entry.fatigue else [])]))


def damage_save_tags(damage: str) -> tuple[str, ...]:
    """Return the tags of a save against damage."""
    return tuple(dict.fromkeys(_threats((), damage)))


def effect_save_tags(lookup: Lookup, rules: RuleSystem, effect: Effect) -> tuple[str, ...]:
    """Return the tags of a save that ends an effect, from the feature that caused it."""
    by = lookup.get(Combatant, effect.by)
    features = creature_of(lookup, by).features if by is not None else ()
    feature = next((candidate for candidate in features if candidate.name == effect.source), None)
    own = feature_save_tags(rules, feature) if feature is not None else ()
    general = [tag for tag in own if not tag.startswith(("against:", "perhaps "))]
    return (*general, f"against:{effect.name}", *_threats((), effect.damage))


def _threats(inflicted: Iterable[InflictedCondition], *damage: str, push: int = 0) -> Iterator[str]:
    """Yield a tag for each condition and damage type, one for damage in general, and one for a push."""
    yield from (f"against:{affliction.condition}" for affliction in inflicted)
    for text in damage:
        if text:
            yield "against:damage"
            yield from (f"against:{kind}" for kind in damage_types_in(text))
    if push:
        yield "against:push"


NO_SIGHT = "no-sight"  # property of attacks that don't require seeing the target
AGAINST = "against-"  # beginning of a property: the attack meets the DC of this save, as in `against-dex`


def attack_reach(lookup: Lookup, rules: RuleSystem, who: str, weapon: Feature) -> int:
    """Return the reach of a melee attack: the weapon's, the creature's, or the game's default."""
    own = weapon.reach or creature_of(lookup, lookup.need(Combatant, who)).reach or rules.data.attack.reach
    return rules.reach(lookup, rules, who, own)


def targeted_object(lookup: Lookup, target: str) -> Obstacle | EnvironmentEntry | None:
    """Return the map obstacle with this id, or the environment feature (`cavernous.stalactites`) with an AC."""
    field = current_map(lookup)
    obstacle = next((item for item in (field.obstacles if field else ()) if item.id == target), None)
    if obstacle is not None:
        return obstacle
    place, _, row = target.partition(".")
    environment = lookup.get(Environment, place)
    entry = find_entry(environment, row) if environment is not None else None
    return entry if entry is not None and entry.ac else None


def distance_to(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> int | None:
    """Return the distance in feet to the target of an attack or to the targeted square, or None if unknown."""
    if attack.square is not None:
        return distance_to_squares(lookup, rules, attack.attacker, attack.square, (1, 1))
    if not attack.is_object:
        return geometry.distance(lookup, rules, attack.attacker, attack.target) if attack.target else None
    thing = targeted_object(lookup, attack.target)
    if isinstance(thing, Obstacle):
        return distance_to_squares(lookup, rules, attack.attacker, thing.at, thing.size)
    return None


def distance_to_squares(
    lookup: Lookup, rules: RuleSystem, who: str, corner: tuple[int, int], size: tuple[int, int]
) -> int | None:
    """Return the distance in feet to a rectangle of squares (upper left square and size), or None if unknown."""
    field, covered = current_map(lookup), _squares_of(lookup, rules, who)
    if field is None or covered is None:
        return None
    axes = zip(*covered, corner, size, strict=True)
    gaps = (max(0, there - (own + side) + 1, own - (there + extent) + 1) for own, side, there, extent in axes)
    return max(gaps) * field.cell


def occupies_square(lookup: Lookup, rules: RuleSystem, who: str, square: tuple[int, int]) -> bool:
    """Return whether a combatant's space includes a square."""
    covered = _squares_of(lookup, rules, who)
    return covered is not None and _covers(*covered, square)


def _squares_of(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[Point, tuple[int, int]] | None:
    """Return the upper left square and the size of a combatant's space, or None without a position on a map."""
    field, here = current_map(lookup), geometry.space(lookup, rules, who)
    if field is None or here is None:
        return None
    side = max(1, round(here.side / field.cell))
    return here.square, (side, side)


def obstacle_on(lookup: Lookup, square: tuple[int, int]) -> Obstacle | None:
    """Return the map obstacle on a square, or None if there is none."""
    field = current_map(lookup)
    return next((item for item in (field.obstacles if field else ()) if _covers(item.at, item.size, square)), None)


def _covers(corner: Point, size: tuple[int, int], square: Point) -> bool:
    return all(0 <= aimed - own < extent for aimed, own, extent in zip(square, corner, size, strict=True))


# Armor class to meet --------------------------------------------------------------------------------------------


def target_armor_class(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> ExplainedNumber | None:
    """Return the AC that an attack has to meet, including cover, or None if it is unknown."""
    entered_ac = next(iter(entered(attack, "ac")), None)
    if rules.data.attack.asks_outcome:
        return None
    if attack.is_object:
        thing = targeted_object(lookup, attack.target)
        if entered_ac is not None:
            return explained_sum(Modifier(int(entered_ac), "why.narrator", rules.rule_id("attack.thing-ac")))
        if thing is None or not thing.ac:
            return None
        return explained_sum(Modifier(thing.ac, thing.name or attack.target, rules.rule_id("attack.ac-source")))
    if lookup.get(Combatant, attack.target) is None or armor_class_unknown(lookup, attack.target):
        return None
    if save := save_against(attack.weapon):
        dc = dc_from_bonus(lookup, rules, attack.target, f"save.{save}")
        return explained_sum(Modifier(dc, f"<save.{save}>", rules.rule_id("attack.ac-source")))
    own = armor_class(lookup, rules, attack.target, armor_class_context(lookup, rules, attack))
    parts = [
        Modifier(part.value, part.reason, part.rule or rules.rule_id("attack.ac-source"), part.kind)
        for part in (own.parts[-1:] if own.replaced else own.parts)
        if not part.rule or not is_declined(attack, part)
    ]
    entered_cover = _entered_cover(rules, attack)
    shelter = cover_bonus(lookup, rules, attack.attacker, attack.target, (kind_of_attack(attack),))
    if entered_cover is not None:
        by_word = entered_cover.bonus if "ac" in entered_cover.on else 0
        rule = entered_cover.ledger[0] if entered_cover.ledger else rules.rule_id("attack.cover-judgement")
        shelter = Modifier(by_word, entered_cover.name, rule, entered_cover.type)
    return rules.explained_sum(*parts, *((shelter,) if shelter is not None else ()), *attack.guards)


def save_against(weapon: Feature) -> str:
    """Return the save whose DC an attack has to meet instead of the target's AC, or an empty string."""
    words = (word.removeprefix(AGAINST) for word in weapon.properties if word.startswith(AGAINST))
    return next(words, "")


def armor_class_context(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> HookContext:
    """Return the hook context for the target's AC against an attack."""
    facts = (fact for fact in attack.facts if ":" not in fact or "chosen:" in fact)
    tags = (kind_of_attack(attack), *attack.tags, *facts)
    return HookContext(attack.target, "ac-against", other=attack.attacker, tags=tags)


def _entered_cover(rules: RuleSystem, attack: AttackInProgress) -> CoverGrade | None:
    """Return the target's cover that the game master entered, or None if none was entered."""
    return next((grade for grade in rules.data.cover if grade.id in entered(attack, "cover")[:1]), None)


# Vetoes ---------------------------------------------------------------------------------------------------------


def targeting_vetoes(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[Veto, ...]:
    """Return the vetoes on an attack from its type, its reach or range, total cover, or a blocked line."""
    if attack.target == attack.attacker:
        return (Veto("refused.oneself", rules.rule_id("attack.target"), (("who", label_of(lookup, attack.attacker)),)),)
    vetoes: list[Veto] = []
    is_thrown = "thrown" in attack.tags
    shot = kind_of_attack(attack) == RANGED
    what = ("what", attack.weapon.name)
    if is_thrown and not ("thrown" in attack.weapon.properties or attack.weapon.range):
        vetoes.append(Veto("refused.not_thrown", rules.rule_id("attack.properties"), (what,)))
    if shot and attack.purpose == "opportunity":
        vetoes.append(Veto("refused.melee_only", rules.rule_id("opportunity.single-melee"), (what,)))
    vetoes += _hidden_vetoes(lookup, rules, attack)
    vetoes += condition_vetoes(lookup, rules, attack)
    if ward := ward_against(lookup, rules, attack.target, attack.attacker, None):
        named = ("ward", f"<condition.{ward}>" if ward in rules.conditions else ward)
        vetoes.append(Veto("refused.warded", "", (what, named)))
    if not attack.is_object:
        vetoes += requirement_vetoes(lookup, rules, attack.attacker, attack.weapon, attack.target)
    away = geometry.floor_veto(lookup, rules, attack.attacker, attack.target) if attack.square is None else None
    if away is not None and not _is_guess(lookup, rules, attack):
        return (*vetoes, away)
    vetoes += _distance_vetoes(lookup, rules, attack, shot)
    return (*vetoes, *_line_vetoes(lookup, rules, attack))


def _hidden_vetoes(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[Veto, ...]:
    """Return the veto on targeting a hidden combatant, in a game that doesn't allow guessing its place."""
    if attack.is_object or not _is_guess(lookup, rules, attack):
        return ()
    hiding = geometry.denying_conditions(lookup, rules, attack.target, "being-targeted")
    params = (("who", label_of(lookup, attack.attacker)), ("target", label_of(lookup, attack.target)))
    return tuple(Veto("refused.hidden", rule, params) for _, rule in hiding[:1])


def ward_against(lookup: Lookup, rules: RuleSystem, who: str, by: str, level: int | None) -> str:
    """Return the effect or trait that keeps spells of a level, or attacks, from outside from a combatant, or an empty string.

    Without a level, it is an effect that takes the combatant away.
    """
    shared = {rules.role("hidden"), *(effect.name for effect in lookup.of(Effect, by))}
    for effect in lookup.of(Effect, who):
        about = HookContext(who, "attack-against", other=by, effect=effect)
        for rule in (*effect.rules, *getattr(rules.conditions.get(effect.name), "rules", ())):
            is_ward = (
                rule.what == "being-targeted" if level is None else rule.what == "spells" and level <= (rule.add or 0)
            )
            if is_ward and effect.name not in shared and is_true_of(lookup, rules, who, rule.when, about):
                return effect.name
    inborn = data_rules_on(lookup, rules, who, "deny", "spells", HookContext(who, "save", other=by))
    traits = ((each.source_name, each.rule.add or 0) for each in inborn if isinstance(each.source, Feature))
    return next((name for name, most in traits if level is not None and level <= most), "")


def without_effect(lookup: Lookup, rules: RuleSystem, by: str, means: Feature, target: str = "") -> str:
    """Return why a spell has no effect (a word key): its caster is where magic is suppressed, or its target is warded."""
    if is_spell(means) and any(data_rules_on(lookup, rules, by, "deny", "magic")):
        return "why.suppressed"
    is_asked = not (target and is_spell(means)) or rules.data.checks.degrees  # in these games, a check decides
    return "" if is_asked or not ward_against(lookup, rules, target, by, means.level or 0) else "why.warded"


def requirement_vetoes(lookup: Lookup, rules: RuleSystem, who: str, feature: Feature, target: str) -> tuple[Veto, ...]:
    """Return the veto on a target that doesn't meet a feature's requirement, such as a bite of a grabbed creature."""
    if feature.trigger or not feature.when or not target:
        return ()
    try:
        holds = evaluate(lookup, rules, who, feature.when, HookContext(who, "attack", other=target))
    except StatementError:
        return ()
    params = (("what", feature.name), ("when", readable_statement(feature.when, "<ui.automation.or>")))
    return (Veto("refused.target_not_meant", "", params),) if holds is False else ()


def condition_vetoes(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> list[Veto]:
    """Return the vetoes of the attacker's conditions on attacking this target, or on harming it with a feature."""
    if attack.is_object or attack.target == attack.attacker:
        return []
    context = HookContext(attack.attacker, "attack", other=attack.target)
    denials = data_rules_on(lookup, rules, attack.attacker, "deny", "targeting", context)
    return [
        condition_veto(lookup, attack.attacker, denial.source_name, denial.ledger, denial.context.effect)
        for denial in denials
    ]


def _line_vetoes(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> list[Veto]:
    """Return the vetoes for blocked lines to the target and for total cover."""
    sight, effect = _lines(lookup, rules, attack)
    vetoes = []
    if sight is False and NO_SIGHT not in attack.weapon.properties:
        vetoes.append(_blocked_line(lookup, rules, attack, "sight"))
    if effect is False:
        vetoes.append(_blocked_line(lookup, rules, attack, "effect"))
    if attack.is_object or _is_guess(lookup, rules, attack) or lookup.get(Combatant, attack.target) is None:
        return vetoes
    cover, tags = _entered_cover(rules, attack), (kind_of_attack(attack), *attack.weapon.properties)
    if cover is None:
        veto = total_cover_vetoes(lookup, rules, attack.attacker, attack.target, tags)
        return [*vetoes, *((veto,) if veto is not None else ())]
    if cover.untargetable and cover.ledger and cover.prevents_targeting(tags):
        vetoes.append(Veto("refused.total_cover", cover.ledger[0]))
    return vetoes


def _blocked_line(
    lookup: Lookup, rules: RuleSystem, attack: AttackInProgress, what: Literal["sight", "effect"]
) -> Veto:
    """Return the veto for a blocked line. It names the closed door in the way, if it is one."""
    rule = rules.rule_id("attack.line-of-sight")
    aims = attack.square is None and not attack.is_object
    door = blocking_door(lookup, rules, what, attack.attacker, attack.target) if aims else None
    if door is None:
        return Veto(f"refused.no_line_of_{what}", rule)
    return Veto(f"refused.door_blocks_{what}", rule, (("door", geometry.door_label(door)),))


def _lines(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[bool | None, bool | None]:
    """Return whether the lines of sight and of effect to the target (or its square) are clear, each None if unknown."""
    field, here = geometry.map_grid(lookup), geometry.space(lookup, rules, attack.attacker)
    if attack.square is not None and field is not None and here is not None:
        there = Space(*attack.square, side=field.cell, elevation=here.elevation)
        sight, effect = (lines.between(field, barrier, here, there) for barrier in (field.sight, field.effect))
        return sight.clear, effect.clear
    if attack.is_object or _is_guess(lookup, rules, attack) or lookup.get(Combatant, attack.target) is None:
        return None, None
    ends = (attack.attacker, attack.target)
    return line_of_sight(lookup, rules, *ends), line_of_effect(lookup, rules, *ends)


def _is_guess(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> bool:
    """Return whether the attacker has to guess the position of a hidden target. If so, no veto may reveal it."""
    return bool(attack.target) and is_hidden_from(lookup, rules, attack.target, attack.attacker)


def _distance_vetoes(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress, shot: bool) -> list[Veto]:
    if attack.square is None and _is_guess(lookup, rules, attack):
        return []
    feet = distance_to(lookup, rules, attack)
    params = (("feet", feet or 0), ("what", attack.weapon.name))
    if shot:
        normal, longest = ranges(attack.weapon)
        longest = longest or normal * (0 if is_spell(attack.weapon) else rules.data.attack.increments)
        if feet is None or not normal or feet <= (longest or normal):
            return []
        topic = "ranged.beyond-long" if longest else "ranged.single"
        return [Veto("refused.out_of_range", rules.rule_id(topic), (*params, ("range", longest or normal)))]
    reach = attack_reach(lookup, rules, attack.attacker, attack.weapon)
    reach = max(reach, ranges(attack.weapon)[0]) if is_spell(attack.weapon) else reach  # where the spell strikes
    relation = geometry.stated_relation(lookup, attack.attacker, attack.target)
    reached = relation.reached if relation is not None else None
    if reached or (feet <= reach if feet is not None else reached is None):
        return []
    topic = "melee.reach-default" if reach == rules.data.attack.reach else "melee.reach-larger"
    return [Veto("refused.out_of_reach", rules.rule_id(topic), (*params, ("reach", reach)))]


FREE: Final = "free"
COMMANDED_BY_RIDER: Final = "ordered"  # tag of attacks that a rider has already paid for
REACTION_PURPOSES: Final = ("opportunity", "readied")


def attacks_per_action(creature: Creature) -> int:
    """Return the number of attacks per Attack action: the creature's own number, or a multiattack's."""
    return max([creature.attacks, *(feature.attacks for feature in creature.features)])


def multiattack_ways(creature: Creature) -> list[dict[str, int]]:
    """Return the variants of a creature's multiattacks, with the number of uses by feature id."""
    return [dict(way) for feature in creature.features for way in feature.multiattack]


def id_in_multiattack(creature: Creature, id: str) -> str:
    """Return the id of a feature in the variants of a creature's multiattacks, or an empty string if it has none.

    A spell counts as the list of spells that casts it, unless the text of a multiattack names other spells.
    """
    named = dict.fromkeys(name for way in multiattack_ways(creature) for name in way)
    features = {feature.id: feature for feature in creature.features}
    if id in named or id not in features:
        return id if id in named else ""
    text = " ".join(feature.text for feature in creature.features if feature.multiattack).lower()
    lists = (name for name in named if name in features and any(step.use == id for step in features[name].does))
    return next((name for name in lists if features[id].name.lower() in text or " to cast " not in text), "")


def attack_resource(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> str:
    """Return the resource that pays for an attack: `attack`, `off-hand`, another one, or an empty string if free.

    A spell attack costs the action, unless a multiattack names it.
    """
    if attack.purpose in REACTION_PURPOSES:
        return "reaction"
    if attack.purpose == FREE or COMMANDED_BY_RIDER in attack.tags:
        return ""
    if attack.purpose and attack.purpose != "commanded":
        return attack.purpose
    cost = attack.weapon.cost
    if cost in ("bonus", "reaction", "legendary"):
        return cost
    if cost == "lair":
        return ""
    if rules.data.attack.priced:
        return "action"
    if not is_spell(attack.weapon):
        return "attack"
    creature = creature_of(lookup, lookup.need(Combatant, attack.attacker))
    return "attack" if id_in_multiattack(creature, attack.weapon.id) else "action"


def is_proof(lookup: Lookup, means: Feature, who: str) -> bool:
    """Return whether a feature only inflicts conditions to which its target is immune."""
    others = ("damage", "save_damage", "effect", "push", "ongoing", "leaves", "stages", "temp", "heals", "ends", "does")
    immune = all(is_immune_to(lookup, who, each.condition) for each in means.afflictions)
    return immune and bool(means.afflictions) and not any(getattr(means, name) for name in others)
