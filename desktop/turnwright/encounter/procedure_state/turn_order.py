"""Data and stages of the procedures in `play.turn_order`: initiative, called checks, surprise, ambush."""

from typing import Literal

from turnwright.encounter.prepared import NamedNumbers
from turnwright.encounter.procedure_state.kinds import ProcedureKind
from turnwright.encounter.tagged_struct import TaggedStruct


class Initiative(TaggedStruct, frozen=True):
    """Initiative of the listed combatants: first totals, then ties. `begin_rounds`: round 1 follows immediately.

    `rollers` were chosen to roll for their sides.
    """

    who: tuple[str, ...] = ()
    tied: tuple[str, ...] = ()
    begin_rounds: bool = False
    rollers: tuple[str, ...] = ()


class CalledChecks(TaggedStruct, frozen=True):
    """Ability checks that the game master calls for. With `purpose` `surprise`, the totals are also used as initiative.

    `dc` is their DC, or 0 if there is none. `task` describes their purpose, and `tags` classify it for the rules.
    `edge` is an advantage or disadvantage on all of them.
    """

    who: tuple[str, ...] = ()
    check: str = ""
    purpose: Literal["", "surprise"] = ""
    dc: int = 0
    task: str = ""
    tags: tuple[str, ...] = ()
    edge: Literal["", "advantage", "disadvantage"] = ""


class SurpriseChecks(TaggedStruct, frozen=True):
    """Surprise checks: the sneaking combatants, the others, and the totals so far."""

    sneaking: tuple[str, ...]
    others: tuple[str, ...]
    totals: NamedNumbers = ()


class AmbushChoice(TaggedStruct, frozen=True):
    """The choice of the ambushing side. It needs no data."""


Data = Initiative | CalledChecks | SurpriseChecks | AmbushChoice


INITIATIVE = ProcedureKind("initiative", "ask_rolls apply_totals assign_slots place_prepared_mounts finish")
CALLED_CHECKS = ProcedureKind("called-checks", "ask_called_check finish_called_check")
SURPRISE = ProcedureKind("surprise", "ask_which_checks ask_stealth_rolls ask_surprised apply_surprise")
AMBUSH = ProcedureKind("ambush", "ask_ambushers apply_ambush")
