"""Reads Pathfinder 2e damage: the parts of a Strike, and damage in texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from turnwright.encounter.bounds import dice_problem
from turnwright.importers.pf2e.stat_block import DamagePart
from turnwright.importers.pf2e.terms import DAMAGE, OLDER_DAMAGE, damage_id, is_damage

_DASHES: Final = str.maketrans({"\N{EN DASH}": "-", "\N{MINUS SIGN}": "-", "\N{EM DASH}": "-"})
_NAMES = "|".join(
    sorted({*DAMAGE, *OLDER_DAMAGE, "negative", "positive", "electric"} - {"all", "energy"}, key=len, reverse=True)
)
_CATEGORY = "persistent|splash|precision"
_FORMULA = r"\d{1,3}d\d{1,3}(?:\s?[+\-\u2013\u2212]\s?\d{1,4}(?!d))*|\d{1,4}"
_SAID = re.compile(
    rf"(?<![\w-])(?P<formula>{_FORMULA})(?: (?:extra|additional))?(?: (?P<category>{_CATEGORY}))?"
    rf"(?: (?P<type>{_NAMES})\b)?(?P<word> damage\b)?(?P<again> (?:and|plus) (?=\d))?",
    re.IGNORECASE,
)
_PERSISTENT = re.compile(rf"persistent (?P<type>{_NAMES})\b", re.IGNORECASE)
_CHOICE = re.compile(rf",? (?:or|and) (?:{_NAMES})\b", re.IGNORECASE)
_DEALT = re.compile(
    r"(?:\b(?:deal|take|suffer|inflict|receive)(?:s|ing)?(?: an?)?(?: (?:extra|additional|another))?|(?:damage|\d(?: \w+){0,3}) (?:and|plus)) $",
    re.IGNORECASE,
)
_AT_TIMES = re.compile(r" (?:for every|per|each|from|to)\b", re.IGNORECASE)
_WHOLE = re.compile(rf"\s*({_FORMULA})\s*")
_GLUED = re.compile(rf"^(?P<category>persistent|splash|precision)?[ -]*(?P<type>{_NAMES})[ -]*(?:damage)?$")
_WITH_RIDER = re.compile(
    rf"(?P<type>(?:(?:{_CATEGORY})[ -]+)?(?:{_NAMES}))(?: damage)?(?:,? (?:and|plus)|[,;]) (?P<rider>(?!(?:or )?(?:{_NAMES})\b).+)$",
    re.IGNORECASE,
)
_ALONE = re.compile(rf"^(?P<formula>{_FORMULA}) (?P<type>(?:(?:{_CATEGORY}) )?(?:{_NAMES})(?: damage)?)$")
_MORE = re.compile(rf"(?P<type>[a-z ]+?) (?:and|plus) (?P<rest>(?:{_FORMULA}) .*)$")
_LESS = re.compile(r"^-\s?(?P<less>\d{1,3})\s?(?P<rest>.+)$")


def parts_of(pairs: Iterable[tuple[str, str, str]]) -> tuple[tuple[DamagePart, ...], tuple[str, ...]]:
    """Return the damage parts in a source's formulas and types, and the parts that aren't damage.

    A type may be a whole phrase (`chaotic and 1d4 good`), contain a sign that belongs to the formula (`-1 piercing`),
    include another effect (`bleed and Knockdown`), or not be damage at all (`Grab`).
    """
    parts: list[DamagePart] = []
    riders: list[str] = []
    for formula, type, category in pairs:
        _take(formula.translate(_DASHES).strip(), type.translate(_DASHES).strip(), category, parts, riders)
    return tuple(parts), tuple(riders)


def _take(formula: str, type: str, category: str, parts: list[DamagePart], riders: list[str]) -> None:
    less = _LESS.match(type) if formula else None
    if less:
        formula, type = f"{formula}-{less['less']}", less["rest"]
    more = _MORE.match(type) if formula else None
    if more and is_damage(damage_id(more["type"])):
        inner = re.match(_FORMULA, more["rest"])
        if inner:
            _take(formula, more["type"], category, parts, riders)
            _take(inner[0], more["rest"][inner.end() :].strip(), "", parts, riders)
            return
    alone = _ALONE.match(type) if not formula else None
    if alone:
        formula, type = alone["formula"], alone["type"]
    if not formula:
        if type:
            riders.append(type)
        return
    with_rider = _WITH_RIDER.match(type)
    if with_rider:
        type = with_rider["type"]
    named = _GLUED.match(type.lower())
    word = damage_id(named["type"]) if named else ""
    if _WHOLE.fullmatch(formula) is None and dice_problem(formula):
        riders.append(f"{formula} {type}".strip())
    elif named:
        parts.append(DamagePart(formula, word, category or named["category"] or ""))
        if with_rider:
            riders.append(with_rider["rider"])
    else:
        parts.append(DamagePart(formula, "untyped" if type else "", category))
        if type:
            riders.append(type)


def expression(parts: Iterable[DamagePart]) -> str:
    """Return parts as one dice expression with types. If only some parts have a type, the others are `untyped`."""
    listed = [(part.formula.replace(" ", ""), part.type) for part in parts]
    typed = any(type for _, type in listed)
    joined = " + ".join(
        f"{formula} {type or 'untyped'}" if typed and (type or len(listed) > 1) else formula for formula, type in listed
    )
    return "" if dice_problem(joined) else joined


def damage_in(text: str) -> tuple[list[str], list[str], list[str]]:
    """Return a text's damage, its persistent damage, and the damage that fits no field.

    Joined parts (`4d6 fire and 2d6 cold`) are one expression; each other part is a separate one.
    """
    amounts: list[str] = []
    lasting: list[str] = []
    remaining: list[str] = []
    joined: list[DamagePart] = []
    for match in _SAID.finditer(text):
        if not _is_damage(match, text):
            _close(joined, amounts)
            continue
        type = damage_id(match["type"] or "")
        formula = match["formula"].translate(_DASHES).replace(" ", "")
        category = (match["category"] or "").lower()
        if category == "persistent":
            if not type:
                after = _PERSISTENT.match(text, match.end() + 1)
                type = damage_id(after["type"]) if after else "untyped"
            lasting.append(f"{formula} {type}")
        elif category == "splash":
            remaining.append(match[0].strip())
        else:
            joined.append(DamagePart(formula, "precision" if match["category"] else type))
            choice = _CHOICE.match(text, match.end()) if not match["word"] else None
            if choice:
                remaining.append(f"{match[0].strip()}{choice[0]}")
        if not match["again"] or category == "persistent":
            _close(joined, amounts)
    _close(joined, amounts)
    return list(dict.fromkeys(amounts)), list(dict.fromkeys(lasting)), remaining


def _close(joined: list[DamagePart], amounts: list[str]) -> None:
    if joined:
        amounts.append(expression(joined))
        joined.clear()


def _is_damage(match: re.Match[str], text: str) -> bool:
    """Return whether a number and the words after it are damage: `2d6 fire`, `10 fire damage`, `2d6 damage`."""
    if not (match["type"] or match["category"] or match["word"]):
        return False
    if "d" not in match["formula"] and not _is_dealt(match, text):
        return False
    before = text[max(0, match.start() - 24) : match.start()].lower()
    return not before.endswith(("resistance ", "weakness ", "immunity to ", "stage ", "level ", "dc ", "page "))


def _is_dealt(match: re.Match[str], text: str) -> bool:
    """Return whether a flat number is damage that is dealt, rather than a threshold (`at least 3 slashing damage`)."""
    if not match.start():
        return bool(match["type"])
    if not (match["word"] or match["category"]) or _AT_TIMES.match(text, match.end()):
        return False
    return _DEALT.search(text[: match.start()][-60:]) is not None
