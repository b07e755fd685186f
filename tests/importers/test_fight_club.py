"""Compendiums of Fight Club 5 and Game Master 5 in XML, and hostile XML."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.for_each import for_each
from turnwright.encounter.prepared import Creature, Feature
from turnwright.importers.documents import ParsedDocument, parse_document
from turnwright.importers.fight_club import FORMAT
from turnwright.importers.results import ImportedRecord, UnreadRecord

MOTH = """<monster>
  <name>Moss Moth [5.5e]</name><size>L</size><type>monstrosity (insect), own notes</type><alignment>Unaligned</alignment>
  <ac>15 (natural armor)</ac><hp>52 (7d10+14)</hp><speed>walk 30 ft., fly 40 ft. (hover)</speed>
  <str>18</str><dex>14</dex><con>14</con><int>7</int><wis>12</wis><cha>6</cha>
  <save>Dex +5</save><skill>Perception +5, Sleight of Hand +5</skill><passive>15</passive><init>4</init>
  <resist>cold; bludgeoning, piercing, and slashing from nonmagical attacks</resist><immune/><vulnerable>fire</vulnerable>
  <conditionImmune>poisoned</conditionImmune><senses>darkvision 60 ft.</senses><languages>Sylvan</languages><cr>4</cr><slots>3,4,2</slots>
  <trait><name>Proficiency Bonus</name><text>+2</text></trait>
  <trait><name>Stubborn</name><recharge>2/DAY</recharge><text>First.</text><text>Second.</text></trait>
  <action><name>Claw</name><text>Melee Weapon Attack: +6 to hit, reach 5 ft., one target. Hit: 7 (1d6 + 4) slashing damage.</text><attack>Claw|+6|1d6+4</attack></action>
  <action><name>Dust</name><recharge>D5</recharge><text>Each creature in a 20-foot cone must make a DC 13 Constitution saving throw, taking 14 (4d6) poison damage on a failed save.</text></action>
  <action><name>Gore</name><text>It gores.</text><attack>Gore|9|1d8+4</attack></action>
  <action><name>Flit (Bonus Action)</name><text>It flies &amp; lands.</text></action>
  <reaction><name>Flutter</name><recharge>SHORT</recharge><text>It flies.</text></reaction>
  <legendary><name>Legendary Actions (3/Turn)</name><recharge>3/TURN</recharge><text>The moth can take 3 legendary actions.</text></legendary>
  <legendary><name>Sweep (Costs 2 Actions)</name><text>It sweeps.</text></legendary>
  <legendary category="lair"><name>Fog</name><text>Fog rises.</text></legendary>
  <environment>forest, swamp</environment><mood>soft</mood>
  <description>It is soft.
