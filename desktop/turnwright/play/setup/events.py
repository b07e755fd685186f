"""Events of set-up: the encounter's start, its steps, and the reset to what was prepared."""

from __future__ import annotations

from turnwright.play.kernel.events import Event, journal


@journal("journal.encounter_started", kind="header", when={"reason": "journal.encounter_started_for"})
class EncounterStarted(Event, frozen=True):
    """Set-up began, for a reason a person gave or none."""

    reason: str = ""


@journal("journal.setup_{step}", kind="header")
class SetupStepReached(Event, frozen=True, tag="SetupReached"):
    """Set-up came to its next step."""

    step: str


@journal("journal.went_back")
class EncounterReset(Event, frozen=True, tag="WentBackToPrepared"):
    """Everything that running had made was thrown away."""
