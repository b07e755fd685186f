"""Reads an item of a D&D 5e actor as numbers: by its activities, or by the fields that items had before those."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from turnwright.storage.importers.common import as_list, as_mapping, as_text
from turnwright.storage.importers.foundry.actors import nested_value, values_of
from turnwright.storage.importers.foundry.dnd5e_damage import ItemContext, damage_parts, two_handed_damage
from turnwright.storage.importers.foundry.units import ABILITIES, in_feet, refill_period
from turnwright.storage.statblock_text.areas import area_of
from turnwright.storage.statblock_text.numbers import as_int

Found = Mapping[str, Any]
_ATTACKS: Final = {"mwak": "melee weapon", "rwak": "ranged weapon", "msak": "melee spell", "rsak": "ranged spell"}
_PROPERTIES: Final = {"hvy": "heavy", "thr": "thrown", "fin": "finesse", "two": "two-handed", "lgt": "dual-wielding"}
_AREAS: Final = {
    "cone": "cone", "cube": "cube", "cylinder": "cylinder", "line": "line", "radius": "radius", "sphere": "radius",
    "emanation": "radius", "square": "square", "circle": "radius",
}  # fmt: skip
_SILENT: Final = frozenset({"utility", "cast", "enchant", "summon", "transform", "forward", "order", ""})


class ItemNumbers(msgspec.Struct):
    """The numbers of an item by field of a feature, its two-handed damage, and its activation."""

    known: dict[str, Any]
    two_handed: str
    activation: Found


def item_numbers(item: Found, name: str, context: ItemContext) -> ItemNumbers:
    """Return the numbers of an item by field of a feature. Dropped content is reported."""
    system = as_mapping(item.get("system")) or as_mapping(item.get("data"))
    known: dict[str, Any] = {}
    activities = values_of(system.get("activities"))
    if activities:
        activation = _by_activities(activities, item, system, name, context, known)
    else:
        activation = as_mapping(system.get("activation"))
        _by_fields(system, name, context, known)
    known |= usage_of(system, name, context)
    price = _price(activation, activities)
    if price > 1:
        known["price"] = price
    known.pop("ability_used", None)
    return ItemNumbers(known, known.pop("two_handed", ""), activation)


def _by_activities(
    activities: list[Found], item: Found, system: Found, name: str, making: ItemContext, known: dict[str, Any]
) -> Found:
    """Read the first attack and the first save of an item together; further activities are reported."""
    attack = next((one for one in activities if one.get("type") == "attack"), None)
    save = next((one for one in activities if one.get("type") == "save"), None)
    dealt = next((one for one in activities if one.get("type") == "damage"), None)
    main = attack or save or dealt or activities[0]
    if attack is not None:
        given = as_mapping(attack.get("attack"))
        kind = as_mapping(given.get("type"))
        way = as_text(kind.get("value"))
        way = way if way in ("melee", "ranged") else _way_of(system)
        spell = (as_text(kind.get("classification")) or "weapon") == "spell"
        _attack(f"{way} {'spell' if spell else 'weapon'}", given.get("ability"), given.get("bonus"),
                bool(given.get("flat")), system, name, making, known)  # fmt: skip
        _reach(system, _own(attack, system, "range"), way, known)
        parts = damage_parts(as_mapping(attack.get("damage")), system, item, known, name, making, based=True)
        if parts:
            known["damage"] = " + ".join(parts)
    if save is not None:
        _activity_save(save, known, name, making, attacked=attack is not None, system=system, item=item)
    if attack is None and save is None and dealt is not None:
        parts = damage_parts(as_mapping(dealt.get("damage")), system, item, {}, name, making, based=False)
        if parts:
            known["damage"] = " + ".join(parts)
    known |= _area(as_mapping(_own(main, system, "target")))
    if attack is None:
        known |= _range(_own(main, system, "range"))
    used = {id(attack), id(save), id(dealt) if attack is None and save is None else 0}
    for one in activities:
        kind_of = as_text(one.get("type"))
        if id(one) not in used and kind_of not in _SILENT:
            said = as_text(one.get("name")) or kind_of
            making.report.add_note(f"{name}: {kind_of}", said, "is a further way to use it; it stays as text only")
    if main is not attack and not as_mapping(main.get("activation")).get("type"):
        return next(
            (as_mapping(one.get("activation")) for one in activities if as_mapping(one.get("activation")).get("type")),
            {},
        )
    return as_mapping(main.get("activation"))


def _own(activity: Found, system: Found, key: str) -> Found:
    """Return an activity's own numbers where it overrides the item's, or where the item has none."""
    own, its = as_mapping(activity.get(key)), as_mapping(system.get(key))
    figures = {**its, **as_mapping(its.get("template"))}
    filled = any(figures.get(one) not in (None, "") for one in ("value", "long", "reach", "size"))
    return its if filled and not own.get("override") else own


def _activity_save(
    activity: Found,
    known: dict[str, Any],
    name: str,
    making: ItemContext,
    *,
    attacked: bool,
    system: Found,
    item: Found,
) -> None:
    given = as_mapping(activity.get("save"))
    ability = given.get("ability")
    ability = as_list(ability)[0] if as_list(ability) else ability
    dc = as_mapping(given.get("dc"))
    number = making.formulas.number(dc.get("formula")) if as_text(dc.get("formula")).strip() else None
    how = as_text(dc.get("calculation"))
    if number is None or how in ABILITIES or how == "spellcasting":
        number = _dc_by(how, making) if how else number
    if ability not in ABILITIES or not number:
        making.report.add_note(
            f"{name}: save", f"{ability} {dc.get('formula') or how}", "is no save with a DC; text only"
        )
        return
    known["save"], known["dc"] = ability, number
    parts = damage_parts(as_mapping(activity.get("damage")), system, item, {}, name, making, based=False)
    if parts:
        known["save_damage" if attacked else "damage"] = " + ".join(parts)
        if as_mapping(activity.get("damage")).get("onSave") == "half":
            known["half"] = True


def _dc_by(how: str, making: ItemContext) -> int:
    ability = how if how in ABILITIES else making.casting
    return 8 + making.proficiency + making.modifiers.get(ability, 0)


def _by_fields(system: Found, name: str, making: ItemContext, known: dict[str, Any]) -> None:
    """Read an item of the versions before activities: `actionType`, `damage.parts`, `save`."""
    kind = _ATTACKS.get(as_text(system.get("actionType")), "")
    ability = system.get("ability")
    if kind:
        bonus = system.get("attackBonus") if "attackBonus" in system else nested_value(system, "attack.bonus")
        _attack(kind, ability, bonus, bool(nested_value(system, "attack.flat")), system, name, making, known)
        _reach(system, as_mapping(system.get("range")), kind.split()[0], known)
    else:
        known |= _range(as_mapping(system.get("range")))
    modifier = making.modifiers.get(known.pop("ability_used", "") or as_text(ability), 0)
    parts: list[str] = []
    for given in as_list(nested_value(system, "damage.parts")):
        formula, type_ = (
            (given[0], given[1] if len(given) > 1 else "") if isinstance(given, list) and given else ("", "")
        )
        amount = making.formulas.amount(formula, mod=modifier)
        if amount is None:
            making.report.add_note(f"{name}: damage", as_text(formula), "can't be worked out; it isn't kept")
        else:
            parts.append(f"{amount.text} {as_text(type_).lower()}".strip())
    save = as_mapping(system.get("save"))
    if save.get("ability") in ABILITIES:
        scaling = as_text(save.get("scaling")) or "spell"
        number = as_int(save.get("dc")) if scaling == "flat" or as_int(save.get("dc")) else _dc_by(scaling, making)
        if number:
            known["save"], known["dc"] = save["ability"], number
    if parts:
        known["damage"] = " + ".join(parts)
    known |= _old_area(as_mapping(system.get("target")))


def _attack(
    kind: str,
    ability: Any,
    bonus: Any,
    flat: bool,
    system: Found,
    name: str,
    making: ItemContext,
    known: dict[str, Any],
) -> None:
    way, what = kind.split()
    words = _words(system)
    if ability not in ABILITIES:
        better = max(("str", "dex"), key=lambda one: making.modifiers.get(one, 0))
        usual = better if "fin" in words else "dex" if way == "ranged" and "thr" not in words else "str"
        ability = making.casting if what == "spell" or ability == "spellcasting" else usual
    given = making.formulas.number(bonus, mod=making.modifiers[ability]) if as_text(bonus).strip() else 0
    if given is None:
        making.report.add_note(f"{name}: attack", as_text(bonus), "can't be worked out; it is left out of the bonus")
        given = 0
    key = f"{way[0]}{what[0]}ak"
    general = as_mapping(making.bonuses.get(key)).get("attack")
    more = making.formulas.number(general) if as_text(general).strip() else 0
    trained = system.get("proficient") not in (False, 0)
    magic = as_int(system.get("magicalBonus")) or 0
    known["attack"] = given if flat else (
        making.modifiers[ability] + (making.proficiency if trained else 0) + given + (more or 0) + magic
    )  # fmt: skip
    known["ability_used"] = ability
    known["two_handed"] = two_handed_damage(system, making.modifiers[ability], name, making)
    known["properties"] = (what, *(_PROPERTIES[word] for word in words if word in _PROPERTIES))


def _words(system: Found) -> list[str]:
    given = system.get("properties")
    if isinstance(given, dict):
        return [key for key, value in given.items() if value is True]
    return [word for word in as_list(given) if isinstance(word, str)]


def _way_of(system: Found) -> str:
    kind = as_text(nested_value(system, "type.value")) or as_text(system.get("weaponType"))
    if kind.endswith("R") or kind == "siege":
        return "ranged"
    ranged = as_int(nested_value(system, "range.value")) or 0
    return "ranged" if kind == "natural" and ranged > 30 and not nested_value(system, "range.reach") else "melee"


def _reach(system: Found, given: Found, way: str, known: dict[str, Any]) -> None:
    """Put reach and range in feet; a thrown weapon has both. A weapon without a reach has Foundry's default."""
    unit = given.get("units")
    near, far, reach = (in_feet(given.get(key), unit) or 0 for key in ("value", "long", "reach"))
    pair = f"{near}/{far}" if near and far else str(near) if near else ""
    words = _words(system)
    if way == "ranged":
        known |= {"range": pair} if pair else {}
        return
    if near and not far and "thr" not in words:
        reach, pair = reach or near, ""
    known["reach"] = reach or (10 if "rch" in words else 5)
    known |= {"range": pair} if pair else {}


