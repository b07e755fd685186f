"""Events about turns and rounds: their start and end, offered world actions, recharge, rewards."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId, CombatantIds, ConditionId, Places, PositiveOrNone
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.journal import game_time


@journal("journal.scene_set", seconds="round_seconds")
class SceneDescribed(Event, frozen=True, tag="SceneSet"):
    """The scene at the beginning of round 1: places and environment features, as text."""

    places: Places = ()
    features: tuple[str, ...] = ()
    round_seconds: int = 6

    @property
    def journal_key(self) -> str:
        """Return the journal key, which depends on whether there are places and features."""
        suffixes = {(True, True): "", (True, False): "_features", (False, True): "_places", (False, False): "_bare"}
        return "journal.scene_set" + suffixes[bool(self.features), bool(self.places)]


@journal("journal.round_started", kind="header", time="time")
class RoundStarted(Event, frozen=True):
    """A round began; `elapsed` is the game time so far in seconds."""

    round: int
    elapsed: int

    @property
    def time(self) -> str:
        """The game time so far, as text."""
        return game_time(self.elapsed)


@journal("journal.world_turn", kind="world", bookkeeping=True)
class WorldTurnStarted(Event, frozen=True):
    """The environment took its turn. `offers` pairs environments with their entries that were ready."""

    offers: tuple[tuple[str, str], ...] = ()


class RoundEnded(Event, frozen=True):
    """A round ended. `elapsed` includes this round."""

    round: int
    elapsed: int


@journal("journal.turn_started", kind="turn")
class TurnStarted(Event, frozen=True):
    """A turn began."""

    who: CombatantIds


@journal("journal.turn_delayed")
class TurnDelayed(Event, frozen=True):
    """A turn was delayed."""

    who: CombatantIds


@journal("journal.delay_lost")
class DelayLost(Event, frozen=True):
    """A delayed turn was lost, because its place in the order came up again."""

    who: CombatantIds


class TurnEnded(Event, frozen=True):
    """A turn ended."""

    who: CombatantIds


@journal("journal.awarded")
class ExperienceAwarded(Event, frozen=True, tag="Awarded"):
    """Experience was awarded to the party, perhaps 0."""

    xp: int = 0


@journal("journal.treasure_found", when={"who": "journal.treasure_taken"})
class TreasureFound(Event, frozen=True):
    """Treasure was found. `who` takes it, or is empty if it is unassigned."""

    what: str
    who: CombatantId = ""


@journal("journal.feature_spent", what="feature")
class FeatureRechargeRolled(Event, frozen=True, tag="FeatureRecharged", rename={"recharged": "back"}):
    """The recharge of a spent feature was rolled. `face` is None if the outcome was entered."""

    who: CombatantId
    feature: str
    recharged: bool
    face: int | None = None
    needed: PositiveOrNone = 0

    @property
    def journal_key(self) -> str:
        """Return the journal key, which depends on the result and on whether its numbers are known."""
        key = "journal.feature_back" if self.recharged else "journal.feature_spent"
        return key if self.face and self.needed else f"{key}_unsaid"


@journal("journal.reminded_bare", kind="warn", when={"since": "journal.reminded"}, what="name", round="since")
class Reminded(Event, frozen=True):
    """An effect that has been on a combatant since the round `since` was shown at the start of a round."""

    who: CombatantId
    name: ConditionId
    since: int
