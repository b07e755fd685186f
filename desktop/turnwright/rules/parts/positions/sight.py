"""Sight and cover between combatants, light by square, flanking, and the part of the map that players see.

The scene's light is raised by the map's lights that have a line of sight to the square. Lasting areas also raise it, or
put out all light on their squares. Cover comes from walls, obstacles, mounts and creatures on the line between two
combatants, and only the best cover counts. It helps only against attacks and effects from its other side.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import msgspec

from turnwright.battlemap import sight as lines
from turnwright.battlemap.grid import Grid
from turnwright.battlemap.sight import cover as grid_cover
from turnwright.battlemap.sight import field as squares_in_sight
from turnwright.battlemap.sight import reaches, room
from turnwright.battlemap.spaces import Space, footprint, opposite_sides
from turnwright.dice.expression import Modifier
from turnwright.encounter.prepared import CoverLevel, Door, Environment, EnvironmentEntry, Map, MapLight, Point
from turnwright.encounter.roles import PARTY, role_of
from turnwright.encounter.running import Combatant, Effect, Fog, LastingArea
from turnwright.encounter.state import Lookup, clock_of, remembered, scene_of, standing_areas
from turnwright.rules.parts.combatants.facts import condition_names
from turnwright.rules.parts.environment import entries
from turnwright.rules.parts.positions.geometry import (
    GRADES,
    LIKE,
    LitSquares,
    built_grid,
    combatants_near,
    cover_entries,
    denying_conditions,
    distance,
    drawing_lines,
    drawing_text,
    ground_elevation,
    in_reach,
    lasting_squares,
    lit_squares,
    longest_reach,
    map_grid,
    possibly_within,
    space,
    stated_relation,
)
from turnwright.rules.system import NO_RESULT, HookContext, HookResult, RuleSystem, Veto, creature_of
from turnwright.rules.system_data.places import CoverGrade, CoverSource

if TYPE_CHECKING:
    from turnwright.battlemap.arrays import Bytes, Flags


LEVELS: Final = ("dark", "dim", "bright", "sunlight")


def light_at(lookup: Lookup, rules: RuleSystem, who: str) -> str:
    """Return the light at a combatant's position: the brightest on any of its squares.

    Commands call this on the window's thread, so it traces a few lines per light and square, never the whole map.
    """
    here, battle_map, lit = space(lookup, rules, who), entries.current_map(lookup), _lit_areas(lookup)
    ambient = scene_of(lookup).light
    grid = map_grid(lookup) if battle_map is not None and (battle_map.lights or lit) else None
    if here is None or battle_map is None or grid is None:
        return ambient
    areas = _areas(lookup, rules, lit)
    squares = footprint(here, grid.cell)
    return LEVELS[max(_level_at(grid, battle_map.lights, ambient, areas, square) for square in squares)]


def levels_now(
    lookup: Lookup, rules: RuleSystem, counts: Callable[[LastingArea], bool] = lambda _area: True
) -> Bytes | None:
    """Return the light level of each square, or None if the scene's light applies everywhere.

    Only the areas for which `counts` is true give or remove light.
    """
    battle_map, lit = entries.current_map(lookup), [area for area in _lit_areas(lookup) if counts(area)]
    grid = map_grid(lookup) if battle_map is not None and (battle_map.lights or lit) else None
    if battle_map is None or grid is None:
        return None
    return with_areas(grid, battle_map.lights, scene_of(lookup).light, _areas(lookup, rules, lit))


def _lit_areas(lookup: Lookup) -> list[LastingArea]:
    return [area for area in standing_areas(lookup) if area.light]


def is_area_known(lookup: Lookup, rules: RuleSystem, area: LastingArea, is_seen: Callable[[Point], bool]) -> bool:
    """Return whether players may know of a lasting area: it and its owner, if any, aren't hidden.

    The owner of an area that moves with it must also be in the party, or on a square that players see (`is_seen`).
    """
    owner = lookup.get(Combatant, area.owner)
    if area.hidden or (area.owner and (owner is None or owner.hidden)):
        return False
    if owner is None or not area.radius or owner.side == PARTY:
        return True
    place, battle_map = space(lookup, rules, owner.id), entries.current_map(lookup)
    return place is not None and battle_map is not None and any(map(is_seen, footprint(place, battle_map.cell)))


def _areas(lookup: Lookup, rules: RuleSystem, lit: list[LastingArea]) -> tuple[LitSquares, ...]:
    return tuple(squares for area in lit for squares in lit_squares(lookup, rules, area))


def _level_at(
    grid: Grid, lights: tuple[MapLight, ...], ambient: str, areas: tuple[LitSquares, ...], square: Point
) -> int:
    """Return the light level of one square, by the same rules as `with_areas`."""
    levels = [LEVELS.index(area.light) for area in areas if square in area.squares]
    return 0 if 0 in levels else max(LEVELS.index(ambient), _light_on(grid, lights, square), *levels)


@lru_cache(maxsize=4096)
def _light_on(grid: Grid, lights: tuple[MapLight, ...], square: Point) -> int:
    """Return the light level that the map's lights give one square, by the same rules as `light_levels`."""
    brightest = 0
    for light in lights:
        for feet, level in _reaches(light):
            if LEVELS.index(level) > brightest and reaches(grid, grid.sight, _square_of(light), square, feet):
                brightest = LEVELS.index(level)
    return brightest


