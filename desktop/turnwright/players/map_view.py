"""The players' view of the map and its darkness, and of everything else on their screen.

The map as players see it: the explored part, the doors they know about, and the creatures in sight.

Darkness is calculated only from what players know about the map.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain, pairwise
from typing import Final, NamedTuple

import msgspec

from turnwright.battlemap import segments, spaces
from turnwright.battlemap.grid import UNLIMITED, Grid
from turnwright.battlemap.sight import field as squares_in_sight
from turnwright.encounter import portraits, running
from turnwright.encounter.floors import floor_at, moved_square, on_floor
from turnwright.encounter.prepared import Countdown, Door, Map, MapBarrier, MapFloor, Point
from turnwright.encounter.roles import PARTY
from turnwright.encounter.state import Change, Encounter, Lookup, clock_of, scene_of, slots_in_order, standing_areas
from turnwright.players import view
from turnwright.players.secrets import (
    Showing,
    health_word,
    is_countdown_shown,
    is_effect_shown,
    is_named,
    is_visible,
    shown_name,
)
from turnwright.rules.parts.environment.entries import current_map
from turnwright.rules.parts.positions import geometry, sight
from turnwright.rules.system import RuleSystem

OVER_ALL: Final = 2 * UNLIMITED  # feet; above any line between the tops of two walls
DARKNESS: Final[Mapping[str, str]] = {"dark": "#", "dim": ":"}  # the signs of squares in the players' view


class KnownLight(NamedTuple):
    """The light of an area that players know about; `carried_at` is the source's square if the light is carried."""

    lit: geometry.LitSquares
    carried_at: Point | None = None


class KnownMap(NamedTuple):
    """What players know about the map and its lighting: rows of fog, the scene's light, and areas that give light."""

    battle_map: Map
    fog: tuple[str, ...]
    ambient: str
    areas: tuple[KnownLight, ...] = ()

    @property
    def may_be_dark(self) -> bool:
        """Whether any square may be dim or dark."""
        return self.ambient in DARKNESS or any(area.lit.light == sight.LEVELS[0] for area in self.areas)


@lru_cache(maxsize=4)
def darkness(known: KnownMap) -> tuple[str, ...]:
    """Return the signs of the dark and dim squares in view, by map row, with blanks elsewhere.

    The window first calculates it in a worker. Only lights on explored squares count, and their light doesn't pass
    through hidden squares, so lights and walls under the fog change nothing. The light of carried areas is stopped
    in the same way.
    """
    battle_map, fog, ambient, areas = known
    if not known.may_be_dark:
        return (" " * battle_map.columns,) * battle_map.rows
    grid = _explored_grid(battle_map, fog)
    lights = tuple(light for light in battle_map.lights if _is_explored(fog, int(light.at[0]), int(light.at[1])))
    levels = sight.with_areas(grid, lights, ambient, tuple(_stopped(grid, area) for area in areas)).tolist()
    whole = 0, 0, battle_map.columns - 1, battle_map.rows - 1
    return _rows_of(whole, lambda x, y: DARKNESS.get(sight.LEVELS[levels[y][x]], " ") if fog[y][x] == SHOWN else " ")


def _rows_of(crop: tuple[int, int, int, int], sign_at: Callable[[int, int], str]) -> tuple[str, ...]:
    """Return the signs of a part of the map by row."""
    left, top, right, bottom = crop
    return tuple("".join(sign_at(x, y) for x in range(left, right + 1)) for y in range(top, bottom + 1))


def _stopped(grid: Grid, area: KnownLight) -> geometry.LitSquares:
    """Return the squares lit by an area. Carried light reaches only squares in line of sight on the known map."""
    if area.carried_at is None:
        return area.lit
    x0, y0 = area.carried_at
    farthest = max((abs(x - x0) + abs(y - y0) for x, y in area.lit.squares), default=0)
    reached = squares_in_sight(grid, grid.sight, area.carried_at, farthest * grid.cell)
    lit = frozenset((x, y) for x, y in area.lit.squares if (x, y) in grid and reached[y, x])
    return area.lit._replace(squares=lit)


