"""Journal lines of the events in `play.effects.events`: a word key with names and numbers for each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from turnwright.play.effects.events import ActionReadied, EffectUpdated, ReadiedActionLost
from turnwright.play.kernel.events import Event, phrase
from turnwright.play.kernel.journal import Formatter, LabelLookup, LineParts, subject_of


def _action_readied(event: ActionReadied, names: LabelLookup) -> LineParts:
    key = "journal.readied" if event.trigger else "journal.readied_untold"
    values = {"response": event.response, "trigger": event.trigger}
    return phrase(key, who=names.label(event.who), **values), "plain", subject_of(event.who)


def _readied_action_lost(event: ReadiedActionLost, names: LabelLookup) -> LineParts:
    values = {"response": event.response, "why": f"<{event.why}>"}
    return phrase("journal.readied_wasted", who=names.label(event.who), **values), "plain", subject_of(event.who)


def _effect_updated(event: EffectUpdated, names: LabelLookup) -> LineParts:
    values: dict[str, str | int] = {"what": f"<condition.{event.name}>", "n": event.left, "value": event.value}
    key = "journal.effect_lasts" if event.left else "journal.effect_stands"
    return phrase(key, who=names.label(event.target), **values), "plain", subject_of(event.target)


FORMATTERS: Mapping[type[Event], Formatter] = MappingProxyType(
    {
        ActionReadied: _action_readied,
        ReadiedActionLost: _readied_action_lost,
        EffectUpdated: _effect_updated,
    }
)
