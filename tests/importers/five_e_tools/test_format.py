"""5etools' files: creatures of both rules, their tags, copies with changes, legendary groups, and what is reported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from turnwright.encounter.prepared import Creature, Feature, InflictedCondition
from turnwright.importers.documents import ParsedDocument, parse_document
from turnwright.importers.files.import_files import read_paths
from turnwright.importers.five_e_tools.copies import safe_pattern
from turnwright.importers.five_e_tools.format import FORMAT
from turnwright.importers.five_e_tools.tags import plain, plain_entry
from turnwright.importers.formats import formats
from turnwright.importers.results import ImportedRecord, UnreadRecord

BOG_LORD: dict[str, Any] = {
    "name": "Bog Lord",
    "source": "Mire",
    "page": 3,
    "size": ["L"],
    "type": {"type": "monstrosity", "tags": ["shapechanger", {"tag": "mud", "prefix": "deep"}]},
    "alignment": ["C", "E"],
    "ac": [{"ac": 17, "from": ["natural armor"]}, {"ac": 20, "condition": "with {@spell shield}", "braces": True}],
    "hp": {"average": 135, "formula": "18d10 + 36"},
    "speed": {"walk": 30, "fly": {"number": 60, "condition": "(hover)"}, "canHover": True, "swim": {"number": 20, "condition": "(in mud)"}},
    "str": 18, "dex": 12, "con": 15, "int": 8, "wis": 13, "cha": 16,
    "save": {"dex": "+5", "wis": "+5"},
    "skill": {"perception": "+9", "sleight of hand": "+5"},
    "senses": ["Darkvision 60 ft."],
    "passive": 19,
    "languages": ["Common", "telepathy 60 ft."],
    "cr": {"cr": "11", "lair": "12"},
    "resist": ["cold", {"resist": ["bludgeoning", "piercing", "slashing"], "note": "from nonmagical attacks", "cond": True}],
    "immune": ["poison"],
    "conditionImmune": ["poisoned", {"conditionImmune": ["prone"], "note": "while flying"}],
    "spellcasting": [
        {
            "name": "Spellcasting",
            "headerEntries": ["Its spellcasting ability is Charisma (spell save {@dc 15}, {@hit 7} to hit with spell attacks)."],
            "will": ["{@spell light}"],
            "daily": {"1e": ["{@spell fly}", {"entry": "{@spell darkness}"}], "2": [{"entry": "secret", "hidden": True}]},
            "spells": {"0": {"spells": ["{@spell mending}"]}, "2": {"slots": 3, "spells": ["{@spell web}"]}},
            "ability": "cha",
        }
    ],
    "action": [
        {"name": "Multiattack", "entries": ["The lord makes two claw attacks."]},
        {"name": "Claw", "entries": ["{@atk mw} {@hit 8} to hit, reach 10 ft., one target. {@h}13 ({@damage 2d8 + 4}) slashing damage, and the target is {@condition grappled} (escape {@dc 15})."]},
        {"name": "Mud Breath {@recharge 5}", "entries": ["Each creature in a 30-foot cone must make a {@dc 15} Dexterity saving throw, taking 21 ({@damage 6d6}) acid damage on a failed save, or half as much damage on a successful one."]},
        {"name": "Slam", "entries": ["{@atkr m,r} {@hit 8}, reach 5 ft. or range 20/60 ft. {@h}8 ({@damage 1d8 + 4}) Bludgeoning damage."]},
        {"name": "Mire (2/Day)", "entries": ["{@actSave con} {@dc 15}, each creature in a 20-foot {@variantrule Emanation [Area of Effect]|XPHB|Emanation}. {@actSaveFail} 10 ({@damage 3d6}) Poison damage. {@actSaveSuccess} Half damage."]},
    ],
    "legendary": [{"name": "Swat (Costs 2 Actions)", "entries": ["The lord makes a claw attack."]}],
    "legendaryGroup": {"name": "Bog Lord", "source": "Mire"},
    "environment": ["swamp"],
    "traitTags": ["Amphibious"],
}  # fmt: skip
GROUP = {
    "name": "Bog Lord",
    "source": "Mire",
    "lairActions": [
        "On initiative count 20:",
        {"type": "list", "items": ["Mud rises. Each creature must succeed on a {@dc 15} Strength saving throw or be {@condition restrained}.", {"type": "item", "name": "Fog", "entry": "Fog fills the lair."}]},
    ],
    "regionalEffects": ["It is wet."],
}  # fmt: skip


def document(data: object) -> ParsedDocument:
    found = parse_document(json.dumps(data).encode(), Path("file.json"))
    assert isinstance(found, ParsedDocument)
    return found


def records(*monsters: dict[str, Any], **lists: object) -> list[ImportedRecord | UnreadRecord]:
    found = document({"_meta": {"sources": []}, "monster": list(monsters), **lists})
    assert FORMAT.claims(found)
    return list(FORMAT.read([found], ""))  # type: ignore[arg-type]  # a file with creatures is none that is skipped


def imported(*monsters: dict[str, Any], **lists: object) -> tuple[Creature, ImportedRecord]:
    """Return the last creature."""
    found = records(*monsters, **lists)[-1]
    assert isinstance(found, ImportedRecord), found
    assert isinstance(found.record, Creature)
    return found.record, found


def feature(creature: Creature, name: str) -> Feature:
    return next(one for one in creature.features if one.name == name)


def copied(name: str, mod: object = None, **more: Any) -> dict[str, Any]:
    """Return a creature that copies the bog lord."""
    copy = {"name": "bog lord", "source": "MIRE", **({} if mod is None else {"_mod": mod}), **more.pop("copy", {})}
    return {"name": name, "source": "Own", "_copy": copy, **more}


def test_the_head_of_a_stat_block_is_read() -> None:
    lord, found = imported(BOG_LORD, legendaryGroup=[GROUP])
    assert (lord.size, lord.type, lord.tags, lord.alignment) == (
        "large",
        "monstrosity",
        ("shapechanger", "deep mud"),
        "chaotic evil",
    )
    assert (lord.ac, lord.ac_note, lord.hp, lord.hit_dice, lord.rating) == (17, "natural armor", 135, "18d10+36", "11")
    assert lord.speeds == (("walk", 30), ("fly", 60), ("swim", 20))
    assert lord.hovers
    assert lord.abilities == (("str", 18), ("dex", 12), ("con", 15), ("int", 8), ("wis", 13), ("cha", 16))
    assert (lord.saves, lord.skills) == ((("dex", 5), ("wis", 5)), (("perception", 9), ("sleight-of-hand", 5)))
    assert (lord.senses, lord.passives) == ((("darkvision", 60),), (("perception", 19),))
    assert (lord.resistances, lord.mundane_resistance, lord.immunities) == (("cold",), True, ("poison",))
    assert (lord.condition_immunities, lord.languages) == (("poisoned",), "Common, telepathy 60 ft.")
    assert (lord.spellcasting, lord.slots, lord.legendary, lord.environments) == ("cha", (("2", 3),), 3, ("swamp",))
    assert {(one.about, one.text) for one in lord.remarks} == {
        ("ac", "20 with shield"), ("rating", "12 in its lair"), ("speeds", "swim in mud"), ("condition_immunities", "prone while flying"),
    }  # fmt: skip
    assert {one.field for one in found.reports} == {"speed", "conditionImmune"}
    assert (found.system, lord.source) == ("dnd5e", "5etools: Mire, page 3")


def test_tags_give_attacks_saves_and_recharges() -> None:
    lord, _ = imported(BOG_LORD, legendaryGroup=[GROUP])
    claw = feature(lord, "Claw")
    assert (claw.attack, claw.reach, claw.damage) == (8, 10, "2d8+4 slashing")
    assert claw.afflictions == (InflictedCondition("grappled", escape_dc=15),)
    breath = feature(lord, "Mud Breath")
    assert (breath.recharge, breath.save, breath.dc, breath.damage, breath.half, breath.area) == (
        5,
        "dex",
        15,
        "6d6 acid",
        True,
        "30-foot cone",
    )
    slam = feature(lord, "Slam")
    assert (slam.attack, slam.reach, slam.range, slam.damage) == (8, 5, "20/60", "1d8+4 bludgeoning")
    mire = feature(lord, "Mire")
    assert (mire.uses, mire.save, mire.dc, mire.damage, mire.half) == (2, "con", 15, "3d6 poison", True)
    assert feature(lord, "Multiattack").multiattack == ((("claw", 2),),)
    assert (feature(lord, "Swat").price, feature(lord, "Swat").cost) == (2, "legendary")
    spells = feature(lord, "Spellcasting")
    assert (spells.dc, spells.attack) == (15, 7)
    assert spells.text.splitlines()[1:] == ["At will: light", "1/Day each: fly, darkness", "2/Day:", "Cantrips (at will): mending", "2nd level (3 slots): web"]  # fmt: skip


def test_lair_actions_come_from_the_legendary_group() -> None:
    lord, _ = imported(BOG_LORD, legendaryGroup=[GROUP])
    lair = [one for one in lord.features if one.cost == "lair"]
    assert [one.name for one in lair] == ["Lair Action 1", "Fog"]
    assert (lair[0].save, lair[0].dc, lair[0].afflictions[0].condition) == ("str", 15, "restrained")
    assert "Regional effects: It is wet." in lord.description
    _, found = imported(BOG_LORD)
    assert any(one.field == "legendaryGroup" and "lair actions are missing" in one.why for one in found.reports)


def test_a_copy_takes_over_what_it_does_not_change() -> None:
    squire, _ = imported(
        BOG_LORD,
        copied(
            "Bog Squire",
            {
                "*": {"mode": "replaceTxt", "replace": "the lord", "with": "the squire", "flags": "i"},
                "action": [
                    {"mode": "removeArr", "names": ["Slam", "Mire (2/Day)"]},
                    {"mode": "replaceArr", "replace": "Claw", "items": {"name": "Claw", "entries": ["{@atk mw} {@hit 4} to hit, reach 5 ft., one target. {@h}4 ({@damage 1d4 + 2}) slashing damage."]}},
                    {"mode": "appendArr", "items": [{"name": "Kick", "entries": ["It kicks."]}]},
                    {"mode": "renameArr", "renames": {"rename": "Mud Breath {@recharge 5}", "with": "Spit {@recharge 6}"}},
                ],
                "_": [{"mode": "addSenses", "senses": {"type": "tremorsense", "range": 30}}, {"mode": "addSaves", "saves": {"con": 1}}],
                "save": {"mode": "setProp", "prop": "str", "value": "+7"},
                "languages": {"mode": "appendArr", "items": "Giant"},
            },
            hp={"average": 60, "formula": "8d10+16"},
            cr="5",
            legendary=None,
        ),
    )  # fmt: skip
    assert (squire.hp, squire.rating, squire.ac, squire.legendary) == (60, "5", 17, 0)
    assert [one.name for one in squire.features if one.cost == "action"] == ["Multiattack", "Claw", "Spit", "Kick"]
    assert (feature(squire, "Claw").attack, feature(squire, "Claw").damage) == (4, "1d4+2 slashing")
    assert feature(squire, "Multiattack").text == "the squire makes two claw attacks."
    assert squire.senses == (("darkvision", 60), ("tremorsense", 30))
    assert dict(squire.saves) == {"dex": 5, "wis": 5, "con": 5, "str": 7}
    assert squire.languages.endswith(", Giant")
    assert not squire.environments, "it isn't preserved"


def test_a_template_changes_a_copy() -> None:
    template = {
        "name": "Dire",
        "source": "Mire",
        "apply": {
            "_root": {"size": ["H"], "alignment": ["N"]},
            "_mod": {
                "action": {"mode": "scalarAddHit", "scalar": 2},
                "trait": {
                    "mode": "appendArr",
                    "items": {"name": "Bulk", "entries": ["<$title_short_name$> has {@dc <$dc__str$>}."]},
                },
            },
        },
    }
    dire, found = imported(BOG_LORD, copied("Dire Bog Lord", copy={"_templates": [{"name": "Dire", "source": "Mire"}, {"name": "Gone", "source": "X"}]}), monsterTemplate=[template])  # fmt: skip
    assert (dire.size, dire.alignment, feature(dire, "Claw").attack) == ("huge", "neutral", 10)
    assert feature(dire, "Bulk").text == "Dire Bog Lord has DC 16."
    assert [one.text for one in found.reports if one.field == "_templates"] == ["Gone"]


BARROW_FOLK: dict[str, Any] = {
    "name": "Barrow Folk", "source": "Mire",
    "apply": {
        "_root": {"speed": {"walk": 25}, "type": {"type": "humanoid", "tags": ["barrow"]}},
        "_mod": {"resist": {"mode": "appendIfNotExistsArr", "items": "necrotic"}, "trait": {"mode": "appendArr", "items": {"name": "Barrow Sight", "entries": ["<$title_short_name$> sees in the dark."]}}},
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("template", "tags"),
    [
        ({"name": "Hill Folk", "source": "Mire", "_copy": {"name": "Barrow Folk", "source": "Mire"}}, ("barrow",)),
        ({"name": "Hill Folk", "source": "Mire", "_copy": {"name": "Barrow Folk", "source": "Mire", "_preserve": {"page": True}, "_mod": {"_": {"mode": "setProp", "prop": "apply._root.type", "value": {"type": "humanoid", "tags": ["hill"]}}}}}, ("hill",)),
        ({"name": "Hill Folk", "source": "Mire", "_copy": {"name": "Barrow Kin", "source": "Mire"}}, ("barrow",)),
    ],
)  # fmt: skip
def test_a_template_may_copy_a_template(template: dict[str, Any], tags: tuple[str, ...]) -> None:
    kin = {"name": "Barrow Kin", "source": "Mire", "_copy": {"name": "Barrow Folk", "source": "Mire"}}
    hill, found = imported(BOG_LORD, copied("Hill Lord", copy={"_templates": [{"name": "Hill Folk", "source": "Mire"}]}), monsterTemplate=[template, kin, BARROW_FOLK])  # fmt: skip
    assert (dict(hill.speeds), hill.type, hill.tags) == ({"walk": 25}, "humanoid", tags)
    assert "necrotic" in hill.resistances
    assert feature(hill, "Barrow Sight").text == "Hill Lord sees in the dark."
    assert [one.text for one in found.reports if one.field == "_templates"] == []


def test_a_template_whose_original_is_missing_is_told() -> None:
    gone = {"name": "Hill Folk", "source": "Mire", "_copy": {"name": "Nobody", "source": "Mire"}}
    _, found = imported(BOG_LORD, copied("Hill Lord", copy={"_templates": [{"name": "Hill Folk", "source": "Mire"}]}), monsterTemplate=[gone])  # fmt: skip
    assert [one.text for one in found.reports if one.field == "_templates"] == ["Hill Folk"]


@pytest.mark.parametrize(
    ("reference", "why"),
    [
        ({"name": "Goblin", "source": "MM"}, "copy of 'Goblin' (MM)"),
        ({"name": "Ring", "source": "Own"}, "more than 12 creatures"),
    ],
)
def test_what_a_copy_needs_is_named(reference: dict[str, str], why: str) -> None:
    found = records({"name": "Ring", "source": "Own", "_copy": {"name": "Rung", "source": "Own"}}, {"name": "Rung", "source": "Own", "_copy": reference})[-1]  # fmt: skip
    assert isinstance(found, UnreadRecord)
    assert why in found.why


def test_changes_that_are_not_known_are_reported() -> None:
    _, found = imported(
        BOG_LORD,
        copied("Odd", {"action": [{"mode": "shuffle"}, {"mode": "removeArr", "names": "Nothing"}], "*": {"mode": "replaceTxt", "replace": "(a+)+$", "with": ""}}),
    )  # fmt: skip
    told = [one.text for one in found.reports if one.why.startswith("unsupported change to the copied creature")]
    assert {"shuffle", "Nothing", "(a+)+$"} == {
        word for word in ("shuffle", "Nothing", "(a+)+$") if any(word in one for one in told)
    }


@pytest.mark.parametrize("pattern", ["(a+)+$", "a*b*c*", r"(a)\1", "(?P<x>a)", "(", "", "x" * 301])
def test_patterns_that_may_take_long_are_not_used(pattern: str) -> None:
    assert safe_pattern(pattern) is None


@pytest.mark.parametrize(
    ("tagged", "text"),
    [
        ("{@hit 5} {@hit -2} {@hit 3|special}", "+5 -2 special"),
        ("{@atk mw,rw} {@atk ms} {@atkr m} {@atkr m,r}", "Melee or Ranged Weapon Attack: Melee Spell Attack: Melee Attack Roll: Melee or Ranged Attack Roll:"),
        ("{@damage 2d6+3} {@dice 1d6|a die} {@scaledamage 8d6|3-9|1d6}", "2d6+3 a die 1d6"),
        ("{@creature goblin|MM|goblins} {@spell fire bolt|PHB} {@condition prone||falling}", "goblins fire bolt falling"),
        ("{@recharge} {@recharge 4} {@dc 12}", "(Recharge 6) (Recharge 4-6) DC 12"),
        ("{@note {@b Loud} {@i {@skill Stealth}}} {@chance 30} {@filter any|x|y}", "Loud Stealth 30 percent any"),
        ("{@quickref difficult terrain||3} {@link here|https://example.org} {@actSaveFail 2} {@unknown a|b|c}", "difficult terrain here Second Failure: c"),
    ],
)  # fmt: skip
def test_tags_are_shown_as_a_book_prints_them(tagged: str, text: str) -> None:
    assert plain(tagged) == text


def test_entries_of_any_kind_become_lines() -> None:
    entry = [
        "First.",
        {"type": "list", "items": ["one", {"type": "item", "name": "Two.", "entry": "of them"}]},
        {"type": "entries", "name": "Inner", "entries": ["text"]},
        {
            "type": "table",
            "colLabels": ["d6", "Gift"],
            "rows": [[{"type": "cell", "roll": {"min": 1, "max": 3}}, "{@item rope}"]],
        },
        {"type": "attack", "attackType": "MW", "attackEntries": ["{@hit 2} to hit"], "hitEntries": ["3 damage"]},
    ]
    assert plain_entry(entry).splitlines() == [
        "First.", "\u2022 one", "\u2022 Two. of them", "Inner. text", "d6 | Gift", "1-3 | rope", "Melee Weapon Attack: +2 to hit Hit: 3 damage",
    ]  # fmt: skip


def test_initiative_of_the_newer_rules_and_odd_shapes() -> None:
    odd, found = imported({**BOG_LORD, "initiative": {"proficiency": 2}, "speed": 40, "legendaryGroup": None, "save": {"dex": "5"}, "passive": "10 + PB", "future": 3})  # fmt: skip
    assert (odd.initiative, odd.speeds, odd.saves) == (1 + 2 * 4, (("walk", 40),), (("dex", 5),))
    assert {"passive", "future"} <= {one.field for one in found.reports}
    (summoned,) = records({**BOG_LORD, "hp": {"special": "equal to the summoner's level"}})
    assert isinstance(summoned, UnreadRecord)
    assert "expected a number of hit points" in summoned.why


def test_one_exported_creature_is_claimed_and_other_files_are_described(tmp_path: Path) -> None:
    assert FORMAT.claims(document(BOG_LORD))
    assert FORMAT.claims(document([BOG_LORD, copied("Other")]))
    assert not FORMAT.claims(document({"name": "x", "source": "y", "ac": 12, "hp": 3}))
    file = tmp_path / "spells.json"
    file.write_text(json.dumps({"spell": [{"name": "Spark", "source": "Own"}]}))
    ((_, unread),) = read_paths([file])
    assert isinstance(unread, UnreadRecord)
    assert "5etools file without creatures; not imported: spell" in unread.why
    assert next(form.id for form in formats() if form.claims(document({"monster": [BOG_LORD]}))) == "five_e_tools"


def test_an_attack_whose_head_is_its_name_is_read() -> None:
    hawk, _ = imported({**BOG_LORD, "action": [{"name": "Melee Weapon Attack: +1 to hit, reach 5 ft", "entries": [", one target. {@h}4 ({@damage 1d6 - 1}) piercing damage."]}]})  # fmt: skip
    peck = feature(hawk, "Attack")
    assert (peck.attack, peck.reach, peck.damage) == (1, 5, "1d6-1 piercing")


def test_texts_that_grow_with_each_change_are_refused() -> None:
    grow = {"mode": "replaceTxt", "replace": "e", "with": "eeeeeeeeee"}
    found = records(BOG_LORD, copied("Long", {"action": [grow] * 20}))[-1]
    assert isinstance(found, UnreadRecord)
    assert "too long" in found.why
