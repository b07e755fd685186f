"""A token being moved: where it would come to, what that costs, and how it is put there.

Before the fight it is simply put down. In the fight the one whose turn it is travels; anybody else is shifted or put
there, whichever the person chooses.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.encounter.prepared import Point, RosterEntry
from turnwright.encounter.running import Combatant
from turnwright.play.commands import Command, Edit, Place, Shift, Travel
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.map.moves import Adviser, Freely, Way
from turnwright.ui.docks.map.tokens import Token

How = Literal["travel", "forced", "teleport", "place"]


class Carry:
    """A token on its way. `adviser` answers for the mode; `heights` is set once a person has said how high it ends."""

    def __init__(self, token: Token, adviser: Adviser, mode: str = "walk") -> None:
        self.token = token
        self.adviser = adviser
        self.mode = mode
        self.elevation: int | None = None
        self.way = Way((token.at,)) if token.at is not None else Way(())

    @property
    def at(self) -> Point | None:
        """The square it would come to."""
        return self.way.path[-1] if self.way.path else None

    @property
    def has_moved(self) -> bool:
        """Whether it would come to another square or height."""
        return len(self.way.path) > 1 or (self.token.at is None and bool(self.way.path)) or self.elevation is not None

    def bring(self, square: Point) -> bool:
        """Take the cheapest way to a square; False where it would come there already."""
        if square == self.at:
            return False
        if square == self.token.at:
            self.way = Way((square,))
        else:
            self.way = self.adviser.way_to(square)
            if not self.way.path or self.way.path[-1] != square:
                self.way = msgspec.structs.replace(self.way, path=(*self.way.path, square))
        return True

    def step(self, across: int, down: int) -> None:
        """Go one square on from where it would come to; back along the way takes the last step back."""
        here = self.at
        if here is None:
            return
        square = (here[0] + across, here[1] + down)
        path = self.way.path
        back = len(path) > 1 and square == path[-2]
        self.way = self._along(path[:-1] if back else (*path, square))

    def rise(self, feet: int) -> None:
        """End so much higher, or lower below 0."""
        self.elevation = (self.token.elevation if self.elevation is None else self.elevation) + feet
        self.way = self._along(self.way.path)

    def heights(self) -> tuple[int, ...]:
        """Return the height at each square entered: evenly from where it is to where it ends; empty for the ground's."""
        steps = len(self.way.path) - 1
        if self.elevation is None or steps < 1:
            return ()
        start = self.token.elevation
        return tuple(start + round((self.elevation - start) * step / steps) for step in range(1, steps + 1))

    def _along(self, path: tuple[Point, ...]) -> Way:
        if isinstance(self.adviser, Freely) or len(path) < 2:
            return Way(path)
        self.way = Way(path)  # heights are spread over the way that is asked about
        return self.adviser.way_along(path, self.heights())


def placed_before(bridge: Bridge, token: Token, at: Point, elevation: int | None) -> Command | None:
    """Return the command that puts a member of a roster entry down before the fight, None where it stands there."""
    entry = bridge.encounter.get(RosterEntry, token.key[1])
    if entry is None:
        return None
    positions = list(entry.positions[: entry.count])
    if token.member < len(positions):
        positions[token.member] = at
    else:
        positions.append(at)  # members are alike until the fight begins: the next one takes the place
    edited = msgspec.structs.replace(
        entry, positions=tuple(positions), elevation=entry.elevation if elevation is None else elevation
    )
    return Edit(edited) if edited != entry else None


def taken_off(bridge: Bridge, token: Token) -> Command | None:
    """Return the command that takes a member of a roster entry off the map before the fight."""
    entry = bridge.encounter.get(RosterEntry, token.key[1])
    if entry is None or token.member >= len(entry.positions):
        return None
    positions = (*entry.positions[: token.member], *entry.positions[token.member + 1 :])
    return Edit(msgspec.structs.replace(entry, positions=positions))


def command_of(carry: Carry, how: How) -> Command:
    """Return the command that brings a combatant to where it was carried."""
    who, at = carry.token.key[1], carry.at or (0, 0)
    if how == "travel":
        return Travel(who, carry.way.path[1:], carry.mode, carry.heights())
    if how == "place":
        return Place(who, position=at, elevation=carry.elevation)
    return Shift(who, at, how, carry.elevation)


def lifted(bridge: Bridge, token: Token, feet: int) -> Command | None:
    """Return the command that puts somebody so much higher where they stand."""
    if token.key[0] == Combatant.table:
        return Place(token.key[1], elevation=token.elevation + feet)
    entry = bridge.encounter.get(RosterEntry, token.key[1])
    if entry is None:
        return None
    return Edit(msgspec.structs.replace(entry, elevation=entry.elevation + feet), merge=f"map-elevation:{entry.id}")