def _is_explored(fog: tuple[str, ...], column: int, row: int) -> bool:
    return 0 <= row < len(fog) and 0 <= column < len(fog[row]) and fog[row][column] != sight.SIGNS["hidden"]


def _explored_grid(battle_map: Map, fog: tuple[str, ...]) -> Grid:
    """Return a map's grid in which every hidden square stops light."""
    import numpy as np

    grid = _bare_grid(battle_map)
    signs = np.frombuffer("".join(fog).encode("ascii"), dtype=np.uint8).reshape(grid.rows, grid.columns)
    top = np.where(signs == ord(sight.SIGNS["hidden"]), np.int32(OVER_ALL), grid.sight.top).astype(grid.sight.top.dtype)
    top.flags.writeable = False
    return replace(grid, sight=replace(grid.sight, top=top))


@lru_cache(maxsize=2)
def _bare_grid(battle_map: Map) -> Grid:
    """Return a map's grid without information hidden from players: ground heights and environment areas."""
    return geometry.built_grid(
        msgspec.structs.replace(battle_map, heights="", light="", areas=(), lights=(), picture=None), ()
    )


UNIT: Final = segments.fixed(1)
SHOWN, HIDDEN = sight.SIGNS["shown"], sight.SIGNS["hidden"]
THING: Final = "o"  # a square with an obstacle on it
LASTING: Final = "*"  # a square with a lasting area
Rows = Callable[[list[running.Combatant]], tuple[view.CombatantRow, ...]]
Lines = dict[tuple[view.LineKind, bool], set[segments.Line]]


def map_view(
    encounter: Encounter, rules: RuleSystem, showing: Showing, rows_of: Rows, acting: str, *, is_shaded: bool = True
) -> view.PlayersMap | None:
    """Return the map as players see it, or None if there is no map. `acting` is the combatant marked as active."""
    whole, encounter = encounter.get(Map, Map.table), as_shown(encounter, showing)
    showing = with_doors(encounter, showing)
    battle_map = _remembered_map(encounter, showing)
    if battle_map is None or whole is None:
        return None
    ruler = [moved_square(whole, battle_map, at) for at in showing.ruler or ()]
    showing = msgspec.structs.replace(showing, ruler=(ruler[0], ruler[1]) if all(ruler) and ruler else None)
    fog = _fog(encounter, battle_map)
    explored = _explored(fog) if is_map_shown(encounter, showing) else []
    if not explored:
        return view.PlayersMap(feet=battle_map.cell)
    left, top, right, bottom = crop = _bounds(explored)
    origin = showing.map_origin or (left, top)
    known_doors = _known_doors(encounter, battle_map) | {door.id for door in showing.doors if door.found}
    known_doors -= {door.id for door in showing.doors if not door.found}
    tokens = _tokens(encounter, rules, showing, fog, origin, rows_of, acting)
    has_picture = (
        showing.has_map_picture
        and battle_map.picture is not None
        and battle_map.picture.shown == "both"
        and bool(battle_map.picture.file)
    )
    return view.PlayersMap(
        feet=battle_map.cell,
        at=(left - origin[0], top - origin[1]),
        fog=tuple(line[left : right + 1] for line in fog[top : bottom + 1]),
        ground=() if has_picture else _ground(battle_map, fog, crop),
        areas=_areas(encounter, rules, fog, crop),
        darkness=_darkness(known_map(encounter, rules, showing), crop) if is_shaded else (),
        lines=_lines(battle_map, known_doors, frozenset(explored), origin, with_walls=not has_picture),
        tokens=tokens,
        has_picture=has_picture,
        camera=_camera(showing, tokens),
        grid=battle_map.grid_lines,
        ruler=_ruler(rules, showing, battle_map, fog, origin),
    )


def is_map_shown(encounter: Encounter, showing: Showing) -> bool:
    """Return whether players see the map: in a fight, or before it if the game master shows it."""
    return showing.has_prepared_map or clock_of(encounter).phase != "preparing"


