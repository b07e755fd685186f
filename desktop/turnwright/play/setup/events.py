"""The event that reports a set-up step."""

from __future__ import annotations

from turnwright.play.kernel.events import Event, journal


@journal("journal.setup_{step}", kind="header")
class SetupStepReached(Event, frozen=True, tag="SetupReached"):
    """Set-up reached its next step."""

    step: str
