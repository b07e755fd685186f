"""Stat blocks of Improved Initiative as creatures.

Its lists were split on commas blindly, so that they are joined and read again. Its initiative modifier comes on top of
Dexterity's. A figure that a block doesn't have is left at the record's usual one, and told.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from turnwright.encounter.prepared import Creature, Feature, Figures, Remark
from turnwright.storage.importers.drafting import (
    MAX_FEATURES,
    Ids,
    checked,
    listed,
    mapping,
    rating_of,
    text_of,
    unreadable_unless_named,
    whole,
)
from turnwright.storage.importers.prose import lines
from turnwright.storage.importers.prose.features import feature_of, with_multiattacks
from turnwright.storage.importers.prose.names import read_usage
from turnwright.storage.importers.prose.plain import plain_text
from turnwright.storage.importers.results import Account, Unreadable

COSTS: Final[Mapping[str, str]] = MappingProxyType({
    "Traits": "trait",
    "Actions": "action",
    "BonusActions": "bonus",
    "Reactions": "reaction",
    "LegendaryActions": "legendary",
    "MythicActions": "legendary",
})  # fmt: skip
PLAYER: Final = "player"
_READ: Final = frozenset({
    *COSTS, "Name", "Source", "Type", "HP", "AC", "InitiativeModifier", "InitiativeAdvantage", "InitiativeSpecialRoll",
    "Speed", "Abilities", "DamageVulnerabilities", "DamageResistances", "DamageImmunities", "ConditionImmunities",
    "Saves", "Skills", "Senses", "Languages", "Challenge", "Description", "Player",
})  # fmt: skip
_OF_THE_PROGRAM: Final = frozenset({"Id", "Version", "LastUpdateMs", "UpdatedTime"})
_DICE = re.compile(r"\(?\s*(\d{1,3}d\d{1,3}(?:\s*[+\-\u2212\u2013]\s*-?\d{1,4})*)\s*\)?")


def is_statblock(data: Any) -> bool:
    """Return whether a mapping is a stat block: a name and hit points, in its spelling."""
    return (
        isinstance(data, dict)
        and isinstance(data.get("Name"), str)
        and isinstance(data.get("HP"), dict)
        and "Value" in data["HP"]
    )


def creature_of(block: Mapping[str, Any], ids: Ids, account: Account, notes: str = "") -> Creature:
    """Return the creature of a stat block; Unreadable where it can't be played."""
    name = unreadable_unless_named(block.get("Name"))
    kind = lines.type_line(text_of(block.get("Type")))
    player = bool(text_of(block.get("Player")))
    remarks: list[Remark] = []
    read: list[str] = []
    fields: dict[str, Any] = {
        "id": ids.of(name),
        "name": name,
        "type": kind.type,
        "tags": (*kind.tags, *((PLAYER,) if player else ())),
        "alignment": kind.alignment,
        "notes": notes,
        "source": text_of(block.get("Source")) or "Improved Initiative",
        "languages": ", ".join(text_of(one) for one in listed(block.get("Languages"))),
        "description": plain_text(text_of(block.get("Description"))),
    }
    if kind.size:
        fields["size"] = kind.size
    if kind.remark:
        remarks.append(Remark("type", kind.remark))
    fields["level" if player else "rating"] = _challenge(block, account, player=player)
    fields |= _hit_points(block, remarks, account) | _armor(block, account) | _abilities(block, account)
    fields |= _speeds(block, remarks, account) | _bonuses(block, remarks, account)
    fields |= _senses(block, remarks, account) | _damage(block, account)
    features = _features(block, account)
    for feature in features:
        if not fields.get("spellcasting") and (ability := lines.spellcasting_in(feature.text)):
            fields["spellcasting"] = ability
            read.append("spellcasting")
        if not fields.get("slots") and (slots := lines.slots_in(feature.text)):
            fields["slots"] = slots
            read.append("slots")
    fields["legendary"] = _legendary(block, account)
    _initiative(block, fields, remarks, account)
    _unread(block, account)
    return checked(Creature(features=features, remarks=tuple(remarks), read=tuple(read), **fields))


def _challenge(block: Mapping[str, Any], account: Account, *, player: bool) -> Any:
    said = block.get("Challenge")
    found = (whole(said) or 0) if player else rating_of(said)
    if not found and text_of(said):
        account.tell("Challenge", said, "is no level" if player else "is no challenge rating")
    return found


def _hit_points(block: Mapping[str, Any], remarks: list[Remark], account: Account) -> dict[str, Any]:
    said = mapping(block.get("HP"))
    hp = whole(said.get("Value"))
    if hp is None or hp < 1:
        raise Unreadable("has no hit points")
    notes = text_of(said.get("Notes")).strip()
    if dice := _DICE.fullmatch(notes):
        return {"hp": hp, "hit_dice": "".join(dice[1].split()).replace("+-", "-")}
    if notes:
        remarks.append(Remark("hp", notes))
        account.tell("HP", notes, "are no hit dice; kept as a remark")
    return {"hp": hp}


def _armor(block: Mapping[str, Any], account: Account) -> dict[str, Any]:
    said = mapping(block.get("AC"))
    ac = whole(said.get("Value"))
    if ac is None:
        account.tell("AC", said.get("Value", ""), "is not given; 10 stands in its place")
        return {}
    notes = text_of(said.get("Notes")).strip()
    whole_brackets = notes.startswith("(") and notes.endswith(")") and notes.count("(") == 1
    return {"ac": ac, "ac_note": notes[1:-1].strip() if whole_brackets else notes}


