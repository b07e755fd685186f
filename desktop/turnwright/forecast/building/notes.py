"""A sheet's lists of used, assumed and left-out parts, with a reason for each entry."""

from __future__ import annotations

from typing import Literal

from turnwright.forecast.sheet import SheetNote

ListName = Literal["used", "assumed", "left-out"]


class Notes:
    """Collects notes. Each list contains a part of a record at most once."""

    def __init__(self) -> None:
        self._notes: dict[tuple[str, str, str, str, str], SheetNote] = {}

    def used(self, table: str, subject: str, item: str, reason: str = "forecast.note.used") -> None:
        """Note that a part is included in the sheet unchanged."""
        self._add("used", table, subject, item, reason)

    def assumed(self, table: str, subject: str, item: str, reason: str, **params: str | int) -> None:
        """Note that a part is included in the sheet, based on an assumption."""
        self._add("assumed", table, subject, item, f"forecast.note.{reason}", **params)

    def left_out(self, table: str, subject: str, item: str, reason: str, **params: str | int) -> None:
        """Note that a part isn't included in the sheet."""
        self._add("left-out", table, subject, item, f"forecast.note.{reason}", **params)

    def all(self) -> tuple[SheetNote, ...]:
        """Return the notes, omitting `used` notes on parts that also have an assumption or a gap."""
        noted = {
            (note.table, note.subject, note.item) for note in self._notes.values() if note.list != "used" and note.item
        }
        return tuple(
            note
            for note in self._notes.values()
            if note.list != "used" or (note.table, note.subject, note.item) not in noted
        )

    def has(self, table: str, subject: str, item: str) -> bool:
        """Return whether any list has a note on this part of a record."""
        return any(key[1:4] == (table, subject, item) for key in self._notes)

    def is_in_use(self, table: str, subject: str, item: str) -> bool:
        """Return whether a part of a record is included in the sheet, possibly based on an assumption."""
        return any(key[0] != "left-out" and key[1:4] == (table, subject, item) for key in self._notes)

    def _add(self, where: ListName, table: str, subject: str, item: str, reason: str, **params: str | int) -> None:
        key = (where, table, subject, item, reason)
        self._notes[key] = SheetNote(where, table, subject, item, reason, tuple(params.items()))
