"""Events of the encounter's course: set-up, rounds and turns, rolls, who comes and goes, what people wrote."""

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
    """The world took its turn; `offers` are the rows (environment, entry) that were ready."""

    offers: tuple[tuple[str, str], ...] = ()


class RoundEnded(Event, frozen=True):
    """A round ended; `elapsed` includes it."""

    round: int
    elapsed: int


class TurnStarted(Event, frozen=True):
    """Somebody's turn began."""

    who: tuple[str, ...]


class TurnEnded(Event, frozen=True):
    """Somebody's turn ended."""

    who: tuple[str, ...]


class EncounterEnded(Event, frozen=True):
    """Turn-based play was closed."""

    round: int


class ExperienceAwarded(Event, frozen=True, tag="Awarded"):
    """So much experience was awarded to the party, 0 for none."""

    xp: int = 0


class TreasureFound(Event, frozen=True):
    """Some treasure came to light; `who` takes it, nobody yet where that is empty."""

    what: str
    who: str = ""


class TurnsJoined(Event, frozen=True):
    """Some take their turn together with the one under way."""

    who: tuple[str, ...]


class CombatantRemoved(Event, frozen=True, tag="Left"):
    """Somebody was taken out of the fight."""

    label: str


class FeatureRechargeRolled(Event, frozen=True, tag="FeatureRecharged", rename={"recharged": "back"}):
    """Somebody rolled for a spent feature to come back; `face` is None where a person said how it went."""

    who: str
    feature: str
    recharged: bool
    face: int | None = None


class Reminded(Event, frozen=True):
    """A round began, and something still holds for somebody since the round named."""

    who: str
    name: str
    since: int
