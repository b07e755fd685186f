"""The tokens inside an area placed on the map, and those that walls cut off from its origin."""

from __future__ import annotations

from math import cos, radians, sin

import msgspec

from turnwright.battlemap.sight import LineBlocker
from turnwright.battlemap.spaces import Space, squares_across
from turnwright.battlemap.templates import AreaShape, Placement, SquareCount, cut_off, squares_in
from turnwright.encounter.prepared import Point, StraightLine
from turnwright.rules.parts.positions.map_geometry import map_grid
from turnwright.ui.docks.map.drawing.tokens import Token
from turnwright.ui.docks.map.tools.line_of_sight_info import named_walls
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.rules.explanation import Explanation, ExplanationLine


class LaidArea(msgspec.Struct, frozen=True):
    """The squares inside an area, the squares that walls cut off from its origin, and the tokens on both.

    `walls` are the segments that block its lines of effect. `stopped` lists the tokens cut off and the obstructions.
    """

    squares: frozenset[Point] = frozenset()
    cut_off: frozenset[Point] = frozenset()
    inside: tuple[Token, ...] = ()
    stopped: tuple[tuple[Token, str], ...] = ()
    walls: tuple[StraightLine, ...] = ()


def laid_area(
    document: DocumentModel, tokens: list[Token], shape: AreaShape, placement: Placement, count: SquareCount
) -> LaidArea:
    """Return the squares and tokens that an area affects on the encounter's map."""
    grid, figures = map_grid(document.encounter), document.rules.data.grid.areas
    if grid is None:
        return LaidArea()
    covered = squares_in(grid, shape, placement, count, diagonals=figures.diagonals)
    origin = placement.at[0], placement.at[1]
    behind = cut_off(grid, covered, origin)
    walls, _ = named_walls(document, tuple(behind.values()))
    reached = covered - behind.keys()
    inside = tuple(token for token in tokens if _squares_of(token) & reached)
    shut = [token for token in tokens if token not in inside and _squares_of(token) & covered]
    stopped = tuple(
        (blocked, _reason(document, [behind[each] for each in _squares_of(blocked) & covered])) for blocked in shut
    )
    return LaidArea(frozenset(reached), frozenset(behind), inside, stopped, walls)


def placement_from(space: Space, cell: int, shape: AreaShape, bearing: float) -> Placement:
    """Return the placement of a shape that starts at a creature's space, on the side or corner in its direction."""
    half = squares_across(space.side, cell) / 2
    middle = space.column + half, space.row + half
    if shape.kind in ("burst", "emanation"):
        return Placement(middle, bearing, space)
    right, below = cos(radians(bearing)), sin(radians(bearing))
    far = half / max(abs(right), abs(below))
    at = tuple(round(2 * (start + far * step)) / 2 for start, step in zip(middle, (right, below), strict=True))
    return Placement((at[0], at[1]), bearing, space)


def placement_at(square: Point, cell: int, shape: AreaShape, bearing: float) -> Placement:
    """Return the placement of a free shape at a corner, side or centre of a square, depending on the shape."""
    across = (shape.feet if shape.kind == "cube" else shape.width or cell) // cell
    column, row = float(square[0]), float(square[1])
    if shape.kind == "emanation":
        return Placement((column + 0.5, row + 0.5), bearing, Space(*square, side=cell))
    if shape.kind != "burst" and bearing % 90 == 0 and (across % 2 or shape.kind == "cone"):
        return Placement((column, row + 0.5) if bearing % 180 == 0 else (column + 0.5, row), bearing)
    return Placement((column, row), bearing)


def explain_area(info: LaidArea, title: str, counted: str) -> Explanation:
    """Explain which tokens are in an area, and which obstructions protect the others."""
    lines = [ExplanationLine("✓", token.label) for token in info.inside]
    lines += [
        ExplanationLine("✕", tr("ui.map.area-cut-off", who=token.label, what=what or tr("ui.map.barrier")))
        for token, what in info.stopped
    ]
    return Explanation(title, tr("ui.map.area-count", n=len(info.inside)), tuple(lines), notes=(counted,))


def _squares_of(token: Token) -> frozenset[Point]:
    if token.square is None:
        return frozenset()
    left, top = token.square
    return frozenset((column, row) for column in range(left, left + token.size) for row in range(top, top + token.size))


def _reason(document: DocumentModel, blockers: list[LineBlocker]) -> str:
    return ", ".join(named_walls(document, tuple(blockers))[1])
