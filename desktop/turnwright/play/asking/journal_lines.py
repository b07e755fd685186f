"""Journal lines of the events in `play.asking.events`: a word key with names and numbers for each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from turnwright.play.asking.events import (
    ActionCancelled,
    ActionDeclared,
    ActionKept,
    EntryFailed,
    EnvironmentCheckPassed,
    GroupChecked,
    SpellReflected,
)
from turnwright.play.kernel.events import Event, phrase
from turnwright.play.kernel.journal import (
    Formatter,
    LabelLookup,
    LineParts,
    by_flag,
    entry_line,
    select_line,
    subject_of,
)


def _group_checked(event: GroupChecked, names: LabelLookup) -> LineParts:
    key = "journal.group_checked_numbers" if event.numbers else "journal.group_checked"
    values: dict[str, str | int] = {"total": event.total, "numbers": event.numbers, "check": f"<check.{event.check}>"}
    return phrase(key, who=names.labels(event.who), **values), "plain", subject_of(event.who[0])


def _action_declared(event: ActionDeclared, names: LabelLookup) -> LineParts:
    key = "journal.announced_answer" if event.of else "journal.action_announced"
    values = {"answers": event.answers, "of": names.label(event.of) if event.of else ""}
    return phrase(key, who=names.label(event.who), action=event.action, **values), "plain", subject_of(event.who)


def _action_cancelled(event: ActionCancelled, names: LabelLookup) -> LineParts:
    why = event.reason if event.reason.startswith("<") else f"<{event.reason}>"
    values: dict[str, str | int] = {**dict(event.params), "action": event.action, "why": why}
    return phrase("journal.undone", **{**values, "who": names.label(event.who)}), "plain", subject_of(event.who)


def _action_kept(event: ActionKept, names: LabelLookup) -> LineParts:
    values = {"action": event.action, "source": event.source}
    return phrase("journal.kept", who=names.label(event.who), **values), "plain", subject_of(event.who)


FORMATTERS: Mapping[type[Event], Formatter] = MappingProxyType(
    {
        ActionDeclared: _action_declared,
        ActionCancelled: _action_cancelled,
        ActionKept: _action_kept,
        GroupChecked: _group_checked,
        EntryFailed: entry_line("entry_failed"),
        EnvironmentCheckPassed: lambda event, names: entry_line("found_secret" if event.secret else "found")(
            event, names
        ),
        SpellReflected: select_line(
            by_flag("to_caster", "yes", "no"), ("yes", entry_line("reflected")), ("no", entry_line("reflected_astray"))
        ),
    }
)
