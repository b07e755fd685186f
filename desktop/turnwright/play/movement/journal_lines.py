"""Journal lines of the events in `play.movement.events`: a word key with names and numbers for each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from turnwright.play.kernel.events import Event, phrase
from turnwright.play.kernel.journal import Formatter, LabelLookup, LineParts, combatant_line, feet_line, subject_of
from turnwright.play.movement.events import (
    Dismounted,
    Dragged,
    FallBegan,
    ForceMoved,
    Mounted,
    Moved,
    MoveStopped,
    Pushed,
    StoodUp,
)


def _moved(event: Moved, names: LabelLookup) -> LineParts:
    key = "journal.moved" if event.cost == event.feet else "journal.moved_at_cost"
    values: dict[str, str | int] = {"feet": event.feet, "cost": event.cost, "mode": f"<speed.{event.mode}>"}
    return phrase(key, who=names.label(event.who), **values), "plain", subject_of(event.who)


def _force_moved(event: ForceMoved, names: LabelLookup) -> LineParts:
    line_phrase = phrase(f"journal.shifted_{event.how}", who=names.label(event.who))
    return line_phrase, "plain", subject_of(event.who)


def _with_mount(key: str) -> Formatter:
    """Return a formatter for a line about a rider and a mount, with the cost where there was one."""

    def format_line(event: Any, names: LabelLookup) -> LineParts:
        values: dict[str, str | int] = {"mount": names.label(event.mount), "cost": event.cost}
        suffix = "" if event.cost else "_free"
        return phrase(f"journal.{key}{suffix}", who=names.label(event.who), **values), "plain", subject_of(event.who)

    return format_line


def _dragged(event: Dragged, names: LabelLookup) -> LineParts:
    return (
        phrase("journal.dragged", who=names.label(event.who), ally=names.label(event.ally)),
        "plain",
        subject_of(event.who),
    )


def _stood_up(event: StoodUp, names: LabelLookup) -> LineParts:
    word = "stood_up" if event.cost else "stood_up_by_action"
    return phrase(f"journal.{word}", who=names.label(event.who), cost=event.cost), "plain", subject_of(event.who)


FORMATTERS: Mapping[type[Event], Formatter] = MappingProxyType(
    {
        Moved: _moved,
        ForceMoved: _force_moved,
        StoodUp: _stood_up,
        Mounted: _with_mount("mounted"),
        Dismounted: _with_mount("dismounted"),
        Dragged: _dragged,
        MoveStopped: combatant_line("halted"),
        FallBegan: feet_line("fall_began"),
        Pushed: feet_line("pushed"),
    }
)
