"""Computes the head of a D&D 5e actor, in any version of its records: armour class, hit points, saves, traits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from turnwright.encounter.prepared import NamedNumbers
from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.importers.common import as_list, as_text
from turnwright.storage.importers.damage_defences import Defence, damage_fields
from turnwright.storage.importers.foundry.actors import Actor, mapping_at, system_of, text_at, value_at
from turnwright.storage.importers.foundry.formulas import FormulaEvaluator
from turnwright.storage.importers.foundry.reading import (
    ActorReading,
    actor_reading,
    effects_on,
    hit_points,
    initiative_of,
    language_names,
    skills_in,
    slots_of,
)
from turnwright.storage.importers.foundry.units import SENSES, SKILLS, SPEEDS, in_feet, proficiency_multiplier
from turnwright.storage.statblock_text.header_lines import condition_list, damage_types, senses, speeds
from turnwright.storage.statblock_text.numbers import as_int

Found = Mapping[str, Any]
_WEAPONS: Final = ("bludgeoning", "piercing", "slashing")
_MUNDANE: Final = "bludgeoning, piercing, and slashing from nonmagical attacks"
_MATERIALS: Final = {"sil": "silvered", "ada": "adamantine"}


def read_totals(actor: Actor, name: str, report: ConversionReport) -> ActorReading:
    """Return the reading of an actor with the bases of its totals."""
    reading = actor_reading(actor, name, value_at(system_of(actor), "attributes.spellcasting"), report)
    casts = reading.modifiers[reading.casting]
    values = {f"{key}.dc": 8 + reading.proficiency + n for key, n in reading.modifiers.items()}
    values |= {**reading.formulas.values, "mod": casts, "spell.mod": casts, "spell.attack": reading.proficiency + casts}
    more = FormulaEvaluator(values).number(value_at(reading.bonuses, "spell.dc")) or 0
    values |= dict.fromkeys(("spell.dc", "spelldc"), 8 + reading.proficiency + casts + more)
    values |= _skill_values(reading) | _class_levels(reading)
    reading.formulas = FormulaEvaluator(values)
    return reading


def _skill_values(reading: ActorReading) -> dict[str, int]:
    """Return the totals and passive scores of skills by the paths that formulas and prose have for them."""
    found: dict[str, int] = {}
    for code, ability in ((code, ability) for code, (_, ability) in SKILLS.items()):
        given = mapping_at(reading.system, f"skills.{code}")
        own = given.get("ability")
        modifier = reading.modifiers[own if own in reading.modifiers else ability]
        bonus = reading.formulas.number(value_at(given, "bonuses.check")) or 0
        total = modifier + int(proficiency_multiplier(given.get("value")) * reading.proficiency) + bonus
        passive = 10 + total + (reading.formulas.number(value_at(given, "bonuses.passive")) or 0)
        found |= {f"skills.{code}.total": total, f"skills.{code}.mod": modifier, f"skills.{code}.passive": passive}
    return found


def _class_levels(reading: ActorReading) -> dict[str, int]:
    classes = [system_of(item) for item in reading.items if item.get("type") == "class"]
    return {f"classes.{text_at(one, 'identifier')}.levels": as_int(one.get("levels")) or 0 for one in classes}


def head_fields(reading: ActorReading) -> dict[str, Any]:
    """Return the fields of a creature that are computed."""
    hp, levels = mapping_at(reading.system, "attributes.hp"), mapping_at(reading.system, "spells")
    ac, ac_note = _armor_class(reading)
    return {
        "ac": ac,
        "ac_note": ac_note,
        "hp": hit_points(hp, ("max", "value"), reading.report),
        "hit_dice": as_text(hp.get("formula")).replace(" ", ""),
        "abilities": tuple(reading.scores.items()),
        "saves": _saves(reading),
        "initiative": initiative_of(mapping_at(reading.system, "attributes.init"), reading),
        "condition_immunities": _conditions(reading),
        "languages": _languages(reading),
        "slots": slots_of([levels.get(f"spell{level}") for level in range(1, 10)], "override", "max", "value"),
        **_speeds(reading),
        **_senses_and_skills(reading),
        **damage_fields(lambda kind: _defences(kind, reading)),
    }


def _armor_class(reading: ActorReading) -> tuple[int, str]:
    """Return the armour class by the actor's own calculation and the effects on it, and its source."""
    given, bonus = _with_effects(mapping_at(reading.system, "attributes.ac"), reading)
    ac, note = _by_calculation(given, reading)
    return ac + bonus, note


