"""Reads and writes maps in the Universal VTT format (`.dd2vtt`, `.uvtt`, `.df2vtt`, `.json`), and reads Foundry scenes.

A file contains an image and its walls, doors and lights, measured in squares. Walls along full grid squares become
grid walls; all others become barriers. No point moves by more than 1/64 of a square. If only part of a larger map was
exported, the file still lists all walls and doors of that map; they are cut off at the image's edge.

Programs write the format with many small differences, so reading is lenient: numbers may be texts, and a part that
can't be read is counted and left out.
"""

import itertools
import json
from base64 import b64decode
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from functools import partial
from math import atan2, ceil, dist, isfinite, nan
from pathlib import Path
from string import hexdigits
from typing import Any, Final, Literal, TypeAlias, get_args
from urllib.parse import unquote

import msgspec

from turnwright.battlemap.segments import SquareEdge, merged_segments, outline_edges, square_edges
from turnwright.encounter.field_specs import spec_of
from turnwright.encounter.picture_formats import picture_size
from turnwright.encounter.prepared import BarrierKind, Door, Map, MapBarrier, MapLight, MapPicture, Place, StraightLine
from turnwright.importers.common import as_list, as_mapping, lenient_number
from turnwright.importers.foundry.scenes import NEAR, is_scene, universal_form
from turnwright.rules.parts.positions.geometry import drawing_lines
from turnwright.storage.fights import UnreadableError
from turnwright.storage.picture_files import fitted_map, picture_ending, picture_name, picture_problem, place_picture

MAX_BYTES: Final = 200_000_000
MAX_PARTS: Final = 100_000  # maximum points and lines; large maps from other programs have a few hundred
SAME_DOOR: Final = 1 / 8  # in squares; doors closer than this are the same door, imported again
MOST_NAME, MOST_SHOWN = 1_000, 80  # characters of an image's name that are read and shown
DEFAULT_RESOLUTION: Final = 70  # pixels per square for a map without an image
WHITE: Final = "#ffffff"  # default light colour
MapPart: TypeAlias = Literal["picture", "walls", "doors", "objects", "lights"]
MAP_PARTS: Final[tuple[MapPart, ...]] = get_args(MapPart)
OldWalls: TypeAlias = Literal["keep", "move", "remove"]
DOOR_KINDS: Final[dict[str, Any]] = {kind: kind for kind in ("secret", "window", "curtain")}
GRID_KINDS: Final[dict[BarrierKind, str]] = {"wall": "walls", "window": "windows", "curtain": "curtains"}


class MapCounts(msgspec.Struct, frozen=True):
    """The numbers of parts that a file contains or that were omitted.

    `exact` and `free` are wall segments on and off the grid; `outside` parts are outside the image, `empty` ones have
    no length, and `unusable` ones can't be read or have no counterpart here.
    """

    exact: int = 0
    free: int = 0
    doors: int = 0
    objects: int = 0
    lights: int = 0
    walls_outside: int = 0
    doors_outside: int = 0
    lights_outside: int = 0
    empty: int = 0
    unusable: int = 0


class MapImport(msgspec.Struct, frozen=True):
    """An imported map: its parts, the original bytes of its image, and the numbers of parts found and omitted.

    `picture_at` is the position of the image's corner in squares. `missing` is the name of an image that isn't there.
    """

    battle_map: Map
    extent: Place
    picture: bytes
    ending: str
    counts: MapCounts
    picture_at: Place = (0.0, 0.0)
    missing: str = ""


def read_map(data: bytes, folder: Path | None = None) -> MapImport:
    """Read a map from the bytes of a file. Raise UnreadableError if it can't be read.

    `folder` is the folder of the file, which may also contain its image.
    """
    if len(data) > MAX_BYTES:
        limit = f"{MAX_BYTES // 1_000_000} MB"
        raise UnreadableError(f"the file is larger than {limit}; export it with fewer pixels per square")
    if data.count(b"{") + data.count(b"[") > MAX_PARTS:
        raise UnreadableError(f"the map has more than {MAX_PARTS:,} points and lines")
    raw = _decoded(data)
    resolution = raw["resolution"]
    size, origin = _point(resolution.get("map_size")), _point(resolution.get("map_origin") or (0, 0))
    at, most = _point(resolution.get("picture_at") or (0, 0)), spec_of(Map, "columns").most
    if not _is_finite((*size, *origin, *at)) or not (0 < size[0] <= most and 0 < size[1] <= most):
        raise UnreadableError(f"the map has {size[0]:g} × {size[1]:g} squares; the limit is {most} × {most}")
    picture, missing = _picture(raw.get("image"), folder)
    reader = _Reader(size, origin, lenient_number(resolution.get("units_per_square"), 0) or 1.0)
    for kind in get_args(BarrierKind):
        reader.read_walls(as_list(raw.get("line_of_sight" if kind == "wall" else kind)), kind)
    reader.read_objects(as_list(raw.get("objects_line_of_sight")))
    doors, lights = reader.doors(as_list(raw.get("portals"))), reader.lights(as_list(raw.get("lights")))
    columns, rows = (max(1, ceil(side - NEAR)) for side in size)
    new = Map(columns=columns, rows=rows, doors=doors, lights=lights, **reader.fences())
    counts = MapCounts(**reader.counted, doors=len(doors), lights=len(lights))
    return MapImport(new, size, picture, picture_ending(picture), counts, at, missing)