@lru_cache(maxsize=16)
def with_areas(grid: Grid, lights: tuple[MapLight, ...], ambient: str, areas: tuple[LitSquares, ...]) -> Bytes:
    """Return the light level of each square: the brightest of scene, lights and areas, but dark in dark areas."""
    import numpy as np

    levels = np.maximum(light_levels(grid, lights), np.uint8(LEVELS.index(ambient)))
    for squares, light in sorted(areas, key=lambda area: area.light == LEVELS[0]):
        level = LEVELS.index(light)
        for column, row in squares:
            if (column, row) in grid:
                levels[row, column] = 0 if level == 0 else max(levels[row, column], level)
    return levels


@lru_cache(maxsize=8)
def light_levels(grid: Grid, lights: tuple[MapLight, ...]) -> Bytes:
    """Return the light level that the map's lights give each square, as an index into `LEVELS`."""
    import numpy as np

    levels = np.zeros((grid.rows, grid.columns), dtype=np.uint8)
    for light in lights:
        for feet, level in _reaches(light):
            lit = squares_in_sight(grid, grid.sight, _square_of(light), feet)
            levels[lit] = np.maximum(levels[lit], LEVELS.index(level))
    return levels


def _reaches(light: MapLight) -> tuple[tuple[float, str], ...]:
    """Return the range in feet of a light at each level."""
    reaches = (light.bright + (light.dim or light.bright), "dim"), (light.bright, "bright")
    return reaches[: 1 + bool(light.bright)] if light.lit else ()


def _square_of(light: MapLight) -> Point:
    return int(light.at[0]), int(light.at[1])


BEHIND, OBSCURED, DARK = "behind", "obscured", "dark"
HEAVILY = "heavily obscured"
NEEDS_RULING = frozenset({OBSCURED, DARK})  # the game master decides their effect on sight


def sees(lookup: Lookup, rules: RuleSystem, observer: str, target: str) -> bool | None:
    """Return whether an observer sees or senses a target, or None if the game master has to decide."""
    return remembered(lookup, ("sees", observer, target), lambda: _sees(lookup, rules, observer, target))


def _sees(lookup: Lookup, rules: RuleSystem, observer: str, target: str) -> bool | None:
    pair = stated_relation(lookup, observer, target)
    if pair is not None and pair.seen is not None:
        return pair.seen
    hindered = sight_hindrances(lookup, rules, observer, target)
    if not hindered:
        return True
    hindered -= rules.feature_subjects(lookup, rules, observer, "senses", hindered)
    hindered -= _pierced(lookup, rules, observer, target)
    if OBSCURED in hindered and _sees_through(lookup, rules, observer, target):
        hindered -= {OBSCURED}
    surely, perhaps = _overcome(lookup, rules, observer, target)
    if hindered - surely - perhaps - NEEDS_RULING:
        return False
    return None if hindered - surely else True


def _pierced(lookup: Lookup, rules: RuleSystem, observer: str, target: str) -> frozenset[str]:
    """Return the hindrances that come only from effects, such as Darkness, that the observer's features see through."""
    pierced = set()
    for who, what in ((observer, "sight"), (target, "being-seen")):
        denying = [
            one for one in lookup.of(Effect, who) if any((rule.kind, rule.what) == ("deny", what) for rule in one.rules)
        ]
        names = [entries.words_in(one.name) for one in denying]
        seen = (
            rules.feature_subjects(lookup, rules, observer, "senses", frozenset[str]().union(*names)) if names else ()
        )
        if (
            seen
            and LIKE[what] not in condition_names(lookup, rules, who)
            and not any(map(frozenset(seen).isdisjoint, names))
        ):
            pierced.add(LIKE[what])
    return frozenset(pierced)


