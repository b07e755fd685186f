"""Spaces, distances and reaches of combatants, and the grid of the map with its lasting areas. Distances are in feet.

On a grid they follow from the squares. A `Relation` that the game master sets overrides them, and without a grid it is
the only source. Any answer may be None (unknown), so that a stage can ask. Drawings are parsed leniently: lines may be
too short, too long or too few, and unknown characters are plain ground.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple, TypeVar, cast

import msgspec

from turnwright.battlemap import paths
from turnwright.battlemap import spaces as apart
from turnwright.battlemap.grid import UNLIMITED, BarrierKind, Grid, TerrainLayers, build, with_barriers
from turnwright.battlemap.segments import Edge, FreeBarrier, PolylineKind
from turnwright.battlemap.spaces import Diagonals, Space, footprint, squares_across
from turnwright.encounter import floors, prepared
from turnwright.encounter.running import AreaLight, Combatant, Effect, GuestCreature, LastingArea, Relation, relation_id
from turnwright.encounter.state import Lookup, Owned, Record, find_effect, standing_areas
from turnwright.rules.parts.combatants.facts import condition_names, conditions_with_effects
from turnwright.rules.parts.environment import entries
from turnwright.rules.system import RuleSystem, Veto, creature_of

ANOTHER_FLOOR: Final = UNLIMITED  # the distance in feet to everything on another floor: farther than anything else
LIKE: Final = {"sight": "blinded", "being-seen": "invisible"}  # the denied ability, and the condition that denies it


def stated_relation(lookup: Lookup, who: str, other: str) -> Relation | None:
    """Return the relation of one combatant to another that the game master set, or None if there is none."""
    return lookup.get(Relation, relation_id(who, other))


def effective_side(lookup: Lookup, rules: RuleSystem, who: str) -> float:
    """Return the side of a combatant's space in feet: one size smaller while it is squeezing."""
    side = entries.space_side(lookup, rules, who)
    if rules.role("squeezing") in condition_names(lookup, rules, who):
        return max((size.space for size in rules.data.sizes if size.space < side), default=side)
    return side