def _with_effects(given: Found, reading: ActorReading) -> tuple[Found, int]:
    """Return the data of an armour class with what effects change of it, and their bonuses."""
    changed, bonus = dict(given), 0
    for effect, change in effects_on(reading, "attributes.ac."):
        key, value = as_text(change.get("key")).rpartition(".")[2], change.get("value")
        number = reading.formulas.number(value)
        if effect.get("disabled") is True:
            said = f"{as_text(effect.get('name') or effect.get('label'))}: {key} {as_text(value)}"
            reading.report.add_note("ac", said, "is an effect that is switched off; it isn't counted")
        elif key in ("calc", "formula", "flat"):
            changed[key] = number if key == "flat" else value
        elif key == "bonus" and number is not None:
            bonus += number
        else:
            reading.report.add_note(
                "ac", f"{key}: {as_text(value)}", "is an effect that isn't understood; it isn't counted"
            )
    return changed, bonus


def _by_calculation(given: Found, reading: ActorReading) -> tuple[int, str]:
    mods = reading.modifiers
    flat = as_int(given.get("flat"))
    how = as_text(given.get("calc")) or ("flat" if flat is not None or "value" in given else "default")
    fixed = as_int(given.get("value")) if flat is None else flat
    if how in ("flat", "natural") and fixed is not None:
        return fixed, "natural armor" if how == "natural" else ""
    reckoned = {
        "default": 10 + mods["dex"], "mage": 13 + mods["dex"], "draconic": 13 + mods["dex"],
        "unarmoredMonk": 10 + mods["dex"] + mods["wis"], "unarmoredBarb": 10 + mods["dex"] + mods["con"],
        "unarmoredBard": 10 + mods["dex"] + mods["cha"],
    }  # fmt: skip
    number = reading.formulas.number(given.get("formula")) if how == "custom" else None
    if number is not None:
        return number, ""
    if how not in reckoned:
        said, why = how, "is no way to reckon it that is known; worn armour or 10 + Dex is taken"
        if how == "custom":
            said, why = as_text(given.get("formula")), "can't be worked out; worn armour or 10 + Dex is taken"
        reading.report.add_note("ac", said, why)
    ac, worn = _worn(reckoned.get(how, reckoned["default"]), reading.items, mods["dex"])
    if flat and flat != ac and how == "default":
        taken = ac if worn else flat
        reading.report.add_note(
            "ac", str(flat), f"is its fixed number, where its calculation gives {ac}; {taken} is taken"
        )
        return taken, worn
    return ac, worn


def _worn(base: int, items: list[Found], dex: int) -> tuple[int, str]:
    """Return the armour class of worn armour and shields (`base` without armour), and their names."""
    armours: list[tuple[int, str]] = []
    shields: list[tuple[int, str]] = []
    for item in items:
        system = system_of(item)
        value = as_int(value_at(system, "armor.value"))
        if item.get("type") != "equipment" or not value or system.get("equipped") is not True:
            continue
        kind = armor_kind(system)
        value += as_int(value_at(system, "armor.magicalBonus")) or 0
        if kind == "shield":
            shields.append((value, as_text(item.get("name"))))
        elif kind in ("light", "medium", "heavy", "natural"):
            most = as_int(value_at(system, "armor.dex"))
            most = 2 if most is None and kind == "medium" else most
            added = 0 if kind == "heavy" else dex if most is None else min(dex, most)
            armours.append((value + added, as_text(item.get("name"))))
    best = max(armours, default=(base, ""))
    shield = max(shields, default=(0, ""))
    return best[0] + shield[0], ", ".join(name for _, name in (best, shield) if name).lower()


def armor_kind(system: Found) -> str:
    """Return the kind of a piece of equipment, in any version of the records: `heavy`, `shield`."""
    return text_at(system, "type.value") or text_at(system, "armor.type")


def _saves(reading: ActorReading) -> NamedNumbers:
    """Return the total bonuses of proficient saves and of saves with a bonus."""
    found = []
    general = reading.bonus(value_at(reading.bonuses, "abilities.save"), "saves")
    for ability, modifier in reading.modifiers.items():
        given = mapping_at(reading.system, f"abilities.{ability}")
        times = proficiency_multiplier(given.get("proficient"))
        bonus = reading.bonus(value_at(given, "bonuses.save"), f"saves: {ability}") + general
        if times or bonus:
            found.append((ability, modifier + int(times * reading.proficiency) + bonus))
    return tuple(found)


