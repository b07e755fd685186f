"""Reads and writes maps in the Universal VTT format (`.dd2vtt`, `.uvtt`, `.df2vtt`, `.json`), versions 0.2 and 0.3.

A file contains an image and its walls, doors and lights, measured in squares. Walls along full grid squares become
grid walls; all others become barriers. No point moves by more than 1/64 of a square. If only part of a larger map was
exported, the file still lists all walls and doors of that map; they are cut off at the image's edge.
"""

import itertools
from base64 import b64decode
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import atan2, ceil, dist, isfinite
from typing import Final, Literal, TypeAlias, get_args

import msgspec

from turnwright.battlemap.segments import SquareEdge, merged_segments
from turnwright.encounter.field_specs import spec_of
from turnwright.encounter.prepared import Door, Map, MapBarrier, MapLight, MapPicture, Place, StraightLine
from turnwright.rules.parts.positions.geometry import drawing_lines
from turnwright.storage.fights import UnreadableError
from turnwright.storage.picture_files import picture_ending, picture_size

ENDINGS: Final = (".dd2vtt", ".uvtt", ".df2vtt", ".json")
MAX_BYTES: Final = 200_000_000
MAX_PARTS: Final = 100_000  # maximum points and lines; large maps from other programs have a few hundred
NEAR: Final = 1 / 64  # in squares; points closer to the grid than this are on it
SAME_DOOR: Final = 1 / 8  # in squares; doors closer than this are the same door, imported again
DEFAULT_RESOLUTION: Final = 70  # pixels per square for a map without an image
WHITE: Final = "#ffffff"  # default light colour
MapPart: TypeAlias = Literal["picture", "walls", "doors", "objects", "lights"]
MAP_PARTS: Final[tuple[MapPart, ...]] = get_args(MapPart)


class UvttPoint(msgspec.Struct, frozen=True):
    """A point, in squares."""

    x: float
    y: float


class UvttResolution(msgspec.Struct, frozen=True):
    """The part of the full map that the image shows, and the pixels per square."""

    map_size: UvttPoint
    pixels_per_grid: float
    map_origin: UvttPoint = UvttPoint(0, 0)


class UvttPortal(msgspec.Struct, frozen=True, omit_defaults=False):
    """A door or window; `position` is its centre."""

    position: UvttPoint
    bounds: tuple[UvttPoint, ...] = ()
    rotation: float = 0.0
    closed: bool = True
    freestanding: bool = False


class UvttEnvironment(msgspec.Struct, frozen=True):
    """The light of the full map; baked lighting is painted into the image."""

    baked_lighting: bool = False
    ambient_light: str = "ffffffff"


class UvttLight(msgspec.Struct, frozen=True):
    """A light; `range` is the radius of its dim light in squares, `color` is AARRGGBB."""

    position: UvttPoint
    range: float
    intensity: float = 1.0
    color: str = ""
    shadows: bool = True


class UvttFile(msgspec.Struct, frozen=True):
    """A full file."""

    resolution: UvttResolution
    format: float = 0.2
    line_of_sight: tuple[tuple[UvttPoint, ...], ...] = ()
    objects_line_of_sight: tuple[tuple[UvttPoint, ...], ...] = ()
    environment: UvttEnvironment = UvttEnvironment()
    lights: tuple[UvttLight, ...] = ()
    portals: tuple[UvttPortal, ...] = ()
    image: bytes = b""


class _UvttText(UvttFile, frozen=True):
    """A file whose image isn't plain base64: it has a prefix or line breaks."""

    image: str = ""  # type: ignore[assignment]


