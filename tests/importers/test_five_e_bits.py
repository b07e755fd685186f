"""5e-bits' database: every real record against its own fields, oddities of shape, and records that are no monsters."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.for_each import for_each
from turnwright.encounter.prepared import Creature, Feature, SourceNote
from turnwright.importers import five_e_bits
from turnwright.importers.documents import ParsedDocument, parse_document, read_document
from turnwright.importers.files.import_files import import_paths
from turnwright.importers.results import ImportedRecord, UnreadRecord
from turnwright.storage.library.entries import library_text, read_library_file

ABILITIES = {
    "str": "strength",
    "dex": "dexterity",
    "con": "constitution",
    "int": "intelligence",
    "wis": "wisdom",
    "cha": "charisma",
}
SECTIONS = ("special_abilities", "actions", "reactions", "legendary_actions")


def save(ability: str, dc: int, success: str = "none") -> dict[str, Any]:
    return {"dc_type": {"index": ability}, "dc_value": dc, "success_type": success}


def harm(dice: str, kind: str) -> dict[str, Any]:
    return {"damage_dice": dice, "damage_type": {"index": kind}}


def record(**figures: Any) -> dict[str, Any]:
    return {
        "index": "reed-stalker", "name": "Reed Stalker", "size": "Large", "type": "beast", "alignment": "unaligned",
        "armor_class": [{"type": "natural", "value": 14}], "hit_points": 30, "hit_dice": "4d10", "hit_points_roll": "4d10+8",
        "speed": {"walk": "30 ft.", "swim": "40 ft."}, "strength": 16, "dexterity": 12, "constitution": 14, "intelligence": 2,
        "wisdom": 11, "charisma": 5, "proficiencies": [], "damage_vulnerabilities": [], "damage_resistances": [],
        "damage_immunities": [], "condition_immunities": [], "senses": {"passive_perception": 10}, "languages": "",
        "challenge_rating": 0.5, "proficiency_bonus": 2, "xp": 100, "url": "/api/2014/monsters/reed-stalker",
    } | figures  # fmt: skip


def read(data: Any, system: str = "") -> list[ImportedRecord | UnreadRecord]:
    document = parse_document(json.dumps(data).encode(), Path("monsters"))
    assert isinstance(document, ParsedDocument)
    assert five_e_bits.claims(document)
    return list(five_e_bits.read([document], system))


def one(**figures: Any) -> tuple[Creature, list[tuple[str, str]]]:
    (found,) = read(record(**figures))
    assert isinstance(found, ImportedRecord), found
    assert isinstance(found.record, Creature)
    return found.record, [(report.field, report.why) for report in found.reports]


def feature(source: Mapping[str, Any]) -> tuple[Feature, list[tuple[str, str]]]:
    creature, told = one(actions=[source])
    return creature.features[0], told


def plain(dice: str) -> str:
    return dice.replace(" ", "").replace("+-", "-")


def damages(source: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the database has of damage; of a choice the first."""
    for part in source.get("damage", ()):
        first = part["from"]["options"][0] if "from" in part else part
        yield f"{plain(first['damage_dice'])} {first['damage_type']['index']}"


@pytest.fixture
def everything(real_data: Path) -> list[tuple[Mapping[str, Any], ImportedRecord]]:
    paths = sorted((real_data / "5e-bits").rglob("*Monsters.json"))
    found = list(five_e_bits.read([read_document(path) for path in paths], ""))
    sources = [source for path in paths for source in json.loads(path.read_text())]
    assert len(found) == len(sources) > 200
    assert all(isinstance(each, ImportedRecord) for each in found)
    return list(zip(sources, found, strict=True))  # type: ignore[arg-type]  # as has just been looked at


