"""Reads the numbers of a D&D 5e item: from its activities or, in older versions, from its own fields."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from turnwright.importers.common import as_list, as_mapping, as_text
from turnwright.importers.foundry.formulas import FormulaResult
from turnwright.importers.foundry.reading import (
    ActorReading,
    in_feet,
    limited_uses,
    system_of,
    text_at,
    value_at,
    values_of,
)
from turnwright.importers.statblock_text.damage import as_int
from turnwright.importers.statblock_text.feature_text import area_of
from turnwright.importers.statblock_text.header_lines import ABILITIES
from turnwright.importers.vocabulary import terms

Record = Mapping[str, Any]
_ATTACKS: Final = {"mwak": "melee weapon", "rwak": "ranged weapon", "msak": "melee spell", "rsak": "ranged spell"}
_PROPERTIES: Final[Mapping[str, str]] = terms("foundry_dnd5e", "properties")
NEAR: Final = 5  # reach of a weapon that doesn't state one
_SILENT: Final = frozenset({"utility", "cast", "enchant", "summon", "transform", "forward", "order", ""})


class ItemNumbers(msgspec.Struct):
    """The numbers of an item, keyed by feature field, its activation, two-handed damage and attack modifier."""

    known: dict[str, Any]
    activation: Record
    two_handed: str = ""
    modifier: int = 0


def item_numbers(item: Record, name: str, reading: ActorReading) -> ItemNumbers:
    """Return the numbers of an item, keyed by feature field. Dropped content is reported."""
    system = system_of(item)
    activities = values_of(system.get("activities"))
    numbers = ItemNumbers({}, as_mapping(system.get("activation")))
    if activities:
        _by_activities(activities, item, name, reading, numbers)
    else:
        _by_fields(system, name, reading, numbers)
    numbers.known |= usage_of(system, name, reading)
    price = _price(numbers.activation, activities)
    if price > 1:
        numbers.known["price"] = price
    return numbers


def _by_activities(
    activities: list[Record], item: Record, name: str, reading: ActorReading, numbers: ItemNumbers
) -> None:
    """Read the first attack and the first save of an item together. Other activities are reported."""
    system, known = system_of(item), numbers.known
    first = {as_text(activity.get("type")): activity for activity in reversed(activities)}
    attack, save = first.get("attack"), first.get("save")
    dealt = None if attack or save else first.get("damage")
    main = attack or save or dealt or activities[0]
    if attack is not None:
        attack_numbers(attack, system, name, reading, numbers)
        known |= _dealt("damage", damage_text(as_mapping(attack.get("damage")), name, reading, numbers.modifier, item))
    else:
        known |= _range(_own(main, system, "range"))
    if save is not None:
        known |= _activity_save(save, name, reading, attacked=attack is not None)
    if dealt is not None:
        known |= _dealt("damage", damage_text(as_mapping(dealt.get("damage")), name, reading))
    known |= _area(as_mapping(_own(main, system, "target").get("template")))
    for other in activities:
        kind = as_text(other.get("type"))
        if not any(other is used for used in (attack, save, dealt)) and kind not in _SILENT:
            why = "additional activity; kept as text only"
            reading.report.add_note(f"{name}: {kind}", as_text(other.get("name")) or kind, why)
    activations = [as_mapping(other.get("activation")) for other in (main, *activities)]
    numbers.activation = next((activation for activation in activations if attack or activation.get("type")), {})


def attack_numbers(attack: Record, system: Record, name: str, reading: ActorReading, numbers: ItemNumbers) -> None:
    """Add the bonus, reach and range of an attack activity to the numbers of its item."""
    data = as_mapping(attack.get("attack"))
    way = text_at(data, "type.value")
    way = way if way in ("melee", "ranged") else _way_of(system)
    kind = "spell" if text_at(data, "type.classification") == "spell" else "weapon"
    _attack(way, kind, data, system, name, reading, numbers)
    _reach(system, _own(attack, system, "range"), way, numbers.known)


def _dealt(field: str, damage: str) -> dict[str, Any]:
    """Return damage keyed by its field, or an empty dictionary if there is none, so that damage in the text is kept."""
    return {field: damage} if damage else {}


def _own(activity: Record, system: Record, key: str) -> Record:
    """Return an activity's values if they override the item's or the item has none, otherwise the item's values."""
    activity_data, item_data = as_mapping(activity.get(key)), as_mapping(system.get(key))
    figures = {**item_data, **as_mapping(item_data.get("template"))}
    filled = any(figures.get(name) not in (None, "") for name in ("value", "long", "reach", "size"))
    return item_data if filled and not activity_data.get("override") else activity_data


