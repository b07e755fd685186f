"""Procedures in progress: the records of procedures and declarations, and the union of their data."""

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
    """A declared action that can still be reacted to: `procedure` waits until the declaration is resolved.

    `name` is its label, `responds_to` the declaration it reacts to, empty for the first. `reserved` is its future cost
    by resource: till then it can be spent on nothing else. `is_movement`: it resolves after every declaration that
    isn't. `rules_overridden`: it is carried out although a rule forbids it.
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
    """A workflow in progress. `kind` and `stage` name the function that continues it; `parent` waits for it."""

    table: ClassVar[str] = "procedures"

    id: str
    kind: str
    stage: str
    data: ProcedureData
    parent: str = ""
