"""Attack targeting: distance, lines, cover, and the armor class to meet."""

from __future__ import annotations

from turnwright.battlemap import sight as lines
from turnwright.battlemap.spaces import Space
from turnwright.dice.roll import Modifier
from turnwright.encounter.lookups import find_entry
from turnwright.encounter.prepared import Environment, EnvironmentEntry, Feature, Obstacle
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.explained_number import ExplainedNumber, explained_sum
from turnwright.rules.hooks import HookContext, Veto
from turnwright.rules.parts import positions
from turnwright.rules.parts.attacks.weapon_kind import (
    MELEE,
    RANGED,
    entered,
    is_declined,
    is_spell,
    kind_of_attack,
    ranges,
)
from turnwright.rules.parts.checks.ability_checks import armor_class, armor_class_unknown
from turnwright.rules.parts.conditions.condition_rules import condition_veto, data_rules_on
from turnwright.rules.parts.environment.areas import current_map
from turnwright.rules.parts.positions.map_geometry import map_grid
from turnwright.rules.system import RuleSystem, creature_of, label_of
from turnwright.rules.system_data.places import CoverGrade

NEAR = (5, 10, 15, 20, 30)  # the distances that features of those attacked ask about
NO_SIGHT = "no-sight"  # the property of attacks that need no sight of their target


def attack_reach(lookup: Lookup, rules: RuleSystem, who: str, weapon: Feature) -> int:
    """Return the reach of a melee attack: the weapon's, the creature's, or the game's default."""
    return weapon.reach or creature_of(lookup, lookup.need(Combatant, who)).reach or rules.data.attack.reach


