"""Events of the encounter's course: set-up, rounds and turns, rolls, who comes and goes, what people wrote."""

from __future__ import annotations

from turnwright.play.kernel.events import Event


class CombatantAdded(Event, frozen=True, tag="Joined"):
    """Somebody came into the fight."""

    who: str
    side: str


class PoolStarted(Event, frozen=True):
    """A countdown began."""

    countdown: str
    dice: int


class WaveJoined(Event, frozen=True, tag="WaveCame"):
    """A wave of reinforcements came: by its `round`, by `hand`, or by what it waited for (`half`, `first-down`, `all-down`)."""

    wave: str
    why: str


class LookAlikeRolled(Event, frozen=True, tag="LikenessDrawn"):
    """A newcomer looks like somebody drawn at random."""

    who: str
    like: str
