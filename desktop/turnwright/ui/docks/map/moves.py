"""What a move would come to, asked of the engine once as it begins and from then on only looked up.

`Adviser` is all that the map knows of moving: before the fight nobody pays for a step, in it the rules say what one costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from turnwright.battlemap.paths import Reach, reachable
from turnwright.encounter.prepared import Point
from turnwright.encounter.running import Combatant
from turnwright.play.commands import Travel
from turnwright.play.inquiries import movement_of
from turnwright.play.movement_inquiries import Route, reach_of_move, route, route_along
from turnwright.rules.figures import Figure
from turnwright.rules.parts.entries import entries
from turnwright.ui.bridge import Bridge
from turnwright.ui.say import say

FARTHEST = 24  # squares of plain ground that ways are looked up for; farther ones are sought one by one


class Way(msgspec.Struct, frozen=True):
    """A way from a square to another, both included. `feet` it costs and `left` after it, None where nobody knows.

    `refused` says in words why it can't be done, by `rule`; `provokes` whom it gives a blow, and on leaving which square.
    `cost` are the feet with their reasons.
    """

    path: tuple[Point, ...]
    feet: int | None = None
    left: int | None = None
    refused: str = ""
    provokes: tuple[tuple[Point, str], ...] = ()
    rule: str = ""
    cost: Figure | None = None

    @property
    def end(self) -> Point:
        """The square it leads to."""
        return self.path[-1]


class Range(msgspec.Struct, frozen=True):
    """The squares one gets to with what is left, and those that a dash would lead to besides."""

    near: frozenset[Point] = frozenset()
    far: frozenset[Point] = frozenset()


class Adviser(Protocol):
    """Answers for one mover and one mode of movement, as things stood when it was made."""

    def range(self) -> Range:
        """Return where the mover gets to."""

    def way_to(self, square: Point) -> Way:
        """Return the cheapest way to a square."""

    def way_along(self, path: Sequence[Point], heights: Sequence[int] = ()) -> Way:
        """Return what a given way comes to; it begins where the mover stands."""


class Freely:
    """Before the fight, or by a person's word: everyone may stand anywhere, and nothing is paid."""

    def __init__(self, start: Point | None) -> None:
        self._start = start

    def range(self) -> Range:
        """Return nothing: no square is out of reach."""
        return Range()

    def way_to(self, square: Point) -> Way:
        """Return a step straight there."""
        return self.way_along((self._start, square) if self._start is not None else (square,))

    def way_along(self, path: Sequence[Point], heights: Sequence[int] = ()) -> Way:
        """Return the way as it is."""
        return Way(tuple(path))


class ByTheRules:
    """In the fight: what the engine says. The geometry is worked out once, when it is first asked for."""

    def __init__(self, bridge: Bridge, who: str, mode: str) -> None:
        self._bridge = bridge
        self._lookup = bridge.encounter
        self._who = who
        self._mode = mode
        self._known: dict[Point, Way] = {}
        combatant = self._lookup.need(Combatant, who)
        self._start = combatant.position or (0, 0)
        self._range: Range | None = None
        self._reach: Reach | None = None

    def range(self) -> Range:
        """Return where the mover gets to, and where with a dash."""
        if self._range is None:
            found = reach_of_move(self._lookup, self._bridge.rules, self._who, self._mode)
            near = frozenset(square for square, feet in found.squares if feet <= found.left)
            self._range = Range(near, frozenset(square for square, _ in found.squares) - near)
        return self._range

    def way_to(self, square: Point) -> Way:
        """Return the cheapest way to a square; where none leads, a step straight there with the reason."""
        known = self._known.get(square)
        if known is None:
            known = self._known[square] = self._way_to(square)
        return known

    def way_along(self, path: Sequence[Point], heights: Sequence[int] = ()) -> Way:
        """Return what a given way costs and provokes."""
        entered = tuple(path[1:])
        found = route_along(self._lookup, self._bridge.rules, Travel(self._who, entered, self._mode, tuple(heights)))
        return self._told(found)

    def _way_to(self, square: Point) -> Way:
        reach = self._reached()
        path = reach.path_to(square) if reach is not None else None
        if path is not None:
            return self.way_along(path)
        found = route(self._lookup, self._bridge.rules, self._who, square, self._mode)
        if found is None:
            return Way((self._start, square), refused=say("ui.map.no-way"))
        return self._told(found)

    def _reached(self) -> Reach | None:
        if self._reach is None:
            ground = entries(self._lookup, self._bridge.rules, self._who, self._mode)
            if ground is not None:
                budget = FARTHEST * ground.grid.cell
                self._reach = reachable(ground.grid, ground.space, ground.entry, budget, diagonals=ground.diagonals)
        return self._reach

    def _told(self, found: Route) -> Way:
        path = (self._start, *found.path)
        lookup = self._lookup
        provokes = tuple((path[index], lookup.need(Combatant, who).label) for index, who in found.provokes)
        veto = found.vetoes[0] if found.vetoes else None
        refused = self._bridge.speech.say(veto.reason, **dict(veto.params)) if veto is not None else ""
        rule = veto.rule if veto is not None else ""
        return Way(path, found.cost.total, found.after, refused, provokes, rule, found.cost)


def modes_of(bridge: Bridge, who: str) -> list[str]:
    """Return the modes by which somebody moves, in the system's order."""
    return [one.mode for one in movement_of(bridge.encounter, bridge.rules, who)] or ["walk"]
