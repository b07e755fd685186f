"""The prepared map as shapes for a template: rectangles, lines and marks, in squares from the part's upper left corner.

Everything hidden from the players is removed from their edition before anything is measured: secret or disabled
entries, whole environments, the roster, and obstacles' stats. Drawings are parsed as leniently as in play.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, Final

import msgspec

from turnwright.battlemap import segments
from turnwright.battlemap.spaces import squares_across
from turnwright.encounter.prepared import (
    Area,
    Creature,
    Environment,
    EnvironmentEntry,
    Map,
    Obstacle,
    Point,
    Segment,
    StraightLine,
)
from turnwright.encounter.roles import present
from turnwright.encounter.state import grouped, member_labels, monograms, name_counts
from turnwright.handouts.page_input import PageInput, Picture
from turnwright.rules.parts.positions.geometry import drawing_lines, height_steps
from turnwright.rules.parts.stat_block.sections import PERCEPTION
from turnwright.rules.word_keys import signed_text

GROUND: Final = ((",", "difficult"), ("~", "water"), ("^", "climb"), ("#", "wall"))
LIGHT: Final = ((":", "lightly"), ("%", "heavily"))
FENCES: Final = ("walls", "windows", "curtains", "doors")
BARRIERS: Final[Mapping[str, str]] = {
    "wall": "walls", "window": "windows", "curtain": "curtains", "rail": "curtains", "object": "curtains",
}  # fmt: skip
HEIGHT_LABEL_COLUMNS, HEIGHT_LABEL_ROWS = 6, 4  # the spacing of height labels on level ground
MAX_AREA_NAME: Final = 60  # characters of an area's name on the map; the key has the full name
MAX_AREA_SIZE: Final = 1_000_000  # limit for all areas together, in squares
SIZE_OF_BOX: Final = 20  # a rectangle's additional size: a square takes 120 bytes of memory, a rectangle up to 10,000
USUAL_GRID: Final = "#b9ab92"
Shape = list[Any]


class PrintedArea(msgspec.Struct, frozen=True):
    """A printed area. `mark` is its sign in the key; `secret` areas are only in the game master's edition."""

    name: str
    mark: str
    squares: frozenset[Point]
    rough: bool = False
    secret: bool = False


class PrintedObstacle(msgspec.Struct, frozen=True):
    """A printed obstacle, clipped to the map; `statistics` is empty in the players' edition."""

    name: str
    mark: str
    box: Segment
    statistics: str = ""


class MapParts(msgspec.Struct, frozen=True):
    """Which parts of a map are printed: tokens, grid, names and stats of places, colours and patterns."""

    tokens: bool = True
    grid: bool = True
    keys: bool = True
    ground: bool = True


class PrintedToken(msgspec.Struct, frozen=True):
    """A roster member at its position. `side_style` is 0 for the party, 1 for enemies, 2 for all others.

    `place` is its position in words.
    """

    name: str
    short: str
    at: Point
    size: int
    side_style: int
    is_hidden: bool
    ring: str = ""
    portrait: Picture | None = None
    place: str = ""


EVERYTHING: Final = MapParts()


