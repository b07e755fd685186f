"""The figures in the head of an A5E actor: armour class, hit points, saves and skills added up, and the like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Remark
from turnwright.storage.importers.drafting import listed, mapping, slug, text_of, whole
from turnwright.storage.importers.foundry.actors import Actor, inside, items_of
from turnwright.storage.importers.foundry.formulas import Formulas
from turnwright.storage.importers.foundry.units import (
    ABILITIES,
    SIZES,
    SKILLS,
    modifier,
    proficiency_at,
    times_of,
    words_of,
)
from turnwright.storage.importers.results import Account, Unreadable

_DICE: Final = ("", "1d4", "1d6", "1d8", "1d10", "1d12")
_WORN: Final = 2
_TOLD_TONGUES: Final = {"deep": "Deep Speech", "cant": "Thieves' Cant", "undercommon": "Undercommon"}


class Sums(msgspec.Struct):
    """What is added up again and again: modifiers, proficiency and formulas of one actor."""

    scores: Mapping[str, int]
    modifiers: Mapping[str, int]
    proficiency: int
    formulas: Formulas
    casting: str


def sums_of(
    figures: Mapping[str, Any], attributes: Mapping[str, Any], rating: float, level: int, account: Account
) -> Sums:
    """Return what an actor's other figures are added up from."""
    given = mapping(figures.get("abilities"))
    scores: dict[str, int] = {}
    for ability in ABILITIES:
        score = whole(mapping(given.get(ability)).get("value"))
        if score is None:
            account.tell(f"abilities: {ability}", mapping(given.get(ability)).get("value"), "is no score; 10 is taken")
        scores[ability] = 10 if score is None else score
    modifiers = {ability: modifier(score) for ability, score in scores.items()}
    proficiency = 2 + (level - 1) // 4 if level else proficiency_at(rating)
    casting = text_of(attributes.get("spellcasting"))
    for book in listed(list(mapping(figures.get("spellBooks")).values())):
        said = text_of(mapping(book).get("ability"))
        casting = said if said in ABILITIES else casting
    casting = casting if casting in ABILITIES else "int"
    bonuses = mapping(figures.get("bonuses"))
    maneuvers = 8 + proficiency + max(modifiers["str"], modifiers["dex"]) + (whole(bonuses.get("maneuverDC")) or 0)
    spells = 8 + proficiency + modifiers[casting] + (whole(bonuses.get("spellDC")) or 0)
    values = {f"{ability}.mod": number for ability, number in modifiers.items()}
    values |= {f"{ability}.value": score for ability, score in scores.items()} | scores
    values |= {
        "finesse.mod": max(modifiers["str"], modifiers["dex"]), "prof": proficiency, "maneuverDC": maneuvers,
        "spellDC": spells, "cr": int(rating), "level": level, "mod": max(modifiers["str"], modifiers["dex"]),
        "spellcasting.mod": modifiers[casting],
    }  # fmt: skip
    return Sums(scores, modifiers, proficiency, Formulas(values), casting)


def level_of(actor: Actor, details: Mapping[str, Any]) -> int:
    """Return a character's level: its own figure, or that of its classes together."""
    own = whole(details.get("level"))
    if own:
        return min(max(own, 1), 100)
    classes = (mapping(item.get("system")) for item in items_of(actor) if item.get("type") == "class")
    return min(sum(whole(one.get("classLevels") or one.get("levels")) or 0 for one in classes), 100)


def armour_of(
    attributes: Mapping[str, Any], items: list[Mapping[str, Any]], sums: Sums, account: Account
) -> tuple[int, str]:
    """Return the armour class: its own formula or worn armour, whichever is better, and the shields that are carried."""
    formula = text_of(mapping(attributes.get("ac")).get("baseFormula")).strip()
    own = sums.formulas.number(formula) if formula else None
    if formula and own is None:
        account.tell("ac", formula, "can't be worked out; worn armour or 10 + Dex is taken")
    usual = own if own is not None else 10 + sums.modifiers["dex"]
    worn: list[tuple[int, str]] = []
    shields: list[tuple[int, str]] = []
    for item in items:
        system = mapping(item.get("system"))
        kind, ac = system.get("objectType"), mapping(system.get("ac"))
        number = sums.formulas.number(ac.get("baseFormula")) if kind in ("armor", "shield") else None
        if number is not None and system.get("equippedState") in (_WORN, None, True):
            (shields if kind == "shield" else worn).append((number, text_of(item.get("name"))))
    best = max(worn, default=(0, ""))
    note = best[1] if best[0] > usual else ""
    if note and formula.isdecimal():
        account.tell("ac", formula, f"{note} gives {best[0]}, which is better; {formula} is kept")
        best, note = (0, ""), ""
    if shields:
        usual = max(usual, best[0]) + shields[0][0]
        if formula.isdecimal():
            account.tell("ac", formula, f"{shields[0][1]} adds {shields[0][0]}: {usual}")
        return usual, ", ".join(part for part in (note, shields[0][1]) if part)
    return max(usual, best[0]), note


