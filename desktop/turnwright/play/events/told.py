"""What every event is made of: the base of all, phrases of the catalogue of words, and why damage changed on its way."""

from __future__ import annotations

import msgspec


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


class Adjustment(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that changed damage on its way: from so much to so much, and why."""

    reason: str
    before: int
    after: int
    rule: str = ""
