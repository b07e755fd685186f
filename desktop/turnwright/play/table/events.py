"""Events of the journal's own lines: notes, corrections and plans."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId
from turnwright.play.kernel.events import Event, journal


@journal("journal.noted", kind="note")
class NoteAdded(Event, frozen=True, tag="Noted"):
    """A person added a note."""

    text: str


@journal("journal.corrected", kind="correction")
class LineCorrected(Event, frozen=True, tag="Corrected"):
    """An earlier line was corrected."""

    serial: int
    line: int
    text: str


@journal("journal.planned")
class Planned(Event, frozen=True):
    """A combatant's plan was noted."""

    who: CombatantId
    text: str
