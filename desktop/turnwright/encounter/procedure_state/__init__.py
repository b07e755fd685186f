"""Procedures in progress: the records of procedures and declarations, and the union of their data."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from turnwright.encounter.prepared import NamedNumbers
from turnwright.encounter.procedure_state import (
    actions,
    asking,
    attacks,
    damage,
    effects,
    environment,
    movement,
    spawning,
    turn_order,
    turns,
)
from turnwright.encounter.procedure_state.actions import ActionInProgress, EscapeAttempt, ReactionStack
from turnwright.encounter.procedure_state.asking import DisruptionCheck, GroupCheckInProgress
from turnwright.encounter.procedure_state.attacks import AttackInProgress, MountCommand, SaveEffect
from turnwright.encounter.procedure_state.damage import (
    BleedOut,
    DamageConsequences,
    DamageRoll,
    DeathSaveRolls,
    RecoveryChecks,
    StableRecovery,
    TempHpChoice,
)
from turnwright.encounter.procedure_state.effects import (
    ConcentrationCheck,
    DecreasingConditions,
    DoomRemedy,
    LingeringConditions,
    PersistentDamage,
)
from turnwright.encounter.procedure_state.environment import CountdownOutcome, EnvironmentEffect
from turnwright.encounter.procedure_state.kinds import ProcedureKind, Stage
from turnwright.encounter.procedure_state.movement import Fall, ForcedDismount, ForcedMovement, Mounting, MoveInProgress
from turnwright.encounter.procedure_state.spawning import MaxHpQuestion
from turnwright.encounter.procedure_state.turn_order import AmbushChoice, CalledChecks, Initiative, SurpriseChecks
from turnwright.encounter.procedure_state.turns import (
    AfflictionSaves,
    EndTurnOffer,
    FlatChecks,
    LairActions,
    OffTurnAction,
    RechargeRolls,
    RefillChoice,
    Rewards,
    RoundStart,
    TieForNextTurn,
    TurnEnd,
    TurnReminders,
    TurnStart,
    TurnTrigger,
    WorldTurn,
)

ProcedureData = (
    DisruptionCheck
    | GroupCheckInProgress
    | Initiative
    | CalledChecks
    | SurpriseChecks
    | AmbushChoice
    | PersistentDamage
    | LingeringConditions
    | ConcentrationCheck
    | DoomRemedy
    | DecreasingConditions
    | MoveInProgress
    | Mounting
    | Fall
    | ForcedMovement
    | ForcedDismount
    | MaxHpQuestion
    | DamageRoll
    | TempHpChoice
    | DamageConsequences
    | DeathSaveRolls
    | RecoveryChecks
    | StableRecovery
    | BleedOut
    | CountdownOutcome
    | EnvironmentEffect
    | AttackInProgress
    | SaveEffect
    | MountCommand
    | ActionInProgress
    | ReactionStack
    | EscapeAttempt
    | RoundStart
    | WorldTurn
    | TurnEnd
    | TurnStart
    | TieForNextTurn
    | RechargeRolls
    | RefillChoice
    | TurnTrigger
    | TurnReminders
    | FlatChecks
    | AfflictionSaves
    | OffTurnAction
    | LairActions
    | Rewards
    | EndTurnOffer
)

KINDS: tuple[ProcedureKind, ...] = (
    *asking.KINDS,
    *turn_order.KINDS,
    *effects.KINDS,
    *movement.KINDS,
    *spawning.KINDS,
    *damage.KINDS,
    *environment.KINDS,
    *attacks.KINDS,
    *actions.KINDS,
    *turns.KINDS,
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

    @property
    def at(self) -> Stage:
        """The stage that goes on with this procedure."""
        return Stage(self.kind, self.stage)
