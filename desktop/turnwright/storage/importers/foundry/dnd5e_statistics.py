"""Computes the head of a D&D 5e actor, in any version of its records: armour class, hit points, saves, traits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import NamedNumbers, SourceNote
from turnwright.storage.conversion_report import ConversionReport, UnreadableError
from turnwright.storage.ids import slug
from turnwright.storage.importers.common import as_list, as_mapping, as_text
from turnwright.storage.importers.foundry.actors import nested_value, system_of
from turnwright.storage.importers.foundry.formulas import FormulaEvaluator
from turnwright.storage.importers.foundry.traits import DamageClauses
from turnwright.storage.importers.foundry.units import (
    ABILITIES,
    SENSES,
    SKILLS,
    SPEEDS,
    ability_modifier,
    in_feet,
    proficiency_bonus,
    proficiency_multiplier,
    title_from_key,
)
from turnwright.storage.statblock_text.header_lines import condition_list, damage_types, senses, speeds
from turnwright.storage.statblock_text.numbers import as_int

Found = Mapping[str, Any]
_WEAPONS: Final = ("bludgeoning", "piercing", "slashing")
_MUNDANE: Final = "bludgeoning, piercing, and slashing from nonmagical attacks"
_MATERIALS: Final = {"sil": "silvered", "ada": "adamantine"}
_TONGUES: Final = {"deep": "Deep Speech", "cant": "Thieves' Cant", "sign": "Common Sign Language"}


class Dnd5eTotals(msgspec.Struct):
    """The bases of an actor's totals: scores, modifiers, proficiency, formulas, spellcasting ability."""

    scores: Mapping[str, int]
    modifiers: Mapping[str, int]
    proficiency: int
    formulas: FormulaEvaluator
    casting: str
    bonuses: Found


def totals_of(system_data: Found, rating: float, level: int, report: ConversionReport) -> Dnd5eTotals:
    """Return the bases of an actor's other totals."""
    scores: dict[str, int] = {}
    for ability in ABILITIES:
        given = nested_value(system_data, f"abilities.{ability}.value")
        score = as_int(given)
        if score is None:
            report.add_note(f"abilities: {ability}", as_text(given), "is no score; 10 is taken")
        scores[ability] = 10 if score is None else score
    modifiers = {ability: ability_modifier(score) for ability, score in scores.items()}
    proficiency = 2 + (level - 1) // 4 if level else proficiency_bonus(rating)
    said = nested_value(system_data, "attributes.spellcasting")
    casting = said if said in ABILITIES else "int"
    bonuses = as_mapping(system_data.get("bonuses"))
    values = {f"{ability}.mod": number for ability, number in modifiers.items()}
    values |= {f"{ability}.value": score for ability, score in scores.items()} | scores
    values |= {f"{ability}.dc": 8 + proficiency + number for ability, number in modifiers.items()}
    values |= {
        "prof": proficiency, "cr": int(rating), "level": level, "mod": modifiers[casting],
        "spell.mod": modifiers[casting], "spell.attack": proficiency + modifiers[casting],
    }  # fmt: skip
    more = FormulaEvaluator(values).number(nested_value(bonuses, "spell.dc")) or 0
    values |= {
        "spell.dc": 8 + proficiency + modifiers[casting] + more,
        "spelldc": 8 + proficiency + modifiers[casting] + more,
    }
    return Dnd5eTotals(scores, modifiers, proficiency, FormulaEvaluator(values), casting, bonuses)


def armor_class_of(
    system_data: Found, items: list[Found], sums: Dnd5eTotals, report: ConversionReport
) -> tuple[int, str]:
    """Return the armour class by the actor's own calculation, and its source."""
    given = as_mapping(nested_value(system_data, "attributes.ac"))
    flat = as_int(given.get("flat"))
    flat = as_int(given.get("value")) if flat is None else flat
    how = as_text(given.get("calc")) or ("flat" if flat is not None else "default")
    if how in ("flat", "natural") and flat is not None:
        return flat, "natural armor" if how == "natural" else ""
    mods = sums.modifiers
    reckoned = {
        "mage": 13 + mods["dex"], "draconic": 13 + mods["dex"], "unarmoredMonk": 10 + mods["dex"] + mods["wis"],
        "unarmoredBarb": 10 + mods["dex"] + mods["con"], "unarmoredBard": 10 + mods["dex"] + mods["cha"],
    }  # fmt: skip
    if how == "custom":
        number = sums.formulas.number(given.get("formula"))
        if number is not None:
            return number, ""
        report.add_note("ac", as_text(given.get("formula")), "can't be worked out; worn armour or 10 + Dex is taken")
    elif how not in reckoned and how != "default":
        report.add_note("ac", how, "is no way to reckon it that is known; worn armour or 10 + Dex is taken")
    return _worn(reckoned.get(how, 10 + mods["dex"]), items, mods["dex"])