def size_index(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the position of a combatant's size among the system's sizes, smallest first."""
    size = entries.size_of(lookup, rules, who)
    return next((index for index, entry in enumerate(rules.data.sizes) if entry.id == size), 0)


def space_at(lookup: Lookup, rules: RuleSystem, who: str, at: prepared.Point, elevation: int) -> Space:
    """Return the space that a combatant would take on a square at an elevation."""
    return Space(*at, side=effective_side(lookup, rules, who), elevation=elevation)


def space(lookup: Lookup, rules: RuleSystem, who: str) -> Space | None:
    """Return the space that a combatant takes, or None without a grid or a position fully on it.

    A rider takes the space of the mount it is on.
    """
    combatant = lookup.get(Combatant, who)
    if combatant is None or combatant.position is None:
        return None
    field = entries.current_map(lookup)
    if field is None:
        return None
    own_space = space_at(lookup, rules, who, combatant.position, combatant.elevation)
    mount_space = space(lookup, rules, combatant.rides) if combatant.rides else None
    if mount_space is not None and apart.share_a_square(own_space, mount_space, field.cell):
        return mount_space
    return (
        own_space if floors.is_on_floor(field, own_space.square, squares_across(own_space.side, field.cell)) else None
    )


def combatants_near(lookup: Lookup, rules: RuleSystem, *spaces: Space, squares: int = 0) -> list[Combatant]:
    """Return the combatants that may be within `squares` of the rectangle around these spaces.

    This runs for every step and roll, so it uses the widest space: a few of the combatants are farther away. Empty
    without a grid.
    """
    field = entries.current_map(lookup)
    if field is None:
        return []
    widest = _widest(lookup, rules, field.cell)
    across = [squares_across(area.side, field.cell) for area in spaces]
    left, top = min(area.column for area in spaces) - squares, min(area.row for area in spaces) - squares
    right = max(area.column + wide for area, wide in zip(spaces, across, strict=True)) + squares
    bottom = max(area.row + wide for area, wide in zip(spaces, across, strict=True)) + squares
    return [
        combatant
        for combatant in lookup.all(Combatant)
        if combatant.position is not None
        and left - widest < combatant.position[0] < right
        and top - widest < combatant.position[1] < bottom
    ]


def _widest(lookup: Lookup, rules: RuleSystem, cell: int) -> int:
    """Return the width in squares of the widest space: of the encounter's stat blocks or of the system's sizes."""
    sides = [block.space for kind in (prepared.Creature, GuestCreature) for block in lookup.all(kind)]
    return squares_across(max([cell, *sides, *[size.space for size in rules.data.sizes]]), cell)


def possibly_within(lookup: Lookup, rules: RuleSystem, who: str, feet: int) -> Iterable[Combatant]:
    """Return all combatants except those known to be more than `feet` away, in table order.

    A few farther ones are included: this runs for every step and roll, so it uses the widest space.
    """
    field, here = entries.current_map(lookup), space(lookup, rules, who)
    if field is None or here is None:
        return lookup.all(Combatant)
    steps = squares_across(feet, field.cell)
    near = {combatant.id for combatant in combatants_near(lookup, rules, here, squares=steps)}
    for pair in lookup.all(Relation):
        if who in (pair.who, pair.other):
            near |= {pair.who, pair.other}
    widest = _widest(lookup, rules, field.cell)
    right, bottom = field.columns - widest, field.rows - widest  # beyond these, a space may not be fully on the map
    return [
        combatant
        for combatant in lookup.all(Combatant)
        if combatant.position is None
        or combatant.id in near
        or not (0 <= combatant.position[0] <= right and 0 <= combatant.position[1] <= bottom)
    ]


def longest_reach(lookup: Lookup, rules: RuleSystem) -> int:
    """Return the longest reach in the encounter in feet."""
    blocks = [block for kind in (prepared.Creature, GuestCreature) for block in lookup.all(kind)]
    reaches = [reach for block in blocks for reach in (block.reach, *[feature.reach for feature in block.features])]
    own = max([rules.data.attack.reach, prepared.Creature("", "").reach, *reaches])
    affected = dict.fromkeys(effect.target for effect in lookup.all(Effect) if effect.target)
    return max([own, *(rules.reach(lookup, rules, who, own) for who in affected)])


def distance(lookup: Lookup, rules: RuleSystem, who: str, other: str, at: prepared.Point | None = None) -> int | None:
    """Return the distance in feet between two combatants (5 if they are adjacent), or to a square, or None if unknown.

    Combatants on different floors have the distance `ANOTHER_FLOOR`, unless a relation contains another one.
    """
    if who == other:
        return 0
    for pair in (stated_relation(lookup, who, other), stated_relation(lookup, other, who)):
        if pair is not None and pair.distance is not None:
            return pair.distance
    here = space(lookup, rules, who)
    field = entries.current_map(lookup) if here is not None else None
    there = Space(*at, field.cell, here.elevation) if at and here and field else space(lookup, rules, other)
    if field is None or here is None or there is None:
        return None
    if field.floors and floors.floor_at(field, here.row) != floors.floor_at(field, there.row):
        return ANOTHER_FLOOR if at is None else None
    return apart.distance(here, there, cell=field.cell, diagonals=field.diagonals)


def distance_on_floor(lookup: Lookup, rules: RuleSystem, who: str, other: str) -> int | None:
    """Return the distance in feet between two combatants, or None if it is unknown or they are on different floors."""
    feet = distance(lookup, rules, who, other)
    return feet if feet != ANOTHER_FLOOR else None


def floor_veto(lookup: Lookup, rules: RuleSystem, who: str, target: str) -> Veto | None:
    """Return the veto on a target on another floor, or None."""
    if distance(lookup, rules, who, target) != ANOTHER_FLOOR:
        return None
    return Veto("refused.other_floor", "", (("who", lookup.need(Combatant, target).label),))


def is_within(lookup: Lookup, rules: RuleSystem, who: str, other: str, feet: int) -> bool | None:
    """Return whether two combatants are at most `feet` apart, or None if unknown."""
    feet_apart = distance(lookup, rules, who, other)
    if feet_apart is not None:
        return feet_apart <= feet
    for pair in (stated_relation(lookup, who, other), stated_relation(lookup, other, who)):
        if pair is not None and pair.within is not None and pair.within <= feet:
            return True
        if pair is not None and pair.beyond is not None and pair.beyond >= feet:
            return False
    return None


def height_above(lookup: Lookup, who: str, other: str) -> int | None:
    """Return the height in feet of one combatant above another (negative: below), or None if unknown."""
    pair, turned = stated_relation(lookup, who, other), stated_relation(lookup, other, who)
    if pair is not None and pair.height is not None:
        return pair.height
    if turned is not None and turned.height is not None:
        return -turned.height
    here, there = lookup.get(Combatant, who), lookup.get(Combatant, other)
    if here is None or there is None:
        return None
    higher = here.elevation - there.elevation
    return higher if entries.current_map(lookup) else (higher or None)


def melee_reach(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the longest reach of a combatant's melee attacks in feet."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    attacks = (feature for feature in creature.features if feature.attack is not None or feature.damage)
    return rules.reach(lookup, rules, who, max([creature.reach, *(attack.reach for attack in attacks)]))


def in_reach(lookup: Lookup, rules: RuleSystem, who: str, other: str) -> bool | None:
    """Return whether the other is within a combatant's reach, or None if unknown."""
    pair = stated_relation(lookup, who, other)
    if pair is not None and pair.reached is not None:
        return pair.reached
    feet = distance(lookup, rules, who, other)
    return None if feet is None else feet <= melee_reach(lookup, rules, who)


def causing_feature(lookup: Lookup, effect: Effect) -> prepared.Feature | None:
    """Return the feature with which its creator caused an effect, or None."""
    creator = lookup.get(Combatant, effect.by)
    features = creature_of(lookup, creator).features if creator is not None else ()
    return next((feature for feature in features if feature.name == effect.source), None)


def is_from_afar(feature: prepared.Feature | None) -> bool:
    """Return whether a feature takes hold from a distance, such as a web, so that its owner's reach doesn't matter."""
    return (
        feature is not None and not feature.reach and bool(feature.range or (feature.area and feature.attack is None))
    )


def is_held_in_reach(lookup: Lookup, rules: RuleSystem, hold: Effect) -> bool | None:
    """Return whether the target of a hold is within its creator's reach, or None if unknown."""
    feature = causing_feature(lookup, hold)
    if is_from_afar(feature) or lookup.get(Combatant, hold.by) is None:
        return None
    pair = stated_relation(lookup, hold.by, hold.target)
    feet = distance(lookup, rules, hold.by, hold.target)
    if feature is None or (pair is not None and pair.reached is not None) or feet is None:
        return in_reach(lookup, rules, hold.by, hold.target)
    own = feature.reach or creature_of(lookup, lookup.need(Combatant, hold.by)).reach
    return feet <= rules.reach(lookup, rules, hold.by, own)


def are_hostile(lookup: Lookup, who: str, other: str) -> bool:
    """Return whether two combatants are on different sides."""
    here, there = lookup.get(Combatant, who), lookup.get(Combatant, other)
    return here is not None and there is not None and here.side != there.side


def denying_conditions(lookup: Lookup, rules: RuleSystem, who: str, what: str) -> list[tuple[str, str]]:
    """Return the conditions that deny a combatant `sight`, `flanking` or the like, with their rules.

    A feature that does so is represented by the condition it resembles.
    """
    conditions = [(LIKE.get(what, what), "") for what in rules.feature_subjects(lookup, rules, who, "deny", (what,))]
    if not lookup.of(Effect, who):
        return conditions
    return conditions + [
        (name, rule.ledger or (condition.ledger[0] if condition.ledger else ""))
        for name, _ in conditions_with_effects(lookup, rules, who)
        if (condition := rules.conditions.get(name)) is not None
        for rule in condition.rules
        if rule.kind == "deny" and rule.what == what
    ]


R = TypeVar("R", bound=Record)


class MovedLookup:
    """A lookup with some combatants replaced. It omits the relations of these combatants."""

    def __init__(self, lookup: Lookup, moved: Iterable[Combatant]) -> None:
        # A moved lookup based on another one is flattened.
        self.under: Lookup = lookup.under if isinstance(lookup, MovedLookup) else lookup
        self.moved: dict[str, Combatant] = dict(lookup.moved) if isinstance(lookup, MovedLookup) else {}
        self.moved.update((combatant.id, combatant) for combatant in moved)

    def get(self, kind: type[R], id: str) -> R | None:
        """Return the record of this kind and id, or None."""
        if kind is Combatant and id in self.moved:
            return cast("R", self.moved[id])
        record = self.under.get(kind, id)
        return None if isinstance(record, Relation) and self._is_about_them(record) else record

    def need(self, kind: type[R], id: str) -> R:
        """Return the record of this kind and id. Raise LookupError if there is none."""
        record = self.get(kind, id)
        if record is None:
            raise LookupError(f"{kind.table}.{id}")
        return record

    def all(self, kind: type[R]) -> Iterable[R]:
        """Return the records of a kind, in table order."""
        for record in self.under.all(kind):
            if isinstance(record, Combatant):
                yield cast("R", self.moved.get(record.id, record))
            elif not (isinstance(record, Relation) and self._is_about_them(record)):
                yield record

    def of(self, kind: type[Owned], who: str) -> list[Owned]:
        """Return a combatant's tracks, effects or slots, in table order."""
        return self.under.of(kind, who)

    def _is_about_them(self, relation: Relation) -> bool:
        return relation.who in self.moved or relation.other in self.moved


STRAIGHT_RUN = "straight-run"  # mark of a straight run with its start and its length in feet


def run_start(run: Effect) -> prepared.Point:
    """Return the square where a straight run began."""
    column, _, row = run.end_condition.partition(",")
    return int(column), int(row)


def straight_feet_towards(lookup: Lookup, rules: RuleSystem, who: str, other: str) -> int:
    """Return the distance in feet by which a combatant's last straight run this turn brought it closer to another."""
    run = find_effect(lookup, who, STRAIGHT_RUN)
    if run is None:
        return 0
    before = MovedLookup(lookup, [msgspec.structs.replace(lookup.need(Combatant, who), position=run_start(run))])
    feet_before, feet_now = distance(before, rules, who, other), distance(lookup, rules, who, other)
    return 0 if feet_before is None or feet_now is None else min(run.value, feet_before - feet_now)


GRADES = ("none", "half", "three-quarters", "total")
LIGHT = (".", ":", "%")
OBSCURED = ("", "lightly", "heavily")
MAX_HEIGHT = 32_000
POLYLINES: Mapping[str, PolylineKind] = {
    "wall": "wall", "door": "wall", "secret": "wall", "window": "pane", "curtain": "curtain", "rail": "rail",
    "portcullis": "rail", "object": "object",
}  # fmt: skip
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


def ground_elevation(lookup: Lookup, at: prepared.Point, across: int = 1) -> int:
    """Return the highest ground elevation in feet under a space `across` squares wide, or 0 off the map."""
    field = entries.current_map(lookup)
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
    field = entries.current_map(lookup)
    return None if field is None else built_grid(field, tuple(_rows(lookup, field, with_entries, without)))


def cover_entries(lookup: Lookup) -> Iterator[tuple[prepared.Environment, prepared.EnvironmentEntry]]:
    """Yield every active entry that gives cover, always or under a condition."""
    for environment in lookup.all(prepared.Environment):
        for row in environment.features:
            if row.cover and entries.is_active(lookup, environment, row):
                yield environment, row


def _rows(
    lookup: Lookup, battle_map: prepared.Map, extra: tuple[tuple[str, str], ...], without: frozenset[str]
) -> Iterator[EntryOnMap]:
    """Yield the terrain, obscurity and cover of entries that have squares."""
    for environment in lookup.all(prepared.Environment):
        for row in environment.features:
            if (
                not entries.is_active(lookup, environment, row)
                or entries.area_squares(battle_map, environment.id, row.id) is None
            ):
                continue
            placed = entries.feature_squares(
                battle_map, environment.id, row.id
            )  # without squares, its place is unknown
            gives = row.cover if placed and (not row.cover_when or (environment.id, row.id) in extra) else ""
            terrain = "" if row.redirect else row.terrain
            obscured = row.obscured if without.isdisjoint(entries.words_in(row.name)) else ""
            if terrain or obscured or gives:
                yield environment.id, row.id, terrain, obscured, gives


@lru_cache(maxsize=16)
def built_grid(battle_map: prepared.Map, rows: tuple[EntryOnMap, ...]) -> Grid:
    """Build the grid of a map. Areas outside the map are ignored."""
    bare = msgspec.structs.replace(battle_map, barriers=(), doors=(), picture=None, lights=(), fog="")
    grid, barriers = _bare_grid(bare, rows), free_barriers(battle_map)
    return with_barriers(grid, barriers) if barriers else grid


@lru_cache(maxsize=4)
def _bare_grid(battle_map: prepared.Map, rows: tuple[EntryOnMap, ...]) -> Grid:
    """Build the grid of a map without barriers and doors off the grid."""
    sheet = _Sheet(battle_map)
    for obstacle in battle_map.obstacles:
        sheet.put(obstacle)
    for squares in entries.terrain_squares(battle_map).values():
        sheet.difficult |= sheet.on_map(squares)
    for environment, feature, terrain, obscured, gives in rows:
        inside = sheet.on_map(entries.area_squares(battle_map, environment, feature) or ())
        sheet.difficult.update(inside if terrain else ())
        for square in inside:
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
        ),
        cell=battle_map.cell,
    )