def own_and_item_data(activity: Record, system: Record) -> Record:
    """Return an activity completed with the values that it inherits from its item."""
    inherited = {key: _own(activity, system, key) for key in ("range", "target") if isinstance(system.get(key), dict)}
    merged = {**activity, **inherited}
    for key in ("duration", "activation"):
        item_data, activity_data = as_mapping(system.get(key)), as_mapping(activity.get(key))
        if item_data and not activity_data.get("override"):
            stated = {name: value for name, value in item_data.items() if value not in (None, "")}
            merged[key] = {**activity_data, **stated}
    return merged


def activity_damage(activity: Record, item: Record, modifier: int, name: str, reading: ActorReading) -> str:
    """Return the damage of an activity. For an attack, it begins with the weapon's damage."""
    own = (modifier, item) if activity.get("type") == "attack" else ()
    return damage_text(as_mapping(activity.get("damage")), name, reading, *own)


def activity_dc(activity: Record, kind: str, reading: ActorReading) -> int:
    """Return the DC of an activity's save or check (`kind`), or 0 if it has none."""
    formula, how = text_at(activity, f"{kind}.dc.formula"), text_at(activity, f"{kind}.dc.calculation")
    number = reading.formulas.number(formula)
    if how and (number is None or how in ABILITIES or how == "spellcasting"):
        number = _dc_by(how, reading)
    return number or 0


def healing_of(activity: Record, modifier: int, name: str, reading: ActorReading) -> str:
    """Return the healing of an activity as dice, or an empty string if it has none."""
    return damage_text({"parts": [as_mapping(activity.get("healing"))]}, name, reading, modifier)


def _activity_save(activity: Record, name: str, reading: ActorReading, *, attacked: bool) -> dict[str, Any]:
    ability = value_at(activity, "save.ability")
    ability = as_list(ability)[0] if as_list(ability) else ability
    number = activity_dc(activity, "save", reading)
    if ability not in ABILITIES or not number:
        dc_text = text_at(activity, "save.dc.formula") or text_at(activity, "save.dc.calculation")
        why = "not a saving throw with a DC; kept as text only"
        reading.report.add_note(f"{name}: save", f"{ability} {dc_text}", why)
        return {}
    damage = as_mapping(activity.get("damage"))
    dealt = _dealt("save_damage" if attacked else "damage", damage_text(damage, name, reading))
    halved = {"half": True} if dealt and damage.get("onSave") == "half" else {}
    return {"save": ability, "dc": number, **dealt, **halved}


def _dc_by(how: str, reading: ActorReading) -> int:
    return 8 + reading.proficiency + reading.modifiers[how if how in ABILITIES else reading.casting]


def _by_fields(system: Record, name: str, reading: ActorReading, numbers: ItemNumbers) -> None:
    """Read an item without activities (older versions) from `actionType`, `damage.parts` and `save`."""
    known = numbers.known
    way, _, attack_kind = _ATTACKS.get(as_text(system.get("actionType")), "").partition(" ")
    if way:
        bonus = system.get("attackBonus") if "attackBonus" in system else value_at(system, "attack.bonus")
        given = {"ability": system.get("ability"), "bonus": bonus, "flat": value_at(system, "attack.flat")}
        _attack(way, attack_kind, given, system, name, reading, numbers)
        _reach(system, as_mapping(system.get("range")), way, known)
    else:
        numbers.modifier = reading.modifiers.get(as_text(system.get("ability")), 0)
        known |= _range(as_mapping(system.get("range")))
    parts: list[str] = []
    for given in as_list(value_at(system, "damage.parts")):
        formula, kind = (*given, "", "")[:2] if isinstance(given, list) else ("", "")
        amount = amount_of(formula, numbers.modifier, name, reading)
        if amount is not None:
            parts.append(f"{amount.text} {as_text(kind).lower()}".strip())
    known |= _dealt("damage", " + ".join(parts))
    save = as_mapping(system.get("save"))
    scaling = as_text(save.get("scaling")) or "spell"
    dc = as_int(save.get("dc")) or (_dc_by(scaling, reading) if scaling != "flat" else 0)
    if save.get("ability") in ABILITIES and dc:
        known |= {"save": save["ability"], "dc": dc}
    target = as_mapping(system.get("target"))
    known |= _area({**target, "size": target.get("value")})