def _speeds(reading: ActorReading) -> dict[str, Any]:
    """Return feet by mode of movement, and whether the creature hovers; anything else is a remark."""
    given = mapping_at(reading.system, "attributes.movement")
    if not given and (old := mapping_at(reading.system, "attributes.speed")):  # a line for walking, one for the rest
        read = speeds([as_text(old.get("value")), as_text(old.get("special"))])
        reading.report.add_remark("speeds", read.rest, "isn't understood; it is kept as a remark")
        return {"speeds": read.distances, "hovers": read.hovers}
    reading.report.add_remark("speeds", text_at(given, "special"))
    found: list[tuple[str, int]] = []
    for name in SPEEDS:
        value = given.get(name)
        feet = in_feet(value, given.get("units"))
        if value not in (None, "", 0, "0") and (feet is None or feet < 0):
            reading.report.add_note(f"speeds: {name}", as_text(value), "is no distance; it isn't kept")
        elif feet or (name == "walk" and feet == 0):
            found.append((name, feet))
    return {"speeds": tuple(found), "hovers": bool(given.get("hover"))}


def _senses_and_skills(reading: ActorReading) -> dict[str, Any]:
    """Return feet by sense, bonuses of skills that differ from the bare modifier, and passive scores of either."""
    given = mapping_at(reading.system, "attributes.senses")
    ranges = mapping_at(given, "ranges") or given
    found = {name: feet for name in SENSES if (feet := in_feet(ranges.get(name), given.get("units")))}
    read = senses(text_at(given, "special") or text_at(reading.system, "traits.senses"))
    for name, feet in read.distances:
        found.setdefault(name, feet)
    reading.report.add_remark("senses", read.rest)
    skills, passives = [], []
    for id, skill, modifier, times, bonus in skills_in(reading, "value"):
        more = reading.bonus(value_at(skill, "bonuses.passive"), f"passives: {id}")
        total = modifier + int(times * reading.proficiency) + bonus
        if times or bonus:
            skills.append((id, total))
        if more:
            passives.append((id, 10 + total + more))
    return {
        "senses": tuple(found.items()),
        "skills": tuple(sorted(skills)),
        "passives": tuple(dict((*sorted(passives), *read.passives)).items()),
    }


def _defences(kind: str, reading: ActorReading) -> Defence:
    """Return a list of damage types; weapons with exceptions are one clause, or immunity to the nonmagical."""
    given = mapping_at(reading.system, f"traits.d{kind[0]}")
    values = [
        word.lower() for one in as_list(given.get("value")) if (word := as_text(one)) and word.lower() != "custom"
    ]
    bypasses = [word for word in as_list(given.get("bypasses")) if isinstance(word, str)]
    clause = ""
    if "physical" in values:
        values.remove("physical")
        clause = _MUNDANE
    elif bypasses and all(one in values for one in _WEAPONS):
        values = [one for one in values if one not in _WEAPONS]
        materials = [_MATERIALS[word] for word in bypasses if word in _MATERIALS]
        clause = _MUNDANE + (f" that aren't {' or '.join(materials)}" if materials else "")
        if "mgc" not in bypasses:
            clause = clause.replace("nonmagical attacks", "attacks")
    custom = damage_types(as_text(given.get("custom")))
    clauses = [part for part in (clause, *custom.clauses) if part]
    found = [one for one in (damage_types(clause).weapons, custom.weapons) if one is not None]
    mundane = None
    if found and kind != "vulnerabilities":
        mundane = tuple(material for one in found for material in one)
        clauses = [part for part in clauses if part != clause and "nonmagical" not in part.lower()]
    for part in clauses:
        reading.report.add_note(kind, part, "is a clause, which no figure can say; it is kept as it stands")
    return tuple(dict.fromkeys((*values, *custom.kinds, *clauses))), mundane


def _conditions(reading: ActorReading) -> tuple[str, ...]:
    """Return the conditions that an actor is immune to."""
    given = mapping_at(reading.system, "traits.ci")
    custom = condition_list(as_text(given.get("custom")))
    for part in custom.clauses:
        reading.report.add_note("condition immunities", part, "is no condition that is known; it is kept as it stands")
    values = (word for one in as_list(given.get("value")) if (word := as_text(one).lower()) != "custom")
    return tuple(dict.fromkeys(part for part in (*values, *custom.kinds, *custom.clauses) if part))


def _languages(reading: ActorReading) -> str:
    """Return languages as a line."""
    given = mapping_at(reading.system, "traits.languages")
    named = language_names(word for one in as_list(given.get("value")) if (word := as_text(one)).lower() != "custom")
    named += [part.strip() for part in as_text(given.get("custom")).split(";") if part.strip()]
    telepathy = mapping_at(given, "communication.telepathy")
    feet = in_feet(telepathy.get("value"), telepathy.get("units"))
    return ", ".join([*named, *([f"telepathy {feet} ft."] if feet else [])])