def merged_map(old: Map | None, found: MapImport, parts: Collection[MapPart], picture: str = "") -> Map:
    """Replace the selected parts of a map with those of an imported map.

    `picture` is the name of the image file. If an earlier door was in the same position, its id, name, kind and state
    are kept.
    """
    new, own = found.battle_map, old or Map()
    changes: dict[str, object] = {"columns": new.columns, "rows": new.rows}
    if "picture" in parts and picture:
        before = own.picture or MapPicture("")
        size = (found.extent[0] - found.picture_at[0], found.extent[1] - found.picture_at[1])
        changes["picture"] = msgspec.structs.replace(before, file=picture, at=found.picture_at, size=size)
    replaced: set[BarrierKind] = {"object"} if "objects" in parts else set()
    if "walls" in parts:  # Universal VTT has no windows, curtains or rails, so such lines are drawn here and stay
        replaced |= {"wall", *(barrier.kind for barrier in new.barriers if barrier.kind != "object")}
        replaced |= {kind for kind, name in GRID_KINDS.items() if getattr(new, name)}
        changes |= {name: getattr(new, name) for kind, name in GRID_KINDS.items() if kind in replaced}
    if replaced:
        barriers = [barrier for barrier in own.barriers if barrier.kind not in replaced]
        changes["barriers"] = (*barriers, *(barrier for barrier in new.barriers if barrier.kind in replaced))
    replacements = {"doors": _matched(own.doors, new.doors), "lights": new.lights}
    changes |= {part: replacement for part, replacement in replacements.items() if part in parts}
    return msgspec.structs.replace(own, **changes)


def placed_map(
    old: Map | None, encounter: Path, data: bytes, pixels: float, offset: Place, walls: OldWalls = "keep"
) -> Map:
    """Return a map with an image as its background, fitted to the grid, and save the image next to the encounter.

    The walls, doors and lights of the old map are kept, moved with the picture, or removed. Raise UnreadableError if
    the numbers don't fit, or OSError if the image can't be written.
    """
    fitted_map(old, picture_size(data), pixels, offset)  # raises before anything is written
    new = fitted_map(old, picture_size(data), pixels, offset, place_picture(encounter, data))
    return _with_old_walls(old, new, walls)


def _with_old_walls(old: Map | None, new: Map, choice: OldWalls) -> Map:
    """Return a map with a new picture. Its walls, doors and lights are kept, moved with the picture, or removed."""
    if old is None or choice == "keep":
        return new
    before, after = old.picture, new.picture
    if choice == "remove" or before is None or after is None:
        return msgspec.structs.replace(new, walls=(), windows=(), curtains=(), barriers=(), doors=(), lights=())
    sides = before.size[0] or old.columns or 1, before.size[1] or old.rows or 1

    def moved(*at: float) -> Place:
        x, y = (after.at[n] + (at[n] - before.at[n]) * after.size[n] / sides[n] for n in (0, 1))
        return x, y

    reader = _Reader((new.columns, new.rows), (0.0, 0.0), 1.0)
    for kind, name in GRID_KINDS.items():
        reader.read_walls([[moved(*line[:2]), moved(*line[2:])] for line in getattr(old, name)], kind)
    for barrier in old.barriers:
        reader.read_walls([[moved(*point) for point in barrier.points]], barrier.kind)
    ends = [(door, reader.piece(moved(*door.at[:2]), moved(*door.at[2:]), "doors_outside")) for door in old.doors]
    doors = [msgspec.structs.replace(door, at=at) for door, at in ends if at is not None]
    lights = [msgspec.structs.replace(light, at=_rounded(moved(*light.at))) for light in old.lights]
    inside = tuple(light for light in lights if 0 <= light.at[0] <= new.columns and 0 <= light.at[1] <= new.rows)
    return msgspec.structs.replace(new, doors=tuple(doors), lights=inside, **reader.fences())


