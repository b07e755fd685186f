"""Data and stages of the procedures in `play.movement`: moves, mounting, forced movement, falls."""

from typing import Literal

from turnwright.dice.expression import Modifier
from turnwright.encounter.prepared import Point
from turnwright.encounter.procedure_state.kinds import ProcedureKind
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


MOVE = ProcedureKind(
    "move", "ask_break_grapple after_break_grapple ask_drag_grip after_drag_grip step after_opportunities"
)
DECLARED_MOVE = ProcedureKind("declared-move", "start ask_path resolve")
MOUNT = ProcedureKind("mount", "ask_capacity mount_rider")
FORCED_MOVEMENT = ProcedureKind("forced-movement", "next_target move_target")
FALL = ProcedureKind("fall", "start land land_with_damage")
STAY_SEATED = ProcedureKind("stay-seated", "ask_stay_seated after_seat_save land_beside")
THROWN_RIDER = ProcedureKind("thrown-rider", "ask_landing after_landing land_beside")
