"""Changes of the map in play: doors, fog, and areas that last."""

from collections.abc import Callable, Mapping
from math import atan2, copysign, cos, degrees, sin
from statistics import fmean
from typing import Final, Literal, TypeAlias

import msgspec

from turnwright.battlemap import paths, spaces
from turnwright.battlemap.segments import rectangles_of
from turnwright.dice.expression import RollSpec
from turnwright.encounter import field_specs, floors, running
from turnwright.encounter.prepared import Feature, InflictedCondition, Map, Obstacle, Point
from turnwright.encounter.state import clock_of, door_of, find_effect, scene_of, standing_areas
from turnwright.play.effects.conditions import apply_timed_effect
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.transaction import (
    Command,
    Refused,
    Transaction,
    command,
    copy_fields,
    require,
    require_running,
)
from turnwright.play.state import effect_records
from turnwright.rules.parts.conditions.predicates import evaluate
from turnwright.rules.parts.environment.entries import current_map
from turnwright.rules.parts.positions import geometry, sight
from turnwright.rules.system import HookContext
from turnwright.rules.system_data.numbers import SpellGround
from turnwright.rules.system_data.rounds import ROLLED_LENGTHS, length_of_time, rounds_in

DoorChange: TypeAlias = Literal["open", "closed", "found"]


@command(script="door {door} {state}")
class SetDoor(Command, frozen=True):
    """Open or close a door on the map, or mark a secret door as found. Opening a door also finds it."""

    door: field_specs.DoorId
    state: DoorChange = "open"

    def handle(self, tx: Transaction) -> None:
        """Open, close or find a door in the running fight."""
        require_running(tx)
        door = door_of(tx, self.door)
        if door is None:
            raise Refused("refused.no_such_door", params={"what": self.door})
        now = tx.get(running.DoorState, door.id) or running.DoorState(door.id, open=door.open)
        opened = now.open if self.state == "found" else self.state == "open"
        found = now.found or (door.kind == "secret" and self.state != "closed")
        state = running.DoorState(door.id, open=opened, found=found)
        if state == now:
            return
        tx.put(state)
        newly_found = found and not now.found and not opened
        tx.emit(
            DoorSet(
                door=door.id, name=door.name or f"<door.{door.kind}>", opened=opened and not now.open, found=newly_found
            )
        )


@journal("journal.door_closed", kind="world", when={"opened": "journal.door_opened", "found": "journal.door_found"})
class DoorSet(Event, frozen=True):
    """A door was opened, closed or found. `name` is the door's name, or its kind."""

    door: field_specs.DoorId
    name: str
    opened: bool = False
    found: bool = False


FogChange: TypeAlias = Literal["shown", "explored", "hidden", "off"]


def require_map(tx: Transaction) -> Map:
    """Return the map of the running fight. Raise Refused if there is none."""
    require_running(tx)
    battle_map = current_map(tx)
    if battle_map is None:
        raise Refused("refused.no_grid")
    return battle_map


def fogged_map(tx: Transaction) -> Map:
    """Return the map whose fog is changed: that of the running fight, or the prepared one before it."""
    prepared = tx.get(Map, Map.table)
    if clock_of(tx).phase != "preparing" or prepared is None or not prepared.columns:
        return require_map(tx)
    return prepared


def changed_fog(tx: Transaction, battle_map: Map, change: Callable[[tuple[str, ...]], tuple[str, ...]]) -> None:
    """Change the fog. If there is no fog yet, start with one that hides the whole map."""
    after = running.Fog(
        squares=sight.fog_text(change(sight.fog_lines(tx, battle_map) or ("." * battle_map.columns,) * battle_map.rows))
    )
    if clock_of(tx).phase == "preparing":
        tx.update(battle_map, fog=after.squares or sight.SIGNS["hidden"])
    elif after != tx.get(running.Fog, after.id):
        tx.put(after)


class ArrangeFloors(Command, frozen=True):
    """Replace the map with one that has other floors, or floors of other sizes.

    Combatants and areas on a remaining floor keep their squares. Those on a removed floor leave the map. Successive
    changes with the same `merge` are one step.
    """

    battle_map: Map
    merge: str = ""

    def handle(self, tx: Transaction) -> None:
        """Replace the map, and move all positions, areas and fog to the new rows of their floors."""
        for record in [*floors.rearranged(tx, self.battle_map)]:
            tx.put(record)