def with_map_origin(encounter: Encounter, showing: Showing) -> Showing:
    """Set the square from which players' coordinates are counted as soon as any square is explored.

    The origin never changes, so the map doesn't jump when more is explored on the left. It isn't the map's corner,
    since that would show how much is hidden there.
    """
    encounter = as_shown(encounter, showing)
    battle_map = current_map(encounter)
    if showing.map_origin is not None or battle_map is None or not is_map_shown(encounter, showing):
        return showing
    explored = _explored(_fog(encounter, battle_map))
    return msgspec.structs.replace(showing, map_origin=_bounds(explored)[:2]) if explored else showing


def as_shown(encounter: Encounter, showing: Showing) -> Encounter:
    """Return the encounter with a single floor of its map: the game master's choice, or the acting character's floor.

    During other turns, it is the floor of the last character to act in a visible turn.
    """
    floor = shown_floor(encounter, showing)
    return encounter if floor is None else on_floor(encounter, floor)


def shown_floor(encounter: Encounter, showing: Showing) -> MapFloor | None:
    """Return the floor in the players' view, or None if the map has a single one."""
    battle_map = encounter.get(Map, Map.table)
    if battle_map is None or len(battle_map.floors) < 2:
        return None
    members, actor, *_ = visible_members(encounter, showing)
    people = [*members[: (actor or 0) + 1][::-1], *members[::-1], *encounter.all(running.Combatant)]
    theirs = (floor for each in people if each.side == PARTY for floor in _floors_of(battle_map, each))
    chosen = (floor for floor in battle_map.floors if floor.id == showing.floor)
    return next(chain(chosen, theirs, battle_map.floors))


def _floors_of(battle_map: Map, combatant: running.Combatant) -> list[MapFloor]:
    """Return the floor on which players may see a combatant, if any."""
    at = None if combatant.hidden else combatant.position
    return [floor for floor in battle_map.floors if at is not None and floor == floor_at(battle_map, at[1])]


def known_map(encounter: Encounter, rules: RuleSystem, showing: Showing) -> KnownMap | None:
    """Return the players' knowledge of the map and its lights, or None if there is no map."""
    encounter = as_shown(encounter, showing)
    battle_map = _remembered_map(encounter, with_doors(encounter, showing))
    if battle_map is None:
        return None
    fog = _fog(encounter, battle_map)
    areas = tuple(
        KnownLight(lit, _carried_at(encounter, rules, area))
        for area in standing_areas(encounter)
        if area.light and sight.is_area_known(encounter, rules, area, partial(_is_shown, fog))
        for lit in geometry.lit_squares(encounter, rules, area, through_walls=True)
    )
    return KnownMap(battle_map, fog, scene_of(encounter).light, areas)


def with_doors(encounter: Encounter, showing: Showing) -> Showing:
    """Remember the doors that players see now. Elsewhere, they stay as players last saw them."""
    encounter = as_shown(encounter, showing)
    battle_map = current_map(encounter)
    fog = sight.fog_lines(encounter, battle_map) if battle_map is not None else None
    if battle_map is None or fog is None:
        return showing
    doors = {door.id: door for door in showing.doors}
    known = _known_doors(encounter, battle_map)
    for door in battle_map.doors:
        touched = tuple(segments.squares_touched(_line(door.at), battle_map.columns, battle_map.rows))
        if any(_is_explored(fog, *at) and (door.id not in doors or _is_shown(fog, at)) for at in touched):
            doors[door.id] = running.SeenDoor(door.id, door.open, door.id in known)
    seen = tuple(doors.values())
    return showing if seen == showing.doors else msgspec.structs.replace(showing, doors=seen)


def _known_doors(encounter: Encounter, battle_map: Map) -> frozenset[str]:
    return frozenset(door.id for door in battle_map.doors if _is_known(encounter, door))


