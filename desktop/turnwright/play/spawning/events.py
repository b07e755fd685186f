"""Events of combatants that enter a fight."""

from __future__ import annotations

from turnwright.play.kernel.events import Event


class CombatantAdded(Event, frozen=True, tag="Joined"):
    """A combatant entered the fight."""

    who: str
    side: str


class PoolStarted(Event, frozen=True):
    """A countdown began."""

    countdown: str
    dice: int


class WaveJoined(Event, frozen=True, tag="WaveCame"):
    """A wave came: by its `round`, by `hand`, or by its trigger (`half`, `first-down`, `all-down`)."""

    wave: str
    why: str


class LookAlikeRolled(Event, frozen=True, tag="LikenessDrawn"):
    """A newcomer looks like a combatant drawn at random."""

    who: str
    like: str