@command(script="fog {state} [{squares}]")
class SetFog(Command, frozen=True):
    """Show squares of the map to the players, as they are now or were last seen, or hide them. Default: the whole map.

    `off` removes the fog. Successive changes with the same `merge` are one step.
    """

    state: FogChange = "shown"
    squares: tuple[Point, ...] = ()
    merge: str = ""

    def handle(self, tx: Transaction) -> None:
        """Change the fog on some or all squares, or remove it."""
        battle_map = fogged_map(tx)
        if self.state == "off":
            if clock_of(tx).phase == "preparing":
                tx.update(battle_map, fog="")
            tx.discard(running.Fog, running.Fog.table)
            return
        columns, rows, state = range(battle_map.columns), range(battle_map.rows), self.state
        squares = self.squares or tuple((column, row) for row in rows for column in columns)
        changed_fog(tx, battle_map, lambda lines: sight.with_state(lines, squares, state))


@command(script="room {at} [{state}]")
class SetRoomFog(Command, frozen=True):
    """Show or hide the room around a square of the map, up to its walls and doors, whether open or closed."""

    at: Point
    state: sight.FogState = "shown"

    def handle(self, tx: Transaction) -> None:
        """Change the fog on the squares of a room."""
        battle_map = fogged_map(tx)
        squares = sight.room_squares(battle_map, self.at)
        changed_fog(tx, battle_map, lambda lines: sight.with_state(lines, squares, self.state))


@command(script="look [{who}]")
class ShowSight(Command, frozen=True):
    """Show the players everything that combatants see from their positions. Default: the whole party.

    Squares that were shown and are now out of their sight are shown as seen before, without creatures.
    """

    who: field_specs.CombatantIds = ()

    def handle(self, tx: Transaction) -> None:
        """Show players the squares that the combatants see now."""
        battle_map = require_map(tx)
        seen = sight.party_sight(tx, tx.rules, self.who or sight.watchers(tx))
        changed_fog(tx, battle_map, lambda lines: sight.seen_now(lines, seen))


@command(
    script="add-area [of {owner}] [on {squares}] [within {radius}] [rounds {rounds}] [held {held=true}] [hidden {hidden=true}] [at {reminds}] "
    "[light {light}] [difficult {difficult=true}] called {name:rest}"
)
class LayArea(Command, frozen=True):
    """Place a lasting area on squares of the map, or around its owner so that it moves with them.

    It lasts for `rounds` (0: until it is ended). `held`: it ends with its owner's concentration. `hidden`: players
    can't see it. `light` is the light that it gives or removes. `difficult`: its squares are difficult terrain.
    """

    name: field_specs.Prose
    owner: field_specs.CombatantId = ""
    squares: tuple[Point, ...] = ()
    radius: field_specs.Feet = 0
    rounds: field_specs.HundredOrNone = 0
    held: bool = False
    reminds: running.AreaMoment = ""
    hidden: bool = False
    light: running.AreaLight = ""
    difficult: bool = False

    def handle(self, tx: Transaction) -> None:
        """Place the area. Refuse it without squares, or if it needs an owner that is missing or isn't concentrating."""
        field = require_map(tx)
        name = self.name.strip()
        require(name and bool(self.squares) != bool(self.radius), "refused.empty")
        if self.owner or self.radius or self.held:
            tx.need(running.Combatant, self.owner)
        held_by = effect_records.concentration_of(tx, tx.rules, self.owner) if self.held else None
        require(not self.held or held_by is not None, "refused.not_concentrating")
        squares = {(x, y) for x, y in self.squares if 0 <= x < field.columns and 0 <= y < field.rows}
        last_round = clock_of(tx).round + self.rounds if self.rounds else 0
        id, effect = tx.create_id(running.LastingArea, "area"), held_by.id if held_by is not None else ""
        squares_text = rectangles_of(squares)
        tx.put(
            copy_fields(
                running.LastingArea, self, id=id, name=name, squares=squares_text, effect=effect, last_round=last_round
            )
        )
        tx.emit(AreaLaid(name=name))


