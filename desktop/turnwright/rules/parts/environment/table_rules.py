"""House rules for environments: changed features and world actions, and exempt combatants.

Conversion of environments from another game, and detection of terms that this game doesn't have.

Terms without an entry in the conversion table are kept. The game master is asked about them in play.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

import msgspec

from turnwright.encounter.prepared import OBJECT, Check, Environment, EnvironmentEntry, InflictedCondition, SavingThrow
from turnwright.encounter.running import Combatant, Slot
from turnwright.encounter.state import Lookup
from turnwright.rules.system import RuleSystem, creature_of
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.preparation import Translation
from turnwright.rules.system_data.references import damage_types_in
from turnwright.rules.system_data.rounds import EntryOverride, TableRule


def enabled_options(lookup: Lookup, rules: RuleSystem) -> list[TableRule]:
    """Return the house rules that are on in this encounter, including defaults."""
    return [option for option in rules.data.options if rules.has_option(lookup, option.id)]


def entry_override(lookup: Lookup, rules: RuleSystem, environment: Environment, entry: str) -> EntryOverride | None:
    """Return the change that the house rules make to an entry, or None if they make none."""
    origin = {environment.id, environment.source}
    for option in rules.data.options:
        for change in option.rows:
            if change.entry == entry and change.environment in origin and rules.has_option(lookup, option.id):
                return change
    return None


def with_options(
    lookup: Lookup, rules: RuleSystem, environment: Environment, entry: EnvironmentEntry
) -> EnvironmentEntry:
    """Apply the changes of the house rules to an entry."""
    change = entry_override(lookup, rules, environment, entry.id)
    if change is None:
        return entry
    return msgspec.structs.replace(
        entry,
        damage=change.damage or entry.damage,
        within=change.within or entry.within,
        affects=change.affects or entry.affects,
        afflictions=tuple(msgspec.structs.replace(each, ends=change.ends or each.ends) for each in entry.afflictions),
    )


def is_exempt(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether environments don't affect a combatant: an object, or a bystander if a house rule spares it."""
    combatant = lookup.get(Combatant, who)
    if combatant is not None and creature_of(lookup, combatant).type == OBJECT:
        return True
    if combatant is None or not any(option.spares_bystanders for option in enabled_options(lookup, rules)):
        return False
    return not lookup.of(Slot, who)


def conditions_ended_with(lookup: Lookup, rules: RuleSystem, condition: str) -> tuple[str, ...]:
    """Return the conditions that, by the house rules, may end together with another when a creature breaks free."""
    return tuple(
        other for option in enabled_options(lookup, rules) for ended, other in option.may_end if ended == condition
    )


def feature_lists(
    lookup: Lookup, rules: RuleSystem, environment: Environment
) -> tuple[tuple[str, tuple[EnvironmentEntry, ...]], ...]:
    """Return an environment's features as titled lists: helpful and hindering ones, or a single list."""
    rows = tuple(row for row in environment.features if row.enabled)
    if any(option.one_list for option in enabled_options(lookup, rules)):
        return (("features-all", rows),)
    hinders = tuple(row for row in rows if is_hindrance(row))
    return (("features-help", tuple(row for row in rows if row not in hinders)), ("features-hinder", hinders))


def is_hindrance(entry: EnvironmentEntry) -> bool:
    """Return whether an entry harms or hampers by itself, instead of waiting to be used."""
    by_itself = entry.trigger in ("touch", "turn-end", "dash", "standing", "disturbed")
    return by_itself and bool(
        entry.save
        or entry.damage
        or entry.afflictions
        or entry.terrain
        or entry.obscured
        or entry.hearing
        or entry.fatigue
    )


_NUMBER = re.compile(r"[0-9]+")
_ARGUMENT = re.compile(r"(?<=:)[a-z-]+")


def translate_environment(environment: Environment, data: SystemData) -> Environment:
    """Convert an environment from another game, recording the original as its source and removing foreign rules."""
    table = data.elsewhere
    return msgspec.structs.replace(
        environment,
        description=_translated_text(table, environment.description),
        features=tuple(_entry(table, row) for row in environment.features),
        actions=tuple(_entry(table, row) for row in environment.actions),
        source=environment.id,
    )


