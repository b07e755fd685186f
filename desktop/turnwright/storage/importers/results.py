"""The results of reading a foreign file: records with the notes on them, and records that can't be read."""

from __future__ import annotations

import msgspec

from turnwright.encounter.prepared import Countdown, Creature, Environment, Party
from turnwright.encounter.state import Encounter
from turnwright.storage.conversion_report import ConversionNote

Importable = Creature | Environment | Countdown | Party | Encounter


class ImportedRecord(msgspec.Struct, frozen=True):
    """A record of a system with the notes on it. `file` is its source file, `name` the record's name."""

    name: str
    record: Importable
    system: str
    file: str = ""
    reports: tuple[ConversionNote, ...] = ()


class UnreadRecord(msgspec.Struct, frozen=True):
    """A record, or a whole file where `record` is empty, that could not be read, and why."""

    file: str
    record: str
    why: str


class SkippedFile(msgspec.Struct, frozen=True):
    """A file in a folder that is of no format: a licence, a picture's notes. No failure."""

    file: str