class PrintedMap:
    """All shapes of a map for one edition. `too_many_areas` counts the areas left out at the end of the list."""

    def __init__(self, field: Map, source: PageInput, parts: MapParts = EVERYTHING) -> None:
        self.field = field
        self._say = source.text
        self._parts = parts
        self.columns, self.rows = field.columns, field.rows
        ground, light, heights = (field.ground, field.light, field.heights) if parts.ground else ("", "", "")
        self.ground = drawing_lines(ground, field.columns, field.rows)
        self.light = drawing_lines(light, field.columns, field.rows)
        self._has_heights = bool(heights.strip())
        self.heights = drawing_lines(heights, field.columns, field.rows)
        sizes = accumulate(_area_size(field, area) for area in field.areas)
        self.too_many_areas = sum(1 for size in sizes if size > MAX_AREA_SIZE)
        self.areas = tuple(_regions(field, field.areas[: len(field.areas) - self.too_many_areas], source))
        rough = (printed.squares for printed in self.areas if printed.rough and parts.ground)
        self._rough = frozenset[Point]().union(*rough)
        self.obstacles = tuple(_things(field, source))
        self.tokens = tuple(_tokens(field, source)) if source.shows_secrets and parts.tokens else ()
        self.picture = _printable_picture(field, source) if parts.ground else None
        self.fences: dict[str, list[StraightLine]] = {name: [] for name in FENCES}
        for name in ("walls", "windows", "curtains"):
            self.fences[name] += _straight(field, getattr(field, name))
        for sort, line in _free_lines(field, self.fences, shows_secrets=source.shows_secrets):
            if all(0 <= x <= field.columns and 0 <= y <= field.rows for x, y in (line[:2], line[2:])):
                self.fences[sort].append(line)
        for sort in FENCES[:-1] if not source.shows_secrets else ():  # so that the ends of secret doors don't show
            self.fences[sort] = [_in_squares(line) for line in segments.joined_lines(map(_fixed, self.fences[sort]))]

    @cached_property
    def whole(self) -> dict[str, Any]:
        """The shapes of the whole map."""
        return self.section(0, 0, self.columns, self.rows)

    def section(self, left: int, top: int, columns: int, rows: int, strip: Point = (0, 0)) -> dict[str, Any]:
        """Return the shapes of a part of the map, relative to its first square.

        In the last `strip` columns and rows only the edge is printed, so obstacles aren't named there.
        """
        right, bottom = min(left + columns, self.columns), min(top + rows, self.rows)
        squares = [(column, row) for row in range(top, bottom) for column in range(left, right)]
        lit = [at for at in squares if self._sign(self.ground, at) != "#"]
        has_grid, colour, strength = self.field.grid_lines
        whole = (left, top, right, bottom)
        shown = (left, top, right - strip[0], bottom - strip[1])
        signs = {name: {at for at in squares if self._sign(self.ground, at) == sign} for sign, name in GROUND}
        signs["difficult"] |= {at for at in squares if at in self._rough and self._sign(self.ground, at) == "."}
        return {
            "grid": self._parts.grid and has_grid,
            "grid_colour": f"{colour or USUAL_GRID}{round(2.55 * (strength or 100)):02x}" if colour or strength else "",
            "keys": self._parts.keys,
            "alternative": self._alternative(*whole),
            "picture": self._picture(left, top),
            "ground": {name: _moved(segments.rectangles_of(drawn), left, top) for name, drawn in signs.items()},
            "light": {
                name: _moved(segments.rectangles_of(at for at in lit if self._sign(self.light, at) == sign), left, top)
                for sign, name in LIGHT
            },
            **self._heights(squares, left, top),
            "areas": [*self._areas(squares, left, top)] if self._parts.keys else [],
            "obstacles": [
                {"name": each.name, "mark": each.mark, "figures": each.statistics}
                | {"box": [each.box[0] - left, each.box[1] - top, each.box[2], each.box[3]]}
                | {"said_in": _moved([self._free_part(each.box, shown)], left, top)[0]}
                for each in self.obstacles
                if _meets(whole, (*each.box[:2], each.box[0] + each.box[2], each.box[1] + each.box[3]))
            ],
            "tokens": [
                {"name": token.name, "short": token.short, "look": token.side_style, "unseen": token.is_hidden}
                | {"at": [token.at[0] - left, token.at[1] - top], "across": token.size, "ring": token.ring}
                | {"portrait": token.portrait.name if token.portrait is not None else ""}
                for token in self.tokens
                if _meets(whole, (*token.at, token.at[0] + token.size, token.at[1] + token.size))
            ],
            **{
                name: [
                    [from_x - left, from_y - top, to_x - left, to_y - top]
                    for from_x, from_y, to_x, to_y in fences
                    if _meets(whole, (min(from_x, to_x), min(from_y, to_y), max(from_x, to_x), max(from_y, to_y)))
                ]
                for name, fences in self.fences.items()
            },
        }

    def _alternative(self, left: int, top: int, right: int, bottom: int) -> str:
        """Return the alternative text of a part: its squares, and the first square of each name on it."""
        named = [(token.name, [token.at]) for token in self.tokens]
        if self._parts.keys:
            named += [(obstacle.name, [obstacle.box[:2]]) for obstacle in self.obstacles]
            named += [(area.name, [*area.squares]) for area in self.areas]
        texts = [
            self._say(
                "handout.map-sheets.alternative",
                first=segments.square_name((left, top)),
                last=segments.square_name((right - 1, bottom - 1)),
            )
        ]
        for name, squares in named:
            inside = [at for at in squares if left <= at[0] < right and top <= at[1] < bottom]
            texts += [f"{name} {segments.square_name(min(inside))}"] if name and inside else []
        return "; ".join(texts)

    def company(self) -> list[dict[str, Any]]:
        """Return the creatures on the map in roster order: letters, name, ring and place.

        Consecutive numbers are merged.
        """
        runs: list[list[PrintedToken]] = []
        for token in self.tokens:
            if runs and _goes_on(runs[-1][-1], token):
                runs[-1].append(token)
            else:
                runs.append([token])
        return [
            {
                "mark": _run(run[0].short, run[-1].short) if len(run) > 1 else run[0].short,
                "name": _run(run[0].name, run[-1].name.rpartition(" ")[2]) if len(run) > 1 else run[0].name,
                "short": run[0].short,
                "look": run[0].side_style,
                "unseen": run[0].is_hidden,
                "ring": run[0].ring,
                "place": run[0].place,
            }
            for run in runs
        ]

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The printed images: the map image and the tokens' portraits."""
        pictures = [self.picture, *(token.portrait for token in self.tokens)]
        return tuple({picture.name: picture for picture in pictures if picture is not None}.values())

    def _free_part(self, box: Segment, shown: StraightLine) -> Segment:
        """Return the largest visible part of an obstacle that is free of tokens.

        If tokens fill it, return the whole visible part. The width is 0 if nothing is visible.
        """
        left, top = max(box[0], int(shown[0])), max(box[1], int(shown[1]))
        right, bottom = min(box[0] + box[2], int(shown[2])), min(box[1] + box[3], int(shown[3]))
        if left >= right or top >= bottom:
            return left, top, 0, 0
        parts = [(left, top, right, bottom)]
        for token in self.tokens:
            (x, y), size = token.at, token.size
            parts = [part for each in parts for part in _without(each, (x, y, x + size, y + size))]
        largest = max(
            parts, key=lambda each: (each[2] - each[0]) * (each[3] - each[1]), default=(left, top, right, bottom)
        )
        return largest[0], largest[1], largest[2] - largest[0], largest[3] - largest[1]

    def _picture(self, left: int, top: int) -> dict[str, Any] | None:
        """Return the map image's file and its box, or None if the map has no image."""
        placed = self.field.picture
        if placed is None or self.picture is None:
            return None
        size = (placed.size[0] or self.columns, placed.size[1] or self.rows)
        return {"file": self.picture.name, "box": [placed.at[0] - left, placed.at[1] - top, *size]}

    def _sign(self, lines: tuple[str, ...], at: Point) -> str:
        return lines[at[1]][at[0]]

    def level_at(self, at: Point) -> int:
        """Return the height of a square in steps above the floor, or 0 outside the map."""
        inside = 0 <= at[0] < self.columns and 0 <= at[1] < self.rows
        return height_steps(self._sign(self.heights, at)) if inside else 0

    def _heights(self, squares: list[Point], left: int, top: int) -> dict[str, Any]:
        """Return the raised and sunken squares by height, the ledges between them, and the height labels."""
        if not self._has_heights:
            return {"heights": [], "ledges": [], "told": []}
        steps = grouped((found, at) for at in squares if (found := self.level_at(at)))
        higher = [edge for at in squares for beside, edge in _sides(at) if self.level_at(beside) < self.level_at(at)]
        labels = [
            [at[0] - left, at[1] - top, signed_text(self.level_at(at) * self.field.cell)]
            for at in squares
            if self._parts.keys and self.level_at(at) and self._is_told(at, left, top)
        ]
        return {
            "heights": [
                [*box, by] for by, found in steps.items() for box in _moved(segments.rectangles_of(found), left, top)
            ],
            "ledges": [[*line] for line in _moved_lines(segments.merged_segments(higher), left, top)],
            "told": labels,
        }

    def _is_told(self, at: Point, left: int, top: int) -> bool:
        """Return whether a square has a height label: where the height changes, and at intervals on level areas."""
        here = self.level_at(at)
        across = (at[0] - left) % HEIGHT_LABEL_COLUMNS == 0 or self.level_at((at[0] - 1, at[1])) != here
        return across and ((at[1] - top) % HEIGHT_LABEL_ROWS == 0 or self.level_at((at[0], at[1] - 1)) != here)

    def _areas(self, squares: list[Point], left: int, top: int) -> Iterator[dict[str, Any]]:
        labelled: set[Point] = set()
        for number, region in enumerate(self.areas):
            here = [at for at in squares if at in region.squares]
            if not here:
                continue
            edges = [edge for at in here for beside, edge in _sides(at) if beside not in region.squares]
            first = next((at for at in here if at not in labelled), here[0])
            labelled.add(first)
            run = sum(1 for at in here if at[1] == first[1] and at[0] >= first[0])
            yield {
                "name": region.name if len(region.name) <= MAX_AREA_NAME else f"{region.name[: MAX_AREA_NAME - 1]}…",
                "mark": region.mark,
                "secret": region.secret,
                "tone": number,
                "squares": _moved(segments.rectangles_of(here), left, top),
                "edges": [[*line] for line in _moved_lines(segments.merged_segments(edges), left, top)],
                "at": [first[0] - left, first[1] - top, run],
            }