def is_unknown_save(rules: RuleSystem, save: SavingThrow) -> bool:
    """Return whether a save doesn't exist in this game."""
    return save.ability not in {ability.id for ability in rules.data.abilities}


def is_unknown_check(rules: RuleSystem, check: Check) -> bool:
    """Return whether a check doesn't exist in this game."""
    skills = {skill.id for skill in rules.data.skills}
    abilities = {ability.id for ability in rules.data.abilities}
    return check.ability not in abilities or bool(check.skill and check.skill not in skills)


def unknown_damage_types(rules: RuleSystem, entry: EnvironmentEntry) -> tuple[str, ...]:
    """Return an entry's damage types that this game doesn't have, in the order in which they appear."""
    own_types = {damage.id for damage in rules.data.damage_types}
    kinds = (kind for dice in (entry.damage, entry.reduced_damage) for kind in damage_types_in(dice))
    return tuple(dict.fromkeys(kind for kind in kinds if kind not in own_types))


def unknown_conditions(rules: RuleSystem, entry: EnvironmentEntry) -> tuple[str, ...]:
    """Return an entry's conditions that this game doesn't have. Levels of fatigue count as a condition."""
    names = [
        *(affliction.condition for affliction in entry.afflictions),
        *([rules.role("fatigue")] if entry.fatigue else []),
    ]
    return tuple(dict.fromkeys(name for name in names if name not in rules.conditions))


def replace_damage_types(dice: str, substitutes: Mapping[str, str]) -> str:
    """Replace damage types in a dice expression. An empty replacement removes the type."""
    pieces = [substitutes.get(piece, piece) for piece in dice.split()]
    return " ".join(piece for piece in pieces if piece)


def _entry(table: Translation, entry: EnvironmentEntry) -> EnvironmentEntry:
    damage = dict(table.damage)
    return msgspec.structs.replace(
        entry,
        save=_save(table, entry.save),
        check=_check(table, entry.check),
        cost=dict(table.costs).get(entry.cost, entry.cost),
        damage=replace_damage_types(entry.damage, damage),
        reduced_damage=replace_damage_types(entry.reduced_damage, damage),
        per_die=damage.get(entry.per_die, entry.per_die),
        spared=tuple(_statement(table, each) for each in entry.spared),
        reduced=_statement(table, entry.reduced),
        afflictions=tuple(_affliction(table, each) for each in entry.afflictions),
        push=convert_distance(table, entry.push),
        teleport=convert_distance(table, entry.teleport),
        hearing=convert_distance(table, entry.hearing),
        range=_NUMBER.sub(lambda match: str(convert_distance(table, int(match[0]))), entry.range),
        name=_translated_text(table, entry.name),
        text=_translated_text(table, entry.text),
        short=_translated_text(table, entry.short),
        within=_translated_text(table, entry.within),
        cover_when=_translated_text(table, entry.cover_when),
        rules=(),
    )


def convert_distance(translation: Translation, value: int) -> int:
    """Convert a distance from another game to this game's units, rounding to at least 1 unless it is 0."""
    exact = Fraction(value * translation.units, translation.feet)
    return max(1, (2 * exact.numerator + exact.denominator) // (2 * exact.denominator)) if value else 0


def _save(table: Translation, save: SavingThrow | None) -> SavingThrow | None:
    return save and msgspec.structs.replace(save, ability=dict(table.saves).get(save.ability, save.ability))


def _check(table: Translation, check: Check | None) -> Check | None:
    if check is None:
        return None
    written = f"{check.ability}:{check.skill}" if check.skill else check.ability
    ability, _, skill = dict(table.checks).get(written, written).partition(":")
    return msgspec.structs.replace(
        check, ability=ability, skill=skill, cost=dict(table.costs).get(check.cost, check.cost)
    )


def _affliction(table: Translation, affliction: InflictedCondition) -> InflictedCondition:
    return msgspec.structs.replace(
        affliction,
        condition=dict(table.conditions).get(affliction.condition, affliction.condition),
        break_free=dict(table.costs).get(affliction.break_free, affliction.break_free),
    )


def _statement(table: Translation, statement: str) -> str:
    damage = dict(table.damage)
    return _ARGUMENT.sub(lambda match: damage.get(match[0], match[0]), statement)


def _translated_text(table: Translation, text: str) -> str:
    for foreign, own in table.words:
        text = text.replace(foreign, own)
    return text