class MapCounts(msgspec.Struct, frozen=True):
    """The numbers of parts that a file contains or that were omitted.

    `exact` and `free` are wall segments on and off the grid; `outside` parts are outside the image, `empty` ones have
    no length.
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


class MapImport(msgspec.Struct, frozen=True):
    """An imported map: its parts, the original bytes of its image, and the numbers of parts found and omitted."""

    battle_map: Map
    extent: Place
    picture: bytes
    ending: str
    counts: MapCounts
    baked_lighting: bool = False
    version: float = 0.2


def read_map(data: bytes) -> MapImport:
    """Read a map from the bytes of a file. Raise UnreadableError if it can't be read."""
    if len(data) > MAX_BYTES:
        limit = f"{MAX_BYTES // 1_000_000} MB"
        raise UnreadableError(f"the file is larger than {limit}; export it with fewer pixels per square")
    if data.count(b"{") + data.count(b"[") > MAX_PARTS:
        raise UnreadableError(f"the map has more than {MAX_PARTS:,} points and lines")
    file, picture = _decoded(data)
    size, origin = file.resolution.map_size, file.resolution.map_origin
    most = spec_of(Map, "columns").most
    if not all(map(isfinite, (size.x, size.y, origin.x, origin.y))) or not (0 < size.x <= most and 0 < size.y <= most):
        raise UnreadableError(f"the map has {size.x:g} × {size.y:g} squares; the limit is {most} × {most}")
    ending = picture_ending(picture)
    if picture and not ending:
        raise UnreadableError("the picture must be a PNG, JPEG or WebP file")
    reader = _Reader((size.x, size.y), (origin.x, origin.y))
    reader.read_walls(file.line_of_sight)
    reader.read_objects(file.objects_line_of_sight)
    doors, lights = reader.doors(file.portals), reader.lights(file.lights)
    walls, barriers = merged_segments(reader.edges), tuple(reader.barriers)
    new = Map(columns=ceil(size.x), rows=ceil(size.y), walls=walls, barriers=barriers, doors=doors, lights=lights)
    counts = MapCounts(**reader.counted, doors=len(doors), lights=len(lights))
    return MapImport(new, (size.x, size.y), picture, ending, counts, file.environment.baked_lighting, file.format)


def merged_map(old: Map | None, found: MapImport, parts: Collection[MapPart], picture: str = "") -> Map:
    """Replace the selected parts of a map with those of an imported map.

    `picture` is the name of the image file. If an earlier door was in the same position, its id, name, kind and state
    are kept.
    """
    new, own = found.battle_map, old or Map()
    changes: dict[str, object] = {"columns": new.columns, "rows": new.rows}
    if "picture" in parts and picture:
        before = own.picture or MapPicture("")
        changes["picture"] = msgspec.structs.replace(before, file=picture, at=(0.0, 0.0), size=found.extent)
    replaced = {kind for part, kind in (("walls", "wall"), ("objects", "object")) if part in parts}
    if replaced:
        barriers = [barrier for barrier in own.barriers if barrier.kind not in replaced]
        changes["barriers"] = (*barriers, *(barrier for barrier in new.barriers if barrier.kind in replaced))
    replacements = {"walls": new.walls, "doors": _matched(own.doors, new.doors), "lights": new.lights}
    changes |= {part: replacement for part, replacement in replacements.items() if part in parts}
    return msgspec.structs.replace(own, **changes)


def write_map(battle_map: Map, picture: bytes = b"") -> tuple[bytes, tuple[str, ...]]:
    """Return a map as a file of version 0.3, and short descriptions of the parts that the format can't contain."""
    placed = battle_map.picture if picture and battle_map.picture else MapPicture("")
    size = placed.size if all(placed.size) else (float(battle_map.columns), float(battle_map.rows))
    width = picture_size(picture)[0] if picture else 0
    edges = (*battle_map.walls, *merged_segments(_rock_edges(battle_map)))
    resolution = round(width / size[0]) if width else DEFAULT_RESOLUTION
    segments = ((UvttPoint(a, b), UvttPoint(c, d)) for a, b, c, d in edges)
    file = UvttFile(
        format=0.3,
        resolution=UvttResolution(UvttPoint(*size), resolution, UvttPoint(*placed.at)),
        line_of_sight=(*segments, *_polylines(battle_map, "wall")),
        objects_line_of_sight=_polylines(battle_map, "object"),
        environment=UvttEnvironment(baked_lighting=bool(picture)),
        lights=tuple(_light(light, battle_map.cell) for light in battle_map.lights if light.lit),
        portals=tuple(_portal(door) for door in battle_map.doors),
        image=picture,
    )
    left_out = {
        "windows along the grid": battle_map.windows,
        "curtains along the grid": battle_map.curtains,
        "windows, curtains and rails": [one for one in battle_map.barriers if one.kind not in ("wall", "object")],
        "areas": battle_map.areas,
        "obstacles": battle_map.obstacles,
    }
    return msgspec.json.encode(file), tuple(f"{len(parts)} {words}" for words, parts in left_out.items() if parts)