def test_figures_of_every_creature_are_its_records_own(
    everything: list[tuple[Mapping[str, Any], ImportedRecord]],
) -> None:
    for source, found in everything:
        creature = found.record
        assert isinstance(creature, Creature)
        assert (creature.name, creature.hp, creature.xp) == (source["name"], source["hit_points"], source["xp"])
        worn = [entry["value"] for entry in source["armor_class"] if entry["type"] not in ("spell", "condition")]
        assert creature.ac == max(worn)
        assert creature.size == source["size"].lower()
        assert dict(creature.abilities) == {id: source[name] for id, name in ABILITIES.items()}
        speeds = {way: int(text.split()[0]) for way, text in source["speed"].items() if way != "hover"}
        assert dict(creature.speeds) == speeds
        assert creature.hovers is source["speed"].get("hover", False)
        bonuses = {each["proficiency"]["index"]: each["value"] for each in source["proficiencies"]}
        saves = {f"saving-throw-{id}": bonus for id, bonus in creature.saves}
        skills = {f"skill-{id}": bonus for id, bonus in creature.skills}
        assert saves | skills == bonuses
        assert dict(creature.passives) == {"perception": source["senses"]["passive_perception"]}
        assert len(creature.senses) == len(source["senses"]) - 1
        assert list(creature.condition_immunities) == list(
            dict.fromkeys(each["index"] for each in source["condition_immunities"])
        )


def test_attacks_saves_uses_and_damage_of_every_feature_are_its_records_own(
    everything: list[tuple[Mapping[str, Any], ImportedRecord]],
) -> None:
    attacks = harms = 0
    for source, found in everything:
        assert isinstance(found.record, Creature)
        features = iter(each for each in found.record.features if not each.shares and "(Bonus Action)" not in each.name)
        told = {(report.field, report.text) for report in found.reports}
        for section in SECTIONS:
            for each in source.get(section, ()):
                read_one = next(features)
                name = each["name"]
                if each.get("attack_bonus") and "dc" not in each.get("options", {}):
                    assert read_one.attack == each["attack_bonus"], (source["name"], name)
                    attacks += 1
                if (
                    "dc" in each
                    and (f"{name.strip()}: dc", f"{read_one.save or 'str'} {each['dc']['dc_value']}") not in told
                ):
                    assert (read_one.save, read_one.dc) == (each["dc"]["dc_type"]["index"], each["dc"]["dc_value"])
                    in_text = each["dc"]["success_type"] == "none" and "half as much" in each["desc"]
                    assert read_one.half is (each["dc"]["success_type"] == "half" or in_text)
                if each.get("usage", {}).get("type") == "recharge on roll":
                    assert read_one.recharge == each["usage"]["min_value"]
                if each.get("usage", {}).get("type") == "per day":
                    assert (read_one.uses, read_one.per) == (each["usage"]["times"], "day")
                kept = f"{read_one.damage} + {read_one.save_damage} + {read_one.ongoing}".split(" + ")
                for part in damages(each):
                    harms += 1
                    assert part in kept or (f"{name}: damage", part) in told, (source["name"], name, part, kept)
        assert next(features, None) is None
    assert attacks > 300
    assert harms > 400


def test_hardly_any_damage_of_the_database_has_no_place(
    everything: list[tuple[Mapping[str, Any], ImportedRecord]],
) -> None:
    left = [report for _, found in everything for report in found.reports if "damage at once" in report.why]
    assert len(left) <= 2


def test_multiattacks_name_the_features_they_give(everything: list[tuple[Mapping[str, Any], ImportedRecord]]) -> None:
    with_ways = 0
    for source, found in everything:
        assert isinstance(found.record, Creature)
        ids = {each.id for each in found.record.features}
        for each in found.record.features:
            assert {id for way in each.multiattack for id, _ in way} <= ids
            with_ways += bool(each.multiattack)
        assert source["name"] == found.name
    assert with_ways > 80


