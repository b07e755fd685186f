"""The floors of a map: bands of its rows, drawn one below the other, so that every square belongs to one floor.

Each floor can be converted to a separate map, and separate maps can be joined as floors.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import OFF_MAP, Area, Map, MapFloor, MapPicture, Point, RosterEntry
from turnwright.encounter.state import Change, Encounter, Record, grouped, key_of

GAP: Final = 1  # free rows between two floors
LAYERS: Final = ("ground", "heights", "light", "fog")
PARTS: Final = ("walls", "windows", "curtains", "obstacles", "areas", "barriers", "doors", "lights")
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
    if not (0 <= square[0] <= whole.columns - across and 0 <= square[1] <= whole.rows - across):
        return False
    floor = floor_at(whole, square[1] + across - 1) if whole.floors else None
    is_whole = floor is not None and floor.row <= square[1] and square[0] + across <= width_of(whole, floor)
    return is_whole or not whole.floors


def borders_of(whole: Map) -> tuple[tuple[int, int, int, int], ...]:
    """Return the lines of the grid that separate the floors of a map. Nothing passes through them."""
    lines: list[tuple[int, int, int, int]] = []
    for floor in whole.floors:
        end, right = min(floor.row + floor.rows, whole.rows), width_of(whole, floor)
        lines += [(0, row, whole.columns, row) for row in (floor.row, end) if 0 < row < whole.rows]
        lines += [(right, floor.row, right, end)] if right < whole.columns else []
    return tuple(lines)


def picture_of(whole: Map, floor: MapFloor) -> MapPicture | None:
    """Return the image of a floor, at its place on the whole map."""
    picture = floor.picture or (whole.picture if floor.row == 0 else None)
    if picture is None or not whole.floors or min(picture.size) > 0:
        return picture
    return msgspec.structs.replace(picture, size=(float(width_of(whole, floor)), float(floor.rows)))


def map_pictures(whole: Map) -> Iterator[tuple[tuple[str, ...], MapPicture]]:
    """Yield the images of a map and its floors, each with its path in the map."""
    floors = ((("floors", floor.id, "picture"), floor.picture) for floor in whole.floors)
    yield from ((path, picture) for path, picture in ((("picture",), whole.picture), *floors) if picture is not None)


def with_picture_of(whole: Map, floor: MapFloor) -> Map:
    """Return the whole map with the image of one of its floors, for painting that floor."""
    return msgspec.structs.replace(whole, picture=picture_of(whole, floor)) if whole.floors else whole


def map_of(whole: Map, floor: MapFloor) -> Map:
    """Return a floor as a separate map that begins at row 0."""
    if not whole.floors:
        return whole
    end = floor.row + floor.rows
    parts: dict[str, Any] = {
        name: tuple(part for part in getattr(whole, name) if all(floor.row <= row <= end for row in _rows_of(part)))
        for name in PARTS
    }
    parts["areas"] = tuple(
        msgspec.structs.replace(area, squares=boxes)
        for area in whole.areas
        if (boxes := tuple(box for box in area.squares if floor.row <= box[1] < end))
    )
    parts |= {name: drawing_of(getattr(whole, name), floor) for name in LAYERS}
    parts["fog"] = parts["fog"] or ("." if whole.fog else "")
    alone = msgspec.structs.replace(whole, **parts, floors=(), picture=picture_of(whole, floor))
    own: Map = _moved(alone, -floor.row)
    return msgspec.structs.replace(own, columns=width_of(whole, floor), rows=floor.rows)


def stacked(parts: Sequence[Part]) -> Map:
    """Put floors together into one map, in this order and at new rows. The rules of the first map apply to all."""
    columns, row, taken = max(own.columns for _, own in parts), 0, set[str]()
    floors, placed = list[MapFloor](), list[Map]()
    for floor, own in parts:
        there = _moved(_with_new_ids(own, taken), row)
        narrower = own.columns if own.columns < columns else 0
        floors.append(MapFloor(floor.id, floor.name, row, own.rows, narrower, there.picture if row else None))
        placed.append(there)
        row += own.rows + GAP
    whole: dict[str, Any] = {name: tuple(part for each in placed for part in getattr(each, name)) for name in PARTS}
    rows = [floor.row for floor in floors]
    drawn = ([(at, getattr(own, name)) for at, (_, own) in zip(rows, parts, strict=True)] for name in LAYERS)
    whole |= {name: stacked_drawing(texts) for name, texts in zip(LAYERS, drawn, strict=True)}
    areas = grouped((area.id, area) for area in whole["areas"])
    whole["areas"] = tuple(
        msgspec.structs.replace(same[0], squares=tuple(box for area in same for box in area.squares))
        for same in areas.values()
    )
    return msgspec.structs.replace(placed[0], **whole, columns=columns, rows=row - GAP, floors=tuple(floors))


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
    at = floor_at(before, square[1])
    floor, to = next((pair for pair in kept_floors(before, after) if pair[0] == at), (None, None))
    if floor is None or to is None:
        return None
    column, row = square[0], square[1] - floor.row + to.row
    return (column, row) if is_on_floor(after, (column, row)) else None


def moved_entry(before: Map, after: Map, entry: RosterEntry) -> RosterEntry:
    """Return a roster entry whose members stay on their floors, arranged in another way."""
    places = (moved_square(before, after, at) or OFF_MAP for at in entry.positions)
    return msgspec.structs.replace(entry, positions=tuple(places))


def encounter_on(encounter: Encounter, whole: Map, floor: MapFloor) -> Encounter:
    """Return a prepared encounter with a single floor of its map, for printing."""
    alone = stacked([(floor, map_of(whole, floor))])
    records: list[Record] = [alone, *(moved_entry(whole, alone, entry) for entry in encounter.all(RosterEntry))]
    return encounter.with_changes(Change(key_of(each), encounter.record(key_of(each)), each) for each in records)


def _rows_of(part: Any) -> list[float]:
    """Return the rows that a part of a map touches: a line along the grid, or anything with a place."""
    if isinstance(part, tuple):
        return [*part[1::2]]
    return [row for places in getattr(part, "points", ()) or (getattr(part, "at", ()),) for row in places[1::2]]


def _moved(part: Any, down: int) -> Any:
    """Return a map or a part of it that is farther down by some rows. The drawings of a map stay."""
    if isinstance(part, tuple):  # a place or a line
        return tuple(place + down * (axis % 2) for axis, place in enumerate(part))
    moved: dict[str, Any] = {"at": _moved(part.at, down)} if hasattr(part, "at") else {}
    for name in ("points", *PARTS):
        if hasattr(part, name):
            moved[name] = tuple(_moved(each, down) for each in getattr(part, name))
    if isinstance(part, Map) and part.picture is not None:
        moved["picture"] = _moved(part.picture, down)
    if isinstance(part, Area):
        moved["squares"] = tuple((column, row + down, wide, high) for column, row, wide, high in part.squares)
    return msgspec.structs.replace(part, **moved)


def _with_new_ids(own: Map, taken: set[str]) -> Map:
    """Return a map whose doors and objects have other ids than those taken, and take their ids."""
    changed: dict[str, Any] = {}
    for name in ("doors", "obstacles"):
        parts = []
        for part in getattr(own, name):
            id = next(
                id for id in chain((part.id,), (f"{part.id}-{n}" for n in count(2))) if f"{name}.{id}" not in taken
            )
            taken.add(f"{name}.{id}")
            parts.append(msgspec.structs.replace(part, id=id))
        changed[name] = tuple(parts)
    return msgspec.structs.replace(own, **changed)
