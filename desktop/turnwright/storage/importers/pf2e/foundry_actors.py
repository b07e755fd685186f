"""Finds the fields of an actor of Foundry's Pathfinder 2e system, in its schema of 2021 (`data`) and later ones (`system`).

Numbers may be texts there, lists mappings by made-up keys, and the same field is in other places from year to
year: every number is looked for in all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from turnwright.storage.importers.common import (
    as_list,
    as_mapping,
    as_text,
    int_at,
    nested_value,
    text_at,
)
from turnwright.storage.importers.pf2e.stat_block import SourceNumber
from turnwright.storage.importers.pf2e.terms import SKILLS
from turnwright.storage.statblock_text.numbers import as_int

_SPEED = re.compile(
    r"^(?:(?P<name>[A-Za-z][A-Za-z ]{0,40}?):?\s{1,3})?(?P<feet>\d{1,4})(?: ?(?:feet|ft\.?))?(?P<rest>.*)$"
)
_PAGE = re.compile(r"^(?P<title>.{0,300}?),?\s{0,3}\b(?:pgs?|pp?|page)\b\.?\s*(?P<page>\d+)", re.IGNORECASE)


def system_data_of(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the system data of a document."""
    return as_mapping(document.get("system")) or as_mapping(document.get("data"))


def value_of(held: Any) -> Any:
    """Return a value that stands by itself, or is held in `{value: …}`."""
    return held.get("value") if isinstance(held, dict) else held


def values_of(value: Any) -> list[Any]:
    """Return the values of a list, or of a mapping with meaningless keys."""
    return list(value.values()) if isinstance(value, dict) else as_list(value)


def texts_of(value: Any) -> tuple[str, ...]:
    """Return the texts of a list, or of `{value: list, custom: text}`, or of one text separated by commas."""
    if isinstance(value, dict):
        more = as_text(value.get("custom"))
        found = (*texts_of(value.get("value")), *split_list(more))
        return tuple(one for one in found if one != "custom")
    if isinstance(value, str):
        return split_list(value)
    return tuple(text for one in as_list(value) if (text := as_text(one).strip()))


def split_list(text: str) -> tuple[str, ...]:
    """Return the parts of a list in words: commas and semicolons outside brackets separate them."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth = max(0, depth + (letter == "(") - (letter == ")"))
        if letter in ",;" and not depth:
            parts.append(text[start:at])
            start = at + 1
    return tuple(part for one in (*parts, text[start:]) if (part := one.strip()))


def perception(body: Mapping[str, Any]) -> int | None:
    """Return the total bonus of Perception."""
    found = int_at(body, "perception", "mod")
    return found if found is not None else int_at(body, "attributes", "perception", "value")


def traits(body: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the traits of an actor or an item."""
    own = as_mapping(body.get("traits"))
    return texts_of(own.get("traits")) if "traits" in own else texts_of(own)


def senses(body: Mapping[str, Any]) -> Iterator[str]:
    """Yield senses as a stat block writes them: `scent (imprecise) 60 feet`."""
    for held in (nested_value(body, "perception", "senses"), nested_value(body, "traits", "senses")):
        if isinstance(held, dict):
            yield from texts_of(held)
        for one in as_list(held):
            if isinstance(one, str):
                yield one
                continue
            acuity, feet = text_at(one, "acuity"), int_at(one, "range")
            name = (text_at(one, "type") or text_at(one, "label")).replace("-", " ")
            parts = (name, f"({acuity})" if acuity and acuity != "precise" else "", f"{feet} feet" if feet else "")
            yield " ".join(part for part in (*parts, text_at(one, "value").strip()) if part)
    yield from split_list(text_at(body, "perception", "details"))


def languages(body: Mapping[str, Any]) -> Iterator[str]:
    """Yield languages by their names, and remarks on them."""
    held: Any = next((one for place in ("details", "traits") if (one := nested_value(body, place, "languages"))), {})
    for one in texts_of(nested_value(held, "value")):
        if one != "custom":
            yield one.replace("-", " ").title() if one.islower() else one
    for text in (text_at(held, "custom"), text_at(held, "details")):
        yield from split_list(text.strip(" ,;"))


