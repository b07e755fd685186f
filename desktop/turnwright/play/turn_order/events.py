"""Events of the encounter's course: set-up, rounds and turns, rolls, who comes and goes, what people wrote."""

from __future__ import annotations

from turnwright.play.kernel.events import Event


class SneakingMarked(Event, frozen=True):
    """Somebody means to act before the others are aware, or no longer."""

    who: str
    sneaking: bool


class Surprised(Event, frozen=True):
    """Somebody starts the encounter surprised."""

    who: str


class NoSurprise(Event, frozen=True, tag="NobodySurprised"):
    """Nobody is surprised."""


class FirstActorSet(Event, frozen=True, tag="OpenerMarked"):
    """Somebody opened hostilities, and so goes first; empty: nobody did."""

    who: str = ""


class InitiativeSet(Event, frozen=True):
    """A place in the order: `how` is `rolled`, `kept`, `entered`, `fixed`, `mounted` or `shifted`."""

    who: str
    total: int
    how: str


class InitiativeOrderSet(Event, frozen=True, tag="OrderSettled"):
    """The order stands, highest first."""

    who: tuple[str, ...]
