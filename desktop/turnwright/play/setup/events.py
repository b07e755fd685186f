"""The event of set-up: a step of it reached."""

from __future__ import annotations

from turnwright.play.kernel.events import Event, journal


@journal("journal.setup_{step}", kind="header")
class SetupStepReached(Event, frozen=True, tag="SetupReached"):
    """Set-up came to its next step."""

    step: str
