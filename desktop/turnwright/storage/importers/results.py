"""What reading somebody's file gives: records with what could not be understood of them, and records that can't be read."""

from __future__ import annotations

import msgspec

from turnwright.encounter.prepared import Countdown, Creature, Environment, Party
from turnwright.encounter.state import Encounter

Importable = Creature | Environment | Countdown | Party | Encounter


class Report(msgspec.Struct, frozen=True):
    """Something of a record that stays as text only, or isn't kept: `field` as its source calls it, `text` as it stood."""

    record: str
    field: str
    text: str
    why: str


class Imported(msgspec.Struct, frozen=True):
    """A record of a system, and what of it could not be understood. `file` is where it stood, `name` what it is called."""

    name: str
    record: Importable
    system: str
    file: str = ""
    reports: tuple[Report, ...] = ()


class Unread(msgspec.Struct, frozen=True):
    """A record, or a whole file where `record` is empty, that could not be read, and why."""

    file: str
    record: str
    why: str


class Skipped(msgspec.Struct, frozen=True):
    """A file that was found in a folder and holds nothing of any format: a licence, a picture's notes. No failure."""

    file: str


class Unreadable(Exception):
    """Raised while one record is read that can't be: the words say why. The rest of the file is read all the same."""


class Account:
    """What one record's reader has to tell. The same thing is told once."""

    __slots__ = ("_told", "record")

    def __init__(self, record: str) -> None:
        self.record = record
        self._told: dict[Report, None] = {}

    def tell(self, field: str, text: object, why: str) -> None:
        """Report that a field, or this text of it, stays as text only or isn't kept."""
        words = text if isinstance(text, str) else repr(text)
        self._told[Report(self.record, field, words[:400], why)] = None

    @property
    def reports(self) -> tuple[Report, ...]:
        """Everything that was told, in order."""
        return tuple(self._told)
