"""Occupied squares: who may pass or stay, how many stand around a target, and what the ground costs."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.battlemap.distance import adjacent
from turnwright.battlemap.occupancy import crowded, fits, narrower, room_around, stands, surround
from turnwright.battlemap.spaces import Space, footprint, share_a_square, squares_across
from turnwright.dice.roll import Modifier
from turnwright.encounter.prepared import Environment, Point
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import Veto
from turnwright.rules.parts.environment.areas import area_squares, current_map, terrain_squares
from turnwright.rules.parts.environment.entries import entry_rule, is_active
from turnwright.rules.parts.positions.geometry import (
    are_hostile,
    combatants_near,
    distance,
    effective_side,
    possibly_within,
    size_index,
    space,
    space_at,
)
from turnwright.rules.parts.positions.lasting_areas import hindering_areas, lasting_squares
from turnwright.rules.parts.positions.map_geometry import drawing_lines, map_grid
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.places import Terrain

DIFFICULT = "difficult"


def enter_veto(lookup: Lookup, rules: RuleSystem, who: str, square: Point, elevation: int) -> Veto | None:
    """Return why a combatant can't walk through a square (the upper left of its space there), None where it can.

    Friends let it through; a foe does if it tumbles past, or is larger by enough sizes. Walls are checked with the
    route.
    """
    there = space_at(lookup, rules, who, square, elevation)
    for other in _occupants(lookup, rules, who, there):
        if not _lets_through(lookup, rules, who, other):
            return _occupied_veto(lookup, other, rules.rule_id("size.pass-through"))
    return None


def stay_veto(lookup: Lookup, rules: RuleSystem, who: str, square: Point, elevation: int) -> Veto | None:
    """Return why a combatant can't stay on a square, None where it can. Small spaces share a square."""
    there = space_at(lookup, rules, who, square, elevation)
    holders = _holders(lookup, rules, who, there)
    if not holders:
        return None
    rule = rules.rule_id("size.no-ending") or rules.rule_id("size.pass-through")
    return _surround_veto(lookup, rules, who, there) or _occupied_veto(lookup, holders[0], rule)


def can_stay(lookup: Lookup, rules: RuleSystem, who: str, square: Point, elevation: int) -> bool:
    """Return whether others leave a combatant room to stay on a square."""
    return not _holders(lookup, rules, who, space_at(lookup, rules, who, square, elevation))


def _holders(lookup: Lookup, rules: RuleSystem, who: str, there: Space) -> list[str]:
    """Return those who hold a space so that there is no room for one more, none where there is."""
    holders = list(_occupants(lookup, rules, who, there))
    taken = [each for other in holders if (each := space(lookup, rules, other)) is not None]
    field = current_map(lookup)
    return holders if holders and field is not None and crowded(there, taken, field.cell) else []


def join_veto(lookup: Lookup, rules: RuleSystem, who: str, target: str) -> Veto | None:
    """Return the veto on standing next to a target that is surrounded already."""
    if not fully_surrounded(lookup, rules, target, who):
        return None
    label = lookup.need(Combatant, target).label
    return Veto("refused.surrounded", rules.rule_id("size.surround-limit"), (("who", label),))


def max_around(lookup: Lookup, rules: RuleSystem, target: str, side: float = 5) -> int | None:
    """Return how many creatures with a space of `side` feet fit around a target; None where there is no limit.

    The sizes' own counts are for spaces of one square; for others the squares around it are counted.
    """
    figures = rules.data.places
    if figures.count_option and rules.has_option(lookup, figures.count_option):
        return None
    taken = effective_side(lookup, rules, target)
    size = rules.data.sizes[size_index(lookup, rules, target)]
    if side == figures.near and taken == size.space:
        return size.around
    counted = len(surround(Space(0, 0, side=taken), side, cell=figures.near))
    return max(counted, size.around) if size.or_more and side == figures.near else counted


def fully_surrounded(lookup: Lookup, rules: RuleSystem, target: str, by: str = "") -> bool:
    """Return whether there is no room left around a target for `by`, or for one more of one square."""
    around = _adjacent_to(lookup, rules, target, by)
    side = effective_side(lookup, rules, by) if by else rules.data.places.near
    limit = max_around(lookup, rules, target, side)
    if limit is None:
        return False
    field, here = current_map(lookup), space(lookup, rules, target)
    if field is None or here is None:
        return len(around) >= limit
    standing = [each for one in around if (each := space(lookup, rules, one)) is not None]
    return room_around(here, side, cell=field.cell, standing=standing) == 0


def fit_at(lookup: Lookup, rules: RuleSystem, who: str, square: Point, elevation: int = 0) -> str:
    """Return how a combatant gets through a place on the map: it `fits`, it `squeezes`, or `no`."""
    field = map_grid(lookup)
    there = space_at(lookup, rules, who, square, elevation)
    if field is None or fits(field, there):
        return "fits"
    smaller: Space | None = there
    for _ in range(rules.data.places.squeezing):
        smaller = narrower(smaller, [size.space for size in rules.data.sizes]) if smaller else None
        if smaller is not None and stands(field, smaller):
            return "squeezes"
    return "no"


