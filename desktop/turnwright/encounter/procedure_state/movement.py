"""Data and stages of the procedures in `play.movement`: moves, mounting, forced movement, falls."""

from __future__ import annotations

from typing import Literal

from turnwright.dice.expression import Modifier
from turnwright.encounter.prepared import Point
from turnwright.encounter.procedure_state.kinds import ProcedureKind, StageName
from turnwright.encounter.tagged_struct import CombatantData, TaggedStruct


class MoveInProgress(CombatantData, frozen=True):
    """A move in progress: its mode, the squares (or feet) still to enter, and the reactions already offered.

    `elevations` belong to the squares in `path`. Without a grid, `leaves_reach_of` are combatants whose reach is left,
    `feet_up` is the height gained, `cost` the planned cost, and `ground` the ground crossed. `start` is the first
    square, and `squares_entered` the number of squares entered. `unreported_cost` and `unreported_cost_parts` are the
    cost of the squares that haven't been reported yet.

    `opportunity_attacks` still have to be made: attacker, target and weapon. `free`: the move costs nothing, and
    effects that stop a walk don't stop it. `rules_overridden`: the move continues although a rule forbids it.
    `relations_kept` are combatants whose relation to the mover doesn't change. `relations_cleared` are those whose
    relation is now unknown, which hasn't been reported yet. `body` is the combatant that carries out the move: `who`,
    or its mount. `disrupted`: a reaction has ended it.
    """

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
    body: str = ""
    disrupted: bool = False


class Mounting(TaggedStruct, frozen=True):
    """A combatant mounting another. `controlled`: the mount will obey its rider."""

    rider: str
    mount: str
    controlled: bool = True


class Fall(CombatantData, frozen=True):
    """A combatant falling a number of feet. `rule` is the rule for the fall."""

    rule: str = ""
    feet: int = 0


class ForcedMovement(TaggedStruct, frozen=True):
    """A push or another forced move by `source`. `who` is being moved, and `remaining` still have to be moved.

    `away_from` is the combatant who pushes, or empty.
    """

    how: Literal["pushed", "pulled", "shifted", "moved"]
    feet: int
    remaining: tuple[str, ...] = ()
    who: str = ""
    source: str = ""
    rule: str = ""
    away_from: str = ""


class ForcedDismount(TaggedStruct, frozen=True):
    """A rider who may land next to its mount. `rule` is the rule for it. `ends_prone`: the rider lands prone."""

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
