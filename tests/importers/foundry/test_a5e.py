"""Actors of Foundry's A5E system: totals as Foundry computes them, real files against their own fields."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.for_each import for_each
from turnwright.encounter.prepared import Creature, Feature, OtherDamage, Party
from turnwright.importers.documents import ParsedDocument, read_document
from turnwright.importers.foundry.a5e import FORMAT
from turnwright.importers.results import ImportedRecord, UnreadRecord, postprocessed
from turnwright.importers.traits.understand import TraitReaders

ABILITIES = ("str", "dex", "con", "int", "wis", "cha")


def actor(*items: dict[str, Any], name: str = "Bog Ogre", cr: Any = 5, **system: Any) -> dict[str, Any]:
    """Return an actor of challenge 5 (proficiency +3) with Str 18, Dex 14, Con 16 and Cha 12."""
    scores = dict(zip(ABILITIES, (18, 14, 16, 8, 10, 12), strict=True))
    figures: dict[str, Any] = {
        "abilities": {
            key: {"value": score, "check": {}, "save": {"proficient": key == "con", "expertiseDice": 0, "bonus": ""}}
            for key, score in scores.items()
        },
        "attributes": {
            "ac": {"baseFormula": "15", "value": 0},
            "hp": {"value": 76, "baseMax": 76, "temp": 0, "bonus": 0},
            "hitDice": {"d10": {"current": 8, "total": 8}, "d8": {"current": 0, "total": 0}},
            "initiative": {"ability": "dex", "bonus": ""},
            "movement": {
                "walk": {"distance": 30, "unit": "feet"},
                "swim": {"distance": 40, "unit": "feet"},
                "fly": {"distance": 0, "unit": "feet"},
                "traits": {"hover": False},
            },
            "senses": {
                "darkvision": {"distance": 60, "unit": "feet"},
                "blindsight": {"distance": None, "unit": "feet"},
            },
            "spellcasting": "cha",
        },
        "details": {"cr": cr, "elite": False, "creatureTypes": ["giant"], "terrain": ["swamp"], "bio": "<p>Wet.</p>"},
        "skills": {"ste": {"ability": "dex", "proficient": 1, "expertiseDice": 2, "bonuses": {"check": ""}}},
        "traits": {"size": "lg", "damageResistances": ["cold"], "conditionImmunities": ["charmed"]},
        "proficiencies": {"languages": ["giant", "deep"]},
        "source": "monstrousMenagerie",
    }
    merged = deepcopy(figures)
    for key, value in system.items():
        merged[key] = {**merged[key], **value} if isinstance(value, dict) and key in merged else value
    return {"name": name, "type": "npc", "items": list(items), "system": merged, "_stats": {"systemId": "a5e"}}


def item(name: str, text: str = "", *actions: dict[str, Any], kind: str = "feature", **system: Any) -> dict[str, Any]:
    """Return an item with actions keyed as that table keys them."""
    keyed = {f"id{number}": action for number, action in enumerate(actions)}
    return {"name": name, "type": kind, "system": {"description": text, "actions": keyed, **system}}


def action(
    *rolls: dict[str, Any], kind: str = "action", name: str = "", ranges: tuple[Any, ...] = (), **more: Any
) -> dict[str, Any]:
    """Return an action with rolls and ranges."""
    return {
        "name": name,
        "activation": {"type": kind, "cost": 1, "reactionTrigger": ""},
        "rolls": {f"r{number}": roll for number, roll in enumerate(rolls)},
        "ranges": {f"g{number}": {"range": one} for number, one in enumerate(ranges)},
        **more,
    }


def attack(ability: str = "str", kind: str = "meleeWeaponAttack", bonus: str = "") -> dict[str, Any]:
    """Return an attack roll."""
    return {"type": "attack", "attackType": kind, "ability": ability, "bonus": bonus}


def damage(formula: str, kind: str, label: str = "") -> dict[str, Any]:
    """Return a damage roll."""
    return {"type": "damage", "formula": formula, "damageType": kind, "label": label}


def save(ability: str, dc: str, on_save: str = "", how: str = "custom") -> dict[str, Any]:
    """Return a prompt for a saving throw."""
    return {"p": {"type": "savingThrow", "ability": ability, "onSave": on_save, "saveDC": {"type": how, "bonus": dc}}}


def document(data: Any) -> ParsedDocument:
    """Return a document of parsed data."""
    return ParsedDocument(Path("actors.json"), "json", "", data)


def read(data: Any) -> ImportedRecord:
    """Return the one record that was read."""
    (found,) = FORMAT.read([document(data)], "")
    assert isinstance(found, ImportedRecord), found
    return found


def creature(*items: dict[str, Any], **system: Any) -> Creature:
    """Return the creature that an actor is read as."""
    record = read(actor(*items, **system)).record
    assert isinstance(record, Creature)
    return record


def feature(*items: dict[str, Any]) -> Feature:
    """Return the first feature of a creature that carries items."""
    return creature(*items).features[0]


def told(found: ImportedRecord) -> dict[str, str]:
    """Return why each field was told."""
    return {report.field: report.why for report in found.reports}


def test_the_head_is_added_up() -> None:
    found = creature()
    assert (found.ac, found.hp, found.hit_dice, found.rating, found.size, found.type) == (
        15, 76, "8d10+24", "5", "large", "giant",
    )  # fmt: skip
    assert found.saves == (("con", 6),)
    assert found.skills == (("stealth", 5),)
    assert found.speeds == (("walk", 30), ("swim", 40))
    assert found.senses == (("darkvision", 60),)
    assert found.abilities == (("str", 18), ("dex", 14), ("con", 16), ("int", 8), ("wis", 10), ("cha", 12))
    assert found.languages == "Giant, Deep Speech"
    assert found.source == "Foundry A5E: Monstrous Menagerie"
    assert found.environments == ("swamp",)
    assert found.description == "Wet."
    assert [(remark.about, remark.text) for remark in found.remarks] == [("skills", "stealth: expertise die 1d6")]


@for_each(("cr", "bonus"), [(0.125, 2), (0.5, 2), (1, 2), (4, 2), (5, 3), (8, 3), (9, 4), (17, 6), (25, 8), (30, 9)])
def test_proficiency_goes_by_the_rating(cr: float, bonus: int) -> None:
    record = read(actor(cr=cr)).record
    assert isinstance(record, Creature)
    assert record.saves == (("con", 3 + bonus),)


@pytest.mark.parametrize(
    ("formula", "ac"),
    [("17", 17), ("10 + @dex.mod", 12), ("13 + min(@dex.mod, 1)", 14), ("", 12), ("max(9, 2*(4+3))", 14)],
)
def test_armour_class_is_a_formula(formula: str, ac: int) -> None:
    assert creature(attributes={"ac": {"baseFormula": formula}, "hp": {"baseMax": 5}}).ac == ac


def test_a_glossary_of_weapon_properties_is_no_text_of_the_weapon() -> None:
    """A paragraph with the rules of all such weapons goes; one with a rule of this weapon stays."""
    text = (
        "<p>Loading. This weapon must be loaded (see page 446).</p><p>Finesse. You may choose to use Dexterity.</p>"
        "<p>Range. Its bolts fly around corners.</p>"
    )
    bow = item("Bow", text, action(attack("dex", "rangedWeaponAttack")), kind="object", objectType="weapon")
    assert feature(bow).text == "Range. Its bolts fly around corners."


def test_armour_and_shield_that_are_worn_count() -> None:
    armour = item("Scale", kind="object", objectType="armor", equippedState=2, ac={"baseFormula": "14 + @dex.mod"})
    shield = item("Round Shield", kind="object", objectType="shield", equippedState=2, ac={"baseFormula": "2"})
    stowed = item("Plate", kind="object", objectType="armor", equippedState=0, ac={"baseFormula": "18"})
    bare = {"ac": {"baseFormula": ""}, "hp": {"baseMax": 5}}
    found = creature(armour, shield, stowed, attributes=bare)
    assert (found.ac, found.ac_note, found.gear) == (18, "Scale, Round Shield", ("shield",))
    assert creature(stowed, attributes=bare).ac == 12


def test_an_attack_is_ability_and_proficiency_and_bonus() -> None:
    bite = feature(item("Bite", "", action(attack(bonus="1"), damage("2d8 + @str.mod", "piercing"), damage("1d6", "acid"),
                                           ranges=("Reach: 10ft.",))))  # fmt: skip
    assert (bite.attack, bite.reach, bite.damage, bite.cost) == (8, 10, "2d8+4 piercing + 1d6 acid", "action")
    assert bite.read == ()


@pytest.mark.parametrize(
    ("ability", "kind", "words", "bonus"),
    [
        ("default", "meleeWeaponAttack", [], 7),
        ("default", "rangedWeaponAttack", [], 5),
        ("default", "rangedWeaponAttack", ["thrown"], 7),
        ("dex", "meleeWeaponAttack", ["finesse"], 5),
        ("default", "rangedSpellAttack", [], 4),
        ("none", "meleeWeaponAttack", [], 3),
    ],
)
def test_the_ability_of_an_attack_is_that_tables_pick(ability: str, kind: str, words: list[str], bonus: int) -> None:
    found = feature(
        item("Hit", "", action(attack(ability, kind)), kind="object", objectType="weapon", weaponProperties=words)
    )
    assert found.attack == bonus


def test_a_throw_is_a_range_of_its_weapon_and_a_named_use_an_attack_of_its_own() -> None:
    thrust, throw = attack(), attack(kind="rangedWeaponAttack")
    ways = (
        ("Spear", thrust, ("fiveFeet", 20, 60)),
        ("Spear (Throw)", throw, (20, 60)),
        ("Brace", thrust, ("fiveFeet",)),
    )
    uses = [action(roll, name=name, ranges=ranges) for name, roll, ranges in ways]
    found = creature(item("Spear", "", *uses, kind="object", objectType="weapon"))
    assert [(each.name, each.reach, each.range) for each in found.features] == [
        ("Spear", 5, "20/60"),
        ("Spear: Brace", 5, ""),
    ]


@pytest.mark.parametrize(
    ("kind", "ranges", "reach", "far"),
    [
        ("meleeWeaponAttack", ("fiveFeet",), 5, ""),
        ("meleeWeaponAttack", ("15 ft.",), 15, ""),
        ("meleeWeaponAttack", ("fiveFeet", 20, 60), 5, "20/60"),
        ("meleeWeaponAttack", ("short", "long"), 5, "30/120"),
        ("rangedWeaponAttack", ("80/320 ft",), 0, "80/320"),
        ("rangedWeaponAttack", (150, 600), 0, "150/600"),
        ("rangedSpellAttack", ("medium",), 0, "60"),
    ],
)
def test_ranges_are_reach_or_range(kind: str, ranges: tuple[Any, ...], reach: int, far: str) -> None:
    found = feature(item("Hit", "", action(attack("str", kind), ranges=ranges)))
    assert (found.reach, found.range) == (reach, far)


@pytest.mark.parametrize(
    ("text", "reach", "far"),
    [
        ("Reach 10 ft., one target.", 10, ""),
        ("Reach 5 ft. or range 20/60 ft, one target.", 5, "20/60"),
        ("It reaches far.", 5, ""),
    ],
)
def test_a_reach_can_be_in_the_text(text: str, reach: int, far: str) -> None:
    found = feature(item("Hit", f"<p>{text}</p>", action(attack())))
    assert (found.reach, found.range) == (reach, far)


def test_a_reach_that_nobody_says_is_the_usual_one_and_told() -> None:
    found = read(actor(item("Hit", "", action(attack()))))
    assert isinstance(found.record, Creature)
    assert found.record.features[0].reach == 5
    assert "Hit: reach" in told(found)


@pytest.mark.parametrize(
    ("label", "dice", "other"),
    [
        ("2H", "1d8 + @str.mod", OtherDamage("with two hands", "1d8+4 piercing")),
        ("Sneak Attack", "3d6", OtherDamage("with sneak attack", "1d6+4 piercing + 3d6 piercing")),
        ("First Attack on target", "2d6", OtherDamage("first attack on target", "2d6 piercing")),
        ("Thrown (Surprised)", "2d6", OtherDamage("against a surprised target", "2d6 piercing", "target.surprised")),
        ("If prone", "2d6", OtherDamage("against a prone target", "2d6 piercing", "target.prone")),
        (
            "Moved 20 ft",
            "1d6",
            OtherDamage("after a run of 20 feet", "1d6+4 piercing + 1d6 piercing", "moved-straight:20"),
        ),
    ],
)
def test_a_second_roll_with_a_label_is_other_damage(label: str, dice: str, other: OtherDamage) -> None:
    rolls = damage("1d6 + @str.mod", "piercing", "1H"), damage(dice, "piercing", label)
    spear = feature(item("Spear", "", action(attack(), *rolls)))
    assert spear.damage == "1d6+4 piercing"
    assert spear.other_damage == (other,)


def test_the_first_of_several_named_rolls_is_the_damage() -> None:
    rolls = (
        damage("1d6 + @str.mod", "piercing", "One-handed attack"),
        damage("1d8 + @str.mod", "piercing", "Two-handed"),
    )
    spear = feature(item("Spear", "", action(attack(), *rolls)))
    assert (spear.damage, spear.other_damage) == ("1d6+4 piercing", (OtherDamage("with two hands", "1d8+4 piercing"),))


def test_damage_while_bloodied_stands_for_that_of_the_same_types() -> None:
    rolls = (damage("4d4", "piercing", "Sting"), damage("4d6", "poison", "Poison"),
             damage("2d4", "piercing", "Sting (Bloodied)"), damage("2d6", "poison", "Poison (Bloodied)"))  # fmt: skip
    sting = feature(item("Sting", "", action(attack(), *rolls)))
    assert sting.damage == "4d4 piercing + 4d6 poison"
    assert sting.other_damage == (OtherDamage("while bloodied", "2d4 piercing + 2d6 poison", "bloodied"),)


def test_a_roll_that_another_feature_deals_is_left_to_it() -> None:
    knife = item(
        "Knife", "", action(attack(), damage("1d4 + @str.mod", "piercing"), damage("2d6", "piercing", "Sneak Attack"))
    )
    sneak = item("Sneak Attack (1/Turn)", "<p>The spy deals an extra 7 (2d6) damage with advantage.</p>")
    found = read(actor(knife, sneak))
    assert isinstance(found.record, Creature)
    assert (found.record.features[0].damage, found.record.features[0].other_damage) == ("1d4+4 piercing", ())
    assert "Knife: damage" not in told(found)


def test_damage_of_later_turns_is_a_feature_of_its_own() -> None:
    text = "<p>On a hit, it is swallowed. It takes 24 (7d6) acid damage at the start of each of the worm's turns.</p>"
    bite = action(attack(), damage("3d10 + @str.mod", "piercing"), damage("7d6", "acid", "Swallowed Damage"))
    swallows, swallowed = creature(item("Bite", text, bite)).features
    assert (swallows.damage, swallows.other_damage) == ("3d10+4 piercing", ())
    assert (swallowed.name, swallowed.cost, swallowed.damage) == ("Swallowed Damage", "trait", "7d6 acid")
    assert swallowed.text == "It takes 24 (7d6) acid damage at the start of each of the worm's turns."


@pytest.mark.parametrize(
    ("second", "dealt", "otherwise"),
    [
        (damage("2d6 + @str.mod", "bludgeoning"), "1d6+4 bludgeoning", ["2d6+4 bludgeoning"]),
        (damage("3d6", "bludgeoning"), "1d6+4 bludgeoning", ["3d6 bludgeoning"]),
        (damage("2d6 + @str.mod", "cold"), "1d6+4 bludgeoning", []),
        (damage("2d6", "cold"), "1d6+4 bludgeoning + 2d6 cold", []),
        ({**damage("2d6", "cold"), "default": False}, "1d6+4 bludgeoning", []),
    ],
)
def test_rolls_without_a_name_are_other_damage_where_their_type_comes_again(
    second: dict[str, Any], dealt: str, otherwise: list[str]
) -> None:
    found = feature(
        item("Ram", "", action(attack(), damage("1d6 + @str.mod", "bludgeoning"), second, ranges=("fiveFeet",)))
    )
    assert found.damage == dealt
    assert [one.damage for one in found.other_damage] == otherwise


def test_a_choice_of_types_leaves_the_dice_without_one() -> None:
    text = (
        "<p>The target makes a DC 13 Dexterity saving throw, taking 11 (2d10) fire or radiant damage on a failure.</p>"
    )
    flare = action(damage("2d10", "fire"), damage("2d10", "radiant"), prompts=save("dex", "13"))
    assert feature(item("Flare", text, flare)).damage == "2d10"


def test_prose_says_which_dice_a_save_spares() -> None:
    sting = feature(item(
        "Sting", "<p>The target makes a DC 12 Constitution saving throw, taking half poison damage on a success.</p>",
        action(attack(), damage("1d6+@str.mod", "piercing"), damage("3d10", "poison"), ranges=("fiveFeet",),
               prompts=save("con", "12", "Half Poison Damage")),
    ))  # fmt: skip
    assert (sting.damage, sting.save_damage, sting.save, sting.dc, sting.half) == (
        "1d6+4 piercing", "3d10 poison", "con", 12, True,
    )  # fmt: skip


def test_dice_before_the_words_of_a_save_are_no_part_of_it() -> None:
    text = "Hit: 10 (2d6 + 4) piercing damage and the target makes a DC 11 Constitution saving throw, taking 14 (4d6) poison damage."
    bite = feature(item(
        "Bite", f"<p>{text}</p>",
        action(attack(), damage("2d6+@str.mod", "piercing"), damage("4d6", "poison"), ranges=("fiveFeet",),
               prompts=save("con", "11", "")),
    ))  # fmt: skip
    assert (bite.damage, bite.save_damage) == ("2d6+4 piercing", "4d6 poison")


def test_ongoing_damage_and_what_comes_later_are_no_part_of_a_hit() -> None:
    maw = feature(item(
        "Maw", "<p>The target takes 5 (1d10) ongoing acid damage. A swallowed creature takes 14 (4d6) acid damage at the start"
        " of each of its turns.</p>",
        action(attack(), damage("2d10 + @str.mod", "piercing"), damage("1d10", "acid"), damage("4d6", "acid"),
               ranges=("fiveFeet",)),
    ))  # fmt: skip
    assert (maw.damage, maw.ongoing) == ("2d10+4 piercing", "1d10 acid")


def test_a_breath_has_area_save_and_recharge() -> None:
    breath = feature(item(
        "Breath", "", action(damage("7d8", "cold"), prompts=save("dex", "18", "Half damage."),
                             area={"shape": "cone", "length": 60, "size": "60"}),
        uses={"max": "1", "per": "recharge", "recharge": {"formula": "", "threshold": 5}},
    ))  # fmt: skip
    assert (breath.damage, breath.save, breath.dc, breath.half, breath.area, breath.recharge) == (
        "7d8 cold", "dex", 18, True, "60-foot cone", 5,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("how", "bonus", "dc"), [("custom", "@maneuverDC", 15), ("spellcasting", "", 12), ("con", "1", 15)]
)
def test_a_dc_may_be_reckoned(how: str, bonus: str, dc: int) -> None:
    assert feature(item("Ward", "", action(prompts=save("wis", bonus, how=how)))).dc == dc


def test_an_escape_is_no_save() -> None:
    text = "<p>On a hit, the target is grappled (escape DC 14).</p>"
    claw = feature(item("Claw", text, action(attack(), ranges=("fiveFeet",), prompts=save("dex", "14"))))
    assert (claw.save, claw.dc) == ("", 0)
    assert claw.afflictions[0].escape_dc == 14


@pytest.mark.parametrize(
    ("name", "kind", "cost", "shown", "price"),
    [
        ("Roar (Legendary Action)", "legendaryAction", "legendary", "Roar", 1),
        ("Legendary Action: Roar", "", "legendary", "Roar", 1),
        ("Storm (2 Legendary Actions)", "legendaryAction", "legendary", "Storm", 2),
        ("Quake (Costs 2)", "legendaryAction", "legendary", "Quake", 2),
        ("Dart (Bonus Action)", "bonusAction", "bonus", "Dart", 1),
        ("Parry", "reaction", "reaction", "Parry", 1),
        ("Calm", "special", "trait", "Calm", 1),
    ],
)
def test_costs_stand_in_the_action_or_the_name(name: str, kind: str, cost: str, shown: str, price: int) -> None:
    found = feature(item(name, "<p>Does it.</p>", action(kind=kind)))
    assert (found.cost, found.name, found.price) == (cost, shown, price)


def test_a_legendary_action_costs_what_its_action_says() -> None:
    """The name and the text don't say that it costs two."""
    bite = action(kind="legendaryAction")
    bite["activation"]["cost"] = 2
    found = feature(item("Legendary Action: Bite", "<p>It bites.</p>", bite))
    assert (found.cost, found.name, found.price) == ("legendary", "Bite", 2)


