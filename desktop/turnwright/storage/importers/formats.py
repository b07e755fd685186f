"""The formats that can be read, in the order in which they are asked whether a file is theirs.

A format is recognised by content and never by a file's name. Its module loads only when something is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Final

import msgspec

from turnwright.storage.importers.documents import Document
from turnwright.storage.importers.results import Imported, Skipped, Unread

MODULES: Final = (
    "own",
    "open5e_v1",
    "open5e_v2",
    "open5e_api",
    "five_e_bits",
    "improved_initiative",
    "foundry_a5e",
    "foundry_dnd5e",
    "foundry_pf2e",
    "pf2_yaml",
    "kobold",
    "fantasy_statblocks",
)
Read = Callable[[Sequence[Document], str], Iterator[Imported | Unread | Skipped]]


def _nothing(_document: Document) -> str:
    return ""


class Format(msgspec.Struct, frozen=True):
    """One format: `claims` says whether a document is of it; `read` gives the records of all that are.

    `read` takes the documents together (some formats spread a creature over several) and the id of the rule system
    that a person asked for, empty to go by what the documents say. It raises nothing for what stands in a document.
    `others` says in words what a document of the same collection holds that has nothing to import, empty for any other.
    `own`: its records are this program's, and stay as they are.
    """

    id: str
    title: str
    claims: Callable[[Document], bool]
    read: Read
    others: Callable[[Document], str] = _nothing
    own: bool = False


def formats() -> tuple[Format, ...]:
    """Return every format, most particular first."""
    return tuple(import_module(f"turnwright.storage.importers.{name}").FORMAT for name in MODULES)
