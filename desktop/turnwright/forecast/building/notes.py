"""The lists of a sheet: what it uses, what it assumes and what it leaves out, each with its reason."""

from __future__ import annotations

from typing import Literal

from turnwright.forecast.sheet import SheetNote

ListName = Literal["used", "assumed", "left-out"]


class Notes:
    """Collects notes, each record's part once in each list."""

    def __init__(self) -> None:
        self._notes: dict[tuple[str, str, str, str, str], SheetNote] = {}

    def used(self, table: str, subject: str, item: str, reason: str = "forecast.note.used") -> None:
        """Note that something is in the sheet as it stands."""
        self._add("used", table, subject, item, reason)

    def assumed(self, table: str, subject: str, item: str, reason: str, **params: str | int) -> None:
        """Note that something is in the sheet by an assumption."""
        self._add("assumed", table, subject, item, f"forecast.note.{reason}", **params)

    def left_out(self, table: str, subject: str, item: str, reason: str, **params: str | int) -> None:
        """Note that something is not in the sheet."""
        self._add("left-out", table, subject, item, f"forecast.note.{reason}", **params)

    def all(self) -> tuple[SheetNote, ...]:
        """Return the notes; what is used is not listed where an assumption or a gap says so of the same part."""
        told = {(one.table, one.subject, one.item) for one in self._notes.values() if one.list != "used" and one.item}
        return tuple(
            one for one in self._notes.values() if one.list != "used" or (one.table, one.subject, one.item) not in told
        )

    def has(self, table: str, subject: str, item: str) -> bool:
        """Return whether there is a note of any list on a part of a record."""
        return any(key[1:4] == (table, subject, item) for key in self._notes)

    def is_in_use(self, table: str, subject: str, item: str) -> bool:
        """Return whether a part of a record is in the sheet, be it by an assumption."""
        return any(key[0] != "left-out" and key[1:4] == (table, subject, item) for key in self._notes)

    def _add(self, where: ListName, table: str, subject: str, item: str, reason: str, **params: str | int) -> None:
        key = (where, table, subject, item, reason)
        self._notes[key] = SheetNote(where, table, subject, item, reason, tuple(params.items()))