def skills(body: Mapping[str, Any], items: Sequence[Mapping[str, Any]]) -> Iterator[SourceNumber]:
    """Yield skills: from the actor in later schemas, from items (as lore always is) in earlier ones."""
    for name, held in as_mapping(body.get("skills")).items():
        base = int_at(held, "base")
        total = base if base is not None else int_at(held, "value")
        if total is None or (base is None and not total):
            continue
        special = [_special(one) for one in values_of(nested_value(held, "special"))]
        note = "; ".join(one for one in (*special, text_at(held, "note")) if one)
        yield SourceNumber(SKILLS.get(name, name), total, note)
    for item in items:
        lore = system_data_of(item)
        total = int_at(lore, "mod", "value")
        if item.get("type") == "lore" and total is not None:
            variants = (text_at(one, "label") for one in values_of(lore.get("variants")))
            yield SourceNumber(text_at(item, "name"), total, "; ".join(one for one in variants if one))


def _special(held: Any) -> str:
    base, label = int_at(held, "base"), text_at(held, "label")
    return f"{base:+d} {label}".strip() if base is not None else label


def speeds(body: Mapping[str, Any]) -> Iterator[SourceNumber]:
    """Yield modes of movement; `30; Fly: 40` in one field holds two of them."""
    held = as_mapping(nested_value(body, "attributes", "speed"))
    value = held.get("value")
    if isinstance(value, str) and as_int(value) is None:
        for part in split_list(value):
            yield _speed("", part)
    elif (feet := as_int(value)) is not None:
        yield SourceNumber("land", feet)
    for one in values_of(held.get("otherSpeeds")):
        name, feet = text_at(one, "type") or text_at(one, "label"), int_at(one, "value")
        yield SourceNumber(name, feet) if feet is not None else _speed(name, text_at(one, "value"))
    for name in ("details", "special"):
        for text in split_list(text_at(held, name)):
            yield SourceNumber(text, None)


def _speed(name: str, text: str) -> SourceNumber:
    found = _SPEED.match(text.strip())
    if found is None:
        return SourceNumber(name or text.strip(), None, text.strip() if name else "")
    return SourceNumber(name or found["name"] or "land", int(found["feet"]), found["rest"].strip(" ()"))


def immunities(body: Mapping[str, Any]) -> Iterator[str]:
    """Yield immunities, with their exceptions in brackets."""
    yield from texts_of(nested_value(body, "traits", "di"))
    yield from texts_of(nested_value(body, "traits", "ci"))
    for one in values_of(nested_value(body, "attributes", "immunities")):
        excepted = _exceptions_text(one)
        kind = text_at(one, "type") or text_at(one, "customLabel")
        yield f"{kind} ({excepted})" if excepted else kind


def resistances_or_weaknesses(body: Mapping[str, Any], early: str, late: str) -> Iterator[SourceNumber]:
    """Yield resistances or weaknesses: under `early` in the traits in earlier schemas, among the attributes later."""
    for one in (*values_of(nested_value(body, "traits", early)), *values_of(nested_value(body, "attributes", late))):
        kind = text_at(one, "type")
        name = text_at(one, "customLabel") if kind == "custom" else kind
        yield SourceNumber(name or text_at(one, "label"), int_at(one, "value"), _exceptions_text(one))


def _exceptions_text(one: Any) -> str:
    excepted, doubled = _named(nested_value(one, "exceptions")), _named(nested_value(one, "doubleVs"))
    said = (f"except {excepted}" if excepted else "", f"double against {doubled}" if doubled else "")
    return "; ".join(part for part in said if part)


def _named(value: Any) -> str:
    if isinstance(value, str):
        return value.strip().removeprefix("except ")
    names = (text_at(one, "label") if isinstance(one, dict) else as_text(one) for one in as_list(value))
    return " or ".join(name.replace("-", " ") for name in names if name)


def source(body: Mapping[str, Any], collection: str) -> str:
    """Return the source of a record: the collection, the book, and the page."""
    old = nested_value(body, "details", "source") or body.get("source")
    said = published(body, "title") or as_text(value_of(old))
    found = _PAGE.match(said)
    title = f"{found['title']}, page {found['page']}" if found else said.strip()
    return f"{collection}: {title}" if title else collection


def published(body: Mapping[str, Any], name: str) -> str:
    """Return what a record says of its publication under a name, empty for nothing."""
    return text_at(body, "details", "publication", name) or text_at(body, "publication", name)
