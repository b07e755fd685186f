"""Journal lines of the events in `play.damage.events`: a word key with names and numbers for each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from turnwright.play.damage.events import Died, Rested, RestoredToLife, TempHpGained, TempHpLost, TimePassed
from turnwright.play.kernel.events import Event, phrase
from turnwright.play.kernel.journal import (
    NO_SUBJECT,
    Formatter,
    LabelLookup,
    LineParts,
    combatant_line,
    fields_line,
    subject_of,
)


def _rest(event: Rested, names: LabelLookup) -> LineParts:
    return phrase(f"journal.rested_{event.length}"), "header", NO_SUBJECT


def _temporary(event: TempHpGained, names: LabelLookup) -> LineParts:
    key = "journal.temporary" if event.after != event.before or not event.before else "journal.temporary_kept"
    values: dict[str, str | int] = {"offered": event.offered, "after": event.after}
    return phrase(key, who=names.label(event.target), **values), "heal", subject_of(event.target)


def _temporary_lost(event: TempHpLost, names: LabelLookup) -> LineParts:
    said = phrase("journal.temporary_lost", who=names.label(event.target), before=event.before)
    return said, "plain", subject_of(event.target)


FORMATTERS: Mapping[type[Event], Formatter] = MappingProxyType(
    {
        Rested: _rest,
        TimePassed: fields_line("time_passed", "hours"),
        TempHpGained: _temporary,
        TempHpLost: _temporary_lost,
        Died: combatant_line("died", "harm"),
        RestoredToLife: combatant_line("restored", "heal"),
    }
)
