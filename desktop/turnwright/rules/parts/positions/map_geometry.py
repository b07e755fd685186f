"""The grid of the map: drawings, obstacles and areas combined into the `Grid` for lines and paths.

Drawings are parsed leniently: lines may be too short, too long or too few, and unknown characters are plain ground.

Lasting areas on the map: whether they are still there, their squares, and the combatants in them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from turnwright.battlemap.grid import BarrierKind, Grid, TerrainLayers, build
from turnwright.battlemap.segments import Edge, FreeBarrier, PolylineKind
from turnwright.battlemap.spaces import Diagonals, Space, footprint, squares_across
from turnwright.battlemap.templates import AreaShape, Placement, cut_off, squares_in
from turnwright.encounter.lookups import clock_of
from turnwright.encounter.prepared import Environment, EnvironmentEntry, Map, Obstacle, Point, Segment
from turnwright.encounter.running import AreaLight, Combatant, Effect, LastingArea
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.environment.entries import (
    area_squares,
    current_map,
    feature_squares,
    is_active,
    terrain_squares,
    words_in,
)
from turnwright.rules.parts.positions.geometry import space
from turnwright.rules.system import RuleSystem

GRADES = ("none", "half", "three-quarters", "total")
LIGHT = (".", ":", "%")
OBSCURED = ("", "lightly", "heavily")
MAX_HEIGHT = 32_000
POLYLINES: Mapping[str, PolylineKind] = MappingProxyType(
    {
        "wall": "wall",
        "door": "wall",
        "secret": "wall",
        "window": "pane",
        "curtain": "curtain",
        "rail": "rail",
        "portcullis": "rail",
        "object": "object",
    }
)
EntryOnMap = tuple[str, str, str, str, str]  # environment, feature, terrain, obscured, cover


@lru_cache(maxsize=64)
def drawing_lines(text: str, columns: int, rows: int) -> tuple[str, ...]:
    """Return a drawing as `rows` lines of `columns` characters, cut or padded with dots."""
    lines = text.replace("\r", "").split("\n")
    return tuple((lines[row] if row < len(lines) else "")[:columns].ljust(columns, ".") for row in range(rows))


def drawing_text(lines: tuple[str, ...]) -> str:
    """Convert lines to text for a file, without trailing dots and blanks. Empty for a plain map."""
    stripped = [line.rstrip(". ") for line in lines]
    while stripped and not stripped[-1]:
        stripped.pop()
    return "".join(f"{line}\n" for line in stripped)


def height_steps(sign: str) -> int:
    """Return the height in steps for a character of the height drawing: 12 for `c`, -2 for `B`, 0 for unknown ones."""
    if sign.isascii() and sign.isdigit():
        return int(sign)
    if "a" <= sign <= "z":
        return ord(sign) - ord("a") + 10
    return ord("A") - ord(sign) - 1 if "A" <= sign <= "Z" else 0


def ground_elevation(lookup: Lookup, at: Point, across: int = 1) -> int:
    """Return the highest ground elevation in feet under a space `across` squares wide, or 0 off the map."""
    field = current_map(lookup)
    if field is None:
        return 0
    heights = drawing_lines(field.heights, field.columns, field.rows)
    column, row = at
    under = [
        height_steps(heights[down][right]) * field.cell
        for down in range(max(0, row), min(field.rows, row + across))
        for right in range(max(0, column), min(field.columns, column + across))
    ]
    return max(under, default=0)


def map_grid(
    lookup: Lookup, *, with_entries: tuple[tuple[str, str], ...] = (), without: frozenset[str] = frozenset()
) -> Grid | None:
    """Return the current grid, or None if there is none.

    `with_entries` lists entries (environment, feature) whose conditional cover counts. Entries whose names contain a
    word in `without` obscure nothing.
    """
    field = current_map(lookup)
    if field is None:
        return None
    return built_grid(field, tuple(_rows(lookup, field, with_entries, without)))


def cover_entries(lookup: Lookup) -> Iterator[tuple[Environment, EnvironmentEntry]]:
    """Yield every active entry that gives cover, always or under a condition."""
    for environment in lookup.all(Environment):
        for row in environment.features:
            if row.cover and is_active(lookup, environment, row):
                yield environment, row


def _rows(
    lookup: Lookup, battle_map: Map, extra: tuple[tuple[str, str], ...], without: frozenset[str]
) -> Iterator[EntryOnMap]:
    """Yield the terrain, obscurity and cover of entries that have squares."""
    for environment in lookup.all(Environment):
        for row in environment.features:
            if not is_active(lookup, environment, row) or area_squares(battle_map, environment.id, row.id) is None:
                continue
            placed = feature_squares(battle_map, environment.id, row.id)  # without squares, its place is unknown
            gives = row.cover if placed and (not row.cover_when or (environment.id, row.id) in extra) else ""
            terrain = "" if row.redirect else row.terrain
            obscured = row.obscured if without.isdisjoint(words_in(row.name)) else ""
            if terrain or obscured or gives:
                yield environment.id, row.id, terrain, obscured, gives


@lru_cache(maxsize=16)
def built_grid(battle_map: Map, rows: tuple[EntryOnMap, ...]) -> Grid:
    """Build the grid of a map. Areas outside the map are ignored."""
    sheet = _Sheet(battle_map)
    for obstacle in battle_map.obstacles:
        sheet.put(obstacle)
    for squares in terrain_squares(battle_map).values():
        sheet.difficult.update(squares & sheet.all)
    for environment, feature, terrain, obscured, gives in rows:
        squares = (area_squares(battle_map, environment, feature) or frozenset()) & sheet.all
        sheet.difficult.update(squares if terrain else ())
        for square in squares:
            sheet.light[square] = max(sheet.light.get(square, 0), OBSCURED.index(obscured))
            sheet.cover[square] = max(sheet.cover.get(square, 0), GRADES.index(gives or "none"))
    return build(
        battle_map.columns,
        battle_map.rows,
        TerrainLayers(
            obstacles=sheet.obstacles,
            edges=sheet.edges,
            difficult=sheet.difficult,
            water=sheet.drawn("~"),
            climb=sheet.drawn("^"),
            light=sheet.light,
            cover=sheet.cover,
            ground=sheet.ground,
            height=sheet.height,
            barriers=free_barriers(battle_map),
        ),
        cell=battle_map.cell,
    )


def free_barriers(battle_map: Map) -> tuple[FreeBarrier, ...]:
    """Return the barriers and then the doors of a map as polylines."""
    return (
        *(FreeBarrier(POLYLINES[barrier.kind], barrier.points) for barrier in battle_map.barriers),
        *(
            FreeBarrier(POLYLINES[door.kind], (door.at[:2], door.at[2:]), is_door=True, is_open=door.open)
            for door in battle_map.doors
        ),
    )


class _Sheet:
    """A builder for the parts of a grid."""

    def __init__(self, battle_map: Map) -> None:
        self.field = battle_map
        self.all = frozenset((column, row) for row in range(battle_map.rows) for column in range(battle_map.columns))
        self.signs = drawing_lines(battle_map.ground, battle_map.columns, battle_map.rows)
        heights = drawing_lines(battle_map.heights, battle_map.columns, battle_map.rows)
        light = drawing_lines(battle_map.light, battle_map.columns, battle_map.rows)
        self.obstacles: dict[Point, BarrierKind] = dict.fromkeys(self.drawn("#"), "wall")
        self.difficult = set(self.drawn(","))
        self.light = {at: LIGHT.index(light[at[1]][at[0]]) for at in self.all if light[at[1]][at[0]] in LIGHT[1:]}
        self.ground = {
            at: max(-MAX_HEIGHT, min(MAX_HEIGHT, height_steps(heights[at[1]][at[0]]) * battle_map.cell))
            for at in self.all
        }
        self.cover: dict[Point, int] = {}
        self.height: dict[Point, int] = {}
        self.edges: dict[Edge, BarrierKind] = {}
        kinds: tuple[tuple[BarrierKind, tuple[Segment, ...]], ...] = (
            ("wall", battle_map.walls),
            ("curtain", battle_map.curtains),
            ("pane", battle_map.windows),
        )
        for kind, segments in kinds:
            self.edges |= {edge: kind for segment in segments for edge in self.along(segment)}

    def drawn(self, sign: str) -> list[Point]:
        """Return the squares of the ground that are drawn with this character."""
        drawn = ((column, row, own) for row, line in enumerate(self.signs) for column, own in enumerate(line))
        return [(column, row) for column, row, own in drawn if own == sign]

    def put(self, obstacle: Obstacle) -> None:
        """Add an obstacle's height, cover and barrier to its squares."""
        (column, row), (wide, high) = obstacle.at, obstacle.size
        grade = GRADES.index(obstacle.cover or "none")
        for across in range(column, column + min(wide, self.field.columns)):
            for down in range(row, row + min(high, self.field.rows)):
                if (across, down) in self.all:
                    self.height[across, down] = min(obstacle.height, MAX_HEIGHT)
                    self.cover[across, down] = max(grade, self.cover.get((across, down), 0))
                    kind = _kind(obstacle)
                    if kind and self.obstacles.get((across, down)) != "wall":
                        self.obstacles[across, down] = kind

    def along(self, segment: Segment) -> Iterator[Edge]:
        """Yield the square edges along a straight segment between corners. A slanted segment has none."""
        column, row, to_column, to_row = segment
        if column == to_column and 0 < column < self.field.columns:
            for down in range(max(0, min(row, to_row)), min(self.field.rows, max(row, to_row))):
                yield column - 1, down, "east"
        elif row == to_row and column != to_column and 0 < row < self.field.rows:
            for across in range(max(0, min(column, to_column)), min(self.field.columns, max(column, to_column))):
                yield across, row - 1, "south"


