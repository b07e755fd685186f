"""The report on reading a foreign file: fields that were not understood, and records that can't be read."""

from __future__ import annotations

import msgspec


class ConversionNote(msgspec.Struct, frozen=True):
    """A field that is kept as text only, or isn't kept.

    `field` has the name that its source gives it, `text` is its content there.
    """

    record: str
    field: str
    text: str
    why: str


class UnreadableError(Exception):
    """Raised for a record that can't be read: the message says why. The rest of the file is read nevertheless."""


class ConversionReport:
    """The notes on one record. A note that is added twice is kept once."""

    __slots__ = ("_told", "record")

    def __init__(self, record: str) -> None:
        self.record = record
        self._told: dict[ConversionNote, None] = {}

    def add_note(self, field: str, text: object, why: str) -> None:
        """Report that a field, or this text of it, stays as text only or isn't kept."""
        words = text if isinstance(text, str) else repr(text)
        self._told[ConversionNote(self.record, field, words[:400], why)] = None

    @property
    def notes(self) -> tuple[ConversionNote, ...]:
        """Every note, in order."""
        return tuple(self._told)
