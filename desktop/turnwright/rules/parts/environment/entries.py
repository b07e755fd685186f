"""Environment features and world actions in play: their state, their areas, the combatants they affect, and triggers.

A feature without an area covers its whole environment. An environment without an area covers the whole map. House rules
can change features and world actions, and exempt combatants. Terms of another game without an entry in the conversion
table are kept. The game master is asked about them in play.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import Final

import msgspec

from turnwright.battlemap.spaces import Space, footprint
from turnwright.dice.expression import Edge, Modifier
from turnwright.encounter.prepared import (
    OBJECT,
    Area,
    Check,
    Environment,
    EnvironmentEntry,
    InflictedCondition,
    Map,
    Obstacle,
    Point,
    SavingThrow,
)
from turnwright.encounter.running import Combatant, DoorState, Effect, EntryState, ObstacleState, Slot, entry_state_id
from turnwright.encounter.state import Lookup, effects_named, standing_areas
from turnwright.rules.parts.combatants.facts import condition_names
from turnwright.rules.system import NO_RESULT, EntryOffer, HookContext, HookResult, RuleSystem, creature_of
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.numbers import ActionOption
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
    if combatant is None or not any(option.ignores_bystanders for option in enabled_options(lookup, rules)):
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
    names = [*(each.condition for each in entry.afflictions), *([rules.role("fatigue")] if entry.fatigue else [])]
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
        unaffected=tuple(_statement(table, each) for each in entry.unaffected),
        reduced=_statement(table, entry.reduced),
        afflictions=tuple(_affliction(table, each) for each in entry.afflictions),
        **{name: convert_distance(table, getattr(entry, name)) for name in ("push", "teleport", "hearing")},
        range=_NUMBER.sub(lambda match: str(convert_distance(table, int(match[0]))), entry.range),
        **{
            name: _translated_text(table, getattr(entry, name))
            for name in ("name", "text", "short", "within", "cover_when")
        },
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
    conditions = dict(table.conditions)
    return msgspec.structs.replace(
        affliction,
        condition=conditions.get(affliction.condition, affliction.condition),
        bound_to=conditions.get(affliction.bound_to, affliction.bound_to),
        break_free=dict(table.costs).get(affliction.break_free, affliction.break_free),
    )


def _statement(table: Translation, statement: str) -> str:
    damage = dict(table.damage)
    return _ARGUMENT.sub(lambda match: damage.get(match[0], match[0]), statement)


def _translated_text(table: Translation, text: str) -> str:
    for foreign, own in table.words:
        text = text.replace(foreign, own)
    return text


Squares = frozenset[Point]


def current_map(lookup: Lookup) -> Map | None:
    """Return the map with walls of spells and its doors' state, without broken obstacles, or None without a grid."""
    battle_map = lookup.get(Map, Map.table)
    if battle_map is None or not battle_map.columns or not battle_map.rows:
        return None
    states, doors = tuple(lookup.all(ObstacleState)), tuple(lookup.all(DoorState))
    walls = tuple(section for area in standing_areas(lookup) for section in area.sections)
    return _as_it_stands(battle_map, states, doors, walls) if states or doors or walls else battle_map


@lru_cache(maxsize=8)
def _as_it_stands(
    battle_map: Map, states: tuple[ObstacleState, ...], doors: tuple[DoorState, ...], walls: tuple[Obstacle, ...]
) -> Map:
    by_id = {state.id: state for state in states}
    things = tuple(
        msgspec.structs.replace(each, hp=state.hp) if (state := by_id.get(each.id)) and state.hp is not None else each
        for each in (*battle_map.obstacles, *walls)
        if each.id not in by_id or not by_id[each.id].broken
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
    if rules is None or (creature.space and size_of(lookup, rules, who) == creature.size):
        return creature.space or field.cell
    return next((size.space for size in rules.data.sizes if size.id == size_of(lookup, rules, who)), field.cell)


def size_of(lookup: Lookup, rules: RuleSystem, who: str) -> str:
    """Return the id of a combatant's size: that of its stat block or form, with the steps of effects."""
    size = creature_of(lookup, lookup.need(Combatant, who)).size
    changes = [rule for effect in lookup.of(Effect, who) for rule in effect.rules if rule.what == "size"]
    sizes = [each.id for each in rules.data.sizes]
    if not changes or size not in sizes:
        return size
    own = next((rule.set for rule in reversed(changes) if rule.set is not None), sizes.index(size))
    return sizes[max(0, min(own + sum(rule.add or 0 for rule in changes), len(sizes) - 1))]


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
    return {key: frozenset(squares) for key, squares in by_feature.items()}


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
    return broad == "attack" and on in context.tags if on in ("melee", "ranged") else on in ("", broad)


def extra_points(lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption) -> int:
    """Return the surcharge in points for an action at a combatant's place."""
    costly_rows = active_features(lookup, who, rules, lambda row: row.extra_costs)
    return sum(dict(row.extra_costs).get(option.id, 0) for _, row in costly_rows)
