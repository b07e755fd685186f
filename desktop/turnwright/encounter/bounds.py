"""Checks of limits beyond types: whether a record's numbers, texts and lists are allowed in their fields.

They prevent unplayable records due to damaged files or typing mistakes.
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
    """Return the name of a record's first invalid field, including fields of nested records, and its problem.

    `before` is the record being replaced. Fields that haven't changed aren't checked again.
    """
    for spec in specs_of(type(record)):
        value = getattr(record, spec.name)
        if before is not None and value is getattr(before, spec.name):
            continue
        problem = _problem(spec, value)
        if problem[1]:
            return problem
    return "", ""


def _problem(spec: FieldSpec, value: object) -> tuple[str, str]:
    if isinstance(value, int):
        return spec.name, spec.problem(value)
    if isinstance(value, str):
        if len(value) > MAX_TEXT:
            return spec.name, f"longer than {MAX_TEXT:,} characters"
        return spec.name, dice_problem(value) if value and spec.kind == "dice" else ""
    if isinstance(value, msgspec.Struct):
        return problem_in(value)
    if isinstance(value, tuple):
        return _problem_inside(spec, value)
    return spec.name, ""


def _problem_inside(spec: FieldSpec, items: tuple[object, ...]) -> tuple[str, str]:
    name = spec.name
    if len(items) > MAX_ITEMS:
        return name, f"more than {MAX_ITEMS:,} entries"
    return next((problem for item in items if (problem := _problem(spec, item))[1]), (name, ""))


def dice_problem(text: str) -> str:
    """Return the error in a dice expression, or an empty string if it is valid."""
    try:
        parse(text)
    except DiceError as error:
        return f"not a dice expression such as 2d6+3 fire: {error}"
    return ""
