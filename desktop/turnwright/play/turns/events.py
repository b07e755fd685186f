"""Events of turns and rounds: their start and end, world actions offered, recharge, rewards, removals."""

from __future__ import annotations

from turnwright.play.kernel.events import Event


class SceneDescribed(Event, frozen=True, tag="SceneSet"):
    """The scene as round 1 begins: places and standing features, in words."""

    places: tuple[tuple[str, str], ...] = ()
    features: tuple[str, ...] = ()
    round_seconds: int = 6


class RoundStarted(Event, frozen=True):
    """A round began; `elapsed` is game time in seconds so far."""

    round: int
    elapsed: int


class WorldTurnStarted(Event, frozen=True):
    """The world took its turn; `offers` are the entries (environment, entry) that were ready."""

    offers: tuple[tuple[str, str], ...] = ()


class RoundEnded(Event, frozen=True):
    """A round ended; `elapsed` includes it."""

    round: int
    elapsed: int


class TurnStarted(Event, frozen=True):
    """A turn began."""

    who: tuple[str, ...]


class TurnEnded(Event, frozen=True):
    """A turn ended."""

    who: tuple[str, ...]


class EncounterEnded(Event, frozen=True):
    """Turn-based play was closed."""

    round: int


class ExperienceAwarded(Event, frozen=True, tag="Awarded"):
    """So much experience was awarded to the party, 0 for none."""

    xp: int = 0


class TreasureFound(Event, frozen=True):
    """Treasure was found; `who` takes it, empty while it is unassigned."""

    what: str
    who: str = ""


class TurnsJoined(Event, frozen=True):
    """Combatants joined the active turn."""

    who: tuple[str, ...]


class CombatantRemoved(Event, frozen=True, tag="Left"):
    """A combatant was removed from the fight."""

    label: str


class FeatureRechargeRolled(Event, frozen=True, tag="FeatureRecharged", rename={"recharged": "back"}):
    """A recharge was rolled for a spent feature; `face` is None where the outcome was entered."""

    who: str
    feature: str
    recharged: bool
    face: int | None = None


class Reminded(Event, frozen=True):
    """A round began, and an effect still lasts on a combatant since the round named."""

    who: str
    name: str
    since: int