def _kind(obstacle: Obstacle) -> BarrierKind | None:
    """Return the kind of barrier of an obstacle: total cover blocks lines, lesser cover at most movement."""
    if obstacle.cover == "total":
        return "wall" if obstacle.blocks == "movement" else "curtain"
    return "rail" if obstacle.blocks == "movement" else None


def standing_areas(lookup: Lookup) -> Iterator[LastingArea]:
    """Yield the lasting areas that are still there."""
    for area in lookup.all(LastingArea):
        ended = area.effect and lookup.get(Effect, area.effect) is None
        if not ended and not (area.last_round and clock_of(lookup).round > area.last_round):
            yield area


def lasting_squares(
    lookup: Lookup, rules: RuleSystem, area: LastingArea, *, through_walls: bool = False
) -> frozenset[Point]:
    """Return the squares of an area: as placed, or those around its owner that no wall cuts off.

    With `through_walls`, return all squares around the owner, for views that must not reveal walls.
    """
    if not area.radius:
        return frozenset(
            (column, row)
            for left, top, wide, high in area.squares
            for column in range(left, left + wide)
            for row in range(top, top + high)
        )
    here, grid, field = space(lookup, rules, area.owner), map_grid(lookup), current_map(lookup)
    if here is None or grid is None or field is None:
        return frozenset()
    diagonals = rules.data.grid.areas.diagonals if rules.data.grid.areas.diagonals != "equal" else field.diagonals
    return _around(grid, here, area.radius, diagonals, through_walls)


