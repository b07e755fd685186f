"""Journal lines of the events in `play.table.events`: a word key with names and numbers for each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from turnwright.play.kernel.events import Event, phrase
from turnwright.play.kernel.journal import NO_SUBJECT, Formatter, LabelLookup, LineParts, subject_of, text_line
from turnwright.play.table.events import LineCorrected, NoteAdded, Planned


def _corrected(event: LineCorrected, names: LabelLookup) -> LineParts:
    values: dict[str, str | int] = {"text": event.text, "serial": event.serial, "line": event.line}
    return phrase("journal.corrected", **values), "correction", NO_SUBJECT


def _planned(event: Planned, names: LabelLookup) -> LineParts:
    return phrase("journal.planned", who=names.label(event.who), text=event.text), "plain", subject_of(event.who)


FORMATTERS: Mapping[type[Event], Formatter] = MappingProxyType(
    {
        NoteAdded: text_line("noted", "note"),
        LineCorrected: _corrected,
        Planned: _planned,
    }
)
