"""The results of an import: records with the notes on them, and unreadable records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, ParamSpec

import msgspec

from turnwright.encounter.prepared import Countdown, Creature, Environment, Party
from turnwright.encounter.state import Encounter
from turnwright.importers.traits.understand import Extent
from turnwright.storage.conversion_report import ConversionNote, UnreadableError

P = ParamSpec("P")
ODD_SHAPE: Final = (ValueError, TypeError, KeyError, AttributeError, IndexError, ArithmeticError, RecursionError)

Importable = Creature | Environment | Countdown | Party | Encounter


class UnderstoodFeature(msgspec.Struct, frozen=True):
    """A feature of an imported creature that the trait catalogue read, the entries used, and the extent."""

    creature: str
    feature: str
    entries: tuple[str, ...]
    extent: Extent


class ImportedRecord(msgspec.Struct, frozen=True):
    """A record with its rule system and the notes on it. `file` is its source file, `name` the record's name.

    `understood` are the features that the trait catalogue read; `unplayed` counts the others that are text only.
    """

    name: str
    record: Importable
    system: str
    file: str = ""
    reports: tuple[ConversionNote, ...] = ()
    understood: tuple[UnderstoodFeature, ...] = ()
    unplayed: int = 0


class UnreadRecord(msgspec.Struct, frozen=True):
    """A record that could not be read, or a whole file if `record` is empty, with the reason."""

    file: str
    record: str
    why: str


class SkippedFile(msgspec.Struct, frozen=True):
    """A file in a folder that belongs to no format, such as a licence; not an error. `what` describes it."""

    file: str
    what: str = ""


RecordState = Literal["new", "changed", "same", "edited", "removed"]


class ImportedFile(msgspec.Struct, frozen=True):
    """One imported record: its file in the library, its source file and its format.

    `state` compares it with an earlier import of the same source.
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
    """The files that an import wrote into an existing folder, and the backup folder of the files they replaced."""

    folder: str
    names: tuple[str, ...]
    aside: str = ""


class RecordCounts(msgspec.Struct, frozen=True):
    """How many of a source's records are new, changed, unchanged, edited or removed since its last import."""

    new: int = 0
    changed: int = 0
    same: int = 0
    edited: int = 0
    removed: int = 0


class ImportOutcome(msgspec.Struct, frozen=True):
    """The result of an import: its folder (empty if nothing was written), its records and the notes.

    `counts` compares the source with its last import, and is None for a new source. `written` are the files written
    into existing folders. `gone` are the names of records that only the last import has. `understood` are the features
    that the trait catalogue read; `unplayed` counts the others that are text only.
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
    """Return the result of converting one record, or an `UnreadRecord` with its name if it can't be read."""
    try:
        return convert(*args, **kwargs)
    except UnreadableError as error:
        return UnreadRecord(file, called, str(error))
    except ODD_SHAPE as error:
        return UnreadRecord(file, called, f"unexpected data: {error}"[:400])
