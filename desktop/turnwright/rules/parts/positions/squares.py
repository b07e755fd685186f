"""Occupied squares: passing through and staying, how many fit around a target, and the cost of terrain."""

from collections.abc import Iterator

from turnwright.battlemap import paths
from turnwright.battlemap.paths import fits
from turnwright.battlemap.spaces import Space, adjacent, footprint, share_a_square, squares_across
from turnwright.dice.expression import Modifier
from turnwright.encounter.prepared import Environment, Point
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.combatants.facts import condition_names
from turnwright.rules.parts.environment.entries import area_squares, current_map, entry_rule, is_active, terrain_squares
from turnwright.rules.parts.positions import geometry
from turnwright.rules.system import RuleSystem, Veto
from turnwright.rules.system_data.places import Terrain

DIFFICULT = "difficult"
CREATURES, ENEMIES = "creatures", "enemies"  # terrain rules: it stops in others' spaces, or only moves through them
SHARED, NARROW = "shared", "narrow"  # others also stop in its space, or it fits through every gap


def enter_veto(lookup: Lookup, rules: RuleSystem, who: str, square: Point, elevation: int) -> Veto | None:
    """Return the veto on walking through a square (the upper left of the space), or None.

    Allies let the combatant pass. An enemy does so if the combatant tumbles past, or if their sizes differ enough.
    Walls are checked with the route.
    """
    for other in _occupants(lookup, rules, who, geometry.space_at(lookup, rules, who, square, elevation)):
        if not _lets_through(lookup, rules, who, other):
            return _occupied_veto(lookup, other, rules.rule_id("size.pass-through"))
    return None


def stay_veto(lookup: Lookup, rules: RuleSystem, who: str, square: Point, elevation: int) -> Veto | None:
    """Return the veto on staying on a square, or None. Small creatures can share a square."""
    there = geometry.space_at(lookup, rules, who, square, elevation)
    holders = _holders(lookup, rules, who, there)
    if not holders:
        return None
    rule = rules.rule_id("size.no-ending") or rules.rule_id("size.pass-through")
    return _surround_veto(lookup, rules, who, there) or _occupied_veto(lookup, holders[0], rule)


def can_stay(lookup: Lookup, rules: RuleSystem, who: str, square: Point, elevation: int) -> bool:
    """Return whether other combatants leave enough room to stay on a square."""
    return not _holders(lookup, rules, who, geometry.space_at(lookup, rules, who, square, elevation))


def _holders(lookup: Lookup, rules: RuleSystem, who: str, there: Space) -> list[str]:
    """Return the combatants that occupy a space, if they leave no room for another one."""
    holders = [one for one in _occupants(lookup, rules, who, there) if not _shares_space(lookup, rules, who, one)]
    spaces = [other_space for other in holders if (other_space := geometry.space(lookup, rules, other)) is not None]
    field = current_map(lookup)
    return holders if holders and field is not None and paths.crowded(there, spaces, field.cell) else []


def join_veto(lookup: Lookup, rules: RuleSystem, who: str, target: str) -> Veto | None:
    """Return the veto on moving next to a target that is already surrounded."""
    if not fully_surrounded(lookup, rules, target, who):
        return None
    label = lookup.need(Combatant, target).label
    return Veto("refused.surrounded", rules.rule_id("size.surround-limit"), (("who", label),))


def max_around(lookup: Lookup, rules: RuleSystem, target: str, side: float = 5) -> int | None:
    """Return the number of creatures with a space of `side` feet that fit around a target, or None if unlimited.

    The sizes' own counts apply to spaces of one square. For others, the squares around the target are counted.
    """
    settings = rules.data.places
    if settings.count_option and rules.has_option(lookup, settings.count_option):
        return None
    target_side = geometry.effective_side(lookup, rules, target)
    size = rules.data.sizes[geometry.size_index(lookup, rules, target)]
    if side == settings.near and target_side == size.space:
        return size.around
    count = len(paths.surround(Space(0, 0, side=target_side), side, cell=settings.near))
    return max(count, size.around) if size.or_more and side == settings.near else count


def fully_surrounded(lookup: Lookup, rules: RuleSystem, target: str, by: str = "") -> bool:
    """Return whether a target is surrounded, so that `by` (or else a creature of one square) has no room next to it."""
    around = _adjacent_to(lookup, rules, target, by)
    side = geometry.effective_side(lookup, rules, by) if by else rules.data.places.near
    limit = max_around(lookup, rules, target, side)
    if limit is None:
        return False
    field, here = current_map(lookup), geometry.space(lookup, rules, target)
    if field is None or here is None:
        return len(around) >= limit
    standing = [other_space for id in around if (other_space := geometry.space(lookup, rules, id)) is not None]
    return paths.room_around(here, side, cell=field.cell, standing=standing) == 0


