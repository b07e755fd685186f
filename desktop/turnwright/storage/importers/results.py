"""The results of reading a foreign file: records with the notes on them, and records that can't be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, ParamSpec

import msgspec

from turnwright.encounter.prepared import Countdown, Creature, Environment, Party
from turnwright.encounter.state import Encounter
from turnwright.storage.conversion_report import ConversionNote, UnreadableError
from turnwright.storage.traits.understand import Extent

P = ParamSpec("P")
ODD_SHAPE: Final = (ValueError, TypeError, KeyError, AttributeError, IndexError, ArithmeticError, RecursionError)

Importable = Creature | Environment | Countdown | Party | Encounter


class UnderstoodFeature(msgspec.Struct, frozen=True):
    """A feature of an imported creature that entries of the catalogue of traits understood, and how far."""

    creature: str
    feature: str
    entries: tuple[str, ...]
    extent: Extent


class ImportedRecord(msgspec.Struct, frozen=True):
    """A record of a system with the notes on it. `file` is its source file, `name` the record's name.

    `understood` are those of its features that the catalogue of traits knows, `unplayed` is how many others are text only.
    """

    name: str
    record: Importable
    system: str
    file: str = ""
    reports: tuple[ConversionNote, ...] = ()
    understood: tuple[UnderstoodFeature, ...] = ()
    unplayed: int = 0


class UnreadRecord(msgspec.Struct, frozen=True):
    """A record, or a whole file where `record` is empty, that could not be read, and why."""

    file: str
    record: str
    why: str


class SkippedFile(msgspec.Struct, frozen=True):
    """A file in a folder that is of no format: a licence, a picture's notes. No failure. `what` describes it."""

    file: str
    what: str = ""


RecordState = Literal["new", "changed", "same", "edited", "removed"]


class ImportedFile(msgspec.Struct, frozen=True):
    """One imported record: its file in the library, its source file, and the format.

    `state` is what an earlier import of the same source makes it: edited or removed by a person, say.
    """

    name: str
    id: str
    kind: str
    system: str
    path: str
    file: str
    format: str
    state: RecordState = "new"


class WrittenFiles(msgspec.Struct, frozen=True):
    """The files that an import wrote into a folder that was there, and the backup of those that they replaced."""

    folder: str
    names: tuple[str, ...]
    aside: str = ""


class RecordCounts(msgspec.Struct, frozen=True):
    """The numbers of a source's records that are new, changed and the same since its last import, and those that a person edited or removed."""

    new: int = 0
    changed: int = 0
    same: int = 0
    edited: int = 0
    removed: int = 0


class ImportOutcome(msgspec.Struct, frozen=True):
    """The result of an import: its folder (empty where nothing was written), its records, and the notes.

    `counts` compares the source with its last import, None for a source that wasn't imported before; `written` are
    the files of an import into folders that were there. `gone` are the names of records that the last import has and
    the source no longer. `understood` are the features that the catalogue of traits knows, `unplayed` is how
    many others are text only.
    """

    folder: str
    placed: tuple[ImportedFile, ...] = ()
    reports: tuple[ConversionNote, ...] = ()
    unread: tuple[UnreadRecord, ...] = ()
    skipped: tuple[str, ...] = ()
    counts: RecordCounts | None = None
    written: tuple[WrittenFiles, ...] = ()
    gone: tuple[str, ...] = ()
    understood: tuple[UnderstoodFeature, ...] = ()
    unplayed: int = 0


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
