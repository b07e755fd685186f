"""What reading somebody's file gives: records with what could not be understood of them, and records that can't be read."""

from __future__ import annotations

import msgspec


class ConversionNote(msgspec.Struct, frozen=True):
    """Something of a record that stays as text only, or isn't kept: `field` as its source calls it, `text` as it stood."""

    record: str
    field: str
    text: str
    why: str


class UnreadableError(Exception):
    """Raised while one record is read that can't be: the words say why. The rest of the file is read all the same."""


class ConversionReport:
    """What one record's reader has to tell. The same thing is told once."""

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
        """Everything that was told, in order."""
        return tuple(self._told)
