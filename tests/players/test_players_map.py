"""Players learn nothing of the map that they may not know: maps that differ in what is hidden alone give the same view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Literal, get_args

import msgspec
import pytest

from tests.for_each import for_each
from tests.players.replacing import rubbish_record, word
from tests.table import a5e, action_points, dnd5e, pf2e
from turnwright.battlemap.segments import fixed, squares_touched
from turnwright.encounter.floors import map_of, stacked
from turnwright.encounter.portraits import portrait_of
from turnwright.encounter.prepared import (
    Area,
    BarrierKind,
    Creature,
    Door,
    DoorKind,
    Map,
    MapBarrier,
    MapFloor,
    MapLight,
    MapPicture,
    Obstacle,
    Point,
    Scene,
)
from turnwright.encounter.running import (
    AreaLight,
    AreaMoment,
    Clock,
    Combatant,
    DoorState,
    Effect,
    Fog,
    LastingArea,
    ObstacleState,
    Slot,
)
from turnwright.encounter.state import Encounter, Record, standing_areas
from turnwright.play.environment.map_changes import ArrangeFloors, SetFog
from turnwright.play.kernel.transaction import Transaction
from turnwright.players.map_view import players_view, with_map_origin
from turnwright.players.presenter import Presenter
from turnwright.players.secrets import Showing
from turnwright.players.view import PlayersMap, ShownRuler
from turnwright.rules.parts.environment.entries import current_map
from turnwright.rules.parts.positions.sight import fog_lines, fog_text
from turnwright.rules.system import RuleSystem

COLUMNS, ROWS, ROUND = 12, 9, 2
BIG = Creature("big", "Big", size="large")
SMALL = Creature("small", "Small", size="medium")
FACES = {"a.png": b"a", "b.png": b"b"}
DIAGONALS = ("equal", "alternating")
Part = Obstacle | Area | MapBarrier | Door | MapLight | MapPicture
Pair = tuple[tuple[Encounter, Showing], tuple[Encounter, Showing]]


def view_of(encounter: Encounter, showing: Showing) -> PlayersMap | None:
    return players_view(encounter, a5e(), msgspec.structs.replace(showing, mode="map")).map


def segments(random: Random, count: int) -> list[tuple[int, int, int, int]]:
    """Return walls along the grid."""
    found = []
    for _ in range(count):
        column, row, length = random.randrange(COLUMNS), random.randrange(ROWS), random.randrange(1, 4)
        found.append(
            (column, row, column + length, row) if random.random() < 0.5 else (column, row, column, row + length)
        )
    return found


def line(random: Random) -> tuple[float, float, float, float]:
    """Return a line anywhere on the map, in steps of 1/8 of a square."""
    x0, y0 = random.randrange(8 * COLUMNS) / 8, random.randrange(8 * ROWS) / 8
    return x0, y0, min(COLUMNS, x0 + random.randrange(1, 16) / 8), min(ROWS, y0 + random.randrange(16) / 8)


def light(random: Random) -> MapLight:
    """Return a light anywhere on the map."""
    at = random.randrange(COLUMNS) + 0.5, random.randrange(ROWS) + 0.5
    return MapLight(at, random.choice((5, 10, 20)), random.choice((0, 15)), word(random))


def obstacle(random: Random) -> Obstacle:
    """Return an obstacle anywhere on the map, of up to 2 squares by 2."""
    at, size = (random.randrange(COLUMNS), random.randrange(ROWS)), (random.randrange(1, 3), random.randrange(1, 3))
    return rubbish_record(Obstacle, random, at=at, size=size, height=random.choice((0, 0, 3, 30)))


def barrier(random: Random) -> MapBarrier:
    """Return a straight barrier anywhere on the map."""
    one = line(random)
    return MapBarrier(random.choice(get_args(BarrierKind)), (one[:2], one[2:]))


def door(random: Random) -> Door:
    """Return a door anywhere on the map, secret at least every third time."""
    kind = random.choice((*get_args(DoorKind), "secret", "secret"))
    return Door(word(random), line(random), kind, word(random), open=random.random() < 0.2)


def picture(random: Random) -> MapPicture:
    """Return a picture for players and the game master, of any place and size."""
    return msgspec.structs.replace(rubbish_record(MapPicture, random), shown="both")


def drawn(random: Random, signs: str, columns: int = COLUMNS, rows: int = ROWS) -> str:
    """Return a drawing of some signs."""
    return "\n".join("".join(random.choices(signs, k=columns)) for _ in range(rows))


def world_areas(random: Random) -> tuple[Area, ...]:
    """Return areas of surroundings and of ground, which players see nothing of."""
    places = ((random.randrange(COLUMNS), random.randrange(ROWS), 2, 3) for _ in range(3))
    return tuple(Area(word(random), random.choice(("", word(random))), word(random), (place,)) for place in places)


def creatures(random: Random) -> list[Creature]:
    """Return a stat block of a large creature and a medium one, all else of them rubbish."""
    return [
        rubbish_record(Creature, random, id=id, size=size, space=0, portrait=random.choice(("", *FACES)))
        for id, size in (("big", "large"), ("small", "medium"))
    ]


def random_area(random: Random, owners: list[str], effects: list[str]) -> LastingArea:
    """Return an area anywhere on the map or round one of the owners, which may be over."""
    place: tuple[int, int, int, int] = (random.randrange(COLUMNS - 3), random.randrange(ROWS - 3), 3, 2)
    goes = random.random() < 0.5
    return LastingArea(
        word(random), word(random), random.choice(owners[goes:] or owners), () if goes else (place,),
        radius=random.choice((5, 10)) if goes else 0, effect=random.choice(effects), last_round=random.choice((0, 0, 1, 2, 9)),
        reminds=random.choice(get_args(AreaMoment)), hidden=random.random() < 0.3, light=random.choice(get_args(AreaLight)),
        difficult=random.random() < 0.5,
    )  # fmt: skip


def random_map(random: Random) -> tuple[list[Record], Showing]:
    """Return a map with something of all it may hold, under fog, and combatants on it."""
    doors = tuple(door(random) for _ in range(6))
    battle_map = Map(
        columns=COLUMNS,
        rows=ROWS,
        cell=random.choice((5, 5, 10)),
        diagonals=random.choice(DIAGONALS),
        ground=drawn(random, ".,~^#"),
        heights=drawn(random, "0129B"),
        light=drawn(random, ".:%"),
        walls=tuple(segments(random, 6)),
        windows=tuple(segments(random, 2)),
        curtains=tuple(segments(random, 2)),
        obstacles=tuple(obstacle(random) for _ in range(3)),
        areas=world_areas(random),
        picture=random.choice(
            (None, None, picture(random), msgspec.structs.replace(picture(random), shown="game-master"))
        ),
        barriers=tuple(barrier(random) for _ in range(6)),
        doors=doors,
        lights=tuple(light(random) for _ in range(3)),
    )
    fog = ["".join(random.choices("+-..", k=COLUMNS)) for _ in range(ROWS)]
    states: list[Record] = [
        DoorState(one.id, open=random.random() < 0.3, found=random.random() < 0.5) for one in doors[:4]
    ]
    states += [rubbish_record(ObstacleState, random, id=one.id) for one in battle_map.obstacles[:2]]
    people = [
        Combatant(
            word(random), random.choice(("big", "small")), f"Goblin {place}", side=random.choice(("party", "enemies")), hp=5,
            hp_max=9, hidden=random.random() < 0.2, position=(random.randrange(COLUMNS - 1), random.randrange(ROWS - 1)),
            elevation=random.choice((0, 20)), portrait=random.choice(("", *FACES)),
        )
        for place in range(8)
    ]  # fmt: skip
    slots = [Slot(word(random), count=20 - place, members=(one.id,)) for place, one in enumerate(people)]
    clock = Clock(phase="rounds", round=ROUND, active=slots[0].id)
    effects = [Effect(word(random), one.id, word(random), shown=False) for one in random.sample(people, 3)]
    owners, names = ["", *(one.id for one in people)], ["", word(random), *(one.id for one in effects)]
    areas = [random_area(random, owners, names) for _ in range(5)]
    scene = Scene(light=random.choice(("dark", "dim", "bright")))
    records = [scene, *creatures(random), battle_map, Fog(squares=fog_text(fog)), clock, *states, *people, *slots, *effects, *areas]  # fmt: skip
    showing = Showing(map_follows=random.random() < 0.5, map_across=random.choice((0.0, 8.0)))
    return records, msgspec.structs.replace(showing, portraits=tuple(FACES.items()), map_turned=random.randrange(4))


def squares_of(one: Obstacle) -> list[Point]:
    """Return the squares that an obstacle stands on."""
    return [(one.at[0] + right, one.at[1] + down) for right in range(one.size[0]) for down in range(one.size[1])]


class MapReplacer:
    """Makes another map that players can't tell from the first: moved, larger, with other things under the fog."""

    def __init__(self, records: list[Record], random: Random) -> None:
        self.random = random
        self.encounter = Encounter(records)
        self.map = self.encounter.need(Map, "map")
        self.fog = fog_lines(self.encounter, self.map) or ()
        self.squares = frozenset((column, row) for column in range(COLUMNS) for row in range(ROWS))
        self.shift = (random.randrange(4), random.randrange(4))
        self.names: dict[str, str] = {}

    def is_explored(self, square: Point) -> bool:
        return self.fog[square[1]][square[0]] != "."

    def touches_explored(self, *ends: float) -> bool:
        x0, y0, x1, y1 = (fixed(one) for one in ends)
        return any(self.is_explored(square) for square in squares_touched((x0, y0, x1, y1), COLUMNS, ROWS))

    def moved(self, *places: float) -> tuple:
        return tuple(value + self.shift[at % 2] for at, value in enumerate(places))

    def name(self, id: str) -> str:
        return self.names.setdefault(id, word(self.random))

    def replaced(self) -> list[Record]:
        """Return the records of the other encounter."""
        random, (right, down) = self.random, self.shift
        columns, rows = COLUMNS + right + random.randrange(3), ROWS + down + random.randrange(3)
        signs = self.map.ground.split("\n")
        ground = [[*line] for line in drawn(random, ".,~^#", columns, rows).split("\n")]
        fog = [["."] * columns for _ in range(rows)]
        for row in range(ROWS):
            for column in range(COLUMNS):
                if self.is_explored((column, row)):
                    ground[row + down][column + right] = signs[row][column]
                    fog[row + down][column + right] = self.fog[row][column]
        doors, states, walls = self.doors()
        obstacles, more = self.obstacles()
        battle_map = msgspec.structs.replace(
            self.map,
            columns=columns,
            rows=rows,
            ground="\n".join(map("".join, ground)),
            walls=self.grid_walls(self.map.walls),
            windows=self.grid_walls(self.map.windows),
            curtains=self.grid_walls(self.map.curtains),
            barriers=(*self.barriers(), *walls),
            doors=tuple(doors),
            obstacles=tuple(obstacles),
            areas=world_areas(random),
            picture=self.picture(),
            heights=drawn(random, "0129B", columns, rows),
            light=drawn(random, ".:%", columns, rows),
            lights=self.lights(),
            fog=drawn(random, "+.", columns, rows),  # that of the preparation, which the fight's own replaced
        )
        people = [self.person(one) for one in self.encounter.all(Combatant)]
        slots = [
            msgspec.structs.replace(one, members=tuple(map(self.name, one.members))) for one in self.encounter.all(Slot)
        ]
        effects = self.effects()
        clock, areas = self.encounter.need(Clock, "clock"), self.areas([one.id for one in effects])
        scene = self.encounter.need(Scene, "scene")
        return [scene, *self.creatures(), battle_map, Fog(squares=fog_text(["".join(one) for one in fog])), clock, *states, *more, *people, *slots, *effects, *areas]  # fmt: skip

    def creatures(self) -> list[Creature]:
        """Return the stat blocks with other ids and other contents, of the same sizes."""
        return [msgspec.structs.replace(one, id=self.name(one.id)) for one in creatures(self.random)]

    def picture(self) -> MapPicture | None:
        """Return another picture where players see one, else none or one for the game master alone."""
        other = picture(self.random)
        if self.map.picture is not None and self.map.picture.shown == "both":
            return other
        return self.random.choice((None, msgspec.structs.replace(other, shown="game-master")))

    def obstacles(self) -> tuple[list[Obstacle], list[ObstacleState]]:
        """Return what stands of the obstacles cut into squares, those explored kept, others elsewhere, and states of some."""
        random, found, states = self.random, [], []
        standing = current_map(self.encounter)
        assert standing is not None
        for one in standing.obstacles:
            for square in squares_of(one):
                if square in self.squares and self.is_explored(square):
                    fixed = {"cover": one.cover, "height": one.height, "blocks": one.blocks, "size": (1, 1)}
                    found.append(rubbish_record(Obstacle, random, at=self.moved(*square), **fixed))
                    if random.random() < 0.5:
                        states.append(rubbish_record(ObstacleState, random, id=found[-1].id, broken=False))
        for one in (obstacle(random) for _ in range(4)):
            is_broken = random.random() < 0.3
            if is_broken or not any(square in self.squares and self.is_explored(square) for square in squares_of(one)):
                found.append(msgspec.structs.replace(one, at=self.moved(*one.at)))
                states.append(rubbish_record(ObstacleState, random, id=one.id, broken=is_broken))
        return found, states

    def lights(self) -> tuple[MapLight, ...]:
        """Return the lights on explored squares, and others where nothing is explored."""

        def is_seen(one: MapLight) -> bool:
            return self.is_explored((int(one.at[0]), int(one.at[1])))

        found = [one for one in self.map.lights if is_seen(one)]
        found += [one for one in (light(self.random) for _ in range(3)) if not is_seen(one)]
        self.random.shuffle(found)
        return tuple(msgspec.structs.replace(one, at=self.moved(*one.at), colour=word(self.random)) for one in found)

    def effects(self) -> list[Effect]:
        """Return effects that players see nothing of, with other ids and names, and one more."""
        people = [*self.encounter.all(Combatant)]
        found = [
            msgspec.structs.replace(one, id=self.name(one.id), target=self.name(one.target), name=word(self.random))
            for one in self.encounter.all(Effect)
        ]
        return [*found, Effect(word(self.random), self.name(people[0].id), word(self.random), shown=False)]

    def areas(self, effects: list[str]) -> list[LastingArea]:
        """Return the areas with other ids, names, ends and parts out of sight, and others in place of those players know nothing of."""
        found, standing = [], [*standing_areas(self.encounter)]
        for area in self.encounter.all(LastingArea):
            if area not in standing or area.hidden or self.is_of_unmet(area.owner):
                continue
            squares = [
                (c, r, 1, 1)
                for left, top, wide, high in area.squares
                for c in range(left, left + wide)
                for r in range(top, top + high)
                if self.fog[r][c] == "+"
            ]
            if area.squares:
                squares += [(c, r, 1, 1) for c, r in self.out_of_sight() if self.random.random() < 0.1]
            found.append(
                LastingArea(
                    word(self.random), word(self.random), self.name(area.owner) if area.owner else "",
                    tuple((*self.moved(*one[:2]), 1, 1) for one in squares), area.radius,
                    effect=self.random.choice(("", *effects)), last_round=self.random.choice((0, ROUND, ROUND + 7)),
                    reminds=self.random.choice(get_args(AreaMoment)), light=area.light, difficult=self.random.random() < 0.5,
                )
            )  # fmt: skip
        found += [self.unknown_area(effects) for _ in range(self.random.randrange(4))]
        self.random.shuffle(found)
        return found

    def unknown_area(self, effects: list[str]) -> LastingArea:
        """Return an area that players know nothing of: a hidden one, one of somebody out of sight, one that is over."""
        owners = [one.id for one in self.encounter.all(Combatant)]
        area = random_area(self.random, ["", *map(self.name, owners)], ["", word(self.random), *effects])
        unmet = [self.name(one) for one in owners if self.is_of_unmet(one)]
        match self.random.choice(("hidden", "of one unmet", "without its effect", "too old")):
            case "of one unmet" if unmet:
                return msgspec.structs.replace(area, owner=self.random.choice(unmet))
            case "without its effect":
                return msgspec.structs.replace(area, effect=word(self.random))
            case "too old":
                return msgspec.structs.replace(area, last_round=self.random.randrange(1, ROUND))
        return msgspec.structs.replace(area, hidden=True)

    def is_of_unmet(self, owner: str) -> bool:
        """Return whether something is of one whom players don't see: it is hidden, or a foe out of sight."""
        one = self.encounter.get(Combatant, owner)
        return one is not None and (one.hidden or (one.side != "party" and not self.is_seen(one)))

    def is_seen(self, one: Combatant) -> bool:
        """Return whether a combatant stands on a square in view."""
        across = 2 if one.creature == "big" and self.map.cell == 5 else 1
        column, row = one.position or (0, 0)
        return any(self.fog[row + down][column + right] == "+" for right in range(across) for down in range(across))

    def out_of_sight(self) -> list[Point]:
        return [(c, r) for r in range(ROWS) for c in range(COLUMNS) if self.fog[r][c] != "+"]

    def grid_walls(self, walls: tuple) -> tuple:
        """Return the walls cut into squares, those by explored squares kept, others elsewhere under the fog."""
        found = []
        for x0, y0, x1, y1 in (*walls, *segments(self.random, 2)):
            kept = (x0, y0, x1, y1) in walls
            for at in range(max(x1 - x0, y1 - y0)):
                piece = (x0 + at, y0, x0 + at + 1, y0) if y0 == y1 else (x0, y0 + at, x0, y0 + at + 1)
                if kept == self.touches_explored(*piece):
                    found.append(self.moved(*piece))
        self.random.shuffle(found)
        return tuple(found)

    def barriers(self) -> list[MapBarrier]:
        """Return the barriers that explored squares have a part of, and others where none has."""
        more = [barrier(self.random) for _ in range(6)]
        found = [one for one in self.map.barriers if self.touches_explored(*one.points[0], *one.points[1])]
        found += [one for one in more if not self.touches_explored(*one.points[0], *one.points[1])]
        return [msgspec.structs.replace(one, points=tuple(self.moved(*point) for point in one.points)) for one in found]

    def doors(self) -> tuple[list[Door], list[DoorState], list[MapBarrier]]:
        """Return the doors with other ids and names; secret ones that aren't found may be walls."""
        doors, states, walls = [], [], []
        standing = current_map(self.encounter)
        assert standing is not None
        for one in standing.doors:
            state = self.encounter.get(DoorState, one.id)
            unknown = one.kind == "secret" and not one.open and not (state and state.found)
            at = self.moved(*one.at)
            if not self.touches_explored(*one.at):
                continue
            if unknown and self.random.random() < 0.5:
                walls.append(MapBarrier("wall", (at[:2], at[2:])))
                continue
            doors.append(msgspec.structs.replace(one, id=self.name(one.id), at=at, name=word(self.random)))
            if one.kind == "secret" or self.random.random() < 0.5:  # a state counts, not how it was prepared
                is_found = not unknown if one.kind == "secret" and not one.open else self.random.random() < 0.5
                states.append(DoorState(doors[-1].id, open=one.open, found=is_found))
                doors[-1] = msgspec.structs.replace(doors[-1], open=self.random.random() < 0.5)
        for one in (door(self.random) for _ in range(5)):
            if not self.touches_explored(*one.at):
                doors.append(msgspec.structs.replace(one, at=self.moved(*one.at)))
                states.append(rubbish_record(DoorState, self.random, id=one.id))
        return doors, states, walls

    def person(self, one: Combatant) -> Combatant:
        """Return a combatant with another id; one out of sight stands elsewhere out of sight, or nowhere."""
        across = 2 if one.creature == "big" and self.map.cell == 5 else 1
        column, row = one.position or (0, 0)

        def is_seen(at: Point) -> bool:
            return any(
                self.fog[at[1] + down][at[0] + right] == "+" for right in range(across) for down in range(across)
            )

        position = self.moved(column, row)
        if one.hidden or (one.side != "party" and not is_seen((column, row))):
            places = [(c, r) for c in range(COLUMNS - 1) for r in range(ROWS - 1) if one.hidden or not is_seen((c, r))]
            position = self.random.choice([None, *(self.moved(*place) for place in places)])
        changes: dict[str, object] = {}
        if one.hidden or (one.side != "party" and not is_seen((column, row))):
            changes["elevation"] = self.random.randrange(3)
        if one.hidden or one.side != "party":  # none but the party is met
            changes["portrait"] = self.random.choice(("", *FACES, word(self.random)))
        else:  # its own instead of its creature's, or one that can't be read
            changes["portrait"] = portrait_of(self.encounter, one) or word(self.random)
        changes["creature"] = self.name(one.creature)
        return msgspec.structs.replace(one, id=self.name(one.id), position=position, **changes)


