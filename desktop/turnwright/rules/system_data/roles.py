"""Roles that a game's conditions and house rules play for the engines, and the data that requires each role.

The engines refer to a role (`rules.role("prone")`). The table `[roles]` of each system names the condition or house
rule that plays it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Literal, get_args

if TYPE_CHECKING:
    from turnwright.rules.system_data import SystemData

ConditionRole = Literal[
    "affliction", "action-disabled", "clung-to", "commanded", "concentrating", "doomed", "dragged",
    "dying", "extra-turns", "falling", "fatigue", "fell-back", "grappled", "hearing-limited", "helped-check", "hidden",
    "incapacitated",
    "independent-mount", "invisible", "controlled-mount", "moving-through", "ongoing", "pressed", "prone", "readied",
    "restrained", "shield-lost", "sprinting", "squeezing", "stable", "strife", "surprised", "swallowed",
    "unconscious", "wounded",
]  # fmt: skip
OptionRole = Literal[
    "asks-damage-at-zero", "asks-drag-grip", "asks-for-facts", "asks-for-features", "drops-prone-any-time",
    "leaves-out-facts", "moves-for-teleports", "pushes-straight", "reminds-of-features", "rounds-halves-up",
    "silences-features", "stays-hidden", "throws-riders-adjacent",
]  # fmt: skip
RoleName = ConditionRole | OptionRole
CONDITION_ROLES: Final[tuple[ConditionRole, ...]] = get_args(ConditionRole)
OPTION_ROLES: Final[tuple[OptionRole, ...]] = get_args(OptionRole)

_Need = tuple[str, Callable[["SystemData"], object]]


def _fatigue_levels(data: SystemData) -> object:
    dying = data.dying
    levels = (dying.fall_fatigue, dying.knock_out_fatigue, dying.critical_fatigue, dying.doomed_at, dying.rest.recovers)
    return any((*levels, dying.save.worst_fatigue, dying.massive.fatigue, data.attack.block_fatigue))


_SAVES: Final[_Need] = ("dying.save", lambda data: data.dying.save.failures)
_BLEEDING: Final[_Need] = ("dying.bleeding_out", lambda data: data.dying.bleeding_out.per_level)
_RECOVERY: Final[_Need] = ("dying.recovery", lambda data: data.dying.recovery.kills)
_LED: Final[_Need] = ("movement.mount_actions", lambda data: data.movement.mount_actions)
_FALL_BACK: Final[_Need] = ("actions", lambda data: any(action.done == "fall-back" for action in data.actions))

# For each role, the data that requires it: the key, and whether the system has the data.
NEEDS: Final[Mapping[RoleName, tuple[_Need, ...]]] = {
    "commanded": (("groups.command_cost", lambda data: data.groups.command_cost),),
    "concentrating": (
        ("dying.concentration", lambda data: data.dying.concentration.ability),
        ("actions", lambda data: any(action.done == "sustain" for action in data.actions)),
    ),
    "doomed": (("dying.doomed_at", lambda data: data.dying.doomed_at),),
    "dragged": (("movement.drag_cost", lambda data: data.movement.drag_cost),),
    "dying": (_SAVES, _BLEEDING, _RECOVERY),
    "fatigue": (("dying", _fatigue_levels),),
    "fell-back": (_FALL_BACK,),
    "hidden": (("actions", lambda data: any(action.trial and action.trial.against == "hidden" for action in data.actions)),),
    "incapacitated": (("dying.concentration", lambda data: data.dying.concentration.ability),),
    "independent-mount": (_LED,),
    "controlled-mount": (_LED,),
    "pressed": (_FALL_BACK,),
    "prone": (
        ("movement.drop_cost", lambda data: data.movement.drop_cost),
        ("movement.drop_by", lambda data: data.movement.drop_by),
        ("movement.seat_ability", lambda data: data.movement.seat_ability),
    ),
    "shield-lost": (("attack.block_shield", lambda data: data.attack.block_shield),),
    "squeezing": (("movement.extra", lambda data: "squeeze" in dict(data.movement.extra)),),
    "stable": (_SAVES, _BLEEDING),
    "strife": (("dying", lambda data: data.dying.save.worst_strife or data.dying.massive.strife),),
    "surprised": (("surprise", lambda data: data.surprise.check),),
    "unconscious": (_SAVES, _BLEEDING, _RECOVERY),
    "wounded": (("dying.recovery.worse", lambda data: data.dying.recovery.worse),),
}  # fmt: skip


def missing_roles(data: SystemData) -> list[tuple[RoleName, str]]:
    """Return the roles that a system needs but doesn't name, each with the data key that requires it."""
    roles = dict(data.roles)
    return [
        (role, next(key for key, has in needs if has(data)))
        for role, needs in NEEDS.items()
        if role not in roles and any(has(data) for _, has in needs)
    ]