@pytest.mark.parametrize(
    ("lead", "name", "figures"),
    [
        ("(Costs 2 Actions)", "Roar", (2, 0, "")),
        ("Costs 3 Legendary Actions", "Roar", (3, 0, "")),
        ("(1/Day, While Bloodied)", "Roar (While Bloodied)", (1, 1, "bloodied")),
        ("Can only be used while bloodied.", "Roar (While Bloodied)", (1, 0, "bloodied")),
        ("The bog ogre can only use this reaction while bloodied.", "Roar (While Bloodied)", (1, 0, "bloodied")),
    ],
)
def test_a_limit_ahead_of_the_text_is_read_like_one_in_the_name(
    lead: str, name: str, figures: tuple[int, int, str]
) -> None:
    found = creature(item("Roar", f"<p>{lead}</p><p>The ogre makes a fist attack.</p>", action(kind="legendaryAction")))
    roar = TraitReaders().of("a5e").creature(found)[0].features[0]
    assert (roar.name, (roar.price, roar.uses, roar.only)) == (name, figures)
    assert roar.text == "The ogre makes a fist attack."


@pytest.mark.parametrize(
    ("text", "cost"),
    [
        ("The ogre magically changes its form.", "action"),
        ("The ogre makes a bite attack against a creature it is grappling.", "action"),
        ("The bog ogre throws a vial.", "action"),
        ("The ogre leaps up to half its Speed.", "action"),
        ("An 80-foot-long bolt springs from its claw.", "action"),
        ("One frightened creature within 30 feet makes a DC 11 Wisdom saving throw.", "action"),
        ("A creature within 10 feet takes 5 fire damage at the start of its turn.", "trait"),
        ("The ogre magically senses creatures within 1 mile.", "trait"),
        ("The ogre makes all ranged attacks with disadvantage.", "trait"),
        ("When the ogre makes a bite attack, it shouts.", "trait"),
    ],
)
def test_a_text_that_begins_with_an_act_is_an_action(text: str, cost: str) -> None:
    assert feature(item("Odd", f"<p>{text}</p>")).cost == cost


