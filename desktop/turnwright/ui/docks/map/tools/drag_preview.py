"""A dragged token: its destination, the cost of the route, and the command to move it.

Before the fight the token is simply placed. During the fight the acting combatant moves along the route. For other
combatants the user chooses the kind of movement.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.encounter.prepared import Point, RosterEntry
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command
from turnwright.play.movement.commanded_move import MovePath
from turnwright.play.movement.forced_movement import ForceMove
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.state.position_changes import SetPosition
from turnwright.ui.docks.map.drawing.tokens import Token
from turnwright.ui.docks.map.tools.move_preview import FreeMove, MoveRules, PreviewedRoute
from turnwright.ui.services.document_model import DocumentModel

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
        return (
            len(self.route.path) > 1
            or (self.token.square is None and bool(self.route.path))
            or self.elevation is not None
        )

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
        end = self.square
        if end is None:
            return
        square = (end[0] + across, end[1] + down)
        path = self.route.path
        back = len(path) > 1 and square == path[-2]
        self.route = self._along(path[:-1] if back else (*path, square))

    def raise_by(self, feet: int) -> None:
        """Raise the elevation at the end of the route, or lower it if `feet` is negative."""
        self.elevation = (self.token.elevation if self.elevation is None else self.elevation) + feet
        self.route = self._along(self.route.path)

    def heights(self) -> tuple[int, ...]:
        """Return the height at each square of the route, changing evenly, or nothing if the height is unchanged."""
        steps = len(self.route.path) - 1
        if self.elevation is None or steps < 1:
            return ()
        start = self.token.elevation
        return tuple(start + round((self.elevation - start) * step / steps) for step in range(1, steps + 1))

    def _along(self, path: tuple[Point, ...]) -> PreviewedRoute:
        if isinstance(self.move_rules, FreeMove) or len(path) < 2:
            return PreviewedRoute(path)
        self.route = PreviewedRoute(path)  # set first, because `heights` spreads the change over this route
        return self.move_rules.route_along(path, self.heights())


def placement_command(document: DocumentModel, token: Token, at: Point, elevation: int | None) -> Command | None:
    """Return the command that places a roster entry's member before the fight, or None if it is already there."""
    entry = document.encounter.get(RosterEntry, token.key[1])
    if entry is None:
        return None
    positions = list(entry.positions[: entry.count])
    if token.member < len(positions):
        positions[token.member] = at
    else:
        positions.append(at)  # members are alike before the fight, so place the next one
    edited = msgspec.structs.replace(
        entry, positions=tuple(positions), elevation=entry.elevation if elevation is None else elevation
    )
    return Edit(edited) if edited != entry else None


def removal_command(document: DocumentModel, token: Token) -> Command | None:
    """Return the command that removes a roster entry's member from the map before the fight, or None if not placed."""
    entry = document.encounter.get(RosterEntry, token.key[1])
    if entry is None or token.member >= len(entry.positions):
        return None
    positions = (*entry.positions[: token.member], *entry.positions[token.member + 1 :])
    return Edit(msgspec.structs.replace(entry, positions=positions))


def move_command(drag: DragPreview, kind: MoveKind) -> Command:
    """Return the command that moves a combatant to the end of its route."""
    who, at = drag.token.key[1], drag.square or (0, 0)
    if kind == "travel":
        return MovePath(who, drag.route.path[1:], drag.mode, drag.heights())
    if kind == "put":
        return SetPosition(who, position=at, elevation=drag.elevation)
    return ForceMove(who, at, kind, drag.elevation)


def elevation_command(document: DocumentModel, token: Token, feet: int) -> Command | None:
    """Return the command that raises a token on its square."""
    if token.key[0] == Combatant.table:
        return SetPosition(token.key[1], elevation=token.elevation + feet)
    entry = document.encounter.get(RosterEntry, token.key[1])
    if entry is None:
        return None
    return Edit(msgspec.structs.replace(entry, elevation=entry.elevation + feet), merge=f"map-elevation:{entry.id}")
