"""Reads an item of a D&D 5e actor as numbers: by its activities, or by the fields that items had before those."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from turnwright.storage.importers.common import as_list, as_mapping, as_text
from turnwright.storage.importers.foundry.actors import system_of, text_at, value_at, values_of
from turnwright.storage.importers.foundry.dnd5e_damage import amount_of, damage_text, two_handed_damage
from turnwright.storage.importers.foundry.reading import ActorReading, limited_uses
from turnwright.storage.importers.foundry.units import ABILITIES, in_feet
from turnwright.storage.statblock_text.areas import area_of
from turnwright.storage.statblock_text.numbers import as_int

Found = Mapping[str, Any]
_ATTACKS: Final = {"mwak": "melee weapon", "rwak": "ranged weapon", "msak": "melee spell", "rsak": "ranged spell"}
_PROPERTIES: Final = {
    "hvy": "heavy",
    "thr": "thrown",
    "fin": "finesse",
    "two": "two-handed",
    "lgt": "dual-wielding",
    "sil": "silvered",
    "ada": "adamantine",
}
_AREAS: Final = {
    "cone": "cone", "cube": "cube", "cylinder": "cylinder", "line": "line", "radius": "radius", "sphere": "radius",
    "emanation": "radius", "square": "square", "circle": "radius",
}  # fmt: skip
NEAR: Final = 5  # the reach of a weapon that states none
_SILENT: Final = frozenset({"utility", "cast", "enchant", "summon", "transform", "forward", "order", ""})


class ItemNumbers(msgspec.Struct):
    """The numbers of an item by field of a feature, its activation, its two-handed damage, and the modifier of its attack."""

    known: dict[str, Any]
    activation: Found
    two_handed: str = ""
    modifier: int = 0


def item_numbers(item: Found, name: str, reading: ActorReading) -> ItemNumbers:
    """Return the numbers of an item by field of a feature. Dropped content is reported."""
    system = system_of(item)
    activities = values_of(system.get("activities"))
    found = ItemNumbers({}, as_mapping(system.get("activation")))
    if activities:
        _by_activities(activities, item, name, reading, found)
    else:
        _by_fields(system, name, reading, found)
    found.known |= usage_of(system, name, reading)
    price = _price(found.activation, activities)
    if price > 1:
        found.known["price"] = price
    return found


def _by_activities(activities: list[Found], item: Found, name: str, reading: ActorReading, found: ItemNumbers) -> None:
    """Read the first attack and the first save of an item together; further activities are reported."""
    system, known = system_of(item), found.known
    attack, save, dealt = (
        next((one for one in activities if one.get("type") == kind), None) for kind in ("attack", "save", "damage")
    )
    if attack or save:
        dealt = None
    main = attack or save or dealt or activities[0]
    if attack is not None:
        attack_numbers(attack, system, name, reading, found)
        known |= _dealt("damage", damage_text(as_mapping(attack.get("damage")), name, reading, found.modifier, item))
    else:
        known |= _range(_own(main, system, "range"))
    if save is not None:
        known |= _activity_save(save, name, reading, attacked=attack is not None)
    if dealt is not None:
        known |= _dealt("damage", damage_text(as_mapping(dealt.get("damage")), name, reading))
    known |= _area(as_mapping(_own(main, system, "target").get("template")))
    for one in activities:
        kind = as_text(one.get("type"))
        if not any(one is used for used in (attack, save, dealt)) and kind not in _SILENT:
            why = "is a further way to use it; it stays as text only"
            reading.report.add_note(f"{name}: {kind}", as_text(one.get("name")) or kind, why)
    activations = [as_mapping(one.get("activation")) for one in (main, *activities)]
    found.activation = next((one for one in activations if attack or one.get("type")), {})


def attack_numbers(attack: Found, system: Found, name: str, reading: ActorReading, found: ItemNumbers) -> None:
    """Put the bonus, the reach and the range of an attack activity among the numbers of its item."""
    given = as_mapping(attack.get("attack"))
    way = text_at(given, "type.value")
    way = way if way in ("melee", "ranged") else _way_of(system)
    what = "spell" if text_at(given, "type.classification") == "spell" else "weapon"
    _attack(way, what, given, system, name, reading, found)
    _reach(system, _own(attack, system, "range"), way, found.known)


def _dealt(field: str, damage: str) -> dict[str, Any]:
    """Return damage by its field; nothing for none, since prose may have some then."""
    return {field: damage} if damage else {}


def _own(activity: Found, system: Found, key: str) -> Found:
    """Return an activity's own numbers where it overrides the item's, or where the item has none."""
    own, its = as_mapping(activity.get(key)), as_mapping(system.get(key))
    figures = {**its, **as_mapping(its.get("template"))}
    filled = any(figures.get(one) not in (None, "") for one in ("value", "long", "reach", "size"))
    return its if filled and not own.get("override") else own


def own_and_item_data(activity: Found, system: Found) -> Found:
    """Return an activity with what it takes from its item where it has none of its own."""
    taken = {key: _own(activity, system, key) for key in ("range", "target") if isinstance(system.get(key), dict)}
    whole = {**activity, **taken}
    for key in ("duration", "activation"):
        its, own = as_mapping(system.get(key)), as_mapping(activity.get(key))
        if its and not own.get("override"):
            whole[key] = {**own, **{name: value for name, value in its.items() if value not in (None, "")}}
    return whole


def activity_damage(activity: Found, item: Found, modifier: int, name: str, reading: ActorReading) -> str:
    """Return the damage of an activity; that of an attack begins with its weapon's."""
    damage = as_mapping(activity.get("damage"))
    if activity.get("type") == "attack":
        return damage_text(damage, name, reading, modifier, item)
    return damage_text(damage, name, reading)


