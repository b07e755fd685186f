"""Steps from one format of file to the next, as plain tables to plain tables.

A migration takes the tables of format n and returns those of format n + 1; it never changes what it is given. Each
comes with old samples in `tests/storage/samples`. Fight files have a number of their own, so that a new one of theirs
leaves the encounters, parties and library files that people wrote as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from turnwright.storage.findings import FindingCollector
from turnwright.storage.migrations.fight_2 import migrate_fight

FORMAT = 1
FIGHT_FORMAT = 2

Tables = dict[str, Any]
Migration = Callable[[Tables], Tables]

MIGRATIONS: Mapping[int, Migration] = MappingProxyType({})
FIGHT_MIGRATIONS: Mapping[int, Migration] = MappingProxyType({1: migrate_fight})


class FileFormat:
    """The newest format and the steps that lead to it."""

    def __init__(self, newest: int = FORMAT, steps: Mapping[int, Migration] = MIGRATIONS) -> None:
        self.newest = newest
        self.steps = steps

    def migrate(self, tables: Tables, notes: FindingCollector) -> Tables | None:
        """Return the tables in the newest format; None, with an error noted, where no steps lead there.

        A file that names no format is taken to be of the newest, with a warning.
        """
        found = tables.get("format")
        if found is None:
            notes.warn((), f"lacks format, a whole number; it is read as format {self.newest}")
            return tables
        if type(found) is not int or found < 0:
            wanted = f"a whole number from 1 to {self.newest}" if self.newest > 1 else "1"
            notes.error(("format",), f"expected {wanted}")
            return None
        if found > self.newest:
            told = f"is {found}, from a newer Turnwright; this one reads up to {self.newest}"
            notes.error(("format",), f"{told}. Update it to open the file")
            return None
        for number in range(found, self.newest):
            step = self.steps.get(number)
            if step is None:
                notes.error(("format",), f"is {found}; nothing leads from there to {self.newest}")
                return None
            tables = {**step(tables), "format": number + 1}
        return tables
