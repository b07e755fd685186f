"""Steps from one format of file to the next, as plain tables to plain tables.

`STEPS[n]` takes the tables of format n and returns those of format n + 1; it never changes what it is given. There
are none yet: format 1 is the first. Each one comes with an old sample in `tests/storage/samples`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from turnwright.storage.findings import FindingCollector

FORMAT = 1

Tables = dict[str, Any]
Migration = Callable[[Tables], Tables]

MIGRATIONS: Mapping[int, Migration] = MappingProxyType({})


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
            notes.error(("format",), f"expected a whole number from 1 to {self.newest}")
            return None
        if found > self.newest:
            message = (
                f"is {found}, from a newer Turnwright; this one reads up to {self.newest}. Update it to open the file"
            )
            notes.error(("format",), message)
            return None
        for number in range(found, self.newest):
            step = self.steps.get(number)
            if step is None:
                notes.error(("format",), f"is {found}; nothing leads from there to {self.newest}")
                return None
            tables = {**step(tables), "format": number + 1}
        return tables