def activity_dc(activity: Found, kind: str, reading: ActorReading) -> int:
    """Return the DC of an activity's save or check (`kind`), 0 where it has none."""
    formula, how = text_at(activity, f"{kind}.dc.formula"), text_at(activity, f"{kind}.dc.calculation")
    number = reading.formulas.number(formula)
    if how and (number is None or how in ABILITIES or how == "spellcasting"):
        number = _dc_by(how, reading)
    return number or 0


def healing_of(activity: Found, modifier: int, name: str, reading: ActorReading) -> str:
    """Return the healing of an activity as dice, empty for none."""
    return damage_text({"parts": [as_mapping(activity.get("healing"))]}, name, reading, modifier)


def _activity_save(activity: Found, name: str, reading: ActorReading, *, attacked: bool) -> dict[str, Any]:
    ability = value_at(activity, "save.ability")
    ability = as_list(ability)[0] if as_list(ability) else ability
    number = activity_dc(activity, "save", reading)
    if ability not in ABILITIES or not number:
        said = text_at(activity, "save.dc.formula") or text_at(activity, "save.dc.calculation")
        reading.report.add_note(f"{name}: save", f"{ability} {said}", "is no save with a DC; text only")
        return {}
    damage = as_mapping(activity.get("damage"))
    dealt = _dealt("save_damage" if attacked else "damage", damage_text(damage, name, reading))
    halved = {"half": True} if dealt and damage.get("onSave") == "half" else {}
    return {"save": ability, "dc": number, **dealt, **halved}


def _dc_by(how: str, reading: ActorReading) -> int:
    return 8 + reading.proficiency + reading.modifiers[how if how in ABILITIES else reading.casting]


def _by_fields(system: Found, name: str, reading: ActorReading, found: ItemNumbers) -> None:
    """Read an item of the versions before activities: `actionType`, `damage.parts`, `save`."""
    known = found.known
    way, _, what = _ATTACKS.get(as_text(system.get("actionType")), "").partition(" ")
    if way:
        bonus = system.get("attackBonus") if "attackBonus" in system else value_at(system, "attack.bonus")
        given = {"ability": system.get("ability"), "bonus": bonus, "flat": value_at(system, "attack.flat")}
        _attack(way, what, given, system, name, reading, found)
        _reach(system, as_mapping(system.get("range")), way, known)
    else:
        found.modifier = reading.modifiers.get(as_text(system.get("ability")), 0)
        known |= _range(as_mapping(system.get("range")))
    parts: list[str] = []
    for given in as_list(value_at(system, "damage.parts")):
        formula, kind = (*given, "", "")[:2] if isinstance(given, list) else ("", "")
        amount = amount_of(formula, found.modifier, name, reading)
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
    way: str, what: str, given: Found, system: Found, name: str, reading: ActorReading, found: ItemNumbers
) -> None:
    words, ability = _words(system), given.get("ability")
    if ability not in ABILITIES:
        usual = "dex" if way == "ranged" and "thr" not in words else "str"
        if what == "spell" or ability == "spellcasting":
            usual = reading.casting
        elif "fin" in words:
            usual = max(("str", "dex"), key=lambda one: reading.modifiers[one])
        ability = usual
    found.modifier = reading.modifiers[ability]
    bonus = reading.formulas.number(given.get("bonus"), mod=found.modifier)
    if bonus is None and text_at(given, "bonus"):
        why = "can't be worked out; it is left out of the bonus"
        reading.report.add_note(f"{name}: attack", as_text(given["bonus"]), why)
    total = bonus or 0
    if not given.get("flat"):
        general = reading.formulas.number(value_at(reading.bonuses, f"{way[0]}{what[0]}ak.attack")) or 0
        trained = reading.proficiency if system.get("proficient") not in (False, 0) else 0
        total += found.modifier + trained + general + (as_int(system.get("magicalBonus")) or 0)
    found.known["attack"] = total
    found.known["properties"] = (what, *(_PROPERTIES[word] for word in words if word in _PROPERTIES))
    found.two_handed = two_handed_damage(system, found.modifier, name, reading)


