"""What someone wants: one frozen record a command, imperative. Handlers carry them out; nothing here acts.

Ids are those of records. A command that names several targets acts on all or none.
"""

from __future__ import annotations

from turnwright.play.commands.base import Command, Purpose, Share
from turnwright.play.commands.course import (
    AdvanceSetup,
    CallForChecks,
    EndEncounter,
    EndTurn,
    GoToTurn,
    JoinTurn,
    MarkOpener,
    MarkSneaking,
    ResetToPrepared,
    Rest,
    RollInitiative,
    SetInitiative,
    SetInitiativeCheck,
    SetSurprised,
    StartEncounter,
    SuddenAction,
)
from turnwright.play.commands.harm import (
    Annotate,
    ApplyCondition,
    ApplyDamage,
    ApplyOngoing,
    BreakFree,
    Concentrate,
    EndEffect,
    GrantTemporary,
    Heal,
    PassTime,
    SetDead,
    SetHitPoints,
    SetTrack,
)
from turnwright.play.commands.preparing import (
    Add,
    AddToEncounter,
    BringParty,
    Edit,
    Rearrange,
    Remove,
)
from turnwright.play.commands.table import (
    AddNote,
    Answer,
    Correct,
    Join,
    Place,
    RemoveCombatant,
    Rename,
    Reply,
    Reveal,
    SetDice,
    Withdraw,
)
from turnwright.play.commands.turns import (
    Attack,
    CommandMount,
    Direct,
    DropProne,
    GroupAttack,
    GroupCheck,
    Move,
    Regain,
    Relate,
    Ride,
    SetPlan,
    Shift,
    Spend,
    Stand,
    Supply,
    TakeAction,
    Travel,
    UseFeature,
)
from turnwright.play.commands.world import (
    AdjustPool,
    BringWave,
    SetReady,
    SetUnstoppable,
    StartPool,
    StopPool,
    UseEntry,
)

AnyCommand = (
    Add | Edit | Remove | Rearrange | AddToEncounter | BringParty
    | StartEncounter | AdvanceSetup | EndEncounter | ResetToPrepared | EndTurn | GoToTurn | Rest
    | MarkOpener | JoinTurn | MarkSneaking | CallForChecks | SetSurprised | SuddenAction | SetInitiativeCheck | SetInitiative | RollInitiative
    | TakeAction | Spend | Regain | Move | SetPlan
    | Attack | GroupAttack | UseFeature | Direct | GroupCheck | Relate | Supply | Travel | Shift | Ride
    | Stand | DropProne | CommandMount
    | ApplyDamage | Heal | GrantTemporary | SetHitPoints | SetDead | ApplyCondition | EndEffect | BreakFree | SetTrack
    | ApplyOngoing | Concentrate | Annotate | PassTime
    | Join | RemoveCombatant | Place | Rename | Reveal
    | UseEntry | SetReady | BringWave | StartPool | AdjustPool | StopPool | SetUnstoppable
    | SetDice | Answer | Withdraw | AddNote | Correct
)  # fmt: skip


__all__ = [
    "Add",
    "AddNote",
    "AddToEncounter",
    "AdjustPool",
    "AdvanceSetup",
    "Annotate",
    "Answer",
    "AnyCommand",
    "ApplyCondition",
    "ApplyDamage",
    "ApplyOngoing",
    "Attack",
    "BreakFree",
    "BringParty",
    "BringWave",
    "CallForChecks",
    "Command",
    "CommandMount",
    "Concentrate",
    "Correct",
    "Direct",
    "DropProne",
    "Edit",
    "EndEffect",
    "EndEncounter",
    "EndTurn",
    "GoToTurn",
    "GrantTemporary",
    "GroupAttack",
    "GroupCheck",
    "Heal",
    "Join",
    "JoinTurn",
    "MarkOpener",
    "MarkSneaking",
    "Move",
    "PassTime",
    "Place",
    "Purpose",
    "Rearrange",
    "Regain",
    "Relate",
    "Remove",
    "RemoveCombatant",
    "Rename",
    "Reply",
    "ResetToPrepared",
    "Rest",
    "Reveal",
    "Ride",
    "RollInitiative",
    "SetDead",
    "SetDice",
    "SetHitPoints",
    "SetInitiative",
    "SetInitiativeCheck",
    "SetPlan",
    "SetReady",
    "SetSurprised",
    "SetTrack",
    "SetUnstoppable",
    "Share",
    "Shift",
    "Spend",
    "Stand",
    "StartEncounter",
    "StartPool",
    "StopPool",
    "SuddenAction",
    "Supply",
    "TakeAction",
    "Travel",
    "UseEntry",
    "UseFeature",
    "Withdraw",
]