def with_another_floor(encounter: Encounter, random: Random) -> Encounter:
    """Return the encounter on one of two floors. The other one isn't under the fog, and its people act, too."""
    first, second = MapFloor("a", word(random)), MapFloor("b", word(random))
    own, other = encounter.need(Map, "map"), Encounter(random_map(random)[0]).need(Map, "map")
    other = stacked([(second, msgspec.structs.replace(other, cell=own.cell, diagonals=own.diagonals))])
    parts = [(first, own), (second, map_of(other, other.floors[0]))]
    tx = Transaction(encounter, a5e(), 1)
    ArrangeFloors(stacked(parts[:1])).handle(tx)
    if any(one.side == "party" and not one.hidden and one.position for one in encounter.all(Combatant)):
        random.shuffle(parts)
    field = stacked(parts)
    ArrangeFloors(field).handle(tx)
    top = next(floor.row for floor in field.floors if floor.id == "b")
    squares = [(column, top + row) for column in range(COLUMNS) for row in range(ROWS)]
    SetFog("shown", tuple(squares)).handle(tx)
    people = [
        Combatant(word(random), random.choice([*encounter.ids(Creature)]), "Orc", "enemies", hp=5, position=at)
        for at in random.sample(squares, 2)
    ]
    slots = [Slot(word(random), random.randrange(30), (one.id,)) for one in people]
    area = random_area(random, ["", *(one.id for one in people)], [""])
    below = tuple((left, top + row, wide, high) for left, row, wide, high in area.squares)
    return Encounter(
        [*encounter.with_changes(tx.changes()), *people, *slots, msgspec.structs.replace(area, squares=below)]
    )


