"""The floors of a map: bands of its rows, drawn one below the other, so that every square belongs to one floor.

Each floor can be converted to a separate map, and separate maps can be joined as floors.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import OFF_MAP, Area, Map, MapBarrier, MapFloor, MapPicture, Point, RosterEntry
from turnwright.encounter.running import Combatant, Fog, LastingArea
from turnwright.encounter.state import Change, Encounter, Lookup, Record, key_of, unique_id

GAP: Final = 1  # free rows between two floors
LAYERS: Final = ("ground", "heights", "light", "fog")
PARTS: Final = ("walls", "windows", "curtains", "obstacles", "areas", "barriers", "doors", "lights")
SHARED: Final = ("cell", "diagonals", "grid_shown", "grid_colour", "grid_strength")
Part = tuple[MapFloor, Map]


def floors_of(whole: Map) -> tuple[MapFloor, ...]:
    """Return the floors of a map from top to bottom. A map without floors is a single one."""
    return whole.floors or (MapFloor("", rows=whole.rows, columns=whole.columns),)


def floor_at(whole: Map, row: int) -> MapFloor | None:
    """Return the floor on which a row of the map lies, or None between floors and off the map."""
    return next((floor for floor in floors_of(whole) if floor.row <= row < floor.row + floor.rows), None)


def width_of(whole: Map, floor: MapFloor) -> int:
    """Return the width of a floor in squares."""
    return min(floor.columns or whole.columns, whole.columns)


def is_on_floor(whole: Map, square: Point, across: int = 1) -> bool:
    """Return whether a single floor contains a space, which is `across` squares wide."""
    floor, end = floor_at(whole, square[1]), square[1] + across
    is_inside = floor is not None and end <= min(floor.row + floor.rows, whole.rows)
    return is_inside and floor is not None and 0 <= square[0] <= width_of(whole, floor) - across


def borders_of(whole: Map) -> tuple[tuple[int, int, int, int], ...]:
    """Return the lines of the grid that separate the floors of a map. Nothing passes through them."""
    ends = [(floor.row, floor.row + floor.rows, width_of(whole, floor)) for floor in whole.floors]
    across = ((0, row, whole.columns, row) for *rows, _ in ends for row in rows)
    return (*across, *((right, top, right, end) for top, end, right in ends))


def picture_of(whole: Map, floor: MapFloor) -> MapPicture | None:
    """Return the image of a floor, at its place on the whole map."""
    picture = floor.picture or (whole.picture if floor in floors_of(whole)[:1] else None)
    if picture is None or not whole.floors or min(picture.size) > 0:
        return picture
    return msgspec.structs.replace(picture, size=(float(width_of(whole, floor)), float(floor.rows)))


def map_pictures(whole: Map) -> Iterator[tuple[tuple[str, ...], MapPicture]]:
    """Yield the images of a map and its floors, each with its path in the map."""
    floors = ((("floors", floor.id, "picture"), floor.picture) for floor in whole.floors)
    yield from ((path, picture) for path, picture in ((("picture",), whole.picture), *floors) if picture is not None)


@lru_cache(maxsize=8)
def with_picture_of(whole: Map, floor: MapFloor) -> Map:
    """Return the whole map with the image of one of its floors, for painting that floor."""
    return msgspec.structs.replace(whole, picture=picture_of(whole, floor)) if whole.floors else whole


def map_of(whole: Map, floor: MapFloor) -> Map:
    """Return a floor as a separate map that begins at row 0."""
    if not whole.floors:
        return whole
    end, picture = floor.row + floor.rows, picture_of(whole, floor)
    parts = {name: _parts_between(getattr(whole, name), floor.row, end) for name in PARTS}
    drawings = {name: drawing_of(getattr(whole, name), floor) for name in LAYERS}
    drawings["fog"] = drawings["fog"] or ("." if whole.fog else "")
    picture = picture and _moved(picture, -floor.row)
    size = {"columns": width_of(whole, floor), "rows": floor.rows}
    return msgspec.structs.replace(whole, **parts, **drawings, **size, floors=(), picture=picture)


def parts_of(whole: Map) -> list[Part]:
    """Return the floors of a map, each with its separate map."""
    return [(floor, map_of(whole, floor)) for floor in floors_of(whole)]


def with_map_of(whole: Map, floor: MapFloor, own: Map) -> Map:
    """Return a map in which a separate map replaces that of a floor. Its scale and grid lines apply to all."""
    joined = stacked([(each, own if each == floor else other) for each, other in parts_of(whole)])
    return msgspec.structs.replace(joined, **{name: getattr(own, name) for name in SHARED})


def stacked(parts: Sequence[Part]) -> Map:
    """Put floors together into one map, in this order and at new rows. The rules of the first map apply to all."""
    columns, row, floors = max(own.columns for _, own in parts), 0, list[MapFloor]()
    for floor, own in parts:
        picture = _moved(own.picture, row) if row and own.picture is not None else None
        narrower = own.columns if own.columns < columns else 0
        floors.append(MapFloor(floor.id, floor.name, row, own.rows, narrower, picture))
        row += own.rows + GAP
    whole: dict[str, Any] = {}
    for name in PARTS:
        taken = set[str]()
        found = ((part, at.row) for at, (_, own) in zip(floors, parts, strict=True) for part in getattr(own, name))
        whole[name] = tuple(_with_new_id(_moved(part, down), taken) for part, down in found)
    for name in LAYERS:
        drawn = ((at.row, getattr(own, name)) for at, (_, own) in zip(floors, parts, strict=True))
        whole[name] = stacked_drawing(drawn)
    return msgspec.structs.replace(parts[0][1], **whole, columns=columns, rows=row - GAP, floors=tuple(floors))


def stacked_drawing(parts: Iterable[tuple[int, str]]) -> str:
    """Put drawings with a line per row below each other, each from its row of the map."""
    lines: list[str] = []
    for row, text in parts:
        lines += [*[""] * (row - len(lines)), *text.replace("\r", "").rstrip("\n").split("\n")] if text else []
    text = "\n".join(lines).rstrip("\n")
    return f"{'.' if text.startswith(chr(10)) else ''}{text}\n" if text else ""


def drawing_of(text: str, floor: MapFloor) -> str:
    """Return the lines of a drawing that belong to a floor."""
    lines = text.replace("\r", "").split("\n")[floor.row : floor.row + floor.rows]
    return stacked_drawing([(0, "\n".join(lines))]) if any(line.strip(". ") for line in lines) else ""


def kept_floors(before: Map, after: Map) -> list[tuple[MapFloor, MapFloor]]:
    """Return the floors that are kept when a map is replaced, as they were and as they are. A single one is the first."""
    now = {floor.id: floor for floor in floors_of(after)} if before.floors else {"": floors_of(after)[0]}
    return [(floor, now[floor.id]) for floor in floors_of(before) if floor.id in now]


def moved_square(before: Map, after: Map, square: Point) -> Point | None:
    """Return a square's place after the floors of a map were arranged in another way, or None if its floor is gone."""
    for floor, to in kept_floors(before, after):
        if floor.row <= square[1] < floor.row + floor.rows:
            at = square[0], square[1] - floor.row + to.row
            return at if is_on_floor(after, at) else None
    return None


