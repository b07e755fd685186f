"""Building blocks of journal lines: the lookup of names, and factories of formatters for common events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from turnwright.dice.roll import Roll
from turnwright.encounter.prepared import Countdown, Environment
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.events import Phrase, phrase
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.parts.environment.entries import find_entry


def fields_line(key: str, *fields: str) -> Formatter:
    """Return a formatter for events of the encounter's course, with some fields of the event as they are."""

    def format_line(event: Any, names: LabelLookup) -> LineParts:
        values = {name: getattr(event, name) for name in fields}
        if "elapsed" in values:
            values["time"] = game_time(values["elapsed"])
        kind = "header" if key.startswith("round_started") else "plain"
        return phrase(f"journal.{key}", **values), kind, NO_SUBJECT

    return format_line


def game_time(seconds: int) -> str:
    """Return seconds of game time as `m:ss`, or `h:mm:ss` from an hour on."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


LineParts = tuple[Phrase, str, tuple[str, str]]


NO_SUBJECT = ("", "")


class LabelLookup:
    """The labels and names of records by id, as they are now or, for removed records, were before this step."""

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx

    def label(self, id: str) -> str:
        """Return a combatant's label."""
        one = self._tx.get(Combatant, id) or self._tx.base.get(Combatant, id)
        return one.label if one else id

    def labels(self, ids: tuple[str, ...]) -> str:
        """Return labels in a list separated by commas."""
        return ", ".join(self.label(id) for id in ids)

    def countdown(self, id: str) -> str:
        """Return a countdown's name."""
        found = self._tx.get(Countdown, id) or self._tx.base.get(Countdown, id)
        return found.name if found else id

    def entry(self, environment: str, entry: str) -> str:
        """Return the name of a feature or action of an environment."""
        place = self._tx.get(Environment, environment) or self._tx.base.get(Environment, environment)
        row = find_entry(place, entry) if place else None
        return row.name if row else entry


Formatter = Callable[[Any, LabelLookup], LineParts]


def subject_of(id: str) -> tuple[str, str]:
    """Return the key of the combatant that a line is about, empty for none."""
    return (Combatant.table, id) if id else NO_SUBJECT


def combatant_line(key: str, kind: str = "plain") -> Formatter:
    """Return a formatter for a line whose only parameter is its combatant."""

    def format_line(event: Any, names: LabelLookup) -> LineParts:
        who = getattr(event, "who", "")
        return phrase(f"journal.{key}", who=names.label(who)), kind, subject_of(who)

    return format_line


def combatants_line(key: str, kind: str) -> Formatter:
    """Return a formatter for a line about several combatants; a click on it shows the first."""

    def format_line(event: Any, names: LabelLookup) -> LineParts:
        return (
            phrase(f"journal.{key}", who=names.labels(event.who)),
            kind,
            subject_of(event.who[0] if event.who else ""),
        )

    return format_line


def select_line(choose: Callable[[Any], str], *formatters: tuple[str, Formatter]) -> Formatter:
    """Return a formatter that chooses one of several formatters by an event's content."""
    by_key = dict(formatters)
    return lambda event, names: by_key[choose(event)](event, names)


def roll_total(roll: Roll) -> str:
    """Return a roll's total as text, with a mark beside a natural 20 or 1; `?` where it is unknown."""
    total = "?" if roll.total is None else str(roll.total)
    return f"{total} ({roll.natural}!)" if roll.natural in (1, 20) else total


def feet_line(key: str) -> Formatter:
    """Return a formatter for a line about a combatant who is moved some feet."""

    def format_line(event: Any, names: LabelLookup) -> LineParts:
        return phrase(f"journal.{key}", who=names.label(event.who), feet=event.feet), "world", subject_of(event.who)

    return format_line


def text_line(key: str, kind: str) -> Formatter:
    """Return a formatter for a line in a person's own words."""
    return lambda event, _: (phrase(f"journal.{key}", text=event.text), kind, NO_SUBJECT)


def by_flag(field: str, yes: str, no: str) -> Callable[[Any], str]:
    """Return a function that chooses between two keys by one field of an event."""
    return lambda event: yes if getattr(event, field) else no


def entry_line(key: str, kind: str = "world") -> Formatter:
    """Return a formatter for a line about a feature or action of an environment."""

    def format_line(event: Any, names: LabelLookup) -> LineParts:
        values: dict[str, str | int] = {"what": names.entry(event.environment, event.entry)}
        for field in ("face", "needed", "due"):
            if hasattr(event, field):
                values[field] = getattr(event, field) or "?"
        for field in ("who", "actor", "caster"):
            if getattr(event, field, ""):
                values[field] = names.label(getattr(event, field))
        if getattr(event, "reason", ""):
            values["reason"] = f"<{event.reason}>"
        return phrase(f"journal.{key}", **values), kind, (Environment.table, event.environment)

    return format_line


def countdown_line(key: str) -> Formatter:
    """Return a formatter for an event of a countdown pool: its name, and its dice where the event holds them."""

    def format_line(event: Any, names: LabelLookup) -> LineParts:
        values: dict[str, str | int] = {"what": names.countdown(event.countdown)}
        for field in ("dice", "face", "left", "reason"):
            if hasattr(event, field):
                values[field] = getattr(event, field)
        if hasattr(event, "faces"):
            values["faces"] = " ".join(map(str, event.faces)) or "?"
        if hasattr(event, "by"):
            values["by"] = f"{event.by:+d}"
        return phrase(f"journal.{key}", **values), "world", (Countdown.table, event.countdown)

    return format_line