LIGHTLY, HEAVILY, DIFFICULT = "lightly-obscured", "heavily-obscured", "difficult-terrain"
DARK, BRIGHT, DIM = "darkness", "bright-light", "dim-light"
# properties: an area moves with its user, is placed elsewhere, or keeps what its feature leaves inside
CARRIED, PLACED, INSIDE = "carried-area", "placed-area", "stays-in-area"
LIGHTS: Final[Mapping[str, running.AreaLight]] = {DARK: "dark", BRIGHT: "bright", DIM: "dim"}
RING: Final = "ring"  # a word of areas that are only the edge of their shape
CHANGES_AREA: Final = frozenset({LIGHTLY, HEAVILY, DIFFICULT, INSIDE, *LIGHTS})


def lay_around(tx: Transaction, means: Feature, by: str, origin: Point | None) -> None:
    """Begin what a feature leaves in its area, and place it on the map, around the feature's user or its origin.

    Without a map, or if the origin of an area elsewhere is unknown, only the effect on its user is left.
    """
    if means.lasts in ROLLED_LENGTHS and (rolled := tx.roll_now(RollSpec(means.lasts.split()[0]))) is not None:
        means = msgspec.structs.replace(means, lasts=length_of_time(str(rolled.total), means.lasts.split()[1]))
    ends, words = effect_records.duration_of(tx, InflictedCondition("", means.until), by, by=by), means.properties
    rounds = rounds_in(means.lasts, scene_of(tx).round_seconds)
    left = running.Effect("", by, means.name, means.name, ends=ends, by=by, rounds_left=rounds)
    leaves = means.leaves if INSIDE in words else None
    left = msgspec.structs.replace(left, note=means.text, concentrator=by if means.concentration else "", leaves=leaves)
    left = msgspec.structs.replace(left, rules=tuple(rule for rule in means.rules if rule.kind == "duration"))
    if not means.effect or find_effect(tx, by, means.name) is None:  # otherwise, its effect on its user holds the area
        apply_timed_effect(tx, left, "", means.lasts)
    held = find_effect(tx, by, means.name)
    if held is None or (origin is None and is_elsewhere(means)):
        return
    obscured: running.Obscurity = "heavily" if HEAVILY in words else "lightly" if LIGHTLY in words else ""
    for area in [each for each in tx.all(running.LastingArea) if (each.owner, each.name) == (by, means.name)]:
        tx.remove(area)  # used again, it moves
    light: running.AreaLight = next((LIGHTS[word] for word in LIGHTS if word in words), "")
    ground = SpellGround(DIFFICULT in words, obscured, light, inside=INSIDE in words)
    lay_ground(tx, means, by, ground, origin, held.id, carried=CARRIED in words)


def is_elsewhere(means: Feature) -> bool:
    """Return whether the area of a feature that changes the map is placed away from its user."""
    return PLACED in means.properties or means.range[:1].isdigit()


def is_aimed_from_user(area: str) -> bool:
    """Return whether an area starts at its user and points in a direction, as a line and a cone do."""
    return "line" in area or "cone" in area


def combatants_at(tx: Transaction, means: Feature, by: str, origin: Point) -> tuple[str, ...]:
    """Return the living combatants in a feature's area around a square of the map, or towards it from its user."""
    area = lay_ground(tx, means, by, SpellGround(), origin, None, carried=False)
    inside = (one.id for one in tx.all(running.Combatant) if area and geometry.is_in_area(tx, tx.rules, one.id, area))
    return tuple(inside)


