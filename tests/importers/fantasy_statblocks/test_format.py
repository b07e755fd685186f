"""Obsidian's stat blocks and encounters: every real record against its own fields, notes, both games, encounters."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.for_each import for_each
from tests.importers import hostile
from turnwright.encounter.prepared import Creature, Feature, RosterEntry, Scene, SourceNote
from turnwright.encounter.state import Encounter
from turnwright.importers.documents import ParsedDocument, parse_document, read_document
from turnwright.importers.fantasy_statblocks import format
from turnwright.importers.results import ImportedRecord, UnreadRecord
from turnwright.storage.encounters import read_encounter
from turnwright.storage.library.entries import library_text, read_library_file

BITE = "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 6 (1d6 + 3) piercing damage."
STALKER: Mapping[str, Any] = {
    "name": "Reed Stalker", "size": "Large", "type": "monstrosity", "subtype": "wet", "alignment": "neutral evil", "ac": 14,
    "hp": 30, "hit_dice": "4d10 + 8", "speed": "30 ft., swim 40 ft.", "stats": [16, 12, 14, 2, 11, 5], "cr": "1/2",
    "saves": [{"dexterity": 3}], "skillsaves": [None, {"stealth": 5}], "senses": "darkvision 60 ft., passive Perception 10",
    "traits": [], "actions": [{"name": "Bite", "desc": BITE, "attack_bonus": 5, "damage_dice": "1d6", "damage_bonus": 3}],
}  # fmt: skip
ABILITIES = ("str", "dex", "con", "int", "wis", "cha")


def document(text: str) -> ParsedDocument:
    found = parse_document(text.encode(), Path("notes/mill.md"))
    assert isinstance(found, ParsedDocument), found
    return found


def read(*texts: str, system: str = "") -> list[ImportedRecord | UnreadRecord]:
    documents = [document(text) for text in texts]
    assert all(format.claims(each) for each in documents)
    return list(format.read(documents, system))


def block(text: str, kind: str = "statblock") -> str:
    return f"```{kind}\n{text.strip()}\n```\n"


def one(text: str = "", **figures: Any) -> tuple[Creature, list[tuple[str, str]]]:
    (found,) = read(text or json.dumps({**STALKER, **figures}))
    assert isinstance(found, ImportedRecord), found
    assert isinstance(found.record, Creature)
    return found.record, [(report.field, report.text) for report in found.reports]


def action(**source: Any) -> tuple[Feature, list[tuple[str, str]]]:
    creature, told = one(actions=[source])
    return creature.features[0], told


def encounter(text: str, *others: str) -> tuple[Encounter, list[tuple[str, str]]]:
    found = [each for each in read(block(text, "encounter"), *others) if isinstance(each.record, Encounter | str)]
    assert isinstance(found[0], ImportedRecord), found
    assert isinstance(found[0].record, Encounter)
    return found[0].record, [(report.field, report.text) for report in found[0].reports]


def test_every_real_record_is_read_with_its_own_figures(real_data: Path) -> None:
    import pyjson5

    path = real_data / "fantasy-statblocks" / "srd-bestiary.json5"
    sources = pyjson5.decode(path.read_text())
    found = list(format.read([read_document(path)], ""))
    assert len(found) == len(sources) > 200
    harms = 0
    for source, each in zip(sources, found, strict=True):
        assert isinstance(each, ImportedRecord), each
        creature = each.record
        assert isinstance(creature, Creature)
        assert (creature.name, creature.hp, creature.ac) == (source["name"], source["hp"], source["ac"])
        assert creature.rating == source["cr"]
        assert creature.size == source["size"].lower()
        assert creature.abilities == tuple(zip(ABILITIES, source["stats"], strict=True))
        first = re.split(r"[,(]", source["speed"])[0]
        assert creature.speeds[0] == (
            ("walk" if first[0].isdigit() else first.split()[0]),
            int(re.findall(r"\d+", first)[0]),
        )
        assert dict(creature.saves) == {
            key[:3]: bonus for save in source.get("saves", ()) for key, bonus in save.items()
        }
        skills = [skill for skill in source.get("skillsaves", ()) if skill]
        assert dict(creature.skills) == {
            key.replace(" ", "-"): bonus for skill in skills for key, bonus in skill.items()
        }
        features = iter(
            each
            for each in creature.features
            if "pellcasting" not in each.name and not each.shares and "(Bonus Action)" not in each.name
        )
        told = {report.field for report in each.reports}
        for section in ("traits", "actions", "reactions", "legendary_actions"):
            for entry in source.get(section, ()):
                if "pellcasting" in entry["name"]:
                    continue
                feature = next(features)
                assert not entry["attack_bonus"] or feature.attack == entry["attack_bonus"] or "attack" in feature.read
                dice = re.findall(r"\d+d\d+", entry.get("damage_dice", ""))
                kept = f"{feature.damage} + {feature.save_damage} + {feature.ongoing}"
                harms += len(dice)
                assert all(die in kept for die in dice) or f"{entry['name']}: damage" in told, (
                    source["name"],
                    entry["name"],
                    kept,
                )
                if entry.get("damage_bonus") and dice:
                    bonus = entry["damage_bonus"]
                    assert f"{bonus:+d}" in kept or f"{entry['name']}: damage" in told, (
                        source["name"],
                        entry["name"],
                        kept,
                    )
        assert next(features, None) is None
    assert harms > 350


def test_a_record_of_plain_json() -> None:
    creature, told = one()
    assert (creature.id, creature.size, creature.type, creature.tags) == (
        "reed-stalker",
        "large",
        "monstrosity",
        ("wet",),
    )
    assert (creature.ac, creature.hp, creature.hit_dice, creature.rating) == (14, 30, "4d10+8", "1/2")
    assert (creature.speeds, creature.senses, creature.passives) == (
        (("walk", 30), ("swim", 40)),
        (("darkvision", 60),),
        (("perception", 10),),
    )
    assert (creature.saves, creature.skills) == ((("dex", 3),), (("stealth", 5),))
    assert told == []


def test_a_block_in_a_note_may_be_quoted_and_its_keys_capital() -> None:
    text = "\n".join(f"{key.title()}: {json.dumps(value)}" for key, value in STALKER.items())
    quoted = "\n".join(f"> {line}" for line in block(text).splitlines())
    creature, _ = one(f"# The mill\n\nNotes: here.\n\n{quoted}\n\n```python\nprint(1)\n```\n")
    plain, _ = one()
    assert creature == plain


def test_a_note_whose_head_is_a_stat_block() -> None:
    head = "---\naliases: x\nstatblock: true\nname: Hound\nhp: 11\nac: 13 (hide)\n---\n"
    creature, _ = one(f"{head}\nText: with a colon.\n")
    assert (creature.name, creature.hp, creature.ac, creature.ac_note) == ("Hound", 11, 13, "hide")


def test_a_plugins_own_data_holds_records_behind_their_names() -> None:
    creature, _ = one(json.dumps({"monsters": [["Reed Stalker", STALKER]], "layouts": []}))
    assert creature.name == "Reed Stalker"


@pytest.mark.parametrize(
    ("said", "dice", "hp"), [("30", "4d10+8", 30), ("25 (3d8 + 12)", "4d10+8", 25), (30.0, "4d10+8", 30)]
)
def test_hit_points(said: object, dice: str, hp: int) -> None:
    creature, _ = one(hp=said)
    assert (creature.hp, creature.hit_dice) == (hp, dice)


def test_dice_take_a_negative_bonus() -> None:
    creature, _ = one(hit_dice="3d6 + -1")
    assert creature.hit_dice == "3d6-1"


@pytest.mark.parametrize(
    "entry", [["Wet", "It drips."], {"name": "Wet", "desc": "It drips."}, {"Wet": "It drips."}, "Wet. It drips."]
)
def test_a_trait_in_each_way_of_writing(entry: object) -> None:
    creature, _ = one(traits=[entry], actions=[])
    assert [(each.name, each.cost, each.text) for each in creature.features] == [("Wet", "trait", "It drips.")]


def test_each_section_has_its_cost() -> None:
    entry = [{"name": "Act", "desc": "It acts."}]
    sections = ("traits", "actions", "bonus_actions", "reactions", "legendary_actions", "lair_actions")
    said = "The stalker can take 2 legendary actions, choosing from the options below."
    creature, told = one(**dict.fromkeys(sections, entry), legendary_description=said)
    assert [each.cost for each in creature.features] == ["trait", "action", "bonus", "reaction", "legendary", "lair"]
    assert creature.legendary == 2
    assert told == []


def test_spells_become_a_feature_with_its_figures() -> None:
    head = "The stalker's spellcasting ability is Wisdom (spell save DC 12, +4 to hit with spell attacks)."
    creature, _ = one(
        spells=[head, {"Cantrips (at will)": "light"}, {"1st level (4 slots)": "bless, bane"}, "* A note."]
    )
    feature = creature.features[0]
    assert (feature.name, feature.dc, feature.attack) == ("Spellcasting", 12, 4)
    assert feature.text.splitlines()[1:3] == ["Cantrips (at will): light", "1st level (4 slots): bless, bane"]
    assert (creature.spellcasting, creature.slots) == ("wis", (("1", 4),))


def test_damage_in_its_own_fields_takes_its_type_from_the_same_dice_in_prose() -> None:
    text = f"{BITE[:-1]} plus 4 (1d8) acid damage."
    bite, told = action(name="Bite", desc=text, attack_bonus=5, damage_dice="1d6 + 1d8", damage_bonus=3)
    assert bite.damage == "1d6+3 piercing + 1d8 acid"
    assert not set(bite.read) & {"attack", "damage"}
    assert told == []


def test_own_damage_wins_over_prose_but_not_an_own_bonus_and_the_difference_is_told() -> None:
    bite, told = action(name="Bite", desc=BITE, attack_bonus=7, damage_dice="2d6", damage_bonus=3)
    assert (bite.attack, bite.damage) == (5, "2d6+3 piercing")
    assert {field for field, _ in told} == {"Bite: attack", "Bite: damage"}


def test_an_attack_bonus_of_nothing_leaves_it_to_the_prose() -> None:
    bite, _ = action(name="Bite", desc=BITE, attack_bonus=0)
    assert (bite.attack, bite.damage) == (5, "1d6+3 piercing")
    assert {"attack", "damage"} <= set(bite.read)


def test_a_recharge_stands_in_a_name() -> None:
    breath, _ = action(
        name="Breath (Recharge 5-6)",
        desc="Each creature in a 30-foot cone makes a DC 13 Dexterity saving throw, taking 10 (3d6) acid damage on a failed save, or half as much damage on a successful one.",
    )
    assert (breath.name, breath.recharge, breath.area, breath.save, breath.dc, breath.half) == (
        "Breath",
        5,
        "30-foot cone",
        "dex",
        13,
        True,
    )


@for_each(
    ("field", "value", "told"),
    [
        ("speed", "30 ft. (40 ft. in boar form)", "40 ft. in boar form"),
        ("saves", [{"luck": 3}], "luck: 3"),
        ("skillsaves", [{"weaving": 3}], "weaving: 3"),
        ("stats", [1, 2, 3], "[1, 2, 3]"),
        ("size", "Wee", "Wee"),
        ("cr", "hard", "hard"),
        ("ac", "plate", "plate"),
        ("mood", "sour", "sour"),
        ("damage_resistances", "cold; bludgeoning from nonmagical weapons", "bludgeoning from nonmagical weapons"),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_told_by_its_field(field: str, value: object, told: str) -> None:
    _, reports = one(**{field: value})
    assert (field.replace("_", ""), told) in [(name.replace("_", ""), text) for name, text in reports]


def test_resistance_to_nonmagical_weapons_is_a_figure() -> None:
    creature, told = one(damage_resistances="fire; bludgeoning, piercing, and slashing from nonmagical attacks")
    assert (creature.resistances, creature.mundane_resistance, told) == (("fire",), True, [])


def test_immunity_to_nonmagical_weapons_is_a_figure() -> None:
    creature, told = one(damage_immunities="fire; bludgeoning, piercing, and slashing from nonmagical attacks")
    assert (creature.immunities, creature.mundane_immunity, told) == (("fire",), True, [])


def test_a_block_that_begins_from_another_puts_its_own_over_it() -> None:
    base = block("\n".join(f"{key}: {json.dumps(value)}" for key, value in STALKER.items()))
    other = "monster: REED STALKER\nname: Old Stalker\nhp: 60\nac:\nactions:\n  - name: Bite\n    desc: It bites.\n  - [Roar, It roars.]\ntraits+:\n  - [Old, It is old.]"
    base_one, older = read(block(other), base)[::-1]
    assert isinstance(older, ImportedRecord)
    assert isinstance(base_one, ImportedRecord)
    record = older.record
    assert isinstance(record, Creature)
    assert (record.name, record.hp, record.ac, record.size) == ("Old Stalker", 60, 14, "large")
    assert [(each.name, each.text) for each in record.features] == [
        ("Old", "It is old."),
        ("Bite", "It bites."),
        ("Roar", "It roars."),
    ]
    assert older.system == base_one.system == "dnd5e"


def test_a_block_that_only_shows_another_adds_nothing() -> None:
    assert len(read(json.dumps(STALKER), block("monster: Reed Stalker\nlayout: Basic 5e Layout"))) == 1


def test_what_is_drawn_from_nobody_or_from_itself_is_no_creature() -> None:
    circle = [block("name: A\nextends: B\nac: 3"), block("name: B\nextends: [A, A, A]\nac: 3")]
    found = read(block("monster: Ancient Thing\nname: Its ghost"), *circle)
    assert [
        (each.record, "ncient" in each.why or "itself" in each.why) for each in found if isinstance(each, UnreadRecord)
    ] == [("Its ghost", True), ("A", True), ("B", True)]


def test_a_block_with_hit_points_of_its_own_stands_without_its_base() -> None:
    creature, told = one(block("monster: Ancient Thing\nname: Its ghost\nhp: 20\nac: 11"))
    assert (creature.hp, creature.ac) == (20, 11)
    assert ("monster", "Ancient Thing") in told


def test_a_block_that_is_no_yaml_says_its_line_in_the_note_and_ends_nothing() -> None:
    bad = block("name: Goblin\ndesc: Melee Weapon Attack: +4")
    good = block("name: Wolf\nhp: 11")
    found = read(f"line one\n\n{bad}{good}")
    (broken,) = [each for each in found if isinstance(each, UnreadRecord)]
    assert broken.record == "Goblin"
    assert broken.why.startswith("line 5: ")
    assert [each.name for each in found if isinstance(each, ImportedRecord)] == ["Wolf"]


@pytest.mark.parametrize(("text", "why"), [
    ("name: Goblin\nac: 3", "no hit points"), ("name: Goblin\nhp: 0", "at least 1"), ("hp: 5", "no name"), ("just text", "expected keys"),
    ("name: Goblin\nhp: 5\nlayout: Daggerheart Adversary", "belongs to a game"),
])  # fmt: skip
def test_blocks_that_are_no_creatures(text: str, why: str) -> None:
    (found,) = read(block(text))
    assert isinstance(found, UnreadRecord)
    assert why in found.why


@for_each("figures", [
    {"traits": 3}, {"traits": [None, 3, {}, []]}, {"stats": "strong"}, {"saves": "Dex +3"}, {"speed": None}, {"senses": 7}, {"actions": {"Bite": "It bites."}},
    {"spells": [None, 3]}, {"languages": ["Common", 3]}, {"image": [["x.png"]]}, {"size": None}, {"type": []}, {"actions": [{"name": "Bite", "damage_dice": "lots", "damage_bonus": "x"}]},
])  # fmt: skip
def test_odd_shapes_are_read_as_far_as_they_go(figures: Mapping[str, Any]) -> None:
    creature, _ = one(**figures)
    assert creature.hp == 30


DRAKE = """
layout: Pathfinder 2e Creature Layout
sourcebook: My Book pg. 3
name: Mire Drake
level: Creature 5
size: large
rarity: uncommon
traits: [unholy, "[[Dragon]]"]
modifier: 14
senses: darkvision, scent (imprecise) 30 feet
skills:
  - Athletics: 12
    to Escape: 14
  - "Lore: Swamp": 9
