"""The results of reading a foreign file: records with the notes on them, and records that can't be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, ParamSpec

import msgspec

from turnwright.encounter.prepared import Countdown, Creature, Environment, Party
from turnwright.encounter.state import Encounter
from turnwright.storage.conversion_report import ConversionNote, UnreadableError

P = ParamSpec("P")
ODD_SHAPE: Final = (ValueError, TypeError, KeyError, AttributeError, IndexError, ArithmeticError, RecursionError)

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
    """A file in a folder that is of no format: a licence, a picture's notes. No failure. `what` describes it."""

    file: str
    what: str = ""


def convert_record(
    file: str,
    called: str,
    convert: Callable[P, ImportedRecord | UnreadRecord],
    *args: P.args,
    **kwargs: P.kwargs,
) -> ImportedRecord | UnreadRecord:
    """Return the result of converting one record; one that can't be read is reported by the name it is called."""
    try:
        return convert(*args, **kwargs)
    except UnreadableError as error:
        return UnreadRecord(file, called, str(error))
    except ODD_SHAPE as error:
        return UnreadRecord(file, called, f"is of a shape that can't be read: {error}"[:400])
