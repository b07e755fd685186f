"""Data and stages of the procedures of `play.turn_order`: initiative, called checks, surprise, ambush."""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.encounter.prepared import NamedNumbers
from turnwright.encounter.procedure_state.kinds import ProcedureKind, StageName


class Initiative(msgspec.Struct, frozen=True, omit_defaults=True, tag="initiative"):
    """Initiative for the combatants listed: totals, then ties among equals. `begin_rounds`: round 1 follows at once."""

    who: tuple[str, ...] = ()
    tied: tuple[str, ...] = ()
    begin_rounds: bool = False


class CalledChecks(msgspec.Struct, frozen=True, omit_defaults=True, tag="checks"):
    """Ability checks that the game master calls for; the `purpose` `surprise` lets them stand as initiative.

    `dc` is their DC, 0 for none; `task` describes what they are for, `consumed_effects` are effects that
    the rolls use up; `tags` classify the check for the rules, `edge` is an advantage or disadvantage of all.
    """

    who: tuple[str, ...] = ()
    check: str = ""
    purpose: Literal["", "surprise"] = ""
    dc: int = 0
    task: str = ""
    consumed_effects: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    edge: Literal["", "advantage", "disadvantage"] = ""


class SurpriseChecks(msgspec.Struct, frozen=True, omit_defaults=True, tag="surprise"):
    """The surprise checks: those of combatants who sneak, those of the others, and the totals so far."""

    sneaking: tuple[str, ...]
    others: tuple[str, ...]
    totals: NamedNumbers = ()


class AmbushChoice(msgspec.Struct, frozen=True, omit_defaults=True, tag="ambush-choice"):
    """The choice of the combatants who lie in ambush; it carries nothing."""


Data = Initiative | CalledChecks | SurpriseChecks | AmbushChoice


class _Initiative(ProcedureKind):
    ask_rolls = StageName()
    apply_totals = StageName()
    assign_slots = StageName()
    place_prepared_mounts = StageName()
    finish = StageName()


class _CalledChecks(ProcedureKind):
    ask_called_check = StageName()
    finish_called_check = StageName()


class _Surprise(ProcedureKind):
    ask_which_checks = StageName()
    ask_stealth_rolls = StageName()
    ask_surprised = StageName()
    apply_surprise = StageName()


class _Ambush(ProcedureKind):
    ask_ambushers = StageName()
    apply_ambush = StageName()


INITIATIVE = _Initiative("initiative")
CALLED_CHECKS = _CalledChecks("called-checks")
SURPRISE = _Surprise("surprise")
AMBUSH = _Ambush("ambush")