Source: Own Notes p. 3</description>
</monster>"""
HEAD = '<?xml version="1.0" encoding="UTF-16"?>\n<compendium version="5" auto_indent="NO">'


def parsed(text: str) -> ParsedDocument | UnreadRecord:
    return parse_document(text.encode(), Path("file.xml"))


def records(body: str) -> list[object]:
    found = parsed(f"{HEAD}{body}</compendium>")
    assert isinstance(found, ParsedDocument), found
    assert FORMAT.claims(found)
    return list(FORMAT.read([found], ""))


def moth() -> tuple[Creature, ImportedRecord]:
    (found,) = records(f"<spell><name>Spark</name></spell>{MOTH}")
    assert isinstance(found, ImportedRecord), found
    assert isinstance(found.record, Creature)
    return found.record, found


def feature(found: Creature, name: str) -> Feature:
    return next(one for one in found.features if one.name == name)


def test_the_head_of_a_monster_is_read() -> None:
    found, record = moth()
    assert (found.name, found.size, found.type, found.tags, found.alignment) == (
        "Moss Moth",
        "large",
        "monstrosity",
        ("insect",),
        "Unaligned",
    )
    assert (found.ac, found.ac_note, found.hp, found.hit_dice) == (15, "natural armor", 52, "7d10+14")
    assert (found.speeds, found.hovers, found.saves, found.skills) == (
        (("walk", 30), ("fly", 40)),
        True,
        (("dex", 5),),
        (("perception", 5), ("sleight-of-hand", 5)),
    )
    assert (found.resistances, found.mundane_resistance, found.vulnerabilities) == (("cold",), True, ("fire",))
    assert (found.senses, found.passives, found.initiative, found.proficiency, found.legendary) == (
        (("darkvision", 60),),
        (("perception", 15),),
        4,
        2,
        3,
    )
    assert (found.rating, found.slots, found.environments) == ("4", (("1", 4), ("2", 2)), ("forest", "swamp"))
    assert (found.description, found.source) == ("It is soft.", "Fight Club 5: Own Notes p. 3")
    assert {one.field for one in record.reports} == {"mood", "Gore: attack"}


def test_features_have_their_uses_and_kinds() -> None:
    found, _ = moth()
    assert (feature(found, "Claw").attack, feature(found, "Claw").damage) == (6, "1d6+4 slashing")
    assert (feature(found, "Dust").recharge, feature(found, "Dust").dc) == (5, 13)
    assert (feature(found, "Gore").attack, feature(found, "Gore").damage) == (9, "1d8+4")
    assert (feature(found, "Stubborn").uses, feature(found, "Stubborn").text) == (2, "First.\nSecond.")
    assert (feature(found, "Flutter").uses, feature(found, "Flutter").per) == (1, "rest")
    costs = {one.name: one.cost for one in found.features}
    assert (costs["Flit"], costs["Sweep"], costs["Fog"], costs["Legendary Actions"]) == (
        "bonus",
        "legendary",
        "lair",
        "trait",
    )
    assert feature(found, "Flit").text == "It flies & lands."


def test_a_compendium_without_monsters_says_what_it_holds() -> None:
    (found,) = records("<spell><name>Spark</name></spell><spell/>")
    assert isinstance(found, UnreadRecord)
    assert found.why == "no monsters; not imported: spell (2)"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('<?xml version="1.0"?><!DOCTYPE c [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><compendium><monster><name>&b;</name></monster></compendium>', "declares entities"),
        ('<?xml version="1.0"?><!DOCTYPE c SYSTEM "file:///etc/passwd"><compendium/>', "declares entities"),
        (f"<compendium>{'<a>' * 90}", "nested deeper"),
        ("<compendium><monster></compendium>", "not valid XML"),
        ('<?xml version="1.0"?>', "not valid XML"),
        (f"<compendium>{'<monster/>' * 20_001}</compendium>", "more than 20,000"),
    ],
)  # fmt: skip
def test_hostile_xml_is_refused_with_a_reason(text: str, why: str) -> None:
    found = parsed(text)
    assert isinstance(found, UnreadRecord)
    assert why in found.why


def test_a_wide_file_is_read_within_bounds() -> None:
    found = records("<item><name>x</name></item>" * 100_000 + MOTH)
    assert [one.name for one in found if isinstance(one, ImportedRecord)] == ["Moss Moth"]


@for_each(
    ("text", "element", "numbers", "told"),
    [
        ("Melee Weapon Attack: +-2 to hit, reach 5 ft., one target. 2 (1d6 - 2) slashing damage.", "Saw|-2|1d6-2", (-2, 5, "", "1d6-2 slashing"), False),
        ("Ranged Weapon Attack: ++6 to hit, range 30/60 ft., one target. 6 (1d6 + 3) cold damage.", "Saw|+6|1d6+3", (6, 0, "30/60", "1d6+3 cold"), False),
        ("rs +7 to hit, range 90 ft., one target. 9 (2d8) force damage.", "Saw|+7|2d8", (7, 0, "90", "2d8 force"), False),
        ("Mel. Wpn. Attk: 4 to ht, reach 10 ft., one target. Hit: 7 (2d4 + 2) piercing damage.", "Saw|4|2d4+2", (4, 10, "", "2d4+2 piercing"), True),
        ("It saws at a creature within reach 5 ft.", "Saw|5|1d12+3", (5, 5, "", "1d12+3"), True),
        ("Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 6 (1d6 + 3) slashing damage.", "Saw|+6|1d6+3", (5, 5, "", "1d6+3 slashing"), True),
        ("Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 6 (1d6 + 3) slashing damage.", "Saw|+5|2d6+3", (5, 5, "", "1d6+3 slashing"), True),
        ("Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 6 (1d6 + 3) slashing damage.", "Saw|+5|1d6+3", (5, 5, "", "1d6+3 slashing"), False),
    ],
)  # fmt: skip
def test_the_attack_element_is_used_or_compared(
    text: str, element: str, numbers: tuple[int, int, str, str], told: bool
) -> None:
    body = f"<action><name>Saw</name><text>{text}</text><attack>{element}</attack></action></monster>"
    (found,) = records(MOTH.replace("</monster>", body))
    assert isinstance(found, ImportedRecord)
    assert isinstance(found.record, Creature)
    saw = feature(found.record, "Saw")
    assert (saw.attack, saw.reach, saw.range, saw.damage) == numbers
    assert any(note.field == "Saw: attack" for note in found.reports) is told