def _goes_on(one: PrintedToken, other: PrintedToken) -> bool:
    """Return whether two tokens are numbered consecutively and otherwise identical in the key."""
    (name, _, number), (next_name, _, next_number) = one.name.rpartition(" "), other.name.rpartition(" ")
    mine = (name, one.side_style, one.is_hidden, one.place)
    alike = mine == (next_name, other.side_style, other.is_hidden, other.place)
    in_a_row = number.isdecimal() and next_number.isdecimal() and int(next_number) == int(number) + 1
    return bool(name) and alike and in_a_row and not one.ring and not other.ring


def _run(first: str, last: str) -> str:
    return f"{first}\N{EN DASH}{last}"


def _sides(at: Point) -> tuple[tuple[Point, segments.SquareEdge], ...]:
    """Return the four neighbouring squares, each with the shared edge."""
    column, row = at
    return (
        ((column, row - 1), (column, row, True)),
        ((column, row + 1), (column, row + 1, True)),
        ((column - 1, row), (column, row, False)),
        ((column + 1, row), (column + 1, row, False)),
    )


def _printable_picture(field: Map, source: PageInput) -> Picture | None:
    """Return the map image, or None if this edition or ink setting doesn't include it."""
    placed = field.picture
    if placed is None or not placed.file or source.options.ink == "saving":
        return None
    return source.printable_picture(placed.file) if source.shows_secrets or placed.shown == "both" else None


