"""Data and stages of the procedures of `play.asking`: disrupted declarations, group checks, saves that are called for."""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.encounter.procedure_state.kinds import ProcedureKind, StageName


class DisruptionCheck(msgspec.Struct, frozen=True, omit_defaults=True, tag="disruption-check"):
    """A check that a combatant who was hit has to make, or loses the action declared: of which ability, and by which feature."""

    who: str
    ability: str
    source: str = ""


class GroupCheckInProgress(msgspec.Struct, frozen=True, omit_defaults=True, tag="group-check"):
    """One ability check for a whole group, held against `dc`, 0 for nothing."""

    members: tuple[str, ...]
    check: str
    dc: int = 0


class CalledSaves(msgspec.Struct, frozen=True, omit_defaults=True, tag="saves"):
    """Saving throws that the game master calls for, held against `dc`, 0 for nothing, all with the same `edge`."""

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