def test_legendary_actions_that_stand_in_the_preamble_only_are_features() -> None:
    preamble = item(
        "Legendary Actions",
        "<p>The ogre can take 3 legendary actions.</p><p><strong>Roar.</strong> Loud.</p>"
        "<p><strong>Leap (Costs 2 Actions).</strong> Far.</p>",
        uses={"max": "3", "per": "turn"},
    )
    found = creature(item("Roar (Legendary Action)", "<p>Loud.</p>", action(kind="legendaryAction")), preamble)
    assert found.legendary == 3
    assert [(one.name, one.cost, one.price, one.text) for one in found.features] == [
        ("Roar", "legendary", 1, "Loud."),
        ("Leap", "legendary", 2, "Far."),
    ]


def test_a_legendary_action_is_the_same_with_another_apostrophe() -> None:
    preamble = item("Legendary Actions", "<p>It can take 3.</p><p><strong>Fool\u2019s Leap.</strong> Far.</p>")
    found = creature(item("Fool's Leap (Legendary Action)", "<p>Far.</p>", action(kind="legendaryAction")), preamble)
    assert [one.name for one in found.features if one.cost == "legendary"] == ["Fool's Leap"]


def test_several_ways_to_use_one_feature_are_features_by_themselves() -> None:
    text = "<p>It breathes one of these:</p><p><strong>Hot Breath.</strong> Hot.</p><p><strong>Cold Breath.</strong> Cold.</p>"
    hot = action(damage("2d6", "fire"), name="Hot Breath", prompts=save("dex", "13"))
    cold = action(damage("2d8", "cold"), name="Cold Breath", prompts=save("con", "13"))
    found = creature(item("Breaths (Recharge 5-6)", text, hot, cold)).features
    assert [(one.name, one.text, one.damage) for one in found] == [
        ("Breaths", "It breathes one of these:", ""), ("Hot Breath", "Hot.", "2d6 fire"), ("Cold Breath", "Cold.", "2d8 cold"),
    ]  # fmt: skip
    assert found[0].recharge == 5