def reach_tags(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[str, ...]:
    """Return as tags how near the two of a melee attack must be, where no distance is known: within its reach."""
    if kind_of_attack(attack) != MELEE or distance_to(lookup, rules, attack) is not None:
        return ()
    reach = attack_reach(lookup, rules, attack.attacker, attack.weapon)
    near = (feet for feet in NEAR if feet >= reach)
    return tuple(f"{side}.within:{feet}" for feet in near for side in ("attacker", "target"))


def targeted_object(lookup: Lookup, target: str) -> Obstacle | EnvironmentEntry | None:
    """Return the obstacle of the map with an id, or the environment entry (`cavernous.stalactites`) with an AC."""
    field = current_map(lookup)
    found = next((one for one in (field.obstacles if field else ()) if one.id == target), None)
    if found is not None:
        return found
    place, _, row = target.partition(".")
    environment = lookup.get(Environment, place)
    entry = find_entry(environment, row) if environment is not None else None
    return entry if entry is not None and entry.ac else None


def distance_to(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> int | None:
    """Return the feet to the target of an attack or the square aimed at; None where that is unknown."""
    if attack.square is not None:
        return distance_to_squares(lookup, rules, attack.attacker, attack.square, (1, 1))
    if not attack.is_object:
        return positions.distance(lookup, rules, attack.attacker, attack.target) if attack.target else None
    thing = targeted_object(lookup, attack.target)
    if isinstance(thing, Obstacle):
        return distance_to_squares(lookup, rules, attack.attacker, thing.at, thing.size)
    return None


def distance_to_squares(
    lookup: Lookup, rules: RuleSystem, who: str, corner: tuple[int, int], size: tuple[int, int]
) -> int | None:
    """Return the feet to a rectangle of squares, given by its upper left square and size; None where unknown."""
    field, here = current_map(lookup), lookup.get(Combatant, who)
    if field is None or here is None or here.position is None:
        return None
    side = max(1, round(positions.effective_side(lookup, rules, who) / field.cell))
    gaps = [
        max(0, there - (own + side) + 1, own - (there + extent) + 1)
        for own, there, extent in zip(here.position, corner, size, strict=True)
    ]
    return max(gaps) * field.cell


def occupies_square(lookup: Lookup, rules: RuleSystem, who: str, square: tuple[int, int]) -> bool:
    """Return whether a combatant's space includes a square."""
    field, here = current_map(lookup), lookup.get(Combatant, who)
    if field is None or here is None or here.position is None:
        return False
    side = max(1, round(positions.effective_side(lookup, rules, who) / field.cell))
    return all(0 <= aimed - own < side for aimed, own in zip(square, here.position, strict=True))


def obstacle_on(lookup: Lookup, square: tuple[int, int]) -> Obstacle | None:
    """Return the obstacle of the map that stands on a square, None where there is none."""
    field = current_map(lookup)
    for one in field.obstacles if field else ():
        if all(0 <= aimed - own < extent for aimed, own, extent in zip(square, one.at, one.size, strict=True)):
            return one
    return None


# Armor class to meet --------------------------------------------------------------------------------------------


def target_armor_class(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> ExplainedNumber | None:
    """Return the armor class an attack has to meet, cover included; None where it is unknown."""
    given = next(iter(entered(attack, "ac")), None)
    if rules.data.attack.said:
        return None
    if attack.is_object:
        thing = targeted_object(lookup, attack.target)
        if given is not None:
            return explained_sum(Modifier(int(given), "why.narrator", rules.rule_id("attack.thing-ac")))
        if thing is None or not thing.ac:
            return None
        return explained_sum(Modifier(thing.ac, thing.name or attack.target, rules.rule_id("attack.ac-source")))
    if lookup.get(Combatant, attack.target) is None:
        return None
    if armor_class_unknown(lookup, attack.target):
        return None
    own = armor_class(lookup, rules, attack.target, armor_class_context(lookup, rules, attack))
    parts = [
        Modifier(part.value, part.reason, part.rule or rules.rule_id("attack.ac-source"), part.kind)
        for part in own.parts
        if not part.rule or not is_declined(attack, part)
    ]
    said = _entered_cover(rules, attack)
    shelter = positions.cover_bonus(lookup, rules, attack.attacker, attack.target, (kind_of_attack(attack),))
    if said is not None:
        by_word = said.bonus if "ac" in said.on else 0
        rule = said.ledger[0] if said.ledger else rules.rule_id("attack.cover-judgement")
        shelter = Modifier(by_word, said.name, rule, said.type)
    return rules.explained_sum(*parts, *((shelter,) if shelter is not None else ()), *attack.guards)


def armor_class_context(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> HookContext:
    """Return the hook context of the target's AC against an attack."""
    said = tuple(fact for fact in attack.facts if ":" not in fact)
    return HookContext(
        attack.target, "ac-against", other=attack.attacker, tags=(kind_of_attack(attack), *attack.tags, *said)
    )


def _entered_cover(rules: RuleSystem, attack: AttackInProgress) -> CoverGrade | None:
    """Return the cover that a person entered for the target, None where that is open."""
    return next((one for one in rules.data.cover if one.id in entered(attack, "cover")[:1]), None)


# Vetoes ---------------------------------------------------------------------------------------------------------


def targeting_vetoes(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[Veto, ...]:
    """Return why an attack can't be made: its kind, reach or range, total cover, or a missing line."""
    if attack.target == attack.attacker:
        who = ("who", label_of(lookup, attack.attacker))
        return (Veto("refused.oneself", rules.rule_id("attack.target"), (who,)),)
    found: list[Veto] = []
    thrown = "thrown" in attack.tags
    shot = kind_of_attack(attack) == RANGED
    what = ("what", attack.weapon.name)
    if thrown and not ("thrown" in attack.weapon.properties or attack.weapon.range):
        found.append(Veto("refused.not_thrown", rules.rule_id("attack.properties"), (what,)))
    if shot and attack.purpose == "opportunity":
        found.append(Veto("refused.melee_only", rules.rule_id("opportunity.single-melee"), (what,)))
    found += _hidden_vetoes(lookup, rules, attack)
    found += _condition_vetoes(lookup, rules, attack)
    found += _distance_vetoes(lookup, rules, attack, shot)
    return (*found, *_line_vetoes(lookup, rules, attack))


def _hidden_vetoes(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[Veto, ...]:
    """Return the veto on targeting a hidden combatant, in a game where a guess doesn't suffice."""
    if attack.is_object or not _is_guess(lookup, rules, attack):
        return ()
    kept = positions.denying_conditions(lookup, rules, attack.target, "being-targeted")
    params = (("who", label_of(lookup, attack.attacker)), ("target", label_of(lookup, attack.target)))
    return tuple(Veto("refused.hidden", rule, params) for _, rule in kept[:1])


def _condition_vetoes(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> list[Veto]:
    """Return the vetoes of the attacker's conditions on attacking this target."""
    if attack.is_object:
        return []
    context = HookContext(attack.attacker, "attack", other=attack.target)
    denials = data_rules_on(lookup, rules, attack.attacker, "deny", "targeting", context)
    return [condition_veto(lookup, attack.attacker, one.source_name, one.ledger, one.context.effect) for one in denials]


def _line_vetoes(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> list[Veto]:
    """Return the vetoes on missing lines to the target and on total cover."""
    rule = rules.rule_id("attack.line-of-sight")
    sight, effect = _lines(lookup, rules, attack)
    found = []
    if sight is False and NO_SIGHT not in attack.weapon.properties:
        found.append(Veto("refused.no_line_of_sight", rule))
    if effect is False:
        found.append(Veto("refused.no_line_of_effect", rule))
    if attack.is_object or _is_guess(lookup, rules, attack) or lookup.get(Combatant, attack.target) is None:
        return found
    said = _entered_cover(rules, attack)
    if said is not None:
        barred_by = (
            said.untargetable
            and said.ledger
            and said.prevents_targeting((kind_of_attack(attack), *attack.weapon.properties))
        )
        return [*found, *([Veto("refused.total_cover", said.ledger[0])] if barred_by else [])]
    tags = (kind_of_attack(attack), *attack.weapon.properties)
    barred = positions.total_cover_vetoes(lookup, rules, attack.attacker, attack.target, tags)
    return [*found, *((barred,) if barred is not None else ())]


def _lines(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> tuple[bool | None, bool | None]:
    """Return whether lines of sight and of effect reach the square aimed at, or the target; None where unknown."""
    field, here = map_grid(lookup), positions.space(lookup, rules, attack.attacker)
    if attack.square is not None and field is not None and here is not None:
        there = Space(*attack.square, side=field.cell, elevation=here.elevation)
        sight, effect = (lines.between(field, barrier, here, there) for barrier in (field.sight, field.effect))
        return sight.clear, effect.clear
    if attack.is_object or _is_guess(lookup, rules, attack) or lookup.get(Combatant, attack.target) is None:
        return None, None
    ends = (attack.attacker, attack.target)
    return positions.line_of_sight(lookup, rules, *ends), positions.line_of_effect(lookup, rules, *ends)


def _is_guess(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress) -> bool:
    """Return whether the attack guesses where its hidden target is, so that nothing may give it away."""
    return bool(attack.target) and positions.is_hidden_from(lookup, rules, attack.target, attack.attacker)


def _distance_vetoes(lookup: Lookup, rules: RuleSystem, attack: AttackInProgress, shot: bool) -> list[Veto]:
    if attack.square is None and _is_guess(lookup, rules, attack):
        return []
    feet = distance_to(lookup, rules, attack)
    params = (("feet", feet or 0), ("what", attack.weapon.name))
    if shot:
        normal, longest = ranges(attack.weapon)
        increments = 0 if is_spell(attack.weapon) else rules.data.attack.increments
        longest = longest or normal * increments
        if feet is None or not normal or feet <= (longest or normal):
            return []
        topic = "ranged.beyond-long" if longest else "ranged.single"
        return [Veto("refused.out_of_range", rules.rule_id(topic), (*params, ("range", longest or normal)))]
    reach = attack_reach(lookup, rules, attack.attacker, attack.weapon)
    said = positions.stated_relation(lookup, attack.attacker, attack.target)
    if feet is None:
        away = said is not None and said.reached is False
    else:
        away = feet > reach and not (said is not None and said.reached)
    if not away:
        return []
    topic = "melee.reach-default" if reach == rules.data.attack.reach else "melee.reach-larger"
    return [Veto("refused.out_of_reach", rules.rule_id(topic), (*params, ("reach", reach)))]