def write_map(battle_map: Map, picture: bytes = b"") -> tuple[bytes, tuple[str, ...]]:
    """Return a map as a file of version 0.3, and short descriptions of the parts that the format can't contain."""
    placed = battle_map.picture if picture and battle_map.picture else MapPicture("")
    size = placed.size if all(placed.size) else (float(battle_map.columns), float(battle_map.rows))
    width = picture_size(picture)[0] if picture else 0
    edges = (*battle_map.walls, *merged_segments(_rock_edges(battle_map)))
    pixels = round(width / size[0]) if width else DEFAULT_RESOLUTION
    segments = [[_written(edge[:2]), _written(edge[2:])] for edge in edges]
    file = {
        "format": 0.3,
        "resolution": {"map_size": _written(size), "pixels_per_grid": pixels, "map_origin": _written(placed.at)},
        "line_of_sight": segments + _polylines(battle_map, "wall"),
        "objects_line_of_sight": _polylines(battle_map, "object"),
        "environment": {"baked_lighting": bool(picture), "ambient_light": "ffffffff"},
        "lights": [_light(light, battle_map.cell) for light in battle_map.lights if light.lit],
        "portals": [_portal(door) for door in battle_map.doors],
        "image": picture,
    }
    left_out = {
        "windows along the grid": battle_map.windows,
        "curtains along the grid": battle_map.curtains,
        "windows, curtains and rails": [one for one in battle_map.barriers if one.kind not in ("wall", "object")],
        "areas": battle_map.areas,
        "obstacles": battle_map.obstacles,
    }
    return msgspec.json.encode(file), tuple(f"{len(parts)} {words}" for words, parts in left_out.items() if parts)


def _polylines(battle_map: Map, kind: str) -> list[list[dict[str, float]]]:
    return [[_written(point) for point in barrier.points] for barrier in battle_map.barriers if barrier.kind == kind]


def _written(point: Place) -> dict[str, float]:
    return {"x": point[0], "y": point[1]}


def _decoded(data: bytes) -> dict[str, Any]:
    """Decode a file of any kind of Unicode, and a Foundry scene into the form of Universal VTT."""
    try:
        raw = json.loads(data, strict=False)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"not a Universal VTT map or Foundry scene: {error}") from error
    if is_scene(raw):
        return universal_form(raw)
    if not isinstance(raw, dict) or not isinstance(raw.get("resolution"), dict):
        raise UnreadableError("not a Universal VTT map or Foundry scene")
    return raw


def _picture(coded: object, folder: Path | None) -> tuple[bytes, str]:
    """Return an embedded image, or an image next to the map. If it is missing, return its name."""
    if not isinstance(coded, str) or not coded.strip():
        return b"", ""
    text = "".join(coded.rpartition(",")[2].split())
    with suppress(ValueError):
        content = b64decode(text + "=" * (-len(text) % 4), validate=True)
        if picture_ending(content):
            return content, ""
    name = coded.strip()[:MOST_NAME]
    for each in (name, picture_name(name).name, unquote(picture_name(name).name)):
        if folder is not None and not picture_problem(folder, each, MAX_BYTES):
            content = (folder / picture_name(each)).read_bytes()
            if picture_ending(content):
                return content, ""
    return b"", unquote(picture_name(name).name)[:MOST_SHOWN]


def _point(value: object) -> Place:
    """Return a point that may be written as a list, or one that isn't finite."""
    pair = (value.get("x"), value.get("y")) if isinstance(value, dict) else value
    x, y = pair if isinstance(pair, list | tuple) and len(pair) == 2 else (None, None)
    return lenient_number(x), lenient_number(y)