def lay_ground(
    tx: Transaction, means: Feature, by: str, ground: SpellGround, at: Point | None, ends: str | None, *, carried: bool
) -> running.LastingArea | None:
    """Place what a feature does to its area, around a square or its user. Return the area, or None without a map.

    It ends with the effect `ends`, if there is one, or after its own time. With None, it is only returned.
    """
    grid, counts = geometry.map_grid(tx), tx.rules.data.grid.areas
    shape = paths.AreaShape("emanation", ground.radius) if ground.radius else paths.shape_in(means.area)
    if grid is None or shape is None:
        return None
    effect = ends or ""
    rounds = 0 if effect else rounds_in(ground.lasts or means.lasts, scene_of(tx).round_seconds)
    last_round = clock_of(tx).round + rounds if rounds else 0
    fields = {"name": means.name, "owner": by, "radius": shape.feet, "effect": effect, "last_round": last_round}
    fields["level"] = means.level or 0
    fields |= {"rules": means.effect} if ground.inside else {}
    area = copy_fields(running.LastingArea, ground, id=tx.create_id(running.LastingArea, "area"), **fields)
    if not carried:
        count, placed = dict(counts.by_shape()).get(shape.kind) or "half", paths.Placement(at or (0, 0))
        away = (0.0, 0.0)
        here = geometry.space(tx, tx.rules, by) if is_aimed_from_user(means.area) or shape.kind == "wall" else None
        if at is not None and here is not None:
            half, middle = spaces.squares_across(here.side, grid.cell) / 2, (at[0] + 0.5, at[1] + 0.5)
            towards = atan2(middle[1] - here.row - half, middle[0] - here.column - half)
            if shape.kind == "wall":  # across the way from its caster
                reach = shape.feet / grid.cell / 2
                start = middle[0] + sin(towards) * reach, middle[1] - cos(towards) * reach
                placed, away = paths.Placement(start, degrees(towards) + 90), (cos(towards), sin(towards))
            else:
                placed = paths.placement_from(here, grid.cell, shape, degrees(towards))
        squares = set(paths.squares_in(grid, shape, placed, count, diagonals=counts.diagonals))
        disc = squares if at is not None else set(geometry.lasting_squares(tx, tx.rules, area))
        inside = {(x, y) for x, y in disc if {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)} <= disc}
        squares = disc - inside if RING in means.area else disc
        area = msgspec.structs.replace(area, radius=0, squares=rectangles_of(squares))
        area = msgspec.structs.replace(area, sections=_sections(area, ground.wall, sorted(squares)))
        steps = [round(copysign(step, ground.beside)) for step in range(1, abs(ground.beside) // grid.cell + 1)]
        near = {(x + round(step * away[0]), y + round(step * away[1])) for x, y in squares for step in steps}
        if RING in means.area and ground.beside:
            wider = paths.AreaShape(shape.kind, shape.feet + max(0, -ground.beside))
            near = set(paths.squares_in(grid, wider, placed, count, diagonals=counts.diagonals))
            near -= disc if ground.beside < 0 else squares
        more = running.LastingArea(
            f"{area.id}-beside", area.name, by, rectangles_of(near - squares), 0, effect, outside=True, level=area.level
        )
        if ground.light == "bright" and shape.kind == "burst" and at is not None and not means.damage:
            wider = paths.AreaShape(shape.kind, 2 * shape.feet)  # bright light reaches as far again, dimly
            lit = paths.squares_in(grid, wider, placed, count, diagonals=counts.diagonals)
            more = msgspec.structs.replace(more, owner="", squares=rectangles_of(lit), light="dim")
        if more.squares and ends is not None:
            tx.put(more)
    if ends is not None:
        tx.put(area)
        tx.emit(AreaLaid(name=means.name))
    return area


def drift_areas(tx: Transaction, who: str) -> None:
    """Move a combatant's areas that drift away from it, such as poisonous fog, at the start of its turn."""
    feet = {one.name: one.ground.drifts for one in tx.rules.data.spells if one.ground is not None and one.ground.drifts}
    mine = [each for each in standing_areas(tx) if each.owner == who and each.name in feet and each.squares]
    if not mine or (here := geometry.space(tx, tx.rules, who)) is None or (grid := geometry.map_grid(tx)) is None:
        return
    for area in mine:
        columns, rows = zip(*((x + wide / 2, y + high / 2) for x, y, wide, high in area.squares), strict=True)
        towards, steps = atan2(fmean(rows) - here.row, fmean(columns) - here.column), feet[area.name] / grid.cell
        right, down = round(steps * cos(towards)), round(steps * sin(towards))
        tx.update(area, squares=tuple((x + right, y + down, wide, high) for x, y, wide, high in area.squares))
        tx.emit(AreaLaid(name=area.name))


def _sections(area: running.LastingArea, section: Obstacle | None, squares: list[Point]) -> tuple[Obstacle, ...]:
    """Return the obstacles on the map that a wall consists of, each two squares long."""
    if section is None:
        return ()
    parts = (squares[n : n + 2] for n in range(0, len(squares), 2))
    boxes = enumerate((box for part in parts for box in rectangles_of(part)), 1)
    return tuple(
        copy_fields(Obstacle, section, id=f"{area.id}-{n}", name=f"{area.name} {n}", at=box[:2], size=box[2:])
        for n, box in boxes
    )


def settle_areas(tx: Transaction) -> bool:
    """Put what areas do to combatants in them on these as effects, and end the effects of those outside."""
    ruled = [area for area in standing_areas(tx) if area.rules]
    inside = {
        f"in-{area.id}-{one.id}": running.Effect("", one.id, area.name, area.name, by=area.owner, rules=area.rules)
        for area in ruled
        for one in tx.all(running.Combatant)
        if geometry.is_in_area(tx, tx.rules, one.id, area) or (area.radius and one.id == area.owner)
    }
    gone = [each for each in tx.all(running.Effect) if each.id.startswith("in-area") and each.id not in inside]
    held = {(area.name, area.owner): area for area in standing_areas(tx)}
    left = (
        [each for each in tx.all(running.Effect) if (each.name, each.by) in held and each.target != each.by]
        if held
        else []
    )
    bound = [one.name for one in tx.rules.data.spells if left and one.leaves is not None and one.leaves.inside]
    bound_left = ((each, held[each.name, each.by]) for each in left if each.name in bound)
    gone += [each for each, area in bound_left if not geometry.is_in_area(tx, tx.rules, each.target, area)]
    for effect in gone:
        effect_records.end_effect(tx, effect)
    for id, effect in inside.items():
        about = HookContext(effect.target, effect.name, effect=effect)
        gates = [rule.when for rule in effect.rules if "source." in rule.when]  # others are about single rolls
        applies = not gates or any(evaluate(tx, tx.rules, effect.target, when, about) for when in gates)
        if applies and tx.get(running.Effect, id) is None:
            effect_records.begin_effect(tx, msgspec.structs.replace(effect, id=id), "")
    return False


@journal("journal.area_laid", kind="world")
class AreaLaid(Event, frozen=True):
    """A lasting area was placed on the map."""

    name: str


@command(script="hide-area {area} {hidden=true} | reveal-area {area}")
class SetAreaHidden(Command, frozen=True):
    """Hide a lasting area on the map from the players, or show it."""

    area: str
    hidden: bool = False

    def handle(self, tx: Transaction) -> None:
        """Hide or show the area. Refuse an area that doesn't exist."""
        require_running(tx)
        tx.update(tx.need(running.LastingArea, self.area), hidden=self.hidden)


@command(script="set-area {area} [light {light}] [difficult {difficult=true}]")
class SetAreaTerrain(Command, frozen=True):
    """Set the light of a lasting area on the map, and whether it is difficult terrain."""

    area: str
    light: running.AreaLight = ""
    difficult: bool = False

    def handle(self, tx: Transaction) -> None:
        """Set the light and the terrain of the area. Refuse an area that doesn't exist."""
        require_running(tx)
        tx.update(tx.need(running.LastingArea, self.area), light=self.light, difficult=self.difficult)


@command(script="end-area {area}")
class EndArea(Command, frozen=True):
    """End a lasting area on the map."""

    area: str

    def handle(self, tx: Transaction) -> None:
        """End the area. Refuse an area that doesn't exist."""
        require_running(tx)
        area = tx.need(running.LastingArea, self.area)
        tx.remove(area)
        tx.emit(AreaEnded(name=area.name))
        if area.effect and area.owner:
            effect_records.end_condition(tx, area.owner, area.name)
            effect_records.end_vain_concentration(tx, area.owner, area.name)


@journal("journal.area_ended", kind="world")
class AreaEnded(Event, frozen=True):
    """An area on the map ended."""

    name: str
