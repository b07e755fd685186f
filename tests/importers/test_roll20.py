"""Roll20's exports: the attributes of a creature's sheet, in each of the shapes that exporters write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.importers.characters import imported, person, unread
from turnwright.encounter.prepared import CharacterState, Creature, Feature
from turnwright.importers.documents import ParsedDocument, parse_document
from turnwright.importers.results import ImportedRecord, UnreadRecord
from turnwright.importers.roll20 import FORMAT

VALUES = {
    "npc": "1", "npc_name": "Moss Moth", "npc_type": "Large monstrosity (insect), unaligned", "npc_ac": "15", "npc_actype": "natural armor",
    "npc_hpformula": "7d10+14", "npc_speed": "30 ft., fly 40 ft. (hover)", "strength": "18", "dexterity_base": "14", "constitution": "14", "intelligence": "7",
    "wisdom": "12", "charisma": "6", "npc_dex_save_base": "5", "npc_sleight_of_hand_base": "+5", "npc_perception_base": "5", "npc_resistances": "cold",
    "npc_condition_immunities": "poisoned", "npc_senses": "darkvision 60 ft.", "passive": "15", "npc_languages": "Sylvan", "npc_challenge": "4", "npc_xp": "1100",
    "npc_legendary_actions": "3", "npc_pb": "2",
    "repeating_npctrait_-Ma1_name": "Moss Cloak", "repeating_npctrait_-Ma1_desc": "It hides.",
    "repeating_npcaction_-Ma2_name": "Claw", "repeating_npcaction_-Ma2_attack_flag": "on", "repeating_npcaction_-Ma2_attack_type": "Melee",
    "repeating_npcaction_-Ma2_attack_range": "10 ft", "repeating_npcaction_-Ma2_attack_tohit": "6", "repeating_npcaction_-Ma2_attack_target": "one target",
    "repeating_npcaction_-Ma2_attack_damage": "1d6+4", "repeating_npcaction_-Ma2_attack_damagetype": "slashing",
    "repeating_npcaction_-Ma2_attack_damage2": "2d6", "repeating_npcaction_-Ma2_attack_damagetype2": "poison",
    "repeating_npcaction_-Ma2_description": "The target must succeed on a DC 13 Strength saving throw or be knocked prone.",
    "repeating_npcaction_-Ma3_name": "Seed (Recharge 5-6)", "repeating_npcaction_-Ma3_description": "Ranged Weapon Attack: +4 to hit, range 30/60 ft., one target. Hit: 5 (1d6 + 2) piercing damage.",
    "repeating_npcaction_-Ma3_attack_flag": "on", "repeating_npcaction_-Ma3_attack_tohit": "4",
    "repeating_npcaction-l_-Ma4_name": "Sweep", "repeating_npcaction-l_-Ma4_description": "It makes a claw attack.",
    "repeating_npcreaction_-Ma5_name": "Flutter", "repeating_npcreaction_-Ma5_description": "It flies.",
}  # fmt: skip


def attributes(**changes: str) -> list[dict[str, str]]:
    found = [{"name": name, "current": value, "max": "", "id": name} for name, value in (VALUES | changes).items()]
    return [*found, {"name": "hp", "current": "20", "max": "52", "id": "hp"}]


def records(data: object) -> list[ImportedRecord | UnreadRecord]:
    found = parse_document(json.dumps(data).encode(), Path("file.json"))
    assert isinstance(found, ParsedDocument)
    assert FORMAT.claims(found)
    return list(FORMAT.read([found], ""))  # type: ignore[arg-type]  # none is skipped


def creature(data: object) -> Creature:
    (found,) = records(data)
    assert isinstance(found, ImportedRecord), found
    assert isinstance(found.record, Creature)
    return found.record


def feature(found: Creature, name: str) -> Feature:
    return next(one for one in found.features if one.name == name)


CHARACTER: dict[str, Any] = {"name": "Moth 1", "bio": "<p>It is <b>soft</b>.</p>", "attribs": attributes()}
SHAPES = [
    CHARACTER,
    [CHARACTER],
    {"schema_version": 2, "type": "character", "character": CHARACTER},
    {"characters": [{"name": "Moth 1", "bio": CHARACTER["bio"], "attributes": attributes()}], "pages": []},
]


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_gives_the_same_creature(shape: object) -> None:
    moth = creature(shape)
    assert (moth.name, moth.size, moth.type, moth.tags) == ("Moss Moth", "large", "monstrosity", ("insect",))
    assert (moth.ac, moth.ac_note, moth.hp, moth.hit_dice) == (15, "natural armor", 52, "7d10+14")
    assert (moth.speeds, moth.hovers, moth.abilities[1]) == ((("walk", 30), ("fly", 40)), True, ("dex", 14))
    assert (moth.saves, moth.skills) == ((("dex", 5),), (("perception", 5), ("sleight-of-hand", 5)))
    assert (moth.resistances, moth.condition_immunities, moth.senses, moth.passives) == (
        ("cold",),
        ("poisoned",),
        (("darkvision", 60),),
        (("perception", 15),),
    )
    assert (moth.rating, moth.xp, moth.legendary, moth.proficiency, moth.description) == (
        "4",
        1100,
        3,
        2,
        "It is soft.",
    )


def test_attacks_come_from_the_fields_of_their_rows() -> None:
    moth = creature(CHARACTER)
    claw, seed = feature(moth, "Claw"), feature(moth, "Seed")
    assert (claw.attack, claw.reach, claw.damage, claw.save, claw.dc) == (
        6,
        10,
        "1d6+4 slashing + 2d6 poison",
        "str",
        13,
    )
    assert claw.text.startswith(
        "Melee Weapon Attack: +6 to hit, reach 10 ft, one target. Hit: 7 (1d6 + 4) slashing damage plus 7 (2d6) poison damage."
    )
    assert (seed.attack, seed.range, seed.damage, seed.recharge) == (4, "30/60", "1d6+2 piercing", 5)
    assert [(one.cost, one.name) for one in moth.features] == [
        ("trait", "Moss Cloak"),
        ("action", "Claw"),
        ("action", "Seed"),
        ("reaction", "Flutter"),
        ("legendary", "Sweep"),
    ]


PERSON = {
    "level": "5", "class": "Paladin", "pb": "3", "ac": "18", "speed": "30", "strength": "16", "dexterity": "10", "constitution": "14", "intelligence": "8",
    "wisdom": "12", "charisma": "15", "wisdom_save_prof": "(@{pb})", "wisdom_save_bonus": "4", "athletics_bonus": "6", "passive_wisdom": "11", "initiative_bonus": "0",
    "hp_temp": "2", "spellcasting_ability": "@{charisma_mod}+", "spell_save_dc": "13", "lvl1_slots_total": "4", "lvl1_slots_expended": "3", "lvl2_slots_total": "2",
    "repeating_attack_-Ma1_atkname": "Longsword", "repeating_attack_-Ma1_atkbonus": "+6", "repeating_attack_-Ma1_atkdmgtype": "1d8+3 Slashing + 1d6 Fire ",
    "repeating_attack_-Ma2_atkname": "Bow", "repeating_attack_-Ma2_atkbonus": "+3", "repeating_attack_-Ma2_atkdmgtype": "1d6 Piercing", "repeating_attack_-Ma2_atkrange": "80/320",
    "repeating_traits_-Ma3_name": "Aura", "repeating_traits_-Ma3_description": "It glows.", "repeating_spell-1_-Ma4_spellname": "Bless",
    "repeating_spell-1_-Ma5_spellname": "Shield of Faith", "repeating_spell-1_-Ma5_spellprepared": "0", "repeating_spell-cantrip_-Ma6_spellname": "Light",
}  # fmt: skip


def test_a_players_character_is_a_party_of_one() -> None:
    attribs = [{"name": name, "current": value, "max": ""} for name, value in PERSON.items()]
    record = imported(FORMAT, {"name": "Ann", "attribs": [*attribs, {"name": "hp", "current": "9", "max": "38"}]})
    ann, entry = person(record)
    assert (ann.name, ann.level, ann.ac, ann.hp, ann.speeds, ann.proficiency) == ("Ann", 5, 18, 38, (("walk", 30),), 3)
    assert (ann.saves, ann.skills, ann.passives, ann.spellcasting) == (
        (("wis", 4),),
        (("athletics", 6),),
        (("perception", 11),),
        "cha",
    )
    assert ann.slots == (("1", 4), ("2", 2))
    assert entry.state == CharacterState(9, 2, tracks=(("slot.1", 3),))
    sword, bow = feature(ann, "Longsword"), feature(ann, "Bow")
    assert (sword.attack, sword.damage, sword.reach) == (6, "1d8+3 slashing + 1d6 fire", 5)
    assert (bow.attack, bow.damage, bow.range) == (3, "1d6 piercing", "80/320")
    assert (feature(ann, "Aura").text, feature(ann, "Spellcasting").dc) == ("It glows.", 13)
    assert "Bless" in feature(ann, "Spellcasting").text
    assert "Shield of Faith" not in feature(ann, "Spellcasting").text


def test_a_players_character_needs_hit_points() -> None:
    attribs = [{"name": "strength", "current": "10", "max": ""}, {"name": "hp", "current": "", "max": ""}]
    assert "hit points" in unread(FORMAT, {"name": "Ann", "attribs": attribs})
