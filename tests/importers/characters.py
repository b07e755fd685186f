"""Parts of files of player characters, with invented names, and helpers to read them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from turnwright.encounter.prepared import Creature, Feature, Party, RosterEntry
from turnwright.importers.documents import ParsedDocument, parse_document
from turnwright.importers.formats import ImportFormat, formats
from turnwright.importers.results import ImportedRecord, UnreadRecord, postprocessed


def document(data: Any) -> ParsedDocument:
    """Return the document of some JSON data."""
    found = parse_document(json.dumps(data).encode(), Path("person.json"))
    assert isinstance(found, ParsedDocument)
    return found


def imported(form: ImportFormat, data: Any) -> ImportedRecord:
    """Return the only record of a document, which its format must claim before any other does."""
    found = document(data)
    assert next(one.id for one in formats() if one.claims(found)) == form.id
    (record,) = form.read([found], "")
    assert isinstance(record, ImportedRecord), record
    return postprocessed(record)


def unread(form: ImportFormat, data: Any) -> str:
    """Return the reason why the only record of a document can't be read."""
    (record,) = form.read([document(data)], "")
    assert isinstance(record, UnreadRecord), record
    return record.why


def person(record: ImportedRecord) -> tuple[Creature, RosterEntry]:
    """Return the stat block and the roster entry of a character."""
    party = record.record
    assert isinstance(party, Party)
    assert (party.roster[0].role, party.roster[0].side) == ("character", "party")
    return party.creatures[0], party.roster[0]


def feature(creature: Creature, name: str) -> Feature:
    """Return the feature with a name."""
    return next(one for one in creature.features if one.name == name)


def notes(record: ImportedRecord) -> dict[str, str]:
    """Return the notes on a record: by field, the text and the reason."""
    return {note.field: f"{note.text}: {note.why}" for note in record.reports}


BUILD: dict[str, Any] = {
    "name": "Ansa", "class": "Fighter", "dualClass": None, "level": 4, "ancestry": "Dwarf", "heritage": "Rock",
    "sizeName": "Medium", "languages": ["Common", "Dwarven"],
    "abilities": {"str": 18, "dex": 12, "con": 16, "int": 10, "wis": 14, "cha": 8},
    "attributes": {"ancestryhp": 10, "classhp": 10, "bonush p": 2, "bonushpPerLevel": 1, "speed": 20, "speedBonus": 5},
    "proficiencies": {"perception": 4, "fortitude": 4, "reflex": 4, "will": 2, "martial": 4, "unarmored": 2,
                      "athletics": 4, "stealth": 0, "castingDivine": 2},
    "lores": [["Mining", 2]], "feats": [["Toughness", None, "General Feat", 3], ["Sudden Charge", None, "Class Feat", 1]],
    "weapons": [
        {"name": "Longsword", "display": "+1 Longsword", "die": "d8", "pot": 1, "str": "striking", "prof": "martial",
         "damageType": "S", "attack": 14, "damageBonus": 4, "extraDamage": ["1d6 fire"]},
        {"name": "Dagger", "display": "Dagger", "die": "d4", "pot": 0, "str": "", "prof": "martial", "damageType": "P"},
    ],
    "acTotal": {"acTotal": 21, "shieldBonus": 2},
    "spellCasters": [{"name": "Cleric", "magicTradition": "divine", "spellcastingType": "spontaneous", "ability": "wis",
                      "proficiency": 2, "perDay": [5, 3, 2, 0], "spells": [{"spellLevel": 0, "list": ["Shield"]},
                                                                        {"spellLevel": 1, "list": ["Heal", "Bless"]}]}],
    "focusPoints": 1, "focus": {"divine": {"wis": {"proficiency": 2, "focusCantrips": [], "focusSpells": ["Fire Ray"]}}},
    "familiars": [{"type": "Familiar", "name": "Pip"}], "pets": [{"type": "Animal Companion", "name": "Bramble"}],
}  # fmt: skip


def modifier(kind: str, name: str, value: int | None = None, **more: Any) -> dict[str, Any]:
    """Return a modifier of D&D Beyond."""
    return {"type": kind, "subType": name, "value": value, "restriction": "", **more}


def item(id: int, name: str, kind: str, *, equipped: bool = True, attuned: bool = False, **more: Any) -> dict[str, Any]:
    """Return an item of an inventory of D&D Beyond."""
    definition = {"id": id, "name": name, "filterType": kind, "canAttune": False, "grantedModifiers": [], **more}
    return {"id": id + 1000, "equipped": equipped, "isAttuned": attuned, "definition": definition}


