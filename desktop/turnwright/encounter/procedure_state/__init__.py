"""What is under way and waits for a decision: procedures with their data, and prompts with their asks."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from turnwright.encounter.pending import Watch
from turnwright.encounter.prepared import NamedNumbers
from turnwright.encounter.procedure_state.actions import ActionInProgress
from turnwright.encounter.procedure_state.attacks import AttackInProgress, MountCommand, SaveEffect
from turnwright.encounter.procedure_state.damage import DamageConsequences, DamageRoll, TempHpChoice
from turnwright.encounter.procedure_state.environment import CountdownOutcome, EnvironmentEffect
from turnwright.encounter.procedure_state.movement import Mounting, MoveInProgress
from turnwright.encounter.procedure_state.turn_order import CalledChecks, Initiative, SurpriseChecks
from turnwright.encounter.procedure_state.turns import RoundStart, TurnEnd, TurnStart, WorldTurn

ProcedureData = (
    AttackInProgress
    | SaveEffect
    | MoveInProgress
    | Mounting
    | MountCommand
    | DamageConsequences
    | ActionInProgress
    | Watch
    | Initiative
    | CalledChecks
    | SurpriseChecks
    | RoundStart
    | WorldTurn
    | CountdownOutcome
    | EnvironmentEffect
    | DamageRoll
    | TurnEnd
    | TurnStart
    | TempHpChoice
)


class Declaration(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something announced that others may still answer: `procedure` waits until it is its turn to be done.

    `ask_check` is what it is called, `answers` the announcement that it answers, empty for the one that began it. `reserved`
    is what it is going to cost, by resource: till then it can be spent on nothing else. `moves`: it waits for all that
    doesn't. `insisted`: it is done although a rule forbids it.
    """

    table: ClassVar[str] = "announcements"

    id: str
    who: str
    procedure: str
    name: str
    responds_to: str = ""
    reserved: NamedNumbers = ()
    targets: tuple[str, ...] = ()
    is_movement: bool = False
    rules_overridden: bool = False


class Procedure(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something under way. `kind` and `stage` name the function that goes on with it; `parent` waits for it."""

    table: ClassVar[str] = "procedures"

    id: str
    kind: str
    stage: str
    data: ProcedureData
    parent: str = ""
