"""Reads the damage parts of a D&D 5e item as dice with a flat bonus."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwright.importers.common import as_list, as_mapping, as_text
from turnwright.importers.foundry.actors import system_of, text_at, value_at, values_of
from turnwright.importers.foundry.formulas import FormulaResult
from turnwright.importers.foundry.reading import ActorReading
from turnwright.importers.statblock_text.numbers import as_int

Record = Mapping[str, Any]


def damage_text(
    damage: Record, name: str, reading: ActorReading, modifier: int = 0, weapon: Record | None = None
) -> str:
    """Return the damage of an activity. The damage of a `weapon` comes first, and includes the attack's `modifier`."""
    parts: list[str] = []
    system = system_of(weapon or {})
    base = as_mapping(value_at(system, "damage.base"))
    if damage.get("includeBase") is not False and (amount := _amount(base, modifier, name, reading)) is not None:
        flat = amount.flat + (as_int(system.get("magicalBonus")) or 0)
        if weapon and weapon.get("type") == "weapon" and not value_at(base, "custom.enabled"):
            flat += modifier if "@mod" not in as_text(base.get("bonus")) else 0
        parts.append(_with_type(FormulaResult(amount.dice, flat), base, name, reading))
    further = [(_amount(part, modifier, name, reading), part) for part in values_of(damage.get("parts"))]
    parts += [_with_type(amount, part, name, reading) for amount, part in further if amount is not None]
    return " + ".join(parts)


def _amount(part: Record, modifier: int, name: str, reading: ActorReading) -> FormulaResult | None:
    if value_at(part, "custom.enabled"):
        formula: Any = value_at(part, "custom.formula")
    else:
        count, sides = as_int(part.get("number")), as_int(part.get("denomination"))
        terms = (f"{count}d{sides}" if count and sides else "", text_at(part, "bonus"))
        formula = " + ".join(term for term in terms if term)
    return amount_of(formula, modifier, name, reading)


def amount_of(formula: Any, modifier: int, name: str, reading: ActorReading) -> FormulaResult | None:
    """Evaluate a damage formula. Return None if it is empty or can't be evaluated; the latter is reported."""
    amount = reading.formulas.amount(formula, mod=modifier)
    if amount is None and formula not in (None, ""):
        reading.report.add_note(f"{name}: damage", as_text(formula), "unsupported formula; ignored")
    return amount


def _with_type(amount: FormulaResult, part: Record, name: str, reading: ActorReading) -> str:
    kinds = [kind for kind in as_list(part.get("types")) if isinstance(kind, str)]
    if len(kinds) > 1:
        why = "choice of damage types; damage kept without a type"
        reading.report.add_note(f"{name}: damage", " or ".join(kinds), why)
    return f"{amount.text} {kinds[0].lower() if len(kinds) == 1 else ''}".strip()


def two_handed_damage(system: Record, modifier: int, name: str, reading: ActorReading) -> str:
    """Return a weapon's two-handed damage, or an empty string if it isn't higher than the usual damage."""
    versatile = value_at(system, "damage.versatile")
    amount = reading.formulas.amount(versatile, mod=modifier) if isinstance(versatile, str) else None
    if isinstance(versatile, dict) and (amount := _amount(versatile, modifier, name, reading)) is not None:
        amount = FormulaResult(amount.dice, amount.flat + modifier)
    if amount is None or not amount.dice:
        return ""
    base = _amount(as_mapping(value_at(system, "damage.base")), modifier, name, reading)
    if base is not None and _average(amount) <= _average(FormulaResult(base.dice, base.flat + modifier)):
        return ""  # the weapon type's default, left unchanged; the creature's own damage is higher
    kinds = as_list(value_at(system, "damage.base.types")) or [
        part[1] for part in as_list(value_at(system, "damage.parts"))[:1] if isinstance(part, list) and len(part) > 1
    ]
    return f"{amount.text} {as_text(kinds[0]) if kinds else ''}".strip()


def _average(amount: FormulaResult) -> float:
    return amount.flat + sum(count * (sides + 1) / 2 for count, sides in amount.dice)