def _range(given: Found) -> dict[str, Any]:
    feet = in_feet(given.get("value"), given.get("units"))
    return {"range": str(feet)} if feet and as_text(given.get("units")) not in ("touch", "self") else {}


def _area(target: Found) -> dict[str, Any]:
    template = as_mapping(target.get("template"))
    word = _AREAS.get(as_text(template.get("type")), "")
    size = in_feet(template.get("size"), template.get("units"))
    if not word or not size:
        return {}
    other = in_feet(template.get("width" if word == "line" else "height"), template.get("units")) or 0
    return {"area": area_of(word, size, other if word in ("line", "cylinder") else 0)}


def _old_area(target: Found) -> dict[str, Any]:
    word = _AREAS.get(as_text(target.get("type")), "")
    size = in_feet(target.get("value"), target.get("units"))
    return (
        {"area": area_of(word, size, in_feet(target.get("width")) or 0 if word == "line" else 0)}
        if word and size
        else {}
    )


def usage_of(system: Found, name: str, context: ItemContext) -> dict[str, Any]:
    """Return the number of uses of an item, and their recharge."""
    face = as_int(as_mapping(system.get("recharge")).get("value"))
    uses = as_mapping(system.get("uses"))
    number = context.formulas.number(uses.get("max")) if as_text(uses.get("max")).strip() else None
    recovery = values_of(uses.get("recovery"))
    for one in recovery:
        if one.get("period") == "recharge":
            face = as_int(one.get("formula")) or 6
    if face:
        if 2 <= face <= 6:
            return {"recharge": face}
        context.report.add_note(f"{name}: recharge", str(face), "is no face of a six-sided die; it isn't kept")
    period = next((as_text(one.get("period")) for one in recovery), "") or as_text(uses.get("per"))
    if not number or number < 1 or period in ("recharge", "charges"):
        return {}
    stretch = refill_period(period)
    if not stretch:
        context.report.add_note(
            f"{name}: uses", f"{number} per {period or '?'}", "is no limit that is known; it isn't kept"
        )
        return {}
    return {"uses": number, "per": stretch}


def _price(activation: Found, activities: list[Found]) -> int:
    """Return the price of an item in legendary actions, 1 for any other item."""
    if activation.get("type") not in ("legendary", "mythic"):
        return 1
    for one in activities:
        for target in values_of(nested_value(one, "consumption.targets")):
            if "legact" in as_text(target.get("target")) and as_int(target.get("value")):
                return as_int(target.get("value")) or 1
    return as_int(activation.get("value")) or as_int(activation.get("cost")) or 1