def _attack(
    way: str, kind: str, data: Record, system: Record, name: str, reading: ActorReading, numbers: ItemNumbers
) -> None:
    words, ability = _words(system), data.get("ability")
    if ability not in ABILITIES:
        usual = "dex" if way == "ranged" and "thr" not in words else "str"
        if kind == "spell" or ability == "spellcasting":
            usual = reading.casting
        elif "fin" in words:
            usual = max(("str", "dex"), key=lambda score: reading.modifiers[score])
        ability = usual
    numbers.modifier = reading.modifiers[ability]
    bonus = reading.formulas.number(data.get("bonus"), mod=numbers.modifier)
    if bonus is None and text_at(data, "bonus"):
        why = "unsupported formula; not added to the attack bonus"
        reading.report.add_note(f"{name}: attack", as_text(data["bonus"]), why)
    total = bonus or 0
    if not data.get("flat"):
        general = reading.formulas.number(value_at(reading.bonuses, f"{way[0]}{kind[0]}ak.attack")) or 0
        trained = reading.proficiency if system.get("proficient") not in (False, 0) else 0
        total += numbers.modifier + trained + general + (as_int(system.get("magicalBonus")) or 0)
    numbers.known["attack"] = total
    numbers.known["properties"] = (kind, *(_PROPERTIES[word] for word in words if word in _PROPERTIES))
    numbers.two_handed = two_handed_damage(system, numbers.modifier, name, reading)


def _words(system: Record) -> list[str]:
    properties = system.get("properties")
    older = [key for key, value in as_mapping(properties).items() if value is True]
    return older or [word for word in as_list(properties) if isinstance(word, str)]


def _way_of(system: Record) -> str:
    kind = as_text(value_at(system, "type.value")) or as_text(system.get("weaponType"))
    if kind.endswith("R") or kind == "siege":
        return "ranged"
    ranged = as_int(value_at(system, "range.value")) or 0
    return "ranged" if kind == "natural" and ranged > 30 and not value_at(system, "range.reach") else "melee"


def _reach(system: Record, distance: Record, way: str, known: dict[str, Any]) -> None:
    """Store reach and range in feet. A thrown weapon has both; a weapon without a reach gets Foundry's default."""
    unit = distance.get("units")
    near, far, reach = (in_feet(distance.get(key), unit) or 0 for key in ("value", "long", "reach"))
    pair = f"{near}/{far}" if near and far else str(near) if near else ""
    words = _words(system)
    if way != "ranged":
        if near and not (far or reach) and "thr" not in words:
            reach, pair = (0 if near == NEAR and "rch" in words else near), ""
        known["reach"] = reach or (2 * NEAR if "rch" in words else NEAR)
    known |= {"range": pair} if pair else {}


def _range(distance: Record) -> dict[str, Any]:
    feet = in_feet(distance.get("value"), distance.get("units"))
    return {"range": str(feet)} if feet and as_text(distance.get("units")) not in ("touch", "self") else {}


def _area(template: Record) -> dict[str, Any]:
    word, units = terms("foundry_dnd5e", "areas").get(as_text(template.get("type")), ""), template.get("units")
    size = in_feet(template.get("size"), units)
    if not word or not size:
        return {}
    key = {"line": "width", "cylinder": "height"}.get(word, "")
    return {"area": area_of(word, size, in_feet(template.get(key), units) or 0)}


def usage_of(system: Record, name: str, reading: ActorReading) -> dict[str, Any]:
    """Return the number of uses of an item, and their recharge."""
    face = as_int(value_at(system, "recharge.value"))
    uses = as_mapping(system.get("uses"))
    number = reading.formulas.number(uses.get("max"))
    recovery = values_of(uses.get("recovery"))
    for entry in recovery:
        if entry.get("period") == "recharge":
            face = as_int(entry.get("formula")) or 6
    if face and 2 <= face <= 6:
        return {"recharge": face}
    if face:
        reading.report.add_note(f"{name}: recharge", str(face), "recharge isn't on a six-sided die; ignored")
    period = next((as_text(entry.get("period")) for entry in recovery), "") or as_text(uses.get("per"))
    if not number or number < 1 or period in ("recharge", "charges"):
        return {}
    return limited_uses(number, str(number), period, name, reading.report)


def _price(activation: Record, activities: list[Record]) -> int:
    """Return the cost of an item in legendary actions, or 1 for any other item."""
    if activation.get("type") not in ("legendary", "mythic"):
        return 1
    targets = (target for activity in activities for target in values_of(value_at(activity, "consumption.targets")))
    prices = (as_int(target.get("value")) for target in targets if "legact" in as_text(target.get("target")))
    return next(filter(None, (*prices, as_int(activation.get("value")), as_int(activation.get("cost")))), 1)


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
    count, sides = as_int(part.get("number")), as_int(part.get("denomination"))
    formula = " + ".join(filter(None, (f"{count}d{sides}" if count and sides else "", text_at(part, "bonus"))))
    custom = value_at(part, "custom.formula")
    return amount_of(custom if value_at(part, "custom.enabled") else formula, modifier, name, reading)


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
