"""What stands where in an actor of Foundry's Pathfinder 2e system, in its schema of 2021 (`data`) and later ones (`system`).

Numbers may be texts there, lists mappings by made-up keys, and the same thing stands in other places from year to
year: every figure is looked for in all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from turnwright.encounter.prepared import Figures
from turnwright.storage.importers.drafting import listed, mapping, text_of, whole
from turnwright.storage.importers.pf2e.blocks import Defence, Skill, Speed
from turnwright.storage.importers.pf2e.terms import SAVES, SKILLS

_SPEED = re.compile(
    r"^(?:(?P<name>[A-Za-z][A-Za-z ]{0,40}?):?\s{1,3})?(?P<feet>\d{1,4})(?: ?(?:feet|ft\.?))?(?P<rest>.*)$"
)
_PAGE = re.compile(r"^(?P<title>.{0,300}?),?\s{0,3}\b(?:pgs?|pp?|page)\b\.?\s*(?P<page>\d+)", re.IGNORECASE)
ABILITIES = ("str", "dex", "con", "int", "wis", "cha")


def body_of(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return where the figures of a document stand."""
    return mapping(document.get("system")) or mapping(document.get("data"))


def at(value: Any, *names: str) -> Any:
    """Return what stands under names within each other, None where one of them isn't there."""
    for name in names:
        value = mapping(value).get(name)
    return value


def each(value: Any) -> list[Any]:
    """Return what a list holds, or a mapping whose keys mean nothing."""
    return list(value.values()) if isinstance(value, dict) else listed(value)


def words(value: Any) -> tuple[str, ...]:
    """Return the texts of a list, or of `{value: list, custom: text}`, or of one text parted by commas."""
    if isinstance(value, dict):
        more = text_of(value.get("custom"))
        found = (*words(value.get("value")), *split(more))
        return tuple(one for one in found if one != "custom")
    if isinstance(value, str):
        return split(value)
    return tuple(text for one in listed(value) if (text := text_of(one).strip()))


def split(text: str) -> tuple[str, ...]:
    """Return the parts of a list in words: commas and semicolons outside brackets part them."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth = max(0, depth + (letter == "(") - (letter == ")"))
        if letter in ",;" and not depth:
            parts.append(text[start:at])
            start = at + 1
    return tuple(part for one in (*parts, text[start:]) if (part := one.strip()))


def abilities(body: Mapping[str, Any]) -> Figures:
    """Return ability modifiers in their order."""
    found = ((id, whole(at(body, "abilities", id, "mod"))) for id in ABILITIES)
    return tuple((id, mod) for id, mod in found if mod is not None)


def level(body: Mapping[str, Any]) -> int | None:
    """Return the level."""
    held = at(body, "details", "level")
    return whole(at(held, "value") if isinstance(held, dict) else held)


def saves(body: Mapping[str, Any]) -> Figures:
    """Return total bonuses of the saves that have one."""
    found = ((SAVES[name], whole(at(body, "saves", name, "value"))) for name in ("fortitude", "reflex", "will"))
    return tuple((id, total) for id, total in found if total is not None)


def perception(body: Mapping[str, Any]) -> int | None:
    """Return the total bonus of Perception."""
    found = whole(at(body, "perception", "mod"))
    return found if found is not None else whole(at(body, "attributes", "perception", "value"))


def traits(body: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the traits of an actor or an item."""
    own = mapping(body.get("traits"))
    return words(own.get("traits")) if "traits" in own else words(own)


def rarity(body: Mapping[str, Any]) -> str:
    """Return how rare something is."""
    said = at(body, "traits", "rarity")
    return text_of(at(said, "value") if isinstance(said, dict) else said)


def senses(body: Mapping[str, Any]) -> Iterator[str]:
    """Yield senses as a stat block writes them: `scent (imprecise) 60 feet`."""
    for held in (at(body, "perception", "senses"), at(body, "traits", "senses")):
        if isinstance(held, dict):
            yield from words(held)
        for one in listed(held):
            if isinstance(one, str):
                yield one
                continue
            acuity, feet = text_of(at(one, "acuity")), whole(at(one, "range"))
            name = (text_of(at(one, "type")) or text_of(at(one, "label"))).replace("-", " ")
            parts = (name, f"({acuity})" if acuity and acuity != "precise" else "", f"{feet} feet" if feet else "")
            yield " ".join(part for part in (*parts, text_of(at(one, "value")).strip()) if part)
    yield from split(text_of(at(body, "perception", "details")))