class _Reader:
    """Collects and counts the walls, objects, doors and lights of one image, cut off at its edge."""

    def __init__(self, extent: Place, origin: Place, units: float) -> None:
        self.extent, self.origin, self.units = extent, origin, units
        self.straight: dict[BarrierKind, list[tuple[int, int, int, int]]] = {kind: [] for kind in GRID_KINDS}
        self.barriers: list[MapBarrier] = []
        self.counted: Counter[str] = Counter()

    def read_walls(self, lines: Iterable[object], kind: BarrierKind = "wall") -> None:
        """Sort the segments of polylines into grid walls and barriers."""
        for line in lines:
            chain: list[Place] = []
            for start, end in itertools.pairwise(self._points(line)):
                piece = self.piece(start, end, "walls_outside")
                is_free = piece is not None and not (kind in GRID_KINDS and _is_on_grid(piece))
                if not (is_free and piece and chain[-1:] == [piece[:2]]):
                    self._close(chain, kind)
                if piece and is_free:
                    self.counted["free"] += 1
                    chain += [piece[2:]] if chain else [piece[:2], piece[2:]]
                elif piece:
                    self.counted["exact"] += 1
                    left, top, right, bottom = map(int, piece)
                    self.straight[kind].append((left, top, right, bottom))
            self._close(chain, kind)

    def fences(self) -> dict[str, Any]:
        """Return the walls, windows, curtains and barriers of the map."""
        found = {name: merged_segments(square_edges(self.straight[kind])) for kind, name in GRID_KINDS.items()}
        return found | {"barriers": tuple(self.barriers)}

    def _close(self, chain: list[Place], kind: BarrierKind) -> None:
        """Finish a barrier."""
        if chain:
            self.barriers.append(MapBarrier(kind, tuple(chain)))
            chain.clear()

    def read_objects(self, lines: Iterable[object]) -> None:
        """Add the outlines of objects as closed lines, omitting points that are almost identical."""
        for line in lines:
            corners = self._points(line)
            if not all(map(_is_finite, corners)):
                self.counted["unusable"] += 1
                continue
            ring = _clipped_ring(corners, self.extent)
            points: list[Place] = []
            for point in map(_rounded, ring):
                if not points or dist(point, points[-1]) >= NEAR:
                    points.append(point)
            while len(points) > 1 and dist(points[-1], points[0]) < NEAR:
                points.pop()
            if len(points) < 3:
                self.counted["walls_outside" if not ring else "empty"] += 1
                continue
            self.counted["objects"] += 1
            self.barriers.append(MapBarrier("object", (*points, points[0])))

    def doors(self, portals: Iterable[Any]) -> tuple[Door, ...]:
        """Return the doors within the image."""
        doors: list[Door] = []
        for portal in map(as_mapping, portals):
            points = self._points(portal.get("bounds"))
            if len(points) != 2:
                self.counted["empty"] += 1
                continue
            at = self.piece(points[0], points[1], "doors_outside")
            if at is not None:
                is_open, kind = str(portal.get("closed")).lower() in ("false", "0"), str(portal.get("kind"))
                doors.append(Door(f"door-{len(doors) + 1}", at, DOOR_KINDS.get(kind, "door"), open=is_open))
        return tuple(doors)

    def lights(self, lights: Iterable[Any]) -> tuple[MapLight, ...]:
        """Return the lights within the image. If only their range is known, they are bright for half of it."""
        placed: list[MapLight] = []
        for light in lights:
            known = as_mapping(light)
            at, reach, bright = (
                self._own(known.get("position")),
                lenient_number(known.get("range")),
                known.get("bright"),
            )
            if not _is_finite((*at, reach)):
                self.counted["unusable"] += 1
            elif not (0 <= at[0] <= self.extent[0] and 0 <= at[1] <= self.extent[1]):
                self.counted["lights_outside"] += 1
            else:
                feet = _feet(reach / 2 if bright is None else bright)
                dim = 0 if bright is None else max(1, _feet(reach) - feet)
                placed.append(
                    MapLight(_rounded(at), feet, dim, _colour(known.get("color")), known.get("lit") is not False)
                )
        return tuple(placed)

    def _points(self, line: object) -> list[Place]:
        """Return the points of a line relative to the image's corner."""
        return [self._own(point) for point in line] if isinstance(line, list | tuple) else [(nan, nan)] * 2

    def _own(self, point: object) -> Place:
        x, y = _point(point)
        return x / self.units - self.origin[0], y / self.units - self.origin[1]

    def piece(self, start: Place, end: Place, outside: str) -> StraightLine | None:
        """Return the part of a segment within the image, or None if nothing remains. It snaps to a close grid line."""
        start, end = _snapped(start), _snapped(end)
        if start == end or not _is_finite((*start, *end)):
            self.counted["empty" if _is_finite((*start, *end)) else "unusable"] += 1
            return None
        cut = _clipped(start, end, self.extent)
        if cut is None or _snapped(cut[:2]) == _snapped(cut[2:]):
            self.counted[outside] += 1
            return None
        return (*_rounded(_snapped(cut[:2])), *_rounded(_snapped(cut[2:])))


