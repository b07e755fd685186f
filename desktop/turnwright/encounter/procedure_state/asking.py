"""Data and stages of the procedures in `play.asking`: disruption checks, group checks, called saves."""

from __future__ import annotations

from typing import Literal

from turnwright.encounter.procedure_state.kinds import ProcedureKind, StageName
from turnwright.encounter.tagged_struct import TaggedStruct


class DisruptionCheck(TaggedStruct, frozen=True):
    """A check that a combatant must make after being hit, or else it loses its declared action.

    `source` is the feature that requires the check.
    """

    who: str
    ability: str
    source: str = ""


class GroupCheckInProgress(TaggedStruct, frozen=True):
    """A single ability check for a whole group. `dc` is its DC, or 0 if it has none."""

    members: tuple[str, ...]
    check: str
    dc: int = 0


class CalledSaves(TaggedStruct, frozen=True):
    """Saving throws that the game master calls for. `dc` is 0 if there is none, and `edge` applies to all of them."""

    who: tuple[str, ...]
    save: str
    dc: int = 0
    edge: Literal["", "advantage", "disadvantage"] = ""


Data = DisruptionCheck | GroupCheckInProgress | CalledSaves


class _Disrupt(ProcedureKind):
    ask_check = StageName()
    after_check = StageName()


class _GroupCheck(ProcedureKind):
    ask_roll = StageName()
    apply_result = StageName()


class _CalledSaves(ProcedureKind):
    ask_saves = StageName()
    finish_saves = StageName()


DISRUPT = _Disrupt("disrupt")
GROUP_CHECK = _GroupCheck("group-check")
CALLED_SAVES = _CalledSaves("called-saves")
