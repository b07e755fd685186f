"""Computes the head of an A5E actor: armour class, hit points, saves, skills and the like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from turnwright.encounter.prepared import NamedNumbers
from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.importers.common import as_list, as_mapping, as_text
from turnwright.storage.importers.foundry.actors import Actor, mapping_at, system_of, text_at, value_at
from turnwright.storage.importers.foundry.formulas import FormulaEvaluator
from turnwright.storage.importers.foundry.reading import (
    ActorReading,
    actor_reading,
    hit_points,
    initiative_of,
    language_names,
    skills_in,
    slots_of,
)
from turnwright.storage.importers.foundry.units import ABILITIES, title_from_key
from turnwright.storage.statblock_text.numbers import as_int

_DICE: Final = ("", "1d4", "1d6", "1d8", "1d10", "1d12")
_WORN: Final = 2


def read_totals(actor: Actor, name: str, report: ConversionReport) -> ActorReading:
    """Return the reading of an actor with the bases of its totals."""
    system = system_of(actor)
    casting = text_at(system, "attributes.spellcasting")
    for book in mapping_at(system, "spellBooks").values():
        said = text_at(book, "ability")
        casting = said if said in ABILITIES else casting
    reading = actor_reading(actor, name, casting, report)
    better, casts = max(reading.modifiers["str"], reading.modifiers["dex"]), reading.modifiers[reading.casting]
    values = {"finesse.mod": better, "mod": better, "spellcasting.mod": casts}
    for key, modifier in (("maneuverDC", better), ("spellDC", casts)):
        values[key] = 8 + reading.proficiency + modifier + (as_int(reading.bonuses.get(key)) or 0)
    reading.formulas = FormulaEvaluator({**reading.formulas.values, **values})
    _note_situational_bonuses(reading)
    return reading


def head_fields(reading: ActorReading) -> dict[str, Any]:
    """Return the fields of a creature that are computed; dice and specialties beside them are remarks."""
    system, attributes = reading.system, mapping_at(reading.system, "attributes")
    ac, ac_note = _armor_class(attributes, reading)
    dice, hp = _hit_points(attributes, reading)
    levels = mapping_at(system, "spellResources.slots")
    languages = as_list(value_at(system, "proficiencies.languages"))
    return {
        "ac": ac,
        "ac_note": ac_note,
        "hp": hp,
        "hit_dice": dice,
        "abilities": tuple(reading.scores.items()),
        "saves": _saves(reading),
        "skills": _skills(reading),
        "initiative": initiative_of(as_mapping(attributes.get("initiative")), reading),
        "languages": ", ".join(language_names(as_text(one).strip() for one in languages)),
        "slots": slots_of([levels.get(str(level)) for level in range(1, 10)], "max"),
    }


def _armor_class(attributes: Mapping[str, Any], reading: ActorReading) -> tuple[int, str]:
    """Return the armour class: the better of its formula and worn armour, with the carried shields."""
    formula = text_at(attributes, "ac.baseFormula")
    own = reading.formulas.number(formula) if formula else None
    if formula and own is None:
        reading.report.add_note("ac", formula, "can't be worked out; worn armour or 10 + Dex is taken")
    usual = own if own is not None else 10 + reading.modifiers["dex"]
    worn: dict[str, list[tuple[int, str]]] = {"armor": [], "shield": []}
    for item in reading.items:
        system = as_mapping(item.get("system"))
        kind = as_text(system.get("objectType"))
        number = reading.formulas.number(value_at(system, "ac.baseFormula")) if kind in worn else None
        if number is not None and system.get("equippedState") in (_WORN, None, True):
            worn[kind].append((number, as_text(item.get("name"))))
    best, note = max(worn["armor"], default=(0, ""))
    if best <= usual:
        note = ""
    elif note and formula.isdecimal():
        reading.report.add_note("ac", formula, f"{note} gives {best}, which is better; {formula} is kept")
        best, note = 0, ""
    usual = max(usual, best)
    if worn["shield"]:
        added, shield = worn["shield"][0]
        usual += added
        note = ", ".join(part for part in (note, shield) if part)
        if formula.isdecimal():
            reading.report.add_note("ac", formula, f"{shield} adds {added}: {usual}")
    return usual, note


def _hit_points(attributes: Mapping[str, Any], reading: ActorReading) -> tuple[str, int]:
    """Return hit dice as they are written (`10d8+20`) and the maximum hit points."""
    hp = mapping_at(attributes, "hp")
    most, bonus = hit_points(hp, ("baseMax", "max", "value"), reading.report), as_int(hp.get("bonus")) or 0
    if bonus:
        reading.report.add_note("hp", f"{most} + {bonus}", "has a bonus, which is counted in")
    counts = {size: as_int(value_at(given, "total")) for size, given in mapping_at(attributes, "hitDice").items()}
    dice = [(n, size) for size, n in counts.items() if n and n > 0 and size[:1] == "d" and size[1:].isdecimal()]
    added = reading.modifiers["con"] * sum(count for count, _ in dice)
    return "+".join(f"{count}{size}" for count, size in dice) + (f"{added:+d}" if added else ""), most + bonus


def _saves(reading: ActorReading) -> NamedNumbers:
    """Return the total bonuses of proficient saves and of saves with a bonus."""
    found = []
    for ability, modifier in reading.modifiers.items():
        save = mapping_at(reading.system, f"abilities.{ability}.save")
        trained = reading.proficiency if save.get("proficient") else 0
        bonus = reading.bonus(save.get("bonus"), f"saves: {ability}")
        if bonus and bonus == trained:
            reading.report.add_note(
                f"saves: {ability}", f"+{bonus}", "is the proficiency bonus a second time; it is counted once"
            )
            bonus = 0
        if trained or bonus:
            found.append((ability, modifier + trained + bonus))
        _note_expertise(save, "saves", ability, reading)
    return tuple(found)


def _skills(reading: ActorReading) -> NamedNumbers:
    """Return the total bonuses of skills that differ from the bare modifier."""
    found = []
    for id, skill, modifier, times, bonus in skills_in(reading, "proficient"):
        twice = times and bonus and bonus == modifier
        if twice:
            reading.report.add_note(
                f"skills: {id}", f"+{bonus}", "is the ability's modifier a second time; it is counted once"
            )
        if times or bonus:
            found.append((id, modifier + int(times * reading.proficiency) + (0 if twice else bonus)))
        _note_expertise(skill, "skills", id, reading)
        for special in as_list(skill.get("specialties")):
            if said := title_from_key(as_text(special)):
                reading.report.add_remark("skills", f"{id.replace('-', ' ')}: {said}")
    return tuple(sorted(found))


def _note_expertise(found: Mapping[str, Any], about: str, what: str, reading: ActorReading) -> None:
    number = as_int(found.get("expertiseDice"))
    if number and 0 < number < len(_DICE):
        reading.report.add_remark(about, f"{what.replace('-', ' ')}: expertise die {_DICE[number]}")


def _note_situational_bonuses(reading: ActorReading) -> None:
    """Report situational bonuses; those of single kinds of attack and of DCs are counted in."""
    for key, given in reading.bonuses.items():
        for one in given.values() if isinstance(given, dict) else ():
            said = text_at(one, "formula") or as_text(one)
            if said and said != "0":
                reading.report.add_note(f"bonuses: {key}", said, "holds under circumstances; it isn't counted in")
