"""What is under way and waits for a decision: procedures with their stage and data, and prompts with their asks."""

from __future__ import annotations

import msgspec

from turnwright.dice.roll import Modifier
from turnwright.encounter.prepared import Point


class MoveInProgress(msgspec.Struct, frozen=True, omit_defaults=True, tag="journey"):
    """A move under way: squares still to enter (or feet, without a grid), how, and who has been offered a blow here.

    `heights` go with `path`; `leaves` are those whose reach a move without a grid leaves, `up` the feet it rises,
    `movement_cost` what it is to cost, and `through` the ground underfoot. `next_combatant` is the square it began on, `done` is how many squares were entered, `spent` and
    `why` the price of those not yet told of. `blows` are those to be struck: who, at whom, with what. `free`: nothing is
    paid, and what stops a walker doesn't stop it; `insisted`: somebody moves on although a rule forbids it. `keeps`
    are those to whom the mover stands as before, `parted` those of whom that is open now, not yet told of.
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
    """Somebody getting onto another; `controlled`: it is going to obey."""

    rider: str
    mount: str
    controlled: bool = True
