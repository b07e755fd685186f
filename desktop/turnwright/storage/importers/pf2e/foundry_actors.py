"""Finds the fields of an actor of Foundry's Pathfinder 2e system, in its schema of 2021 (`data`) and later ones (`system`).

Numbers may be texts there, lists mappings by made-up keys, and the same field is in other places from year to
year: every number is looked for in all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from turnwright.encounter.prepared import NamedNumbers
from turnwright.storage.importers.common import as_list, as_mapping, as_text
from turnwright.storage.importers.pf2e.stat_block import SourceDefence, SourceSkill, SourceSpeed
from turnwright.storage.importers.pf2e.terms import SAVES, SKILLS
from turnwright.storage.statblock_text.numbers import as_int

_SPEED = re.compile(
    r"^(?:(?P<name>[A-Za-z][A-Za-z ]{0,40}?):?\s{1,3})?(?P<feet>\d{1,4})(?: ?(?:feet|ft\.?))?(?P<rest>.*)$"
)
_PAGE = re.compile(r"^(?P<title>.{0,300}?),?\s{0,3}\b(?:pgs?|pp?|page)\b\.?\s*(?P<page>\d+)", re.IGNORECASE)
ABILITIES = ("str", "dex", "con", "int", "wis", "cha")


def system_data_of(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the system data of a document."""
    return as_mapping(document.get("system")) or as_mapping(document.get("data"))


def nested_value(value: Any, *names: str) -> Any:
    """Return the value under nested names, None where one of them isn't there."""
    for name in names:
        value = as_mapping(value).get(name)
    return value


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


def abilities(body: Mapping[str, Any]) -> NamedNumbers:
    """Return ability modifiers in their order."""
    found = ((id, as_int(nested_value(body, "abilities", id, "mod"))) for id in ABILITIES)
    return tuple((id, mod) for id, mod in found if mod is not None)


def level(body: Mapping[str, Any]) -> int | None:
    """Return the level."""
    held = nested_value(body, "details", "level")
    return as_int(nested_value(held, "value") if isinstance(held, dict) else held)


def saves(body: Mapping[str, Any]) -> NamedNumbers:
    """Return total bonuses of the saves that have one."""
    found = (
        (SAVES[name], as_int(nested_value(body, "saves", name, "value"))) for name in ("fortitude", "reflex", "will")
    )
    return tuple((id, total) for id, total in found if total is not None)


def perception(body: Mapping[str, Any]) -> int | None:
    """Return the total bonus of Perception."""
    found = as_int(nested_value(body, "perception", "mod"))
    return found if found is not None else as_int(nested_value(body, "attributes", "perception", "value"))


