"""Which fields of records hold ids or statements, and what is wrong with one that names nothing there is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import EnvironmentEntry
from turnwright.encounter.suggestions import nearest_hint
from turnwright.rules.system_data.actions import ActionCheck, ActionChoice, Requirement
from turnwright.rules.system_data.conditions import DataRule
from turnwright.rules.system_data.known_ids import KnownIds
from turnwright.rules.system_data.statements import StatementError, parse_statement, unknown_names

NamedKinds = str | tuple[str, str]  # the kind of a value, of the names of a small table, or of both sides of its pairs
STATEMENT: Final = "statement"

NAMED: Final[Mapping[tuple[type[msgspec.Struct], str], NamedKinds]] = MappingProxyType({
    (DataRule, "when"): STATEMENT,
    (Requirement, "when"): STATEMENT,
    (ActionCheck, "waived"): STATEMENT,
    (ActionChoice, "known"): STATEMENT,
    (EnvironmentEntry, "spared"): STATEMENT,
    (EnvironmentEntry, "reduced"): STATEMENT,
})  # fmt: skip


def unknown_in(kinds: NamedKinds, value: Any, known: KnownIds) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the place of each name in a field's value that is unknown, and what is wrong with it."""
    for path, kind, text in _names(kinds, value):
        for message in _problems(kind, text, known):
            yield path, message


def _names(kinds: NamedKinds, value: Any) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
    if isinstance(value, str):
        yield (), kinds if isinstance(kinds, str) else kinds[0], value
        return
    for index, item in enumerate(value.items() if isinstance(value, Mapping) else value):
        if isinstance(item, str):
            yield (index,), kinds if isinstance(kinds, str) else kinds[0], item
        else:
            place = item[0] if isinstance(value, Mapping) else index
            for kind, text in zip((kinds,) if isinstance(kinds, str) else kinds, item, strict=False):
                yield (place,), kind, text


def _problems(kind: str, text: str, known: KnownIds) -> Iterator[str]:
    if kind == STATEMENT:
        try:
            yield from unknown_names(parse_statement(text).facts, known)
        except StatementError as error:
            yield str(error)
    elif kind and text and text not in known[kind]:
        yield f"there is no {kind} {text!r}{nearest_hint(text, known[kind])}"