@lru_cache(maxsize=64)
def _around(grid: Grid, here: Space, feet: int, diagonals: Diagonals, through_walls: bool) -> frozenset[Point]:
    """Return the squares within `feet` of a space. Squares behind walls count only with `through_walls`."""
    shape = AreaShape("emanation", feet)
    squares = frozenset(squares_in(grid, shape, Placement(here.square, space=here), "steps", diagonals=diagonals))
    if through_walls:
        return squares
    half = squares_across(here.side, grid.cell) / 2
    return squares.difference(cut_off(grid, squares, (here.column + half, here.row + half)))


class LitSquares(NamedTuple):
    """Squares that an area lights or darkens."""

    squares: frozenset[Point]
    light: AreaLight


def lit_squares(
    lookup: Lookup, rules: RuleSystem, area: LastingArea, *, through_walls: bool = False
) -> Iterator[LitSquares]:
    """Yield the squares that an area lights or darkens, if any.

    A carried bright light also gives dim light farther out.
    """
    if area.light:
        yield LitSquares(lasting_squares(lookup, rules, area, through_walls=through_walls), area.light)
    if area.light == "bright" and area.radius:
        farther = msgspec.structs.replace(area, radius=2 * area.radius)
        yield LitSquares(lasting_squares(lookup, rules, farther, through_walls=through_walls), "dim")


def hindering_areas(lookup: Lookup, who: str) -> Iterator[LastingArea]:
    """Yield the areas that are difficult terrain for a combatant, except those that move with it or with its rider."""
    for area in standing_areas(lookup):
        owner = lookup.get(Combatant, area.owner) if area.radius else None
        if area.difficult and not (owner is not None and who in (owner.id, owner.rides)):
            yield area


def is_in_area(lookup: Lookup, rules: RuleSystem, who: str, area: LastingArea) -> bool:
    """Return whether a living combatant's space is partly in an area.

    An area that moves with its owner excludes the owner.
    """
    combatant, own_space = lookup.get(Combatant, who), space(lookup, rules, who)
    field = current_map(lookup)
    if combatant is None or combatant.dead or own_space is None or field is None or (area.radius and who == area.owner):
        return False
    return not lasting_squares(lookup, rules, area).isdisjoint(footprint(own_space, field.cell))