attributes:
  - str: +5
  - dex: 1
  - con: 2
  - int: 0
  - wis: -3
  - cha: 4
abilities_top:
  - name: Reactive Strike
    desc: \u2b32 **Trigger** A creature moves.
ac: 22
acNote: (20 when prone)
saves:
  - fort: 15
    vs traps: 17
  - ref: +11
  - will: 9
hp: 75
resistances: fire 5, physical 3 (except silver)
weaknesses: cold 5
immunities: sleep
speed: 25 feet, swim 40 feet
abilities_bot:
  - name: Mud Breath \u2b3a
    desc: (arcane, water) The drake breathes a 30-foot cone dealing 6d6 bludgeoning damage (DC 22 basic Reflex save).
attacks:
  - name: __Melee__ \u2b3b jaws
    bonus: 15
    damage: 2d8+7 piercing plus 1d6 acid plus Knockdown
    desc: (reach 10 feet, agile)
  - name: __Ranged__ \u2b3b spit
    bonus: 13
    damage: 2d6 acid
    desc: (range increment 30 feet)
spellcasting:
  - name: Divine Innate Spells
    dc: 22
    bonus: 14
    desc: "**2nd** heal"
"""


def test_the_layout_of_pathfinders_creatures() -> None:
    (found,) = read(block(DRAKE), system="a5e")
    assert isinstance(found, ImportedRecord)
    assert found.system == "pf2e"
    drake = found.record
    assert isinstance(drake, Creature)
    assert (drake.level, drake.size, drake.ac, drake.ac_note, drake.hp) == (5, "large", 22, "20 when prone", 75)
    assert drake.abilities == (("str", 5), ("dex", 1), ("con", 2), ("int", 0), ("wis", -3), ("cha", 4))
    assert drake.saves == (("con", 15), ("dex", 11), ("wis", 9))
    assert dict(drake.skills) == {"perception": 14, "athletics": 12, "lore-swamp": 9}
    assert (drake.resistances, drake.vulnerabilities) == (("fire 5", "physical 3"), ("cold 5",))
    assert drake.speeds == (("walk", 25), ("swim", 40))
    assert {"dragon", "unholy", "uncommon"} <= set(drake.tags)
    assert SourceNote("saves", "vs traps 17") in drake.remarks
    assert drake.source == "Fantasy Statblocks: My Book pg. 3"
    features = {each.id: each for each in drake.features}
    jaws, spit, breath = features["jaws"], features["spit"], features["mud-breath"]
    assert (jaws.attack, jaws.damage, jaws.reach) == (15, "2d8+7 piercing + 1d6 acid", 10)
    assert (spit.attack, spit.damage, spit.range, spit.reach) == (13, "2d6 acid", "30", 0)
    assert (breath.cost, breath.price, breath.save, breath.dc) == ("action", 2, "dex", 22)
    assert features["reactive-strike"].cost == "reaction"
    assert (features["divine-innate-spells"].dc, features["divine-innate-spells"].attack) == (22, 14)


def test_the_basic_layout_of_pathfinder_keeps_figures_in_lines() -> None:
    text = """
