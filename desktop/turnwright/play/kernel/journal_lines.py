"""Journal lines of the events in `play.kernel.events`: a word key with names and numbers for each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from turnwright.play.kernel.events import Event, RuleOverridden, phrase
from turnwright.play.kernel.journal import NO_SUBJECT, Formatter, LabelLookup, LineParts


def _anyway(event: RuleOverridden, names: LabelLookup) -> LineParts:
    values = {"reason": f"<{event.reason}>", **dict(event.params)}
    return phrase("journal.done_anyway", **values), "warn", NO_SUBJECT


FORMATTERS: Mapping[type[Event], Formatter] = MappingProxyType(
    {
        RuleOverridden: _anyway,
    }
)
