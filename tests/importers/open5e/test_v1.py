"""Open5e's older fixtures: every real record against its own fields, JSON inside text, and separate tables."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.for_each import for_each
from turnwright.encounter.prepared import Creature, Feature, SourceNote
from turnwright.importers.documents import ParsedDocument, parse_document, read_document
from turnwright.importers.files.import_files import import_paths
from turnwright.importers.open5e import v1
from turnwright.importers.open5e.damage import dice_terms
from turnwright.importers.results import ImportedRecord, SkippedFile, UnreadRecord

ABILITIES = {
    "str": "strength",
    "dex": "dexterity",
    "con": "constitution",
    "int": "intelligence",
    "wis": "wisdom",
    "cha": "charisma",
}
SECTIONS = ("special_abilities", "actions", "bonus_actions", "reactions", "legendary_actions")
BITE = {
    "name": "Bite",
    "desc": "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 7 (1d8 + 3) piercing damage.",
}


def monster(pk: str = "reed-stalker", **fields: Any) -> dict[str, Any]:
    """Return a row of the table; what is no text in it is written as the fixtures write it, as JSON in a text."""
    usual = {
        "name": "Reed Stalker", "size": "Large", "type": "Beast", "subtype": "", "alignment": "unaligned", "armor_class": 14,
        "armor_desc": "natural armor", "hit_points": 30, "hit_dice": "4d10+8", "strength": 16, "dexterity": 12,
        "constitution": 14, "intelligence": 2, "wisdom": 11, "charisma": 5, "strength_save": None, "dexterity_save": 3,
        "challenge_rating": "1/2", "cr": 0.5, "senses": "darkvision 60 ft., passive Perception 12", "languages": "",
        "damage_resistances": "", "damage_immunities": "", "damage_vulnerabilities": "", "condition_immunities": "",
        "speed_json": {"walk": 30, "swim": 40}, "skills_json": {"perception": 2}, "actions_json": [BITE],
        "special_abilities_json": None, "reactions_json": [], "page_no": 7, "document": 5,
    }  # fmt: skip
    rows = usual | fields
    return {
        "model": "api.monster",
        "pk": pk,
        "fields": {
            key: json.dumps(value) if key.endswith("_json") and not isinstance(value, str) else value
            for key, value in rows.items()
        },
    }


def document(data: Any, path: str = "folder/Monster.json") -> ParsedDocument:
    found = parse_document(json.dumps(data).encode(), Path(path))
    assert isinstance(found, ParsedDocument)
    assert v1.claims(found)
    return found


def real(paths: Sequence[Path]) -> list[ImportedRecord | UnreadRecord | SkippedFile]:
    documents = [found for found in map(read_document, paths) if isinstance(found, ParsedDocument)]
    assert len(documents) == len(paths)
    return list(v1.read(documents, ""))


def one(**fields: Any) -> tuple[Creature, list[tuple[str, str]]]:
    (found,) = v1.read([document([monster(**fields)])], "")
    assert isinstance(found, ImportedRecord), found
    assert isinstance(found.record, Creature)
    return found.record, [(report.field, report.why) for report in found.reports]


def feature(**entry: Any) -> tuple[Feature, list[tuple[str, str]]]:
    creature, told = one(actions_json=[BITE | entry])
    return creature.features[0], told


@pytest.fixture(params=["v1-menagerie", "v1-wotc-srd"])
def everything(request: pytest.FixtureRequest, real_data: Path) -> list[tuple[Mapping[str, Any], ImportedRecord]]:
    results = real(sorted((real_data / "open5e" / request.param).glob("*.json")))
    found = [each for each in results if not isinstance(each, SkippedFile)]
    rows = json.loads((real_data / "open5e" / request.param / "Monster.json").read_text())
    assert len(found) == len(rows) >= 199
    assert all(isinstance(each, ImportedRecord) for each in found)
    return [(row["fields"], each) for row, each in zip(rows, found, strict=True)]  # type: ignore[misc]


def test_figures_of_every_creature_are_its_records_own(
    everything: list[tuple[Mapping[str, Any], ImportedRecord]],
) -> None:
    for fields, found in everything:
        creature = found.record
        assert isinstance(creature, Creature)
        reported = {report.field for report in found.reports}
        assert (creature.name, creature.hp, creature.ac) == (
            fields["name"],
            fields["hit_points"],
            fields["armor_class"],
        )
        assert creature.hit_dice == fields["hit_dice"]
        assert creature.rating == fields["challenge_rating"]
        assert creature.size == fields["size"].lower()
        assert dict(creature.abilities) == {id: fields[name] for id, name in ABILITIES.items()}
        assert dict(creature.saves) == {
            id: fields[f"{name}_save"] for id, name in ABILITIES.items() if fields[f"{name}_save"] is not None
        }
        speeds = json.loads(fields["speed_json"])
        assert dict(creature.speeds) == {way: feet for way, feet in speeds.items() if way not in ("hover", "notes")}
        assert creature.hovers is bool(speeds.get("hover"))
        skills = {
            skill: bonus
            for skill, bonus in json.loads(fields["skills_json"]).items()
            if f"skills: {skill}" not in reported
        }
        assert dict(creature.skills) == skills
        passive = re.search(r"passive Perception (\d+)", fields["senses"], re.IGNORECASE)
        assert dict(creature.passives).get("perception") == (int(passive[1]) if passive else None)


def test_attacks_and_damage_of_every_feature_are_its_records_own_or_told(
    everything: list[tuple[Mapping[str, Any], ImportedRecord]],
) -> None:
    attacks = 0
    for fields, found in everything:
        creature = found.record
        assert isinstance(creature, Creature)
        told = {report.field for report in found.reports}
        entries = [entry for section in SECTIONS for entry in json.loads(fields.get(f"{section}_json") or "null") or []]
        loose = {report.text for report in found.reports if "added to the text" in report.why}
        entries = [entry for entry in entries if entry["name"] not in loose]
        skipped = len(entries) - len(creature.features)
        assert skipped == (creature.legendary > 0 and not fields["legendary_desc"])
        preamble = next((entry for entry in entries if "legendary action" in entry["name"]), None) if skipped else None
        for entry, each in zip([entry for entry in entries if entry is not preamble], creature.features, strict=True):
            name = entry["name"]
            bonus = re.search(r"Attack:\s*([+-]\d+) to hit", entry["desc"])
            own = entry.get("attack_bonus") or (int(bonus[1]) if bonus else None)
            if own is not None:
                attacks += 1
                assert each.attack == own or f"{name}: attack" in told or f"{name}: attack_bonus" in told, (
                    creature.name,
                    name,
                )
            if "damage_dice" in entry:
                dice = dice_terms(f"{entry['damage_dice']}{entry.get('damage_bonus', 0):+d}")
                said = {
                    dice_terms(each.damage),
                    dice_terms(each.save_damage),
                    dice_terms(f"{each.damage} + {each.save_damage}"),
                }
                assert dice in said or f"{name}: damage" in told, (creature.name, name, each)
                assert dice not in said or "damage" not in each.read or f"{name}: damage" in told, (creature.name, name)
    assert attacks > 300


def test_legendary_creatures_say_how_many_actions_they_have(
    everything: list[tuple[Mapping[str, Any], ImportedRecord]],
) -> None:
    legendary = [found.record for fields, found in everything if json.loads(fields["legendary_actions_json"] or "null")]
    assert len(legendary) > 10
    for creature in legendary:
        assert isinstance(creature, Creature)
        assert 1 <= creature.legendary <= 3, creature.name
        assert "legendary" in creature.read
        assert any(remark.about == "legendary" for remark in creature.remarks)


def test_the_book_beside_them_says_which_game_they_are_for(
    everything: list[tuple[Mapping[str, Any], ImportedRecord]],
) -> None:
    fields, first = everything[0]
    assert isinstance(first.record, Creature)
    assert {found.system for _, found in everything} == ({"a5e"} if fields["document"] == 37 else {"dnd5e"})
    assert first.record.licence == "Open Gaming License"
    assert f"page {fields['page_no']}" in first.record.source


def test_names_of_spells_beside_the_monsters_are_joined(real_data: Path) -> None:
    folder = real_data / "open5e" / "v1-wotc-srd"
    names = {row["fields"]["monster"] for row in json.loads((folder / "MonsterSpell.json").read_text())}
    rows = json.loads((folder / "Monster.json").read_text())
    found = [each for each in real(sorted(folder.glob("*.json"))) if isinstance(each, ImportedRecord)]
    casters = {each.name for each in found if any(remark.about == "spellcasting" for remark in each.record.remarks)}  # type: ignore[union-attr]
    assert {row["fields"]["name"] for row in rows if row["pk"] in names} <= casters
    assert len(casters) >= 10


def test_a_monster_with_its_book_and_spells() -> None:
    book = {
        "model": "api.document",
        "pk": 5,
        "fields": {"slug": "fens", "title": "Beasts of the Fens", "license": "CC0"},
    }
    spell = {"model": "api.monsterspell", "pk": 1, "fields": {"monster": "reed-stalker", "spell": "fog-cloud"}}
    found, *others = v1.read(
        [document([monster()]), document([book], "folder/B.json"), document([spell], "folder/S.json")], ""
    )
    assert isinstance(found, ImportedRecord)
    assert isinstance(found.record, Creature)
    assert (found.system, found.record.licence, found.record.source) == (
        "dnd5e",
        "CC0",
        "Open5e: Beasts of the Fens, page 7",
    )
    assert SourceNote("spellcasting", "fog cloud") in found.record.remarks
    assert others == [SkippedFile("folder/B.json"), SkippedFile("folder/S.json")]


@pytest.mark.parametrize(("pk", "asked", "system"), [
    ("reed-stalker-a5e", "", "a5e"), ("reed-stalker", "", "dnd5e"), ("reed-stalker", "a5e", "a5e"), ("reed-stalker-a5e", "dnd5e", "dnd5e"),
    ("reed-stalker", "pf2e", "dnd5e"),
])  # fmt: skip
def test_without_its_book_a_monsters_key_says_which_game_it_is_for(pk: str, asked: str, system: str) -> None:
    (found,) = v1.read([document([monster(pk)])], asked)
    assert isinstance(found, ImportedRecord)
    assert found.system == system


def test_a_book_of_another_folder_is_not_this_ones() -> None:
    book = {"model": "api.document", "pk": 5, "fields": {"slug": "menagerie", "title": "Menagerie"}}
    found = list(v1.read([document([monster()]), document([book], "elsewhere/Document.json")], ""))
    assert isinstance(found[0], ImportedRecord)
    assert found[0].system == "dnd5e"


def test_hovering_notes_and_other_ways_of_moving() -> None:
    creature, told = one(
        speed_json={"walk": 0, "fly": "60 ft.", "hover": True, "notes": "20 ft. in the mud", "lightwalking": 30}
    )
    assert creature.speeds == (("walk", 0), ("fly", 60))
    assert creature.hovers
    assert creature.remarks == (SourceNote("speeds", "20 ft. in the mud"), SourceNote("speeds", "lightwalking 30"))
    assert [field for field, _ in told] == ["speed: notes", "speed: lightwalking"]


def test_a_creature_without_a_walking_speed_has_none() -> None:
    assert one(speed_json={"swim": 40})[0].speeds == (("swim", 40),)


def test_skills_with_broken_names_are_told() -> None:
    creature, told = one(skills_json={"sleight": 0, "Sleight of Hand": 4, "darkvision": 90, "animal_handling": "+3"})
    assert creature.skills == (("sleight-of-hand", 4), ("animal-handling", 3))
    assert [field for field, _ in told] == ["skills: sleight", "skills: darkvision"]
    assert creature.remarks == (SourceNote("skills", "darkvision 90"),)


def test_damage_of_nonmagical_weapons_with_and_without_exception() -> None:
    creature, told = one(
        damage_immunities="poison; damage from nonmagical weapons",
        damage_resistances="cold; damage from nonmagical, non-silvered weapons",
    )
    assert (creature.immunities, creature.mundane_immunity) == (("poison",), True)
    assert (creature.resistances, creature.mundane_resistance) == (("cold",), True)
    assert (creature.mundane_except, told) == (("silvered",), [])
    golem = one(damage_immunities="damage from nonmagical, non-adamantine weapons")[0]
    assert (golem.mundane_immunity, golem.mundane_except) == (True, ("adamantine",))
    creature, told = one(damage_resistances="cold; damage from nonmagical weapons")
    assert (creature.resistances, creature.mundane_resistance, creature.mundane_immunity, told) == (
        ("cold",),
        True,
        False,
        [],
    )


def test_a_legendary_preamble_in_the_place_of_an_action_gives_the_count() -> None:
    creature, told = one(legendary_actions_json=[
        {"name": "The stalker has one legendary action it can take", "desc": "At the end of a turn of somebody else."},
        {"name": "Wade (Costs 2 Actions)", "desc": "It swims away."},
    ])  # fmt: skip
    assert (creature.legendary, creature.read) == (1, ("legendary",))
    assert [(one.name, one.cost, one.price) for one in creature.features] == [
        ("Bite", "action", 1),
        ("Wade", "legendary", 2),
    ]
    assert creature.remarks == (
        SourceNote(
            "legendary", "The stalker has one legendary action it can take. At the end of a turn of somebody else."
        ),
    )
    assert told == []


def test_a_legendary_preamble_gives_the_count() -> None:
    creature, told = one(legendary_actions_json=[{"name": "Wade", "desc": "It swims away."}])
    assert (creature.legendary, creature.read, told) == (0, (), [])
    assert (
        one(
            legendary_actions_json=[{"name": "Wade", "desc": "It swims."}],
            legendary_desc="The stalker can take 3 legendary actions.",
        )[0].legendary
        == 3
    )


def test_a_sentence_in_the_place_of_a_name_is_text() -> None:
    sentence = "If anybody in its stomach deals it 12 or more damage in a single turn, it spits out whomever it holds"
    creature, told = one(
        actions_json=[{"name": sentence, "desc": ""}, {"name": "Luck: once a day, it throws another die", "desc": ""}]
    )
    first, second = creature.features
    assert first.text == sentence
    assert len(first.name) < 65
    assert (second.name, second.text) == ("Luck", "Luck: once a day, it throws another die")
    assert len(told) == 2


@pytest.mark.parametrize(("entry", "attack", "damage", "telling"), [
    ({"attack_bonus": 5, "damage_dice": "1d8", "damage_bonus": 3}, 5, "1d8+3 piercing", 0),
    ({"attack_bonus": 5, "damage_dice": "1d8+3"}, 5, "1d8+3 piercing", 0),
    ({"attack_bonus": 6, "damage_dice": "1d8", "damage_bonus": 4}, 5, "1d8+4 piercing", 2),
    ({"attack_bonus": 5, "damage_dice": "2d8", "damage_bonus": 3}, 5, "2d8+3 piercing", 1),
    ({"attack_bonus": 0}, 5, "1d8+3 piercing", 1),
    ({"attack_bonus": 5, "damage_dice": "many"}, 5, "1d8+3 piercing", 1),
    ({"attack_bonus": 51, "damage_dice": "1d8", "damage_bonus": 3}, 5, "1d8+3 piercing", 1),
])  # fmt: skip
def test_a_records_own_figures_win_and_what_differs_is_told(
    entry: Mapping[str, Any], attack: int, damage: str, telling: int
) -> None:
    bite, told = feature(**entry)
    assert (bite.attack, bite.damage, len(told)) == (attack, damage, telling)
    assert ("attack" in bite.read) == (entry["attack_bonus"] in (0, 6, 51))


def test_dice_of_what_is_no_attack_get_the_type_of_the_text() -> None:
    charge, _told = feature(
        name="Charge",
        desc="Its first hit after that deals an extra 7 (2d6) slashing damage.",
        attack_bonus=0,
        damage_dice="2d6",
    )
    assert (charge.attack, charge.damage, charge.read) == (None, "2d6 slashing", ())


def test_prose_that_has_more_than_the_record_stands() -> None:
    words = "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 7 (1d8 + 3) piercing damage plus 9 (2d8) acid damage."
    bite, told = feature(desc=words, attack_bonus=5, damage_dice="1d8", damage_bonus=3)
    assert bite.damage == "1d8+3 piercing + 2d8 acid"
    assert "damage" in bite.read
    assert [field for field, _ in told] == ["Bite: damage"]


@for_each(
    "text",
    [
        "[{",
        "7",
        '"bites"',
        '[{"name": 5}]',
        "[[]]",
        "[" * 100_000,
        "[" * 500 + "]" * 500,
        '{"name": "Bite"}',
        "[null, 3]",
    ],
)
def test_json_inside_text_of_any_shape_is_read_as_far_as_it_goes(text: str) -> None:
    creature, told = one(actions_json=text, skills_json=text, speed_json=text, environments_json=text)
    assert creature.hp == 30
    assert told


@for_each("fields", [
    {"senses": 7}, {"languages": None}, {"damage_immunities": ["fire"]}, {"condition_immunities": {}}, {"size": None},
    {"armor_class": "hide"}, {"strength": "strong"}, {"challenge_rating": "hard", "cr": None}, {"page_no": "xii"}, {"lore": "It waits."},
    {"dexterity_save": "good"}, {"document": [5]}, {"perception": 9},
])  # fmt: skip
def test_odd_fields_are_told_and_end_nothing(fields: Mapping[str, Any]) -> None:
    creature, told = one(**fields)
    assert creature.hp == 30
    assert told or fields.keys() <= {"languages", "page_no", "document", "condition_immunities"}


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"hit_points": None}, "hit points"),
        ({"hit_points": 0}, "hit points"),
        ({"name": " "}, "no name"),
        ({"hit_points": 10**8}, "hp"),
    ],
)
def test_a_monster_that_can_not_be_read_ends_nothing(fields: Mapping[str, Any], why: str) -> None:
    bad, good = v1.read([document([monster(**fields), monster()])], "")
    assert isinstance(bad, UnreadRecord)
    assert why in bad.why
    assert isinstance(good, ImportedRecord)


def test_entries_that_are_no_records_are_told() -> None:
    odd, read = v1.read([document([monster(), 5, {"model": "api.monster"}])], "")
    assert isinstance(odd, UnreadRecord)
    assert odd.why == "entries that aren't records of this database: 2"
    assert isinstance(read, ImportedRecord)


def test_other_tables_of_the_database_say_what_they_hold(tmp_path: Path) -> None:
    (tmp_path / "Spell.json").write_text(json.dumps([{"model": "api.spell", "pk": "fog", "fields": {"name": "Fog"}}]))
    outcome = import_paths([tmp_path / "Spell.json"], tmp_path / "library")
    assert [("spell" in each.why, each.record) for each in outcome.unread] == [(True, "")]
    assert outcome.folder == ""


@pytest.mark.parametrize(
    "data",
    [
        [{"name": "Goblin"}],
        {"model": 5},
        [],
        [{"model": "api_v2.creature", "fields": {}}],
        [{"model": "auth.user", "fields": {}}],
    ],
)
def test_other_files_are_not_claimed(data: object) -> None:
    assert not v1.claims(ParsedDocument(Path("x"), "json", "", data))
