"""Environment features and world actions in play: their state, the combatants they affect, and their triggers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from math import prod
from typing import Final

from turnwright.dice.roll import Modifier
from turnwright.encounter.lookups import effects_named
from turnwright.encounter.prepared import Environment, EnvironmentEntry
from turnwright.encounter.running import Combatant, EntryState, entry_state_id
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import NO_RESULT, EntryOffer, HookContext, HookResult
from turnwright.rules.parts.combatants.facts import condition_names
from turnwright.rules.parts.environment.areas import is_on_area
from turnwright.rules.parts.environment.table_rules import entry_override, is_exempt
from turnwright.rules.system import RuleSystem

_WORD: Final = re.compile(r"[a-z][a-z-]+")
NO_HEARING_LIMIT: Final = 1_000_000  # in feet


def entry_state(lookup: Lookup, environment: str, entry: str) -> EntryState:
    """Return the current state of an entry. An entry that was never used is ready and intact."""
    id = entry_state_id(environment, entry)
    return lookup.get(EntryState, id) or EntryState(id=id, environment=environment, entry=entry)


def is_in_area(lookup: Lookup, who: str, environment: str, feature: str = "", rules: RuleSystem | None = None) -> bool:
    """Return whether a combatant is in the area of an environment, or of one of its features.

    Without a map, a combatant is inside unless it is listed as outside. Without `rules`, its space counts as one
    square.
    """
    combatant = lookup.get(Combatant, who)
    if combatant is None or environment in combatant.outside:
        return False
    return is_on_area(lookup, who, environment, feature, rules) is not False


def active_features(
    lookup: Lookup,
    who: str,
    rules: RuleSystem | None = None,
    wanted: Callable[[EnvironmentEntry], object] = lambda _: True,
) -> Iterator[tuple[Environment, EnvironmentEntry]]:
    """Yield the enabled, intact features that match `wanted` at a combatant's place.

    The place is checked last because that is slow.
    """
    for environment in lookup.all(Environment):
        for row in environment.features:
            is_meant = wanted(row) and is_active(lookup, environment, row)
            if is_meant and is_in_area(lookup, who, environment.id, row.id, rules):
                yield environment, row


def is_active(lookup: Lookup, environment: Environment, entry: EnvironmentEntry) -> bool:
    """Return whether an entry is enabled and intact."""
    return entry.enabled and not entry_state(lookup, environment.id, entry.id).broken


def eligible_targets(
    lookup: Lookup, environment: Environment, entry: EnvironmentEntry, rules: RuleSystem | None = None
) -> list[Combatant]:
    """Return the living combatants in an entry's area, except exempt ones and those that it can't affect again."""
    had = entry_state(lookup, environment.id, entry.id).targeted if entry.once == "encounter" else ()
    change = entry_override(lookup, rules, environment, entry.id) if rules else None
    where = (change.where if change else "") or entry.id
    return [
        combatant
        for combatant in lookup.all(Combatant)
        if not combatant.dead
        and combatant.id not in had
        and not (rules and is_exempt(lookup, rules, combatant.id))
        and is_in_area(lookup, combatant.id, environment.id, where, rules)
    ]


def on_turn_ending(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the entries that affect a combatant whose turn ends in their area, at TURN_ENDING."""
    offers = tuple(
        EntryOffer(environment.id, row.id, context.who)
        for environment, row in active_features(lookup, context.who, rules)
        if row.trigger == "turn-end"
    )
    return HookResult(offers=offers) if offers else NO_RESULT


def on_moved(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the ground's entries that affect a combatant dashing across it, at MOVED."""
    ground, dashing = lookup.get(Environment, context.subject), rules.data.movement.hastened_by
    if ground is None or not dashing or dashing not in condition_names(lookup, rules, context.who):
        return NO_RESULT
    rows = [row for row in ground.features if is_active(lookup, ground, row) and row.trigger == "dash"]
    return HookResult(offers=tuple(EntryOffer(ground.id, row.id, context.who) for row in rows))


def damage_per_die_bonus(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the bonus of 1 per die for damage types that the place makes worse, at DAMAGE_INCOMING."""
    part = context.part
    if part is None or not part.dice or not part.kind:
        return NO_RESULT
    modifiers = tuple(
        Modifier(part.dice, row.name, entry_rule(row, rules.rule_id("env.rule.thunder-per-die")))
        for _, row in active_features(lookup, context.who, rules)
        if row.per_die == part.kind
    )
    return HookResult(modifiers=modifiers)


def words_in(text: str) -> frozenset[str]:
    """Return the words of a name in lower case, which features use to refer to terrain and obscurity."""
    return frozenset(_WORD.findall(text.casefold()))


def entry_rule(entry: EnvironmentEntry, rule: str = "") -> str:
    """Return the ledger id that an entry cites: `rule` if the entry lists it, else its first."""
    return rule if rule and rule in entry.rules else entry.rules[0] if entry.rules else ""


def ground_cost(lookup: Lookup, environment: str, turned: bool) -> Modifier | None:
    """Return the surcharge per foot on an environment's ground, which is 1 if it is difficult."""
    ground = lookup.get(Environment, environment)
    for row in ground.features if ground else ():
        if row.enabled and row.terrain == "difficult" and (turned or not row.redirect):
            return Modifier(1, row.name, entry_rule(row))
    return None


def hearing_limit(lookup: Lookup, rules: RuleSystem, listener: str) -> int:
    """Return the distance in feet at which a listener hears sounds that aren't loud, at most `NO_HEARING_LIMIT`."""
    limits = [row.hearing for _, row in active_features(lookup, listener) if row.hearing]
    limits += [effect.value for effect in effects_named(lookup, listener, rules.role("hearing-limited"))]
    return min(limits, default=NO_HEARING_LIMIT)


def sound_factor(lookup: Lookup, who: str) -> int:
    """Return the factor by which sound carries farther at a combatant's place."""
    return prod(row.sound for _, row in active_features(lookup, who))


def visibility(lookup: Lookup, who: str, rules: RuleSystem | None = None, without: frozenset[str] = frozenset()) -> str:
    """Return `clear`, `lightly obscured` or `heavily obscured` for a combatant's place.

    Features whose names contain a word in `without` don't count.
    """
    obscures = active_features(
        lookup, who, rules, lambda row: row.obscured and (not without or without.isdisjoint(words_in(row.name)))
    )
    grades = {row.obscured for _, row in obscures}
    return next((f"{grade} obscured" for grade in ("heavily", "lightly") if grade in grades), "clear")