def _polylines(battle_map: Map, kind: str) -> tuple[tuple[UvttPoint, ...], ...]:
    barriers = (barrier for barrier in battle_map.barriers if barrier.kind == kind)
    return tuple(tuple(UvttPoint(*point) for point in barrier.points) for barrier in barriers)


def _decoded(data: bytes) -> tuple[UvttFile, bytes]:
    """Decode a file, and its image, whose text may have a prefix or line breaks."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        file = msgspec.json.decode(data, type=UvttFile)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        try:
            text = msgspec.json.decode(data, type=_UvttText)
            coded = text.image.rpartition(",")[2]
            return text, b64decode("".join(coded.split()), validate=True)
        except (msgspec.MsgspecError, UnicodeDecodeError, ValueError, RecursionError):
            raise UnreadableError(f"not a Universal VTT map: {error}") from error
    return file, file.image


class _Reader:
    """Collects and counts the walls, objects, doors and lights of one image, cut off at its edge."""

    def __init__(self, extent: Place, origin: Place) -> None:
        self.extent, self.origin = extent, origin
        self.edges: set[SquareEdge] = set()
        self.barriers: list[MapBarrier] = []
        self.counted: Counter[str] = Counter()

    def read_walls(self, lines: Iterable[Sequence[UvttPoint]]) -> None:
        """Sort the segments of polylines into grid walls and barriers."""
        for line in lines:
            points = [self._own(point) for point in line]
            chain: list[Place] = []
            for start, end in itertools.pairwise(points):
                piece = self._piece(start, end, "walls_outside")
                is_free = piece is not None and not _is_on_grid(piece)
                if not (is_free and piece and chain[-1:] == [piece[:2]]):
                    self._close(chain)
                if piece and is_free:
                    self.counted["free"] += 1
                    chain += [piece[2:]] if chain else [piece[:2], piece[2:]]
                elif piece:
                    self.counted["exact"] += 1
                    self.edges.update(_unit_edges(piece))
            self._close(chain)

    def _close(self, chain: list[Place]) -> None:
        """Finish a barrier."""
        if chain:
            self.barriers.append(MapBarrier("wall", tuple(_rounded(point) for point in chain)))
            chain.clear()

    def read_objects(self, lines: Iterable[Sequence[UvttPoint]]) -> None:
        """Add the outlines of objects as closed lines, omitting points that are almost identical."""
        for line in lines:
            ring = _clipped_ring([self._own(point) for point in line], self.extent)
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

    def doors(self, portals: Iterable[UvttPortal]) -> tuple[Door, ...]:
        """Return the doors within the image."""
        doors: list[Door] = []
        for portal in portals:
            if len(portal.bounds) != 2:
                self.counted["empty"] += 1
                continue
            start, end = map(self._own, portal.bounds)
            piece = self._piece(start, end, "doors_outside")
            if piece is not None:
                at = (*_rounded(piece[:2]), *_rounded(piece[2:]))
                doors.append(Door(f"door-{len(doors) + 1}", at, open=not portal.closed))
        return tuple(doors)

    def lights(self, lights: Iterable[UvttLight]) -> tuple[MapLight, ...]:
        """Return the lights within the image: bright for half of their range, dim for the rest."""
        placed: list[MapLight] = []
        for light in lights:
            at = self._own(light.position)
            if not (0 <= at[0] <= self.extent[0] and 0 <= at[1] <= self.extent[1]):
                self.counted["lights_outside"] += 1
                continue
            feet = max(0, min(1_000, round(light.range * Map().cell / 2))) if isfinite(light.range) else 0
            colour = f"#{light.color[-6:].lower()}" if len(light.color) in (6, 8) else ""
            if colour == WHITE or not all(sign in "#0123456789abcdef" for sign in colour):
                colour = ""
            placed.append(MapLight(_rounded(at), feet, colour=colour))
        return tuple(placed)

    def _own(self, point: UvttPoint) -> Place:
        """Return a point relative to the image's corner."""
        return point.x - self.origin[0], point.y - self.origin[1]

    def _piece(self, start: Place, end: Place, outside: str) -> StraightLine | None:
        """Return the part of a segment within the image, or None if nothing remains. It snaps to a close grid line."""
        start, end = _snapped(start), _snapped(end)
        if start == end or not all(map(isfinite, (*start, *end))):
            self.counted["empty"] += 1
            return None
        cut = _clipped(start, end, self.extent)
        if cut is None or _snapped(cut[:2]) == _snapped(cut[2:]):
            self.counted[outside] += 1
            return None
        return (*_snapped(cut[:2]), *_snapped(cut[2:]))


