"""One leg of a move: what it costs, what stands in its way, and where everybody who comes along stands after it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import msgspec

from turnwright.battlemap.occupancy import stands
from turnwright.battlemap.spaces import squares_across
from turnwright.dice.roll import Modifier
from turnwright.encounter.pending import Journey
from turnwright.encounter.prepared import Environment, Map, Point
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.figures import Figure
from turnwright.rules.parts import positions
from turnwright.rules.parts.areas import lies_in, map_of
from turnwright.rules.parts.elsewhere import Elsewhere
from turnwright.rules.parts.field import field_of, ground_at
from turnwright.rules.parts.movement import way_of
from turnwright.rules.parts.riding import body_of, carried_by
from turnwright.rules.parts.speeds import WALK
from turnwright.rules.parts.statements import effects_on
from turnwright.rules.parts.surroundings import ground_cost
from turnwright.rules.system import Going, RuleSystem

SLIDING = "sliding"


class Leg(msgspec.Struct, frozen=True):
    """A leg: feet and their price, those who are moved as they then stand, and the grounds first trodden on.

    `way` is the direction taken where the ground remembers it; `hard`: it comes onto difficult ground.
    """

    feet: int
    price: Figure
    moved: tuple[Combatant, ...] = ()
    grounds: tuple[str, ...] = ()
    way: str = ""
    hard: bool = False


def leg_at(lookup: Lookup, rules: RuleSystem, journey: Journey) -> Leg:
    """Return the next leg of a move: the next square, or without a grid all of it."""
    field = map_of(lookup)
    if journey.path and field is not None:
        return _square(lookup, rules, journey, field)
    return _whole(lookup, journey)


def stands_after(lookup: Lookup, journey: Journey, leg: Leg) -> Lookup | None:
    """Return how things will stand after a leg, None where no grid says so."""
    return Elsewhere(lookup, leg.moved) if journey.path else None


def _whole(lookup: Lookup, journey: Journey) -> Leg:
    pulled = (journey.drags,) if lookup.get(Combatant, journey.drags) else ()
    moved = tuple(
        msgspec.structs.replace(one, elevation=one.elevation + journey.up)
        for who in (*carried_by(lookup, journey.who), *pulled)
        if (one := lookup.get(Combatant, who)) is not None and journey.up
    )
    grounds = (journey.through,) if journey.through else ()
    hard = ground_cost(lookup, journey.through, turned=False) is not None
    return Leg(journey.feet, Figure(journey.cost, journey.why), moved, grounds, hard=hard)


# On a grid ---------------------------------------------------------------------------------------------------------


def _square(lookup: Lookup, rules: RuleSystem, journey: Journey, field: Map) -> Leg:
    body = lookup.need(Combatant, body_of(lookup, journey.who))
    to, here = journey.path[journey.done], body.position or journey.path[journey.done]
    height = height_at(lookup, rules, journey, body)
    feet = max(_feet(journey, here, to, field), abs(height - body.elevation) if _is_in_air(rules, journey.mode) else 0)
    if here == to:
        feet = abs(height - body.elevation)
    turned, way = _direction(lookup, rules, journey, here, to)
    going = Going(
        feet,
        journey.mode,
        ground=None
        if _is_in_air(rules, journey.mode)
        else positions.ground_cost_at(lookup, rules, body.id, to, turned=turned),
        terrain=_terrain(lookup, rules, journey, to),
        up=height - body.elevation if here == to else 0,
        drags=journey.drags,
        squeezing=positions.way_through(lookup, rules, body.id, to, height) == "squeezes",
    )
    price = Figure(0) if journey.free else rules.movement.cost(lookup, rules, journey.who, going)
    moved = placed_at(lookup, rules, journey.who, to, height)
    after = Elsewhere(lookup, moved)
    moved = (*moved, *_pulled(after, rules, journey, here, to))
    grounds = _new_grounds(lookup, Elsewhere(lookup, moved), rules, body.id, journey)
    return Leg(feet, price, moved, grounds, way, hard=going.ground is not None)


def _feet(journey: Journey, here: Point, to: Point, field: Map) -> int:
    """Return the feet of one step: a square's side, twice that for every second diagonal where the table counts so."""
    if field.diagonals != "alternating" or not _is_diagonal(here, to):
        return field.cell
    so_far = (*((journey.start,) if journey.start else ()), *journey.path[: journey.done])
    before = sum(1 for one, other in pairwise(so_far) if _is_diagonal(one, other))
    return field.cell * (1 + before % 2)


