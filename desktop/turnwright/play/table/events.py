"""Events of the journal's own lines: notes, corrections and plans."""

from __future__ import annotations

from turnwright.play.kernel.events import Event


class NoteAdded(Event, frozen=True, tag="Noted"):
    """A person added a note."""

    text: str


class LineCorrected(Event, frozen=True, tag="Corrected"):
    """An earlier line was corrected."""

    serial: int
    line: int
    text: str


class Planned(Event, frozen=True):
    """A combatant's plan was noted."""

    who: str
    text: str