def hit_points_of(attributes: Mapping[str, Any], sums: Sums, account: Account) -> tuple[str, int]:
    """Return hit dice as they are written (`10d8+20`) and the hit points somebody has at most."""
    hp = mapping(attributes.get("hp"))
    most = next((n for n in (whole(hp.get("baseMax")), whole(hp.get("max")), whole(hp.get("value"))) if n), None)
    if most is None:
        raise Unreadable(f"has no hit points (they are {hp.get('baseMax', hp.get('value'))!r})")
    value = whole(hp.get("value"))
    if value is not None and value != most:
        account.tell("hp", str(value), f"is what is left of {most}; it isn't kept")
    bonus = whole(hp.get("bonus")) or 0
    if bonus:
        account.tell("hp", f"{most} + {bonus}", "has a bonus, which is counted in")
    dice = []
    for size, given in mapping(attributes.get("hitDice")).items():
        count = whole(mapping(given).get("total"))
        if count and count > 0 and size[:1] == "d" and size[1:].isdecimal():
            dice.append((count, size))
    if not dice:
        return "", most + bonus
    added = sums.modifiers["con"] * sum(count for count, _ in dice)
    return "+".join(f"{count}{size}" for count, size in dice) + (f"{added:+d}" if added else ""), most + bonus


def saves_of(
    figures: Mapping[str, Any], sums: Sums, remarks: list[Remark], account: Account
) -> tuple[tuple[str, int], ...]:
    """Return the total bonuses of saves that somebody is trained in, or has a bonus to; expertise dice are remarks."""
    found = []
    for ability in ABILITIES:
        save = mapping(inside(figures, f"abilities.{ability}.save"))
        trained = bool(save.get("proficient"))
        bonus = _bonus(save.get("bonus"), f"saves: {ability}", sums, account)
        if trained and bonus and bonus == sums.proficiency:
            account.tell(f"saves: {ability}", f"+{bonus}", "is the proficiency bonus a second time; it is counted once")
            bonus = 0
        if trained or bonus:
            found.append((ability, sums.modifiers[ability] + (sums.proficiency if trained else 0) + bonus))
        _expertise(save.get("expertiseDice"), "saves", ability, remarks)
    return tuple(found)


def skills_of(
    figures: Mapping[str, Any], sums: Sums, remarks: list[Remark], account: Account
) -> tuple[tuple[str, int], ...]:
    """Return the total bonuses of skills that differ from the bare modifier; dice and specialties are remarks."""
    found = []
    for code, given in mapping(figures.get("skills")).items():
        skill = mapping(given)
        id, usual = SKILLS.get(code, (slug(code), "int"))
        times = times_of(skill.get("proficient"))
        ability = skill.get("ability") if skill.get("ability") in ABILITIES else usual
        bonuses = skill.get("bonuses")
        own = sums.modifiers[str(ability)]
        bonus = _bonus(mapping(bonuses).get("check"), f"skills: {id}", sums, account)
        if times and bonus and bonus == own:
            account.tell(f"skills: {id}", f"+{bonus}", "is the ability's modifier a second time; it is counted once")
            bonus = 0
        if times or bonus:
            found.append((id, own + int(times * sums.proficiency) + bonus))
        _expertise(skill.get("expertiseDice"), "skills", id, remarks)
        special = [words_of(text_of(one)) for one in listed(skill.get("specialties"))]
        remarks += [Remark("skills", f"{id.replace('-', ' ')}: {one}") for one in special if one]
    return tuple(sorted(found))


def _expertise(dice: Any, about: str, what: str, remarks: list[Remark]) -> None:
    number = whole(dice)
    if number and 0 < number < len(_DICE):
        remarks.append(Remark(about, f"{what.replace('-', ' ')}: expertise die {_DICE[number]}"))


def _bonus(formula: Any, field: str, sums: Sums, account: Account) -> int:
    if formula in (None, "", "0", 0):
        return 0
    number = sums.formulas.number(formula)
    if number is None:
        account.tell(field, text_of(formula), "can't be worked out; it isn't counted in")
    return number or 0


def initiative_of(attributes: Mapping[str, Any], sums: Sums, account: Account) -> int | None:
    """Return the initiative bonus where it isn't that of Dexterity alone."""
    given = mapping(attributes.get("initiative"))
    ability = given.get("ability") if given.get("ability") in ABILITIES else "dex"
    bonus = _bonus(given.get("bonus"), "initiative", sums, account)
    if not bonus and ability == "dex":
        return None
    return sums.modifiers[str(ability)] + bonus


def tell_bonuses(bonuses: Mapping[str, Any], account: Account) -> None:
    """Tell of bonuses that hold under circumstances; those of single kinds of attack and of DCs are counted in."""
    for key, given in bonuses.items():
        for one in given.values() if isinstance(given, dict) else ():
            said = text_of(mapping(one).get("formula")) or text_of(one)
            if said and said != "0":
                account.tell(f"bonuses: {key}", said, "holds under circumstances; it isn't counted in")


def size_of(traits: Mapping[str, Any], account: Account) -> str:
    """Return the size, medium where none is known."""
    said = text_of(traits.get("size")).lower()
    if said in SIZES:
        return SIZES[said]
    if said in SIZES.values():
        return said
    account.tell("size", said, "is no size that is known; medium is taken")
    return "medium"


def languages_of(figures: Mapping[str, Any]) -> str:
    """Return languages as a line."""
    said = [text_of(one).strip() for one in listed(inside(figures, "proficiencies.languages"))]
    return ", ".join(
        _TOLD_TONGUES.get(one, one.capitalize() if one.islower() and " " not in one else one) for one in said if one
    )


def slots_of(figures: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
    """Return spell slots by level."""
    slots = mapping(inside(figures, "spellResources.slots"))
    counts = ((level, whole(mapping(slots.get(level)).get("max")) or 0) for level in map(str, range(1, 10)))
    return tuple((level, count) for level, count in counts if 0 < count <= 100)
