"""Answers of Open5e's service: of both kinds, as pages, lists and single creatures, equal to their fixtures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.for_each import for_each
from turnwright.encounter.prepared import Creature
from turnwright.importers.documents import ParsedDocument, parse_document, read_document
from turnwright.importers.formats import formats
from turnwright.importers.open5e import api, v1, v2
from turnwright.importers.results import ImportedRecord, UnreadRecord

ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
SCORES = dict(zip(ABILITIES, (16, 12, 14, 2, 11, 5), strict=True))
HIT = "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 7 (1d8 + 3) piercing damage."


def older(**fields: Any) -> dict[str, Any]:
    return {
        "slug": "reed-stalker", "name": "Reed Stalker", "size": "Large", "type": "Beast", "subtype": "fish, reptile", "group": None,
        "alignment": "unaligned", "armor_class": 14, "armor_desc": "natural armor", "hit_points": 30, "hit_dice": "4d10+8",
        "speed": {"walk": 30, "swim": 40}, "strength_save": None, "dexterity_save": 3, "perception": 2, "skills": {"perception": 2},
        "damage_vulnerabilities": "", "damage_resistances": "cold", "damage_immunities": "", "condition_immunities": "prone",
        "senses": "darkvision 60 ft., passive Perception 12", "languages": "", "challenge_rating": "1/2", "cr": 0.5,
        "actions": [{"name": "Bite", "desc": HIT, "attack_bonus": 5, "damage_dice": "1d8+3"}], "bonus_actions": None, "reactions": "",
        "legendary_desc": "", "legendary_actions": None, "special_abilities": [{"name": "Gills", "desc": "It breathes water."}],
        "spell_list": ["https://api.open5e.com/v2/spells/fog-cloud/"], "page_no": 7, "environments": ["Fen"], "desc": "", "img_main": None,
        "document__slug": "fens", "document__title": "Beasts of the Fens", "document__license_url": "https://example.org/licence",
        "document__url": "https://example.org", "v2_converted_path": "/v2/creatures/fens_reed-stalker/", **SCORES,
    } | fields  # fmt: skip


def thing(key: str) -> dict[str, str]:
    return {"key": key, "name": key.replace("-", " ").title(), "url": f"https://api.open5e.com/v2/things/{key}/"}


def newer(**fields: Any) -> dict[str, Any]:
    bite = {
        "name": "Bite", "desc": HIT, "action_type": "ACTION", "order_in_statblock": 0, "legendary_action_cost": None,
        "limited_to_form": None, "usage_limits": None,
        "attacks": [{
            "name": "Bite attack", "attack_type": "WEAPON", "to_hit_mod": 5, "reach": 5, "range": None, "long_range": None,
            "target_creature_only": False, "damage_die_count": 1, "damage_die_type": "D8", "damage_bonus": 3, "damage_type": thing("piercing"),
            "extra_damage_die_count": None, "extra_damage_die_type": None, "extra_damage_bonus": None, "extra_damage_type": None, "distance_unit": "feet",
        }],
    }  # fmt: skip
    return {
        "url": "https://api.open5e.com/v2/creatures/fens_reed-stalker/", "key": "fens_reed-stalker", "name": "Reed Stalker",
        "document": {"key": "fens", "name": "Beasts of the Fens", "gamesystem": thing("5e-2014"), "licenses": [thing("cc0")]},
        "size": thing("large"), "type": thing("beast"), "alignment": "unaligned", "armor_class": 14, "armor_detail": "natural armor",
        "hit_points": 30, "hit_dice": "4d10+8", "challenge_rating_decimal": "0.500", "challenge_rating_text": "1/2", "experience_points": 100,
        "speed": {"walk": 30.0, "swim": 40.0, "unit": "feet"}, "speed_all": {"walk": 30.0, "crawl": 15.0, "unit": "feet"},
        "ability_scores": SCORES, "modifiers": {}, "saving_throws": {"dexterity": 3}, "saving_throws_all": {}, "skill_bonuses": {"animal_handling": 2},
        "skill_bonuses_all": {}, "passive_perception": 12, "darkvision_range": 60, "blindsight_range": None, "normal_sight_range": 10560,
        "resistances_and_immunities": {
            "damage_resistances": [thing("cold")], "damage_resistances_display": "cold", "damage_immunities": [], "damage_immunities_display": "",
            "damage_vulnerabilities": [], "damage_vulnerabilities_display": "", "condition_immunities": [thing("prone")], "condition_immunities_display": "",
        },
        "languages": {"as_string": "", "data": []}, "environments": [thing("fen")], "actions": [bite], "creaturesets": [], "category": "Monsters",
        "subcategory": None, "traits": [{"name": "Gills", "desc": "It breathes water."}], "initiative_bonus": 1, "proficiency_bonus": 2, "illustration": None,
    } | fields  # fmt: skip


def document(data: Any) -> ParsedDocument:
    found = parse_document(json.dumps(data).encode(), Path("answer"))
    assert isinstance(found, ParsedDocument)
    return found


def read(data: Any, system: str = "") -> list[ImportedRecord | UnreadRecord]:
    found = document(data)
    assert api.claims(found)
    return list(api.read([found], system))


def one(data: Any) -> tuple[Creature, list[str]]:
    (found,) = read(data)
    assert isinstance(found, ImportedRecord), found
    assert isinstance(found.record, Creature)
    return found.record, [report.field for report in found.reports]


@pytest.mark.parametrize("record", [older(), newer()])
def test_both_kinds_give_the_same_figures(record: Mapping[str, Any]) -> None:
    creature, told = one(record)
    assert told == []
    assert (creature.hp, creature.ac, creature.ac_note, creature.rating, creature.size, creature.type) == (
        30,
        14,
        "natural armor",
        "1/2",
        "large",
        "beast",
    )
    assert (creature.speeds, creature.saves, creature.senses, creature.passives) == (
        (("walk", 30), ("swim", 40)),
        (("dex", 3),),
        (("darkvision", 60),),
        (("perception", 12),),
    )
    assert dict(creature.abilities) == {name[:3]: score for name, score in SCORES.items()}
    assert (creature.resistances, creature.condition_immunities) == (("cold",), ("prone",))
    gills, bite = creature.features
    assert (gills.cost, bite.attack, bite.reach, bite.damage) == ("trait", 5, 5, "1d8+3 piercing")
    assert not {"attack", "damage"} & set(bite.read)
    assert creature.source.startswith("Open5e: Beasts of the Fens")


def test_what_only_one_of_them_has() -> None:
    creature = one(older())[0]
    assert (creature.tags, creature.licence, creature.environments) == (
        ("fish", "reptile"),
        "https://example.org/licence",
        ("Fen",),
    )
    assert [(remark.about, remark.text) for remark in creature.remarks] == [("spellcasting", "fog cloud")]
    creature = one(newer())[0]
    assert (creature.xp, creature.initiative, creature.proficiency, creature.skills) == (
        100,
        1,
        2,
        (("animal-handling", 2),),
    )
    assert (creature.licence, creature.environments) == ("Cc0", ("fen",))


@pytest.mark.parametrize("record", [older(), newer()])
def test_pages_lists_and_single_creatures(record: Mapping[str, Any]) -> None:
    for data in ({"count": 2, "next": None, "previous": None, "results": [record, record]}, [record, record]):
        assert [each.name for each in read(data) if isinstance(each, ImportedRecord)] == [
            "Reed Stalker",
            "Reed Stalker",
        ]
    assert len(read(record)) == 1


@for_each(("record", "asked", "system"), [
    (older(), "", "dnd5e"), (older(document__slug="menagerie"), "", "a5e"), (older(slug="reed-stalker-a5e"), "", "a5e"), (older(), "a5e", "a5e"),
    (newer(), "", "dnd5e"), (newer(document={"key": "x", "gamesystem": thing("a5e")}), "", "a5e"), (newer(document={"key": "x", "gamesystem": "a5e"}), "", "a5e"),
    (newer(document="https://api.open5e.com/v2/documents/a5e-mm/"), "", "a5e"), (newer(document="fens"), "a5e", "a5e"), (newer(), "pf2e", "dnd5e"),
])  # fmt: skip
def test_which_game_a_creature_is_for(record: Mapping[str, Any], asked: str, system: str) -> None:
    (found,) = read(record, asked)
    assert isinstance(found, ImportedRecord)
    assert found.system == system


def test_older_answers_of_the_newer_service() -> None:
    """Lists of things at the top, languages as a list, keys alone or addresses in the place of things."""
    base = {key: value for key, value in newer().items() if key != "resistances_and_immunities"}
    creature, told = one(base | {
        "size": "https://api.open5e.com/v2/sizes/huge/", "type": "beast", "languages": [thing("deep-speech")], "damage_resistances": [thing("cold"), thing("fire")],
        "nonmagical_attack_immunity": True, "damage_immunities": [], "condition_immunities": ["https://api.open5e.com/v2/conditions/prone/"],
        "speed": {"walk": "30 ft.", "fly": 60, "hover": True},
    })  # fmt: skip
    assert (creature.size, creature.languages, creature.resistances, creature.mundane_immunity) == (
        "huge",
        "Deep Speech",
        ("cold", "fire"),
        True,
    )
    assert (creature.condition_immunities, creature.speeds, creature.hovers, told) == (
        ("prone",),
        (("walk", 30), ("fly", 60)),
        True,
        [],
    )


@pytest.mark.parametrize(("limits", "figures"), [
    ({"type": "PER_DAY", "param": 3}, (0, 3)), ({"type": "RECHARGE_ON_ROLL", "param": 5}, (5, 0)), ({"type": "RECHARGE_AFTER_REST", "param": None}, (0, 1)), (None, (0, 0)),
])  # fmt: skip
def test_limits_of_an_action(limits: Mapping[str, Any] | None, figures: tuple[int, int]) -> None:
    record = newer()
    record["actions"][0]["usage_limits"] = limits
    bite = one(record)[0].features[1]
    assert (bite.recharge, bite.uses) == figures


def test_an_alignment_that_a_whole_page_has_is_a_default() -> None:
    page = {"results": [newer(name=f"Stalker {n}", alignment="chaotic evil") for n in range(12)]}
    assert {each.record.alignment for each in read(page) if isinstance(each, ImportedRecord)} == {""}  # type: ignore[union-attr]
    creature, told = one(newer(document={"key": "x", "gamesystem": "a5e"}, alignment="chaotic evil"))
    assert (creature.alignment, told) == ("", ["alignment"])
    assert one(newer(alignment="lawful good"))[0].alignment == "lawful good"


@for_each("record", [
    older(hit_points="many"), newer(hit_points=None), older(name=""), newer(name=None), {"results": [older(), 5, {"slug": "x"}]}, [newer(), {}],
    older(actions=[5], skills=[], speed=None), newer(actions=[5, {"attacks": [7]}], traits=None, speed=7, languages=7, document=None),
    newer(ability_scores={}, resistances_and_immunities=7), older(senses=None, environments="fen", spell_list=7),
])  # fmt: skip
def test_odd_shapes_end_nothing(record: Any) -> None:
    """Each entry is read, or said not to be."""
    assert all(isinstance(each, ImportedRecord) or each.why for each in read(record))


@pytest.mark.parametrize("data", [
    [], {}, {"results": []}, {"results": [{"slug": "fog", "name": "Fog"}]}, [{"index": "goblin", "hit_points": 7}], {"key": "fens", "name": "Fens"},
    [{"model": "api.monster", "pk": "x", "fields": older()}],
])  # fmt: skip
def test_other_files_are_not_claimed(data: object) -> None:
    assert not api.claims(ParsedDocument(Path("x"), "json", "", data))


@pytest.mark.parametrize("data", [older(), newer(), {"results": [newer()]}, [older()]])
def test_no_other_format_claims_an_answer(data: Any) -> None:
    assert [form.id for form in formats() if form.claims(document(data))] == ["open5e_api"]


def same(one: Creature, other: Creature) -> bool:
    """Return whether two creatures are the same but for their books."""
    return msgspec.structs.replace(one, source="", licence="", id="", xp=0) == msgspec.structs.replace(
        other, source="", licence="", id="", xp=0
    )


@pytest.mark.parametrize("folder", ["v1-menagerie", "v1-wotc-srd"])
def test_an_older_answer_is_what_its_fixture_is(folder: str, real_data: Path) -> None:
    path = real_data / "open5e" / folder / "Monster.json"
    records = []
    for row in json.loads(path.read_text()):
        opened = {
            key.removesuffix("_json"): json.loads(value) if key.endswith("_json") else value
            for key, value in row["fields"].items()
        }
        spells = opened.pop("spells")
        records.append(opened | {"slug": row["pk"], "document__slug": "x", "spell_list": spells})
    answers = read({"count": len(records), "results": records})
    fixtures = list(v1.read([read_document(path)], ""))  # type: ignore[list-item]
    for answer, fixture in zip(answers, fixtures, strict=True):
        assert isinstance(answer, ImportedRecord)
        assert isinstance(fixture, ImportedRecord)
        assert same(answer.record, fixture.record), answer.name  # type: ignore[arg-type]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("folder", ["v2-a5e-mm", "v2-srd-2014", "v2-srd-2024"])
def test_a_newer_answer_is_what_its_fixture_is(folder: str, real_data: Path) -> None:
    tables = {
        name: json.loads((real_data / "open5e" / folder / f"{name}.json").read_text())
        for name in ("Creature", "CreatureAction", "CreatureActionAttack", "CreatureTrait")
    }
    attacks: dict[str, list[Any]] = {}
    for row in tables["CreatureActionAttack"]:
        kinds = {key: row["fields"][key] and thing(row["fields"][key]) for key in ("damage_type", "extra_damage_type")}
        attacks.setdefault(row["fields"]["parent"], []).append(row["fields"] | kinds)
    actions: dict[str, list[Any]] = {}
    for row in tables["CreatureAction"]:
        limits = {"type": row["fields"].pop("uses_type"), "param": row["fields"].pop("uses_param")}
        actions.setdefault(row["fields"]["parent"], []).append(
            row["fields"] | {"usage_limits": limits if limits["type"] else None, "attacks": attacks.get(row["pk"], [])}
        )
    traits: dict[str, list[Any]] = {}
    for row in tables["CreatureTrait"]:
        traits.setdefault(row["fields"]["parent"], []).append(row["fields"])
    records = [_answer(row, actions, traits) for row in tables["Creature"]]
    answers = read({"count": len(records), "results": records})
    documents = [read_document(path) for path in sorted((real_data / "open5e" / folder).glob("C*.json"))]
    fixtures = [each for each in v2.read(documents, "") if isinstance(each, ImportedRecord)]  # type: ignore[arg-type]
    for answer, fixture in zip(answers, fixtures, strict=True):
        assert isinstance(answer, ImportedRecord)
        assert same(answer.record, fixture.record), answer.name  # type: ignore[arg-type]


def _answer(row: Mapping[str, Any], actions: Mapping[str, Any], traits: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of the fixtures nested as the service does."""
    fields = row["fields"]
    moves = {way: fields[way] for way in ("walk", "fly", "swim", "climb", "burrow", "hover") if fields[way] is not None}
    within = {
        name: fields[name] for name in fields if name.startswith(("damage_", "condition_immunities", "nonmagical_"))
    }

    def group(prefix: str) -> dict[str, Any]:
        return {
            key.removeprefix(prefix): value
            for key, value in fields.items()
            if key.startswith(prefix) and value is not None
        }

    left = {
        key: value
        for key, value in fields.items()
        if not key.startswith(
            ("ability_score_", "saving_throw_", "skill_bonus_", "damage_", "condition_", "nonmagical_")
        )
    }
    return {key: value for key, value in left.items() if key not in moves and key not in ("challenge_rating", "languages_desc")} | {
        "key": row["pk"], "document": {"key": fields["document"]}, "size": thing(fields["size"]), "type": thing(fields["type"]), "speed": moves | {"unit": "feet"},
        "challenge_rating_decimal": fields["challenge_rating"], "ability_scores": group("ability_score_"), "saving_throws": group("saving_throw_"),
        "skill_bonuses": group("skill_bonus_"), "resistances_and_immunities": within, "actions": actions.get(row["pk"], []), "traits": traits.get(row["pk"], []),
        "languages": {"as_string": fields["languages_desc"], "data": [thing(key) for key in fields["languages"]]}, "experience_points": None,
    }  # fmt: skip
