"""Journal lines of the events in `play.actions.events`: a word key with names and numbers for each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from turnwright.play.actions.events import (
    ActionDisallowed,
    CheckWaived,
    DeviceProgress,
    FollowersCommanded,
    HideResolved,
    ManeuverResolved,
    Pursued,
    SearchResolved,
    Withdrew,
)
from turnwright.play.kernel.events import Event, phrase
from turnwright.play.kernel.journal import Formatter, LabelLookup, LineParts, subject_of


def _ruled_out(event: ActionDisallowed, names: LabelLookup) -> LineParts:
    return phrase("journal.ruled_out", who=names.label(event.who), what=event.what), "plain", subject_of(event.who)


def _trial_spared(event: CheckWaived, names: LabelLookup) -> LineParts:
    values = {"action": event.action, "by": names.label(event.by), "why": f"<{event.why}>"}
    return phrase("journal.trial_spared", who=names.label(event.who), **values), "plain", subject_of(event.who)


def _compared(field: str, good: str, bad: str) -> Formatter:
    """Return a formatter for a total compared with a score; equal numbers are reported as such."""

    def format_line(event: Any, names: LabelLookup) -> LineParts:
        key = f"journal.{good if getattr(event, 'hidden', False) or getattr(event, 'found', False) else bad}"
        key += "_tie" if event.total == event.score else ""
        values: dict[str, str | int] = {"other": names.label(getattr(event, field)), "total": event.total}
        return phrase(key, who=names.label(event.who), score=event.score, **values), "plain", subject_of(event.who)

    return format_line


def _maneuver(event: ManeuverResolved, names: LabelLookup) -> LineParts:
    values = {"target": names.label(event.target), "what": event.maneuver, "outcome": f"<{event.outcome}>"}
    return phrase("journal.maneuver", who=names.label(event.who), **values), "plain", subject_of(event.target)


def _gave_way(event: Withdrew, names: LabelLookup) -> LineParts:
    key = "journal.fell_back" if event.pursuer else "journal.fell_back_alone"
    values: dict[str, str | int] = {"presser": names.label(event.pursuer), "feet": event.feet}
    return phrase(key, who=names.label(event.who), **values), "plain", subject_of(event.who)


def _followed(event: Pursued, names: LabelLookup) -> LineParts:
    values: dict[str, str | int] = {"after": names.label(event.after), "feet": event.feet}
    return phrase("journal.followed", who=names.label(event.who), **values), "plain", subject_of(event.who)


def _worked(event: DeviceProgress, names: LabelLookup) -> LineParts:
    who, target = names.label(event.who), names.label(event.target)
    said = phrase("journal.worked_at", who=who, target=target, done=event.done, need=event.need)
    return said, "plain", subject_of(event.who)


def _commanded(event: FollowersCommanded, names: LabelLookup) -> LineParts:
    key = "journal.commanded_against" if event.target else "journal.commanded"
    values = {"creatures": names.labels(event.creatures), "action": event.action, "target": names.label(event.target)}
    return phrase(key, who=names.label(event.who), **values), "plain", subject_of(event.who)


FORMATTERS: Mapping[type[Event], Formatter] = MappingProxyType(
    {
        ActionDisallowed: _ruled_out,
        CheckWaived: _trial_spared,
        HideResolved: _compared("observer", "hid_from", "noticed_by"),
        SearchResolved: _compared("hider", "search_found", "search_missed"),
        ManeuverResolved: _maneuver,
        Withdrew: _gave_way,
        Pursued: _followed,
        DeviceProgress: _worked,
        FollowersCommanded: _commanded,
    }
)