def _rounded(point: Place) -> Place:
    """Round a point to four decimals, as in files, which is finer than 1/512 of a square."""
    return round(point[0], 4), round(point[1], 4)


def _snapped(point: Place) -> Place:
    """Round the coordinates of a point that are almost whole."""
    x, y = (float(round(value)) if isfinite(value) and abs(value - round(value)) <= NEAR else value for value in point)
    return x, y


def _clipped(start: Place, end: Place, extent: Place) -> StraightLine | None:
    """Return the part of a segment within a rectangle from (0, 0) (Liang and Barsky), or None if it is outside."""
    low, high = 0.0, 1.0
    across, down = end[0] - start[0], end[1] - start[1]
    edges = ((-across, start[0]), (across, extent[0] - start[0]), (-down, start[1]), (down, extent[1] - start[1]))
    for change, room in edges:
        if change == 0:
            if room < 0:
                return None
        elif change < 0:
            low = max(low, room / change)
        else:
            high = min(high, room / change)
    if low >= high:
        return None
    first = start if low == 0 else (start[0] + low * across, start[1] + low * down)
    last = end if high == 1 else (start[0] + high * across, start[1] + high * down)
    return (*first, *last)


def _clipped_ring(ring: Sequence[Place], extent: Place) -> list[Place]:
    """Return the part of a polygon within a rectangle from (0, 0) (Sutherland and Hodgman)."""
    points = [point for point in ring if all(map(isfinite, point))]
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


def _unit_edges(piece: StraightLine) -> Iterator[SquareEdge]:
    """Yield the square edges that a segment along the grid covers."""
    left, right = sorted((int(piece[0]), int(piece[2])))
    top, bottom = sorted((int(piece[1]), int(piece[3])))
    if top == bottom:
        yield from ((column, top, True) for column in range(left, right))
    else:
        yield from ((left, row, False) for row in range(top, bottom))


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
    above, left = {(column, row + 1) for column, row in rock}, {(column + 1, row) for column, row in rock}
    return {(*place, True) for place in rock ^ above} | {(*place, False) for place in rock ^ left}


def _portal(door: Door) -> UvttPortal:
    x0, y0, x1, y1 = door.at
    middle, bounds = UvttPoint((x0 + x1) / 2, (y0 + y1) / 2), (UvttPoint(x0, y0), UvttPoint(x1, y1))
    return UvttPortal(middle, bounds, rotation=atan2(y1 - y0, x1 - x0), closed=not door.open)


def _light(light: MapLight, cell: int) -> UvttLight:
    squares = (light.bright + (light.dim or light.bright)) / cell
    return UvttLight(UvttPoint(*light.at), squares, color=f"ff{(light.colour or WHITE).removeprefix('#')}")