def spell(name: str, level: int, **more: Any) -> dict[str, Any]:
    """Return a spell of a character of D&D Beyond."""
    return {"definition": {"name": name, "level": level}, "prepared": False, "alwaysPrepared": False, **more}


_LONGSWORD = {
    "type": "Longsword", "attackType": 1, "categoryId": 2, "damage": {"diceString": "1d8"}, "damageType": "Slashing",
    "properties": [{"name": "Versatile"}], "grantedModifiers": [modifier("bonus", "magic", 1)], "range": 5,
}  # fmt: skip
_SHORTBOW = {
    "type": "Shortbow", "attackType": 2, "categoryId": 1, "damage": {"diceString": "1d6"}, "damageType": "Piercing",
    "properties": [{"name": "Ammunition"}, {"name": "Range"}, {"name": "Two-Handed"}], "range": 80, "longRange": 320,
}  # fmt: skip
HERO: dict[str, Any] = {
    "id": 7, "name": "Nim Ashdown", "baseHitPoints": 31, "bonusHitPoints": None, "overrideHitPoints": None,
    "removedHitPoints": 9, "temporaryHitPoints": 4, "alignmentId": 2, "deathSaves": {"failCount": None},
    "stats": [{"id": n, "value": v} for n, v in enumerate((15, 14, 13, 12, 10, 8), 1)],
    "bonusStats": [{"id": n, "value": None} for n in range(1, 7)], "overrideStats": [{"id": 6, "value": 11}],
    "race": {"fullName": "Hill Folk", "sizeId": 3, "weightSpeeds": {"normal": {"walk": 25, "fly": 0}}},
    "conditions": [{"id": 11, "level": None}, {"id": 4, "level": 2}],
    "classes": [
        {"id": 1, "level": 3, "definition": {"name": "Fighter", "canCastSpells": False, "spellRules": None}},
        {"id": 2, "level": 2, "definition": {"name": "Wizard", "spellCastingAbilityId": 4, "canCastSpells": True,
         "spellRules": {"multiClassSpellSlotDivisor": 1, "levelSpellSlots": [[0] * 9, [2, *[0] * 8], [3, *[0] * 8]]}}},
    ],
    "modifiers": {
        "race": [modifier("bonus", "strength-score", 1), modifier("bonus", "constitution-score", 1),
                 modifier("set-base", "darkvision", 60), modifier("resistance", "poison"), modifier("language", "dwarvish", friendlySubtypeName="Dwarvish")],
        "class": [modifier("proficiency", "strength-saving-throws"), modifier("proficiency", "athletics"), modifier("proficiency", "martial-weapons"),
                  modifier("proficiency", "simple-weapons"), modifier("bonus", "ranged-weapon-attacks", 2), modifier("expertise", "perception"),
                  modifier("bonus", "saving-throws", 5, restriction="against being charmed")],
        "feat": [modifier("bonus", "hit-points-per-level", 2)],
        "item": [modifier("bonus", "armor-class", 1, componentId=3), modifier("set", "strength-score", 23, componentId=6),
                 modifier("bonus", "hit-points", 4, componentId=7), modifier("bonus", "armor-class", 1, componentId=8)],
    },
    "inventory": [
        item(1, "Chain Shirt", "Armor", armorTypeId=2, armorClass=13),
        item(3, "Shield, +1", "Armor", armorTypeId=4, armorClass=2),
        item(4, "Longsword, +1", "Weapon", **_LONGSWORD), item(5, "Shortbow", "Weapon", **_SHORTBOW),
        item(6, "Heavy Belt", "Wondrous item", equipped=False), item(7, "Ointment", "Wondrous item", equipped=False),
        item(8, "Ring of Walls", "Ring", canAttune=True), item(9, "Dagger", "Weapon", equipped=False),
    ],
    "classSpells": [{"characterClassId": 2, "spells": [spell("Fire Bolt", 0), spell("Shield", 1, prepared=True), spell("Sleep", 1)]}],
    "spells": {"race": [spell("Hex", 1, prepared=True, spellCastingAbilityId=6, limitedUse={"maxUses": 1})], "feat": None},
    "spellSlots": [{"level": 1, "used": 2, "available": 0}], "pactMagic": [],
    "actions": {"class": [{"name": "Second Wind", "snippet": "Regain 1d10 + {{classlevel}} hit points.", "activation": {"activationType": 3},
                           "limitedUse": {"maxUses": 1, "resetType": 1}}, {"name": "Fighting Style", "activation": {"activationType": None}}]},
}  # fmt: skip
