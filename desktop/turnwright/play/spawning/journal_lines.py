"""Journal lines of the events in `play.spawning.events`: a word key with names and numbers for each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from turnwright.encounter.wave_names import wave_name
from turnwright.play.kernel.events import Event, phrase
from turnwright.play.kernel.journal import NO_SUBJECT, Formatter, LabelLookup, LineParts, countdown_line, subject_of
from turnwright.play.spawning.events import CombatantAdded, LookAlikeRolled, PoolStarted, WaveJoined


def _joined(event: CombatantAdded, names: LabelLookup) -> LineParts:
    return (
        phrase("journal.joined", who=names.label(event.who), side=f"<side.{event.side}>"),
        "warn",
        subject_of(event.who),
    )


def _wave(event: WaveJoined, names: LabelLookup) -> LineParts:
    return phrase(f"journal.wave_{event.why}", wave=wave_name(event.wave)), "world", NO_SUBJECT


def _likeness(event: LookAlikeRolled, names: LabelLookup) -> LineParts:
    said = phrase("journal.likeness", who=names.label(event.who), like=names.label(event.like))
    return said, "world", subject_of(event.who)


FORMATTERS: Mapping[type[Event], Formatter] = MappingProxyType(
    {
        CombatantAdded: _joined,
        PoolStarted: countdown_line("pool_started"),
        WaveJoined: _wave,
        LookAlikeRolled: _likeness,
    }
)