def pair_of(seed: int) -> Pair:
    """Return two encounters that players can't tell apart by the map, with what is shown of each."""
    random = Random(seed)
    records, showing = random_map(random)
    replacer = MapReplacer(records, random)
    other = with_another_floor(Encounter(replacer.replaced()), random) if seed % 3 == 0 else replacer.replaced()
    pair = (Encounter(records), showing), (other if isinstance(other, Encounter) else Encounter(other), showing)
    if random.random() < 0.5:
        return tuple((encounter, with_map_origin(encounter, shown)) for encounter, shown in pair)
    return pair


@for_each("seed", range(60))
def test_maps_that_differ_in_what_is_hidden_look_the_same(seed: int) -> None:
    first, second = pair_of(seed)
    assert view_of(*first) == view_of(*second)


@pytest.mark.soak
def test_two_thousand_maps_that_differ_in_what_is_hidden_look_the_same() -> None:
    for seed in range(2000):
        first, second = pair_of(seed)
        assert view_of(*first) == view_of(*second), seed


def parts_of(encounter: Encounter) -> Iterator[Record | Part]:
    """Yield the records that the map as players see it is made of, and the records in them."""
    for one in encounter:
        if not isinstance(one, Scene | Clock | Slot):
            yield one
    battle_map = encounter.need(Map, "map")
    yield from (*battle_map.obstacles, *battle_map.areas, *battle_map.barriers, *battle_map.doors, *battle_map.lights)
    if battle_map.picture is not None:
        yield battle_map.picture


