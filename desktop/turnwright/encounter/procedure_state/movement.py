"""Data of moves and mounting in progress."""

from __future__ import annotations

import msgspec

from turnwright.dice.roll import Modifier
from turnwright.encounter.prepared import Point


class MoveInProgress(msgspec.Struct, frozen=True, omit_defaults=True, tag="journey"):
    """A move in progress: squares (or feet, without a grid) still to enter, its mode, reactions offered here.

    `elevations` go with `path`; `leaves_reach_of` are those whose reach a move without a grid leaves, `feet_up` the
    feet it rises, `cost` what it is to cost, and `ground` the ground underfoot. `start` is the square it began on,
    `squares_entered` counts squares, `unreported_cost` and `unreported_cost_parts` are the price of those not yet
    reported. `opportunity_attacks` are those still to be made: attacker, target, weapon. `free`: nothing is paid, and
    what stops a walker doesn't stop it; `rules_overridden`: the move goes on although a rule forbids it.
    `relations_kept` are those to whom the mover's relation stays, `relations_cleared` those to whom it is open now, not
    yet reported.
    """

    who: str
    path: tuple[Point, ...] = ()
    elevations: tuple[int, ...] = ()
    mode: str = "walk"
    dragged: str = ""
    feet: int = 0
    leaves_reach_of: tuple[str, ...] = ()
    reactions_offered: tuple[str, ...] = ()
    squares_entered: int = 0
    feet_up: int = 0
    cost: int = 0
    ground: str = ""
    unreported_cost: int = 0
    unreported_cost_parts: tuple[Modifier, ...] = ()
    opportunity_attacks: tuple[tuple[str, str, str], ...] = ()
    start: Point | None = None
    free: bool = False
    rules_overridden: bool = False
    relations_kept: tuple[str, ...] = ()
    relations_cleared: tuple[str, ...] = ()


class Mounting(msgspec.Struct, frozen=True, omit_defaults=True, tag="mounting"):
    """A combatant mounting another; `controlled`: the mount is going to obey."""

    rider: str
    mount: str
    controlled: bool = True