def _is_finite(numbers: Iterable[float]) -> bool:
    return all(map(isfinite, numbers))


def _feet(squares: float) -> int:
    return round(max(0.0, min(1_000.0, squares * Map().cell)))


def _colour(value: object) -> str:
    """Return a colour (AARRGGBB or RRGGBB, perhaps with #) as in files, or an empty text for white or no colour."""
    digits = str(value).lower().removeprefix("#")
    is_colour = len(digits) in (6, 8) and set(digits) <= set(hexdigits)
    return f"#{digits[-6:]}" if is_colour and f"#{digits[-6:]}" != WHITE else ""


def _rounded(point: Place) -> Place:
    """Round a point to four decimals, as in files, which is finer than 1/512 of a square."""
    return round(point[0], 4), round(point[1], 4)


def _snapped(point: Place) -> Place:
    """Round the coordinates of a point that are almost whole."""
    x, y = (float(round(value)) if isfinite(value) and abs(value - round(value)) <= NEAR else value for value in point)
    return x, y


def _clipped(start: Place, end: Place, extent: Place) -> StraightLine | None:
    """Return the part of a segment within a rectangle from (0, 0). Return None for a segment outside."""
    points = sorted(_clipped_ring([start, end], extent), key=partial(dist, start))
    return (*points[0], *points[-1]) if points and points[0] != points[-1] else None


def _clipped_ring(ring: Sequence[Place], extent: Place) -> list[Place]:
    """Return the part of a polygon within a rectangle from (0, 0) (Sutherland and Hodgman)."""
    points = list(ring)
    for axis in (0, 1):
        for edge, sign in ((0.0, 1.0), (extent[axis], -1.0)):
            cut: list[Place] = []
            for before, point in zip([*points[-1:], *points[:-1]], points, strict=True):
                was, now = sign * (before[axis] - edge), sign * (point[axis] - edge)
                if (was < 0) != (now < 0):
                    share = was / (was - now)
                    cut.append((before[0] + share * (point[0] - before[0]), before[1] + share * (point[1] - before[1])))
                if now >= 0:
                    cut.append(point)
            points = cut
    return points


def _is_on_grid(piece: StraightLine) -> bool:
    """Whether a segment runs along full squares of a grid line."""
    return all(value.is_integer() for value in piece) and (piece[0] == piece[2] or piece[1] == piece[3])


def _matched(old: Sequence[Door], new: Sequence[Door]) -> tuple[Door, ...]:
    """Return the new doors. A door in the same position as an old one keeps its id, name, kind and state."""
    remaining, pairs = list(old), []
    for door in new:
        same = next((other for other in remaining if _is_same_place(other.at, door.at)), None)
        if same is not None:
            remaining.remove(same)
        pairs.append((door, same))
    taken = {same.id for _, same in pairs if same is not None}
    doors: list[Door] = []
    for door, same in pairs:
        numbers = itertools.count(len(doors) + 1)
        id = same.id if same else next(id for number in numbers if (id := f"door-{number}") not in taken)
        taken.add(id)
        doors.append(msgspec.structs.replace(same or door, id=id, at=door.at))
    return tuple(doors)


def _is_same_place(one: StraightLine, other: StraightLine) -> bool:
    """Whether two doors have the same two ends, in either order."""
    ends = ((other[:2], other[2:]), (other[2:], other[:2]))
    return any(max(dist(one[:2], start), dist(one[2:], end)) <= SAME_DOOR for start, end in ends)


def _rock_edges(battle_map: Map) -> set[SquareEdge]:
    """Return the edges where squares filled by walls meet other squares."""
    lines = drawing_lines(battle_map.ground, battle_map.columns, battle_map.rows)
    rock = {(column, row) for row, line in enumerate(lines) for column, sign in enumerate(line) if sign == "#"}
    return outline_edges(rock)


def _portal(door: Door) -> dict[str, object]:
    x0, y0, x1, y1 = door.at
    middle, bounds = _written(((x0 + x1) / 2, (y0 + y1) / 2)), [_written((x0, y0)), _written((x1, y1))]
    turned = atan2(y1 - y0, x1 - x0)
    return {"position": middle, "bounds": bounds, "rotation": turned, "closed": not door.open, "freestanding": False}


def _light(light: MapLight, cell: int) -> dict[str, object]:
    squares = (light.bright + (light.dim or light.bright)) / cell
    colour = f"ff{(light.colour or WHITE).removeprefix('#')}"
    return {"position": _written(light.at), "range": squares, "intensity": 1.0, "color": colour, "shadows": True}
