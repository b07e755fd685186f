"""What happened: typed facts in the past tense, each with the ledger rule that made it so where one did."""

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
    """Base of all events; the tag is the class name. `rule` is the ledger id it happened by, if any."""

    rule: str = ""


class DamageAdjustment(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that changed damage on its way: from so much to so much, and why."""

    reason: str
    before: int
    after: int
    rule: str = ""


class RuleOverridden(Event, frozen=True, tag="DoneAnyway"):
    """A rule forbade it, for a reason (a word key with its parameters), and a person did it all the same."""

    reason: str
    params: tuple[tuple[str, str | int], ...] = ()


class JournalLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the journal. `index` is its place among its step's lines; `kind` says what it is about.

    `subject` is the key (table, id) of what a click on it should show, empty strings for nothing.
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