def changed_fields(first: Encounter, second: Encounter) -> set[tuple[str, str]]:
    """Return the fields, with the record's kind, whose values in all records together two encounters don't share."""
    values: dict[tuple[str, str], list[Counter[str]]] = {}
    for place, encounter in enumerate((first, second)):
        for one in parts_of(encounter):
            for name in one.__struct_fields__:
                counts = values.setdefault((type(one).__name__, name), [Counter(), Counter()])
                counts[place][repr(getattr(one, name))] += 1
    return {field for field, (before, after) in values.items() if before != after}


# What players see of the map, or hasn't to do with it: the pairs of fights change those fields of combatants and effects.
KEPT = {
    ("Map", "id"),
    ("Map", "cell"),
    ("Map", "diagonals"),
    ("Map", "grid_shown"),
    ("Map", "grid_colour"),
    ("Map", "grid_strength"),
    ("Fog", "id"),
    ("Creature", "size"),
    ("Creature", "space"),
}
OF_MAP = {"Combatant": {"id", "creature", "position", "elevation", "portrait"}, "Effect": {"id", "target"}}


def test_the_pairs_change_every_secret_of_the_map() -> None:
    changed = set[tuple[str, str]]()
    kinds = set[type]()
    for seed in range(60):
        (first, _), (second, _) = pair_of(seed)
        changed |= changed_fields(first, second)
        kinds |= {type(one) for one in parts_of(first)}
    expected = {
        (kind.__name__, name)
        for kind in kinds
        for name in kind.__struct_fields__
        if name in OF_MAP.get(kind.__name__, {name})
    }
    assert expected - changed == KEPT