layout: Basic Pathfinder 2e Layout
name: Pit Thing
level: "Creature 2"
rare_01: "Rare"
trait_01: "Aberration"
perception:
  - {name: Perception, desc: "+8; darkvision"}
skills:
  - {name: Skills, desc: "Acrobatics +7, Stealth +9"}
abilityMods: [3, 3, 2, -1, 1, 0]
speed: 25 feet
ac: 17
armorclass:
  - {name: AC, desc: "17; Fort +8, Ref +9, Will +6"}
hp: 30
health:
  - {name: HP, desc: "30; Immunities poison; Weaknesses fire 3"}
attacks:
  - {name: Melee, desc: "\u2b3b claw +10 (agile), Damage 1d8+5 slashing plus Grab"}
"""
    thing, _ = one(block(text))
    assert (thing.level, thing.hp, thing.ac) == (2, 30, 17)
    assert dict(thing.skills) == {"perception": 8, "acrobatics": 7, "stealth": 9}
    assert thing.saves == (("con", 8), ("dex", 9), ("wis", 6))
    assert (thing.vulnerabilities, thing.immunities, thing.senses) == (("fire 3",), ("poison",), (("darkvision", 0),))
    assert (thing.features[0].name, thing.features[0].attack, thing.features[0].damage) == (
        "Claw",
        10,
        "1d8+5 slashing",
    )


@for_each(
    ("line", "count", "name", "hp", "ac", "initiative"),
    [
        ("3: Fenling, 7, 15, 2, 50", 3, "", 7, 15, 2),
        ('"3: Fenling, 7, 15"', 3, "", 7, 15, None),
        ("Fenling, 7", 1, "", 7, 10, None),
        ("[Fenling, 7, 15, 2]", 1, "", 7, 15, 2),
        ("[[Fenling, Rex], 7, 15]", 1, "Rex", 7, 15, None),
        ("2: [[Fenling, Rex], 7]", 2, "Rex", 7, 10, None),
        ("{creature: Fenling, name: Rex, hp: 7, ac: 15, mod: 1}", 1, "Rex", 7, 15, 1),
        ("{name: Fenling, hp: 7, ac: 15, initiative: 2, count: 4}", 4, "", 7, 15, 2),
        ("4: {creature: Fenling, hp: 7}", 4, "", 7, 10, None),
    ],
)
def test_a_creature_of_an_encounter_in_each_way_of_writing(
    line: str, count: int, name: str, hp: int, ac: int, initiative: int | None
) -> None:
    found, told = encounter(f"name: The ford\ncreatures:\n  - {line}")
    (creature,) = found.all(Creature)
    (entry,) = found.all(RosterEntry)
    assert (creature.name, creature.hp, creature.ac, creature.initiative) == ("Fenling", hp, ac, initiative)
    assert (entry.count, entry.name, entry.creature, entry.side) == (count, name, "fenling", "enemies")
    assert ("creatures", "Fenling") in told


def test_creatures_of_the_same_import_are_copied_in_and_what_a_line_says_stands_over_them() -> None:
    text = "name: The ford\ncreatures:\n  - 3: reed stalker\n  - Reed Stalker, 40, 16, 1\n  - Reed Stalker, 30, 14\n  - [Reed Stalker, Jim]"
    found, told = encounter(text, json.dumps(STALKER))
    (creature,) = found.all(Creature)
    assert (creature.hp, creature.ac, len(creature.features)) == (30, 14, 1)
    assert [(each.count, each.name, each.hp, each.ac, each.initiative) for each in found.all(RosterEntry)] == [
        (3, "", None, None, None), (1, "", 40, 16, 1), (1, "", None, None, None), (1, "Jim", None, None, None),
    ]  # fmt: skip
    assert told == []


COMMUNITY = """---
statblock: inline
name: "Reed Lurker"
level: 6
---