def _moved(boxes: Iterable[Segment], left: int, top: int) -> list[Shape]:
    return [[column - left, row - top, width, height] for column, row, width, height in boxes]


def _moved_lines(lines: Iterable[Segment], left: int, top: int) -> list[Shape]:
    return [[a - left, b - top, c - left, d - top] for a, b, c, d in lines]


def _fixed(line: StraightLine) -> segments.Line:
    x0, y0, x1, y1 = map(segments.fixed, line)
    return x0, y0, x1, y1


def _in_squares(line: segments.Line) -> StraightLine:
    x0, y0, x1, y1 = (each / segments.fixed(1) for each in line)
    return x0, y0, x1, y1


def _free_lines(
    field: Map, fences: Mapping[str, list[StraightLine]], *, shows_secrets: bool
) -> Iterator[tuple[str, StraightLine]]:
    """Yield the segments of barriers and doors with their types. For players, a secret door continues its wall."""
    for barrier in field.barriers:
        if barrier.kind == "object" and field.picture is not None:
            continue  # the map image shows it
        yield from ((BARRIERS[barrier.kind], (*start, *end)) for start, end in pairwise(barrier.points))
    for door in field.doors:
        is_secret = door.kind == "secret" and not shows_secrets
        others = [(sort, _fixed(line)) for sort in FENCES[:-1] for line in fences[sort]] if is_secret else []
        yield segments.kind_along(_fixed(door.at), others, "walls") if is_secret else "doors", door.at


def _meets(one: StraightLine, other: StraightLine) -> bool:
    """Return whether two boxes (left, top, right, bottom) touch."""
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def _without(box: Segment, other: Segment) -> list[Segment]:
    """Return the largest parts of a box (left, top, right, bottom) on each side of another box."""
    left, top, right, bottom = box
    if other[0] >= right or other[2] <= left or other[1] >= bottom or other[3] <= top:
        return [box]
    sides = (
        (left, top, other[0], bottom),
        (other[2], top, right, bottom),
        (left, top, right, other[1]),
        (left, other[3], right, bottom),
    )
    return [side for side in sides if side[0] < side[2] and side[1] < side[3]]


def _straight(field: Map, segments: Iterable[Segment]) -> Iterator[Segment]:
    """Yield the parts of horizontal and vertical segments that are on the map."""
    for a, b, c, d in segments:
        left, right = sorted((max(0, min(a, field.columns)), max(0, min(c, field.columns))))
        top, bottom = sorted((max(0, min(b, field.rows)), max(0, min(d, field.rows))))
        on_map = (0 <= a <= field.columns) if a == c else (0 <= b <= field.rows)
        if (a == c) != (b == d) and on_map and (left, top) != (right, bottom):
            yield left, top, right, bottom