def test_the_maps_of_the_pairs_are_of_every_scale_and_way_to_count_diagonals() -> None:
    maps = [pair_of(seed)[0][0].need(Map, "map") for seed in range(60)]
    assert {(one.cell, one.diagonals) for one in maps} == {(cell, way) for cell in (5, 10) for way in DIAGONALS}


def positions(encounter: Encounter, *, of_hidden: bool) -> list:
    return [one.position for one in encounter.all(Combatant) if of_hidden or not one.hidden]


def known_areas(encounter: Encounter) -> list[LastingArea]:
    """Return the areas that last, of which players see those squares that are in sight."""
    owners = {one.id for one in encounter.all(Combatant) if not one.hidden and one.side == "party"}
    return [one for one in standing_areas(encounter) if not one.hidden and (not one.owner or one.owner in owners)]


@for_each(
    "leak",
    [
        lambda e: (e.need(Map, "map").columns, e.need(Map, "map").rows),
        lambda e: e.need(Fog, "fog"),
        lambda e: e.need(Map, "map").walls,
        lambda e: [one.kind for one in e.need(Map, "map").doors],
        lambda e: len(e.need(Map, "map").doors),
        lambda e: e.need(Map, "map").obstacles,
        lambda e: e.need(Map, "map").picture,
        lambda e: len(e.need(Map, "map").lights),
        lambda e: sum(one.position is not None for one in e.all(Combatant)),
        lambda e: [one.id for one in e.all(DoorState)],
        lambda e: len([*e.all(LastingArea)]),
        lambda e: sorted(one.name for one in e.all(LastingArea)),
        lambda e: sum(len(one.squares) for one in e.all(LastingArea)),
        lambda e: sum(bool(one.effect) for one in known_areas(e)),
        lambda e: sorted(one.last_round for one in known_areas(e)),
        lambda e: sorted(one.reminds for one in known_areas(e)),
        lambda e: sorted(one.difficult for one in known_areas(e)),
        lambda e: sum(one not in [*standing_areas(e)] for one in e.all(LastingArea)),
        lambda e: sum(one.hidden for one in standing_areas(e)),
    ],
    ids=[
        "size",
        "fog",
        "walls",
        "kinds of doors",
        "count of doors",
        "obstacles",
        "picture",
        "lights",
        "people",
        "door states",
        "areas",
        "names of areas",
        "squares of areas",
        "effects of areas",
        "last rounds of areas",
        "reminders of areas",
        "difficult areas",
        "areas that are over",
        "hidden areas",
    ],
)
def test_what_tells_of_hidden_parts_is_caught(leak: Callable[[Encounter], object]) -> None:
    pairs = (pair_of(seed) for seed in range(200))
    assert any(leak(first[0]) != leak(second[0]) for first, second in pairs)