def _words(system: Found) -> list[str]:
    given = system.get("properties")
    if isinstance(given, dict):
        return [key for key, value in given.items() if value is True]
    return [word for word in as_list(given) if isinstance(word, str)]


def _way_of(system: Found) -> str:
    kind = as_text(value_at(system, "type.value")) or as_text(system.get("weaponType"))
    if kind.endswith("R") or kind == "siege":
        return "ranged"
    ranged = as_int(value_at(system, "range.value")) or 0
    return "ranged" if kind == "natural" and ranged > 30 and not value_at(system, "range.reach") else "melee"


def _reach(system: Found, given: Found, way: str, known: dict[str, Any]) -> None:
    """Put reach and range in feet; a thrown weapon has both. A weapon without a reach has Foundry's default."""
    unit = given.get("units")
    near, far, reach = (in_feet(given.get(key), unit) or 0 for key in ("value", "long", "reach"))
    pair = f"{near}/{far}" if near and far else str(near) if near else ""
    words = _words(system)
    if way == "ranged":
        known |= {"range": pair} if pair else {}
        return
    if near and not (far or reach) and "thr" not in words:
        reach, pair = (0 if near == NEAR and "rch" in words else near), ""
    known["reach"] = reach or (2 * NEAR if "rch" in words else NEAR)
    known |= {"range": pair} if pair else {}


def _range(given: Found) -> dict[str, Any]:
    feet = in_feet(given.get("value"), given.get("units"))
    return {"range": str(feet)} if feet and as_text(given.get("units")) not in ("touch", "self") else {}


def _area(template: Found) -> dict[str, Any]:
    word, units = _AREAS.get(as_text(template.get("type")), ""), template.get("units")
    size = in_feet(template.get("size"), units)
    if not word or not size:
        return {}
    key = {"line": "width", "cylinder": "height"}.get(word, "")
    return {"area": area_of(word, size, in_feet(template.get(key), units) or 0)}


def usage_of(system: Found, name: str, reading: ActorReading) -> dict[str, Any]:
    """Return the number of uses of an item, and their recharge."""
    face = as_int(value_at(system, "recharge.value"))
    uses = as_mapping(system.get("uses"))
    number = reading.formulas.number(uses.get("max"))
    recovery = values_of(uses.get("recovery"))
    for one in recovery:
        if one.get("period") == "recharge":
            face = as_int(one.get("formula")) or 6
    if face:
        if 2 <= face <= 6:
            return {"recharge": face}
        reading.report.add_note(f"{name}: recharge", str(face), "is no face of a six-sided die; it isn't kept")
    period = next((as_text(one.get("period")) for one in recovery), "") or as_text(uses.get("per"))
    if not number or number < 1 or period in ("recharge", "charges"):
        return {}
    return limited_uses(number, str(number), period, name, reading.report)


def _price(activation: Found, activities: list[Found]) -> int:
    """Return the price of an item in legendary actions, 1 for any other item."""
    if activation.get("type") not in ("legendary", "mythic"):
        return 1
    for one in activities:
        for target in values_of(value_at(one, "consumption.targets")):
            if "legact" in as_text(target.get("target")) and as_int(target.get("value")):
                return as_int(target.get("value")) or 1
    return as_int(activation.get("value")) or as_int(activation.get("cost")) or 1