def _worn(base: int, items: list[Found], dex: int) -> tuple[int, str]:
    names: list[str] = []
    best, shield = base, 0
    for item in items:
        system = system_of(item)
        value = as_int(nested_value(system, "armor.value"))
        if item.get("type") != "equipment" or not value or system.get("equipped") is not True:
            continue
        kind = as_text(nested_value(system, "type.value")) or as_text(nested_value(system, "armor.type"))
        value += as_int(nested_value(system, "armor.magicalBonus")) or 0
        if kind == "shield":
            shield = max(shield, value)
            names.append(as_text(item.get("name")))
        elif kind in ("light", "medium", "heavy", "natural"):
            most = as_int(nested_value(system, "armor.dex"))
            most = {"heavy": 0, "medium": 2}.get(kind) if most is None else most
            best = max(best if not names else 0, value + (dex if most is None else min(dex, most)))
            names.insert(0, as_text(item.get("name")))
    return best + shield, ", ".join(name for name in names if name).lower()


def hit_points_of(system_data: Found, report: ConversionReport) -> tuple[int, str]:
    """Return the maximum hit points, and the hit dice."""
    hp = as_mapping(nested_value(system_data, "attributes.hp"))
    most = next((number for number in (as_int(hp.get("max")), as_int(hp.get("value"))) if number), None)
    if most is None:
        raise UnreadableError(f"has no hit points (they are {hp.get('max', hp.get('value'))!r})")
    value = as_int(hp.get("value"))
    if value is not None and value != most:
        report.add_note("hp", str(value), f"is what is left of {most}; it isn't kept")
    return most, as_text(hp.get("formula")).replace(" ", "")


def saves_of(system_data: Found, sums: Dnd5eTotals, report: ConversionReport) -> NamedNumbers:
    """Return the total bonuses of proficient saves and of saves with a bonus."""
    found = []
    general = sums.formulas.bonus(nested_value(sums.bonuses, "abilities.save"), "saves", report)
    for ability in ABILITIES:
        given = as_mapping(nested_value(system_data, f"abilities.{ability}"))
        times = proficiency_multiplier(given.get("proficient"))
        bonus = sums.formulas.bonus(nested_value(given, "bonuses.save"), f"saves: {ability}", report) + general
        if times or bonus:
            found.append((ability, sums.modifiers[ability] + int(times * sums.proficiency) + bonus))
    return tuple(found)


def skills_of(system_data: Found, sums: Dnd5eTotals, report: ConversionReport) -> tuple[NamedNumbers, NamedNumbers]:
    """Return the total bonuses of skills that differ from the bare modifier, and differing passive scores."""
    found, passive = [], []
    for code, one in as_mapping(system_data.get("skills")).items():
        given = as_mapping(one)
        id, usual = SKILLS.get(code, (slug(code), "int"))
        ability = as_text(given.get("ability")) if given.get("ability") in ABILITIES else usual
        times = proficiency_multiplier(given.get("value"))
        bonus = sums.formulas.bonus(nested_value(given, "bonuses.check"), f"skills: {id}", report)
        more = sums.formulas.bonus(nested_value(given, "bonuses.passive"), f"passives: {id}", report)
        total = sums.modifiers[ability] + int(times * sums.proficiency) + bonus
        if times or bonus:
            found.append((id, total))
        if more:
            passive.append((id, 10 + total + more))
    return tuple(sorted(found)), tuple(sorted(passive))