def test_what_everybody_can_do_is_left_out_and_told_once() -> None:
    basic = item("Shove", "", action(), kind="maneuver", degree=0, exertionCost=0)
    own = item("Whirl", "<p>Spin.</p>", action(), kind="maneuver", degree=2, exertionCost=2)
    found = read(actor(basic, {**basic, "name": "Grapple"}, own))
    assert isinstance(found.record, Creature)
    assert [(one.name, one.shares, one.uses) for one in found.record.features] == [("Whirl", "exertion", 2)]
    assert [report.text for report in found.reports] == ["Shove, Grapple"]


def test_spells_stand_by_level_in_the_spellcasting_feature() -> None:
    spells = [
        item("Light", kind="spell", level=0),
        item("Bane", kind="spell", level=1, uses={"max": "3", "per": "day"}),
        item("Fly", kind="spell", level=3),
    ]
    found = creature(item("Spellcasting", "<p>It knows fly.</p>"), *spells)
    assert found.features[0].text == "It knows fly.\nCantrips: Light\n1st level: Bane (3/day)"
    assert found.spellcasting == "cha"
    assert creature(*spells[:1]).features[0].name == "Spells"


def test_bonuses_that_repeat_what_is_added_already_count_once_and_are_told() -> None:
    skills = {
        "ste": {"ability": "dex", "proficient": 1, "bonuses": {"check": "2"}},
        "ath": {"ability": "str", "bonuses": {"check": "2"}},
    }
    found = read(actor(skills=skills))
    assert isinstance(found.record, Creature)
    assert found.record.skills == (("athletics", 6), ("stealth", 5))
    assert "skills: stealth" in told(found)


