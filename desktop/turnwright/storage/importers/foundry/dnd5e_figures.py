"""The figures in the head of a D&D 5e actor, in any version of its records: armour class, hit points, saves, traits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Figures, Remark
from turnwright.storage.importers.drafting import listed, mapping, slug, text_of, whole
from turnwright.storage.importers.foundry.actors import inside, system_of
from turnwright.storage.importers.foundry.formulas import Formulas
from turnwright.storage.importers.foundry.units import (
    ABILITIES,
    SENSES,
    SKILLS,
    SPEEDS,
    in_feet,
    modifier,
    proficiency_at,
    times_of,
    words_of,
)
from turnwright.storage.importers.prose.lines import condition_list, damage_types, senses, speeds
from turnwright.storage.importers.results import Account, Unreadable

Found = Mapping[str, Any]
_WEAPONS: Final = ("bludgeoning", "piercing", "slashing")
_MUNDANE: Final = "bludgeoning, piercing, and slashing from nonmagical attacks"
_MATERIALS: Final = {"sil": "silvered", "ada": "adamantine"}
_TONGUES: Final = {"deep": "Deep Speech", "cant": "Thieves' Cant", "sign": "Common Sign Language"}


class Sums(msgspec.Struct):
    """What is added up again and again: scores, modifiers, proficiency, formulas, the ability spells are cast with."""

    scores: Mapping[str, int]
    modifiers: Mapping[str, int]
    proficiency: int
    formulas: Formulas
    casting: str
    bonuses: Found


class Defences(msgspec.Struct, frozen=True):
    """Damage types of one list, and whether all nonmagical weapons are meant."""

    types: tuple[str, ...] = ()
    mundane: bool = False


def sums_of(figures: Found, rating: float, level: int, account: Account) -> Sums:
    """Return what an actor's other figures are added up from."""
    scores: dict[str, int] = {}
    for ability in ABILITIES:
        given = inside(figures, f"abilities.{ability}.value")
        score = whole(given)
        if score is None:
            account.tell(f"abilities: {ability}", text_of(given), "is no score; 10 is taken")
        scores[ability] = 10 if score is None else score
    modifiers = {ability: modifier(score) for ability, score in scores.items()}
    proficiency = 2 + (level - 1) // 4 if level else proficiency_at(rating)
    said = inside(figures, "attributes.spellcasting")
    casting = said if said in ABILITIES else "int"
    bonuses = mapping(figures.get("bonuses"))
    values = {f"{ability}.mod": number for ability, number in modifiers.items()}
    values |= {f"{ability}.value": score for ability, score in scores.items()} | scores
    values |= {f"{ability}.dc": 8 + proficiency + number for ability, number in modifiers.items()}
    values |= {
        "prof": proficiency, "cr": int(rating), "level": level, "mod": modifiers[casting],
        "spell.mod": modifiers[casting], "spell.attack": proficiency + modifiers[casting],
    }  # fmt: skip
    more = Formulas(values).number(inside(bonuses, "spell.dc")) or 0
    values |= {
        "spell.dc": 8 + proficiency + modifiers[casting] + more,
        "spelldc": 8 + proficiency + modifiers[casting] + more,
    }
    return Sums(scores, modifiers, proficiency, Formulas(values), casting, bonuses)


def armour_of(figures: Found, items: list[Found], sums: Sums, account: Account) -> tuple[int, str]:
    """Return the armour class as the actor says it is reckoned, and what it comes from."""
    given = mapping(inside(figures, "attributes.ac"))
    flat = whole(given.get("flat"))
    flat = whole(given.get("value")) if flat is None else flat
    how = text_of(given.get("calc")) or ("flat" if flat is not None else "default")
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
        account.tell("ac", text_of(given.get("formula")), "can't be worked out; worn armour or 10 + Dex is taken")
    elif how not in reckoned and how != "default":
        account.tell("ac", how, "is no way to reckon it that is known; worn armour or 10 + Dex is taken")
    return _worn(reckoned.get(how, 10 + mods["dex"]), items, mods["dex"])