def sight_hindrances(lookup: Lookup, rules: RuleSystem, observer: str, target: str) -> frozenset[str]:
    """Return the hindrances to an observer's sight of a target, without considering other senses.

    They are condition ids, `behind` (an obstacle), `obscured` and `dark`. A hidden combatant may be in plain sight:
    being unnoticed is a separate question (`is_hidden_from`).
    """
    if observer == target:
        return frozenset()
    hindrances = {name for name, _ in denying_conditions(lookup, rules, observer, "sight")}
    unhidden = {rule.what for effect in lookup.of(Effect, target) for rule in effect.rules if rule.kind == "deny"}
    hindrances |= {name for name, _ in denying_conditions(lookup, rules, target, "being-seen")} - unhidden
    if line_of_sight(lookup, rules, observer, target) is False:
        hindrances.add(BEHIND)
    if obscured_between(lookup, rules, observer, target) == HEAVILY:
        hindrances.add(OBSCURED)
    if light_at(lookup, rules, target) == DARK:
        hindrances.add(DARK)
    return frozenset(hindrances)


def is_hidden_from(lookup: Lookup, rules: RuleSystem, who: str, observer: str) -> bool:
    """Return whether a combatant is hidden from an observer, or from everyone but an observer whose effect forbids it."""
    effects = lookup.of(Effect, who)
    found = (rule for effect in effects if effect.by == observer for rule in effect.rules)
    if any((rule.kind, rule.what) == ("deny", "hidden") for rule in found):
        return False
    return any(effect.name == rules.role("hidden") and effect.by in ("", observer) for effect in effects)


def is_unnoticed(lookup: Lookup, rules: RuleSystem, who: str, observer: str) -> bool:
    """Return whether a combatant is hidden from an observer, and not marked as seen by it."""
    relation = stated_relation(lookup, observer, who)
    return is_hidden_from(lookup, rules, who, observer) and not (relation is not None and relation.seen)


