"""Migrates plain tables from one file format to the next.

A migration returns the tables of format n in format n + 1, and doesn't change its input. Old samples for each are in
`tests/storage/samples`. Fight files have their own format number, so changes to fights don't affect the format of
encounters, parties and library files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from turnwright.storage.findings import FindingCollector
from turnwright.storage.migrations.fight_2 import migrate_fight
from turnwright.storage.toml.reader import type_name

FORMAT = 1
FIGHT_FORMAT = 2

Tables = dict[str, Any]
Migration = Callable[[Tables], Tables]

MIGRATIONS: Mapping[int, Migration] = MappingProxyType({})
FIGHT_MIGRATIONS: Mapping[int, Migration] = MappingProxyType({1: migrate_fight})


class FileFormat:
    """The newest format of a kind of file, and the migrations that lead to it."""

    def __init__(self, newest: int = FORMAT, steps: Mapping[int, Migration] = MIGRATIONS) -> None:
        self.newest = newest
        self.steps = steps

    def migrate(self, tables: Tables, notes: FindingCollector) -> Tables | None:
        """Convert tables to the newest format, or add an error and return None if that is impossible.

        A file without a format number is assumed to have the newest format, with a warning.
        """
        format = tables.get("format")
        if format is None:
            line = f"format = {self.newest}"
            message = f"missing key `format` (a whole number); assuming {self.newest}. Add this line at the top: {line}"
            notes.warn((), message)
            return tables
        if type(format) is not int or format < 0:
            expected = f"a whole number from 1 to {self.newest}" if self.newest > 1 else "1"
            notes.error(("format",), f"expected {expected}, found {type_name(format)}")
            return None
        if format > self.newest:
            problem = f"{format} is newer than this version of Turnwright supports (up to {self.newest})"
            notes.error(("format",), f"{problem}; update Turnwright to open the file")
            return None
        for number in range(format, self.newest):
            step = self.steps.get(number)
            if step is None:
                notes.error(("format",), f"{format} can't be converted to format {self.newest}")
                return None
            tables = {**step(tables), "format": number + 1}
        return tables