def door_label(door: prepared.Door) -> str:
    """Return a door's name, or the word for its kind."""
    return door.name or f"<door.{door.kind}>"


def free_barriers(battle_map: prepared.Map) -> tuple[FreeBarrier, ...]:
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

    def __init__(self, battle_map: prepared.Map) -> None:
        self.field = battle_map
        self.signs, heights, light = (
            {
                (column, row): sign
                for row, line in enumerate(drawing_lines(layer, battle_map.columns, battle_map.rows))
                if line.strip(".")
                for column, sign in enumerate(line)
                if sign != "."
            }
            for layer in (battle_map.ground, battle_map.heights, battle_map.light)
        )
        self.obstacles: dict[prepared.Point, BarrierKind] = dict.fromkeys(self.drawn("#"), "wall")
        self.difficult = set(self.drawn(","))
        self.light = {at: LIGHT.index(sign) for at, sign in light.items() if sign in LIGHT}
        self.ground = {
            at: max(-MAX_HEIGHT, min(MAX_HEIGHT, height_steps(sign) * battle_map.cell)) for at, sign in heights.items()
        }
        self.cover: dict[prepared.Point, int] = {}
        self.height: dict[prepared.Point, int] = {}
        self.edges: dict[Edge, BarrierKind] = {}
        kinds: tuple[tuple[BarrierKind, tuple[prepared.Segment, ...]], ...] = (
            ("wall", battle_map.walls),
            ("curtain", battle_map.curtains),
            ("pane", battle_map.windows),
            ("wall", floors.borders_of(battle_map)),
        )
        for kind, segments in kinds:
            self.edges |= {edge: kind for segment in segments for edge in self.along(segment)}

    def drawn(self, sign: str) -> list[prepared.Point]:
        """Return the squares of the ground that are drawn with this character."""
        return [at for at, own in self.signs.items() if own == sign]

    def on_map(self, squares: Iterable[prepared.Point]) -> set[prepared.Point]:
        """Return the given squares without those off the map."""
        return {at for at in squares if 0 <= at[0] < self.field.columns and 0 <= at[1] < self.field.rows}

    def put(self, obstacle: prepared.Obstacle) -> None:
        """Add an obstacle's height, cover and barrier to its squares."""
        (column, row), (wide, high) = obstacle.at, obstacle.size
        grade = GRADES.index(obstacle.cover or "none")
        columns = range(max(0, column), min(column + wide, self.field.columns))
        kind = _kind(obstacle)
        for at in product(columns, range(max(0, row), min(row + high, self.field.rows))):
            self.height[at] = min(obstacle.height, MAX_HEIGHT)
            self.cover[at] = max(grade, self.cover.get(at, 0))
            if kind and self.obstacles.get(at) != "wall":
                self.obstacles[at] = kind

    def along(self, segment: prepared.Segment) -> Iterator[Edge]:
        """Yield the square edges along a straight segment between corners. A slanted segment has none."""
        column, row, to_column, to_row = segment
        if column == to_column and 0 < column < self.field.columns:
            for down in range(max(0, min(row, to_row)), min(self.field.rows, max(row, to_row))):
                yield column - 1, down, "east"
        elif row == to_row and column != to_column and 0 < row < self.field.rows:
            for across in range(max(0, min(column, to_column)), min(self.field.columns, max(column, to_column))):
                yield across, row - 1, "south"