def test_classes_of_spells_and_conditions_stand_beside_that_of_what_is_worn() -> None:
    shield = {"type": "armor", "value": 16, "armor": [{"index": "shield", "name": "Shield"}]}
    mage = {"type": "spell", "value": 18, "spell": {"index": "mage-armor", "name": "Mage Armor"}}
    prone = {"type": "condition", "value": 11, "condition": {"index": "prone", "name": "Prone"}}
    creature, _ = one(armor_class=[{"type": "natural", "value": 14}, shield, mage, prone])
    assert (creature.ac, creature.ac_note) == (16, "shield")
    assert [remark.text for remark in creature.remarks] == ["14 natural armor", "18 with mage armor", "11 while prone"]


@pytest.mark.parametrize(("value", "ac"), [(17, 17), ([{"value": "15"}], 15), ([], 10), ("hide", 10), (None, 10)])
def test_an_armour_class_of_another_shape(value: object, ac: int) -> None:
    creature, told = one(armor_class=value)
    assert creature.ac == ac
    assert (("armor_class", "not an Armor Class; set to 10") in told) is (ac == 10)


def test_what_stands_beside_a_distance_is_a_remark() -> None:
    creature, told = one(
        speed={"fly": "60 ft. (20 ft. in rain)", "hover": True, "phase": "at will"},
        senses={"blindsight": "60 ft. (blind beyond this radius)"},
    )
    assert (creature.speeds, creature.hovers, creature.senses) == ((("fly", 60),), True, (("blindsight", 60),))
    assert SourceNote("speeds", "fly (20 ft. in rain)") in creature.remarks
    assert SourceNote("senses", "blindsight (blind beyond this radius)") in creature.remarks
    assert ("speed: phase", "not a movement mode with a distance; kept as a remark") in told


def test_clauses_about_weapons() -> None:
    clause = "bludgeoning, piercing, and slashing from nonmagical weapons"
    creature, told = one(
        damage_immunities=["fire", clause], damage_resistances=["cold", f"{clause} that aren't silvered"]
    )
    assert (creature.immunities, creature.mundane_immunity) == (("fire",), True)
    assert (creature.resistances, creature.mundane_resistance) == (("cold",), True)
    assert (creature.mundane_except, told) == (("silvered",), [])


def test_a_swarm_is_of_the_beasts_it_is_made_of() -> None:
    creature, _ = one(type="swarm of Tiny beasts", subtype="any race, wet")
    assert (creature.type, creature.tags) == ("beast", ("swarm", "any race", "wet"))


def test_the_experience_of_a_lair_is_a_remark_and_other_forms_are_told() -> None:
    creature, told = one(xp_in_lair=200, forms=[{"index": "heron", "name": "Heron Form"}])
    assert creature.xp == 100
    assert creature.remarks == (SourceNote("xp", "200 in its lair"),)
    assert "forms" in [field for field, _ in told]


def test_a_record_says_where_it_is_from_and_can_be_for_either_game() -> None:
    creature, _ = one()
    assert creature.source == "5e-bits: SRD 5.1"
    assert [
        found.system
        for asked in ("", "a5e", "pf2e")
        for found in read(record(), asked)
        if isinstance(found, ImportedRecord)
    ] == ["dnd5e", "a5e", "dnd5e"]


def test_damage_of_a_failed_save_is_not_dealt_by_the_hit() -> None:
    text = "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 5 (1d4 + 3) piercing damage, and the target must make a DC 11 Constitution saving throw, taking 7 (2d6) poison damage on a failed save, or half as much damage on a successful one."
    bite, told = feature(
        {
            "name": "Bite",
            "desc": text,
            "attack_bonus": 5,
            "dc": save("con", 11, "half"),
            "damage": [harm("1d4+3", "piercing"), harm("2d6", "poison")],
        }
    )
    assert (bite.attack, bite.reach, bite.damage, bite.save_damage) == (5, 5, "1d4+3 piercing", "2d6 poison")
    assert (bite.save, bite.dc, bite.half) == ("con", 11, True)
    assert not set(bite.read) & {"attack", "damage", "save_damage", "save", "dc", "half"}
    assert "reach" in bite.read
    assert told == []


