"""Tetra-cube's files: figures that its page works out, and the tags in its texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from turnwright.encounter.prepared import Creature, Feature
from turnwright.importers.documents import ParsedDocument, parse_document
from turnwright.importers.results import ImportedRecord
from turnwright.importers.tetra_cube import FORMAT

MOTH: dict[str, Any] = {
    "name": "Moss Moth", "size": "large", "type": "monstrosity", "tag": "insect", "alignment": "unaligned", "hitDice": "7",
    "armorName": "natural armor", "shieldBonus": 0, "natArmorBonus": 3, "otherArmorDesc": "10", "speed": "30", "burrowSpeed": "0",
    "climbSpeed": "20", "flySpeed": "40", "hover": True, "swimSpeed": "0", "customHP": False, "customSpeed": False, "hpText": "4 (1d8)",
    "speedDesc": "10 ft.", "strPoints": 18, "dexPoints": 14, "conPoints": 14, "intPoints": 7, "wisPoints": 12, "chaPoints": 6,
    "blindsight": "30", "blind": True, "darkvision": "60", "tremorsense": "0", "truesight": "0", "telepathy": 0, "cr": "5", "customCr": "", "customProf": 2,
    "isLegendary": True, "legendariesDescription": "The [MON] can take 3 legendary actions.", "isLair": False, "isMythic": False, "isRegional": True,
    "regionalDescription": "Moss grows.", "regionalDescriptionEnd": "", "regionals": [{"name": "Damp", "desc": "It is damp near [MONS]."}],
    "abilities": [{"name": "Moss Cloak", "desc": "It hides."}],
    "actions": [
        {"name": "Claw", "desc": "_Melee Weapon Attack:_ [STR ATK] to hit, reach 5 ft., one target. _Hit:_ [STR 1D6] slashing damage plus [2D6] poison damage."},
        {"name": "Dust (Recharge 5-6)", "desc": "Each creature in a 20-foot cone must make a DC [CON SAVE] Constitution saving throw, taking [4D6 + 1] poison damage on a failed save, or half as much damage on a successful one."},
    ],
    "bonusActions": [{"name": "Flit", "desc": "It flies. [DEX] and [unknown]."}], "reactions": [], "legendaries": [{"name": "Sweep", "desc": "It sweeps."}], "mythics": [], "lairs": [{"name": "No", "desc": "lair"}],
    "sthrows": [{"name": "dex", "order": 1}], "skills": [{"name": "perception", "stat": "wis", "note": " (ex)"}, {"name": "stealth", "stat": "dex"}],
    "damagetypes": [{"name": "fire", "note": " (Vulnerable)", "type": "v"}, {"name": "cold", "note": " (Resistant)", "type": "r"}],
    "specialdamage": [{"name": "bludgeoning, piercing, and slashing from nonmagical attacks", "note": " (Resistant)", "type": "r"}],
    "conditions": [{"name": "poisoned"}], "languages": [{"name": "Sylvan", "speaks": True}, {"name": "Elvish", "speaks": False}], "understandsBut": "can't speak it",
    "shortName": "moth", "pluralName": "moths",
}  # fmt: skip


def imported(**changes: Any) -> Creature:
    found = parse_document(json.dumps({**MOTH, **changes}).encode(), Path("moth.monster"))
    assert isinstance(found, ParsedDocument)
    assert FORMAT.claims(found)
    (record,) = FORMAT.read([found], "")
    assert isinstance(record, ImportedRecord), record
    assert isinstance(record.record, Creature)
    return record.record


def feature(found: Creature, name: str) -> Feature:
    return next(one for one in found.features if one.name == name)


def test_figures_are_worked_out_as_the_page_does() -> None:
    moth = imported()
    assert (moth.ac, moth.ac_note, moth.hp, moth.hit_dice) == (15, "natural armor", 52, "7d10+14")
    assert (moth.saves, moth.skills, moth.passives) == (
        (("dex", 5),),
        (("perception", 7), ("stealth", 5)),
        (("perception", 17),),
    )
    assert (moth.speeds, moth.hovers) == ((("walk", 30), ("climb", 20), ("fly", 40)), True)
    assert (moth.senses, moth.languages) == (
        (("blindsight", 30), ("darkvision", 60)),
        "Sylvan, understands Elvish but can't speak it",
    )
    assert (moth.vulnerabilities, moth.resistances, moth.mundane_resistance, moth.condition_immunities) == (
        ("fire",),
        ("cold",),
        True,
        ("poisoned",),
    )
    assert (moth.size, moth.type, moth.tags, moth.rating, moth.legendary) == (
        "large",
        "monstrosity",
        ("insect",),
        "5",
        3,
    )
    assert moth.description == "Moss grows.\nIt is damp near moths."


def test_tags_in_texts_become_figures() -> None:
    moth = imported()
    claw, dust = feature(moth, "Claw"), feature(moth, "Dust")
    assert (claw.attack, claw.reach, claw.damage) == (7, 5, "1d6+4 slashing + 2d6 poison")
    assert (dust.save, dust.dc, dust.damage, dust.half, dust.recharge) == ("con", 13, "4d6+1 poison", True, 5)
    assert feature(moth, "Flit").text == "It flies. +2 and [unknown]."
    assert (feature(moth, "Flit").cost, feature(moth, "Sweep").cost) == ("bonus", "legendary")
    assert feature(moth, "Legendary Actions").text == "The moth can take 3 legendary actions."
    assert not any(one.cost == "lair" for one in moth.features), "it has no lair"


@pytest.mark.parametrize(
    ("changes", "ac", "note"),
    [
        ({"armorName": "none"}, 12, ""),
        ({"armorName": "half plate", "dexPoints": 18, "shieldBonus": 2}, 19, "half plate, shield"),
        ({"armorName": "plate"}, 18, "plate"),
        ({"armorName": "studded leather"}, 14, "studded leather"),
        ({"armorName": "mage armor"}, 12, "15 with mage armor"),
        ({"armorName": "other", "otherArmorDesc": "16 (bark)"}, 16, "bark"),
    ],
)
def test_armour_counts_as_the_rules_have_it(changes: dict[str, Any], ac: int, note: str) -> None:
    found = imported(**changes)
    assert (found.ac, found.ac_note) == (ac, note)


def test_own_texts_stand_for_what_is_worked_out() -> None:
    own = imported(
        customHP=True,
        hpText="40 (5d10 + 10)",
        customSpeed=True,
        speedDesc="15 ft., swim 5 ft.",
        cr="*",
        customCr="6 (2,300 XP)",
        customProf=4,
    )
    assert (own.hp, own.speeds, own.rating, own.xp, own.proficiency, dict(own.saves)) == (
        40,
        (("walk", 15), ("swim", 5)),
        "6",
        2300,
        4,
        {"dex": 6},
    )