def _worn(base: int, items: list[Found], dex: int) -> tuple[int, str]:
    names: list[str] = []
    best, shield = base, 0
    for item in items:
        system = system_of(item)
        value = whole(inside(system, "armor.value"))
        if item.get("type") != "equipment" or not value or system.get("equipped") is not True:
            continue
        kind = text_of(inside(system, "type.value")) or text_of(inside(system, "armor.type"))
        value += whole(inside(system, "armor.magicalBonus")) or 0
        if kind == "shield":
            shield = max(shield, value)
            names.append(text_of(item.get("name")))
        elif kind in ("light", "medium", "heavy", "natural"):
            most = whole(inside(system, "armor.dex"))
            most = {"heavy": 0, "medium": 2}.get(kind) if most is None else most
            best = max(best if not names else 0, value + (dex if most is None else min(dex, most)))
            names.insert(0, text_of(item.get("name")))
    return best + shield, ", ".join(name for name in names if name).lower()


def hit_points_of(figures: Found, account: Account) -> tuple[int, str]:
    """Return the most hit points somebody has, and the dice they are rolled from."""
    hp = mapping(inside(figures, "attributes.hp"))
    most = next((number for number in (whole(hp.get("max")), whole(hp.get("value"))) if number), None)
    if most is None:
        raise Unreadable(f"has no hit points (they are {hp.get('max', hp.get('value'))!r})")
    value = whole(hp.get("value"))
    if value is not None and value != most:
        account.tell("hp", str(value), f"is what is left of {most}; it isn't kept")
    return most, text_of(hp.get("formula")).replace(" ", "")


def saves_of(figures: Found, sums: Sums, account: Account) -> Figures:
    """Return the total bonuses of saves that somebody is trained in, or has a bonus to."""
    found = []
    general = added(inside(sums.bonuses, "abilities.save"), "saves", sums, account)
    for ability in ABILITIES:
        given = mapping(inside(figures, f"abilities.{ability}"))
        times = times_of(given.get("proficient"))
        bonus = added(inside(given, "bonuses.save"), f"saves: {ability}", sums, account) + general
        if times or bonus:
            found.append((ability, sums.modifiers[ability] + int(times * sums.proficiency) + bonus))
    return tuple(found)


def skills_of(figures: Found, sums: Sums, account: Account) -> tuple[Figures, Figures]:
    """Return the total bonuses of skills that differ from the bare modifier, and passive scores that do too."""
    found, passive = [], []
    for code, one in mapping(figures.get("skills")).items():
        given = mapping(one)
        id, usual = SKILLS.get(code, (slug(code), "int"))
        ability = text_of(given.get("ability")) if given.get("ability") in ABILITIES else usual
        times = times_of(given.get("value"))
        bonus = added(inside(given, "bonuses.check"), f"skills: {id}", sums, account)
        more = added(inside(given, "bonuses.passive"), f"passives: {id}", sums, account)
        total = sums.modifiers[ability] + int(times * sums.proficiency) + bonus
        if times or bonus:
            found.append((id, total))
        if more:
            passive.append((id, 10 + total + more))
    return tuple(sorted(found)), tuple(sorted(passive))


def added(formula: Any, field: str, sums: Sums, account: Account) -> int:
    """Return a bonus as a number, 0 for none; one that can't be worked out is told."""
    if formula in (None, "", "0", 0):
        return 0
    number = sums.formulas.number(formula)
    if number is None:
        account.tell(field, text_of(formula), "can't be worked out; it isn't counted in")
    return number or 0


def speeds_of(figures: Found, account: Account) -> tuple[Figures, bool, list[Remark]]:
    """Return feet by way of moving, whether it hovers, and remarks."""
    given = mapping(inside(figures, "attributes.movement"))
    found: list[tuple[str, int]] = []
    remarks = [Remark("speeds", said)] if (said := text_of(given.get("special")).strip()) else []
    if not given and (old := inside(figures, "attributes.speed")):
        return _old_speeds(mapping(old), account)
    for name in SPEEDS:
        value = given.get(name)
        feet = in_feet(value, given.get("units") or "ft")
        if value not in (None, "", 0, "0") and (feet is None or feet < 0):
            account.tell(f"speeds: {name}", text_of(value), "is no distance; it isn't kept")
        elif feet or (name == "walk" and feet == 0):
            found.append((name, feet))
    return tuple(found), bool(given.get("hover")), remarks