def test_damage_that_comes_later_stays_in_the_text_and_is_told() -> None:
    text = "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 6 (1d6 + 3) slashing damage. A wet creature takes 3 (1d6) acid damage every 10 minutes."
    claw, told = feature(
        {"name": "Claw", "desc": text, "attack_bonus": 5, "damage": [harm("1d6+3", "slashing"), harm("1d12", "acid")]}
    )
    assert claw.damage == "1d6+3 slashing"
    assert ("Claw: damage", "the text doesn't deal this damage at once; kept as text only") in told


def test_damage_behind_that_of_two_hands_is_dealt_too() -> None:
    text = "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 7 (1d8 + 3) bludgeoning damage, or 8 (1d10 + 3) bludgeoning damage if used with two hands, plus 3 (1d6) fire damage."
    hammer, _ = feature(
        {
            "name": "Hammer",
            "desc": text,
            "attack_bonus": 5,
            "damage": [harm("1d8+3", "bludgeoning"), harm("1d6", "fire")],
        }
    )
    assert hammer.damage == "1d8+3 bludgeoning + 1d6 fire"


def test_the_records_own_figures_win_over_its_prose_and_the_difference_is_told() -> None:
    text = "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 6 (1d6 + 3) slashing damage."
    claw, told = feature({"name": "Claw", "desc": text, "attack_bonus": 6, "damage": [harm("1d8+3", "slashing")]})
    assert (claw.attack, claw.damage) == (5, "1d8+3 slashing")
    assert {field for field, _ in told} == {"Claw: attack", "Claw: damage"}


@pytest.mark.parametrize(
    ("text", "attack"), [("It makes a check.", None), ("Melee Weapon Attack: +0 to hit, reach 5 ft.", 0)]
)
def test_a_bonus_of_nothing_is_one_only_where_there_is_an_attack(text: str, attack: int | None) -> None:
    found, _ = feature({"name": "Act", "desc": text, "attack_bonus": 0})
    assert found.attack == attack


def test_of_a_choice_of_damage_the_first_counts() -> None:
    options = {"choose": 1, "from": {"options": [harm("1d6+1", "piercing"), harm("1d8+1", "piercing")]}}
    text = "Melee Weapon Attack: +3 to hit, reach 5 ft., one target. Hit: 4 (1d6 + 1) piercing damage, or 5 (1d8 + 1) piercing damage if used with two hands."
    spear, told = feature({"name": "Spear", "desc": text, "attack_bonus": 3, "damage": [options]})
    assert spear.damage == "1d6+1 piercing"
    assert told == []


def test_what_it_takes_to_escape_is_no_saving_throw() -> None:
    text = "Melee Attack Roll: +5, reach 10 ft. Hit: 6 (1d6 + 3) Bludgeoning damage. The target has the Grappled condition (escape DC 13)."
    grip, told = feature(
        {
            "name": "Grip.",
            "desc": text,
            "attack_bonus": 5,
            "dc": save("str", 13),
            "damage": [harm("1d6+3", "bludgeoning")],
        }
    )
    assert (grip.name, grip.save, grip.dc) == ("Grip", "", 0)
    assert [(each.condition, each.escape_dc) for each in grip.afflictions] == [("grappled", 13)]
    assert [field for field, _ in told] == ["Grip.: dc"]


@pytest.mark.parametrize(
    ("usage", "figures"),
    [
        ({"type": "recharge on roll", "dice": "1d6", "min_value": 4}, (4, 0, "day")),
        ({"type": "per day", "times": 3}, (0, 3, "day")),
        ({"type": "recharge after rest", "rest_types": ["short", "long"]}, (0, 1, "rest")),
        ({"type": "recharge after rest", "rest_types": ["long"]}, (0, 1, "long-rest")),
        ({"type": "at will"}, (0, 0, "day")),
    ],
)
def test_usage(usage: Mapping[str, Any], figures: tuple[int, int, str]) -> None:
    breath, told = feature({"name": "Breath", "desc": "It breathes.", "usage": usage})
    assert (breath.recharge, breath.uses, breath.per) == figures
    assert told == []