def _kind(obstacle: prepared.Obstacle) -> BarrierKind | None:
    """Return the kind of barrier of an obstacle: total cover blocks lines, lesser cover at most movement."""
    if obstacle.cover == "total":
        return ("pane" if obstacle.clear else "wall") if obstacle.blocks == "movement" else "curtain"
    return "rail" if obstacle.blocks == "movement" else None


def is_carried_light(rules: RuleSystem, area: LastingArea) -> bool:
    """Whether a lasting area is the light of a source that a creature carries, such as a torch."""
    return bool(area.light and area.radius) and any(source.name == area.name for source in rules.data.lights)


def lasting_squares(
    lookup: Lookup, rules: RuleSystem, area: LastingArea, *, through_walls: bool = False
) -> frozenset[prepared.Point]:
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
    here, grid, field = space(lookup, rules, area.owner), map_grid(lookup), entries.current_map(lookup)
    if here is None or grid is None or field is None:
        return frozenset()
    return _around(grid, here, area.radius, _diagonals(rules, field), through_walls)


def _diagonals(rules: RuleSystem, battle_map: prepared.Map) -> Diagonals:
    """Return the rule for diagonals in areas and measured distances: the game's if it has one, otherwise the map's."""
    by_game = rules.data.grid.areas.diagonals
    return by_game if by_game != "equal" else battle_map.diagonals


