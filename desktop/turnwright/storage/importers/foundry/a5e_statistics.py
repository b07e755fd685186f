"""Computes the head of an A5E actor: armour class, hit points, saves, skills and the like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import SourceNote
from turnwright.storage.conversion_report import ConversionReport, UnreadableError
from turnwright.storage.ids import slug
from turnwright.storage.importers.common import as_list, as_mapping, as_text
from turnwright.storage.importers.foundry.actors import Actor, items_of, nested_value
from turnwright.storage.importers.foundry.formulas import FormulaEvaluator
from turnwright.storage.importers.foundry.units import (
    ABILITIES,
    SKILLS,
    ability_modifier,
    proficiency_bonus,
    proficiency_multiplier,
    title_from_key,
)
from turnwright.storage.statblock_text.numbers import as_int

_DICE: Final = ("", "1d4", "1d6", "1d8", "1d10", "1d12")
_WORN: Final = 2
_TOLD_TONGUES: Final = {"deep": "Deep Speech", "cant": "Thieves' Cant", "undercommon": "Undercommon"}


class A5eTotals(msgspec.Struct):
    """The bases of an actor's totals: scores, modifiers, proficiency and formulas."""

    scores: Mapping[str, int]
    modifiers: Mapping[str, int]
    proficiency: int
    formulas: FormulaEvaluator
    casting: str


def totals_of(
    system_data: Mapping[str, Any], attributes: Mapping[str, Any], rating: float, level: int, report: ConversionReport
) -> A5eTotals:
    """Return the bases of an actor's other totals."""
    given = as_mapping(system_data.get("abilities"))
    scores: dict[str, int] = {}
    for ability in ABILITIES:
        score = as_int(as_mapping(given.get(ability)).get("value"))
        if score is None:
            report.add_note(
                f"abilities: {ability}", as_mapping(given.get(ability)).get("value"), "is no score; 10 is taken"
            )
        scores[ability] = 10 if score is None else score
    modifiers = {ability: ability_modifier(score) for ability, score in scores.items()}
    proficiency = 2 + (level - 1) // 4 if level else proficiency_bonus(rating)
    casting = as_text(attributes.get("spellcasting"))
    for book in as_list(list(as_mapping(system_data.get("spellBooks")).values())):
        said = as_text(as_mapping(book).get("ability"))
        casting = said if said in ABILITIES else casting
    casting = casting if casting in ABILITIES else "int"
    bonuses = as_mapping(system_data.get("bonuses"))
    maneuvers = 8 + proficiency + max(modifiers["str"], modifiers["dex"]) + (as_int(bonuses.get("maneuverDC")) or 0)
    spells = 8 + proficiency + modifiers[casting] + (as_int(bonuses.get("spellDC")) or 0)
    values = {f"{ability}.mod": number for ability, number in modifiers.items()}
    values |= {f"{ability}.value": score for ability, score in scores.items()} | scores
    values |= {
        "finesse.mod": max(modifiers["str"], modifiers["dex"]), "prof": proficiency, "maneuverDC": maneuvers,
        "spellDC": spells, "cr": int(rating), "level": level, "mod": max(modifiers["str"], modifiers["dex"]),
        "spellcasting.mod": modifiers[casting],
    }  # fmt: skip
    return A5eTotals(scores, modifiers, proficiency, FormulaEvaluator(values), casting)


def level_of(actor: Actor, details: Mapping[str, Any]) -> int:
    """Return a character's level: its own number, or the sum of its classes."""
    own = as_int(details.get("level"))
    if own:
        return min(max(own, 1), 100)
    classes = (as_mapping(item.get("system")) for item in items_of(actor) if item.get("type") == "class")
    return min(sum(as_int(one.get("classLevels") or one.get("levels")) or 0 for one in classes), 100)


def armor_class_of(
    attributes: Mapping[str, Any], items: list[Mapping[str, Any]], sums: A5eTotals, report: ConversionReport
) -> tuple[int, str]:
    """Return the armour class: the better of its formula and worn armour, with the carried shields."""
    formula = as_text(as_mapping(attributes.get("ac")).get("baseFormula")).strip()
    own = sums.formulas.number(formula) if formula else None
    if formula and own is None:
        report.add_note("ac", formula, "can't be worked out; worn armour or 10 + Dex is taken")
    usual = own if own is not None else 10 + sums.modifiers["dex"]
    worn: list[tuple[int, str]] = []
    shields: list[tuple[int, str]] = []
    for item in items:
        system = as_mapping(item.get("system"))
        kind, ac = system.get("objectType"), as_mapping(system.get("ac"))
        number = sums.formulas.number(ac.get("baseFormula")) if kind in ("armor", "shield") else None
        if number is not None and system.get("equippedState") in (_WORN, None, True):
            (shields if kind == "shield" else worn).append((number, as_text(item.get("name"))))
    best = max(worn, default=(0, ""))
    note = best[1] if best[0] > usual else ""
    if note and formula.isdecimal():
        report.add_note("ac", formula, f"{note} gives {best[0]}, which is better; {formula} is kept")
        best, note = (0, ""), ""
    if shields:
        usual = max(usual, best[0]) + shields[0][0]
        if formula.isdecimal():
            report.add_note("ac", formula, f"{shields[0][1]} adds {shields[0][0]}: {usual}")
        return usual, ", ".join(part for part in (note, shields[0][1]) if part)
    return max(usual, best[0]), note