def hall(*signs: str, **changes: object) -> Map:
    return Map(columns=6, rows=4, **changes)


def shown(battle_map: Map, fog: str | None, *people: Combatant, states: tuple[DoorState, ...] = ()) -> PlayersMap:
    records: list[Record] = [Scene(), BIG, SMALL, battle_map, Clock(phase="rounds"), *people, *states]
    view = view_of(Encounter([*records, *([Fog(squares=fog)] if fog is not None else [])]), Showing())
    assert view is not None
    return view


def person(id: str, side: str, at: Point, **fields: object) -> Combatant:
    return Combatant(id, "small", id.capitalize(), side=side, hp=1, hp_max=1, position=at, **fields)


def test_a_map_without_fog_is_open_and_one_under_fog_has_nothing() -> None:
    assert shown(hall(), None).fog == ("++++++",) * 4
    covered = shown(hall(walls=((0, 1, 6, 1),)), "", person("orc", "enemies", (1, 1)))
    assert (covered.fog, covered.lines, covered.tokens) == ((), (), ())


def test_the_prepared_map_is_shown_only_if_asked_and_under_its_fog() -> None:
    encounter = Encounter([Scene(), hall(fog="++\n")])
    assert view_of(encounter, Showing()) == PlayersMap(feet=5)
    view = view_of(encounter, Showing(has_prepared_map=True))
    assert view is not None
    assert view.fog == ("++",)


def test_only_what_is_explored_is_there() -> None:
    view = shown(hall(ground="~~~~~~\n,,,,,,\n"), "\n..++\n..-\n")
    assert (view.fog, view.ground) == (("++", "-."), (",,", ". "))
    assert view.at == (0, 0)


def test_others_are_seen_on_squares_in_sight_and_the_party_everywhere() -> None:
    people = [person("ada", "party", (0, 0)), person("orc", "enemies", (2, 1)), person("imp", "enemies", (2, 2))]
    people += [person("ogre", "enemies", (3, 3)), person("spy", "enemies", (3, 1), hidden=True)]
    view = shown(hall(), "\n..++\n..-\n", *people)
    assert [(one.row.side, one.at) for one in view.tokens] == [("party", (-2, -1)), ("enemies", (0, 0))]


def test_a_secret_door_is_a_piece_of_wall_until_it_is_found() -> None:
    door = Door("niche", (3.0, 1.0, 3.0, 2.0), "secret")
    room = hall(walls=((3, 0, 3, 1), (3, 2, 3, 4)), doors=(door,))
    solid = hall(walls=((3, 0, 3, 4),))
    assert shown(room, None).lines == shown(solid, None).lines
    found = shown(room, None, states=(DoorState("niche", found=True),)).lines
    assert [(one.kind, one.ends) for one in found] == [
        ("door", (3.0, 1.0, 3.0, 2.0)),
        ("wall", (3.0, 0.0, 3.0, 1.0)),
        ("wall", (3.0, 2.0, 3.0, 4.0)),
    ]


def test_doors_out_of_sight_stay_as_they_were_seen() -> None:
    gate, niche = Door("gate", (3.0, 0.0, 3.0, 1.0)), Door("niche", (3.0, 2.0, 3.0, 3.0), "secret")
    room, presenter = hall(doors=(gate, niche)), Presenter(lambda: 0.0)

    def seen(fog: str, *states: DoorState) -> list[tuple[str, bool]]:
        encounter = Encounter([Scene(), SMALL, room, Clock(phase="rounds"), Fog(squares=fog), *states])
        presenter.follow(encounter, stepped=False)
        view = view_of(encounter, presenter.showing)
        assert view is not None
        return [(one.kind, one.is_open) for one in view.lines]

    opened, found = DoorState("gate", open=True), DoorState("niche", found=True)
    assert seen("++++++\n" * 4) == [("door", False), ("wall", False)]
    assert seen("------\n" * 4, opened, found) == [("door", False), ("wall", False)]
    assert seen("+++---\n" * 4, opened, found) == [("door", False), ("door", True)]
    assert seen("------\n" * 4) == [("door", False), ("door", True)]


SLANT = tuple((x / 64, x / 128) for x in (64, 131, 195, 256))  # rounded to 1/64 of a square, as imports are


def test_a_slanted_secret_door_leaves_no_joints() -> None:
    a, b, c, d = ((x, round(y * 64) / 64) for x, y in SLANT)
    cut = hall(
        barriers=(MapBarrier("wall", (a, b)), MapBarrier("wall", (c, d))), doors=(Door("s", (*b, *c), "secret"),)
    )
    whole = hall(barriers=(MapBarrier("wall", (a, d)),))
    lines = [[one.ends for one in shown(each, None).lines] for each in (cut, whole)]
    assert len(lines[0]) == len(lines[1]) == 1
    assert lines[0][0] == pytest.approx(lines[1][0], abs=1 / 32)


