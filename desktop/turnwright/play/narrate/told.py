"""What every teller is made of: names for ids, and the lines that many events share but for their words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from turnwright.dice.roll import Roll
from turnwright.encounter.prepared import Countdown, Environment
from turnwright.encounter.running import Combatant
from turnwright.play.events import Phrase, phrase
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.surroundings import entry_in

Told = tuple[Phrase, str, tuple[str, str]]
NO_SUBJECT = ("", "")


class Names:
    """Finds the names of ids as they are now, or were before this step took them away."""

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx

    def who(self, id: str) -> str:
        """Return a combatant's label."""
        one = self._tx.get(Combatant, id) or self._tx.base.get(Combatant, id)
        return one.label if one else id

    def all(self, ids: tuple[str, ...]) -> str:
        """Return labels in a row."""
        return ", ".join(self.who(id) for id in ids)

    def countdown(self, id: str) -> str:
        """Return a countdown's name."""
        found = self._tx.get(Countdown, id) or self._tx.base.get(Countdown, id)
        return found.name if found else id

    def row(self, environment: str, entry: str) -> str:
        """Return the name of a row of an environment."""
        place = self._tx.get(Environment, environment) or self._tx.base.get(Environment, environment)
        row = entry_in(place, entry) if place else None
        return row.name if row else entry


Teller = Callable[[Any, Names], Told]


def about(id: str) -> tuple[str, str]:
    """Return the key of a combatant that a line is about, none for nobody."""
    return (Combatant.table, id) if id else NO_SUBJECT


def plain(key: str, kind: str = "plain") -> Teller:
    """A line that needs nothing but who it is about."""

    def told(event: Any, names: Names) -> Told:
        who = getattr(event, "who", "")
        return phrase(f"journal.{key}", who=names.who(who)), kind, about(who)

    return told


def members(key: str, kind: str) -> Teller:
    """Return a line about several combatants, which a click takes to the first."""

    def told(event: Any, names: Names) -> Told:
        return phrase(f"journal.{key}", who=names.all(event.who)), kind, about(event.who[0] if event.who else "")

    return told


def either(choose: Callable[[Any], str], *tellers: tuple[str, Teller]) -> Teller:
    """Return a line told in one of several ways, by what an event says."""
    by_key = dict(tellers)
    return lambda event, names: by_key[choose(event)](event, names)


def total_of(roll: Roll) -> str:
    """Return a roll's total as text, with a mark beside a natural 20 or 1; `?` where nobody knows it."""
    total = "?" if roll.total is None else str(roll.total)
    return f"{total} ({roll.natural}!)" if roll.natural in (1, 20) else total


def shifted(key: str) -> Teller:
    """Return a line about somebody who is moved so many feet."""

    def told(event: Any, names: Names) -> Told:
        return phrase(f"journal.{key}", who=names.who(event.who), feet=event.feet), "world", about(event.who)

    return told


def text(key: str, kind: str) -> Teller:
    """Return a line in a person's own words."""
    return lambda event, _: (phrase(f"journal.{key}", text=event.text), kind, NO_SUBJECT)


def whether(field: str, yes: str, no: str) -> Callable[[Any], str]:
    """Return what chooses between two ways of telling by one field of an event."""
    return lambda event: yes if getattr(event, field) else no
