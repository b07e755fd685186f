"""Creatures of CritterDB, Bestiary Builder and statblock5e-creator: their figures are those that the pages print."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from turnwright.encounter.prepared import Creature
from turnwright.importers.by_template.creature_sites import FORMAT
from turnwright.importers.documents import ParsedDocument, parse_document
from turnwright.importers.results import ImportedRecord, UnreadRecord

BITE: Final = "Melee Weapon Attack: +6 to hit, reach 10 ft., one target. Hit: 11 (2d6 + 4) piercing damage."
CRITTER: Final = {
    "name": "Mire Stag",
    "flavor": {"environment": "swamp", "description": "It waits."},
    "stats": {
        "size": "Large", "race": "beast", "alignment": "Unaligned", "armorType": "natural armor", "armorClass": 14,
        "numHitDie": 6, "hitDieSize": 10, "speed": "50 ft., swim 30 ft.", "proficiencyBonus": 0,
        "abilityScores": {"strength": 18, "dexterity": 12, "constitution": 14, "intelligence": 3, "wisdom": 11, "charisma": 6},
        "savingThrows": [{"ability": "constitution", "proficient": True}, {"ability": "wisdom", "proficient": False, "value": 3}],
        "skills": [{"name": "Stealth", "proficient": True}, {"name": "Perception", "value": 5}],
        "damageResistances": ["cold"], "damageImmunities": ["poison"], "damageVulnerabilities": [],
        "conditionImmunities": ["poisoned"], "senses": ["darkvision 60 ft."], "languages": [], "challengeRating": 0.5,
        "experiencePoints": 100, "legendaryActionsPerRound": 3, "legendaryActions": [], "reactions": [],
        "additionalAbilities": [{"name": "Keen Smell", "description": "It has <i>advantage</i> on smelling."}],
        "actions": [{"name": "Bite", "description": BITE}],
    },
}  # fmt: skip
BUILDER: Final = {
    "stats": {
        "description": {"name": "Mire Stag", "description": "It waits.", "environment": "swamp", "alignment": "Unaligned", "cr": 0.5, "xp": 100},
        "core": {"proficiencyBonus": 2, "race": "Beast", "size": "Large", "languages": [],
                 "speed": [{"name": "Walk", "value": 50, "unit": "ft", "comment": ""}, {"name": "Swim", "value": 30, "unit": "ft", "comment": ""}],
                 "senses": [{"name": "Darkvision", "value": 60, "unit": "ft", "comment": ""}]},
        "abilities": {"stats": {"str": 18, "dex": 12, "con": 14, "int": 3, "wis": 11, "cha": 6},
                      "saves": {"con": {"isProficient": True, "override": None}, "wis": {"isProficient": False, "override": 3},
                                "str": {"isProficient": False, "override": None}},
                      "skills": [{"skillName": "Stealth", "isProficient": True, "isExpertise": False, "override": None},
                                 {"skillName": "perception", "isProficient": False, "isExpertise": False, "override": 5}]},
        "defenses": {"hp": {"numOfHitDie": 6, "sizeOfHitDie": 10, "override": None}, "ac": {"ac": 14, "acSource": "natural armor"},
                     "vulnerabilities": [], "resistances": ["Cold"], "immunities": ["Poison"], "conditionImmunities": ["Poisoned"]},
        "features": {"features": [{"name": "Keen Smell", "description": "It has *advantage* on smelling."}],
                     "actions": [{"name": "Bite", "description": BITE, "automation": None}]},
        "spellcasting": {"casterSpells": {"spellList": [["Light"], ["Bless", "Shield"]]}, "innateSpells": {"spellList": {"0": [], "1": [{"spell": "Fly"}]}}},
        "misc": {"legActionsPerRound": 3},
    },
}  # fmt: skip
OFF: Final = {"isEnabled": False, "override": None}
CREATOR: Final = {
    "title": {"fullName": "Mire Stag", "shortName": "stag", "isProperNoun": False},
    "subtitle": {"size": "Large", "type": "beast", "tags": "", "alignment": "unaligned"},
    "armorClass": {"armorClass": 14, "armorType": "natural armor"},
    "hitPoints": {"hitPoints": 45, "useHitDie": True, "hitDieQuantity": 6, "hitDieSize": 10},
    "speed": {"walk": 50, "burrow": None, "climb": None, "fly": None, "hover": False, "swim": 30, "useCustomText": False},
    "abilityScores": {"strength": 18, "dexterity": 12, "constitution": 14, "intelligence": 3, "wisdom": 11, "charisma": 6},
    "savingThrows": {"strength": OFF, "constitution": {"isEnabled": True, "override": None}, "wisdom": {"isEnabled": True, "override": 3}},
    "skills": {"stealth": {"isEnabled": True, "hasExpertise": False, "override": None}, "animalHandling": OFF,
               "perception": {"isEnabled": True, "hasExpertise": False, "override": 5}},
    "damageVulnerabilities": {"items": []}, "damageResistances": {"items": ["cold"]}, "damageImmunities": {"items": ["poison"]},
    "conditionImmunities": {"items": ["poisoned"]}, "languages": {"items": []},
    "senses": {"blindsight": None, "darkvision": 60, "tremorsense": None, "truesight": None, "useCustomText": False},
    "challengeRating": {"challengeRating": "1/2", "experiencePoints": 100, "proficiencyBonus": 2},
    "specialTraits": {"blocks": [{"name": "Keen Smell", "text": "[name] has advantage on smelling."}]},
    "actions": {"blocks": [{"name": "Bite", "text": "*Melee Weapon Attack:* atk[str] to hit, reach 10 ft., one target. *Hit:* dmg[2d6 + str] piercing damage."}]},
    "reactions": {"blocks": []}, "legendaryActions": {"blocks": [], "description": "[name] can take 3 legendary actions."},
}  # fmt: skip


def read_all(data: Any) -> list[ImportedRecord | UnreadRecord]:
    document = parse_document(json.dumps(data).encode(), Path("x.json"))
    assert isinstance(document, ParsedDocument)
    assert FORMAT.claims(document)
    return [one for one in FORMAT.read([document], "") if isinstance(one, ImportedRecord | UnreadRecord)]


def read_one(data: Any) -> Creature:
    (found,) = read_all(data)
    assert isinstance(found, ImportedRecord), found
    assert isinstance(found.record, Creature)
    return found.record


@pytest.mark.parametrize("data", [CRITTER, BUILDER, CREATOR, [CRITTER], {"name": "All", "creatures": [BUILDER]}])
def test_every_figure_is_what_the_page_shows(data: Any) -> None:
    stag = read_one(data)
    assert (stag.name, stag.size, stag.type, stag.alignment.lower(), stag.rating, stag.xp) == (
        "Mire Stag", "large", "beast", "unaligned", "1/2", 100,
    )  # fmt: skip
    assert (stag.ac, stag.ac_note, stag.hp, stag.hit_dice, stag.legendary) == (14, "natural armor", 45, "6d10+12", 0)
    assert (dict(stag.speeds), dict(stag.senses)) == ({"walk": 50, "swim": 30}, {"darkvision": 60})
    assert (dict(stag.saves), dict(stag.skills)) == ({"con": 4, "wis": 3}, {"stealth": 3, "perception": 5})
    assert (stag.resistances, stag.immunities, stag.condition_immunities) == (("cold",), ("poison",), ("poisoned",))
    assert [score for _, score in stag.abilities] == [18, 12, 14, 3, 11, 6]
    smell, bite, *_ = stag.features
    assert (smell.cost, smell.text.partition("has ")[2]) == ("trait", "advantage on smelling.")
    assert (bite.cost, bite.attack, bite.reach, bite.damage) == ("action", 6, 10, "2d6+4 piercing")


def test_spells_are_listed_and_macros_are_worked_out() -> None:
    spells = read_one(BUILDER).features[-1]
    assert spells.text == "Cantrips: Light\n1st level: Bless, Shield\n1/day each: Fly"
    text = "[name] adds mod[wis], atk[fin + 1], dmg[1d8], dmg[3 - 1] and dmg[1d4 - cha] to [other] of [fullname]."
    odd = read_one(CREATOR | {"specialTraits": {"blocks": [{"name": "Odd", "text": text}]}})
    worked = "the stag adds +0, +7, 4 (1d8), 2 and 4 (1d4 + 2) to [other] of Mire Stag."
    assert odd.features[0].text == worked


def test_a_record_without_hit_points_is_not_read() -> None:
    stats = {**CRITTER["stats"], "numHitDie": None}  # type: ignore[dict-item]
    (found,) = read_all({**CRITTER, "stats": stats})
    assert isinstance(found, UnreadRecord)