def _overcome(lookup: Lookup, rules: RuleSystem, observer: str, target: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the hindrances that the observer's senses overcome at this distance, and those that they may overcome."""
    combatant = lookup.get(Combatant, observer)
    ranges = dict(creature_of(lookup, combatant).senses) if combatant is not None else {}
    usable = ranges.keys() - rules.feature_subjects(lookup, rules, observer, "deny", ranges)
    own_senses = [sense for sense in rules.data.senses if sense.id in usable]
    endless = [sense for sense in own_senses if not ranges[sense.id]]
    ending = [sense for sense in own_senses if ranges[sense.id]]
    feet = distance(lookup, rules, observer, target) if ending else None
    surely = [*endless, *(sense for sense in ending if feet is not None and feet <= ranges[sense.id])]
    perhaps = ending if feet is None else []
    beaten, maybe_beaten = (frozenset(beat for sense in senses for beat in sense.beats) for senses in (surely, perhaps))
    return beaten, maybe_beaten


def line_of_sight(lookup: Lookup, rules: RuleSystem, who: str, other: str) -> bool | None:
    """Return whether a line of sight between two combatants is clear, or None without a grid or a position on it."""
    return _line(lookup, rules, "sight", who, other)


def line_of_effect(lookup: Lookup, rules: RuleSystem, who: str, other: str) -> bool | None:
    """Return whether a line of effect between two combatants is clear, or None without a grid or a position on it."""
    return _line(lookup, rules, "effect", who, other)


def blocking_door(
    lookup: Lookup, rules: RuleSystem, what: Literal["sight", "effect"], who: str, other: str
) -> Door | None:
    """Return the closed door that blocks the line between two combatants, or None."""
    grid, field = map_grid(lookup), entries.current_map(lookup)
    here, there = space(lookup, rules, who), space(lookup, rules, other)
    if grid is None or field is None or here is None or there is None:
        return None
    obstacle = lines.between(grid, grid.sight if what == "sight" else grid.effect, here, there).obstacle
    if obstacle is None or obstacle.part != "door" or obstacle.segment < 0:
        return None
    return field.doors[grid.free.owners[obstacle.segment].number - len(field.barriers)]


def _line(lookup: Lookup, rules: RuleSystem, what: Literal["sight", "effect"], who: str, other: str) -> bool | None:
    field, here, there = map_grid(lookup), space(lookup, rules, who), space(lookup, rules, other)
    return None if field is None or here is None or there is None else _is_clear(field, what, here, there)


def _mount_cover(
    lookup: Lookup, rules: RuleSystem, attacker: str, other: str, tags: tuple[str, ...]
) -> Iterator[ProvidedCover]:
    """Yield the cover that a target has from its own mount."""
    settings, target = rules.data.places, lookup.get(Combatant, other)
    if target is not None and target.rides and target.rides != attacker and settings.rider_cover_against in tags:
        yield ProvidedCover(settings.rider_cover, "why.mounted", rules.rule_id("mount.half-cover"))


@lru_cache(maxsize=4096)  # grids are cached per state of the map, and rolls repeat the same calls
def _is_clear(field: Grid, what: Literal["sight", "effect"], here: Space, there: Space) -> bool:
    return lines.between(field, field.sight if what == "sight" else field.effect, here, there).clear


def _sees_through(lookup: Lookup, rules: RuleSystem, observer: str, target: str) -> bool:
    """Return whether an observer's features let it see through everything that obscures a target."""
    rows = [row.name for environment in lookup.all(Environment) for row in environment.features if row.obscured]
    areas = (area.name for area in standing_areas(lookup) if area.obscured)
    hiding = frozenset[str]().union(*map(entries.words_in, (*rows, *areas)))
    beaten = hiding & _overcome(lookup, rules, observer, target)[0]
    words = rules.feature_subjects(lookup, rules, observer, "senses", hiding) | beaten
    return bool(words) and obscured_between(lookup, rules, observer, target, without=words) != HEAVILY


def obscured_between(
    lookup: Lookup, rules: RuleSystem, who: str, other: str, *, without: frozenset[str] = frozenset()
) -> str:
    """Return the worst obscurity between two combatants: `clear`, `lightly obscured` or `heavily obscured`.

    Entries whose names contain a word in `without` don't count.
    """
    grades = {entries.visibility(lookup, who, rules, without), entries.visibility(lookup, other, rules, without)}
    field, here, there = map_grid(lookup, without=without), space(lookup, rules, who), space(lookup, rules, other)
    if field is not None and here is not None and there is not None:
        grades.add(_worst_light(field, here, there))
        hiding = [
            each for each in standing_areas(lookup) if each.obscured and without.isdisjoint(entries.words_in(each.name))
        ]
        passed = squares_between(here, there, field.cell) if hiding else frozenset()
        hiding = [area for area in hiding if not passed.isdisjoint(lasting_squares(lookup, rules, area))]
        grades |= {f"{area.obscured} obscured" for area in hiding}
    return next((grade for grade in (HEAVILY, "lightly obscured") if grade in grades), "clear")


@lru_cache(maxsize=4096)
def _worst_light(field: Grid, here: Space, there: Space) -> str:
    passed = [at for at in squares_between(here, there, field.cell) if at in field]
    darkest = max((int(field.light[row, column]) for column, row in passed), default=0)
    return ("clear", "lightly obscured", HEAVILY)[darkest]


def squares_between(start: Space, end: Space, cell: int) -> frozenset[Point]:
    """Return the squares that the line between the centres of two spaces crosses, including the spaces' own squares."""
    ends = [_middle(space, cell) for space in (start, end)]
    steps = max(1, int(8 * max(abs(ends[1][axis] - ends[0][axis]) for axis in (0, 1))))
    points = (
        [ends[0][axis] + (ends[1][axis] - ends[0][axis]) * step / steps for axis in (0, 1)] for step in range(steps + 1)
    )
    return frozenset((int(x // 1), int(y // 1)) for x, y in points)


def _middle(space: Space, cell: int) -> tuple[float, float]:
    across = len({column for column, _ in footprint(space, cell)})
    return space.column + across / 2, space.row + across / 2


def flanks(lookup: Lookup, rules: RuleSystem, attacker: str, other: str) -> bool | None:
    """Return whether an attacker flanks a target: with an ally on the opposite side or, without a grid, by numbers."""
    pair = stated_relation(lookup, attacker, other)
    if pair is not None and pair.flanked is not None:
        return pair.flanked
    if denying_conditions(lookup, rules, other, "being-flanked") or not _can_flank(lookup, rules, attacker, other):
        return False
    here, target, field = space(lookup, rules, attacker), space(lookup, rules, other), entries.current_map(lookup)
    if field is None or here is None or target is None:
        if not rules.data.places.flankers:
            return None if in_reach(lookup, rules, attacker, other) is not False else False
        return _outnumbers(lookup, rules, attacker, other)
    if not in_reach(lookup, rules, attacker, other):
        return False
    return any(
        in_reach(lookup, rules, ally, other)
        and (there := space(lookup, rules, ally)) is not None
        and opposite_sides(here, there, target, cell=field.cell)
        for ally in _allies(lookup, rules, attacker, other)
    )


def _outnumbers(lookup: Lookup, rules: RuleSystem, who: str, other: str) -> bool | None:
    """Return whether enough combatants of a side, including this one, have the target within melee reach."""
    near, needed = in_reach(lookup, rules, who, other), rules.data.places.flankers - 1
    surely = perhaps = 0
    for ally in _allies(lookup, rules, who, other) if near is not False else ():
        reaches = in_reach(lookup, rules, ally, other)
        surely, perhaps = surely + (reaches is True), perhaps + (reaches is not False)
        if (surely if near else perhaps) >= needed:
            break
    return True if near and surely >= needed else None if near is not False and perhaps >= needed else False


def _allies(lookup: Lookup, rules: RuleSystem, who: str, other: str) -> Iterator[str]:
    """Yield the combatant's allies that can flank the target and may have it within reach."""
    side = lookup.need(Combatant, who).side
    for ally in possibly_within(lookup, rules, other, longest_reach(lookup, rules)):
        if ally.side == side and ally.id != who and _can_flank(lookup, rules, ally.id, other):
            yield ally.id


def _can_flank(lookup: Lookup, rules: RuleSystem, who: str, other: str) -> bool:
    """Return whether a combatant is up, hostile to the target, and free of conditions that prevent flanking."""
    combatant, target = lookup.get(Combatant, who), lookup.get(Combatant, other)
    if combatant is None or target is None or combatant.side == target.side:
        return False
    return not combatant.dead and combatant.hp > 0 and not denying_conditions(lookup, rules, who, "flanking")


FogState: TypeAlias = Literal["shown", "explored", "hidden"]

SIGNS: Final[Mapping[str, str]] = {"shown": "+", "explored": "-", "hidden": "."}
HEAVILY_OBSCURED: Final = 2  # in a grid's light


def fog_lines(lookup: Lookup, battle_map: Map) -> tuple[str, ...] | None:
    """Return the fog as one line of characters per row of the map. Return None without fog.

    Before the fight, it is the prepared fog.
    """
    fog = _present_fog(lookup)
    return None if fog is None else drawing_lines(fog, battle_map.columns, battle_map.rows)


def _present_fog(lookup: Lookup) -> str | None:
    """Return the fog's drawing, or None without fog. Before the fight, it is the prepared one."""
    fog, battle_map = lookup.get(Fog, Fog.table), lookup.get(Map, Map.table)
    if fog is not None:
        return fog.squares
    return (battle_map.fog or None) if battle_map is not None and clock_of(lookup).phase == "preparing" else None


def open_squares(lookup: Lookup) -> frozenset[Point] | None:
    """Return the squares that aren't hidden from players, or None if there is no fog."""
    fog = _present_fog(lookup)
    if fog is None:
        return None
    lines = enumerate(fog.replace("\r", "").split("\n"))
    opened = {SIGNS["shown"], SIGNS["explored"]}
    return frozenset((column, row) for row, line in lines for column, sign in enumerate(line) if sign in opened)


def with_state(lines: Sequence[str], squares: Iterable[Point], state: FogState) -> tuple[str, ...]:
    """Set the fog of these squares to another state. Squares off the map are ignored."""
    signs = [[*line] for line in lines]
    for column, row in squares:
        if 0 <= row < len(signs) and 0 <= column < len(signs[row]):
            signs[row][column] = SIGNS[state]
    return tuple("".join(line) for line in signs)


def seen_now(lines: Sequence[str], seen: Collection[Point]) -> tuple[str, ...]:
    """Mark these squares as shown in the fog. All others that were shown become explored."""
    return with_state([line.replace(SIGNS["shown"], SIGNS["explored"]) for line in lines], seen, "shown")


def fog_text(lines: Sequence[str]) -> str:
    """Convert the fog to text for a file."""
    text = drawing_text(tuple(lines))
    return SIGNS["hidden"] + text if text.startswith("\n") else text  # TOML would drop an empty first line


# Rooms ---------------------------------------------------------------------------------------------------------------


def room_squares(battle_map: Map, at: Point) -> frozenset[Point]:
    """Return the squares of the room around a square, up to its walls, windows, curtains and doors, open or closed."""
    return room(_rooms(battle_map), at)


@lru_cache(maxsize=4)
def _rooms(battle_map: Map) -> Grid:
    """Return the grid of a map on which only the boundaries of rooms block movement."""
    doors = tuple(msgspec.structs.replace(door, kind="door", open=False) for door in battle_map.doors)
    barriers = (barrier for barrier in battle_map.barriers if barrier.kind not in ("rail", "object"))
    solid = tuple(msgspec.structs.replace(barrier, kind="wall") for barrier in barriers)
    bare = msgspec.structs.replace(battle_map, curtains=(), obstacles=(), areas=(), barriers=solid, doors=doors)
    return built_grid(msgspec.structs.replace(bare, walls=(*battle_map.walls, *battle_map.curtains)), ())


# Sight ---------------------------------------------------------------------------------------------------------------


def watchers(lookup: Lookup) -> tuple[str, ...]:
    """Return the combatants that aren't down and whose sight the players share.

    Characters and their companions do, or the guests if there are no characters.
    """
    roles = {combatant.id: role_of(lookup, combatant) for combatant in lookup.all(Combatant)}
    sharing = ("character", "companion") if "character" in roles.values() else ("guest",)
    return tuple(
        combatant.id
        for combatant in lookup.all(Combatant)
        if roles[combatant.id] in sharing and not combatant.dead and (combatant.hp > 0 or not combatant.hp_max)
    )


def party_sight(lookup: Lookup, rules: RuleSystem, who: Iterable[str]) -> frozenset[Point]:
    """Return the squares that any of these combatants see: in line of sight, and lit or within range of a sense."""
    squares: frozenset[Point] = frozenset()
    for id in who:
        seen = _seen_by(lookup, rules, id)
        if seen is not None:
            rows, columns = seen.nonzero()
            squares |= frozenset(zip(columns.tolist(), rows.tolist(), strict=True))
    return squares


def viewpoints(lookup: Lookup, rules: RuleSystem, who: Iterable[str]) -> tuple[Grid, tuple[Point, ...]] | None:
    """Return the grid and the squares that these combatants occupy on it, or None without a grid."""
    grid = map_grid(lookup)
    if grid is None:
        return None
    spaces = [occupied for id in who if (occupied := space(lookup, rules, id)) is not None]
    return grid, tuple(square for occupied in spaces for square in footprint(occupied, grid.cell))


@lru_cache(maxsize=128)
def seen_from(grid: Grid, square: Point) -> Flags:
    """Return the squares in line of sight of a square, at any distance.

    This takes milliseconds, so views call it in a worker.
    """
    return squares_in_sight(grid, grid.sight, square, (grid.columns + grid.rows) * grid.cell)


def _seen_by(lookup: Lookup, rules: RuleSystem, who: str) -> Flags | None:
    """Return the squares that a combatant sees, or None if it isn't on the map."""
    import numpy as np

    battle_map, points = entries.current_map(lookup), viewpoints(lookup, rules, (who,))
    if battle_map is None or points is None or not points[1]:
        return None
    grid, squares = points
    in_line = np.logical_or.reduce([seen_from(grid, square) for square in squares])

    def counts(area: LastingArea) -> bool:
        """Darkness hides squares even if players don't know of it, but only light that they know of shows any."""
        return area.light == LEVELS[0] or is_area_known(
            lookup, rules, area, lambda at: at in grid and bool(in_line[at[1], at[0]])
        )

    levels = levels_now(lookup, rules, counts)
    dark = np.full(in_line.shape, scene_of(lookup).light == LEVELS[0]) if levels is None else levels == 0
    obscured = grid.light == HEAVILY_OBSCURED
    blinding = {name for name, _ in denying_conditions(lookup, rules, who, "sight")}
    seen: Flags = in_line & ~dark & ~obscured & (not blinding)
    combatant = lookup.get(Combatant, who)
    ranges = dict(creature_of(lookup, combatant).senses) if combatant is not None else {}
    for sense in rules.data.senses:
        if sense.id in ranges and blinding <= set(sense.beats):
            reached = in_line if not ranges[sense.id] else in_line & _within(grid, squares, ranges[sense.id])
            seen |= reached & (~dark | ("dark" in sense.beats)) & (~obscured | ("obscured" in sense.beats))
    for column, row in squares:
        seen[row, column] = True
    return seen


def _within(grid: Grid, squares: Sequence[Point], feet: int) -> Flags:
    """Return the squares within `feet` of any of these squares."""
    import numpy as np

    steps = feet // grid.cell
    near = np.zeros((grid.rows, grid.columns), dtype=np.bool_)
    for column, row in squares:
        near[max(0, row - steps) : row + steps + 1, max(0, column - steps) : column + steps + 1] = True
    return near


_WHEN: Final = re.compile(r"(?P<condition>\w+) within (?P<feet>\d+) \w+")
ARMOR: Final = "ac"
NO_COVER: Final = "no-cover"  # tag of a roll against something that cover doesn't keep off
UNKNOWN_ORIGIN: Final = "unknown-origin"  # tag of a roll against an area whose origin on the map is unknown


class ProvidedCover(msgspec.Struct, frozen=True):
    """A source of cover: its grade, its reason (a word key or plain text) and the ledger rule."""

    grade: str
    reason: str
    rule: str


def cover_of(lookup: Lookup, rules: RuleSystem, attacker: str, target: str, tags: tuple[str, ...] = ()) -> str:
    """Return the target's best cover against an attacker: `none`, `half`, `three-quarters` or `total`."""
    sources = cover_sources(lookup, rules, attacker, target, tags)
    return sources[0].grade if sources else "none"


def cover_sources(
    lookup: Lookup,
    rules: RuleSystem,
    attacker: str,
    target: str,
    tags: tuple[str, ...] = (),
    origin: Point | None = None,
) -> tuple[ProvidedCover, ...]:
    """Return all of a target's cover against an attacker, or against the attacker's area with this origin, best first.

    Cover set by the game master replaces the rest, except for that of the target's own mount.
    """
    if NO_COVER in tags:
        return ()
    pair = stated_relation(lookup, attacker, target)
    if pair is not None and pair.cover:
        found = [_provided_cover(rules, pair.cover), *_mount_cover(lookup, rules, attacker, target, tags)]
    else:
        found = [*_sources(lookup, rules, attacker, target, tags, origin)]
    sources = (source for source in found if source.grade != "none")
    return tuple(sorted(sources, key=lambda source: -GRADES.index(source.grade)))


def cover_bonus(
    lookup: Lookup,
    rules: RuleSystem,
    attacker: str,
    target: str,
    tags: tuple[str, ...] = (),
    *,
    on: str = ARMOR,
    origin: Point | None = None,
) -> Modifier | None:
    """Return the target's cover bonus to AC, `save.dex` or a check to `hide`, or None.

    It is measured from the attacker, or from the `origin` of the attacker's area.
    """
    if not any(on in grade.on for grade in rules.data.cover):
        return None
    best = next(iter(cover_sources(lookup, rules, attacker, target, tags, origin)), None)
    grade = best and _grade(rules, best.grade)
    if not best or not grade or on not in grade.on or not grade.bonus:
        return None
    return Modifier(grade.bonus, best.reason, best.rule, grade.type)


def on_rolls(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the cover bonus to a roll against an effect of `other`, or to a check to hide from it, at CHECK_MADE."""
    if not context.other or context.subject.endswith("-against"):
        return NO_RESULT
    names, pair = (context.subject, *context.tags), (context.other, context.who)
    bonuses = (cover_bonus(lookup, rules, *pair, context.tags, on=name, origin=context.origin) for name in names)
    modifier = next((bonus for bonus in bonuses if bonus is not None), None)
    return HookResult(modifiers=(modifier,)) if modifier is not None else NO_RESULT


def total_cover_vetoes(
    lookup: Lookup, rules: RuleSystem, attacker: str, target: str, tags: tuple[str, ...] = ()
) -> Veto | None:
    """Return the veto on targeting a combatant in total cover, or None if it doesn't have total cover."""
    best = next(iter(cover_sources(lookup, rules, attacker, target, tags)), None)
    grade = best and _grade(rules, best.grade)
    if not best or not grade or not grade.untargetable or not grade.prevents_targeting(tags):
        return None
    return Veto("refused.total_cover", best.rule, (("who", lookup.need(Combatant, target).label),))


def possible_cover(lookup: Lookup, rules: RuleSystem, attacker: str, target: str) -> tuple[ProvidedCover, ...]:
    """Return the cover that the game master may choose for a target: environment features without a known position.

    A feature on the map is listed only if it is near the target but not between the two.
    """
    pair = stated_relation(lookup, attacker, target)
    if pair is not None and pair.cover:
        return ()
    current = cover_of(lookup, rules, attacker, target)
    return tuple(
        ProvidedCover(row.cover, row.name, entries.entry_rule(row))
        for environment, row in cover_entries(lookup)
        if GRADES.index(row.cover) > GRADES.index(current) and _may_be_behind(lookup, rules, target, environment, row)
    )


def default_cover(lookup: Lookup, rules: RuleSystem, name: str) -> CoverLevel:
    """Return the default cover of a type of obstacle under the house rules, or `none` if the game master decides."""
    name = name.casefold()
    named = (shelter for shelter in rules.data.shelters if name in (shelter.id, shelter.name.casefold()))
    source: CoverSource | None = next(named, None)
    if source is None or (source.option and not rules.has_option(lookup, source.option)):
        return "none"
    return source.cover


def _sources(
    lookup: Lookup, rules: RuleSystem, attacker: str, other: str, tags: tuple[str, ...], origin: Point | None
) -> Iterator[ProvidedCover]:
    if UNKNOWN_ORIGIN in tags:
        return
    settings = rules.data.places
    yield from _mount_cover(lookup, rules, attacker, other, tags)
    here, there = space(lookup, rules, attacker), space(lookup, rules, other)
    field = map_grid(lookup)
    if origin is not None and field is not None:
        here = Space(*origin, side=field.cell, elevation=ground_elevation(lookup, origin))
    if field is None or here is None or there is None or not (_inside(field, here) and _inside(field, there)):
        return
    yield _provided_cover(rules, _on_grid(field, here, there))
    for environment, row in cover_entries(lookup):
        if row.cover_when and _cover_applies(lookup, rules, other, environment, row):
            with_entry = map_grid(lookup, with_entries=((environment.id, row.id),))
            if with_entry is not None and _on_grid(with_entry, here, there) != _on_grid(field, here, there):
                yield ProvidedCover(row.cover, row.name, entries.entry_rule(row))
    if settings.creature_option and rules.has_option(lookup, settings.creature_option):
        others = _spaces_between(lookup, rules, {attacker if origin is None else "": here, other: there})
        if others and _on_grid(field, here, there, others) != _on_grid(field, here, there):
            yield ProvidedCover(settings.creature_cover, "why.creature_between", rules.rule_id("cover.creature"))


@lru_cache(maxsize=4096)  # grids are cached per state of the map, and rolls repeat the same calls
def _on_grid(field: Grid, here: Space, there: Space, creatures: tuple[Space, ...] = ()) -> str:
    return GRADES[grid_cover(field, here, there, creatures=creatures).grade]


def _inside(field: Grid, space: Space) -> bool:
    return all(square in field for square in footprint(space, field.cell))


def _spaces_between(lookup: Lookup, rules: RuleSystem, but: Mapping[str, Space]) -> tuple[Space, ...]:
    """Return the spaces of combatants between two others, excluding the riders and mounts of those two."""
    without = {*but, *(lookup.need(Combatant, who).rides for who in but if who)} - {""}
    spaces = (
        space(lookup, rules, combatant.id)
        for combatant in combatants_near(lookup, rules, *but.values(), squares=1)
        if combatant.id not in without and combatant.rides not in without and not combatant.dead
    )
    return tuple(between for between in spaces if between is not None)


def _cover_applies(
    lookup: Lookup, rules: RuleSystem, who: str, environment: Environment, entry: EnvironmentEntry
) -> bool:
    """Return whether the map shows that an entry's `cover_when` is true of a combatant."""
    condition = _WHEN.fullmatch(entry.cover_when)
    field, here = entries.current_map(lookup), space(lookup, rules, who)
    if condition is None or field is None or here is None:
        return False
    squares, own = entries.feature_squares(field, environment.id, entry.id), footprint(here, field.cell)
    steps = int(condition["feet"]) // field.cell
    near = any(max(abs(column - x), abs(row - y)) <= steps for column, row in squares for x, y in own)
    return near and condition["condition"] in condition_names(lookup, rules, who)


def _may_be_behind(
    lookup: Lookup, rules: RuleSystem, who: str, environment: Environment, entry: EnvironmentEntry
) -> bool:
    """Return whether a combatant may be taking cover behind an entry."""
    condition = _WHEN.fullmatch(entry.cover_when)
    if condition is not None and condition["condition"] not in condition_names(lookup, rules, who):
        return False
    if not entries.is_in_area(lookup, who, environment.id, rules=rules):
        return False
    field = entries.current_map(lookup)
    if field is None or not entries.feature_squares(field, environment.id, entry.id):
        return True
    if condition is None:
        return bool(entry.cover_when)
    strict = rules.data.places.beside_option
    return _cover_applies(lookup, rules, who, environment, entry) and not (strict and rules.has_option(lookup, strict))


def _grade(rules: RuleSystem, id: str) -> CoverGrade | None:
    return next((grade for grade in rules.data.cover if grade.id == id), None)


def _provided_cover(rules: RuleSystem, id: str) -> ProvidedCover:
    grade = _grade(rules, id)
    return ProvidedCover(id, f"<cover.{id}>", grade.ledger[0] if grade is not None and grade.ledger else "")
