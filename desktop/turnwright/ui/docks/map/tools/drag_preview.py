"""A dragged token: its destination, the cost of the route, and the command to move it.

Before the fight the token is simply placed, and moves are free. During the fight the acting combatant moves along the
route. For other combatants the user chooses the kind of movement. The engine
computes the range once when a move begins; later results are cached.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec

from turnwright.battlemap.paths import Reach, reachable
from turnwright.encounter.prepared import OFF_MAP, Point, RosterEntry
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.transaction import Command
from turnwright.play.movement.commanded_move import MovePath, Route, cheapest_route, preview_route, reachable_squares
from turnwright.play.movement.forced_movement import ForceMove
from turnwright.play.queries.queries import movement_of
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.state.position_changes import SetPosition
from turnwright.rules.parts.movement.movement_grid import movement_grid
from turnwright.rules.parts.movement.routes import route_veto
from turnwright.rules.system import ExplainedNumber
from turnwright.ui.docks.map.drawing.token_pixmaps import Token
from turnwright.ui.look.style import tr
from turnwright.ui.services.document_model import DocumentModel

MAX_FEET = 24  # in squares of plain ground; routes within it are found together, longer ones one by one


class PreviewedRoute(msgspec.Struct, frozen=True):
    """A route between squares, both included. `feet` is its cost and `feet_left` the movement left, or None if unknown.

    `refusal` is the reason why the route isn't allowed, and `rule` the rule behind it. `provokes` lists the squares at
    which the move provokes opportunity attacks, each with the attacker. `cost` explains `feet`.
    """

    path: tuple[Point, ...]
    feet: int | None = None
    feet_left: int | None = None
    refusal: str = ""
    provokes: tuple[tuple[Point, str], ...] = ()
    rule: str = ""
    cost: ExplainedNumber | None = None


class MoveRange(msgspec.Struct, frozen=True):
    """The squares in range of the remaining movement, and the additional squares in range of a dash."""

    reachable: frozenset[Point] = frozenset()
    reachable_by_dash: frozenset[Point] = frozenset()


class MoveRules:
    """The rules of moves before the fight or by ruling: to any square, at no cost."""

    def __init__(self, start: Point | None) -> None:
        self._start = start

    def route_to(self, square: Point) -> PreviewedRoute:
        """Return a direct step to a square."""
        return self.route_along((self._start, square) if self._start is not None else (square,))

    def route_along(self, path: Sequence[Point], heights: Sequence[int] = ()) -> PreviewedRoute:
        """Return the given route."""
        return PreviewedRoute(tuple(path))


class FightMoveRules(MoveRules):
    """The rule system's rules for one combatant and movement mode. The geometry is computed once, on first use."""

    def __init__(self, document: DocumentModel, who: str, mode: str) -> None:
        self._document = document
        self._lookup = document.encounter
        self._who = who
        self._mode = mode
        self._known: dict[Point, PreviewedRoute] = {}
        self._start: Point = self._lookup.need(Combatant, who).position or (0, 0)
        self._range: MoveRange | None = None
        self._reach: Reach | None = None

    def move_range(self) -> MoveRange:
        """Return the squares in range of the remaining movement and in range of a dash."""
        if self._range is None:
            squares = reachable_squares(self._lookup, self._document.rules, self._who, self._mode)
            near = frozenset(square for square, feet in squares.squares if feet <= squares.left)
            self._range = MoveRange(near, frozenset(square for square, _ in squares.squares) - near)
        return self._range

    def route_to(self, square: Point) -> PreviewedRoute:
        """Return the cheapest route to a square, or a direct step with a refusal if there is none."""
        if (route := self._known.get(square)) is None:
            route = self._known[square] = self._way_to(square)
        return route

    def route_along(self, path: Sequence[Point], heights: Sequence[int] = ()) -> PreviewedRoute:
        """Return the cost of a given route and the opportunity attacks it provokes."""
        command = MovePath(self._who, tuple(path[1:]), _mode_along(path, self._mode), tuple(heights))
        return self._with_words(preview_route(self._lookup, self._document.rules, command))

    def _way_to(self, square: Point) -> PreviewedRoute:
        reach = self._reached()
        path = reach.path_to(square) if reach is not None else None
        if path is not None:
            return self.route_along(path)
        route = cheapest_route(self._lookup, self._document.rules, self._who, square, self._mode)
        if route is None:
            veto = route_veto(self._lookup, self._document.rules, self._who, square, self._mode)
            why = self._document.phrasebook.text(veto.reason, **dict(veto.params)) if veto is not None else ""
            return PreviewedRoute((self._start, square), refusal=why or tr("ui.map.no-route"))
        return self._with_words(route)

    def _reached(self) -> Reach | None:
        if self._reach is None:
            ground = movement_grid(self._lookup, self._document.rules, self._who, self._mode)
            if ground is not None:
                budget = MAX_FEET * ground.grid.cell
                step_cost, diagonals = ground.entry_cost, ground.diagonals
                self._reach = reachable(ground.grid, ground.space, step_cost, budget, diagonals=diagonals)
        return self._reach

    def _with_words(self, route: Route) -> PreviewedRoute:
        path = (self._start, *route.path)
        lookup = self._lookup
        provokes = tuple((path[index], lookup.need(Combatant, who).label) for index, who in route.provokes)
        veto = route.vetoes[0] if route.vetoes else None
        refused = self._document.phrasebook.text(veto.reason, **dict(veto.params)) if veto is not None else ""
        rule = veto.rule if veto is not None else ""
        return PreviewedRoute(path, route.cost.total, route.left_after, refused, provokes, rule, route.cost)


def _is_upright(path: Sequence[Point]) -> bool:
    """Whether a route stays in its first square, so that only its height can change."""
    return bool(path) and len(path) < 3 and path[0] == path[-1]