def _is_diagonal(here: Point, to: Point) -> bool:
    return here[0] != to[0] and here[1] != to[1]


def _is_in_air(rules: RuleSystem, mode: str) -> bool:
    return mode in rules.catalogue.movement.in_air


def height_at(lookup: Lookup, rules: RuleSystem, journey: Journey, body: Combatant) -> int:
    """Return the elevation at the next square: the one given, that of the ground, or in the air the one flown at."""
    to = journey.path[journey.done]
    if journey.done < len(journey.heights):
        return journey.heights[journey.done]
    floor = ground_at(lookup, to, squares_across(positions.space_of(lookup, rules, body.id)))
    return max(floor, body.elevation) if _is_in_air(rules, journey.mode) else floor


def _terrain(lookup: Lookup, rules: RuleSystem, journey: Journey, to: Point) -> str:
    """Return the mode that a square asks of whoever walks into it: water is swum, what is steep climbed."""
    grid = field_of(lookup)
    if grid is None or to not in grid or way_of(lookup, rules, journey.who, journey.mode) != WALK:
        return ""
    column, row = to
    return "swim" if grid.water[row, column] else "climb" if grid.climb[row, column] else ""


def _direction(lookup: Lookup, rules: RuleSystem, journey: Journey, here: Point, to: Point) -> tuple[bool, str]:
    """Return whether a step turns from the direction first taken on such ground, and that direction where it counts."""
    body = body_of(lookup, journey.who)
    way = f"{to[0] - here[0]},{to[1] - here[1]}"
    first = next((effect.until for effect in effects_on(lookup, body) if effect.name == SLIDING), "")
    straight = positions.ground_cost_at(lookup, rules, body, to)
    aside = positions.ground_cost_at(lookup, rules, body, to, turned=True)
    if straight == aside:
        return False, ""
    return bool(first) and first != way, "" if first else way


def placed_at(lookup: Lookup, rules: RuleSystem, who: str, to: Point, elevation: int | None) -> tuple[Combatant, ...]:
    """Return those who move together, as they stand at a square; without an elevation on the ground there."""
    body = body_of(lookup, who)
    if elevation is None:
        elevation = ground_at(lookup, to, squares_across(positions.space_of(lookup, rules, body)))
    return tuple(
        msgspec.structs.replace(lookup.need(Combatant, one), position=to, elevation=elevation)
        for one in carried_by(lookup, who)
    )


def _pulled(after: Lookup, rules: RuleSystem, journey: Journey, here: Point, to: Point) -> tuple[Combatant, ...]:
    """Return whoever is dragged: as far on as the one who drags where there is room, else where that one was."""
    ally = after.get(Combatant, journey.drags) if journey.drags else None
    if ally is None or ally.position is None:
        return ()
    ahead = (ally.position[0] + to[0] - here[0], ally.position[1] + to[1] - here[1])
    grid = field_of(after)
    for square in (ahead, here):
        height = ground_at(after, square)
        there = positions.space_at(after, rules, ally.id, square, height)
        if (
            grid is not None
            and stands(grid, there)
            and positions.may_end(after, rules, ally.id, square, height) is None
        ):
            return (msgspec.structs.replace(ally, position=square, elevation=height),)
    return ()


def _new_grounds(before: Lookup, after: Lookup, rules: RuleSystem, who: str, journey: Journey) -> tuple[str, ...]:
    """Return the environments that somebody comes into, on the first step also those they stand in."""
    found = []
    for environment in before.all(Environment):
        if environment.id in before.need(Combatant, who).outside:
            continue
        was, is_now = (lies_in(one, who, environment.id, rules=rules) is not False for one in (before, after))
        if is_now and (not was or not journey.done):
            found.append(environment.id)
    return tuple(found)


def together(prices: Iterable[Figure]) -> Figure:
    """Return the sum of prices with each reason once."""
    totals: dict[tuple[str, str], int] = {}
    for price in prices:
        for part in price.parts:
            totals[part.reason, part.rule] = totals.get((part.reason, part.rule), 0) + part.value
    parts = tuple(Modifier(value, reason, rule) for (reason, rule), value in totals.items())
    return Figure(sum(part.value for part in parts), parts)
