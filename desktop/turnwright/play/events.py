"""The union of all events: facts in the past tense, each with the id of the ledger rule that caused it, if any.

Events hold ids and numbers; `journal_lines` modules turn them into words. They say nothing of how a view shows them.
"""

from __future__ import annotations

from turnwright.play.actions.events import (
    ActionDisallowed,
    CheckWaived,
    DeviceProgress,
    FollowersCommanded,
    HideResolved,
    ManeuverResolved,
    Pursued,
    SearchResolved,
    Withdrew,
)
from turnwright.play.asking.events import (
    ActionCancelled,
    ActionDeclared,
    ActionKept,
    EntryFailed,
    EnvironmentCheckPassed,
    GroupChecked,
    SpellReflected,
)
from turnwright.play.attacks.events import (
    Attacked,
    AttackFailed,
    AttackGuessed,
    CaughtFire,
    CriticalNegated,
    FeatureUsed,
    ObjectDamaged,
    ObjectDestroyed,
)
from turnwright.play.damage.events import Died, Rested, RestoredToLife, TempHpGained, TempHpLost, TimePassed
from turnwright.play.effects.events import ActionReadied, EffectUpdated, ReadiedActionLost
from turnwright.play.environment.events import (
    Announced,
    EntryReadySet,
    EntryUsed,
    PoolAdjusted,
    PoolExpired,
    PoolRolled,
    PoolStopped,
    PoolUnstoppableSet,
    RechargeRolled,
    Teleported,
    TrapDisturbed,
)
from turnwright.play.kernel.events import DamageAdjustment, Event, JournalLine, Phrase, RuleOverridden, phrase
from turnwright.play.movement.events import (
    Dismounted,
    Dragged,
    FallBegan,
    ForceMoved,
    Mounted,
    Moved,
    MoveStopped,
    Pushed,
    StoodUp,
)
from turnwright.play.setup.events import EncounterReset, EncounterStarted, SetupStepReached
from turnwright.play.spawning.events import CombatantAdded, LookAlikeRolled, PoolStarted, WaveJoined
from turnwright.play.state.events import (
    ActionTaken,
    DamageTaken,
    DroppedToZero,
    EffectEnded,
    EffectGained,
    Healed,
    HitPointsSet,
    RelationCleared,
    RelationSet,
    ResourceRestored,
    Rolled,
    Skipped,
    StatSet,
    TrackSet,
    Unaffected,
    UsesSet,
    UsesSpent,
)
from turnwright.play.table.events import LineCorrected, NoteAdded, Planned
from turnwright.play.turn_order.events import (
    FirstActorSet,
    InitiativeOrderSet,
    InitiativeSet,
    NoSurprise,
    SneakingMarked,
    Surprised,
)
from turnwright.play.turns.events import (
    CombatantRemoved,
    EncounterEnded,
    ExperienceAwarded,
    FeatureRechargeRolled,
    Reminded,
    RoundEnded,
    RoundStarted,
    SceneDescribed,
    TreasureFound,
    TurnEnded,
    TurnsJoined,
    TurnStarted,
    WorldTurnStarted,
)