def _mode_along(path: Sequence[Point], mode: str) -> str:
    """Return the mode of a move along a route. Straight up or down, a walker has to fly."""
    return "fly" if mode == "walk" and _is_upright(path) else mode


def movement_modes(document: DocumentModel, who: str) -> list[str]:
    """Return a combatant's movement modes in the rule system's order."""
    return [movement.mode for movement in movement_of(document.encounter, document.rules, who)] or ["walk"]


MoveKind = Literal["travel", "forced", "teleport", "put"]


class DragPreview:
    """A dragged token and its route. `move_rules` find the route; `elevation` is None until the user changes it."""

    def __init__(self, token: Token, move_rules: MoveRules, mode: str = "walk") -> None:
        self.token = token
        self.move_rules = move_rules
        self.mode = mode
        self.elevation: int | None = None
        self.route = PreviewedRoute((token.square,)) if token.square is not None else PreviewedRoute(())

    @property
    def square(self) -> Point | None:
        """The square at the end of the route."""
        return self.route.path[-1] if self.route.path else None

    @property
    def has_moved(self) -> bool:
        """Whether the route leads to another square or elevation."""
        is_placed = self.token.square is None and bool(self.route.path)
        return len(self.route.path) > 1 or is_placed or self.elevation is not None

    def move_to(self, square: Point) -> bool:
        """Set the cheapest route to a square. Return False if the route already ends there."""
        if square == self.square:
            return False
        if square == self.token.square:
            self.route = PreviewedRoute((square,))
        else:
            self.route = self.move_rules.route_to(square)
            if not self.route.path or self.route.path[-1] != square:
                self.route = msgspec.structs.replace(self.route, path=(*self.route.path, square))
        return True

    def step(self, across: int, down: int) -> None:
        """Extend the route by one square. A step back along the route removes the last square."""
        if (end := self.square) is None:
            return
        square = (end[0] + across, end[1] + down)
        path = self.route.path[:1] if _is_upright(self.route.path) else self.route.path
        back = len(path) > 1 and square == path[-2]
        self.route = self._along(path[:-1] if back else (*path, square))

    def raise_by(self, feet: int) -> None:
        """Raise the elevation at the end of the route, or lower it if `feet` is negative."""
        elevation = (self.token.elevation if self.elevation is None else self.elevation) + feet
        self.elevation = elevation if elevation != self.token.elevation else None
        path = self.route.path
        if _is_upright(path):  # straight up or down
            path = path[:1] * (1 if self.elevation is None else 2)
        self.route = self._along(path)

    def heights(self) -> tuple[int, ...]:
        """Return the height at each square of the route, changing evenly, or nothing if the height is unchanged."""
        steps = len(self.route.path) - 1
        if self.elevation is None or steps < 1:
            return ()
        start = self.token.elevation
        return tuple(start + round((self.elevation - start) * step / steps) for step in range(1, steps + 1))

    def _along(self, path: tuple[Point, ...]) -> PreviewedRoute:
        if not isinstance(self.move_rules, FightMoveRules) or len(path) < 2:
            return PreviewedRoute(path)
        self.route = PreviewedRoute(path)  # set first, because `heights` spreads the change over this route
        return self.move_rules.route_along(path, self.heights())


def placement_command(document: DocumentModel, token: Token, at: Point, elevation: int | None) -> Command | None:
    """Return the command that places a token, or None if it is already there."""
    if token.key[0] == Combatant.table:
        return SetPosition(token.key[1], position=at, elevation=elevation)
    if (entry := document.encounter.get(RosterEntry, token.key[1])) is None:
        return None
    height = entry.elevation if elevation is None else elevation
    edited = msgspec.structs.replace(entry, positions=_positions_with(entry, token.member, at), elevation=height)
    return Edit(edited) if edited != entry else None


def removal_command(document: DocumentModel, token: Token) -> Command | None:
    """Return the command that takes a token off the map, or None if it isn't placed."""
    if token.key[0] == Combatant.table and token.square is not None:
        return SetPosition(token.key[1], position=OFF_MAP)
    entry = document.encounter.get(RosterEntry, token.key[1])
    if entry is None or entry.square_of(token.member) is None:
        return None
    return Edit(msgspec.structs.replace(entry, positions=_positions_with(entry, token.member, OFF_MAP)))


def _positions_with(entry: RosterEntry, member: int, at: Point) -> tuple[Point, ...]:
    """Return an entry's positions with the square of one member changed, so that the others keep theirs."""
    positions = [*entry.positions, *[OFF_MAP] * entry.count][: entry.count]
    positions[member] = at
    while positions and positions[-1] == OFF_MAP:
        positions.pop()
    return tuple(positions)


def move_command(document: DocumentModel, drag: DragPreview, kind: MoveKind) -> Command | None:
    """Return the command that moves a token to the end of its route, or None if it is already there."""
    who, at = drag.token.key[1], drag.square or (0, 0)
    if kind == "put" or drag.token.square is None or drag.token.key[0] != Combatant.table:
        return placement_command(document, drag.token, at, drag.elevation)
    if kind == "travel":
        return MovePath(who, drag.route.path[1:], _mode_along(drag.route.path, drag.mode), drag.heights())
    return ForceMove(who, at, kind, drag.elevation)


def elevation_command(document: DocumentModel, token: Token, feet: int) -> Command | None:
    """Return the command that raises a token on its square."""
    if token.key[0] == Combatant.table:
        return SetPosition(token.key[1], elevation=token.elevation + feet)
    if (entry := document.encounter.get(RosterEntry, token.key[1])) is None:
        return None
    return Edit(msgspec.structs.replace(entry, elevation=entry.elevation + feet), merge=f"map-elevation:{entry.id}")