def test_a_metre_among_feet_is_a_slip_but_metres_alone_are_metres() -> None:
    base = {"ac": {"baseFormula": "12"}, "hp": {"baseMax": 9}}
    slip = {"walk": {"distance": 30, "unit": "meters"}, "fly": {"distance": 0, "unit": "feet"}}
    metric = {"walk": {"distance": 9, "unit": "m"}, "fly": {"distance": 18, "unit": "meters"}}
    senses = {"darkvision": {"distance": 60, "unit": "feet"}}
    found = read(actor(attributes={**base, "movement": slip, "senses": senses}))
    assert isinstance(found.record, Creature)
    assert found.record.speeds == (("walk", 30),)
    assert "speeds: walk" in told(found)
    assert creature(attributes={**base, "movement": metric, "senses": {}}).speeds == (("walk", 30), ("fly", 60))


def test_immunity_to_nonmagical_weapons_is_a_figure_and_other_clauses_stay_whole() -> None:
    traits = {
        "size": "med",
        "damageImmunities": ["fire", "Nonmagical Weapons"],
        "damageResistances": ["Damage from silvered arrows"],
    }
    found = read(actor(traits=traits))
    assert isinstance(found.record, Creature)
    assert (found.record.immunities, found.record.mundane_immunity) == (("fire",), True)
    assert found.record.resistances == ("Damage from silvered arrows",)
    assert "resistances" in told(found)