def ground_cost_at(
    lookup: Lookup, rules: RuleSystem, who: str, square: Point, *, turned: bool = False
) -> Modifier | None:
    """Return the extra cost of each foot into a square: the worst of the ground there, once; None on plain ground.

    `turned`: in another direction than the one first taken, which some ground asks about.
    """
    found = list(_grounds(lookup, rules, who, square, turned=turned))
    return max(found, key=lambda one: one.value) if found else None


def _grounds(lookup: Lookup, rules: RuleSystem, who: str, square: Point, *, turned: bool) -> Iterator[Modifier]:
    field = current_map(lookup)
    if field is None:
        return
    kinds = {terrain.id: terrain for terrain in rules.data.terrains}
    across = squares_across(effective_side(lookup, rules, who), field.cell)
    squares = set(footprint(Space(*square, side=across * field.cell), field.cell))
    signs = drawing_lines(field.ground, field.columns, field.rows)
    plain = kinds.get(DIFFICULT, Terrain(DIFFICULT, DIFFICULT))
    if any(
        0 <= row < field.rows and 0 <= column < field.columns and signs[row][column] == "," for column, row in squares
    ):
        yield _ground(plain, f"<terrain.{plain.id}>", plain)
    spot = space_at(lookup, rules, who, square, lookup.need(Combatant, who).elevation)
    if rules.data.places.occupied and any(_occupants(lookup, rules, who, spot)):
        yield Modifier(plain.extra, "why.occupied", rules.rule_id("terrain.occupied"))
    for name, lying in terrain_squares(field).items():
        if squares & lying:
            kind = kinds.get(name)
            yield _ground(kind or plain, f"<terrain.{name}>" if kind else name, kind or plain)
    for laid in hindering_areas(lookup, who):
        if squares & lasting_squares(lookup, rules, laid):
            yield _ground(plain, laid.name, plain)
    outside = lookup.need(Combatant, who).outside
    for environment in lookup.all(Environment):
        for row in environment.features if environment.id not in outside else ():
            area = area_squares(field, environment.id, row.id)
            here = area is None or bool(squares & area)
            if here and row.terrain and (turned or not row.redirect) and is_active(lookup, environment, row):
                yield Modifier(plain.extra, row.name, entry_rule(row))


def _ground(terrain: Terrain, reason: str, cited: Terrain) -> Modifier:
    return Modifier(terrain.extra, reason, cited.ledger[0] if cited.ledger else "")


def _occupants(lookup: Lookup, rules: RuleSystem, who: str, there: Space) -> Iterator[str]:
    """Yield those whose space overlaps a space to take. The dead hold nothing; mounts bear their riders."""
    field = current_map(lookup)
    mover = lookup.need(Combatant, who)
    for other in combatants_near(lookup, rules, there):
        together = other.id in (who, mover.rides) or other.rides == who
        together = together or bool(mover.rides and mover.rides == other.rides)
        taken = space(lookup, rules, other.id)
        if field is None or taken is None or together or other.dead:
            continue
        if share_a_square(there, taken, field.cell) and there.overlaps_in_height(taken):
            yield other.id


def _lets_through(lookup: Lookup, rules: RuleSystem, who: str, other: str) -> bool:
    if not are_hostile(lookup, who, other):
        return True
    if any(effect.name == rules.role("moving-through") and effect.by == other for effect in lookup.of(Effect, who)):
        return True
    figures = rules.data.places
    larger = size_index(lookup, rules, who) - size_index(lookup, rules, other)
    return larger >= figures.passing or 0 < figures.passing_under <= -larger


def _occupied_veto(lookup: Lookup, other: str, rule: str) -> Veto:
    return Veto("refused.occupied", rule, (("who", lookup.need(Combatant, other).label),))


def _surround_veto(lookup: Lookup, rules: RuleSystem, who: str, there: Space) -> Veto | None:
    """Return the veto of a foe next to the place that has no room around it any more, None without such a foe."""
    field = current_map(lookup)
    for foe in combatants_near(lookup, rules, there, squares=1):
        taken = space(lookup, rules, foe.id)
        if field is None or taken is None or not are_hostile(lookup, who, foe.id) or foe.dead:
            continue
        beside = adjacent(there, taken, cell=field.cell) and not share_a_square(there, taken, field.cell)
        if beside and (veto := join_veto(lookup, rules, who, foe.id)) is not None:
            return veto
    return None


def _adjacent_to(lookup: Lookup, rules: RuleSystem, target: str, but: str) -> list[str]:
    """Return those known to stand next to a target."""
    near = rules.data.places.near
    found = []
    for one in possibly_within(lookup, rules, target, near):
        linked = one.rides == target or lookup.need(Combatant, target).rides == one.id
        if one.id in (target, but) or one.dead or linked:
            continue
        feet = distance(lookup, rules, one.id, target)
        if feet is not None and 0 < feet <= near:
            found.append(one.id)
    return found