@pytest.mark.parametrize(
    "usage",
    [
        {"type": "per moon", "times": 1},
        {"type": "recharge on roll", "dice": "1d20", "min_value": 5},
        {"type": "per day", "times": 3, "times_in_lair": 4},
    ],
)
def test_usage_that_is_not_known_is_told(usage: Mapping[str, Any]) -> None:
    breath, told = feature({"name": "Breath", "desc": "It breathes.", "usage": usage})
    assert breath.recharge == 0
    assert [field for field, _ in told] == ["Breath: usage"]


def test_of_several_breaths_the_first_gives_the_figures_and_the_others_are_told() -> None:
    options = {"choose": 1, "from": {"options": [
        {"name": "Fire", "dc": save("dex", 14, "half"), "damage": [harm("4d6", "fire")]},
        {"name": "Sleep", "dc": save("con", 14)},
    ]}}  # fmt: skip
    breath, told = feature({"name": "Breaths", "desc": "It uses one of two breaths.", "options": options})
    assert (breath.save, breath.dc, breath.half, breath.damage) == ("dex", 14, True, "4d6 fire")
    assert [field for field, _ in told] == ["Breaths: options"]


def test_spells_are_cast_with_what_the_record_says() -> None:
    spells = {"level": 5, "ability": {"index": "wis"}, "dc": 13, "modifier": 5, "slots": {"1": 4, "2": 3}, "spells": []}
    creature, _ = one(special_abilities=[{"name": "Spellcasting", "desc": "It casts spells.", "spellcasting": spells}])
    assert (creature.spellcasting, creature.slots) == ("wis", (("1", 4), ("2", 3)))
    assert (creature.features[0].dc, creature.features[0].attack) == (13, 5)


def action(name: str, count: object) -> dict[str, Any]:
    return {"option_type": "action", "action_name": name, "count": count, "type": "melee"}


def multi(**figures: Any) -> tuple[Feature, list[tuple[str, str]]]:
    text = "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 6 (1d6 + 3) slashing damage."
    others = [{"name": name, "desc": text, "attack_bonus": 5} for name in ("Bite", "Claws", "Tail (Heron Form Only)")]
    creature, told = one(actions=[{"name": "Multiattack", "desc": "It attacks.", **figures}, *others])
    return creature.features[0], told


def test_a_multiattack_of_fixed_attacks_names_them_whether_one_or_many() -> None:
    found, told = multi(actions=[action("Bite", 1), action("Claw", 2)])
    assert (found.multiattack, found.attacks) == (((("bite", 1), ("claws", 2)),), 3)
    assert told == []


def test_a_multiattack_with_options_has_a_way_for_each() -> None:
    two = {"option_type": "multiple", "items": [action("Claws", 1), action("Tail", 1)]}
    found, _ = multi(
        actions=[action("Bite", 1)], action_options={"choose": 1, "from": {"options": [two, action("Bite", 1)]}}
    )
    assert found.multiattack == ((("bite", 1), ("claws", 1), ("tail-heron-form-only", 1)), (("bite", 2),))
    assert found.attacks == 3


@pytest.mark.parametrize(
    ("name", "count"), [("Bite", "1d4"), ("Bite", "as many as heads"), ("Sting", 2), ("Bite", 0), ("Bite", 10**9)]
)
def test_attacks_that_are_no_number_or_nobodys_are_told(name: str, count: object) -> None:
    found, told = multi(actions=[action(name, count)])
    assert found.multiattack == ()
    assert (
        f"Multiattack: {name}",
        "no feature of this name; ignored" if name == "Sting" else "not a number of attacks; ignored",
    ) in told


def test_choices_within_choices_end() -> None:
    either = {"from": {"options": [action("Bite", 1), action("Claws", 1)]}}
    found, _ = multi(action_options={"from": {"options": [{"items": [either] * 40}]}})
    assert 1 <= len(found.multiattack) <= 40