def _remembered_map(encounter: Encounter, showing: Showing) -> Map | None:
    """Return the map with its doors as players last saw them, or None without a map."""
    battle_map, opened = current_map(encounter), {door.id: door.open for door in showing.doors}
    if battle_map is None or sight.fog_lines(encounter, battle_map) is None:
        return battle_map
    doors = tuple(msgspec.structs.replace(door, open=opened.get(door.id, door.open)) for door in battle_map.doors)
    return battle_map if doors == battle_map.doors else msgspec.structs.replace(battle_map, doors=doors)


def _fog(encounter: Encounter, battle_map: Map) -> tuple[str, ...]:
    """Return the rows of fog. If fog isn't used, the whole map is in view."""
    return sight.fog_lines(encounter, battle_map) or (SHOWN * battle_map.columns,) * battle_map.rows


def _explored(fog: tuple[str, ...]) -> list[Point]:
    return [(column, row) for row, line in enumerate(fog) for column, sign in enumerate(line) if sign != HIDDEN]


def _bounds(squares: list[Point]) -> tuple[int, int, int, int]:
    """Return the first and last columns and rows of some squares: left, top, right, bottom."""
    columns, rows = zip(*squares, strict=True)
    return min(columns), min(rows), max(columns), max(rows)


def _ruler(
    rules: RuleSystem, showing: Showing, battle_map: Map, fog: tuple[str, ...], origin: Point
) -> view.ShownRuler | None:
    """Return the ruler that the game master shows, if both its ends are on explored squares."""
    if showing.ruler is None or not all(_is_explored(fog, *at) for at in showing.ruler):
        return None
    (x0, y0), (x1, y1) = ((x - origin[0] + 0.5, y - origin[1] + 0.5) for x, y in showing.ruler)
    return view.ShownRuler((x0, y0, x1, y1), geometry.measured_feet(rules, battle_map, *showing.ruler))


def _camera(showing: Showing, tokens: tuple[view.ShownToken, ...]) -> view.MapCamera:
    """Return the part of the map to show, centred on the active token if the view follows it."""
    acting = next((token for token in tokens if token.acts), None) if showing.map_follows else None
    if acting is None:
        return view.MapCamera(showing.map_centre, showing.map_across, showing.map_turned)
    half = acting.across / 2
    return view.MapCamera((acting.at[0] + half, acting.at[1] + half), showing.map_across, showing.map_turned)


def _tokens(
    encounter: Encounter,
    rules: RuleSystem,
    showing: Showing,
    fog: tuple[str, ...],
    origin: Point,
    rows_of: Rows,
    acting: str,
) -> tuple[view.ShownToken, ...]:
    """Return the visible tokens: the party, and others on squares currently in view.

    Tokens are sorted so that their order depends only on their positions. Portraits are shown only for creatures
    whose own name players know.
    """
    result, faces = [], dict(showing.portraits)
    seen = [combatant for combatant in encounter.all(running.Combatant) if is_visible(encounter, combatant.id)]
    for combatant, row in zip(seen, rows_of(seen), strict=True):
        place = geometry.space(encounter, rules, combatant.id)
        if place is None or not _is_in_sight(encounter, combatant, place, fog):
            continue
        squares = spaces.footprint(place, _cell(encounter))
        at = place.column - origin[0], place.row - origin[1]
        across = 1 + max(column for column, _ in squares) - place.column
        face = faces.get(portraits.portrait_of(encounter, combatant), b"") if is_named(combatant, showing) else b""
        result.append(view.ShownToken(row, at, across, combatant.id == acting, combatant.elevation, face))
    return tuple(
        sorted(result, key=lambda token: (token.at[1], token.at[0], -token.across, token.row.name, token.row.number))
    )


def _is_in_sight(lookup: Lookup, combatant: running.Combatant, place: spaces.Space, fog: tuple[str, ...]) -> bool:
    """Return whether players see a combatant that isn't hidden.

    They always see the party, and others only on squares currently in view.
    """
    return combatant.side == PARTY or any(_is_shown(fog, at) for at in spaces.footprint(place, _cell(lookup)))


def _is_shown(fog: tuple[str, ...], at: Point) -> bool:
    return _is_explored(fog, *at) and fog[at[1]][at[0]] == SHOWN