def rearranged(lookup: Lookup, after: Map) -> Iterator[Record]:
    """Yield a map with other floors, and all records that contain its squares, each on its floor or off the map."""
    before, replace = lookup.need(Map, Map.table), msgspec.structs.replace
    yield after
    for entry in lookup.all(RosterEntry):
        yield replace(entry, positions=tuple(moved_square(before, after, at) or OFF_MAP for at in entry.positions))
    for combatant in lookup.all(Combatant):
        at = combatant.position
        yield replace(combatant, position=moved_square(before, after, at) if at is not None else None)
    for area in lookup.all(LastingArea):
        boxes = ((moved_square(before, after, box[:2]), box[2:]) for box in area.squares)
        yield replace(area, squares=tuple((*at, *size) for at, size in boxes if at is not None))
    for fog in lookup.all(Fog):
        kept = sorted((to.row, drawing_of(fog.squares, floor)) for floor, to in kept_floors(before, after))
        yield replace(fog, squares=stacked_drawing(kept))


def on_floor(encounter: Encounter, floor: MapFloor) -> Encounter:
    """Return an encounter with a single floor of its map, which begins at row 0."""
    records = rearranged(encounter, _alone(encounter.need(Map, Map.table), floor))
    return encounter.with_changes(Change(key_of(each), encounter.record(key_of(each)), each) for each in records)


@lru_cache(maxsize=8)
def _alone(whole: Map, floor: MapFloor) -> Map:
    return stacked([(floor, map_of(whole, floor))])


def _parts_between(parts: Iterable[Any], top: int, end: int) -> tuple[Any, ...]:
    """Return the parts of a map between two rows, moved to the top."""
    found = []
    for part in parts:
        places = [part] if isinstance(part, tuple) else [getattr(part, "at", ()), *getattr(part, "points", ())]
        if isinstance(part, Area):
            area = msgspec.structs.replace(part, squares=tuple(box for box in part.squares if top <= box[1] < end))
            found += [_moved(area, -top)] if area.squares else []
        elif all(top <= row <= end for place in places for row in place[1::2]):
            found.append(_moved(part, -top))
    return tuple(found)


def _moved(part: Any, down: int) -> Any:
    """Return a part of a map that is farther down by some rows."""
    if isinstance(part, tuple):  # a place or a line
        return tuple(place + down * (axis % 2) for axis, place in enumerate(part))
    if isinstance(part, MapBarrier):
        return msgspec.structs.replace(part, points=tuple(_moved(point, down) for point in part.points))
    if isinstance(part, Area):
        return msgspec.structs.replace(part, squares=tuple((x, y + down, *size) for x, y, *size in part.squares))
    return msgspec.structs.replace(part, at=_moved(part.at, down))


def _with_new_id(part: Any, taken: set[str]) -> Any:
    """Return a part of a map whose id, if it has one, isn't among those taken."""
    if not (id := getattr(part, "id", "")):
        return part
    new = unique_id(id, taken, "part") if id in taken else id
    taken.add(new)
    return msgspec.structs.replace(part, id=new)
