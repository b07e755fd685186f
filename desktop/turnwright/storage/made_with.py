"""Writes the version of Turnwright into files, so that an older version can say why it doesn't understand a file."""

import re
from collections.abc import Mapping
from typing import Any

from turnwright import __version__
from turnwright.storage.findings import FindingCollector
from turnwright.storage.toml.record_tree import StructTable

MADE_WITH = "made_with"
_VERSION = re.compile(r"\d+(\.\d+)*")


def with_version(tree: StructTable, after: str) -> StructTable:
    """Return a file's tree with this version of Turnwright below the key `after`."""
    keys = list(tree)
    place = keys.index(after) + 1
    return StructTable({**{key: tree[key] for key in keys[:place]}, MADE_WITH: __version__, **tree})


def note_newer_version(tables: Mapping[str, Any], notes: FindingCollector) -> None:
    """Add a note that a newer version wrote the file, if anything in the file wasn't understood."""
    version = tables.get(MADE_WITH)
    if notes.notes and isinstance(version, str) and _numbers(version) > _numbers(__version__):
        add = notes.error if notes.has_errors else notes.warn
        add((MADE_WITH,), f"made with Turnwright {version}; this is {__version__}. Update Turnwright to read all of it")


def _numbers(version: str) -> tuple[int, ...]:
    found = _VERSION.match(version)
    return tuple(int(number) for number in found[0].split(".")) if found else ()