def languages(body: Mapping[str, Any]) -> Iterator[str]:
    """Yield languages by their names, and what is said of them besides."""
    held = mapping(at(body, "details", "languages")) or mapping(at(body, "traits", "languages"))
    for one in words(held.get("value")):
        if one != "custom":
            yield one.replace("-", " ").title() if one.islower() else one
    for text in (text_of(held.get("custom")), text_of(held.get("details"))):
        yield from split(text.strip(" ,;"))


def skills(body: Mapping[str, Any], items: Sequence[Mapping[str, Any]]) -> Iterator[Skill]:
    """Yield skills: by themselves in later schemas, as items (as lore always is) in earlier ones."""
    for name, held in mapping(body.get("skills")).items():
        base = whole(at(held, "base"))
        total = base if base is not None else whole(at(held, "value"))
        if total is None or (base is None and not total):
            continue
        special = [_special(one) for one in each(at(held, "special"))]
        note = "; ".join(one for one in (*special, text_of(at(held, "note"))) if one)
        yield Skill(SKILLS.get(name, name), total, note)
    for item in items:
        total = whole(at(body_of(item), "mod", "value"))
        if item.get("type") == "lore" and total is not None:
            variants = (text_of(at(one, "label")) for one in each(at(body_of(item), "variants")))
            yield Skill(text_of(item.get("name")), total, "; ".join(one for one in variants if one))


def _special(held: Any) -> str:
    base, label = whole(at(held, "base")), text_of(at(held, "label"))
    return f"{base:+d} {label}".strip() if base is not None else label


def speeds(body: Mapping[str, Any]) -> Iterator[Speed]:
    """Yield ways of moving; `30; Fly: 40` in one field holds two of them."""
    held = mapping(at(body, "attributes", "speed"))
    value = held.get("value")
    if isinstance(value, str) and whole(value) is None:
        for part in split(value):
            yield _speed("", part)
    elif (feet := whole(value)) is not None:
        yield Speed("land", feet)
    for one in each(held.get("otherSpeeds")):
        name, said = text_of(at(one, "type")) or text_of(at(one, "label")), at(one, "value")
        feet = whole(said)
        yield Speed(name, feet) if feet is not None else _speed(name, text_of(said))
    for name in ("details", "special"):
        for text in split(text_of(held.get(name))):
            yield Speed(text, None)


def _speed(name: str, text: str) -> Speed:
    found = _SPEED.match(text.strip())
    if found is None:
        return Speed(name or text.strip(), None, text.strip() if name else "")
    return Speed(name or found["name"] or "land", int(found["feet"]), found["rest"].strip(" ()"))


def immunities(body: Mapping[str, Any]) -> Iterator[str]:
    """Yield immunities, with what they except in brackets."""
    yield from words(at(body, "traits", "di"))
    yield from words(at(body, "traits", "ci"))
    for one in each(at(body, "attributes", "immunities")):
        excepted = _besides(one)
        kind = text_of(at(one, "type")) or text_of(at(one, "customLabel"))
        yield f"{kind} ({excepted})" if excepted else kind


def defences(body: Mapping[str, Any], early: str, late: str) -> Iterator[Defence]:
    """Yield resistances or weaknesses: under `early` in the traits in earlier schemas, among the attributes later."""
    for one in (*each(at(body, "traits", early)), *each(at(body, "attributes", late))):
        name = text_of(at(one, "customLabel")) if text_of(at(one, "type")) == "custom" else text_of(at(one, "type"))
        yield Defence(name or text_of(at(one, "label")), whole(at(one, "value")), _besides(one))


def _besides(one: Any) -> str:
    excepted, doubled = _named(at(one, "exceptions")), _named(at(one, "doubleVs"))
    said = (f"except {excepted}" if excepted else "", f"double against {doubled}" if doubled else "")
    return "; ".join(part for part in said if part)


def _named(value: Any) -> str:
    if isinstance(value, str):
        return value.strip().removeprefix("except ")
    names = (text_of(at(one, "label")) if isinstance(one, dict) else text_of(one) for one in listed(value))
    return " or ".join(name.replace("-", " ") for name in names if name)


def source(body: Mapping[str, Any], collection: str) -> str:
    """Return where a record is from: the collection, the book, and the page where it is said."""
    book = mapping(at(body, "details", "publication")) or mapping(body.get("publication"))
    old = at(body, "details", "source") or body.get("source")
    said = text_of(book.get("title")) or text_of(at(old, "value") if isinstance(old, dict) else old)
    found = _PAGE.match(said)
    title = f"{found['title']}, page {found['page']}" if found else said.strip()
    return f"{collection}: {title}" if title else collection


def licence(body: Mapping[str, Any]) -> str:
    """Return the licence that a record states, empty for none."""
    return text_of(at(body, "details", "publication", "license")) or text_of(at(body, "publication", "license"))
