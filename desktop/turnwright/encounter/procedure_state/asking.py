"""Data and stages of the procedures of `play.asking`: disrupted declarations and group checks."""

from __future__ import annotations

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


Data = DisruptionCheck | GroupCheckInProgress


class _Disrupt(ProcedureKind):
    ask_check = StageName()
    after_check = StageName()


class _GroupCheck(ProcedureKind):
    ask_roll = StageName()
    apply_result = StageName()


DISRUPT = _Disrupt("disrupt")
GROUP_CHECK = _GroupCheck("group-check")