def _abilities(block: Mapping[str, Any], account: Account) -> dict[str, Any]:
    said = {key.lower()[:3]: whole(value) for key, value in mapping(block.get("Abilities")).items()}
    found = tuple((ability, value) for ability in lines.ABILITIES if (value := said.get(ability)) is not None)
    if len(found) < len(lines.ABILITIES):
        account.tell("Abilities", block.get("Abilities") or "", "not all six are given; the usual stand in their place")
    return {"abilities": found}


def _speeds(block: Mapping[str, Any], remarks: list[Remark], account: Account) -> dict[str, Any]:
    found = lines.speeds(block.get("Speed"))
    if found.rest:
        remarks.append(Remark("speeds", found.rest))
        account.tell("Speed", found.rest, "is kept as a remark")
    if not found.figures:
        account.tell("Speed", "", "is not given; the usual one stands in its place")
        return {"hovers": found.hovers}
    return {"speeds": found.figures, "hovers": found.hovers}


def _bonuses(block: Mapping[str, Any], remarks: list[Remark], account: Account) -> dict[str, Any]:
    fields: dict[str, Figures] = {}
    for key, field, known in (("Saves", "saves", lines.ABILITIES), ("Skills", "skills", lines.SKILLS)):
        found: dict[str, int] = {}
        for one in listed(block.get(key)):
            said = text_of(mapping(one).get("Name"))
            bonus = whole(mapping(one).get("Modifier"))
            id = said.strip().lower()[:3] if key == "Saves" else "-".join(said.lower().split())
            if bonus is None or id not in known:
                words = f"{said} {text_of(mapping(one).get('Modifier'))}".strip() or str(one)
                remarks.append(Remark(field, words))
                account.tell(key, words, "is kept as a remark")
            else:
                found.setdefault(id, bonus)
        fields[field] = tuple(found.items())
    return fields


def _senses(block: Mapping[str, Any], remarks: list[Remark], account: Account) -> dict[str, Any]:
    found = lines.senses(block.get("Senses"))
    if found.rest:
        remarks.append(Remark("senses", found.rest))
        account.tell("Senses", found.rest, "is kept as a remark")
    return {"senses": found.figures, "passives": found.passives}


def _damage(block: Mapping[str, Any], account: Account) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for key, field in (
        ("DamageVulnerabilities", "vulnerabilities"),
        ("DamageResistances", "resistances"),
        ("DamageImmunities", "immunities"),
    ):
        found = lines.damage_types(block.get(key))
        clauses = found.clauses
        if found.mundane and field != "vulnerabilities":
            fields["mundane_immunity" if field == "immunities" else "mundane_resistance"] = True
            clauses = tuple(clause for clause in clauses if clause != found.nonmagical)
        for clause in clauses:
            account.tell(key, clause, "is no damage type; kept as it is worded")
        fields[field] = (*found.kinds, *clauses)
    conditions = lines.condition_list(block.get("ConditionImmunities"))
    for clause in conditions.clauses:
        account.tell("ConditionImmunities", clause, "is no condition; kept as it is worded")
    return fields | {"condition_immunities": (*conditions.kinds, *conditions.clauses)}


def _features(block: Mapping[str, Any], account: Account) -> tuple[Feature, ...]:
    number = sum(len(listed(block.get(key))) for key in COSTS)
    if number > MAX_FEATURES:
        raise Unreadable(f"has {number:,} features; at most {MAX_FEATURES} are read")
    ids = Ids()
    found: list[Feature] = []
    for key, cost in COSTS.items():
        for one in listed(block.get(key)):
            if not isinstance(one, dict):
                account.tell(key, one, "is no feature")
                continue
            name, text = text_of(one.get("Name")), text_of(one.get("Content"))
            usage = read_usage(text_of(one.get("Usage")))
            known = {field: getattr(usage, field) for field in ("recharge", "uses") if getattr(usage, field)}
            if known.get("uses"):
                known["per"] = usage.per
            shown = f"{name} {usage.name}".strip()
            feature = feature_of(ids, shown, text, cost, account, known or None)
            found.append(feature)
            if key == "MythicActions":
                account.tell(
                    f"{key}: {name}", name, "is read as a legendary action; when it may be used stands in the text"
                )
    return with_multiattacks(tuple(found), account)


def _legendary(block: Mapping[str, Any], account: Account) -> int:
    if not listed(block.get("LegendaryActions")):
        return 0
    for key in ("LegendaryActions", "Traits"):
        for one in listed(block.get(key)):
            if count := lines.legendary_count(
                f"{text_of(mapping(one).get('Name'))}. {text_of(mapping(one).get('Content'))}"
            ):
                return count
    if count := lines.legendary_count(text_of(block.get("Description"))):
        return count
    account.tell("LegendaryActions", "", "how many there are a round is not said")
    return 0


def _initiative(block: Mapping[str, Any], fields: dict[str, Any], remarks: list[Remark], account: Account) -> None:
    besides = whole(block.get("InitiativeModifier")) or 0
    dexterity = dict(fields["abilities"]).get("dex", 10)
    if besides:
        fields["initiative"] = (dexterity - 10) // 2 + besides
    special = text_of(block.get("InitiativeSpecialRoll")) or (
        "advantage" if block.get("InitiativeAdvantage") is True else ""
    )
    if special:
        remarks.append(Remark("initiative", special))
        account.tell("InitiativeSpecialRoll", special, "is kept as a remark")


def _unread(block: Mapping[str, Any], account: Account) -> None:
    """Tell what a block has besides, unless it is empty or the program's own."""
    for key in block.keys() - _READ - _OF_THE_PROGRAM:
        if block[key] not in (None, "", [], {}, False):
            why = "pictures are not kept" if key == "ImageURL" else "is no field that is known here"
            account.tell(key, block[key], why)