def _areas(
    encounter: Encounter, rules: RuleSystem, fog: tuple[str, ...], crop: tuple[int, int, int, int]
) -> tuple[str, ...]:
    """Return rows that mark squares in view with a lasting area, for a part of the map, or no rows if there are none.

    An area that moves with its owner is shown through walls, since its edge would reveal walls under the fog. The light
    that a creature carries isn't marked: the shading shows it.
    """
    squares = {
        square
        for area in standing_areas(encounter)
        if not geometry.is_carried_light(rules, area)
        and sight.is_area_known(encounter, rules, area, partial(_is_shown, fog))
        for square in geometry.lasting_squares(encounter, rules, area, through_walls=True)
    }
    rows = _rows_of(crop, lambda x, y: LASTING if (x, y) in squares and fog[y][x] == SHOWN else " ")
    return rows if any(LASTING in row for row in rows) else ()


def _darkness(known: KnownMap | None, crop: tuple[int, int, int, int]) -> tuple[str, ...]:
    """Return rows that mark dark and dim squares, for a part of the map, or no rows if all squares are bright."""
    left, top, right, bottom = crop
    whole = darkness(known) if known is not None else ()
    rows = tuple(line[left : right + 1] for line in whole[top : bottom + 1])
    return rows if any(row.strip() for row in rows) else ()


def _carried_at(encounter: Encounter, rules: RuleSystem, area: running.LastingArea) -> Point | None:
    """Return the middle square of the owner with which an area moves, or None if the area doesn't move."""
    place = geometry.space(encounter, rules, area.owner) if area.radius else None
    if place is None:
        return None
    half = spaces.squares_across(place.side, _cell(encounter)) // 2
    return place.column + half, place.row + half


def _cell(lookup: Lookup) -> int:
    return lookup.need(Map, Map.table).cell


def _ground(battle_map: Map, fog: tuple[str, ...], crop: tuple[int, int, int, int]) -> tuple[str, ...]:
    """Return the signs of the explored ground and obstacles in a part of the map, with blanks elsewhere."""
    left, top, right, bottom = crop
    lines = geometry.drawing_lines(battle_map.ground, battle_map.columns, battle_map.rows)
    things = {
        (column, row)
        for obstacle in battle_map.obstacles
        for column in range(max(left, obstacle.at[0]), min(right + 1, obstacle.at[0] + obstacle.size[0]))
        for row in range(max(top, obstacle.at[1]), min(bottom + 1, obstacle.at[1] + obstacle.size[1]))
    }
    return _rows_of(crop, lambda x, y: " " if fog[y][x] == HIDDEN else THING if (x, y) in things else lines[y][x])


# Lines ---------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def _lines(
    battle_map: Map, known_doors: frozenset[str], explored: frozenset[Point], origin: Point, *, with_walls: bool
) -> tuple[view.ShownLine, ...]:
    """Return the walls and doors in explored squares. An undiscovered secret door is drawn as a wall."""
    pieces_by_kind: Lines = {}
    drawn: list[tuple[view.LineKind, segments.Line]] = []
    if with_walls:
        kinds: tuple[view.LineKind, ...] = ("wall", "window", "curtain")
        drawn += [(kind, _line(ends)) for kind in kinds for ends in getattr(battle_map, f"{kind}s")]
        for barrier in battle_map.barriers:
            if barrier.kind != "object":
                drawn += [(barrier.kind, line) for line in _pieces(barrier)]
    for kind, line in drawn:
        _put(pieces_by_kind, kind, line, battle_map, explored)
    seen = [  # a secret door continues the line that players see next to it
        (kind, line)
        for kind, line in drawn
        if not explored.isdisjoint(segments.squares_touched(line, battle_map.columns, battle_map.rows))
    ]
    for door in battle_map.doors:
        if door.id in known_doors or with_walls:
            is_known = door.id in known_doors
            kind = "door" if is_known else segments.kind_along(_line(door.at), seen, "wall")
            _put(pieces_by_kind, kind, _line(door.at), battle_map, explored, is_open=is_known and door.open)
    lines = [
        view.ShownLine(kind, _from(origin, line), is_open)
        for (kind, is_open), pieces in pieces_by_kind.items()
        for line in segments.joined_lines(pieces)
    ]
    return tuple(sorted(lines, key=lambda coordinate: (coordinate.kind, coordinate.is_open, coordinate.ends)))


