"""Reports problems in files of other programs: fields that weren't understood, and unreadable records."""

from __future__ import annotations

import msgspec

from turnwright.encounter.prepared import SourceNote


class ConversionNote(msgspec.Struct, frozen=True):
    """A note on a field that was kept as text only, changed or ignored.

    `field` and `text` are the field's name and content in the source. `why` is a phrase without a leading verb. It
    states the problem and its consequence (`not a size; treated as Medium`). It is printed after the field, and is a
    heading in the window.
    """

    record: str
    field: str
    text: str
    why: str

    def __str__(self) -> str:
        """Return `record: field: reason: "text"`, without the text if it is empty."""
        text = f': "{self.text}"' if self.text else ""
        return f"{self.record}: {self.field}: {self.why}{text}"


class UnreadableError(Exception):
    """Raised with a reason if a record can't be read. The rest of the file is still read."""


class ConversionReport:
    """The notes on one record, and the remarks to store in it. Repeated notes are listed once."""

    __slots__ = ("_told", "record", "remarks")

    def __init__(self, record: str) -> None:
        self.record = record
        self.remarks: list[SourceNote] = []
        self._told: dict[ConversionNote, None] = {}

    def add_note(self, field: str, text: object, why: str) -> None:
        """Add a note on a field, or on a text in it. Values that aren't text are shown by their `repr`."""
        words = text if isinstance(text, str) else repr(text)
        self._told[ConversionNote(self.record, field, words[:400], why)] = None

    def add_remark(self, about: str, text: str, why: str = "", *, field: str = "") -> None:
        """Store a text of the source as a remark on a field of the record, and add a note if there is a reason.

        `field` is the field's name in the source, if it differs.
        """
        if text:
            self.remarks.append(SourceNote(about, text))
        if text and why:
            self.add_note(field or about, text, why)

    def take_back_note(self, field: str, text: str) -> None:
        """Remove the notes on a text of a field that could be read as a number after all."""
        self._told = {note: None for note in self._told if (note.field, note.text) != (field, text[:400])}

    @property
    def notes(self) -> tuple[ConversionNote, ...]:
        """All notes, in the order in which they were added."""
        return tuple(self._told)
