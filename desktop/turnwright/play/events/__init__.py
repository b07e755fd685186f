"""What happened: typed facts in the past tense, each with the ledger rule that made it so where one did.

Events hold ids and figures; `narrate` turns them into words. They say nothing of how a view shows them.
"""

from __future__ import annotations

import msgspec

from turnwright.dice.roll import Roll
from turnwright.play.events.course import (
    Awarded,
    Corrected,
    DoneAnyway,
    EncounterEnded,
    EncounterStarted,
    InitiativeSet,
    Joined,
    Left,
    NobodySurprised,
    Noted,
    OpenerMarked,
    OrderSettled,
    Parted,
    Related,
    Rested,
    Rolled,
    RoundEnded,
    RoundStarted,
    SceneSet,
    SetupReached,
    Skipped,
    SneakingMarked,
    Supplied,
    Surprised,
    TimePassed,
    TreasureFound,
    TurnEnded,
    TurnsJoined,
    TurnStarted,
    WentBackToPrepared,
    WorldTurnStarted,
)
from turnwright.play.events.deeds import (
    Acted,
    ActionAnnounced,
    Attacked,
    AttackFailed,
    Commanded,
    CriticalBlocked,
    Dismounted,
    Dragged,
    FallBegan,
    FeatureRecharged,
    FeatureUsed,
    FellBack,
    Followed,
    GroupChecked,
    GuessMade,
    Halted,
    HidFrom,
    Kept,
    ManeuverSettled,
    Mounted,
    Moved,
    Planned,
    Readied,
    ReadiedWasted,
    Regained,
    RuledOut,
    SearchedFor,
    Shifted,
    StoodUp,
    SupplySet,
    SupplySpent,
    TrialSpared,
    Undone,
    WorkedAt,
)
from turnwright.play.events.hurts import (
    DamageTaken,
    Died,
    DroppedToZero,
    EffectCounted,
    EffectEnded,
    EffectGained,
    Healed,
    HitPointsSet,
    Reminded,
    RestoredToLife,
    TemporaryGained,
    TemporaryLost,
    ThingBroken,
    ThingDamaged,
    TrackSet,
    Unaffected,
)
from turnwright.play.events.told import Adjustment, Event, Phrase, phrase
from turnwright.play.events.world import (
    Announced,
    CaughtFire,
    Disturbed,
    EntryFailed,
    EntryUsed,
    Found,
    LikenessDrawn,
    PoolAdjusted,
    PoolExpired,
    PoolRolled,
    PoolStarted,
    PoolStopped,
    PoolUnstoppable,
    Pushed,
    ReadinessSet,
    RechargeRolled,
    Reflected,
    Teleported,
    WaveCame,
)

AnyEvent = (
    RuledOut | TrialSpared | HidFrom | SearchedFor | ManeuverSettled | FellBack | Followed | Readied | ReadiedWasted |
    EncounterStarted | SetupReached | SceneSet | RoundStarted | WorldTurnStarted | RoundEnded | TurnStarted | TurnEnded
    | EncounterEnded | Awarded | TreasureFound | WentBackToPrepared | Rested | Rolled | Skipped | SneakingMarked | Surprised | NobodySurprised | OpenerMarked | TurnsJoined
    | InitiativeSet | OrderSettled | Acted | Regained | Moved | Planned | DamageTaken | DroppedToZero | Healed
    | TemporaryGained | TemporaryLost | HitPointsSet | Died | RestoredToLife | EffectGained | EffectEnded | Unaffected
    | TrackSet | EntryUsed | EntryFailed | Found | Reflected | Disturbed | Pushed | Teleported | RechargeRolled
    | ReadinessSet | PoolStarted | PoolRolled | PoolAdjusted | PoolStopped | PoolUnstoppable | PoolExpired | Announced
    | WaveCame | Joined | LikenessDrawn | Left | Noted | Corrected | DoneAnyway
    | SupplySpent | SupplySet | FeatureRecharged | FeatureUsed | Commanded | GroupChecked | CaughtFire
    | TimePassed | Reminded | EffectCounted
    | Shifted | StoodUp | WorkedAt | Mounted | Dismounted | Dragged | Halted | FallBegan | ActionAnnounced | Undone | Kept
    | Parted | Related | Supplied
    | Attacked | AttackFailed | GuessMade | CriticalBlocked | ThingDamaged | ThingBroken
)  # fmt: skip


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the journal. `index` is its place among its step's lines; `kind` says what it is about.

    `subject` is the key (table, id) of what a click on it should show, empty strings for nothing.
    """

    serial: int
    index: int
    round: int
    phrase: Phrase
    kind: str = "plain"
    turn: str = ""
    subject: tuple[str, str] = ("", "")
    rule: str = ""
    roll: Roll | None = None
    why: tuple[Adjustment, ...] = ()


__all__ = [
    "Acted",
    "ActionAnnounced",
    "Adjustment",
    "Announced",
    "AnyEvent",
    "AttackFailed",
    "Attacked",
    "Awarded",
    "CaughtFire",
    "Commanded",
    "Corrected",
    "CriticalBlocked",
    "DamageTaken",
    "Died",
    "Dismounted",
    "Disturbed",
    "DoneAnyway",
    "Dragged",
    "DroppedToZero",
    "EffectCounted",
    "EffectEnded",
    "EffectGained",
    "EncounterEnded",
    "EncounterStarted",
    "EntryFailed",
    "EntryUsed",
    "Event",
    "FallBegan",
    "FeatureRecharged",
    "FeatureUsed",
    "FellBack",
    "Followed",
    "Found",
    "GroupChecked",
    "GuessMade",
    "Halted",
    "Healed",
    "HidFrom",
    "HitPointsSet",
    "InitiativeSet",
    "Joined",
    "Kept",
    "Left",
    "LikenessDrawn",
    "Line",
    "ManeuverSettled",
    "Mounted",
    "Moved",
    "NobodySurprised",
    "Noted",
    "OpenerMarked",
    "OrderSettled",
    "Parted",
    "Phrase",
    "Planned",
    "PoolAdjusted",
    "PoolExpired",
    "PoolRolled",
    "PoolStarted",
    "PoolStopped",
    "PoolUnstoppable",
    "Pushed",
    "Readied",
    "ReadiedWasted",
    "ReadinessSet",
    "RechargeRolled",
    "Reflected",
    "Regained",
    "Related",
    "Reminded",
    "Rested",
    "RestoredToLife",
    "Rolled",
    "RoundEnded",
    "RoundStarted",
    "RuledOut",
    "SceneSet",
    "SearchedFor",
    "SetupReached",
    "Shifted",
    "Skipped",
    "SneakingMarked",
    "StoodUp",
    "Supplied",
    "SupplySet",
    "SupplySpent",
    "Surprised",
    "Teleported",
    "TemporaryGained",
    "TemporaryLost",
    "ThingBroken",
    "ThingDamaged",
    "TimePassed",
    "TrackSet",
    "TreasureFound",
    "TrialSpared",
    "TurnEnded",
    "TurnStarted",
    "TurnsJoined",
    "Unaffected",
    "Undone",
    "WaveCame",
    "WentBackToPrepared",
    "WorkedAt",
    "WorldTurnStarted",
    "phrase",
]
