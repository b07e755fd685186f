"""Journal lines of the events in `play.setup.events`: a word key with names and numbers for each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from turnwright.play.kernel.events import Event, phrase
from turnwright.play.kernel.journal import NO_SUBJECT, Formatter, LabelLookup, LineParts, fields_line
from turnwright.play.setup.events import EncounterReset, EncounterStarted, SetupStepReached


def _setup(event: SetupStepReached, names: LabelLookup) -> LineParts:
    return phrase(f"journal.setup_{event.step}"), "header", NO_SUBJECT


def _started(event: EncounterStarted, names: LabelLookup) -> LineParts:
    key = "journal.encounter_started_for" if event.reason else "journal.encounter_started"
    return phrase(key, reason=event.reason), "header", NO_SUBJECT


FORMATTERS: Mapping[type[Event], Formatter] = MappingProxyType(
    {
        EncounterStarted: _started,
        SetupStepReached: _setup,
        EncounterReset: fields_line("went_back"),
    }
)