```statblock
layout: Basic Pathfinder 2e Layout
name: "Reed Lurker"
level: "Creature 6"
size: "Large"
trait_03: "Animal"
modifier: 13
perception:
  - name: "Perception"
    desc: "Perception +13; __darkvision__, __imprecise [[tremorsense]] 30__;"
skills:
  - name: "Skills"
    desc: "__Athletics__: +15 (1d20+15), (Athletics: +17 (1d20+17) to Swim); __Mill lore__: +9 (1d20+9); "
abilityMods: [6, 1, 5, -4, 2, -1]
abilities_bot:
  - name: "Mud Spray"
    desc: "\u2b3a ([[primal]], [[water]]);  The lurker deals 5d6 (5d6) bludgeoning damage in a 30-foot cone (DC 24 basic Reflex save). It catches the [[rules/conditions.md#Grabbed|grabbed]] too."
speed: 20 feet, swim 30 feet
ac: 24
armorclass:
  - name: AC
    desc: "24; __Fort__: +17 (1d20+17); __Ref__: +11 (1d20+11); __Will__: +12 (1d20+12); +1 status to all saves vs. magic;"
hp: 100
health:
  - name: HP
    desc: "100; [[regeneration]] 5 (deactivated by fire); __Immunities__ poison; __Resistances__ all damage 5 except force, [[ghost-touch|ghost touch]], or void"
attacks:
  - name: Melee
    desc: "\u2b3b jaws +17 ([[agile]], [[reach|reach 10 feet]]); __Damage__ 2d12+5 (2d12+5) piercing plus 1d6 (1d6) [[rules/conditions.md#Persistent%20Damage|persistent bleed]] plus Grab and mud rot"
  - name: Ranged
    desc: "\u2b3b spit +14 ([[range-increment|range increment 60 feet]]); __Damage__ 1d4-1 (1d4-1) poison"
sourcebook: "_My Book_, page 7."
```

