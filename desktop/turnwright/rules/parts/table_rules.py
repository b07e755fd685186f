"""What the choices of a table make of the surroundings: rows read the other way, and whom they leave alone."""

from __future__ import annotations

import msgspec

from turnwright.encounter.prepared import Affliction, Entry, Environment
from turnwright.encounter.running import Combatant, Slot
from turnwright.encounter.state import Lookup
from turnwright.rules.catalogue.table_rules import RowChange, TableRule
from turnwright.rules.system import RuleSystem


def chosen(lookup: Lookup, rules: RuleSystem) -> list[TableRule]:
    """Return the table rules that are on in this encounter, usual ones included."""
    return [option for option in rules.catalogue.options if rules.option(lookup, option.id)]


def change_of(lookup: Lookup, rules: RuleSystem, environment: Environment, entry: str) -> RowChange | None:
    """Return how this table plays a row, None where it plays it as it stands."""
    origin = {environment.id, environment.source}
    for option in rules.catalogue.options:
        for change in option.rows:
            if change.entry == entry and change.environment in origin and rules.option(lookup, option.id):
                return change
    return None


def as_played(lookup: Lookup, rules: RuleSystem, environment: Environment, row: Entry) -> Entry:
    """Return a row as this table plays it."""
    change = change_of(lookup, rules, environment, row.id)
    if change is None:
        return row
    return msgspec.structs.replace(
        row,
        damage=change.damage or row.damage,
        within=change.within or row.within,
        affects=change.affects or row.affects,
        afflictions=tuple(_ending(each, change) for each in row.afflictions),
    )


def _ending(affliction: Affliction, change: RowChange) -> Affliction:
    return msgspec.structs.replace(affliction, ends=change.ends or affliction.ends)


def is_left_alone(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether the surroundings leave somebody alone: one without a place in the order, where the table says so."""
    combatant = lookup.get(Combatant, who)
    if combatant is None or not any(option.spares_bystanders for option in chosen(lookup, rules)):
        return False
    return not any(who in slot.members for slot in lookup.all(Slot))


def may_end_too(lookup: Lookup, rules: RuleSystem, condition: str) -> tuple[str, ...]:
    """Return the conditions that getting free of another may end as well, by this table's choice."""
    return tuple(other for option in chosen(lookup, rules) for ended, other in option.may_end if ended == condition)


def feature_lists(
    lookup: Lookup, rules: RuleSystem, environment: Environment
) -> tuple[tuple[str, tuple[Entry, ...]], ...]:
    """Return a place's standing features as lists under word keys: what helps and what hinders, or all in one."""
    rows = tuple(row for row in environment.features if row.enabled)
    if any(option.one_list for option in chosen(lookup, rules)):
        return (("features-all", rows),)
    hinders = tuple(row for row in rows if is_hindrance(row))
    return (("features-help", tuple(row for row in rows if row not in hinders)), ("features-hinder", hinders))


def is_hindrance(row: Entry) -> bool:
    """Return whether a row harms or hampers by itself whoever comes near it, instead of being there to be used."""
    by_itself = row.trigger in ("touch", "turn-end", "dash", "standing", "disturbed")
    return by_itself and bool(
        row.save or row.damage or row.afflictions or row.terrain or row.obscured or row.hearing or row.fatigue
    )