def fit_at(lookup: Lookup, rules: RuleSystem, who: str, square: Point, elevation: int = 0) -> str:
    """Return whether a combatant `fits` through a place on the map, `seeps` or `squeezes`, or can't pass (`no`)."""
    field = geometry.map_grid(lookup)
    there = geometry.space_at(lookup, rules, who, square, elevation)
    if field is None or fits(field, there):
        return "fits"
    smaller: Space | None = there
    seeps = rules.feature_subjects(lookup, rules, who, "terrain", (NARROW,))
    for _ in rules.data.sizes if seeps else range(rules.data.places.squeezing):
        smaller = paths.narrower(smaller, [size.space for size in rules.data.sizes]) if smaller else None
        if smaller is not None and paths.stands(field, smaller):
            return "seeps" if seeps else "squeezes"
    return "no"


def ground_cost_at(
    lookup: Lookup, rules: RuleSystem, who: str, square: Point, *, turned: bool = False
) -> Modifier | None:
    """Return the surcharge per foot for the worst terrain on a square, or None on normal terrain.

    `turned`: the step changes direction, which costs more on some ground.
    """
    costs = list(_grounds(lookup, rules, who, square, turned=turned))
    return max(costs, key=lambda cost: cost.value) if costs else None


def _grounds(lookup: Lookup, rules: RuleSystem, who: str, square: Point, *, turned: bool) -> Iterator[Modifier]:
    field = current_map(lookup)
    if field is None:
        return
    kinds = {terrain.id: terrain for terrain in rules.data.terrains}
    across = squares_across(geometry.effective_side(lookup, rules, who), field.cell)
    squares = set(footprint(Space(*square, side=across * field.cell), field.cell))
    signs = geometry.drawing_lines(field.ground, field.columns, field.rows)
    plain = kinds.get(DIFFICULT, Terrain(DIFFICULT, DIFFICULT))
    on_map = ((row, column) for column, row in squares if 0 <= row < field.rows and 0 <= column < field.columns)
    if any(signs[row][column] == "," for row, column in on_map):
        yield _ground(plain, f"<terrain.{plain.id}>", plain)
    spot = geometry.space_at(lookup, rules, who, square, lookup.need(Combatant, who).elevation)
    if any(hinders(lookup, rules, who, other) for other in _occupants(lookup, rules, who, spot)):
        yield Modifier(plain.extra, "why.occupied", rules.rule_id("terrain.occupied"))
    for name, covered in terrain_squares(field).items():
        if squares & covered:
            kind = kinds.get(name)
            yield _ground(kind or plain, f"<terrain.{name}>" if kind else name, kind or plain)
    for lasting_area in geometry.hindering_areas(lookup, who):
        if squares & geometry.lasting_squares(lookup, rules, lasting_area):
            yield _ground(plain, lasting_area.name, plain)
    outside = lookup.need(Combatant, who).outside
    for environment in lookup.all(Environment):
        for row in environment.features if environment.id not in outside else ():
            area = area_squares(field, environment.id, row.id)
            here = area is None or bool(squares & area)
            if here and row.terrain and (turned or not row.redirect) and is_active(lookup, environment, row):
                yield Modifier(plain.extra, row.name, entry_rule(row))


def _ground(terrain: Terrain, reason: str, cited: Terrain) -> Modifier:
    return Modifier(terrain.extra, reason, cited.ledger[0] if cited.ledger else "")


def held_along(lookup: Lookup, rules: RuleSystem, who: str) -> Iterator[Combatant]:
    """Yield the combatants that one has swallowed or holds until its end, and those that cling to it."""
    for effect in lookup.all(Effect):
        lasting = effect.name == rules.role("grappled") and effect.ends.moment == "owner-gone"
        clings = lasting and geometry.size_index(lookup, rules, effect.by) < geometry.size_index(
            lookup, rules, effect.target
        )
        if effect.by == who and (effect.name == rules.role("swallowed") or (lasting and not clings)):
            yield lookup.need(Combatant, effect.target)
        elif effect.by and effect.target == who and (effect.name == rules.role("clung-to") or clings):
            yield lookup.need(Combatant, effect.by)