```encounter-table
name: Reed Lurker
creatures:
  - 1: Reed Lurker
```
"""


def test_a_note_of_the_community_bestiary_has_its_figures_and_raises_no_false_alarm() -> None:
    (found,) = read(COMMUNITY)
    assert isinstance(found, ImportedRecord)
    lurker = found.record
    assert isinstance(lurker, Creature)
    assert (lurker.ac, lurker.hp, lurker.type) == (24, 100, "animal")
    assert dict(lurker.saves) == {"con": 17, "dex": 11, "wis": 12}
    assert dict(lurker.skills) == {"perception": 13, "athletics": 15, "lore-mill": 9}
    assert dict(lurker.senses) == {"darkvision": 0, "tremorsense": 30}
    assert (lurker.immunities, lurker.resistances) == (("poison",), ("all 5",))
    said = {(each.about, each.text) for each in lurker.remarks}
    assert [rule.when for one in lurker.features for rule in one.rules if rule.kind == "modifier"] == ["magic"]
    assert [(one.heals, one.when) for one in lurker.features if one.heals] == [("5", "not suffered:fire")]
    assert ("resistances", "all damage: except force, ghost touch, or void") in said
    features = {each.id: each for each in lurker.features}
    jaws, spit, spray = features["jaws"], features["spit"], features["mud-spray"]
    assert (jaws.attack, jaws.damage, jaws.ongoing, jaws.reach) == (17, "2d12+5 piercing", "1d6 bleed", 10)
    assert "Grab and mud rot" in jaws.text
    assert "2d12" not in jaws.text
    assert (spit.damage, spit.range, spit.reach) == ("1d4-1 poison", "60", 0)
    assert (spray.price, spray.damage, spray.save, spray.dc, spray.area) == (
        2,
        "5d6 bludgeoning",
        "dex",
        24,
        "30-foot cone",
    )
    assert spray.properties == ("primal", "water")
    assert "grabbed too" in spray.text


def test_a_note_of_a_virtual_table_has_names_in_its_attacks() -> None:
    text = """