def _is_known(encounter: Encounter, door: Door) -> bool:
    state = encounter.get(running.DoorState, door.id)
    return door.kind != "secret" or door.open or (state is not None and state.found)


def _line(ends: Iterable[float]) -> segments.Line:
    x0, y0, x1, y1 = map(segments.fixed, ends)
    return x0, y0, x1, y1


def _pieces(barrier: MapBarrier) -> Iterator[segments.Line]:
    yield from (
        (segments.fixed(x0), segments.fixed(y0), segments.fixed(x1), segments.fixed(y1))
        for (x0, y0), (x1, y1) in pairwise(barrier.points)
    )


def _put(
    pieces: Lines,
    kind: view.LineKind,
    line: segments.Line,
    battle_map: Map,
    explored: frozenset[Point],
    *,
    is_open: bool = False,
) -> None:
    """Add the parts of a line in explored squares or on their edges, one piece for each square."""
    x0, y0, x1, y1 = line
    line = line if (x0, y0) <= (x1, y1) else (x1, y1, x0, y0)
    for square in segments.squares_touched(line, battle_map.columns, battle_map.rows):
        piece = _clipped(line, square) if square in explored else None
        if piece is not None:
            pieces.setdefault((kind, is_open), set()).add(piece)


def _clipped(line: segments.Line, square: Point) -> segments.Line | None:
    """Return the part of a line in a square or on its edges, or None if it has no length."""
    ends = [line[:2], line[2:]]
    for axis in (0, 1):
        low, high = square[axis] * UNIT, (square[axis] + 1) * UNIT
        for edge, outside in ((low, -1), (high, 1)):
            beyond = [(end[axis] - edge) * outside > 0 for end in ends]
            if all(beyond):
                return None
            ends = [_met(line, axis, edge) if is_beyond else end for end, is_beyond in zip(ends, beyond, strict=True)]
    (x0, y0), (x1, y1) = ends
    return (x0, y0, x1, y1) if ends[0] != ends[1] else None


def _met(line: segments.Line, axis: int, edge: int) -> Point:
    """Return the point where a line meets an edge across an axis, with the other coordinate rounded."""
    along = line[axis + 2] - line[axis]
    across = line[3 - axis] - line[1 - axis]
    way = (edge - line[axis]) * (1 if along > 0 else -1)
    other = line[1 - axis] + (2 * across * way + abs(along)) // (2 * abs(along))
    return (edge, other) if axis == 0 else (other, edge)


def _from(origin: Point, line: segments.Line) -> tuple[float, float, float, float]:
    """Return a line in squares, relative to an origin."""
    x0, y0, x1, y1 = line
    across, down = origin
    return x0 / UNIT - across, y0 / UNIT - down, x1 / UNIT - across, y1 / UNIT - down


_SHAPES: dict[str, view.SideShape] = {PARTY: "party", "enemies": "enemies"}


def players_view(
    encounter: Encounter, rules: RuleSystem, showing: Showing, *, is_shaded: bool = True
) -> view.PlayersView:
    """Return the players' view, containing only what its mode requires: a black screen contains nothing.

    `is_shaded`: a map includes its dim and dark squares, which are slow to calculate.
    """
    encounter = without_unseen(encounter, rules, showing)
    if showing.mode == "black":
        return view.PlayersView("black")
    if showing.mode == "text":
        return view.PlayersView("text", text=showing.text)
    if showing.mode == "picture":
        return view.PlayersView("picture", handout=showing.handout)
    scene, clock = scene_of(encounter), clock_of(encounter)
    countdowns = _countdowns(encounter, rules)
    if showing.mode == "map":
        members, actor, *_ = visible_members(encounter, showing)
        acting = members[actor].id if actor is not None else ""
        rows_of = partial(_rows, encounter, rules, showing)
        return view.PlayersView("map", map=map_view(encounter, rules, showing, rows_of, acting, is_shaded=is_shaded))
    if showing.mode != "order" or clock.phase not in ("set-up", "rounds"):
        return view.PlayersView(showing.mode, countdowns=countdowns if showing.mode == "dice" else ())
    members, actor, current, elapsed = visible_members(encounter, showing)
    order = _rows(encounter, rules, showing, members)
    return view.PlayersView(
        mode="order",
        title=scene.title if showing.has_title else "",
        round=current,
        elapsed_seconds=elapsed,
        light=scene.light,
        actor=actor,
        next=_next_of(order, actor) if clock.phase == "rounds" else None,
        order=order,
        countdowns=countdowns if showing.has_countdowns else (),
        handout=showing.handout,
    )