AnyEvent = (
    ActionDisallowed | CheckWaived | HideResolved | SearchResolved | ManeuverResolved | Withdrew | Pursued | ActionReadied | ReadiedActionLost |
    EncounterStarted | SetupStepReached | SceneDescribed | RoundStarted | WorldTurnStarted | RoundEnded | TurnStarted | TurnEnded
    | EncounterEnded | ExperienceAwarded | TreasureFound | EncounterReset | Rested | Rolled | Skipped | SneakingMarked | Surprised | NoSurprise | FirstActorSet | TurnsJoined
    | InitiativeSet | InitiativeOrderSet | ActionTaken | ResourceRestored | Moved | Planned | DamageTaken | DroppedToZero | Healed
    | TempHpGained | TempHpLost | HitPointsSet | Died | RestoredToLife | EffectGained | EffectEnded | Unaffected
    | TrackSet | EntryUsed | EntryFailed | EnvironmentCheckPassed | SpellReflected | TrapDisturbed | Pushed | Teleported | RechargeRolled
    | EntryReadySet | PoolStarted | PoolRolled | PoolAdjusted | PoolStopped | PoolUnstoppableSet | PoolExpired | Announced
    | WaveJoined | CombatantAdded | LookAlikeRolled | CombatantRemoved | NoteAdded | LineCorrected | RuleOverridden
    | UsesSpent | UsesSet | FeatureRechargeRolled | FeatureUsed | FollowersCommanded | GroupChecked | CaughtFire
    | TimePassed | Reminded | EffectUpdated
    | ForceMoved | StoodUp | DeviceProgress | Mounted | Dismounted | Dragged | MoveStopped | FallBegan | ActionDeclared | ActionCancelled | ActionKept
    | RelationCleared | RelationSet | StatSet
    | Attacked | AttackFailed | AttackGuessed | CriticalNegated | ObjectDamaged | ObjectDestroyed
)  # fmt: skip


__all__ = [
    "ActionCancelled",
    "ActionDeclared",
    "ActionDisallowed",
    "ActionKept",
    "ActionReadied",
    "ActionTaken",
    "Announced",
    "AnyEvent",
    "AttackFailed",
    "AttackGuessed",
    "Attacked",
    "CaughtFire",
    "CheckWaived",
    "CombatantAdded",
    "CombatantRemoved",
    "CriticalNegated",
    "DamageAdjustment",
    "DamageTaken",
    "DeviceProgress",
    "Died",
    "Dismounted",
    "Dragged",
    "DroppedToZero",
    "EffectEnded",
    "EffectGained",
    "EffectUpdated",
    "EncounterEnded",
    "EncounterReset",
    "EncounterStarted",
    "EntryFailed",
    "EntryReadySet",
    "EntryUsed",
    "EnvironmentCheckPassed",
    "Event",
    "ExperienceAwarded",
    "FallBegan",
    "FeatureRechargeRolled",
    "FeatureUsed",
    "FirstActorSet",
    "FollowersCommanded",
    "ForceMoved",
    "GroupChecked",
    "Healed",
    "HideResolved",
    "HitPointsSet",
    "InitiativeOrderSet",
    "InitiativeSet",
    "JournalLine",
    "LineCorrected",
    "LookAlikeRolled",
    "ManeuverResolved",
    "Mounted",
    "MoveStopped",
    "Moved",
    "NoSurprise",
    "NoteAdded",
    "ObjectDamaged",
    "ObjectDestroyed",
    "Phrase",
    "Planned",
    "PoolAdjusted",
    "PoolExpired",
    "PoolRolled",
    "PoolStarted",
    "PoolStopped",
    "PoolUnstoppableSet",
    "Pursued",
    "Pushed",
    "ReadiedActionLost",
    "RechargeRolled",
    "RelationCleared",
    "RelationSet",
    "Reminded",
    "ResourceRestored",
    "Rested",
    "RestoredToLife",
    "Rolled",
    "RoundEnded",
    "RoundStarted",
    "RuleOverridden",
    "SceneDescribed",
    "SearchResolved",
    "SetupStepReached",
    "Skipped",
    "SneakingMarked",
    "SpellReflected",
    "StatSet",
    "StoodUp",
    "Surprised",
    "Teleported",
    "TempHpGained",
    "TempHpLost",
    "TimePassed",
    "TrackSet",
    "TrapDisturbed",
    "TreasureFound",
    "TurnEnded",
    "TurnStarted",
    "TurnsJoined",
    "Unaffected",
    "UsesSet",
    "UsesSpent",
    "WaveJoined",
    "Withdrew",
    "WorldTurnStarted",
    "phrase",
]