layout: Pathfinder 2e Creature Layout
name: Burglar
level: Creature 4
traits:
  - [[human]]
skills:
  - name: Skills
    desc: "Stealth: +13, Thievery: +11 (+13 to Disable a Device)"
armorclass:
  - name: AC
    desc: "21; __Fort__ +9, __Ref__ +13, __Will__ +10"
ac: 21
health:
  - name: ""
  - name: HP
    desc: "60"
abilities_top:
  - name: ""
  - name: "Items"
    desc: "[[Equipment/Shortsword|Shortsword]], 10x [[Equipment/Arrows|Arrows]]"
attacks:
  - name: ""
  - name: "**Melee** `pf2:1` Shortsword"
    desc: "+14 (agile, finesse, reach 10 ft., thrown 20 ft.)\\n__Damage__  1d6 + 5 piercing plus 2d6 electricity"
  - name: "Occult Innate Spells"
    desc: "DC 22, attack +14; __2nd __  _[[Spells/Invisibility|Invisibility (x2)]]_"
  - name: "Nimble Dodge"
    desc: "`pf2:r`  **Trigger** The burglar is targeted\\n* * *\\n\\n**Effect** It gains a +2 bonus against a `DC 19 Will check` save."
"""
    creature, told = one(block(text))
    assert creature.hp == 60
    assert creature.tags == ("human",)
    assert dict(creature.skills)["thievery"] == 11
    features = {each.id: each for each in creature.features}
    assert set(features) == {"shortsword", "occult-innate-spells", "nimble-dodge"}
    sword = features["shortsword"]
    assert (sword.attack, sword.damage) == (14, "1d6+5 piercing + 2d6 electricity")
    assert (sword.reach, sword.range, sword.text) == (10, "20", "Agile, finesse, thrown.")
    assert (features["nimble-dodge"].cost, features["nimble-dodge"].dc) == ("reaction", 19)
    assert not [field for field, _ in told if field.startswith("attacks")]


def test_a_value_may_begin_with_a_link() -> None:
    text = "---\nstatblock: true\nname: Rat\nhp: 8\nsenses: [[Darkvision]] 60 ft., passive Perception 9\n---\nText."
    creature, _ = one(text)
    assert creature.senses == (("darkvision", 60),)


LINKED = """layout: Basic 5e Layout
name: {name}
type: [[Creatures/Humanoid|humanoid]]
ac: 13
hp: 44
[[{speed}]]: 25 ft., [[{speed}#Flying|fly]] 50 ft.
senses: [[Darkvision]] 60 ft.
image: ![[sage.png]]
traits:
  - [Still, "It stands in the [[reeds]]."]
spells:
  - The sage casts one of these (spell save DC 14)
  - At Will: [[Light]] ({aside}), [[Message]]
  - {daily}: [[Spells/Fog Cloud]] (self only), [[Shield]]
"""


@pytest.mark.parametrize("daily", ["1/day each", "2/day", "3/day each"])
@pytest.mark.parametrize(
    ("name", "speed", "aside"), [("Reed Sage", "speed", "unseen"), ("[[Fen Adept]]", "Speed", "see [[Glow]]")]
)
def test_links_become_text_before_a_block_is_read(name: str, speed: str, aside: str, daily: str) -> None:
    creature, _ = one(block(LINKED.format(name=name, speed=speed, aside=aside, daily=daily)))
    assert (creature.name, creature.type, creature.ac, creature.hp) == (name.strip("[]"), "humanoid", 13, 44)
    assert (creature.speeds, creature.senses) == ((("walk", 25), ("fly", 50)), (("darkvision", 60),))
    spells = next(feature for feature in creature.features if feature.dc)
    assert (spells.dc, f"{daily}: Fog Cloud (self only), Shield" in spells.text) == (14, True)
    assert next(feature for feature in creature.features if feature.name == "Still").text == "It stands in the reeds."


def test_hit_points_may_stand_under_health() -> None:
    creature, _ = one("---\nstatblock: true\nname: Rat\nac: 12\nhealth: 9 (2d6 + 2)\n---\nText.")
    assert (creature.hp, creature.hit_dice) == (9, "2d6+2")


def test_a_head_that_is_a_stat_block_but_no_yaml_is_told() -> None:
    (found,) = read("---\nstatblock: true\nname: Rat\n  hp: [8\n---\nText.")
    assert isinstance(found, UnreadRecord)
    assert found.why.startswith("line ")


def test_who_is_hidden_and_who_is_on_whose_side() -> None:
    hidden, _ = encounter("hide: [creatures]\nname: x\ncreatures: [Wolf]")
    assert [each.hidden for each in hidden.all(RosterEntry)] == [True]
    friends, _ = encounter("name: x\ncreatures:\n  - Wolf, ally\n  - Wolf, 7, hidden")
    assert [(each.side, each.hidden) for each in friends.all(RosterEntry)] == [("party", False), ("enemies", True)]


def test_what_an_encounter_says_besides_is_kept_as_notes_and_told() -> None:
    found, told = encounter(
        "name: x\nplayers: [Ana, Bo]\nparty: Ours\nxp: 300\nrollHP: true\nhide: players\nmood: grim\ncreatures: [Wolf]"
    )
    scene = found.need(Scene, "scene")
    assert scene.notes == "Players: Ana, Bo\nParty: Ours\nExperience: 300\nmood: grim"
    assert {field for field, _ in told} == {"creatures", "players", "party", "xp", "rollHP", "hide", "mood"}


@pytest.mark.parametrize("players", ["true", "false", "none"])
def test_players_that_are_not_named(players: str) -> None:
    found, told = encounter(f"name: x\nplayers: {players}\ncreatures: [Wolf]")
    assert ("players" in {field for field, _ in told}) is (players == "true")
    assert found.need(Scene, "scene").title == "x"


def test_hit_points_that_nobody_gives_are_told() -> None:
    found, told = encounter("name: x\ncreatures:\n  - Fenling")
    (creature,) = found.all(Creature)
    assert "Hit points missing" in creature.notes
    assert told.count(("creatures", "Fenling")) == 2


@pytest.mark.parametrize("count", ["1d4", "0", "9999"])
def test_a_number_that_is_none_is_told(count: str) -> None:
    found, told = encounter(f'name: x\ncreatures:\n  - "{count}: Wolf"')
    assert [each.count for each in found.all(RosterEntry)] == [1]
    assert ("creatures", f"{count}: Wolf") in told


def test_several_encounters_in_a_block_are_called_by_the_heading_above() -> None:
    text = "## At the ford\n" + block(
        "creatures: [Wolf]\n---\nname: Second\ncreatures: [Bear]\n---\nname: Nobody", "encounter"
    )
    found = read(text)
    assert [each.name for each in found if isinstance(each, ImportedRecord)] == ["At the ford", "Second"]
    assert [(each.record, each.why) for each in found if isinstance(each, UnreadRecord)] == [("Nobody", "no creatures")]


def test_an_encounter_is_of_the_game_of_its_creatures() -> None:
    found = read(block(DRAKE), block("name: x\ncreatures: [Mire Drake]", "encounter"))
    assert [each.system for each in found if isinstance(each, ImportedRecord)] == ["pf2e", "pf2e"]


@pytest.mark.parametrize("data", [
    {"Name": "Goblin", "HP": {"Value": 7}, "AC": {"Value": 15}, "Abilities": {}, "Challenge": "1/4", "LegendaryActions": [], "Traits": []},
    {"name": "Goblin", "slug": "goblin", "hit_points": 7, "armor_class": 15, "legendary_actions": [], "speed": {}, "actions": []},
    {"name": "Goblin", "cr": "1/4", "ac": 15, "hp": 7, "init": 2, "environment": "", "sources": ""},
    {"name": "Goblin", "level": 1, "ac": 15, "hp": 7, "ability_mods": {}, "melee_attacks": []},
])  # fmt: skip
def test_other_formats_are_not_claimed(data: Mapping[str, Any]) -> None:
    assert not format.claims(document(json.dumps([data])))


@pytest.mark.parametrize(
    "text", ["# A note\n\n```python\nx = 1\n```\n", "---\ntags: x\n---\n\n```yaml\nname: Goblin\nhp: 7\n```\n"]
)
def test_other_notes_are_not_claimed(text: str) -> None:
    assert not format.claims(document(text))


@pytest.mark.parametrize("name", hostile.NOTES)
def test_hostile_notes_are_read_to_their_end(name: str) -> None:
    assert read(hostile.NOTES[name])


def test_what_comes_in_is_the_same_when_read_from_its_own_file_again(tmp_path: Path) -> None:
    for found in read(
        json.dumps(STALKER), block(DRAKE), block("name: x\ncreatures: [Reed Stalker, Wolf]", "encounter")
    ):
        assert isinstance(found, ImportedRecord)
        path = tmp_path / "record.toml"
        path.write_text(library_text(found.record, found.system))
        if isinstance(found.record, Encounter):
            assert read_encounter(path, {"dnd5e", "pf2e"}).encounter == found.record
        else:
            assert read_library_file(path) == (found.record, ())


@pytest.mark.parametrize(
    ("text", "name", "figures", "attacks"),
    [
        ("monster: Wolf\nname: Toll Wolf\nhp: 25", "Toll Wolf", (25, "", 13, 40), {"Bite": 4}),
        ("extends: [[Ogre]]\nname: Gate Ogre\nac: 15 (chain shirt)\nspeed: 50 ft.", "Gate Ogre", (59, "7d10+21", 15, 50), {"Greatclub": 6, "Javelin": 6}),
        ("creature: Scout", "Scout", (16, "3d8+3", 13, 30), {"Shortsword": 4, "Longbow": 4}),
        ('monster: Wolf\nname: Old Wolf\nactions:\n  - name: Bite\n    desc: "Melee Weapon Attack: +6 to hit, reach 5 ft., one target. Hit: 9 (2d4 + 4) piercing damage."', "Old Wolf", (11, "2d8+2", 13, 40), {"Bite": 6}),
    ],
)  # fmt: skip
def test_a_block_may_extend_a_creature_of_the_shipped_library(
    text: str, name: str, figures: tuple[int, str, int, int], attacks: dict[str, int]
) -> None:
    found, told = one(block(text))
    assert (found.name, found.hp, found.hit_dice, found.ac, dict(found.speeds)["walk"]) == (name, *figures)
    assert {each.name: each.attack for each in found.features if each.attack is not None} == attacks
    assert {field for field, _ in told} == {"monster"}


def test_an_encounter_takes_creatures_from_the_shipped_library() -> None:
    found, told = encounter("name: The ford\ncreatures:\n  - 2: Wolf\n  - Ogre, 40")
    assert [(each.name, each.hp, each.ac) for each in found.all(Creature)] == [("Wolf", 11, 13), ("Ogre", 59, 11)]
    assert [(each.count, each.hp) for each in found.all(RosterEntry)] == [(2, None), (1, 40)]
    assert told == [("creatures", "Wolf"), ("creatures", "Ogre")]


STRIKER = """layout: Path2eBlock
name: "Bank Vole"
level: "Creature 3"
ac: 19
hp: 41
armorclass:
  - name: AC
    desc: "19; __Fort__: +8, __Ref__: +11, __Will__: +7"
abilityMods: [1, 4, 2, -3, 2, 0]
speed: 30 feet
attacks:
  - name: {way}
    desc: "{line}"
"""


@pytest.mark.parametrize(
    ("way", "line", "numbers", "properties"),
    [
        ("Melee", "▶ fangs (finesse, reach <15 feet>) +13 __Damage__ 2d6+4 (2d6+4) piercing", (13, 15, "", "2d6+4 piercing"), ("finesse", "reach")),
        ("Ranged", "spine (agile, range increment <30 feet>) +12 [+8/+4], __Damage__ 1d8+2 (1d8+2) piercing", (12, 0, "30", "1d8+2 piercing"), ("agile",)),
        ("Melee", "claw (agile) +11 (versatile P), __Damage__ 1d6+4 (1d6+4) slashing plus Grab", (11, 5, "", "1d6+4 slashing"), ("agile", "versatile-p")),
        ("Melee", "tail +13 (reach <10 feet>), __Damage__ 1d10+4 (1d10+4) bludgeoning", (13, 10, "", "1d10+4 bludgeoning"), ("reach",)),
    ],
)  # fmt: skip
def test_the_traits_of_a_strike_may_stand_before_its_bonus(
    way: str, line: str, numbers: tuple[int, int, str, str], properties: tuple[str, ...]
) -> None:
    found, told = one(block(STRIKER.format(way=way, line=line)))
    strike = found.features[0]
    assert (strike.attack, strike.reach, strike.range, strike.damage) == numbers
    assert strike.properties == properties
    assert not [field for field, _ in told if field.startswith("attacks")]


@pytest.mark.parametrize(
    ("value", "damage", "conditions"),
    [
        (
            "Cold, Necrotic; Charmed, Frightened, Exhaustion",
            ("cold", "necrotic"),
            ("charmed", "frightened", "exhaustion"),
        ),
        ('"[[Poison]]; [[Paralyzed]], and [[Poisoned]]"', ("poison",), ("paralyzed", "poisoned")),
        ("Prone, Grappled", (), ("prone", "grappled")),
        ("fire, poison", ("fire", "poison"), ()),
    ],
)
def test_a_line_of_immunities_may_list_conditions_too(
    value: str, damage: tuple[str, ...], conditions: tuple[str, ...]
) -> None:
    text = f"name: Salt Eel\nsize: Large\ntype: beast\nac: 13\nhp: 30\nspeed: 30 ft.\nstats: [10, 11, 12, 3, 10, 5]\ncr: 2\ndamage_immunities: {value}"
    found, told = one(block(text))
    assert (found.immunities, found.condition_immunities) == (damage, conditions)
    assert told == []


CONVERTED = """---
statblock: inline
---
# [Mire Scout](bestiary/mire-scout.md)

```statblock
"name": "Mire Scout (OWN)"
"size": "Medium"
"type": "humanoid"
"ac": !!int "15"
"hp": !!int "36"
"stats":
- !!int "11"
- !!int "14"
- !!int "12"
- !!int "11"
- !!int "13"
- !!int "9"
"speed": "30 ft."
"skillsaves":
- "name": "[Nature](rules/skills.md#Nature)"
  "desc": "+4"
- "stealth": !!int "6"
"cr": "1/2"
"actions":
- !!dev.ebullient.convert.tools.dnd5e.qute.Trait
  "desc": "Melee Weapon Attack: dice: d20+4 (+4 to hit), reach 5 ft., one target.\\
    \\ Hit: dice: 1d6 + 2|avg (1d6 + 2) piercing damage."
  "name": "Pike"
```
^statblock
"""


def test_a_note_of_a_converter_has_tags_of_classes_and_rolls() -> None:
    found, told = one(CONVERTED)
    assert (found.ac, found.hp, dict(found.abilities)["cha"], dict(found.skills)) == (
        15,
        36,
        9,
        {"nature": 4, "stealth": 6},
    )
    pike = found.features[0]
    assert (pike.name, pike.attack, pike.reach, pike.damage) == ("Pike", 4, 5, "1d6+2 piercing")
    assert told == []
