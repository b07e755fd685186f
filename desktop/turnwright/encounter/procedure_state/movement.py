"""Data and stages of the procedures of `play.movement`: moves, mounting, forced movement, falls."""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.dice.roll import Modifier
from turnwright.encounter.prepared import Point
from turnwright.encounter.procedure_state.kinds import ProcedureKind, StageName


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


class Fall(msgspec.Struct, frozen=True, omit_defaults=True, tag="fall"):
    """A combatant falling so many feet, by the rule `rule`."""

    who: str
    rule: str = ""
    feet: int = 0


class ForcedMovement(msgspec.Struct, frozen=True, omit_defaults=True, tag="forced-movement"):
    """Combatants pushed or moved by `source`: the combatant being moved (`who`), and those still to move (`remaining`).

    `away_from` is the combatant who pushes; empty where nobody does.
    """

    how: Literal["pushed", "moved"]
    feet: int
    remaining: tuple[str, ...] = ()
    who: str = ""
    source: str = ""
    rule: str = ""
    away_from: str = ""


class ForcedDismount(msgspec.Struct, frozen=True, omit_defaults=True, tag="forced-dismount"):
    """A rider who may come down beside its mount, by the rule `rule`; `ends_prone`: it lands prone."""

    rider: str
    rule: str = ""
    ends_prone: bool = False


Data = MoveInProgress | Mounting | Fall | ForcedMovement | ForcedDismount


class _Move(ProcedureKind):
    ask_break_grapple = StageName()
    after_break_grapple = StageName()
    ask_drag_grip = StageName()
    after_drag_grip = StageName()
    step = StageName()
    after_opportunities = StageName()


class _DeclaredMove(ProcedureKind):
    start = StageName()
    ask_path = StageName()
    resolve = StageName()


class _Mount(ProcedureKind):
    ask_capacity = StageName()
    mount_rider = StageName()


class _ForcedMovement(ProcedureKind):
    next_target = StageName()
    move_target = StageName()


class _Fall(ProcedureKind):
    start = StageName()
    land = StageName()
    land_with_damage = StageName()


class _StaySeated(ProcedureKind):
    ask_stay_seated = StageName()
    after_seat_save = StageName()
    land_beside = StageName()


class _ThrownRider(ProcedureKind):
    ask_landing = StageName()
    after_landing = StageName()
    land_beside = StageName()


MOVE = _Move("move")
DECLARED_MOVE = _DeclaredMove("declared-move")
MOUNT = _Mount("mount")
FORCED_MOVEMENT = _ForcedMovement("forced-movement")
FALL = _Fall("fall")
STAY_SEATED = _StaySeated("stay-seated")
THROWN_RIDER = _ThrownRider("thrown-rider")