def hit_points_of(attributes: Mapping[str, Any], sums: A5eTotals, report: ConversionReport) -> tuple[str, int]:
    """Return hit dice as they are written (`10d8+20`) and the maximum hit points."""
    hp = as_mapping(attributes.get("hp"))
    most = next((n for n in (as_int(hp.get("baseMax")), as_int(hp.get("max")), as_int(hp.get("value"))) if n), None)
    if most is None:
        raise UnreadableError(f"has no hit points (they are {hp.get('baseMax', hp.get('value'))!r})")
    value = as_int(hp.get("value"))
    if value is not None and value != most:
        report.add_note("hp", str(value), f"is what is left of {most}; it isn't kept")
    bonus = as_int(hp.get("bonus")) or 0
    if bonus:
        report.add_note("hp", f"{most} + {bonus}", "has a bonus, which is counted in")
    dice = []
    for size, given in as_mapping(attributes.get("hitDice")).items():
        count = as_int(as_mapping(given).get("total"))
        if count and count > 0 and size[:1] == "d" and size[1:].isdecimal():
            dice.append((count, size))
    if not dice:
        return "", most + bonus
    added = sums.modifiers["con"] * sum(count for count, _ in dice)
    return "+".join(f"{count}{size}" for count, size in dice) + (f"{added:+d}" if added else ""), most + bonus


def saves_of(
    system_data: Mapping[str, Any], sums: A5eTotals, remarks: list[SourceNote], report: ConversionReport
) -> tuple[tuple[str, int], ...]:
    """Return the total bonuses of proficient saves and of saves with a bonus; expertise dice are remarks."""
    found = []
    for ability in ABILITIES:
        save = as_mapping(nested_value(system_data, f"abilities.{ability}.save"))
        trained = bool(save.get("proficient"))
        bonus = sums.formulas.bonus(save.get("bonus"), f"saves: {ability}", report)
        if trained and bonus and bonus == sums.proficiency:
            report.add_note(
                f"saves: {ability}", f"+{bonus}", "is the proficiency bonus a second time; it is counted once"
            )
            bonus = 0
        if trained or bonus:
            found.append((ability, sums.modifiers[ability] + (sums.proficiency if trained else 0) + bonus))
        _expertise(save.get("expertiseDice"), "saves", ability, remarks)
    return tuple(found)


def skills_of(
    system_data: Mapping[str, Any], sums: A5eTotals, remarks: list[SourceNote], report: ConversionReport
) -> tuple[tuple[str, int], ...]:
    """Return the total bonuses of skills that differ from the bare modifier; dice and specialties are remarks."""
    found = []
    for code, given in as_mapping(system_data.get("skills")).items():
        skill = as_mapping(given)
        id, usual = SKILLS.get(code, (slug(code), "int"))
        times = proficiency_multiplier(skill.get("proficient"))
        ability = skill.get("ability") if skill.get("ability") in ABILITIES else usual
        bonuses = skill.get("bonuses")
        own = sums.modifiers[str(ability)]
        bonus = sums.formulas.bonus(as_mapping(bonuses).get("check"), f"skills: {id}", report)
        if times and bonus and bonus == own:
            report.add_note(f"skills: {id}", f"+{bonus}", "is the ability's modifier a second time; it is counted once")
            bonus = 0
        if times or bonus:
            found.append((id, own + int(times * sums.proficiency) + bonus))
        _expertise(skill.get("expertiseDice"), "skills", id, remarks)
        special = [title_from_key(as_text(one)) for one in as_list(skill.get("specialties"))]
        remarks += [SourceNote("skills", f"{id.replace('-', ' ')}: {one}") for one in special if one]
    return tuple(sorted(found))


def _expertise(dice: Any, about: str, what: str, remarks: list[SourceNote]) -> None:
    number = as_int(dice)
    if number and 0 < number < len(_DICE):
        remarks.append(SourceNote(about, f"{what.replace('-', ' ')}: expertise die {_DICE[number]}"))


def initiative_of(attributes: Mapping[str, Any], sums: A5eTotals, report: ConversionReport) -> int | None:
    """Return the initiative bonus where it isn't that of Dexterity alone."""
    given = as_mapping(attributes.get("initiative"))
    ability = given.get("ability") if given.get("ability") in ABILITIES else "dex"
    bonus = sums.formulas.bonus(given.get("bonus"), "initiative", report)
    if not bonus and ability == "dex":
        return None
    return sums.modifiers[str(ability)] + bonus


def note_situational_bonuses(bonuses: Mapping[str, Any], report: ConversionReport) -> None:
    """Report situational bonuses; those of single kinds of attack and of DCs are counted in."""
    for key, given in bonuses.items():
        for one in given.values() if isinstance(given, dict) else ():
            said = as_text(as_mapping(one).get("formula")) or as_text(one)
            if said and said != "0":
                report.add_note(f"bonuses: {key}", said, "holds under circumstances; it isn't counted in")


def languages_of(system_data: Mapping[str, Any]) -> str:
    """Return languages as a line."""
    said = [as_text(one).strip() for one in as_list(nested_value(system_data, "proficiencies.languages"))]
    return ", ".join(
        _TOLD_TONGUES.get(one, one.capitalize() if one.islower() and " " not in one else one) for one in said if one
    )


def slots_of(system_data: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
    """Return spell slots by level."""
    slots = as_mapping(nested_value(system_data, "spellResources.slots"))
    counts = ((level, as_int(as_mapping(slots.get(level)).get("max")) or 0) for level in map(str, range(1, 10)))
    return tuple((level, count) for level, count in counts if 0 < count <= 100)