def measured_feet(rules: RuleSystem, battle_map: prepared.Map, start: prepared.Point, end: prepared.Point) -> int:
    """Return the distance between two squares of a map, counted as the game does."""
    one, other = Space(*start, battle_map.cell), Space(*end, battle_map.cell)
    return apart.distance(one, other, cell=battle_map.cell, diagonals=_diagonals(rules, battle_map))


@lru_cache(maxsize=64)
def _around(grid: Grid, here: Space, feet: int, diagonals: Diagonals, through_walls: bool) -> frozenset[prepared.Point]:
    """Return the squares within `feet` of a space. Squares behind walls count only with `through_walls`."""
    shape = paths.AreaShape("emanation", feet)
    squares = frozenset(
        paths.squares_in(grid, shape, paths.Placement(here.square, space=here), "steps", diagonals=diagonals)
    )
    if through_walls:
        return squares
    half = squares_across(here.side, grid.cell) / 2
    return squares.difference(paths.cut_off(grid, squares, (here.column + half, here.row + half)))


class LitSquares(NamedTuple):
    """Squares that an area lights or darkens."""

    squares: frozenset[prepared.Point]
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
    field = entries.current_map(lookup)
    if combatant is None or combatant.dead or own_space is None or field is None or (area.radius and who == area.owner):
        return False
    return not lasting_squares(lookup, rules, area).isdisjoint(footprint(own_space, field.cell))
