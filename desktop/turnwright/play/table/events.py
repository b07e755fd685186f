"""The event for notes in the journal."""

from __future__ import annotations

from turnwright.play.kernel.events import Event, journal


@journal("journal.noted", kind="note")
class NoteAdded(Event, frozen=True, tag="Noted"):
    """A note was added by hand."""

    text: str
