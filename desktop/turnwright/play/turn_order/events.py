"""Events of surprise and initiative."""

from __future__ import annotations

from turnwright.play.kernel.events import Event


class SneakingMarked(Event, frozen=True):
    """A combatant was marked as sneaking, or no longer."""

    who: str
    sneaking: bool


class Surprised(Event, frozen=True):
    """A combatant starts the encounter surprised."""

    who: str


class NoSurprise(Event, frozen=True, tag="NobodySurprised"):
    """No combatant is surprised."""


class FirstActorSet(Event, frozen=True, tag="OpenerMarked"):
    """The combatant who opened hostilities and so goes first was marked; empty: none."""

    who: str = ""


class InitiativeSet(Event, frozen=True):
    """An initiative total was set: `how` is `rolled`, `kept`, `entered`, `fixed`, `mounted` or `shifted`."""

    who: str
    total: int
    how: str


class InitiativeOrderSet(Event, frozen=True, tag="OrderSettled"):
    """The turn order was settled, highest first."""

    who: tuple[str, ...]