def _occupants(lookup: Lookup, rules: RuleSystem, who: str, there: Space) -> Iterator[str]:
    """Yield combatants whose space overlaps a space. The dead, and its mount and all that it moves along, don't count."""
    field = current_map(lookup)
    mover, held = lookup.need(Combatant, who), {one.id for one in held_along(lookup, rules, who)}
    for other in geometry.combatants_near(lookup, rules, there):
        together = other.id in (who, mover.rides, *held) or other.rides == who
        together = together or bool(mover.rides and mover.rides == other.rides)
        other_space = geometry.space(lookup, rules, other.id)
        if field is None or other_space is None or together or other.dead:
            continue
        if share_a_square(there, other_space, field.cell) and there.overlaps_in_height(other_space):
            yield other.id


def hinders(lookup: Lookup, rules: RuleSystem, who: str, other: str) -> bool:
    """Return whether a creature makes its space difficult terrain for a combatant."""
    settings, hostile = rules.data.places, geometry.are_hostile(lookup, who, other)
    return settings.occupied and (not settings.open_sizes or (hostile and not _is_small(lookup, rules, other)))


def _is_small(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    return rules.data.sizes[geometry.size_index(lookup, rules, who)].id in rules.data.places.open_sizes


def sprawls(lookup: Lookup, rules: RuleSystem, who: str, square: Point, elevation: int) -> bool:
    """Return whether a combatant that ends its turn on a square is prone, because it shares it with a creature."""
    if not rules.data.places.falls_prone or _is_small(lookup, rules, who):
        return False
    holders = _holders(lookup, rules, who, geometry.space_at(lookup, rules, who, square, elevation))
    own = geometry.size_index(lookup, rules, who)
    return any(own <= geometry.size_index(lookup, rules, other) for other in holders)


def _shares_space(lookup: Lookup, rules: RuleSystem, who: str, other: str, *more: str) -> bool:
    """Return whether a feature lets a combatant stop in the space of another, or is one of `more` terrain rules."""
    own = rules.feature_subjects(lookup, rules, who, "terrain", (CREATURES, SHARED, *more))
    return bool(own or rules.feature_subjects(lookup, rules, other, "terrain", (SHARED,)))


def _lets_through(lookup: Lookup, rules: RuleSystem, who: str, other: str) -> bool:
    if not geometry.are_hostile(lookup, who, other) or _shares_space(lookup, rules, who, other, ENEMIES):
        return True
    if any(effect.name == rules.role("moving-through") and effect.by == other for effect in lookup.of(Effect, who)):
        return True
    settings = rules.data.places
    helpless = rules.role("incapacitated") in condition_names(lookup, rules, other)
    if settings.open_sizes and (helpless or _is_small(lookup, rules, other)):
        return True
    larger = geometry.size_index(lookup, rules, who) - geometry.size_index(lookup, rules, other)
    return larger >= settings.passing or 0 < settings.passing_under <= -larger


def _occupied_veto(lookup: Lookup, other: str, rule: str) -> Veto:
    return Veto("refused.occupied", rule, (("who", lookup.need(Combatant, other).label),))


def _surround_veto(lookup: Lookup, rules: RuleSystem, who: str, there: Space) -> Veto | None:
    """Return the veto of an enemy next to this place that is already surrounded, or None if there is no such enemy."""
    field = current_map(lookup)
    for foe in geometry.combatants_near(lookup, rules, there, squares=1):
        foe_space = geometry.space(lookup, rules, foe.id)
        if field is None or foe_space is None or not geometry.are_hostile(lookup, who, foe.id) or foe.dead:
            continue
        is_beside = adjacent(there, foe_space, cell=field.cell) and not share_a_square(there, foe_space, field.cell)
        if is_beside and (veto := join_veto(lookup, rules, who, foe.id)) is not None:
            return veto
    return None


def _adjacent_to(lookup: Lookup, rules: RuleSystem, target: str, but: str) -> list[str]:
    """Return the combatants known to be next to a target."""
    near = rules.data.places.near
    adjacent_ids = []
    for combatant in geometry.possibly_within(lookup, rules, target, near):
        linked = combatant.rides == target or lookup.need(Combatant, target).rides == combatant.id
        if combatant.id in (target, but) or combatant.dead or linked:
            continue
        feet = geometry.distance(lookup, rules, combatant.id, target)
        if feet is not None and 0 < feet <= near:
            adjacent_ids.append(combatant.id)
    return adjacent_ids