def with_numbers(encounter: Encounter, showing: Showing) -> Showing:
    """Add a new number to the choices for each combatant that players see under its name for the first time."""
    numbered = {(number.combatant, number.name) for number in showing.numbers}
    highest = Counter[str]()
    for given in showing.numbers:
        highest[given.name] = max(highest[given.name], given.number)
    new_numbers = []
    for combatant in encounter.all(running.Combatant):
        name = shown_name(combatant, showing)
        if not combatant.hidden and (combatant.id, name) not in numbered:
            highest[name] += 1
            new_numbers.append(running.GivenNumber(f"{combatant.id}.{name}", combatant.id, name, highest[name]))
    return msgspec.structs.replace(showing, numbers=(*showing.numbers, *new_numbers)) if new_numbers else showing


def without_unseen(encounter: Encounter, rules: RuleSystem, showing: Showing) -> Encounter:
    """Return the encounter in which combatants that have always been under the fog are hidden."""
    changes = hiding(unseen_combatants(encounter, rules, showing))
    return encounter.with_changes(changes) if changes else encounter


def hiding(people: Iterable[running.Combatant]) -> list[Change]:
    """Return the changes that hide combatants."""
    shown = [each for each in people if not each.hidden]
    return [Change((each.table, each.id), each, msgspec.structs.replace(each, hidden=True)) for each in shown]


def unseen_combatants(lookup: Lookup, rules: RuleSystem, showing: Showing) -> list[running.Combatant]:
    """Return the combatants that have always been under the fog.

    Once players have seen one, it has a number and stays in their view. They always see the party.
    """
    battle_map = current_map(lookup)
    if battle_map is None or not showing.fog_hides:
        return []
    numbered, fog = {number.combatant for number in showing.numbers}, sight.fog_lines(lookup, battle_map)
    party = (
        floor for each in lookup.all(running.Combatant) if each.side == PARTY for floor in _floors_of(battle_map, each)
    )
    floors = {*party} or {*battle_map.floors[:1]}
    floors.update(floor for floor in battle_map.floors if floor.id == showing.floor)
    unseen = []
    for each in lookup.all(running.Combatant) if fog is not None or battle_map.floors else ():
        place = geometry.space(lookup, rules, each.id)
        is_here = place is not None and (not battle_map.floors or floor_at(battle_map, place.row) in floors)
        is_seen = is_here and place is not None and (fog is None or _is_in_sight(lookup, each, place, fog))
        is_in_sight = each.side == PARTY or is_seen
        if each.id not in numbered and not is_in_sight:
            unseen.append(each)
    return unseen


def with_marker(encounter: Encounter, showing: Showing) -> Showing:
    """Remember the slot that players see act, so that the marker stays on it during hidden turns."""
    clock = clock_of(encounter)
    slot = encounter.get(running.Slot, clock.active) if clock.phase == "rounds" else None
    if slot is None or not _seen_in(encounter, slot):
        return showing
    order = tuple(each.id for each in slots_in_order(encounter))
    return msgspec.structs.replace(showing, marked=(slot.id, clock.round, clock.elapsed_seconds, order))


