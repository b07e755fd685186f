"""House rules for environments: changed features and world actions, and exempt combatants."""

from __future__ import annotations

import msgspec

from turnwright.encounter.prepared import OBJECT, Environment, EnvironmentEntry, InflictedCondition
from turnwright.encounter.running import Combatant, Slot
from turnwright.encounter.state import Lookup
from turnwright.rules.system import RuleSystem, creature_of
from turnwright.rules.system_data.table_rules import EntryOverride, TableRule


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
        afflictions=tuple(_with_end(each, change) for each in entry.afflictions),
    )


def _with_end(affliction: InflictedCondition, change: EntryOverride) -> InflictedCondition:
    return msgspec.structs.replace(affliction, ends=change.ends or affliction.ends)


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