def speeds_of(system_data: Found, report: ConversionReport) -> tuple[NamedNumbers, bool, list[SourceNote]]:
    """Return feet by mode of movement, whether the creature hovers, and remarks."""
    given = as_mapping(nested_value(system_data, "attributes.movement"))
    found: list[tuple[str, int]] = []
    remarks = [SourceNote("speeds", said)] if (said := as_text(given.get("special")).strip()) else []
    if not given and (old := nested_value(system_data, "attributes.speed")):
        return _old_speeds(as_mapping(old), report)
    for name in SPEEDS:
        value = given.get(name)
        feet = in_feet(value, given.get("units") or "ft")
        if value not in (None, "", 0, "0") and (feet is None or feet < 0):
            report.add_note(f"speeds: {name}", as_text(value), "is no distance; it isn't kept")
        elif feet or (name == "walk" and feet == 0):
            found.append((name, feet))
    return tuple(found), bool(given.get("hover")), remarks


def _old_speeds(given: Found, report: ConversionReport) -> tuple[NamedNumbers, bool, list[SourceNote]]:
    """Return speeds of the first versions: a line for walking, and one for the rest."""
    read = speeds([as_text(given.get("value")), as_text(given.get("special"))])
    if read.rest:
        report.add_note("speeds", read.rest, "isn't understood; it is kept as a remark")
    return read.distances, read.hovers, [SourceNote("speeds", read.rest)] if read.rest else []


def senses_of(system_data: Found) -> tuple[NamedNumbers, NamedNumbers, list[SourceNote]]:
    """Return feet by sense, passive scores, and remarks on senses."""
    given = as_mapping(nested_value(system_data, "attributes.senses"))
    ranges = as_mapping(given.get("ranges")) or given
    units = given.get("units") or "ft"
    found = {name: feet for name in SENSES if (feet := in_feet(ranges.get(name), units))}
    special = as_text(given.get("special")).strip() or as_text(nested_value(system_data, "traits.senses")).strip()
    read = senses(special)
    for name, feet in read.distances:
        found.setdefault(name, feet)
    return tuple(found.items()), read.passives, [SourceNote("senses", read.rest)] if read.rest else []


def defences_of(system_data: Found, code: str, field: str, report: ConversionReport) -> DamageClauses:
    """Return a list of damage types; weapons with exceptions are one clause, or immunity to the nonmagical."""
    given = as_mapping(nested_value(system_data, f"traits.{code}"))
    values = [word.lower() for one in as_list(given.get("value")) if (word := as_text(one))]
    bypasses = [word for word in as_list(given.get("bypasses")) if isinstance(word, str)]
    clause = ""
    if "physical" in values:
        values.remove("physical")
        clause = _MUNDANE
    elif bypasses and all(one in values for one in _WEAPONS):
        values = [one for one in values if one not in _WEAPONS]
        clause = _MUNDANE + "".join(f" that aren't {_MATERIALS[word]}" for word in bypasses if word in _MATERIALS)
        if "mgc" not in bypasses:
            clause = clause.replace("nonmagical attacks", "attacks")
    custom = damage_types(as_text(given.get("custom")))
    clauses = [part for part in (clause, *custom.clauses) if part]
    mundane = field != "vulnerabilities" and (clause == _MUNDANE or custom.mundane)
    if mundane:
        clauses = [part for part in clauses if part != clause and "nonmagical" not in part.lower()]
    for part in clauses:
        report.add_note(field, part, "is a clause, which no figure can say; it is kept as it stands")
    return DamageClauses(tuple(dict.fromkeys((*values, *custom.kinds, *clauses))), mundane)


def conditions_of(system_data: Found, report: ConversionReport) -> tuple[str, ...]:
    """Return the conditions that an actor is immune to."""
    given = as_mapping(nested_value(system_data, "traits.ci"))
    custom = condition_list(as_text(given.get("custom")))
    for part in custom.clauses:
        report.add_note("condition immunities", part, "is no condition that is known; it is kept as it stands")
    values = (as_text(one).lower() for one in as_list(given.get("value")))
    return tuple(dict.fromkeys(part for part in (*values, *custom.kinds, *custom.clauses) if part))


def languages_of(system_data: Found) -> str:
    """Return languages as a line."""
    given = as_mapping(nested_value(system_data, "traits.languages"))
    said = [as_text(one) for one in as_list(given.get("value"))]
    named = [_TONGUES.get(one, title_from_key(one) if one.islower() else one) for one in said if one]
    named += [part.strip() for part in as_text(given.get("custom")).split(";") if part.strip()]
    feet = in_feet(
        nested_value(given, "communication.telepathy.value"),
        nested_value(given, "communication.telepathy.units") or "ft",
    )
    return ", ".join([*named, *([f"telepathy {feet} ft."] if feet else [])])
