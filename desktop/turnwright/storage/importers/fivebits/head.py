"""The head of a record of 5e-bits: armour class, speeds, senses, proficiencies, defences, abilities."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from turnwright.encounter.prepared import Figures, Remark
from turnwright.storage.importers.defences import damage_in
from turnwright.storage.importers.drafting import listed, mapping, text_of, whole
from turnwright.storage.importers.prose import lines
from turnwright.storage.importers.results import Account

Record = Mapping[str, Any]
ABILITIES: Final = (
    ("str", "strength"), ("dex", "dexterity"), ("con", "constitution"),
    ("int", "intelligence"), ("wis", "wisdom"), ("cha", "charisma"),
)  # fmt: skip
_MOVES: Final = ("walk", "fly", "swim", "climb", "burrow")
_FEET = re.compile(r"\s*(\d{1,5})\s*(?:ft\.?|feet|foot)?\s*(.*)", re.DOTALL | re.IGNORECASE)


def armour(value: Any, remarks: list[Remark], account: Account) -> tuple[int, str]:
    """Return the class with what is worn, and what gives it; classes of spells and conditions are remarks."""
    entries = [mapping(entry) for entry in value] if isinstance(value, list) else [{"value": value}]
    plain = [entry for entry in entries if entry.get("type") not in ("spell", "condition")] or entries
    worn = max(plain, key=lambda entry: whole(entry.get("value")) or 0, default={})
    ac = whole(worn.get("value"))
    if ac is None:
        account.tell("armor_class", value, "is no armour class")
        return 0, ""
    left = (entry for entry in entries if entry is not worn)
    remarks += [Remark("ac", f"{text_of(entry.get('value'))} {_gives(entry, alone=False)}".strip()) for entry in left]
    return ac, _gives(worn, alone=True)


def _gives(entry: Record, *, alone: bool) -> str:
    """Return what an armour class comes from: `natural armor`, `leather armor, shield`, `with mage armor`."""
    if text_of(entry.get("desc")):
        return text_of(entry["desc"]).strip()
    kind = text_of(entry.get("type"))
    things = [text_of(mapping(thing).get("name")) for thing in listed(entry.get("armor"))]
    for key, word in (("spell", "with"), ("condition", "while")):
        if mapping(entry.get(key)):
            return f"{word} {text_of(entry[key].get('name')).lower()}"
    if things:
        return ", ".join(things).lower()
    return {"natural": "natural armor", "dex": "" if alone else "without armor"}.get(
        kind, kind if kind != "armor" else ""
    )


def speeds_of(speed: Record, remarks: list[Remark], account: Account) -> tuple[Figures, bool]:
    """Return feet by way of moving, and whether it hovers; what stands beside a distance is a remark."""
    figures: list[tuple[str, int]] = []
    for way, value in speed.items():
        if way == "hover":
            continue
        found = _FEET.fullmatch(text_of(value))
        if found and way in _MOVES:
            figures.append((way, int(found[1])))
            if found[2].strip():
                remarks.append(Remark("speeds", f"{way} {found[2].strip()}"))
                account.tell(f"speed: {way}", text_of(value), "what stands beside the distance is a remark")
        else:
            remarks.append(Remark("speeds", f"{way} {text_of(value)}".strip()))
            account.tell(f"speed: {way}", value, "is no way of moving with a distance")
    return tuple(figures), speed.get("hover") is True


def senses_of(senses: Record, remarks: list[Remark], account: Account) -> tuple[Figures, Figures]:
    """Return feet by sense, and passive scores by skill."""
    figures: list[tuple[str, int]] = []
    passives: list[tuple[str, int]] = []
    for sense, value in senses.items():
        number = whole(value)
        if sense.startswith("passive_") and number is not None:
            passives.append((sense.removeprefix("passive_").replace("_", "-"), number))
            continue
        found = _FEET.fullmatch(text_of(value))
        if not found or sense.startswith("passive_"):
            account.tell(f"senses: {sense}", value, "is no distance")
            remarks.append(Remark("senses", f"{sense} {text_of(value)}".strip()))
            continue
        figures.append((sense, int(found[1])))
        if found[2].strip():
            remarks.append(Remark("senses", f"{sense} {found[2].strip()}"))
            account.tell(f"senses: {sense}", text_of(value), "what stands beside the distance is a remark")
    return tuple(figures), tuple(passives)


def proficiencies(entries: list[Any], account: Account) -> tuple[Figures, Figures]:
    """Return saves and skills."""
    saves: list[tuple[str, int]] = []
    skills: list[tuple[str, int]] = []
    for entry in map(mapping, entries):
        index, bonus = text_of(mapping(entry.get("proficiency")).get("index")), whole(entry.get("value"))
        ability, skill = index.removeprefix("saving-throw-"), index.removeprefix("skill-")
        if bonus is not None and ability != index and ability in lines.ABILITIES:
            saves.append((ability, bonus))
        elif bonus is not None and skill != index and skill in lines.SKILLS:
            skills.append((skill, bonus))
        else:
            account.tell("proficiencies", index or entry, "is no saving throw or skill that is known here")
    return tuple(saves), tuple(skills)


def damage_types(record: Record, field: str, account: Account) -> tuple[tuple[str, ...], bool]:
    """Return damage types and clauses, and whether these are all damage of nonmagical weapons, where that has a figure."""
    entries = record.get(field)
    named = entries if isinstance(entries, list) else [entries] if entries else []
    parts = (text_of(mapping(entry).get("name")) or text_of(entry) for entry in named)
    return damage_in(parts, field, account, weapons=field != "damage_vulnerabilities")


def conditions(entries: list[Any], account: Account) -> tuple[str, ...]:
    """Return the conditions of a list, by their ids."""
    found: dict[str, None] = {}
    for entry in entries:
        id = text_of(mapping(entry).get("index")) or text_of(entry)
        if id:
            found.setdefault(id.lower())
        else:
            account.tell("condition_immunities", entry, "is no condition")
    return tuple(found)


def abilities_of(record: Record, account: Account) -> Figures:
    """Return ability scores; one that is none is told."""
    figures: list[tuple[str, int]] = []
    for id, name in ABILITIES:
        score = whole(record.get(name))
        if score is None:
            account.tell(name, record.get(name), "is no ability score")
        else:
            figures.append((id, score))
    return tuple(figures)
