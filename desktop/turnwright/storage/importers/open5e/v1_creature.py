"""Reads a monster of Open5e's older kind, a flat record of columns and lists, as a creature."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Creature, Feature, NamedNumbers, SourceNote
from turnwright.storage.conversion_report import ConversionReport, UnreadableError
from turnwright.storage.ids import IdAllocator
from turnwright.storage.importers.common import as_text, check_bounds
from turnwright.storage.importers.open5e.damage import with_dice
from turnwright.storage.importers.open5e.sources import Book
from turnwright.storage.importers.open5e.stat_block_head import (
    ABILITIES,
    MAX_BONUS,
    MOVEMENT_MODES,
    abilities_of,
    add_source_note,
    casting_ability,
    conditions_of,
    damage_of,
    legendary_count,
    note_unknown_fields,
    plain,
    rating_in,
    senses_in,
    size_of,
    split_name,
)
from turnwright.storage.statblock_text.features import feature_of, with_multiattacks
from turnwright.storage.statblock_text.header_lines import SKILLS
from turnwright.storage.statblock_text.numbers import as_int

SECTIONS: Final = (
    ("special_abilities", "trait"),
    ("actions", "action"),
    ("bonus_actions", "bonus"),
    ("reactions", "reaction"),
    ("legendary_actions", "legendary"),
)
_SAVES: Final = tuple((id, f"{name}_save") for id, name in ABILITIES)
KNOWN_FIELDS: Final = frozenset({
    *(section for section, _cost in SECTIONS),
    *(name for _id, name in ABILITIES),
    *(name for _id, name in _SAVES),
    *("name", "slug", "desc", "size", "type", "subtype", "group", "alignment", "armor_class", "armor_desc", "hit_points"),
    *("hit_dice", "speed", "perception", "skills", "senses", "languages", "challenge_rating", "cr", "environments"),
    *("damage_vulnerabilities", "damage_resistances", "damage_immunities", "condition_immunities", "legendary_desc"),
    *("spells", "spell_list", "page_no", "document", "route", "img_main"),
    *("document__slug", "document__title", "document__url", "document__license_url", "v2_converted_path"),
})  # fmt: skip
_FEATURE: Final = frozenset({"name", "desc", "attack_bonus", "damage_dice", "damage_bonus"})
_FEET = re.compile(r"\s*(\d{1,5})(?:\.0+)?\s*(?:ft\.?|feet|foot)?\s*")


def creature_of(
    record: Mapping[str, Any], name: str, ids: IdAllocator, book: Book, spells: Iterable[str], report: ConversionReport
) -> Creature:
    """Return a creature; UnreadableError where it has no hit points. `spells` are names of spells from a separate list."""
    hp = record.get("hit_points")
    hp = hp if type(hp) is int else as_int(hp)
    if hp is None or hp < 1:
        raise UnreadableError(f"hit_points: {record.get('hit_points')!r} is no number of hit points")
    note_unknown_fields(record, KNOWN_FIELDS, report)
    remarks: list[SourceNote] = []
    read: list[str] = []
    features, legendary = _features(record, remarks, read, report)
    ac = as_int(record.get("armor_class"))
    if ac is None:
        report.add_note("armor_class", record.get("armor_class"), "is no armour class")
    rating = rating_in(as_text(record.get("challenge_rating"))) or rating_in(as_text(record.get("cr")))
    if not rating:
        report.add_note("challenge_rating", record.get("challenge_rating"), "is no challenge rating")
    speeds, hovers = _speeds(record.get("speed"), remarks, report)
    senses, passives = _senses(record.get("senses"), remarks, report)
    immunities, mundane = damage_of(record.get("damage_immunities"), "damage_immunities", report)
    resistances, blunted = damage_of(record.get("damage_resistances"), "damage_resistances", report)
    casting = casting_ability(features)
    if casting:
        read.append("spellcasting")
    add_source_note(remarks, "type", f"listed under {as_text(record['group'])}" if record.get("group") else "")
    add_source_note(remarks, "spellcasting", _spells(record, spells))
    kind, tags = _kind(record, remarks)
    return check_bounds(Creature(
        id=ids.allocate(name),
        name=name,
        size=size_of(record.get("size"), report),
        type=kind,
        tags=tags,
        rating=rating,
        ac=ac or 0,
        ac_note=plain(as_text(record.get("armor_desc"))) if record.get("armor_desc") else "",
        hp=hp,
        hit_dice=as_text(record.get("hit_dice")).replace(" ", ""),
        speeds=speeds,
        hovers=hovers,
        abilities=abilities_of([(id, record.get(column)) for id, column in ABILITIES], report),
        saves=_saves(record, report),
        skills=_skills(record, remarks, report),
        senses=senses,
        passives=passives,
        languages=as_text(record.get("languages")).strip(),
        resistances=resistances,
        vulnerabilities=damage_of(record.get("damage_vulnerabilities"), "damage_vulnerabilities", report)[0],
        immunities=immunities,
        mundane_immunity=mundane,
        mundane_resistance=blunted,
        condition_immunities=conditions_of(record.get("condition_immunities"), report),
        features=features,
        source=book.citation(as_int(record.get("page_no"))),
        spellcasting=casting,
        legendary=legendary,
        alignment=as_text(record.get("alignment")).strip(),
        environments=_environments(record.get("environments"), report),
        description=plain(record["desc"]) if isinstance(record.get("desc"), str) and record["desc"] else "",
        remarks=tuple(remarks),
        licence=book.licence,
        read=tuple(read),
    ))  # fmt: skip


def _features(
    record: Mapping[str, Any], remarks: list[SourceNote], read: list[str], report: ConversionReport
) -> tuple[tuple[Feature, ...], int]:
    """Return the features, and the number of legendary actions a round."""
    ids = IdAllocator()
    found: list[Feature] = []
    preamble = as_text(record.get("legendary_desc"))
    legendary = legendary_count(preamble)
    if preamble:
        remarks.append(SourceNote("legendary", plain(preamble)))
    for section, cost in SECTIONS:
        entries = record.get(section)
        if not entries:
            continue
        if not isinstance(entries, list):
            report.add_note(section, entries, "is no list of features, and not kept")
            continue
        for number, entry in enumerate(entries, 1):
            if not isinstance(entry, dict) or not (entry.get("name") or entry.get("desc")):
                report.add_note(f"{section} {number}", entry, "is no feature, and not kept")
            elif cost == "legendary" and number == 1 and not legendary and _is_preamble(entry):
                words = f"{as_text(entry.get('name'))}. {as_text(entry.get('desc'))}".strip()
                legendary = legendary_count(words)
                remarks.append(SourceNote("legendary", plain(words)))
            else:
                found.append(_feature(entry, cost, ids, report))
    if legendary:
        read.append("legendary")
    elif record.get("legendary_actions") and any(feature.cost == "legendary" for feature in found):
        report.add_note("legendary_actions", "", "how many of them it has a round isn't said")
    return with_multiattacks(tuple(found), report), legendary


def _is_preamble(entry: Mapping[str, Any]) -> bool:
    name = entry.get("name")
    return isinstance(name, str) and "legendary action" in name and legendary_count(name) > 0


def _feature(entry: Mapping[str, Any], cost: str, ids: IdAllocator, report: ConversionReport) -> Feature:
    name, text = entry.get("name"), entry.get("desc")
    if type(name) is not str or type(text) is not str or not text or len(name) > 40:
        name, text = split_name(name, text, report)
    if len(entry) == 2:
        return feature_of(ids, name, text, cost, report)
    for key in entry.keys() - _FEATURE:
        if entry[key] not in (None, "", [], {}):
            report.add_note(f"{name}: {key}", entry[key], "is not known in these records, and not kept")
    bonus = as_int(entry.get("attack_bonus"))
    if bonus is not None and abs(bonus) > MAX_BONUS:
        report.add_note(
            f"{name}: attack_bonus",
            entry["attack_bonus"],
            "is no bonus that anybody has; prose's stands, if it says one",
        )
        bonus = None
    feature = feature_of(ids, name, text, cost, report, {"attack": bonus} if bonus else None)
    if bonus == 0:
        feature = _with_no_bonus(feature, report, name)
    dice = as_text(entry.get("damage_dice")).replace(" ", "").strip("+")
    added = as_int(entry.get("damage_bonus"))
    if not dice:
        return feature
    return with_dice(feature, f"{dice}{added:+d}" if added else dice, report, name)


def _with_no_bonus(feature: Feature, report: ConversionReport, name: str) -> Feature:
    """Return a feature whose bonus is given as 0, which is also the value of features without an attack."""
    if feature.attack:
        report.add_note(f"{name}: attack_bonus", "0", f"prose says {feature.attack}, which stands")
        return feature
    if feature.attack is None and "to hit" not in feature.text:
        return feature
    return msgspec.structs.replace(feature, attack=0, read=tuple(field for field in feature.read if field != "attack"))


def _speeds(value: Any, remarks: list[SourceNote], report: ConversionReport) -> tuple[NamedNumbers, bool]:
    if not isinstance(value, dict):
        report.add_note("speed", value, "is no table of speeds")
        return (), False
    figures: list[tuple[str, int]] = []
    hovers = False
    for way, given in value.items():
        feet = given if type(given) is int else _feet(given)
        if way in MOVEMENT_MODES and feet is not None:
            figures.append((way, feet))
        elif way == "hover":
            hovers = bool(given)
        elif way != "unit" and given not in (None, "", False):
            remarks.append(
                SourceNote("speeds", as_text(given) if way == "notes" else f"{way} {as_text(given)}".strip())
            )
            report.add_note(f"speed: {way}", given, "is no way of moving with a distance; it is a remark")
    return tuple(figures), hovers


def _feet(value: Any) -> int | None:
    found = _FEET.fullmatch(value) if isinstance(value, str) else None
    return int(found[1]) if found else as_int(value)


def _senses(value: Any, remarks: list[SourceNote], report: ConversionReport) -> tuple[NamedNumbers, NamedNumbers]:
    if not isinstance(value, str):
        if value is not None:
            report.add_note("senses", value, "is no line of senses")
        return (), ()
    found = senses_in(value)
    if found.rest:
        remarks.append(SourceNote("senses", found.rest))
        report.add_note("senses", found.rest, "is no sense with a distance; it is a remark")
    return found.distances, found.passives


def _saves(record: Mapping[str, Any], report: ConversionReport) -> NamedNumbers:
    figures: list[tuple[str, int]] = []
    for id, column in _SAVES:
        value = record.get(column)
        if value is None:
            continue
        bonus = as_int(value)
        if bonus is None:
            report.add_note(column, value, "is no bonus")
        else:
            figures.append((id, bonus))
    return tuple(figures)


def _skills(record: Mapping[str, Any], remarks: list[SourceNote], report: ConversionReport) -> NamedNumbers:
    value = record.get("skills")
    figures: dict[str, int] = {}
    if isinstance(value, dict):
        for name, given in value.items():
            skill = name if name in SKILLS else name.strip().lower().replace(" ", "-").replace("_", "-")
            bonus = given if type(given) is int else as_int(given)
            if bonus is not None and skill in SKILLS:
                figures[skill] = bonus
            else:
                if given:
                    remarks.append(SourceNote("skills", f"{name} {as_text(given)}"))
                report.add_note(f"skills: {name}", given, "is no skill that is known here with a bonus")
    elif value is not None and value != "":
        report.add_note("skills", value, "is no table of skills")
    perception = as_int(record.get("perception"))
    if perception is not None and figures.setdefault("perception", perception) != perception:
        report.add_note("perception", perception, f"the table of skills says {figures['perception']}, which stands")
    return tuple(figures.items())


def _kind(record: Mapping[str, Any], remarks: list[SourceNote]) -> tuple[str, tuple[str, ...]]:
    """Return the type, and the tags behind it; of a swarm the type of its members, and the whole as a remark."""
    kind, tags, whole = _kind_in(as_text(record.get("type")), as_text(record.get("subtype")))
    add_source_note(remarks, "type", whole)
    return kind, tags


@lru_cache(maxsize=512)
def _kind_in(kind: str, subtype: str) -> tuple[str, tuple[str, ...], str]:
    words = kind.lower().split()
    tags = tuple(tag for part in subtype.split(",") if (tag := part.strip().lower())) if subtype else ()
    if words[:1] == ["swarm"] and len(words) > 2:
        odd = {"monstrosities": "monstrosity", "undead": "undead", "fey": "fey"}
        one = odd.get(words[-1], words[-1].removesuffix("s"))
        return one, tuple(dict.fromkeys(("swarm", *tags))), " ".join(words)
    return " ".join(words), tags, ""


def _environments(value: Any, report: ConversionReport) -> tuple[str, ...]:
    if not value:
        return ()
    if not isinstance(value, list):
        report.add_note("environments", value, "is no list of environments")
        return ()
    return tuple(dict.fromkeys(place.strip() for place in value if isinstance(place, str) and place.strip()))


def _spells(record: Mapping[str, Any], beside: Iterable[str]) -> str:
    """Return the names of spells of a record and of its separate list, each once."""
    names: dict[str, None] = {}
    for field in ("spells", "spell_list"):
        given = record.get(field)
        for one in given if isinstance(given, list) else ():
            if isinstance(one, str):
                names.setdefault(one.rstrip("/").rpartition("/")[2].replace("-", " ").strip())
    for one in beside:
        names.setdefault(one.replace("-", " ").strip())
    return ", ".join(name for name in names if name)
