"""Actors of Foundry's D&D 5e system, in the shapes of its versions: with activities, and with earlier items."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml

from turnwright.encounter.prepared import Creature, Feature, OtherDamage, Party
from turnwright.importers.documents import ParsedDocument, parse_document
from turnwright.importers.foundry.dnd5e import FORMAT
from turnwright.importers.results import ImportedRecord, UnreadRecord

ABILITIES = ("str", "dex", "con", "int", "wis", "cha")


def actor(*items: dict[str, Any], name: str = "Ash Hound", **changes: Any) -> dict[str, Any]:
    """Return an actor of challenge 5 (proficiency +3) with Str 16, Dex 14, Con 15 and Cha 12; changes by path."""
    scores = dict(zip(ABILITIES, (16, 14, 15, 6, 12, 12), strict=True))
    system: dict[str, Any] = {
        "abilities": {
            key: {"value": score, "proficient": int(key == "dex"), "bonuses": {"check": "", "save": ""}}
            for key, score in scores.items()
        },
        "attributes": {
            "ac": {"flat": 15, "calc": "natural", "formula": ""},
            "hp": {"value": 60, "max": 60, "formula": "8d8 + 24"},
            "init": {"ability": "", "bonus": ""},
            "movement": {"walk": 40, "fly": 0, "units": "ft", "hover": False},
            "senses": {"darkvision": 60, "blindsight": 0, "units": "ft", "special": ""},
            "spellcasting": "cha",
        },
        "details": {
            "cr": 5,
            "alignment": "Chaotic Evil",
            "type": {"value": "fiend", "subtype": "demon", "swarm": "", "custom": ""},
            "biography": {"value": "<p>Smells of smoke.</p>"},
            "xp": {"value": 1800},
            "environment": "Hills, Underdark",
        },
        "traits": {
            "size": "lg",
            "di": {"value": ["fire"], "bypasses": [], "custom": ""},
            "dr": {"value": [], "bypasses": [], "custom": ""},
            "dv": {"value": [], "custom": ""},
            "ci": {"value": ["poisoned"], "custom": ""},
            "languages": {
                "value": ["common"],
                "custom": "Abyssal",
                "communication": {"telepathy": {"value": 60, "units": "ft"}},
            },
        },
        "skills": {
            "prc": {"value": 1, "ability": "wis", "bonuses": {}},
            "ste": {"value": 2, "ability": "dex", "bonuses": {"check": "1"}},
        },
        "resources": {"legact": {"value": 3, "max": 3}, "legres": {"value": 2, "max": 2}, "lair": {"value": False}},
        "source": {"book": "Own Book", "page": "7", "license": "CC-BY-4.0"},
    }
    system = deepcopy(system)
    for path, value in changes.items():
        *keys, last = path.split("__")
        place = system
        for key in keys:
            place = place.setdefault(key, {})
        place[last] = value
    return {"name": name, "type": "npc", "items": list(items), "system": system, "_stats": {"systemId": "dnd5e"}}


def item(name: str, text: str = "", kind: str = "feat", **system: Any) -> dict[str, Any]:
    """Return an item."""
    return {"name": name, "type": kind, "system": {"description": {"value": text, "chat": ""}, **system}}


def activity(kind: str, at: str = "action", **more: Any) -> dict[str, Any]:
    """Return an activity."""
    return {"type": kind, "activation": {"type": at, "value": 1, "condition": ""}, **more}


def part(number: int, sides: int, *types: str) -> dict[str, Any]:
    """Return a part of damage."""
    return {"number": number, "denomination": sides, "bonus": "", "types": list(types), "custom": {"enabled": False}}


def document(data: Any) -> ParsedDocument:
    """Return a document of parsed data."""
    return ParsedDocument(Path("actors.json"), "json", "", data)


def read(data: Any) -> ImportedRecord:
    """Return the one record that was read."""
    (found,) = FORMAT.read([document(data)], "")
    assert isinstance(found, ImportedRecord), found
    return found


def creature(*items: dict[str, Any], **changes: Any) -> Creature:
    """Return the creature that an actor is read as."""
    record = read(actor(*items, **changes)).record
    assert isinstance(record, Creature)
    return record


def feature(*items: dict[str, Any], **changes: Any) -> Feature:
    """Return the first feature of a creature that carries items."""
    return creature(*items, **changes).features[0]


def fields(found: ImportedRecord) -> set[str]:
    """Return what was told of."""
    return {report.field for report in found.reports}


def test_the_head_is_added_up() -> None:
    found = creature()
    assert (found.ac, found.ac_note, found.hp, found.hit_dice, found.rating) == (15, "natural armor", 60, "8d8+24", "5")
    assert (found.size, found.type, found.tags, found.alignment) == ("large", "fiend", ("demon",), "chaotic evil")
    assert found.saves == (("dex", 5),)
    assert found.skills == (("perception", 4), ("stealth", 9))
    assert (found.speeds, found.senses) == ((("walk", 40),), (("darkvision", 60),))
    assert (found.immunities, found.condition_immunities) == (("fire",), ("poisoned",))
    assert found.languages == "Common, Abyssal, telepathy 60 ft."
    assert (found.legendary, found.xp, found.environments) == (3, 1800, ("hills", "deep"))
    assert (found.source, found.licence) == ("Foundry D&D 5e: Own Book, page 7", "CC-BY-4.0")
    assert found.description == "Smells of smoke."


def test_newer_records_keep_senses_speeds_and_habitats_elsewhere() -> None:
    found = creature(
        attributes__movement={"walk": "30", "fly": "90", "units": None, "hover": True},
        attributes__senses={"units": None, "special": "", "ranges": {"darkvision": 120, "blindsight": None}},
        details__habitat={"value": [{"type": "planar", "subtype": "lower planes"}], "custom": ""},
        details__environment="",
    )
    assert (found.speeds, found.hovers, found.senses) == ((("walk", 30), ("fly", 90)), True, (("darkvision", 120),))
    assert found.environments == ("lower planes",)


def test_the_first_records_had_lines_and_stood_under_data() -> None:
    found = actor(
        attributes__ac={"value": 13}, attributes__movement={}, attributes__senses={}, details__type="undead (titan)"
    )
    found["system"]["attributes"]["speed"] = {"value": "30 ft.", "special": "swim 40 ft."}
    found["system"]["traits"]["senses"] = "darkvision 60 ft., passive Perception 12"
    record = read({"name": "Old", "type": "npc", "data": found["system"], "items": []}).record
    assert isinstance(record, Creature)
    assert (record.ac, record.speeds) == (13, (("walk", 30), ("swim", 40)))
    assert (record.senses, record.passives) == ((("darkvision", 60),), (("perception", 12),))
    assert (record.type, record.tags) == ("undead", ("titan",))


def test_an_attack_by_its_activity_with_the_weapons_own_damage() -> None:
    mace = feature(item(
        "Mace", "<p>[[/attack extended]]. [[/damage average extended]].</p>", "weapon",
        type={"value": "simpleM"}, range={"value": None, "long": None, "reach": 5, "units": "ft"}, proficient=None,
        damage={"base": part(1, 6, "bludgeoning")}, properties=[],
        activities={"a": activity("attack", attack={"ability": "", "bonus": "1", "flat": False, "type": {"value": "", "classification": ""}},
                                  damage={"includeBase": True, "parts": [part(2, 8, "radiant")]})},
    ))  # fmt: skip
    assert (mace.attack, mace.reach, mace.damage, mace.cost) == (7, 5, "1d6+3 bludgeoning + 2d8 radiant", "action")
    assert mace.text == (
        "Melee Weapon Attack: +7 to hit, reach 5 ft. Hit: 6 (1d6 + 3) bludgeoning damage plus 9 (2d8) radiant damage."
    )
    assert mace.read == ()


def test_an_attack_as_it_stood_before_activities() -> None:
    bite = feature(item(
        "Bite", "<p>Poisonous.</p>", "weapon", activation={"type": "action", "cost": 1}, actionType="mwak", ability="dex",
        attackBonus="0", damage={"parts": [["1d8 + @mod", "piercing"], ["2d6", "poison"]], "versatile": ""}, proficient=True,
        range={"value": 10, "long": None, "units": "ft"}, save={"ability": "con", "dc": 13, "scaling": "flat"},
        properties={"fin": False, "hvy": True},
    ))  # fmt: skip
    assert (bite.attack, bite.reach, bite.damage) == (5, 10, "1d8+2 piercing + 2d6 poison")
    assert (bite.save, bite.dc, bite.properties) == ("con", 13, ("weapon", "heavy"))


@pytest.mark.parametrize(
    ("words", "kind", "bonus", "far"),
    [(["fin", "thr"], "simpleM", 7, "20/60"), ([], "martialR", 7, "20/60"), (["thr"], "simpleM", 6, "20/60")],
)
def test_ability_and_range_by_the_weapon(words: list[str], kind: str, bonus: int, far: str) -> None:
    dart = feature(item(
        "Dart", "", "weapon", type={"value": kind}, properties=words, range={"value": 20, "long": 60, "units": "ft"},
        damage={"base": part(1, 4, "piercing")}, activities={"a": activity("attack", attack={}, damage={"includeBase": True})},
    ), abilities__dex__value=18)  # fmt: skip
    assert (dart.attack, dart.range) == (bonus, far)
    assert dart.reach == (0 if kind.endswith("R") else 5)


def test_a_weapon_for_one_hand_or_two_says_both() -> None:
    text = "<p>[[/attack extended]]. [[/damage extended]] or [[/damage average attackMode=twoHanded]] damage in two hands.</p>"
    spear = item(
        "Spear", text, "weapon", type={"value": "simpleM"}, range={"value": 20, "long": 60, "units": "ft"},
        properties=["thr", "ver"], damage={"base": part(1, 6, "piercing"), "versatile": part(1, 8)},
        activities={"a": activity("attack", attack={"type": {"value": "melee"}}, damage={"includeBase": True})},
    )  # fmt: skip
    assert feature(spear).text == (
        "Melee or Ranged Weapon Attack: +6 to hit, reach 5 ft. or range 20/60 ft. Hit: 6 (1d6 + 3) piercing damage"
        " or 7 (1d8 + 3) piercing damage in two hands."
    )
    bare = deepcopy(spear)
    bare["system"]["description"]["value"] = ""
    assert feature(bare).other_damage == (OtherDamage("with two hands", "1d8+3 piercing"),)


def test_damage_of_a_save_after_a_hit_is_its_own() -> None:
    sting = feature(item(
        "Sting", "", "weapon", range={"reach": 5, "units": "ft"}, damage={"base": part(1, 4, "piercing")},
        activities={
            "a": activity("attack", attack={"ability": "dex", "type": {"value": "melee"}}, damage={"includeBase": True, "parts": []}),
            "b": activity("save", "", save={"ability": ["con"], "dc": {"calculation": "con", "formula": ""}},
                          damage={"onSave": "half", "parts": [part(3, 6, "poison")]}),
        },
    ))  # fmt: skip
    assert (sting.damage, sting.save_damage, sting.save, sting.dc, sting.half) == (
        "1d4+2 piercing",
        "3d6 poison",
        "con",
        13,
        True,
    )


def test_a_breath_has_area_save_and_recharge() -> None:
    breath = feature(item(
        "Breath", "<p>DC [[lookup @abilities.con.dc]]: [[/save]] saving throw.</p>",
        uses={"max": "1", "recovery": [{"period": "recharge", "formula": "5", "type": "recoverAll"}]},
        activities={"a": activity("save", target={"template": {"type": "line", "size": "60", "width": "5", "units": "ft"}},
                                  save={"ability": ["dex"], "dc": {"calculation": "", "formula": "15"}},
                                  damage={"onSave": "half", "parts": [part(8, 6, "fire")]})},
    ))  # fmt: skip
    assert (breath.damage, breath.save, breath.dc, breath.half) == ("8d6 fire", "dex", 15, True)
    assert (breath.area, breath.recharge) == ("60-foot line, 5 feet wide", 5)
    assert breath.text == "DC 13: DC 15 Dexterity saving throw."


@pytest.mark.parametrize(
    ("uses", "figures"),
    [
        ({"max": "3", "per": "day"}, (3, "day", 0)),
        ({"max": "1", "recovery": [{"period": "sr"}]}, (1, "rest", 0)),
        ({"max": "@prof", "recovery": [{"period": "lr"}]}, (3, "long-rest", 0)),
        ({"max": "", "per": None}, (0, "day", 0)),
    ],
)
def test_uses_come_back(uses: dict[str, Any], figures: tuple[int, str, int]) -> None:
    found = feature(item("Vanish", "<p>Gone.</p>", uses=uses, activation={"type": "bonus"}))
    assert (found.uses, found.per, found.recharge) == figures
    assert found.cost == "bonus"


def test_older_recharge_is_a_field() -> None:
    assert feature(item("Web", "", recharge={"value": 4, "charged": True}, activation={"type": "action"})).recharge == 4


@pytest.mark.parametrize(
    ("system", "price"),
    [
        ({"activation": {"type": "legendary", "cost": 2}}, 2),
        ({"activities": {"a": {"type": "utility", "activation": {"type": "legendary", "value": 3}}}}, 3),
        ({"activities": {"a": {"type": "utility", "activation": {"type": "legendary", "value": None}}}}, 1),
    ],
)
def test_legendary_actions_have_a_price(system: dict[str, Any], price: int) -> None:
    found = feature(item("Leap", "<p>Far.</p>", **system))
    assert (found.cost, found.price) == ("legendary", price)


def test_legendary_resistance_has_the_creatures_own_count() -> None:
    found = feature(item("Legendary Resistance", "<p>It succeeds instead.</p>"))
    assert (found.uses, found.per, found.properties) == (2, "day", ("legendary-resistance",))


@pytest.mark.parametrize(
    ("ac", "items", "reckoned"),
    [
        ({"calc": "flat", "flat": 19}, (), 19),
        ({"calc": "default", "flat": None}, (), 12),
        ({"calc": "mage", "flat": None}, (), 15),
        ({"calc": "custom", "formula": "11 + @abilities.con.mod", "flat": None}, (), 13),
        ({"calc": "default", "flat": None}, ("heavy", "shield"), 20),
        ({"calc": "default", "flat": None}, ("medium",), 16),
    ],
)
def test_armour_class_is_reckoned(ac: dict[str, Any], items: tuple[str, ...], reckoned: int) -> None:
    worn = {"heavy": {"value": 18, "dex": 0}, "medium": {"value": 14, "dex": 2}, "shield": {"value": 2, "dex": None}}
    gear = [
        item(kind.title(), "", "equipment", type={"value": kind}, armor=worn[kind], equipped=True) for kind in items
    ]
    assert creature(*gear, attributes__ac=ac).ac == reckoned


def test_weapons_that_magic_bypasses_are_one_clause_or_immunity_to_the_mundane() -> None:
    three = ["bludgeoning", "piercing", "slashing"]
    found = read(actor(
        traits__di={"value": ["cold", *three], "bypasses": ["mgc"], "custom": ""},
        traits__dr={"value": three, "bypasses": ["mgc", "sil"], "custom": ""},
    ))  # fmt: skip
    assert isinstance(found.record, Creature)
    assert (found.record.immunities, found.record.mundane_immunity) == (("cold",), True)
    assert (found.record.resistances, found.record.mundane_resistance) == ((), True)
    assert found.record.mundane_except == ("silvered",)
    assert "resistances" not in fields(found)
    old = creature(traits__dr={"value": ["fire", "physical"], "custom": ""})
    assert (old.resistances, old.mundane_resistance) == (("fire",), True)


def test_a_swarm_says_of_what() -> None:
    found = creature(details__type={"value": "beast", "subtype": "", "swarm": "tiny", "custom": ""})
    assert (found.type, found.tags) == ("beast", ("swarm",))
    assert found.remarks[0].text == "swarm of tiny creatures of this type"


def test_spells_stand_by_level_and_slots_by_number() -> None:
    spells = [
        item("Bane", "", "spell", level=1),
        item("Fly", "", "spell", level=3, uses={"max": "1", "recovery": [{"period": "day"}]}),
        item("Light", "", "spell", level=0),
    ]
    found = creature(
        item("Innate Spellcasting", "<p>At will: light (save DC [[lookup @attributes.spell.dc]])</p>"),
        *spells,
        spells={"spell1": {"value": 4, "override": None}},
    )
    assert found.features[0].text == "At will: light (save DC 12)\n1st level: Bane\n3rd level: Fly (1/day)"
    assert (found.spellcasting, found.slots) == ("cha", (("1", 4),))


def test_multiattack_names_the_attacks_it_gives() -> None:
    claw = item("Claw", "", "weapon", range={"reach": 5, "units": "ft"}, damage={"base": part(1, 6, "slashing")},
                activities={"a": activity("attack", attack={}, damage={"includeBase": True})})  # fmt: skip
    text = "<p>The [[lookup @name lowercase]]{monster} makes two [[/item Claw]] attacks.</p>"
    found = creature(item("Multiattack", text, activities={"a": activity("utility")}), claw).features[0]
    assert found.text == "The ash hound makes two Claw attacks."
    assert (found.cost, found.multiattack, found.attacks) == ("action", ((("claw", 2),),), 2)


def test_what_has_no_stat_block_is_unread_and_ends_nothing() -> None:
    cart = {**actor(name="Cart"), "type": "vehicle"}
    broken = actor(name="Broken", attributes__hp={"value": None, "max": None})
    odd = {
        **actor(name="Odd"),
        "items": [{"name": None, "type": "feat", "system": {"activities": [1, {}], "uses": 7}}, "x"],
    }
    found = list(FORMAT.read([document([cart, broken, odd, actor()])], ""))
    assert [type(one) for one in found] == [UnreadRecord, UnreadRecord, ImportedRecord, ImportedRecord]
    assert isinstance(found[0], UnreadRecord)
    assert "vehicle" in found[0].why


def test_a_character_has_the_levels_of_its_classes() -> None:
    hero = actor(item("Fighter", "", "class", levels=4), item("Rogue", "", "class", levels=5), details__cr=None)
    party = read({**hero, "type": "character"}).record
    assert isinstance(party, Party)
    record = party.creatures[0]
    assert (record.level, record.saves) == (9, (("dex", 6),))


def test_yaml_and_lines_of_json_are_read_alike() -> None:
    text = yaml.safe_dump(actor())
    found = parse_document(text.encode(), Path("hound.yml"))
    assert isinstance(found, ParsedDocument)
    assert FORMAT.claims(found)
    assert [one.record for one in FORMAT.read([found], "") if isinstance(one, ImportedRecord)] == [creature()]


@pytest.mark.parametrize(
    ("data", "ours"),
    [
        (actor(), True),
        ({**actor(), "_stats": {}}, True),
        ({**actor(), "_stats": {}, "flags": {"exportSource": {"system": "dnd5e"}}}, True),
        ({**actor(), "_stats": {"systemId": "a5e"}}, False),
        (
            {"name": "X", "type": "npc", "data": {"abilities": {"str": {"mod": 3}}, "saves": {}, "traits": {"di": {}}}},
            False,
        ),
        ([{"name": "Folder", "type": "Actor"}], False),
        ("text", False),
    ],
)
def test_claims_go_by_content(data: Any, ours: bool) -> None:
    assert FORMAT.claims(document(data)) is ours


def test_what_is_carried_is_named_and_its_text_told() -> None:
    found = read(actor(item("Rope", "<p>Fifty feet of it.</p>", "loot", quantity=2)))
    assert isinstance(found.record, Creature)
    assert [(one.about, one.text) for one in found.record.remarks] == [("gear", "Rope (2)")]
    assert [(one.field, one.text) for one in found.reports] == [("gear: Rope", "Fifty feet of it.")]
