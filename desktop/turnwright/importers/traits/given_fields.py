"""The fields that a trait catalogue's entry gives a feature: fills their slots with the matched words, and checks them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from turnwright.encounter.prepared import Feature
from turnwright.rules.system_data.known_ids import KnownIds
from turnwright.rules.system_data.references import STATEMENT, ids_in, problems
from turnwright.rules.system_data.statements import BARE, StatementError, parse_statement
from turnwright.storage.findings import FindingCollector
from turnwright.storage.toml.keys import KeyPath
from turnwright.storage.toml.reader import read_struct

NOTHING: Final = object()
SLOT: Final = re.compile(r"\{([a-z][a-z_-]*[0-9]?)(\+[0-9])?\}")  # `{n+1}` adds 1 to the value
SAMPLES: Final[Mapping[str, str]] = {  # a possible value of each slot that has no list of words
    "n": "5", "dc": "15", "feet": "10", "bonus": "2", "dice": "1d6", "it": "it", "its": "its", "own": "weapon", "name": "weapon",
}  # fmt: skip
_PENALTY: Final = re.compile(r"-[0-9]{1,5}")
_PLAIN: Final = Feature("a", "a")


def default_of(field: str) -> Any:
    """Return the default value of a feature's field."""
    return getattr(_PLAIN, field)


def feature_fields(fields: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return filled fields as a table. Numbers in fields for text become text."""
    return {
        field: str(value) if isinstance(value, int) and isinstance(default_of(field), str) else value
        for field, value in fields
    }


def problems_of_given(
    gives: Mapping[str, Any], values: Mapping[str, str], known: KnownIds | None
) -> Iterator[tuple[KeyPath, str]]:
    """Yield the key path and a message for each mistake in an entry's fields, once their slots are filled.

    Without the `known` ids of the rule system, only the form of the fields and statements is checked.
    """
    notes = FindingCollector()
    table = feature_fields((field, filled(value, values)) for field, value in gives.items())
    feature = read_struct(Feature, {"id": "sample", "name": "Sample", **table}, (), notes)
    yield from ((note.path, note.message) for note in notes.notes)
    for path, kind, text in ids_in(feature) if feature is not None else ():
        if known is not None:
            found = (message for _, _, message in problems(kind, text, known))
            yield from ((path, message) for message in found if not _may_be_gear(message))
        elif kind == STATEMENT and (wrong := _statement_problem(text)):
            yield path, wrong


def _may_be_gear(message: str) -> bool:
    """Whether a message is about a word that may be gear of a creature: it is unlike any known word."""
    return message.startswith(f"unknown {BARE} ") and "did you mean" not in message


def _statement_problem(text: str) -> str:
    try:
        parse_statement(text)
    except StatementError as error:
        return str(error)
    return ""


def filled(stated: Any, values: Mapping[str, str]) -> Any:
    """Fill the slots in a value of an entry. Return `NOTHING` if no slot was matched."""
    if isinstance(stated, str):
        return _filled_text(stated, values)
    if isinstance(stated, Mapping):
        if SLOT.search(repr(stated)) is None:
            return stated
        inner = {key: value for key, part in stated.items() if (value := filled(part, values)) is not NOTHING}
        return inner if stated.keys() - inner.keys() <= {"when"} else NOTHING
    if isinstance(stated, list):
        items = [value for part in stated if (value := filled(part, values)) is not NOTHING]
        return items if items or not stated else NOTHING
    return stated


def _filled_text(stated: str, values: Mapping[str, str]) -> Any:
    slots = [slot.replace("-", "_") for slot, _ in SLOT.findall(stated)]
    if not slots:
        return stated
    if SLOT.fullmatch(stated):
        value = values.get(slots[0])
        if value is None:
            return NOTHING
        return int(value) if value.isdecimal() and not slots[0].startswith("dice") else value
    parts = [
        " | ".join(_put(fact, values) for fact in part.split(" | ") if _is_known(fact, values))
        for part in stated.split(", ")
    ]
    text = ", ".join(part for part in parts if part)
    return int(text) if _PENALTY.fullmatch(text) else text or NOTHING


def _is_known(text: str, values: Mapping[str, str]) -> bool:
    return all(slot.replace("-", "_") in values for slot, _ in SLOT.findall(text))


def _put(text: str, values: Mapping[str, str]) -> str:
    def value(slot: re.Match[str]) -> str:
        number = values[slot[1].replace("-", "_")]
        return str(int(number) + int(slot[2])) if slot[2] else number

    return SLOT.sub(value, text)
