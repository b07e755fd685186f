"""Events of the encounter's course: set-up, rounds and turns, rolls, who comes and goes, what people wrote."""

from __future__ import annotations

from turnwright.play.kernel.events import Event


class NoteAdded(Event, frozen=True, tag="Noted"):
    """A person wrote a line."""

    text: str


class LineCorrected(Event, frozen=True, tag="Corrected"):
    """An earlier line should read otherwise."""

    serial: int
    line: int
    text: str


class Planned(Event, frozen=True):
    """Somebody noted what they mean to do."""

    who: str
    text: str