def _clipped(field: Map, column: int, row: int, width: int, height: int) -> Segment | None:
    left, top = max(0, column), max(0, row)
    right, bottom = min(field.columns, column + width), min(field.rows, row + height)
    return (left, top, right - left, bottom - top) if right > left and bottom > top else None


def _area_size(field: Map, area: Area) -> int:
    """Return the number of squares that an area's rectangles cover, plus a fixed amount for each rectangle."""
    boxes = (_clipped(field, *square) for square in area.squares)
    return sum(box[2] * box[3] + SIZE_OF_BOX for box in boxes if box is not None)


def _regions(field: Map, areas: Iterable[Area], source: PageInput) -> Iterator[PrintedArea]:
    number = 0
    for area in areas:
        squares = frozenset(_squares(field, area))
        nature = _nature(area, source)
        if not squares or nature is None:
            continue
        name, row = nature
        rough = not area.environment or (row is not None and row.terrain == "difficult" and not row.redirect)
        yield PrintedArea(
            name, segments.column_name(number).lower(), squares, rough, secret=row is not None and row.secret
        )
        number += 1


def _squares(field: Map, area: Area) -> Iterator[Point]:
    for square in area.squares:
        box = _clipped(field, *square)
        if box is not None:
            for row in range(box[1], box[1] + box[3]):
                yield from ((column, row) for column in range(box[0], box[0] + box[2]))


def _nature(area: Area, source: PageInput) -> tuple[str, EnvironmentEntry | None] | None:
    """Return an area's name and its environment entry, or None if it isn't in this edition."""
    if not area.environment:
        terrains = source.rules.data.terrains
        name = next((terrain.name for terrain in terrains if terrain.id == area.feature), area.feature)
        return (name, None) if area.feature else None
    place = source.encounter.get(Environment, area.environment)
    row = next((row for row in place.features if row.id == area.feature), None) if place is not None else None
    if source.shows_secrets:
        if row is not None:
            return (row.name or row.id, row) if row.enabled else None
        return (place.name if place is not None and not area.feature else "") or area.feature or area.environment, None
    return (row.name or row.id, row) if row is not None and row.enabled and lies_open(row) else None


def lies_open(row: EnvironmentEntry) -> bool:
    """Return whether players see an entry on the map: it isn't secret, and noticing it requires no check."""
    return not row.secret and (row.check is None or row.check.skill != PERCEPTION)


def _things(field: Map, source: PageInput) -> Iterator[PrintedObstacle]:
    marks: dict[tuple[str, str], str] = {}
    for obstacle in field.obstacles:
        box = _clipped(field, *obstacle.at, *obstacle.size)
        if box is not None:
            statistics = _figures(obstacle, source) if source.shows_secrets else ""
            name = obstacle.name if source.shows_secrets else ""  # a name may reveal more than is seen
            mark = marks.setdefault((name, statistics), str(len(marks) + 1)) if source.shows_secrets else ""
            yield PrintedObstacle(name, mark, box, statistics)


def _figures(obstacle: Obstacle, source: PageInput) -> str:
    pairs = (("armour", obstacle.ac), ("hit-points", obstacle.hp))
    return " · ".join(source.text(f"handout.map-sheets.{key}", n=value) for key, value in pairs if value)


def _tokens(field: Map, source: PageInput) -> Iterator[PrintedToken]:
    encounter, counts = source.encounter, name_counts(source.encounter)
    spaces = {size.id: size.space for size in source.rules.data.sizes}
    members = [
        (entry, number, label)
        for entry in present(encounter)
        for number, label in zip(range(entry.count), member_labels(encounter, entry, counts=counts), strict=False)
    ]
    signs = monograms(label for _entry, _number, label in members)
    for (entry, number, label), short in zip(members, signs, strict=True):
        creature = encounter.get(Creature, entry.creature) or Creature(entry.creature, entry.creature)
        across = squares_across(creature.space or spaces.get(creature.size, field.cell) or field.cell, field.cell)
        look = {"party": 0, "enemies": 1}.get(entry.side, 2)
        at = entry.square_of(number)
        if at is not None and _clipped(field, *at, across, across) is not None:
            unseen = entry.hidden or entry.sneaking or bool(entry.wave)
            yield PrintedToken(
                label,
                short,
                at,
                min(across, field.columns + field.rows),
                look,
                unseen,
                entry.rings[number] if number < len(entry.rings) else "",
                source.printable_portrait(entry),
                entry.place,
            )