@pytest.mark.parametrize("kind", ["window", "curtain", "rail"])
def test_a_secret_door_is_of_the_kind_of_the_line_that_it_continues(kind: BarrierKind) -> None:
    walls = (MapBarrier(kind, ((1.0, 1.0), (2.0, 1.0))), MapBarrier(kind, ((3.0, 1.0), (4.0, 1.0))))
    cut = hall(barriers=walls, doors=(Door("s", (2.0, 1.0, 3.0, 1.0), "secret"),))
    assert shown(cut, None).lines == shown(hall(barriers=(MapBarrier(kind, ((1.0, 1.0), (4.0, 1.0))),)), None).lines


def test_with_a_picture_only_doors_are_drawn() -> None:
    room = hall(
        walls=((3, 0, 3, 4),), doors=(Door("gate", (2.0, 1.0, 2.0, 2.0)), Door("s", (1.0, 0.0, 1.0, 1.0), "secret"))
    )
    view = shown(msgspec.structs.replace(room, picture=MapPicture("hall.png")), None)
    assert ([one.kind for one in view.lines], view.ground, view.has_picture) == (["door"], (), True)
    alone = shown(msgspec.structs.replace(room, picture=MapPicture("hall.png", shown="game-master")), None)
    assert not alone.has_picture
    assert {one.kind for one in alone.lines} == {"door", "wall"}


def dark(fog: str, *lights: MapLight, ambient: str = "dark", **changes: object) -> tuple[str, ...]:
    """Return the signs of darkness on a map of 6 by 4 squares."""
    scene, field = Scene(light=ambient), hall(lights=lights, **changes)  # type: ignore[arg-type]
    view = view_of(Encounter([scene, SMALL, field, Clock(phase="rounds"), Fog(squares=fog)]), Showing())
    assert view is not None
    return view.darkness


OPEN = "++++++\n" * 4


def test_lights_push_the_dark_back_from_squares_seen_now() -> None:
    lamp = MapLight((0.5, 0.5), 5)
    assert dark(OPEN, lamp) == ("  :###", " :####", ":#####", "######")
    assert dark(OPEN, lamp, ambient="dim")[0] == "  ::::"
    assert dark(OPEN, lamp, ambient="bright") == ()
    assert dark(OPEN) == ("######",) * 4
    assert dark("++----\n", lamp) == ()
    assert dark(OPEN, lamp, walls=((1, 0, 1, 4),))[0] == " #####"


def test_lights_and_walls_under_the_fog_change_nothing() -> None:
    fog = "+.++++\n"
    assert dark(fog, MapLight((1.5, 0.5), 20)) == dark(fog) == ("# ####",)
    assert dark(fog, MapLight((0.5, 0.5), 20)) == ("  ####",)  # through what is hidden
    assert dark(OPEN, MapLight((0.5, 0.5), 20), heights="090000\n" * 4) == dark(OPEN, MapLight((0.5, 0.5), 20))


def lit(area: LastingArea, *people: Combatant, showing: Showing | None = None, **changes: object) -> tuple[str, ...]:
    """Return the signs of darkness on a dark map without fog on which an area lasts."""
    records: list[Record] = [Scene(light="dark"), SMALL, hall(**changes), Clock(phase="rounds"), area, *people]
    view = view_of(Encounter(records), showing or Showing())
    assert view is not None
    return view.darkness


def test_light_of_areas_is_seen_where_players_know_of_them() -> None:
    ada, imp = person("ada", "party", (0, 0)), person("imp", "enemies", (0, 0))
    torch = LastingArea("a", "Torch", "ada", radius=5, light="bright")
    assert lit(torch, ada) == ("  :###", "  :###", ":::###", "######")
    assert lit(torch, ada, walls=((1, 0, 1, 4),)) == (" #####", " #####", ":#####", "######")
    assert lit(msgspec.structs.replace(torch, hidden=True), ada) == ("######",) * 4
    assert lit(msgspec.structs.replace(torch, owner="imp"), imp)[0] == "  :###"  # whether or not its name is known
    hidden = msgspec.structs.replace(imp, hidden=True)
    assert lit(msgspec.structs.replace(torch, owner="imp"), hidden) == ("######",) * 4
    laid = LastingArea("a", "Fire", squares=((2, 1, 2, 1),), light="bright")
    assert lit(laid)[1] == "##  ##"
    assert lit(msgspec.structs.replace(laid, light="dark"), lights=(MapLight((2.5, 1.5), 60),)) == (
        "      ",
        "  ##  ",
        "      ",
        "      ",
    )


def areas_of(fog: str, area: LastingArea, *people: Combatant, showing: Showing | None = None) -> tuple[str, ...]:
    records: list[Record] = [Scene(), SMALL, hall(), Clock(phase="rounds", round=1), Fog(squares=fog), area, *people]
    view = view_of(Encounter(records), showing or Showing())
    assert view is not None
    return view.areas


def test_areas_are_shown_on_squares_seen_now() -> None:
    cloud = LastingArea("a", "Cloud", squares=((1, 0, 3, 2),))
    assert areas_of("++-...\n.+.+..\n", cloud) == (" *  ", " * *")
    assert areas_of("++-...\n.+.+..\n", msgspec.structs.replace(cloud, squares=((4, 0, 2, 4),))) == ()
    assert areas_of("++++++\n", msgspec.structs.replace(cloud, effect="gone")) == ()
    assert areas_of("++++++\n", msgspec.structs.replace(cloud, hidden=True)) == ()


