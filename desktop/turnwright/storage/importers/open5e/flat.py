"""A monster of Open5e's older kind, a flat record of columns and lists, as a creature."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Creature, Feature, Figures, Remark
from turnwright.storage.importers.drafting import Ids, checked, text_of, whole
from turnwright.storage.importers.open5e.damage import with_dice
from turnwright.storage.importers.open5e.head import (
    ABILITIES,
    MOST_BONUS,
    MOVES,
    abilities_of,
    casting_ability,
    conditions_of,
    damage_of,
    legendary_count,
    notes_of,
    plain,
    rating_in,
    sections_told,
    senses_in,
    size_of,
    split_name,
)
from turnwright.storage.importers.open5e.sources import Book
from turnwright.storage.importers.prose.features import feature_of, with_multiattacks
from turnwright.storage.importers.prose.lines import SKILLS
from turnwright.storage.importers.results import Account, Unreadable

SECTIONS: Final = (
    ("special_abilities", "trait"),
    ("actions", "action"),
    ("bonus_actions", "bonus"),
    ("reactions", "reaction"),
    ("legendary_actions", "legendary"),
)
_SAVES: Final = tuple((id, f"{name}_save") for id, name in ABILITIES)
KNOWN: Final = frozenset({
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
    record: Mapping[str, Any], name: str, ids: Ids, book: Book, spells: Iterable[str], account: Account
) -> Creature:
    """Return a creature; Unreadable where it has no hit points. `spells` are names of spells that stand beside the record."""
    hp = record.get("hit_points")
    hp = hp if type(hp) is int else whole(hp)
    if hp is None or hp < 1:
        raise Unreadable(f"hit_points: {record.get('hit_points')!r} is no number of hit points")
    sections_told(record, KNOWN, account)
    remarks: list[Remark] = []
    read: list[str] = []
    features, legendary = _features(record, remarks, read, account)
    ac = whole(record.get("armor_class"))
    if ac is None:
        account.tell("armor_class", record.get("armor_class"), "is no armour class")
    rating = rating_in(text_of(record.get("challenge_rating"))) or rating_in(text_of(record.get("cr")))
    if not rating:
        account.tell("challenge_rating", record.get("challenge_rating"), "is no challenge rating")
    speeds, hovers = _speeds(record.get("speed"), remarks, account)
    senses, passives = _senses(record.get("senses"), remarks, account)
    immunities, mundane = damage_of(record.get("damage_immunities"), "damage_immunities", account)
    resistances, blunted = damage_of(record.get("damage_resistances"), "damage_resistances", account)
    casting = casting_ability(features)
    if casting:
        read.append("spellcasting")
    notes_of(remarks, "type", f"listed under {text_of(record['group'])}" if record.get("group") else "")
    notes_of(remarks, "spellcasting", _spells(record, spells))
    kind, tags = _kind(record, remarks)
    return checked(Creature(
        id=ids.of(name),
        name=name,
        size=size_of(record.get("size"), account),
        type=kind,
        tags=tags,
        rating=rating,
        ac=ac or 0,
        ac_note=plain(text_of(record.get("armor_desc"))) if record.get("armor_desc") else "",
        hp=hp,
        hit_dice=text_of(record.get("hit_dice")).replace(" ", ""),
        speeds=speeds,
        hovers=hovers,
        abilities=abilities_of([(id, record.get(column)) for id, column in ABILITIES], account),
        saves=_saves(record, account),
        skills=_skills(record, remarks, account),
        senses=senses,
        passives=passives,
        languages=text_of(record.get("languages")).strip(),
        resistances=resistances,
        vulnerabilities=damage_of(record.get("damage_vulnerabilities"), "damage_vulnerabilities", account)[0],
        immunities=immunities,
        mundane_immunity=mundane,
        mundane_resistance=blunted,
        condition_immunities=conditions_of(record.get("condition_immunities"), account),
        features=features,
        source=book.told(whole(record.get("page_no"))),
        spellcasting=casting,
        legendary=legendary,
        alignment=text_of(record.get("alignment")).strip(),
        environments=_environments(record.get("environments"), account),
        description=plain(record["desc"]) if isinstance(record.get("desc"), str) and record["desc"] else "",
        remarks=tuple(remarks),
        licence=book.licence,
        read=tuple(read),
    ))  # fmt: skip


def _features(
    record: Mapping[str, Any], remarks: list[Remark], read: list[str], account: Account
) -> tuple[tuple[Feature, ...], int]:
    """Return the features, and how many legendary actions there are a round."""
    ids = Ids()
    found: list[Feature] = []
    preamble = text_of(record.get("legendary_desc"))
    legendary = legendary_count(preamble)
    if preamble:
        remarks.append(Remark("legendary", plain(preamble)))
    for section, cost in SECTIONS:
        entries = record.get(section)
        if not entries:
            continue
        if not isinstance(entries, list):
            account.tell(section, entries, "is no list of features, and not kept")
            continue
        for number, entry in enumerate(entries, 1):
            if not isinstance(entry, dict) or not (entry.get("name") or entry.get("desc")):
                account.tell(f"{section} {number}", entry, "is no feature, and not kept")
            elif cost == "legendary" and number == 1 and not legendary and _is_preamble(entry):
                words = f"{text_of(entry.get('name'))}. {text_of(entry.get('desc'))}".strip()
                legendary = legendary_count(words)
                remarks.append(Remark("legendary", plain(words)))
            else:
                found.append(_feature(entry, cost, ids, account))
    if legendary:
        read.append("legendary")
    elif record.get("legendary_actions") and any(feature.cost == "legendary" for feature in found):
        account.tell("legendary_actions", "", "how many of them it has a round isn't said")
    return with_multiattacks(tuple(found), account), legendary


def _is_preamble(entry: Mapping[str, Any]) -> bool:
    name = entry.get("name")
    return isinstance(name, str) and "legendary action" in name and legendary_count(name) > 0


def _feature(entry: Mapping[str, Any], cost: str, ids: Ids, account: Account) -> Feature:
    name, text = entry.get("name"), entry.get("desc")
    if type(name) is not str or type(text) is not str or not text or len(name) > 40:
        name, text = split_name(name, text, account)
    if len(entry) == 2:
        return feature_of(ids, name, text, cost, account)
    for key in entry.keys() - _FEATURE:
        if entry[key] not in (None, "", [], {}):
            account.tell(f"{name}: {key}", entry[key], "is not known in these records, and not kept")
    bonus = whole(entry.get("attack_bonus"))
    if bonus is not None and abs(bonus) > MOST_BONUS:
        account.tell(
            f"{name}: attack_bonus",
            entry["attack_bonus"],
            "is no bonus that anybody has; prose's stands, if it says one",
        )
        bonus = None
    feature = feature_of(ids, name, text, cost, account, {"attack": bonus} if bonus else None)
    if bonus == 0:
        feature = _with_no_bonus(feature, account, name)
    dice = text_of(entry.get("damage_dice")).replace(" ", "").strip("+")
    added = whole(entry.get("damage_bonus"))
    if not dice:
        return feature
    return with_dice(feature, f"{dice}{added:+d}" if added else dice, account, name)


def _with_no_bonus(feature: Feature, account: Account, name: str) -> Feature:
    """Return a feature whose bonus is given as 0, which is also what stands there where nothing is attacked."""
    if feature.attack:
        account.tell(f"{name}: attack_bonus", "0", f"prose says {feature.attack}, which stands")
        return feature
    if feature.attack is None and "to hit" not in feature.text:
        return feature
    return msgspec.structs.replace(feature, attack=0, read=tuple(field for field in feature.read if field != "attack"))


def _speeds(value: Any, remarks: list[Remark], account: Account) -> tuple[Figures, bool]:
    if not isinstance(value, dict):
        account.tell("speed", value, "is no table of speeds")
        return (), False
    figures: list[tuple[str, int]] = []
    hovers = False
    for way, given in value.items():
        feet = given if type(given) is int else _feet(given)
        if way in MOVES and feet is not None:
            figures.append((way, feet))
        elif way == "hover":
            hovers = bool(given)
        elif way != "unit" and given not in (None, "", False):
            remarks.append(Remark("speeds", text_of(given) if way == "notes" else f"{way} {text_of(given)}".strip()))
            account.tell(f"speed: {way}", given, "is no way of moving with a distance; it is a remark")
    return tuple(figures), hovers


def _feet(value: Any) -> int | None:
    found = _FEET.fullmatch(value) if isinstance(value, str) else None
    return int(found[1]) if found else whole(value)


def _senses(value: Any, remarks: list[Remark], account: Account) -> tuple[Figures, Figures]:
    if not isinstance(value, str):
        if value is not None:
            account.tell("senses", value, "is no line of senses")
        return (), ()
    found = senses_in(value)
    if found.rest:
        remarks.append(Remark("senses", found.rest))
        account.tell("senses", found.rest, "is no sense with a distance; it is a remark")
    return found.figures, found.passives


def _saves(record: Mapping[str, Any], account: Account) -> Figures:
    figures: list[tuple[str, int]] = []
    for id, column in _SAVES:
        value = record.get(column)
        if value is None:
            continue
        bonus = whole(value)
        if bonus is None:
            account.tell(column, value, "is no bonus")
        else:
            figures.append((id, bonus))
    return tuple(figures)


def _skills(record: Mapping[str, Any], remarks: list[Remark], account: Account) -> Figures:
    value = record.get("skills")
    figures: dict[str, int] = {}
    if isinstance(value, dict):
        for name, given in value.items():
            skill = name if name in SKILLS else name.strip().lower().replace(" ", "-").replace("_", "-")
            bonus = given if type(given) is int else whole(given)
            if bonus is not None and skill in SKILLS:
                figures[skill] = bonus
            else:
                if given:
                    remarks.append(Remark("skills", f"{name} {text_of(given)}"))
                account.tell(f"skills: {name}", given, "is no skill that is known here with a bonus")
    elif value is not None and value != "":
        account.tell("skills", value, "is no table of skills")
    perception = whole(record.get("perception"))
    if perception is not None and figures.setdefault("perception", perception) != perception:
        account.tell("perception", perception, f"the table of skills says {figures['perception']}, which stands")
    return tuple(figures.items())


def _kind(record: Mapping[str, Any], remarks: list[Remark]) -> tuple[str, tuple[str, ...]]:
    """Return the type, and the tags behind it; a swarm's is the type of what swarms, and the whole a remark."""
    kind, tags, whole = _kind_in(text_of(record.get("type")), text_of(record.get("subtype")))
    notes_of(remarks, "type", whole)
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


def _environments(value: Any, account: Account) -> tuple[str, ...]:
    if not value:
        return ()
    if not isinstance(value, list):
        account.tell("environments", value, "is no list of environments")
        return ()
    return tuple(dict.fromkeys(place.strip() for place in value if isinstance(place, str) and place.strip()))


def _spells(record: Mapping[str, Any], beside: Iterable[str]) -> str:
    """Return the names of spells that a record and the list beside it hold, each once."""
    names: dict[str, None] = {}
    for field in ("spells", "spell_list"):
        given = record.get(field)
        for one in given if isinstance(given, list) else ():
            if isinstance(one, str):
                names.setdefault(one.rstrip("/").rpartition("/")[2].replace("-", " ").strip())
    for one in beside:
        names.setdefault(one.replace("-", " ").strip())
    return ", ".join(name for name in names if name)
