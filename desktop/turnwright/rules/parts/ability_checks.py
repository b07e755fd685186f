"""Twenty-sided checks and saves from six abilities: what is rolled, with the reason for each figure."""

from __future__ import annotations

from turnwright.dice.roll import Edge, Modifier, RollSpec
from turnwright.encounter.prepared import Creature
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import Hook, Moment, contributions
from turnwright.rules.system import RuleSystem, creature_of


def ability_score(creature: Creature, ability: str) -> int:
    """Return an ability score by its short id, 10 where the system knows no such ability."""
    return {
        "str": creature.abilities.str_,
        "dex": creature.abilities.dex,
        "con": creature.abilities.con,
        "int": creature.abilities.int_,
        "wis": creature.abilities.wis,
        "cha": creature.abilities.cha,
    }.get(ability, 10)


def ability_modifier(creature: Creature, ability: str) -> int:
    """Return the modifier that an ability score gives."""
    return (ability_score(creature, ability) - 10) // 2


def check_bonus(creature: Creature, check: str) -> tuple[Modifier, ...]:
    """Return what a creature adds to a check such as `dex` or `dex:stealth`: the modifier, then the rest of a skill."""
    ability, _, skill = check.partition(":")
    modifier = ability_modifier(creature, ability)
    parts = [Modifier(modifier, f"<ability.{ability}>")]
    total = dict(creature.skills).get(skill)
    if total is not None and total != modifier:
        parts.append(Modifier(total - modifier, f"<skill.{skill}>"))
    return tuple(parts)


def check_roll(lookup: Lookup, rules: RuleSystem, who: str, check: str) -> RollSpec:
    """Return the roll for an ability check."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    said = contributions(lookup, rules, Hook.CHECK_MADE, Moment(who, f"check.{check}"))
    extra = (*said.extra, *rules.expertise(said.grants))
    return RollSpec("1d20", (*check_bonus(creature, check), *said.modifiers), said.edges, extra)


def save_roll(
    lookup: Lookup, rules: RuleSystem, who: str, ability: str, origin: str = "", tags: tuple[str, ...] = ()
) -> RollSpec:
    """Return the roll for a saving throw; `origin` is the combatant that what is saved against comes from."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    modifier = ability_modifier(creature, ability)
    parts = [Modifier(modifier, f"<ability.{ability}>")]
    total = dict(creature.saves).get(ability)
    if total is not None and total != modifier:
        parts.append(Modifier(total - modifier, "why.save_proficiency"))
    said = contributions(lookup, rules, Hook.CHECK_MADE, Moment(who, f"save.{ability}", other=origin, tags=tags))
    extra = (*said.extra, *rules.expertise(said.grants))
    fails = next((grant.reason for grant in said.grants if grant.kind == "fail"), "")
    return RollSpec("1d20", (*parts, *said.modifiers), said.edges, extra, fails)


def spellcasting_roll(lookup: Lookup, rules: RuleSystem, who: str) -> RollSpec:
    """Return the roll for a spellcasting ability check: the best of the three that casters use."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    ability = max(("int", "wis", "cha"), key=lambda each: ability_modifier(creature, each))
    return check_roll(lookup, rules, who, ability)


def initiative_roll(lookup: Lookup, rules: RuleSystem, who: str) -> RollSpec:
    """Return the roll for initiative: the check named for this combatant, or the system's usual one."""
    combatant = lookup.need(Combatant, who)
    creature = creature_of(lookup, combatant)
    check = combatant.check or rules.initiative.usual_check
    given = combatant.initiative_bonus if combatant.initiative_bonus is not None else creature.initiative
    usual = check == rules.initiative.usual_check
    parts = (Modifier(given, "why.initiative_bonus"),) if usual and given is not None else check_bonus(creature, check)
    topic = "initiative.default-dexterity" if usual else "initiative.alternate-check"
    parts = tuple(Modifier(part.value, part.reason, part.rule or rules.cite(topic)) for part in parts)
    said = contributions(lookup, rules, Hook.CHECK_MADE, Moment(who, f"check.{check}", initiative=True))
    edges = said.edges
    if combatant.edge:
        edges = (*edges, Edge(combatant.edge, "why.narrator", rules.cite("sudden.advantage")))
    extra = (*said.extra, *rules.expertise(said.grants))
    return RollSpec("1d20", (*parts, *said.modifiers), edges, extra)


def armor_class_part(lookup: Lookup, who: str) -> Modifier:
    """Return the AC a combatant has of itself."""
    combatant = lookup.need(Combatant, who)
    creature = creature_of(lookup, combatant)
    if combatant.ac is not None:
        return Modifier(combatant.ac, "why.ac_given")
    return Modifier(creature.ac, creature.ac_note or "why.stat_block")
