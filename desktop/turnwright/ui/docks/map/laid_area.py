"""Who is in an area laid on the map, who is cut off from its origin by walls, and why."""

from __future__ import annotations

from math import cos, radians, sin

import msgspec

from turnwright.battlemap.sight import LineBlocker
from turnwright.battlemap.spaces import Space, squares_across
from turnwright.battlemap.templates import AreaShape, Placement, SquareCount, cut_off, squares_in
from turnwright.encounter.prepared import Point, StraightLine
from turnwright.rules.parts.positions.map_geometry import map_grid
from turnwright.ui.docks.map.line_of_sight_info import named_walls
from turnwright.ui.docks.map.tokens import Token
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.translations import tr
from turnwright.ui.widgets.explanation import Explanation, ExplanationLine


class LaidArea(msgspec.Struct, frozen=True):
    """The squares of an area, those in it that its origin doesn't reach, and the tokens on either.

    `walls` are the segments that stop its lines of effect; `stopped` names what cuts each token off.
    """

    squares: frozenset[Point] = frozenset()
    cut_off: frozenset[Point] = frozenset()
    inside: tuple[Token, ...] = ()
    stopped: tuple[tuple[Token, str], ...] = ()
    walls: tuple[StraightLine, ...] = ()


def laid_area(
    document: DocumentModel, tokens: list[Token], shape: AreaShape, placement: Placement, count: SquareCount
) -> LaidArea:
    """Return what an area takes on the map of the encounter."""
    grid, figures = map_grid(document.encounter), document.rules.data.grid.areas
    if grid is None:
        return LaidArea()
    found = squares_in(grid, shape, placement, count, diagonals=figures.diagonals)
    origin = placement.at[0], placement.at[1]
    behind = cut_off(grid, found, origin)
    walls, _ = named_walls(document, tuple(behind.values()))
    reached = found - behind.keys()
    inside = tuple(token for token in tokens if _squares_of(token) & reached)
    shut = [token for token in tokens if token not in inside and _squares_of(token) & found]
    stopped = tuple((one, _reason(document, [behind[each] for each in _squares_of(one) & found])) for one in shut)
    return LaidArea(frozenset(reached), frozenset(behind), inside, stopped, walls)


def placement_from(space: Space, cell: int, shape: AreaShape, bearing: float) -> Placement:
    """Return the placement of a shape that begins at a creature's space, on the side or corner that it points to."""
    half = squares_across(space.side, cell) / 2
    middle = space.column + half, space.row + half
    if shape.kind in ("burst", "emanation"):
        return Placement(middle, bearing, space)
    right, below = cos(radians(bearing)), sin(radians(bearing))
    far = half / max(abs(right), abs(below))
    at = tuple(round(2 * (start + far * step)) / 2 for start, step in zip(middle, (right, below), strict=True))
    return Placement((at[0], at[1]), bearing, space)


def placement_at(square: Point, cell: int, shape: AreaShape, bearing: float) -> Placement:
    """Return the placement of a shape that begins anywhere: at the square's upper left corner, or the middle of a side."""
    across = (shape.feet if shape.kind == "cube" else shape.width or cell) // cell
    column, row = float(square[0]), float(square[1])
    if shape.kind == "emanation":
        return Placement((column + 0.5, row + 0.5), bearing, Space(*square, side=cell))
    if shape.kind != "burst" and bearing % 90 == 0 and (across % 2 or shape.kind == "cone"):
        return Placement((column, row + 0.5) if bearing % 180 == 0 else (column + 0.5, row), bearing)
    return Placement((column, row), bearing)


def explain_area(info: LaidArea, title: str, counted: str) -> Explanation:
    """Explain who is in an area, and what cuts others off from its origin."""
    lines = [ExplanationLine("✓", one.label) for one in info.inside]
    lines += [
        ExplanationLine("✕", tr("ui.map.area-cut-off", who=one.label, what=what or tr("ui.map.barrier")))
        for one, what in info.stopped
    ]
    return Explanation(title, tr("ui.map.area-count", n=len(info.inside)), tuple(lines), notes=(counted,))


def _squares_of(token: Token) -> frozenset[Point]:
    if token.square is None:
        return frozenset()
    left, top = token.square
    return frozenset((column, row) for column in range(left, left + token.size) for row in range(top, top + token.size))


def _reason(document: DocumentModel, blockers: list[LineBlocker]) -> str:
    return ", ".join(named_walls(document, tuple(blockers))[1])