@for_each("figures", [
    {"actions": "none"}, {"actions": [None, 3, {"desc": ""}]}, {"speed": "30 ft."}, {"senses": None}, {"proficiencies": [None, {"value": 3}]},
    {"challenge_rating": "hard"}, {"strength": "strong"}, {"condition_immunities": [{}]}, {"size": "Wee"}, {"moods": 3},
    {"actions": [{"name": "Bite", "desc": None, "dc": 3, "damage": {}, "usage": [], "attack_bonus": "+"}]},
    {"actions": [{"name": "Bite", "damage": [None, {"damage_dice": "lots"}]}]},
])  # fmt: skip
def test_odd_shapes_are_read_as_far_as_they_go(figures: Mapping[str, Any]) -> None:
    creature, told = one(**figures)
    assert creature.hp == 30
    assert told or "senses" in figures or "speed" in figures or "actions" in figures


@pytest.mark.parametrize(
    ("figures", "why"),
    [
        ({"hit_points": None}, "hit points"),
        ({"hit_points": 0}, "hit points"),
        ({"name": ""}, "no name"),
        ({"hit_points": 10**30}, "hp"),
    ],
)
def test_a_record_that_can_not_be_read_ends_nothing(figures: Mapping[str, Any], why: str) -> None:
    bad, good = read([record(**figures), record()])
    assert isinstance(bad, UnreadRecord)
    assert why in bad.why
    assert isinstance(good, ImportedRecord)


def test_the_apis_list_of_names_is_no_list_of_creatures() -> None:
    name = {"index": "reed-stalker", "name": "Reed Stalker", "url": "/api/2014/monsters/reed-stalker"}
    (found,) = read({"count": 1, "results": [name]})
    assert isinstance(found, UnreadRecord)
    assert "only a name" in found.why


def test_what_is_no_record_is_told() -> None:
    found = read([record(), 3])
    assert [each.why for each in found if isinstance(each, UnreadRecord)] == ["not a monster"]


def test_conditions_of_the_same_database_are_left_in_a_folder_and_explained_by_themselves(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "conditions.json").write_text(
        json.dumps([{"index": "blinded", "name": "Blinded", "url": "/api/2014/conditions/blinded"}])
    )
    folder = import_paths([data], tmp_path / "library")
    assert (folder.skipped, folder.unread) == ((str(data / "conditions.json"),), ())
    named = import_paths([data / "conditions.json"], tmp_path / "library")
    assert [re.sub(r"\s+", " ", each.why) for each in named.unread] == ["no creatures; not imported: conditions"]


@pytest.mark.parametrize(
    "data", [[{"name": "Goblin", "hp": 7}], {"slug": "goblin", "armor_class": 15, "hit_points": 7}, [], {}, [1, 2]]
)
def test_other_files_are_not_claimed(data: object) -> None:
    document = parse_document(json.dumps(data).encode(), Path("other"))
    assert isinstance(document, ParsedDocument)
    assert not five_e_bits.claims(document)


def test_every_creature_is_the_same_when_read_from_its_own_file_again(
    everything: list[tuple[Mapping[str, Any], ImportedRecord]], tmp_path: Path
) -> None:
    for _, found in everything:
        path = tmp_path / "creature.toml"
        path.write_text(library_text(found.record, found.system))
        assert read_library_file(path) == (found.record, ())


def test_a_record_that_only_looks_like_one_of_the_database_is_refused() -> None:
    record = {
        "index": "crab",
        "name": "Crab",
        "hit_points": 4,
        "armor_class": 12,
        "ability_scores": {"str": 8},
        "traits": [],
    }
    document = parse_document(json.dumps([record, {**record, "name": "Eel"}]).encode(), Path("x.json"))
    assert isinstance(document, ParsedDocument)
    found = list(five_e_bits.read([document], ""))
    assert [getattr(one, "record", "") for one in found] == ["Crab", "Eel"]
    assert all("looks like 5e-bits, but isn't" in getattr(one, "why", "") for one in found)