def test_areas_are_shown_whether_or_not_their_owners_are_met_unless_these_are_unseen() -> None:
    aura, open_map = LastingArea("a", "Aura", "imp", radius=5), "++++++\n" * 4
    imp = person("imp", "enemies", (0, 0))
    hidden = msgspec.structs.replace(imp, hidden=True)
    assert areas_of(open_map, aura, imp)[:3] == ("**    ", "**    ", "      ")
    assert areas_of(open_map, aura, hidden) == ()
    assert areas_of(".+++++\n" + "++++++\n" * 3, aura, imp) == ()
    laid = LastingArea("a", "Web", "imp", squares=((2, 0, 1, 1),))
    assert areas_of(open_map, laid, imp)[0] == "  *   "
    assert areas_of(open_map, laid, hidden) == ()


@pytest.mark.parametrize("rules", [a5e, dnd5e, action_points, pf2e])
def test_lights_that_creatures_carry_are_not_marked_as_areas(rules: Callable[[], RuleSystem]) -> None:
    people = (person("ada", "party", (1, 1)),)
    for source in rules().data.lights:
        light = LastingArea("a", source.name, "ada", radius=source.radius, light=source.light)
        records: list[Record] = [Scene(light="dark"), SMALL, hall(), Clock(phase="rounds", round=1), light, *people]
        view = players_view(Encounter(records), rules(), Showing(mode="map")).map
        assert view is not None
        assert view.areas == ()
    assert areas_of("++++++\n" * 4, LastingArea("a", "Holy ground", "ada", radius=5, light="bright"), *people)


def test_faces_are_of_those_whose_own_names_are_known() -> None:
    people = [
        person(id, side, (at, 0), portrait=f"{id}.png")
        for at, (id, side) in enumerate({"ada": "party", "imp": "enemies", "orc": "enemies"}.items())
    ]
    showing = Showing(
        met=frozenset({"imp", "orc"}),
        shown_as=(("orc", "Bob"),),
        portraits=(("ada.png", b"1"), ("imp.png", b"2"), ("orc.png", b"3")),
    )
    records: list[Record] = [Scene(), SMALL, hall(), Clock(phase="rounds", round=1), *people]
    unmet = msgspec.structs.replace(showing, met=frozenset())
    unread = msgspec.structs.replace(showing, portraits=())
    for chosen, faces in ((showing, [b"1", b"2", b""]), (unmet, [b"1", b"", b""]), (unread, [b""] * 3)):
        view = view_of(Encounter(records), chosen)
        assert view is not None
        assert [one.portrait for one in view.tokens] == faces


def test_elevation_is_seen() -> None:
    view = shown(hall(), None, person("imp", "enemies", (2, 2), elevation=30))
    assert [one.elevation for one in view.tokens] == [30]


def test_players_see_the_floor_of_the_character_who_acted_last_or_the_chosen_one() -> None:
    floors = stacked(((MapFloor("hall"), Map(columns=3, rows=2)), (MapFloor("cellar"), Map(columns=2, rows=2))))
    people = (person("ann", "party", (0, 0)), person("orc", "enemies", (2, 0)), person("bob", "party", (0, 3)))
    slots = [Slot(f"s-{one.id}", 20 - place, (one.id,)) for place, one in enumerate(people)]

    def sizes(acting: str, showing: Showing) -> tuple[int, int, int]:
        fight = Encounter([Scene(), floors, BIG, SMALL, *people, *slots, Clock(phase="rounds", round=1, active=acting)])
        seen = view_of(fight, showing)
        assert seen is not None
        return len(seen.fog[0].strip(".")), len(seen.fog), len(seen.tokens)

    for chosen, found in (("", [(3, 2, 2), (3, 2, 2), (2, 2, 1)]), ("cellar", [(2, 2, 1)] * 3)):
        assert [sizes(f"s-{one.id}", Showing(floor=chosen)) for one in people] == found


def test_the_camera_follows_the_one_who_acts_unless_told_otherwise() -> None:
    people = [person("ada", "party", (4, 2))]
    records = [Scene(), SMALL, hall(), *people, Slot("s", count=1, members=("ada",)), Clock(phase="rounds", active="s")]
    follows = view_of(Encounter(records), Showing(map_across=10.0))
    stays = view_of(Encounter(records), Showing(map_follows=False, map_centre=(1.0, 1.0)))
    assert follows is not None
    assert follows.camera.centre == (4.5, 2.5)
    assert follows.tokens[0].acts
    assert stays is not None
    assert stays.camera.centre == (1.0, 1.0)


@for_each("rules", [a5e, dnd5e, action_points, pf2e])
@for_each("diagonals", DIAGONALS)
def test_a_ruler_counts_as_the_game_does_and_is_shown_only_on_explored_squares(
    rules: Callable[[], RuleSystem], diagonals: Literal["equal", "alternating"]
) -> None:
    squares = 6 if rules is pf2e or diagonals == "alternating" else 5
    cell = rules().data.grid.cell
    records = [Map(columns=6, rows=4, cell=cell, diagonals=diagonals), Fog(squares="+....-\n++++++\n++++++\n+.+++-")]
    for end, is_shown in (((5, 3), True), ((1, 3), False), ((9, 9), False), ((-1, 1), False)):
        showing = with_map_origin(Encounter(records), Showing(mode="map", has_prepared_map=True, ruler=((0, 0), end)))
        seen = players_view(Encounter(records), rules(), showing).map
        assert seen is not None
        found = ShownRuler((0.5, 0.5, end[0] + 0.5, end[1] + 0.5), squares * cell) if is_shown else None
        assert seen.ruler == found