def test_what_cannot_be_read_ends_nothing() -> None:
    broken = actor(name="Broken", attributes={"hp": {"baseMax": None, "value": None}})
    odd: dict[str, Any] = {
        **actor(name="Odd"),
        "items": [{"type": "feature", "name": 7, "system": {"actions": [None]}}, 5],
    }
    party = {**actor(name="Party"), "type": "party"}
    found = list(FORMAT.read([document([broken, odd, party, {**actor(), "name": ""}, actor()])], ""))
    assert [type(one) for one in found] == [UnreadRecord, ImportedRecord, UnreadRecord, UnreadRecord, ImportedRecord]
    assert "hit points" in str(found[0].why if isinstance(found[0], UnreadRecord) else "")


def test_a_character_has_a_level() -> None:
    hero = actor(item("Fighter", kind="class", classLevels=6))
    party = read({**hero, "type": "character"}).record
    assert isinstance(party, Party)
    record = party.creatures[0]
    assert (record.level, record.saves) == (6, (("con", 6),))


@for_each(
    ("data", "ours"),
    [
        (actor(), True),
        ([{"name": "Folder"}, actor()], True),
        ({"actors": [actor()]}, True),
        ({**actor(), "_stats": {}}, True),
        ({**actor(), "_stats": {"systemId": "pf2e"}}, False),
        ({"name": "Sword", "type": "weapon", "system": {}}, False),
        ([], False),
        (None, False),
    ],
)
def test_claims_go_by_content(data: Any, ours: bool) -> None:
    assert FORMAT.claims(document(data)) is ours


