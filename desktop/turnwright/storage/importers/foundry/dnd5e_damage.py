"""Damage of a D&D 5e item in its parts, as dice with what is added, and whose figures are added."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from turnwright.storage.importers.drafting import listed, mapping, text_of, whole
from turnwright.storage.importers.foundry.actors import inside, values_of
from turnwright.storage.importers.foundry.formulas import Amount, Formulas
from turnwright.storage.importers.results import Account

Found = Mapping[str, Any]


class Making(msgspec.Struct):
    """Whose items are read: formulas, modifiers, proficiency, casting, bonuses to kinds of attack, and what is told."""

    formulas: Formulas
    modifiers: Mapping[str, int]
    proficiency: int
    casting: str
    bonuses: Found
    account: Account
    creature: str


def parts_of(
    damage: Found, system: Found, item: Found, known: dict[str, Any], name: str, making: Making, *, based: bool
) -> list[str]:
    """Return the parts of an activity's damage; a weapon's own come first, with the modifier of its attack."""
    modifier = making.modifiers.get(known.pop("ability_used", "") if based else "", 0)
    given = values_of(damage.get("parts"))
    parts: list[str] = []
    base = mapping(inside(system, "damage.base"))
    if based and damage.get("includeBase") is not False and base:
        amount = _part(base, modifier, name, making)
        if amount is not None:
            adds = (
                item.get("type") == "weapon"
                and not inside(base, "custom.enabled")
                and "@mod" not in text_of(base.get("bonus"))
            )
            magic = whole(system.get("magicalBonus")) or 0
            total = Amount(amount.dice, amount.flat + (modifier if adds else 0) + magic)
            parts.append(_said(total, base, name, making))
    for one in given:
        amount = _part(one, modifier, name, making)
        if amount is not None:
            parts.append(_said(amount, one, name, making))
    return parts


def _part(part: Found, modifier: int, name: str, making: Making) -> Amount | None:
    custom = mapping(part.get("custom"))
    if custom.get("enabled"):
        formula: Any = custom.get("formula")
    else:
        count, sides = whole(part.get("number")), whole(part.get("denomination"))
        bonus = text_of(part.get("bonus")).strip()
        dice = f"{count}d{sides}" if count and sides else ""
        formula = f"{dice} + {bonus}" if dice and bonus else dice or bonus
    if formula in (None, ""):
        return None
    amount = making.formulas.amount(formula, mod=modifier)
    if amount is None:
        making.account.tell(f"{name}: damage", text_of(formula), "can't be worked out; it isn't kept")
    return amount


def _said(amount: Amount, part: Found, name: str, making: Making) -> str:
    kinds = [kind for kind in listed(part.get("types")) if isinstance(kind, str)]
    if len(kinds) > 1:
        making.account.tell(f"{name}: damage", " or ".join(kinds), "is a choice of types; the dice stand without one")
    return f"{amount.text} {kinds[0].lower() if len(kinds) == 1 else ''}".strip()


def two_handed_of(system: Found, modifier: int, name: str, making: Making) -> str:
    """Return what a weapon deals in two hands, empty where it is all the same."""
    given = inside(system, "damage.versatile")
    amount = making.formulas.amount(given, mod=modifier) if isinstance(given, str) else None
    if isinstance(given, dict) and (amount := _part(given, modifier, name, making)) is not None:
        amount = Amount(amount.dice, amount.flat + modifier)
    if amount is None or not amount.dice:
        return ""
    kinds = listed(inside(system, "damage.base.types")) or [
        one[1] for one in listed(inside(system, "damage.parts"))[:1] if isinstance(one, list) and len(one) > 1
    ]
    return f"{amount.text} {text_of(kinds[0]) if kinds else ''}".strip()