def traits(body: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the traits of an actor or an item."""
    own = as_mapping(body.get("traits"))
    return texts_of(own.get("traits")) if "traits" in own else texts_of(own)


def rarity(body: Mapping[str, Any]) -> str:
    """Return the rarity of an actor or an item."""
    said = nested_value(body, "traits", "rarity")
    return as_text(nested_value(said, "value") if isinstance(said, dict) else said)


def senses(body: Mapping[str, Any]) -> Iterator[str]:
    """Yield senses as a stat block writes them: `scent (imprecise) 60 feet`."""
    for held in (nested_value(body, "perception", "senses"), nested_value(body, "traits", "senses")):
        if isinstance(held, dict):
            yield from texts_of(held)
        for one in as_list(held):
            if isinstance(one, str):
                yield one
                continue
            acuity, feet = as_text(nested_value(one, "acuity")), as_int(nested_value(one, "range"))
            name = (as_text(nested_value(one, "type")) or as_text(nested_value(one, "label"))).replace("-", " ")
            parts = (name, f"({acuity})" if acuity and acuity != "precise" else "", f"{feet} feet" if feet else "")
            yield " ".join(part for part in (*parts, as_text(nested_value(one, "value")).strip()) if part)
    yield from split_list(as_text(nested_value(body, "perception", "details")))


def languages(body: Mapping[str, Any]) -> Iterator[str]:
    """Yield languages by their names, and remarks on them."""
    held = as_mapping(nested_value(body, "details", "languages")) or as_mapping(
        nested_value(body, "traits", "languages")
    )
    for one in texts_of(held.get("value")):
        if one != "custom":
            yield one.replace("-", " ").title() if one.islower() else one
    for text in (as_text(held.get("custom")), as_text(held.get("details"))):
        yield from split_list(text.strip(" ,;"))


def skills(body: Mapping[str, Any], items: Sequence[Mapping[str, Any]]) -> Iterator[SourceSkill]:
    """Yield skills: from the actor in later schemas, from items (as lore always is) in earlier ones."""
    for name, held in as_mapping(body.get("skills")).items():
        base = as_int(nested_value(held, "base"))
        total = base if base is not None else as_int(nested_value(held, "value"))
        if total is None or (base is None and not total):
            continue
        special = [_special(one) for one in values_of(nested_value(held, "special"))]
        note = "; ".join(one for one in (*special, as_text(nested_value(held, "note"))) if one)
        yield SourceSkill(SKILLS.get(name, name), total, note)
    for item in items:
        total = as_int(nested_value(system_data_of(item), "mod", "value"))
        if item.get("type") == "lore" and total is not None:
            variants = (
                as_text(nested_value(one, "label")) for one in values_of(nested_value(system_data_of(item), "variants"))
            )
            yield SourceSkill(as_text(item.get("name")), total, "; ".join(one for one in variants if one))


def _special(held: Any) -> str:
    base, label = as_int(nested_value(held, "base")), as_text(nested_value(held, "label"))
    return f"{base:+d} {label}".strip() if base is not None else label


def speeds(body: Mapping[str, Any]) -> Iterator[SourceSpeed]:
    """Yield modes of movement; `30; Fly: 40` in one field holds two of them."""
    held = as_mapping(nested_value(body, "attributes", "speed"))
    value = held.get("value")
    if isinstance(value, str) and as_int(value) is None:
        for part in split_list(value):
            yield _speed("", part)
    elif (feet := as_int(value)) is not None:
        yield SourceSpeed("land", feet)
    for one in values_of(held.get("otherSpeeds")):
        name, said = (
            as_text(nested_value(one, "type")) or as_text(nested_value(one, "label")),
            nested_value(one, "value"),
        )
        feet = as_int(said)
        yield SourceSpeed(name, feet) if feet is not None else _speed(name, as_text(said))
    for name in ("details", "special"):
        for text in split_list(as_text(held.get(name))):
            yield SourceSpeed(text, None)


def _speed(name: str, text: str) -> SourceSpeed:
    found = _SPEED.match(text.strip())
    if found is None:
        return SourceSpeed(name or text.strip(), None, text.strip() if name else "")
    return SourceSpeed(name or found["name"] or "land", int(found["feet"]), found["rest"].strip(" ()"))


def immunities(body: Mapping[str, Any]) -> Iterator[str]:
    """Yield immunities, with their exceptions in brackets."""
    yield from texts_of(nested_value(body, "traits", "di"))
    yield from texts_of(nested_value(body, "traits", "ci"))
    for one in values_of(nested_value(body, "attributes", "immunities")):
        excepted = _exceptions_text(one)
        kind = as_text(nested_value(one, "type")) or as_text(nested_value(one, "customLabel"))
        yield f"{kind} ({excepted})" if excepted else kind


def resistances_or_weaknesses(body: Mapping[str, Any], early: str, late: str) -> Iterator[SourceDefence]:
    """Yield resistances or weaknesses: under `early` in the traits in earlier schemas, among the attributes later."""
    for one in (*values_of(nested_value(body, "traits", early)), *values_of(nested_value(body, "attributes", late))):
        name = (
            as_text(nested_value(one, "customLabel"))
            if as_text(nested_value(one, "type")) == "custom"
            else as_text(nested_value(one, "type"))
        )
        yield SourceDefence(
            name or as_text(nested_value(one, "label")), as_int(nested_value(one, "value")), _exceptions_text(one)
        )


def _exceptions_text(one: Any) -> str:
    excepted, doubled = _named(nested_value(one, "exceptions")), _named(nested_value(one, "doubleVs"))
    said = (f"except {excepted}" if excepted else "", f"double against {doubled}" if doubled else "")
    return "; ".join(part for part in said if part)


def _named(value: Any) -> str:
    if isinstance(value, str):
        return value.strip().removeprefix("except ")
    names = (as_text(nested_value(one, "label")) if isinstance(one, dict) else as_text(one) for one in as_list(value))
    return " or ".join(name.replace("-", " ") for name in names if name)


def source(body: Mapping[str, Any], collection: str) -> str:
    """Return the source of a record: the collection, the book, and the page."""
    book = as_mapping(nested_value(body, "details", "publication")) or as_mapping(body.get("publication"))
    old = nested_value(body, "details", "source") or body.get("source")
    said = as_text(book.get("title")) or as_text(nested_value(old, "value") if isinstance(old, dict) else old)
    found = _PAGE.match(said)
    title = f"{found['title']}, page {found['page']}" if found else said.strip()
    return f"{collection}: {title}" if title else collection


def licence(body: Mapping[str, Any]) -> str:
    """Return the licence that a record states, empty for none."""
    return as_text(nested_value(body, "details", "publication", "license")) or as_text(
        nested_value(body, "publication", "license")
    )