def _old_speeds(given: Found, account: Account) -> tuple[Figures, bool, list[Remark]]:
    """Return speeds of the first versions: a line for walking, and one for the rest."""
    read = speeds([text_of(given.get("value")), text_of(given.get("special"))])
    if read.rest:
        account.tell("speeds", read.rest, "isn't understood; it is kept as a remark")
    return read.figures, read.hovers, [Remark("speeds", read.rest)] if read.rest else []


def senses_of(figures: Found) -> tuple[Figures, Figures, list[Remark]]:
    """Return feet by sense, passive scores, and what else is said of senses."""
    given = mapping(inside(figures, "attributes.senses"))
    ranges = mapping(given.get("ranges")) or given
    units = given.get("units") or "ft"
    found = {name: feet for name in SENSES if (feet := in_feet(ranges.get(name), units))}
    special = text_of(given.get("special")).strip() or text_of(inside(figures, "traits.senses")).strip()
    read = senses(special)
    for name, feet in read.figures:
        found.setdefault(name, feet)
    return tuple(found.items()), read.passives, [Remark("senses", read.rest)] if read.rest else []


def defences_of(figures: Found, code: str, field: str, account: Account) -> Defences:
    """Return a list of damage types; weapons that something bypasses are one clause, or immunity to the nonmagical."""
    given = mapping(inside(figures, f"traits.{code}"))
    values = [word.lower() for one in listed(given.get("value")) if (word := text_of(one))]
    bypasses = [word for word in listed(given.get("bypasses")) if isinstance(word, str)]
    clause = ""
    if "physical" in values:
        values.remove("physical")
        clause = _MUNDANE
    elif bypasses and all(one in values for one in _WEAPONS):
        values = [one for one in values if one not in _WEAPONS]
        clause = _MUNDANE + "".join(f" that aren't {_MATERIALS[word]}" for word in bypasses if word in _MATERIALS)
        if "mgc" not in bypasses:
            clause = clause.replace("nonmagical attacks", "attacks")
    custom = damage_types(text_of(given.get("custom")))
    clauses = [part for part in (clause, *custom.clauses) if part]
    mundane = field != "vulnerabilities" and (clause == _MUNDANE or custom.mundane)
    if mundane:
        clauses = [part for part in clauses if part != clause and "nonmagical" not in part.lower()]
    for part in clauses:
        account.tell(field, part, "is a clause, which no figure can say; it is kept as it stands")
    return Defences(tuple(dict.fromkeys((*values, *custom.kinds, *clauses))), mundane)


def conditions_of(figures: Found, account: Account) -> tuple[str, ...]:
    """Return conditions that somebody is immune to."""
    given = mapping(inside(figures, "traits.ci"))
    custom = condition_list(text_of(given.get("custom")))
    for part in custom.clauses:
        account.tell("condition immunities", part, "is no condition that is known; it is kept as it stands")
    values = (text_of(one).lower() for one in listed(given.get("value")))
    return tuple(dict.fromkeys(part for part in (*values, *custom.kinds, *custom.clauses) if part))


def languages_of(figures: Found) -> str:
    """Return languages as a line."""
    given = mapping(inside(figures, "traits.languages"))
    said = [text_of(one) for one in listed(given.get("value"))]
    named = [_TONGUES.get(one, words_of(one) if one.islower() else one) for one in said if one]
    named += [part.strip() for part in text_of(given.get("custom")).split(";") if part.strip()]
    feet = in_feet(
        inside(given, "communication.telepathy.value"), inside(given, "communication.telepathy.units") or "ft"
    )
    return ", ".join([*named, *([f"telepathy {feet} ft."] if feet else [])])
