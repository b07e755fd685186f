"""Previews of moves: the engine is asked once when a move begins, and the result is looked up from then on.

`MoveRules` is all that the map knows of moving: before the fight moves are free, in the fight the rules set costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from turnwright.battlemap.paths import Reach, reachable
from turnwright.encounter.prepared import Point
from turnwright.encounter.running import Combatant
from turnwright.play.movement.commands.move_path import MovePath
from turnwright.play.movement.preview import Route, cheapest_route, preview_route, reachable_squares
from turnwright.play.queries.queries import movement_of
from turnwright.rules.explained_number import ExplainedNumber
from turnwright.rules.parts.movement.movement_grid import movement_grid
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.translations import tr

MAX_FEET = 24  # squares of plain ground within which routes are found at once; farther routes one by one


class PreviewedRoute(msgspec.Struct, frozen=True):
    """A route between squares, both included. `feet` it costs and `feet_left` after it, None where they are unknown.

    `refusal` is why it is refused, by `rule`. `provokes` are the squares left and the combatants that get an
    opportunity attack there. `cost` explains the feet.
    """

    path: tuple[Point, ...]
    feet: int | None = None
    feet_left: int | None = None
    refusal: str = ""
    provokes: tuple[tuple[Point, str], ...] = ()
    rule: str = ""
    cost: ExplainedNumber | None = None

    @property
    def end(self) -> Point:
        """The last square."""
        return self.path[-1]


class MoveRange(msgspec.Struct, frozen=True):
    """The squares within the movement left, and the further squares within a dash."""

    reachable: frozenset[Point] = frozenset()
    reachable_by_dash: frozenset[Point] = frozenset()


class MoveRules(Protocol):
    """The rules of moving for a mover and a mode of movement, as of their creation."""

    def move_range(self) -> MoveRange:
        """Return the squares in range."""

    def route_to(self, square: Point) -> PreviewedRoute:
        """Return the cheapest route to a square."""

    def route_along(self, path: Sequence[Point], heights: Sequence[int] = ()) -> PreviewedRoute:
        """Return the preview of a given route; it begins at the mover's square."""


class FreeMove:
    """Moves before the fight, or by ruling: to any square, without cost."""

    def __init__(self, start: Point | None) -> None:
        self._start = start

    def move_range(self) -> MoveRange:
        """Return an empty range: no square is out of reach."""
        return MoveRange()

    def route_to(self, square: Point) -> PreviewedRoute:
        """Return a direct step to a square."""
        return self.route_along((self._start, square) if self._start is not None else (square,))

    def route_along(self, path: Sequence[Point], heights: Sequence[int] = ()) -> PreviewedRoute:
        """Return the given route."""
        return PreviewedRoute(tuple(path))


class RulesMove:
    """Moves in the fight, by the engine's rules. The geometry is calculated once, on first use."""

    def __init__(self, document: DocumentModel, who: str, mode: str) -> None:
        self._document = document
        self._lookup = document.encounter
        self._who = who
        self._mode = mode
        self._known: dict[Point, PreviewedRoute] = {}
        combatant = self._lookup.need(Combatant, who)
        self._start = combatant.position or (0, 0)
        self._range: MoveRange | None = None
        self._reach: Reach | None = None

    def move_range(self) -> MoveRange:
        """Return the squares in range, and in range of a dash."""
        if self._range is None:
            found = reachable_squares(self._lookup, self._document.rules, self._who, self._mode)
            near = frozenset(square for square, feet in found.squares if feet <= found.left)
            self._range = MoveRange(near, frozenset(square for square, _ in found.squares) - near)
        return self._range

    def route_to(self, square: Point) -> PreviewedRoute:
        """Return the cheapest route to a square; where there is none, a direct step with the refusal."""
        known = self._known.get(square)
        if known is None:
            known = self._known[square] = self._way_to(square)
        return known

    def route_along(self, path: Sequence[Point], heights: Sequence[int] = ()) -> PreviewedRoute:
        """Return the cost of a given route, and the opportunity attacks that it provokes."""
        entered = tuple(path[1:])
        found = preview_route(
            self._lookup, self._document.rules, MovePath(self._who, entered, self._mode, tuple(heights))
        )
        return self._with_words(found)

    def _way_to(self, square: Point) -> PreviewedRoute:
        reach = self._reached()
        path = reach.path_to(square) if reach is not None else None
        if path is not None:
            return self.route_along(path)
        found = cheapest_route(self._lookup, self._document.rules, self._who, square, self._mode)
        if found is None:
            return PreviewedRoute((self._start, square), refusal=tr("ui.map.no-route"))
        return self._with_words(found)

    def _reached(self) -> Reach | None:
        if self._reach is None:
            ground = movement_grid(self._lookup, self._document.rules, self._who, self._mode)
            if ground is not None:
                budget = MAX_FEET * ground.grid.cell
                self._reach = reachable(
                    ground.grid, ground.space, ground.entry_cost, budget, diagonals=ground.diagonals
                )
        return self._reach

    def _with_words(self, found: Route) -> PreviewedRoute:
        path = (self._start, *found.path)
        lookup = self._lookup
        provokes = tuple((path[index], lookup.need(Combatant, who).label) for index, who in found.provokes)
        veto = found.vetoes[0] if found.vetoes else None
        refused = self._document.phrasebook.text(veto.reason, **dict(veto.params)) if veto is not None else ""
        rule = veto.rule if veto is not None else ""
        return PreviewedRoute(path, found.cost.total, found.left_after, refused, provokes, rule, found.cost)


def movement_modes(document: DocumentModel, who: str) -> list[str]:
    """Return a combatant's modes of movement, in the system's order."""
    return [one.mode for one in movement_of(document.encounter, document.rules, who)] or ["walk"]
