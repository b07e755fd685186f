"""Reads the damage of a D&D 5e item in parts, as dice with a flat bonus."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.importers.common import as_list, as_mapping, as_text
from turnwright.storage.importers.foundry.actors import nested_value, values_of
from turnwright.storage.importers.foundry.formulas import FormulaEvaluator, FormulaResult
from turnwright.storage.statblock_text.numbers import as_int

Found = Mapping[str, Any]


class ItemContext(msgspec.Struct):
    """The actor whose items are read: formulas, modifiers, proficiency, spellcasting, attack bonuses, and the report."""

    formulas: FormulaEvaluator
    modifiers: Mapping[str, int]
    proficiency: int
    casting: str
    bonuses: Found
    report: ConversionReport
    creature: str


def damage_parts(
    damage: Found, system: Found, item: Found, known: dict[str, Any], name: str, context: ItemContext, *, based: bool
) -> list[str]:
    """Return the parts of an activity's damage; a weapon's own come first, with the modifier of its attack."""
    modifier = context.modifiers.get(known.pop("ability_used", "") if based else "", 0)
    given = values_of(damage.get("parts"))
    parts: list[str] = []
    base = as_mapping(nested_value(system, "damage.base"))
    if based and damage.get("includeBase") is not False and base:
        amount = _part(base, modifier, name, context)
        if amount is not None:
            adds = (
                item.get("type") == "weapon"
                and not nested_value(base, "custom.enabled")
                and "@mod" not in as_text(base.get("bonus"))
            )
            magic = as_int(system.get("magicalBonus")) or 0
            total = FormulaResult(amount.dice, amount.flat + (modifier if adds else 0) + magic)
            parts.append(_damage_text(total, base, name, context))
    for one in given:
        amount = _part(one, modifier, name, context)
        if amount is not None:
            parts.append(_damage_text(amount, one, name, context))
    return parts


def _part(part: Found, modifier: int, name: str, making: ItemContext) -> FormulaResult | None:
    custom = as_mapping(part.get("custom"))
    if custom.get("enabled"):
        formula: Any = custom.get("formula")
    else:
        count, sides = as_int(part.get("number")), as_int(part.get("denomination"))
        bonus = as_text(part.get("bonus")).strip()
        dice = f"{count}d{sides}" if count and sides else ""
        formula = f"{dice} + {bonus}" if dice and bonus else dice or bonus
    if formula in (None, ""):
        return None
    amount = making.formulas.amount(formula, mod=modifier)
    if amount is None:
        making.report.add_note(f"{name}: damage", as_text(formula), "can't be worked out; it isn't kept")
    return amount


def _damage_text(amount: FormulaResult, part: Found, name: str, making: ItemContext) -> str:
    kinds = [kind for kind in as_list(part.get("types")) if isinstance(kind, str)]
    if len(kinds) > 1:
        making.report.add_note(
            f"{name}: damage", " or ".join(kinds), "is a choice of types; the dice stand without one"
        )
    return f"{amount.text} {kinds[0].lower() if len(kinds) == 1 else ''}".strip()


def two_handed_damage(system: Found, modifier: int, name: str, context: ItemContext) -> str:
    """Return a weapon's two-handed damage, empty where it does not differ."""
    given = nested_value(system, "damage.versatile")
    amount = context.formulas.amount(given, mod=modifier) if isinstance(given, str) else None
    if isinstance(given, dict) and (amount := _part(given, modifier, name, context)) is not None:
        amount = FormulaResult(amount.dice, amount.flat + modifier)
    if amount is None or not amount.dice:
        return ""
    kinds = as_list(nested_value(system, "damage.base.types")) or [
        one[1] for one in as_list(nested_value(system, "damage.parts"))[:1] if isinstance(one, list) and len(one) > 1
    ]
    return f"{amount.text} {as_text(kinds[0]) if kinds else ''}".strip()
