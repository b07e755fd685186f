"""Journal lines of the events in `play.damage.events`: a word key with names and numbers for each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from turnwright.play.damage.events import Died, Healed, Rested, RestoredToLife, TempHpGained, TempHpLost, TimePassed
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


def _healed(event: Healed, names: LabelLookup) -> LineParts:
    values: dict[str, str | int] = {"before": event.hp_before, "after": event.hp_after, "source": event.source}
    key = "journal.healed_from" if event.source else "journal.healed"
    gained = event.hp_after - event.hp_before
    return phrase(key, who=names.label(event.target), gained=gained, **values), "heal", subject_of(event.target)


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
        Healed: _healed,
        TempHpGained: _temporary,
        TempHpLost: _temporary_lost,
        Died: combatant_line("died", "harm"),
        RestoredToLife: combatant_line("restored", "heal"),
    }
)