def _seen_in(encounter: Encounter, slot: running.Slot) -> list[running.Combatant]:
    return [encounter.need(running.Combatant, who) for who in slot.members if is_visible(encounter, who)]


def visible_members(encounter: Encounter, showing: Showing) -> tuple[list[running.Combatant], int | None, int, int]:
    """Return the visible combatants in turn order, the index of the active one, and the round and its start in seconds.

    During a hidden combatant's turn, all of these are as in the last turn that players saw: a change would give the
    hidden one away. Before the first such turn, the first visible combatant is marked.
    """
    clock, order = clock_of(encounter), slots_in_order(encounter)
    slots = [slot for slot in order if _seen_in(encounter, slot)]
    id, current, elapsed, earlier = with_marker(encounter, showing).marked or ("", 0, 0, ())
    if id and current < clock.round:  # the order may have changed since the last turn that players saw
        slots.sort(key=lambda slot: earlier.index(slot.id) if slot.id in earlier else len(earlier))
    members = [member for slot in slots for member in _seen_in(encounter, slot)]
    if clock.phase != "rounds" or not slots:
        return members, None, clock.round, clock.elapsed_seconds
    marked = next((slot for slot in slots if slot.id == id and current <= clock.round), None)
    if marked is None:  # nothing is remembered, so it is assumed to be the last visible one in the order
        place = next((place for place, slot in enumerate(order) if slot.id == clock.active), 0)
        before = [slot for slot in slots if slot in order[:place]]
        began = bool(before) or clock.round <= 1
        marked = before[-1] if before else slots[0] if began else slots[-1]
        current, elapsed = clock.round, clock.elapsed_seconds
        if not began:
            current, elapsed = current - 1, max(0, elapsed - scene_of(encounter).round_seconds)
    return members, members.index(_seen_in(encounter, marked)[0]), current, elapsed


def _next_of(order: tuple[view.CombatantRow, ...], actor: int | None) -> int | None:
    """Return the index of the row that acts next as far as players know, skipping enemies and others shown as down."""
    start = -1 if actor is None else actor
    places = [(start + step) % len(order) for step in range(1, len(order) + (actor is None))]
    return next((place for place in places if order[place].side == "party" or order[place].health != "down"), None)


def _rows(
    encounter: Encounter, rules: RuleSystem, showing: Showing, members: list[running.Combatant]
) -> tuple[view.CombatantRow, ...]:
    numbers = with_numbers(encounter, showing).numbers
    highest = Counter(number.name for number in numbers)
    number_of = {(number.combatant, number.name): number.number for number in numbers}
    rows = []
    for member in members:
        name, mode = shown_name(member, showing), showing.health_mode(member.side)
        rows.append(
            view.CombatantRow(
                name=name,
                number=number_of[member.id, name] if highest[name] > 1 or not name else 0,
                side=_SHAPES.get(member.side, "others"),
                health=health_word(member) if mode == "words" else "",
                hit_points=view.ShownHitPoints(member.hp, member.hp_max) if mode == "numbers" else None,
                conditions=_conditions(encounter, rules, showing, member.id),
            )
        )
    return tuple(rows)


def _conditions(encounter: Encounter, rules: RuleSystem, showing: Showing, who: str) -> tuple[str, ...]:
    """Return the distinct names of a combatant's visible conditions, in the order of the game's list, and effects."""
    effects = (each for each in encounter.of(running.Effect, who) if is_effect_shown(encounter, rules, showing, each))
    names, evident = {effect.name for effect in effects}, rules.data.presentation.evident
    conditions = (rules.conditions[id].name for id in evident if id in names)
    return (*conditions, *sorted(names - {*evident}))


def _countdowns(encounter: Encounter, rules: RuleSystem) -> tuple[view.CountdownView, ...]:
    views = []
    for pool in encounter.all(running.CountdownPool):
        if is_countdown_shown(encounter, pool):
            countdown = encounter.need(Countdown, pool.countdown)
            lowest = rules.countdown_faces.get(countdown.speed, 0)
            views.append(view.CountdownView(countdown.name, pool.dice, pool.last_faces, lowest))
    return tuple(views)
