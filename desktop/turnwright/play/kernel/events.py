"""The base class of all events, and the records of phrases and journal lines."""

from __future__ import annotations

import msgspec

from turnwright.dice.roll import Roll


class Phrase(msgspec.Struct, frozen=True, omit_defaults=True):
    """A word key with its parameters: names, numbers, or further word keys in angle brackets (`<condition.prone>`)."""

    key: str
    params: tuple[tuple[str, str | int], ...] = ()


def phrase(key: str, **params: str | int) -> Phrase:
    """Return the phrase of a key with its parameters."""
    return Phrase(key, tuple(params.items()))


class Event(msgspec.Struct, frozen=True, tag=True, omit_defaults=True, kw_only=True):
    """Base of all events; the tag is the class name. `rule` is the id of the ledger rule that caused it, if any."""

    rule: str = ""


class DamageAdjustment(msgspec.Struct, frozen=True, omit_defaults=True):
    """One adjustment of damage on its way to the target: the amounts before and after, and why."""

    reason: str
    before: int
    after: int
    rule: str = ""


class RuleOverridden(Event, frozen=True, tag="DoneAnyway"):
    """A person overrode a rule that forbade an act, for a reason (a word key with its parameters)."""

    reason: str
    params: tuple[tuple[str, str | int], ...] = ()


class JournalLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the journal. `index` is its place among its step's lines; `kind` says what it is about.

    `subject` is the key (table, id) of the record that a click on the line shows, empty strings for none.
    """

    serial: int
    index: int
    round: int
    phrase: Phrase
    kind: str = "plain"
    turn: str = ""
    subject: tuple[str, str] = ("", "")
    rule: str = ""
    roll: Roll | None = None
    why: tuple[DamageAdjustment, ...] = ()
