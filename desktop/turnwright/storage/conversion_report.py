"""The report on reading a foreign file: fields that were not understood, and records that can't be read."""

from __future__ import annotations

import msgspec

from turnwright.encounter.prepared import SourceNote


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
    """The notes on one record, and the remarks that are kept with it. A note that is added twice is kept once."""

    __slots__ = ("_told", "record", "remarks")

    def __init__(self, record: str) -> None:
        self.record = record
        self.remarks: list[SourceNote] = []
        self._told: dict[ConversionNote, None] = {}

    def add_note(self, field: str, text: object, why: str) -> None:
        """Report that a field, or this text of it, stays as text only or isn't kept."""
        words = text if isinstance(text, str) else repr(text)
        self._told[ConversionNote(self.record, field, words[:400], why)] = None

    def add_remark(self, about: str, text: str, why: str = "", *, field: str = "") -> None:
        """Keep words of a source as a remark on a field of the record, and report them where a reason is given.

        `field` is the name of the field in the source, if it has another there.
        """
        if text:
            self.remarks.append(SourceNote(about, text))
        if text and why:
            self.add_note(field or about, text, why)

    def take_back_note(self, field: str, text: str) -> None:
        """Remove the notes on a text of a field, which became a figure after all."""
        self._told = {note: None for note in self._told if (note.field, note.text) != (field, text[:400])}

    @property
    def notes(self) -> tuple[ConversionNote, ...]:
        """Every note, in order."""
        return tuple(self._told)
