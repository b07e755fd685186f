"""Events of set-up: the encounter's start, its steps, and the reset to what was prepared."""

from __future__ import annotations

from turnwright.play.kernel.events import Event


class EncounterStarted(Event, frozen=True):
    """Set-up began, for a reason a person gave or none."""

    reason: str = ""


class SetupStepReached(Event, frozen=True, tag="SetupReached"):
    """Set-up came to its next step."""

    step: str


class EncounterReset(Event, frozen=True, tag="WentBackToPrepared"):
    """Everything that running had made was thrown away."""
