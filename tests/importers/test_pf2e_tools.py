"""Pf2eTools' files: a creature with its tags, Strikes, spells and abilities, and copies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from turnwright.encounter.prepared import Creature, Feature
from turnwright.importers.documents import ParsedDocument, parse_document
from turnwright.importers.pf2e_tools import FORMAT
from turnwright.importers.results import ImportedRecord, UnreadRecord

STALKER: dict[str, Any] = {
    "name": "Reed Stalker", "source": "Own", "page": 3, "level": 7,
    "traits": ["uncommon", "ne", "large", "plant", "amphibious"],
    "perception": {"std": 16}, "senses": [{"name": "darkvision"}, {"name": "scent", "type": "imprecise", "range": 60}],
    "languages": {"languages": ["Sylvan"], "abilities": ["speak with plants"]},
    "skills": {"Athletics": {"std": 18}, "Marsh Lore": {"std": 12}, "Stealth": {"std": 15, "in reeds": 19}},
    "abilityMods": {"str": 6, "dex": 2, "con": 5, "int": -2, "wis": 3, "cha": 0},
    "ac": {"std": 25, "abilities": ["23 when burning"]},
    "savingThrows": {"fort": {"std": 18}, "ref": {"std": 13}, "will": {"std": 14}, "abilities": ["+1 status to all saves vs. magic"]},
    "hp": [{"hp": 130, "abilities": ["regrowth"]}],
    "immunities": ["sleep"], "weaknesses": [{"name": "fire", "amount": 10}], "resistances": [{"name": "piercing", "amount": 5, "note": "except magical"}],
    "speed": {"walk": 25, "swim": 30, "abilities": ["reed walk"]}, "items": ["{@item net}"],
    "attacks": [
        {"range": "Melee", "name": "thorn", "attack": 18, "traits": ["{@trait agile}", "reach 10 feet"], "effects": ["Grab"], "damage": "{@damage 2d8+8} piercing plus {@damage 1d6} persistent bleed plus Grab", "types": ["piercing"]},
        {"range": "Ranged", "name": "seed", "attack": 16, "traits": ["range increment 30 feet"], "effects": [], "damage": "{@damage 2d6+4} bludgeoning"},
    ],
    "spellcasting": [{"name": "Primal Innate", "type": "Innate", "tradition": "Primal", "DC": 25, "attack": 17, "entry": {"0": {"level": 4, "spells": [{"name": "light"}]}, "2": {"spells": [{"name": "entangle", "amount": "at will"}]}, "constant": {"3": {"spells": [{"name": "water breathing"}]}}}}],
    "abilities": {
        "top": [{"name": "Reed Walk", "entries": ["It ignores {@quickref difficult terrain||3|terrain} of reeds."]}],
        "mid": [{"name": "Snap Back", "activity": {"number": 1, "unit": "reaction"}, "trigger": "A creature hits the stalker.", "entries": ["It {@action Step||Steps}."]}],
        "bot": [{"name": "Spore Burst", "activity": {"number": 2, "unit": "action"}, "traits": ["poison"], "frequency": {"number": 1, "unit": "day"}, "entries": ["It bursts in a 30-foot cone that deals {@damage 6d6} poison damage (DC 25 basic Fortitude save)."]}],
    },
}  # fmt: skip


def records(*creatures: dict[str, Any]) -> list[ImportedRecord | UnreadRecord]:
    found = parse_document(json.dumps({"creature": creatures}).encode(), Path("file.json"))
    assert isinstance(found, ParsedDocument)
    assert FORMAT.claims(found)
    return list(FORMAT.read([found], "dnd5e"))  # type: ignore[arg-type]  # none is skipped


def creature(*creatures: dict[str, Any]) -> Creature:
    found = records(*creatures)[-1]
    assert isinstance(found, ImportedRecord), found
    assert found.system == "pf2e"
    assert isinstance(found.record, Creature)
    return found.record


def feature(found: Creature, name: str) -> Feature:
    return next(one for one in found.features if one.name == name)


def test_the_head_of_a_stat_block_is_read() -> None:
    stalker = creature(STALKER)
    assert (stalker.level, stalker.size, stalker.type, stalker.alignment) == (7, "large", "plant", "NE")
    assert set(stalker.tags) == {"amphibious", "plant", "uncommon"}
    assert (stalker.ac, stalker.hp, stalker.saves) == (25, 130, (("con", 18), ("dex", 13), ("wis", 14)))
    assert stalker.abilities == (("str", 6), ("dex", 2), ("con", 5), ("int", -2), ("wis", 3), ("cha", 0))
    assert stalker.skills == (("perception", 16), ("athletics", 18), ("lore-marsh", 12), ("stealth", 15))
    assert dict(stalker.senses) == {"darkvision": 0, "scent": 60}
    assert (stalker.speeds, stalker.languages) == ((("walk", 25), ("swim", 30)), "Sylvan")
    assert (stalker.vulnerabilities, stalker.resistances, stalker.condition_immunities) == (
        ("fire 10",),
        ("piercing 5",),
        ("sleep",),
    )
    said = {one.text for one in stalker.remarks}
    assert {
        "regrowth",
        "reed walk",
        "speak with plants",
        "Stealth 19 in reeds",
    } <= said
    assert [rule.when for one in stalker.features for rule in one.rules] == ["magic"]


def test_strikes_spells_and_abilities_have_their_figures() -> None:
    stalker = creature(STALKER)
    thorn, seed, burst = feature(stalker, "Thorn"), feature(stalker, "Seed"), feature(stalker, "Spore Burst")
    assert (thorn.attack, thorn.reach, thorn.damage, thorn.ongoing) == (18, 10, "2d8+8 piercing", "1d6 bleed")
    assert (seed.attack, seed.range, seed.damage) == (16, "30", "2d6+4 bludgeoning")
    assert (burst.price, burst.save, burst.dc, burst.damage, burst.half, burst.uses, burst.properties) == (
        2,
        "con",
        25,
        "6d6 poison",
        True,
        1,
        ("poison",),
    )
    assert (feature(stalker, "Snap Back").cost, feature(stalker, "Snap Back").text) == (
        "reaction",
        "Trigger A creature hits the stalker.\nIt Steps.",
    )
    assert feature(stalker, "Reed Walk").text == "It ignores difficult terrain of reeds."
    spells = feature(stalker, "Primal Innate")
    assert (spells.dc, spells.attack) == (25, 17)
    assert spells.text.splitlines() == [
        "DC 25",
        "2nd: entangle (at will)",
        "Cantrips (4th): light",
        "Constant (3rd): water breathing",
    ]


def test_a_copy_takes_over_what_it_does_not_change() -> None:
    elder = creature(STALKER, {"name": "Elder Stalker", "source": "Own", "level": 9, "_copy": {"name": "Reed Stalker", "source": "Own", "_mod": {"attacks": {"mode": "removeArr", "names": "seed"}}}})  # fmt: skip
    assert (
        elder.level,
        elder.ac,
        [one.name for one in elder.features if one.attack is not None and not one.text.startswith("DC")],
    ) == (9, 25, ["Thorn"])


def test_what_cannot_be_read_says_why() -> None:
    (found,) = records({**STALKER, "hp": [{"hp": "many"}]})
    assert isinstance(found, UnreadRecord)
    assert found.why == "hp: not a number"


def test_entries_of_every_kind_keep_their_text() -> None:
    stages = [
        {"stage": 1, "entry": "{@damage 1d6} poison damage", "duration": "1 round"},
        {"stage": 2, "entry": "{@damage 2d6} poison damage and {@condition enfeebled 1}", "duration": "1 round"},
    ]
    venom = {"type": "affliction", "DC": 20, "savingThrow": "Fortitude", "maxDuration": "6 rounds", "stages": stages}
    degrees = {"Critical Success": ["It is unharmed."], "Failure": ["It is {@condition prone}."]}
    entries = [
        "The ground shakes.",
        {"type": "successDegree", "entries": degrees},
        {"type": "tableGroup", "tables": [{"type": "table", "rows": [["a", "b"]], "footnotes": ["* last"]}]},
        {"type": "some new kind", "words": ["Never lost."], "page": 3},
        {"type": "bonus", "value": 2},
        {"type": "dice", "toRoll": [{"number": 2, "faces": 6}]},
    ]
    found = creature(
        {
            **STALKER,
            "abilities": {"bot": [{"name": "Reed Venom", "entries": [venom]}, {"name": "Shake", "entries": entries}]},
        }
    )
    poison = feature(found, "Reed Venom")
    assert (poison.save, poison.dc, poison.damage) == ("con", 20, "")
    assert poison.text.splitlines() == [
        "Saving Throw DC 20 Fortitude; Maximum Duration 6 rounds",
        "Stage 1 1d6 poison damage (1 round)",
        "Stage 2 2d6 poison damage and enfeebled 1 (1 round)",
    ]
    assert feature(found, "Shake").text.splitlines() == [
        "The ground shakes.",
        "Critical Success It is unharmed.",
        "Failure It is prone.",
        "a | b",
        "* last",
        "Never lost.",
        "+2",
        "2d6",
    ]


def test_defences_apart_and_afflictions_as_abilities_are_read() -> None:
    names = ("ac", "savingThrows", "hp", "immunities", "weaknesses", "resistances")
    fever = {
        "type": "affliction",
        "name": "Reed Fever",
        "traits": ["disease"],
        "DC": 22,
        "savingThrow": "Fortitude",
        "stages": [{"stage": 1, "entry": "carrier", "duration": "1 day"}],
    }
    newer = {
        **{key: value for key, value in STALKER.items() if key not in names},
        "defenses": {**{key: STALKER[key] for key in names}, "hardness": {"std": 4}},
        "abilities": {"bot": [fever]},
        "rituals": [{"name": "of the reeds"}],
    }
    found, old = creature(newer), creature(STALKER)
    for field in ("ac", "ac_note", "hp", "saves", "immunities", "vulnerabilities", "resistances"):
        assert getattr(found, field) == getattr(old, field), field
    assert "hardness 4" in [one.text for one in found.remarks]
    ill = feature(found, "Reed Fever")
    assert (ill.save, ill.dc, ill.text.splitlines()) == (
        "con",
        22,
        ["Saving Throw DC 22 Fortitude", "Stage 1 carrier (1 day)"],
    )
    (record,) = records(newer)
    assert isinstance(record, ImportedRecord)
    assert "rituals" in [one.field for one in record.reports]
    plain_hp = {**newer, "defenses": {**newer["defenses"], "hp": {"std": 51}}}
    assert creature(plain_hp).hp == 51


def attack(way: str, traits: list[str], damage: str, **others: Any) -> Feature:
    one = {"range": way, "name": "spike", "attack": 12, "traits": traits, "damage": damage, **others}
    return feature(creature({**STALKER, "attacks": [one]}), "Spike")


@pytest.mark.parametrize(
    ("way", "traits", "reach", "far", "properties"),
    [
        ("Melee", ["reach <15 feet>", "versatile <s>"], 15, "", ("reach", "versatile-s")),
        ("Melee", ["agile", "deadly <2d8>", "two-hand <d12>"], 5, "", ("agile", "deadly-2d8", "two-hand-d12")),
        ("Melee", ["{@trait reach <0 feet>}", "fatal <d10>"], 0, "", ("reach-0", "fatal-d10")),
        ("Melee", ["thrown <30 feet>", "reach <10 feet>"], 10, "30", ("thrown", "reach")),
        ("Ranged", ["thrown <15 feet>"], 0, "15", ("thrown",)),
        ("Ranged", ["range increment <120 feet>", "reload <1>", "volley <30 feet>"], 0, "120", ("reload-1", "volley-30")),
        ("Ranged", ["range <50 feet>", "magical"], 0, "50/50", ("magical",)),
    ],
)  # fmt: skip
def test_the_numbers_of_traits_stand_in_angle_brackets(
    way: str, traits: list[str], reach: int, far: str, properties: tuple[str, ...]
) -> None:
    found = attack(way, traits, "{@damage 1d8+3} piercing")
    assert (found.reach, found.range, found.properties) == (reach, far, properties)


@pytest.mark.parametrize(
    ("damage", "types", "dealt"),
    [
        ("{@dice 3d6+7}", ["slashing"], "3d6+7 slashing"),
        ("{@damage 1d10}", ["cold"], "1d10 cold"),
        ("{@dice 2d4 + 2}", ["piercing", "fire"], "2d4+2"),
        ("{@damage 2d10+8}, bludgeoning", ["bludgeoning"], "2d10+8 bludgeoning"),
        ("{@dice 1d6+1} fire", ["fire"], "1d6+1 fire"),
        ("{@damage 2d6+4} slashing plus {@dice 1d6} acid", ["slashing", "acid"], "2d6+4 slashing + 1d6 acid"),
    ],
)  # fmt: skip
def test_damage_stands_in_dice_of_any_tag(damage: str, types: list[str], dealt: str) -> None:
    assert attack("Melee", [], damage, types=types).damage == dealt


THINGS: list[dict[str, Any]] = [
    {
        "name": "Cellar Boards", "source": "Own", "page": 3, "level": 3, "traits": ["uncommon", "mechanical", "trap"],
        "stealth": {"dc": 21, "minProf": "trained"}, "description": ["Boards that give way."],
        "disable": {"entries": ["{@skill Thievery} DC 19 (trained) to brace the boards"]},
        "defenses": {"ac": {"default": 18}, "savingThrows": {"fort": 11, "ref": 5}, "hardness": {"default": 7}, "hp": {"default": 30}, "bt": {"default": 15}, "immunities": ["critical hits", "precision damage"]},
        "actions": [{"name": "Give Way", "type": "ability", "activity": {"number": 1, "unit": "reaction"}, "trigger": "A creature steps on the boards.", "entries": ["The creature falls and takes {@damage 2d6+4} bludgeoning damage ({@dc 19} basic Reflex save)."]}],
        "reset": ["The boards can't be reset."],
    },
    {
        "name": "Drowned Bell", "source": "Own", "level": 8, "traits": ["complex", "haunt"], "stealth": {"bonus": 18, "minProf": "expert"},
        "disable": {"entries": ["{@skill Religion} DC 26 (expert)"]},
        "defenses": {"ac": {"std": 27}, "hardness": {"Bell": 10, "Rope": 4}, "hp": {"Bell": 60, "Rope": 20}, "weaknesses": ["sonic 10", "good 5"], "resistances": ["all damage 12 (except force", "or ghost touch)"]},
        "routine": [
            "{@as 2} The bell deals {@damage 4d8} sonic damage to each creature ({@dc 26} basic Fortitude save).",
            {"type": "attack", "range": "Melee", "name": "rope", "attack": 20, "damage": "{@dice 2d8+6} bludgeoning", "noMAP": True},
            {"type": "ability", "name": "Echo", "activity": {"number": 1, "unit": "free"}, "entries": ["It tolls again."]},
        ],
    },
    {
        "name": "Reed Barge", "source": "Own", "level": 4, "traits": ["Huge"], "space": {"long": 30, "wide": 10}, "crew": "2 crew", "pilotingCheck": "{@skill Sailing Lore} (DC 16)",
        "defenses": {"ac": {"std": 14}, "savingThrows": {"fort": {"std": 10}}, "hardness": {"std": 5}, "hp": {"std": 60}, "bt": {"std": 30}}, "speed": {"swim": 25}, "collision": {"damage": "3d10", "dc": 18},
    },
]  # fmt: skip


def test_hazards_and_vehicles_are_read() -> None:
    found = parse_document(json.dumps({"hazard": THINGS[:2], "vehicle": THINGS[2:]}).encode(), Path("file.json"))
    assert isinstance(found, ParsedDocument)
    assert FORMAT.claims(found)
    boards, bell, barge = (one.record for one in FORMAT.read([found], "") if isinstance(one, ImportedRecord))
    assert isinstance(boards, Creature)
    assert isinstance(bell, Creature)
    assert isinstance(barge, Creature)
    assert (boards.type, boards.level, boards.ac, boards.hp, boards.saves) == (
        "hazard",
        3,
        18,
        30,
        (("con", 11), ("dex", 5)),
    )
    assert (boards.skills, boards.tags) == ((("stealth", 11),), ("hazard", "mechanical", "simple", "trap", "uncommon"))
    assert {note.about: note.text for note in boards.remarks} == {
        "hardness": "7",
        "hp": "BT 15",
        "stealth": "DC 21 trained",
    }
    give = feature(boards, "Give Way")
    assert (give.cost, give.damage, give.dc, give.half) == ("reaction", "2d6+4 bludgeoning", 19, True)
    assert (boards.disable, boards.disable_needs) == ((("thievery", 19),), 1)
    assert feature(boards, "Disable").text == "Thievery DC 19 (trained) to brace the boards"
    assert (bell.ac, bell.hp, bell.pools, bell.skills) == (27, 60, (("action", 2),), (("stealth", 18),))
    assert (feature(bell, "Routine").price, feature(bell, "Routine").damage, feature(bell, "Rope").attack) == (
        2,
        "4d8 sonic",
        20,
    )
    assert (barge.type, barge.size, barge.ac, barge.hp, barge.speeds) == ("object", "huge", 14, 60, (("swim", 25),))
    assert (feature(barge, "Collision").text, feature(barge, "Space").text) == (
        "damage 3d10, dc 18",
        "long 30, wide 10",
    )
    assert (bell.vulnerabilities, bell.resistances) == (("sonic 10", "good 5"), ("all 12",))
    assert [note.text for note in bell.remarks if note.about in ("hp", "hardness")] == ["10", "Rope 20", "Rope 4"]
    assert feature(bell, "Echo").cost == "free"