@pytest.fixture
def files(real_data: Path) -> list[Path]:
    """Return the real actors."""
    return sorted((real_data / "foundry-a5e" / "monsters").glob("*.json"))


def test_every_real_actor_is_read_with_its_own_figures(files: list[Path]) -> None:
    for file in files:
        found = read_document(file)
        assert isinstance(found, ParsedDocument)
        assert FORMAT.claims(found)
        (result,) = FORMAT.read([found], "")
        assert isinstance(result, ImportedRecord), result
        _same_figures(found.data, result)


def _same_figures(data: Mapping[str, Any], found: ImportedRecord) -> None:
    record = found.record
    assert isinstance(record, Creature)
    system, fields = data["system"], {report.field for report in found.reports}
    own = {key: value["value"] for key, value in system["abilities"].items()}
    assert dict(record.abilities) == own
    assert record.hp == system["attributes"]["hp"]["baseMax"]
    formula = system["attributes"]["ac"]["baseFormula"]
    assert not formula.isdecimal() or record.ac == int(formula) or "ac" in fields
    speeds = {key: one["distance"] for key, one in system["attributes"]["movement"].items() if "distance" in one}
    assert all(dict(record.speeds).get(key, 0) == feet for key, feet in speeds.items())
    proficiency = 2 + max(0, int(-(-system["details"]["cr"] // 1)) - 1) // 4
    saves = {
        key: (own[key] - 10) // 2 + proficiency for key, one in system["abilities"].items() if one["save"]["proficient"]
    }
    assert dict(record.saves) == saves
    assert len({one.id for one in record.features}) == len(record.features)


def test_a_link_without_a_label_is_named_or_told() -> None:
    blow = {**item("Great Blow"), "_id": "aB3dE5gH7jK9mN1p"}
    text = "<p>As @UUID[Actor.x.Item.aB3dE5gH7jK9mN1p], or @UUID[Compendium.a.b.qQ3dE5gH7jK9mN1p].</p>"
    found = read(actor(item("Rush", text), blow))
    assert isinstance(found.record, Creature)
    assert found.record.features[0].text == "As Great Blow, or [another document]."
    assert [one.text for one in found.reports if one.field == "Rush: text"] == [
        "@UUID[Compendium.a.b.qQ3dE5gH7jK9mN1p]"
    ]


@pytest.mark.parametrize(
    ("on_save", "half"),
    [
        ("The creature can move up to half its Speed.", False), ("moves half their movement", False),
        ("Half damage", True), ("half", True),
    ],
)  # fmt: skip
def test_half_a_speed_after_a_save_is_not_half_the_damage(on_save: str, half: bool) -> None:
    text = "<p>The creature makes a DC 17 Dexterity saving throw or takes 50 (10d8 + 5) bludgeoning damage.</p>"
    crush = action(damage("10d8 + 5", "bludgeoning"), prompts=save("dex", "17", on_save))
    assert feature(item("Crush", text, crush)).half is half


def test_a_feature_for_the_bloodied_and_for_a_form_needs_both_and_repeats_are_left_out() -> None:
    text, bites = "<p>The werewolf makes a bite attack.</p>", action(attack(), damage("1d8", "piercing"))
    frenzy = item("Savage Bite (Wolf / Hybrid Form)", text, action(kind="bonusAction"), requiresBloodied=True)
    swallowed = "If a swallowed creature deals 35 or more damage to the ogre in a single turn, or if the ogre dies, the ogre vomits up all swallowed creatures."
    shapes = "<p>The werewolf changes its form to a wolf, a wolf-humanoid hybrid, or into its true form.</p>"
    items = (
        item("Bite", swallowed, bites),
        frenzy,
        frenzy,
        item("Swallowed Damage", swallowed),
        item("Shapeshift", shapes, action()),
    )
    record = postprocessed(read(actor(*items))).record
    assert isinstance(record, Creature)
    assert [each.name for each in record.features] == [
        "Bite",
        "Savage Bite (Wolf / Hybrid Form) (While Bloodied)",
        "Swallowed Damage",
        "Shapeshift",
        "Spits Out",
    ]
    assert record.features[1].only == "bloodied, (form:wolf | form:wolf-humanoid-hybrid)"
