"""Environment features and world actions in play: their state, the combatants they affect, and their triggers.

The areas of environments and their features on the map, and the combatants in them.

A feature without an area covers its whole environment. An environment without an area covers the whole map.

Additional effects that the game master entered for a place: edges on rolls, and higher prices of actions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import lru_cache
from math import prod
from types import MappingProxyType
from typing import Final

import msgspec

from turnwright.battlemap.spaces import Space, footprint
from turnwright.dice.roll import Edge, Modifier
from turnwright.encounter.lookups import effects_named
from turnwright.encounter.prepared import Area, Environment, EnvironmentEntry, Map, Point
from turnwright.encounter.running import Combatant, DoorState, EntryState, ObstacleState, entry_state_id
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import NO_RESULT, EntryOffer, HookContext, HookResult
from turnwright.rules.parts.combatants.facts import condition_names
from turnwright.rules.parts.environment.table_rules import entry_override, is_exempt
from turnwright.rules.system import RuleSystem, creature_of
from turnwright.rules.system_data.actions import ActionOption

Squares = frozenset[Point]


def current_map(lookup: Lookup) -> Map | None:
    """Return the map without broken obstacles and with the current state of its doors, or None if there is no grid."""
    battle_map = lookup.get(Map, Map.table)
    if battle_map is None or not battle_map.columns or not battle_map.rows:
        return None
    states, doors = tuple(lookup.all(ObstacleState)), tuple(lookup.all(DoorState))
    return _as_it_stands(battle_map, states, doors) if states or doors else battle_map


@lru_cache(maxsize=8)
def _as_it_stands(battle_map: Map, states: tuple[ObstacleState, ...], doors: tuple[DoorState, ...]) -> Map:
    by_id = {state.id: state for state in states}
    things = tuple(
        msgspec.structs.replace(obstacle, hp=state.hp)
        if (state := by_id.get(obstacle.id)) and state.hp is not None
        else obstacle
        for obstacle in battle_map.obstacles
        if obstacle.id not in by_id or not by_id[obstacle.id].broken
    )
    is_open = {state.id: state.open for state in doors}
    standing = tuple(msgspec.structs.replace(door, open=is_open.get(door.id, door.open)) for door in battle_map.doors)
    return msgspec.structs.replace(battle_map, obstacles=things, doors=standing)


def space_side(lookup: Lookup, rules: RuleSystem | None, who: str) -> float:
    """Return the side of a combatant's space in feet. Without rules that define sizes, it is one square."""
    field = current_map(lookup) or Map()
    combatant = lookup.get(Combatant, who)
    if combatant is None:
        return field.cell
    creature = creature_of(lookup, combatant)
    if creature.space or rules is None:
        return creature.space or field.cell
    return next((size.space for size in rules.data.sizes if size.id == creature.size), field.cell)


def area_squares(battle_map: Map, environment: str, feature: str = "") -> Squares | None:
    """Return the squares of a feature, or else of its environment. None means everywhere, because no area was drawn."""
    areas = _drawn(battle_map.areas)
    if feature and (environment, feature) in areas:
        return areas[environment, feature]
    return areas.get((environment, ""))


def feature_squares(battle_map: Map, environment: str, feature: str) -> Squares:
    """Return the squares drawn for this feature. Empty if only its environment has an area."""
    return _drawn(battle_map.areas).get((environment, feature), frozenset())


def terrain_squares(battle_map: Map) -> Mapping[str, Squares]:
    """Return the squares of areas that belong to no environment, by kind of terrain."""
    return {feature: squares for (place, feature), squares in _drawn(battle_map.areas).items() if feature and not place}


def is_on_area(
    lookup: Lookup, who: str, environment: str, feature: str = "", rules: RuleSystem | None = None
) -> bool | None:
    """Return whether a combatant's space touches the area of a feature, or None without a map, position or area."""
    field, combatant = current_map(lookup), lookup.get(Combatant, who)
    if field is None or combatant is None or combatant.position is None:
        return None
    squares = area_squares(field, environment, feature)
    side = space_side(lookup, rules, who)
    return None if squares is None else overlaps(squares, combatant.position, side, field.cell)


def is_on_any_area(lookup: Lookup, who: str, environment: str, rules: RuleSystem | None = None) -> bool:
    """Return whether a combatant is on the area of an environment or of one of its features, according to the map."""
    field, combatant = current_map(lookup), lookup.get(Combatant, who)
    if field is None or combatant is None or combatant.position is None:
        return False
    side = space_side(lookup, rules, who)
    areas = (squares for (place, _), squares in _drawn(field.areas).items() if place == environment)
    return any(overlaps(squares, combatant.position, side, field.cell) for squares in areas)


def overlaps(squares: Collection[Point], at: Point, side: float, cell: int) -> bool:
    """Return whether a space of `side` feet with its upper left square at `at` includes one of the squares."""
    return any(square in squares for square in footprint(Space(*at, side=max(side, 1)), cell))


@lru_cache(maxsize=32)
def _drawn(areas: tuple[Area, ...]) -> Mapping[tuple[str, str], Squares]:
    by_feature: dict[tuple[str, str], set[Point]] = {}
    for area in areas:
        squares = by_feature.setdefault((area.environment, area.feature), set())
        for column, row, wide, high in area.squares:
            squares.update(
                (across, down)
                for across in range(column, column + min(wide, 500))
                for down in range(row, row + min(high, 500))
            )
    return MappingProxyType({key: frozenset(squares) for key, squares in by_feature.items()})


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


def on_rolls(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the edges that features give to rolls made in their area, at CHECK_MADE."""
    if context.subject.endswith("-against"):
        return NO_RESULT
    rows = active_features(lookup, context.who, rules, lambda row: row.edge and _applies_to(row.edge_on, context))
    edges = tuple(
        Edge(row.edge, row.name, entry_rule(row) or rules.rule_id("scene.edge")) for _, row in rows if row.edge
    )
    return HookResult(edges=edges) if edges else NO_RESULT


def _applies_to(on: str, context: HookContext) -> bool:
    """Return whether an effect on `on` applies to a roll: all rolls, attacks, saves, checks, or melee or ranged."""
    broad = context.subject.partition(".")[0]
    if on in ("melee", "ranged"):
        return broad == "attack" and on in context.tags
    return on in ("", broad)


def extra_points(lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption) -> int:
    """Return the surcharge in points for an action at a combatant's place."""
    dearer_rows = active_features(lookup, who, rules, lambda row: row.dearer)
    return sum(dict(row.dearer).get(option.id, 0) for _, row in dearer_rows)
