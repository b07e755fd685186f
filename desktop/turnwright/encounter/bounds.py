"""Bounds beyond the types: whether a record's numbers, texts and lists are within what their fields may hold.

They keep a damaged file, or a slip of the finger, from bringing in something unplayable.
"""

from __future__ import annotations

import msgspec

from turnwright.dice.errors import DiceError
from turnwright.dice.expression import parse
from turnwright.encounter.field_specs import FieldSpec, specs_of

MAX_BYTES = 8_000_000
MAX_LINES = 100_000
MAX_TEXT = 200_000
MAX_ITEMS = 10_000
MAX_COMBATANTS = 1_000
ANY = FieldSpec()


def problem_in(record: msgspec.Struct, before: msgspec.Struct | None = None) -> tuple[str, str]:
    """Return the name of the first field out of bounds in a record, nested records included, and its problem.

    `before` is the record that it replaces: what it has in common with that is within bounds already.
    """
    for spec in specs_of(type(record)):
        value = getattr(record, spec.name)
        if before is not None and value is getattr(before, spec.name):
            continue
        found = _problem(spec, value)
        if found[1]:
            return found
    return "", ""


def _problem(spec: FieldSpec, value: object) -> tuple[str, str]:
    if isinstance(value, int):
        return spec.name, spec.problem(value)
    if isinstance(value, str):
        if len(value) > MAX_TEXT:
            return spec.name, f"is longer than {MAX_TEXT} characters"
        return spec.name, dice_problem(value) if value and spec.kind == "dice" else ""
    if isinstance(value, msgspec.Struct):
        return problem_in(value)
    if isinstance(value, tuple):
        return _problem_inside(spec, value)
    return spec.name, ""


def _problem_inside(spec: FieldSpec, items: tuple[object, ...]) -> tuple[str, str]:
    name = spec.name
    if len(items) > MAX_ITEMS:
        return name, f"holds more than {MAX_ITEMS} entries"
    return next((found for item in items if (found := _problem(spec, item))[1]), (name, ""))


def dice_problem(text: str) -> str:
    """Return what is wrong with a dice expression, empty if nothing is."""
    try:
        parse(text)
    except DiceError as error:
        return f"is no dice expression such as 2d6+3 fire: {error}"
    return ""
