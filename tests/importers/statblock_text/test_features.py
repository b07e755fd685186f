"""Numbers from prose: each of the three styles, and text that must not become a number."""

from __future__ import annotations

from typing import Any

import pytest

from tests.for_each import for_each
from tests.importers import hostile
from turnwright.encounter.prepared import Feature, InflictedCondition, OtherDamage
from turnwright.importers.statblock_text.damage import afflictions_in
from turnwright.importers.statblock_text.features import feature_of, with_multiattacks, with_options
from turnwright.storage.atomic import IdAllocator
from turnwright.storage.fights import ConversionReport


def read(text: str, name: str = "Bite", known: dict[str, Any] | None = None) -> tuple[Feature, list[str]]:
    """Return the feature of a text, and what was told of it."""
    report = ConversionReport("Somebody")
    feature = feature_of(IdAllocator(), name, text, "action", report, known)
    return feature, [f"{note.field}: {note.why}" for note in report.notes]


def figures(feature: Feature) -> dict[str, Any]:
    """Return the figures that were read from prose."""
    return {field: getattr(feature, field) for field in feature.read}


_HIT = "one target. Hit: 6 (1d6 + 3) fire damage."
_DAGGER = "one target. Hit: 5 (1d4 + 3) piercing damage."
SPELLINGS = [
    ("+7 to hit, range 30/120 ft., one target. Hit: 8 (1d8 + 4) fire damage.", 7, 0, "30/120", "1d8+4 fire"),
    (f"The mage hurls embers. +5 to hit, reach 10 ft., {_HIT}", 5, 10, "", "1d6+3 fire"),
    (f"-1 to hit, one target, range 60 ft. {_HIT}", -1, 0, "60", "1d6+3 fire"),
    (f"Melee Weapon Attack: +-2 to hit, reach 5 ft., {_HIT}", -2, 5, "", "1d6+3 fire"),
    (f"Melee Weapon Attack: ++7 to hit, reach 15 ft., {_HIT}", 7, 15, "", "1d6+3 fire"),
    (f"rw +4 to hit, range 80/320 ft., {_HIT}", 4, 0, "80/320", "1d6+3 fire"),
    (f"Melee or Ranged Weapon Attack: +6 to hit, reach 5 ft. or range 20/60, {_HIT}", 6, 5, "20/60", "1d6+3 fire"),
    (f"Ranged Weapon Attack: +6 to hit, range 150/600; {_HIT}", 6, 0, "150/600", "1d6+3 fire"),
    ("Melee Weapon Attack: +9 to hit, reach 10 ft. Hit: 17 (2d10+6) piercing plus 7 (2d6) cold.", 9, 10, "", "2d10+6 piercing + 2d6 cold"),
    ("Melee Weapon Attack: +9 to hit, reach 10 ft., one target. Hit: 7 (1d6 + 4) slashing, and it howls.", 9, 10, "", "1d6+4 slashing"),
    ("Melee Weapon Attack: +9 to hit, reach 10 ft. Hit: 5 (2d4) cold and 3 (1d6) fire.", 9, 10, "", "2d4 cold + 1d6 fire"),
    ("Melee Weapon Attack: +9 to hit, reach 10 ft. Hit: 5 (2d4) cold, and 3 (1d6) fire damage.", 9, 10, "", "2d4 cold + 1d6 fire"),
    ("+4, range 60/120 ft. Hit: 6 (1d6 + 3) Fire damage.", 4, 0, "60/120", "1d6+3 fire"),
    ("+3 to hit. Hit: 6 (1d6 + 3) fire damage.", 3, 0, "", "1d6+3 fire"),
    (f"Melee Weapon Attack: +5 to hit, reach 5 ft., or Ranged Weapon Attack: +5 to hit, range 20/60 ft., {_DAGGER}", 5, 5, "20/60", "1d4+3 piercing"),
    (f"Melee Weapon Attack: +6 to hit, reach 10, {_HIT}", 6, 10, "", "1d6+3 fire"),
    (f"Melee Weapon Attack: +6 to hit, reach 5 it, {_HIT}", 6, 5, "", "1d6+3 fire"),
    (f"Melee Weapon Attack: +5 to hit, reach 5 ft., {_DAGGER} Or Ranged Weapon Attack: +5 to hit, range 30/90 ft., {_DAGGER}", 5, 5, "30/90", "1d4+3 piercing"),
    (f"Ranged Weapon Attack: +5 to hit, range 20/60 ft., {_DAGGER}\nMelee Weapon Attack: +5 to hit, reach 10 ft., {_DAGGER}", 5, 10, "20/60", "1d4+3 piercing"),
    ("Melee Attack Roll: +5, reach 5 ft. Hit: 5 (1d4 + 3) Piercing damage, or Ranged Attack Roll: +5, range 20/60 ft. Hit: 5 (1d4 + 3) Piercing damage.", 5, 5, "20/60", "1d4+3 piercing"),
]  # fmt: skip


@for_each(("text", "attack", "reach", "far", "damage"), SPELLINGS)
def test_an_attack_is_read_however_its_author_spells_it(
    text: str, attack: int, reach: int, far: str, damage: str
) -> None:
    feature, told = read(text)
    assert (feature.attack, feature.reach, feature.range, feature.damage) == (attack, reach, far, damage)
    assert told == []


@pytest.mark.parametrize(
    ("text", "damage"),
    [
        ("Ranged Weapon Attack: +5 to hit, range 40/120 ft., one target. Hit: 9 (1d10 + 4) sonic damage.", "1d10+4 sonic"),
        ("Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 7 (1d6 + 4) slashing damage plus 4 (1d8) holy damage.", "1d6+4 slashing + 1d8 holy"),
        ("Melee Attack Roll: +5, reach 5 ft. Hit: 9 (2d4 + 4) Aether damage.", "2d4+4 aether"),
    ],
)  # fmt: skip
def test_a_damage_type_of_the_author_is_kept_and_told(text: str, damage: str) -> None:
    feature, told = read(text)
    assert feature.damage == damage
    assert [each.partition(" is a damage type")[1] != "" for each in told] == [True]


def test_an_attack_roll_in_an_unknown_sentence_is_told() -> None:
    feature, told = read("The quartz has +6 to hit everything that moves.")
    assert feature.attack is None
    assert told == []
    feature, told = read("The quartz has +6 to hit and deals 6 (1d6 + 3) fire damage.")
    assert feature.attack is None
    assert "Bite: attack: attack roll in an unknown sentence; kept as text only" in told


@pytest.mark.parametrize("save", ["DC 14 Dex save", "DC 14 Dex. saving throw", "DC 14 Dexterity save"])
def test_a_save_may_have_a_short_name(save: str) -> None:
    feature, _ = read(f"Each creature in a 30-foot cone makes a {save}, taking 21 (6d6) fire damage on a failed save.")
    assert (feature.save, feature.dc, feature.damage) == ("dex", 14, "6d6 fire")


def test_further_damage_behind_a_comma_is_told() -> None:
    feature, told = read("Melee Weapon Attack: +5 to hit, reach 5 ft. Hit: 5 (2d4) cold, 3 (1d6) fire damage.")
    assert (feature.damage, told) == ("2d4 cold", ["Bite: damage: kept as text only"])


def test_dice_of_a_hit_that_are_no_known_damage_are_told() -> None:
    feature, told = read("Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 9 (2d8) of woe.")
    assert (feature.attack, feature.damage) == (5, "")
    assert told == ["Bite: damage: kept as text only"]


def test_a_choice_with_a_damage_type_of_the_author_has_no_type() -> None:
    feature, told = read("Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 9 (2d8) cold or psi damage.")
    assert feature.damage == "2d8"
    assert told == ["Bite: damage: choice of damage types; set the type yourself"]


def test_a_second_attack_with_other_numbers_is_told() -> None:
    feature, told = read(f"Melee Weapon Attack: +5 to hit, reach 5 ft., {_DAGGER} Or Ranged Weapon Attack: +3 to hit, range 30/90 ft., {_DAGGER}")  # fmt: skip
    assert (feature.attack, feature.reach, feature.range) == (5, 5, "")
    assert "Bite: attack: second attack; only the first was read" in told


PROSE = [
    (
        (
            "Melee Weapon Attack: +9 to hit, reach 10 ft., one target. Hit: 12 (2d6 + 5) bludgeoning damage plus 3 (1d6) fire "
            "damage."
        ),
        {"attack": 9, "reach": 10, "damage": "2d6+5 bludgeoning + 1d6 fire"},
    ),
    (
        (
            "Melee or Ranged Weapon Attack: +4 to hit, reach 5 ft. or range 20/60 ft., one target. Hit: 5 (1d6 + 2) piercing "
            "damage, or 6 (1d8 + 2) piercing damage if used with two hands to make a melee attack."
        ),
        {
            "attack": 4,
            "reach": 5,
            "range": "20/60",
            "damage": "1d6+2 piercing",
            "other_damage": (OtherDamage("with two hands", "1d8+2 piercing"),),
        },
    ),
    (
        (
            "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 7 (1d8 + 3) bludgeoning damage, or 8 (1d10 + 3) "
            "bludgeoning damage if used with two hands to make a melee attack, plus 3 (1d6) fire damage."
        ),
        {
            "attack": 5,
            "reach": 5,
            "damage": "1d8+3 bludgeoning + 1d6 fire",
            "other_damage": (OtherDamage("with two hands", "1d10+3 bludgeoning + 1d6 fire"),),
        },
    ),
    (
        "Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 9 (4d4) piercing damage, or 5 (2d4) piercing damage if bloodied.",
        {
            "attack": 4,
            "reach": 5,
            "damage": "4d4 piercing",
            "other_damage": (OtherDamage("if bloodied", "2d4 piercing", "bloodied"),),
        },
    ),
    (
        "Ranged Weapon Attack: +4 to hit, range 30/120 ft., one target. Hit: 5 (1d6 + 2) piercing damage, or 12 (3d6 + 2) piercing damage if the attack is made with advantage.",
        {
            "attack": 4,
            "range": "30/120",
            "damage": "1d6+2 piercing",
            "other_damage": (
                OtherDamage("if the attack is made with advantage", "3d6+2 piercing", "rolls-with:advantage"),
            ),
        },
    ),
    (
        "Ranged Spell Attack: +6 to hit, range 150 ft., one target. Hit: 10 (3d6) fire damage. If the target is a creature  it catches on fire  taking 5 (1d10) ongoing fire damage.",
        {"attack": 6, "properties": ("spell",), "range": "150", "damage": "3d6 fire", "ongoing": "1d10 fire"},
    ),
    (
        "Melee Spell Attack: +5 to hit, reach 5 ft., one creature. Hit: The target falls asleep for 4 hours or until it takes damage or is shaken awake.",
        {
            "attack": 5,
            "properties": ("spell",),
            "reach": 5,
            "afflictions": (InflictedCondition("unconscious", "hurt", lasts="4 hours", wakes="action"),),
        },
    ),
    (
        "Melee Spell Attack: +6 to hit, reach 5 ft., one creature. Hit: The target is charmed for 1 hour or until it takes damage.",
        {
            "attack": 6,
            "properties": ("spell",),
            "reach": 5,
            "afflictions": (InflictedCondition("charmed", "hurt", lasts="1 hour"),),
        },
    ),
    (
        "Ranged Spell Attack: +5 to hit, range 120 ft., one creature. Hit: 10 (3d6) fire damage.",
        {"attack": 5, "properties": ("spell",), "range": "120", "damage": "3d6 fire"},
    ),
    (
        "Melee Weapon Attack: \N{MINUS SIGN}1 to hit, reach 5 ft., one target. Hit: 1 piercing damage.",
        {"attack": -1, "reach": 5, "damage": "1 piercing"},
    ),
    (
        "Melee Weapon Attack: +1 to hit, reach 5 ft., one target. Hit: 1 (1d4 \N{EN DASH} 1) piercing damage.",
        {"attack": 1, "reach": 5, "damage": "1d4-1 piercing"},
    ),
    (
        "Melee Attack Roll: +4, reach 5 ft. 5 (1d6 + 2) Piercing damage plus 5 (2d4) Poison damage.",
        {"attack": 4, "reach": 5, "damage": "1d6+2 piercing + 2d4 poison"},
    ),
    (
        "Melee Attack Roll: +9, reach 15 ft. Hit: 12 (2d6 + 5) Bludgeoning damage, and the target has the Prone condition.",
        {"attack": 9, "reach": 15, "damage": "2d6+5 bludgeoning", "afflictions": (InflictedCondition("prone"),)},
    ),
    (
        "Ranged Attack Roll: +5, range 30/120 ft. 6 (1d6 + 3) Piercing damage.",
        {"attack": 5, "range": "30/120", "damage": "1d6+3 piercing"},
    ),
    (
        (
            "Each creature in that line must make a DC 18 Dexterity saving throw, taking 49 (11d8) acid damage on a failed save, "
            "or half as much damage on a successful one. It is 60 feet long: a 60-foot line that is 5 feet wide."
        ),
        {"save": "dex", "dc": 18, "area": "60-foot line, 5 feet wide", "damage": "11d8 acid", "half": True},
    ),
    (
        (
            "Dexterity Saving Throw: DC 15, each creature in a 60-foot-long, 5-foot-wide Line. Failure: 31 (7d8) Lightning "
            "damage. Success: Half damage."
        ),
        {"save": "dex", "dc": 15, "area": "60-foot line, 5 feet wide", "damage": "7d8 lightning", "half": True},
    ),
    (
        "Each creature of its choice that is within 120 feet and aware of it must succeed on a DC 16 Wisdom saving throw or be frightened.",
        {"save": "wis", "dc": 16, "range": "120", "afflictions": (InflictedCondition("frightened"),)},
    ),
    (
        "Each creature within 20 feet of it that isn't a demon must succeed on a DC 14 Constitution saving throw or be stunned.",
        {
            "save": "con",
            "dc": 14,
            "area": "20-foot radius",
            "when": "not other.type:demon",
            "afflictions": (InflictedCondition("stunned"),),
        },
    ),
    (
        "Each humanoid  fey  or giant within 30 feet that can hear it makes a DC 13 Wisdom saving throw or is charmed.",
        {
            "save": "wis",
            "dc": 13,
            "range": "30",
            "when": "(other.type:humanoid | other.type:fey | other.type:giant), not other.deafened",
            "afflictions": (InflictedCondition("charmed"),),
        },
    ),
    (
        "One undead the priest can see within 60 feet must succeed on a DC 14 Wisdom saving throw or be frightened.",
        {
            "save": "wis",
            "dc": 14,
            "range": "60",
            "targets": 1,
            "when": "other.type:undead",
            "afflictions": (InflictedCondition("frightened"),),
        },
    ),
    (
        "Wisdom Saving Throw: DC 11, any Beast or Humanoid within 30 feet. Failure: The target has the Charmed condition.",
        {
            "save": "wis",
            "dc": 11,
            "when": "other.type:beast | other.type:humanoid",
            "afflictions": (InflictedCondition("charmed"),),
        },
    ),
    (
        "Constitution Saving Throw: DC 20, each creature that isn't an Undead in a 20-foot Emanation. Failure: 31 (9d6) Necrotic damage.",
        {
            "save": "con",
            "dc": 20,
            "area": "20-foot emanation",
            "damage": "9d6 necrotic",
            "when": "not other.type:undead",
        },
    ),
    (
        "Any creature that starts its turn within 5 feet of it must succeed on a DC 10 Constitution saving throw or be poisoned.",
        {"save": "con", "dc": 10, "afflictions": (InflictedCondition("poisoned"),)},
    ),
    (
        (
            "The dragon breathes gas in a 60-foot cone. Each creature in the area makes a DC 16 Constitution saving throw. On a "
            "failure  it takes 44 (8d10) poison damage and is poisoned for 1 minute."
        ),
        {
            "save": "con",
            "dc": 16,
            "area": "60-foot cone",
            "damage": "8d10 poison",
            "afflictions": (InflictedCondition("poisoned", lasts="1 minute"),),
        },
    ),
    (
        (
            "Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 6 (1d8+2) piercing damage and the target makes a DC "
            "12 Constitution saving throw  taking 16 (3d10) poison damage on a failure or half damage on a success."
        ),
        {
            "attack": 4,
            "reach": 5,
            "damage": "1d8+2 piercing",
            "save": "con",
            "dc": 12,
            "save_damage": "3d10 poison",
            "half": True,
        },
    ),
    (
        (
            "Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 24 (4d8 + 4) fire damage  and the target suffers 5 "
            "(1d10) ongoing fire damage."
        ),
        {"attack": 4, "reach": 5, "damage": "4d8+4 fire", "ongoing": "1d10 fire"},
    ),
    (
        (
            "Each creature within 10 ft. of the dragon must succeed on a DC 19 Dexterity saving throw or take 13 (2d6 + 6) "
            "bludgeoning damage and be knocked prone."
        ),
        {
            "save": "dex",
            "dc": 19,
            "area": "10-foot radius",
            "damage": "2d6+6 bludgeoning",
            "afflictions": (InflictedCondition("prone"),),
        },
    ),
    (
        (
            "The mage is a spellcaster. Its spellcasting ability is Intelligence (spell save DC 14, +6 to hit with spell "
            "attacks)."
        ),
        {"dc": 14, "attack": 6},
    ),
    ("The aboleth can breathe air and water.", {}),
    ("The wolf has advantage on attack rolls while it is prone.", {}),
    ("It takes a DC 15 Strength (Athletics) check to break free.", {}),
    ("It makes a Constitution saving throw with a DC of 5 + the damage taken.", {}),
]


@for_each(("text", "expected"), PROSE)
def test_prose_gives_its_figures_and_no_others(text: str, expected: dict[str, Any]) -> None:
    feature, _ = read(text)
    assert figures(feature) == expected
    assert feature.text == text


@for_each(
    ("text", "afflictions", "push"),
    [
        ("Hit: 5 (1d6 + 2) piercing damage, and the target is grappled (escape DC 14).", (InflictedCondition("grappled", "never", 14),), 0),
        ("Hit: 5 (1d6 + 2) piercing damage, and the target is poisoned until the end of its turn.", (InflictedCondition("poisoned", "turn-end"),), 0),
        ("Hit: 5 (1d6 + 2) piercing damage. The target is poisoned until the end of its next turn.", (InflictedCondition("poisoned", "turn-end"),), 0),
        ("Hit: 5 (1d6 + 2) damage, and the target has the Blinded and Restrained conditions until the start of its next turn.", (InflictedCondition("blinded", "turn-start"), InflictedCondition("restrained", "turn-start")), 0),
        ("Hit: 5 (1d6 + 2) damage, and the target is stunned until the start of the dragon's next turn.", (InflictedCondition("stunned", "owner-start"),), 0),
        ("Hit: The target must succeed on a DC 11 Strength saving throw or be knocked prone.", (InflictedCondition("prone"),), 0),
        ("Hit: If the target is a creature, it must succeed on a DC 11 Strength saving throw or be knocked prone.", (InflictedCondition("prone"),), 0),
        ("Hit: 5 damage. The target makes a DC 15 Strength saving throw. On a failure, it is pushed up to 10 feet away and knocked prone.", (InflictedCondition("prone"),), 10),
        ("Hit: 5 damage and the target makes a DC 15 Constitution saving throw, becoming poisoned for 1 minute on a failure.", (InflictedCondition("poisoned", lasts="1 minute"),), 0),
        ("Hit: 5 damage. If the target is a Medium or smaller creature, it is grappled (escape DC 13).", (InflictedCondition("grappled", escape_dc=13, when="up-to:medium"),), 0),
        ("Hit: 5 damage. If the target is a Large or smaller creature, it makes a DC 19 Strength saving throw. On a failure, it is knocked prone.", (InflictedCondition("prone", when="up-to:large"),), 0),
        ("Hit: 5 damage, and the target is pulled 5 feet towards the crab and grappled (escape DC 14) and restrained.", (InflictedCondition("grappled", escape_dc=14), InflictedCondition("restrained", bound_to="grappled")), -5),
        ("Hit: 5 damage. The target makes a DC 14 Strength saving throw. On a failure, it is pulled up to 15 feet towards the crab.", (), -15),
        ("Hit: 5 damage, and the target is grappled (escape DC 14) if the crab isn't already grappling a creature.", (InflictedCondition("grappled", escape_dc=14),), 0),
        ("Hit: 5 damage, and the target is grappled by the claw (escape DC 14) and restrained.", (InflictedCondition("grappled", escape_dc=14), InflictedCondition("restrained", bound_to="grappled")), 0),
        ("Hit: 5 damage. The target makes a DC 13 Charisma saving throw. On a failure, it is frightened for 1 minute. While frightened in this way, a creature is paralyzed.", (InflictedCondition("frightened", lasts="1 minute"), InflictedCondition("paralyzed", bound_to="frightened")), 0),
        ("Hit: 5 damage, and the target is restrained until the grapple ends.", (InflictedCondition("restrained", bound_to="grappled"),), 0),
        ("Hit: 5 damage. The target is grappled (escape DC 14). Until this grapple ends, the target is restrained, and the snake can't constrict another target.", (InflictedCondition("grappled", escape_dc=14), InflictedCondition("restrained", bound_to="grappled")), 0),
        ("Hit: 5 damage. If the target is a Large or smaller creature, it has the Grappled condition (escape DC 14), and it has the Restrained condition until the grapple ends.", (InflictedCondition("grappled", escape_dc=14, when="up-to:large"), InflictedCondition("restrained", bound_to="grappled")), 0),
        ("Hit: 5 damage, and the target must succeed on a DC 11 Constitution saving throw or be poisoned for 1 hour. If the saving throw fails by 5 or more, the target falls unconscious for the same duration, or until it takes damage.", (InflictedCondition("poisoned", lasts="1 hour"), InflictedCondition("unconscious", "hurt", margin=5, lasts="1 hour")), 0),
        ("Hit: The target must succeed on a DC 13 Constitution saving throw or be poisoned for 24 hours. While poisoned in this way, the target is unconscious.", (InflictedCondition("poisoned", lasts="24 hours"), InflictedCondition("unconscious", bound_to="poisoned")), 0),
        ("Hit: The target is restrained by webbing. As an action, the restrained target can make a DC 12 Strength check, bursting the webbing on a success.", (InflictedCondition("restrained", escape_dc=12, break_free="action", escape="str"),), 0),
        ("Hit: The target must succeed on a DC 11 Wisdom saving throw or be frightened and stunned for 2 rounds.", (InflictedCondition("frightened", lasts="2 rounds"), InflictedCondition("stunned", lasts="2 rounds")), 0),
        ("Hit: 5 damage, and the dragon pushes the target 10 feet away.", (), 10),
        ("Hit: 5 damage. If the target is a humanoid, it must succeed on a DC 13 Constitution saving throw or be cursed with lycanthropy.", (InflictedCondition("cursed", when="type:humanoid"),), 0),
        ("Hit: the target is restrained. A creature can use an action to make a DC 12 Strength check, freeing itself or another creature within its reach on a success.", (InflictedCondition("restrained", escape_dc=12, break_free="action", escape="str", wakes="action"),), 0),
        ("Hit: 5 damage and the target makes a DC 12 Constitution saving throw. On a failure it is infected with Sewer Plague.", (InflictedCondition("diseased"),), 0),
        ("Hit: 5 damage. If the target is a creature other than an elf or undead, it must succeed on a DC 10 Constitution saving throw or be paralyzed for 1 minute.", (InflictedCondition("paralyzed", lasts="1 minute", when="not type:elf, not type:undead"),), 0),
        ("Hit: 5 damage. If the target is a non-Undead creature, it makes a DC 10 Constitution saving throw. On a failure, it is poisoned.", (InflictedCondition("poisoned", when="not type:undead"),), 0),
        ("Hit: 5 damage. If the target is a creature, it makes a DC 14 Constitution saving throw. On a failure, the target contracts a disease. While diseased, the target is poisoned.", (InflictedCondition("diseased"), InflictedCondition("poisoned", bound_to="diseased")), 0),
    ],
)  # fmt: skip
def test_what_a_hit_or_a_failed_save_plainly_brings(
    text: str, afflictions: tuple[InflictedCondition, ...], push: int
) -> None:
    feature, told = read(f"Melee Weapon Attack: +4 to hit, reach 5 ft., one target. {text}")
    assert (feature.afflictions, feature.push) == (afflictions, push)
    assert not [one for one in told if "afflictions" in one]


@pytest.mark.parametrize(
    "text",
    [
        "Hit: 5 damage, and the target must succeed on a DC 12 Wisdom saving throw or be blinded or deafened.",
        "Hit: 5 damage, and the target is grappled (escape DC 15) if it is a Large or smaller creature.",
        "Hit: 5 damage, and the target is grappled (escape DC 15). It makes a DC 12 Strength saving throw, taking 5 damage.",
        "Hit: 5 damage. A swallowed creature is blinded and restrained.",
        "Hit: 5 damage. If the attack hits and nobody else is swallowed, the target is restrained.",
    ],
)
def test_what_befalls_only_some_is_text_and_told(text: str) -> None:
    feature, told = read(f"Melee Weapon Attack: +4 to hit, reach 5 ft., one target. {text}")
    assert feature.afflictions == ()
    assert any("afflictions" in one for one in told)


def test_a_check_after_a_hit_is_made_instead_of_a_save() -> None:
    text = "Hit: 5 damage, and the target makes a DC 13 Strength check. On a failure  it is knocked prone."
    feature, _ = read(f"Melee Weapon Attack: +4 to hit, reach 5 ft., one target. {text}")
    assert (feature.save, feature.dc, feature.properties) == ("str", 13, ("by-check",))
    assert [one.condition for one in feature.afflictions] == ["prone"]


def test_an_area_after_the_one_that_saves_is_not_the_features() -> None:
    text = "One creature within 60 feet makes a DC 13 Wisdom saving throw, taking 5 (1d10) psychic damage on a failure. Each creature in a 30-foot-radius sphere around it hears it."
    assert read(text)[0].area == ""


@pytest.mark.parametrize(
    "text",
    [
        "Hit: 5 (1d6 + 2) damage. While poisoned in this way, the target is paralyzed.",
        "Hit: 5 (1d6 + 2) damage. The target can't be charmed by it.",
        "Hit: 5 (1d6 + 2) damage. The attack has advantage against a prone target.",
    ],
)
def test_speaking_of_a_condition_is_not_imposing_it(text: str) -> None:
    assert read(f"Melee Weapon Attack: +4 to hit, reach 5 ft., one target. {text}")[0].afflictions == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Melee Attack Roll: +4, reach 5 ft. 5 (1d6 + 2) Slashing damage, plus 2 (1d4) Slashing damage at the end of its turn.", "conditional damage"),
        ("Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 10 (3d6) radiant or necrotic damage.", "choice of damage types"),
        ("Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 9 (4d4) piercing damage, or 5 (2d4) fire damage and it burns.", "alternative damage"),
        ("A swallowed creature takes 21 (6d6) acid damage at the start of each of its turns.", "kept as text only"),
        ("It makes a DC 11 Dexterity saving throw, taking 22 (Sd8) acid damage on a failed save.", "kept as text only"),
        ("DC 11 Dexterity saving throw or take 3 (1d6) fire damage, then a DC 15 Wisdom saving throw or sleep.", "further saving throw"),
    ],
)  # fmt: skip
def test_what_no_figure_has_is_told(text: str, said: str) -> None:
    assert any(said in one for one in read(text)[1])


def test_damage_that_only_a_good_roll_brings_is_not_in_the_expression() -> None:
    feature, _ = read(
        "Melee Attack Roll: +4, reach 5 ft. 5 (1d6 + 2) Slashing damage, plus 2 (1d4) Slashing damage if it had Advantage."
    )
    assert feature.damage == "1d6+2 slashing"


def test_a_choice_of_types_leaves_the_dice_without_one() -> None:
    feature, _ = read(
        "Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 10 (3d6) radiant or necrotic damage."
    )
    assert feature.damage == "3d6"


def test_a_type_said_twice_is_no_choice() -> None:
    feature, told = read("Melee Spell Attack: +4 to hit, reach 5 ft. Hit: 22 (4d10) psychic psychic damage.")
    assert feature.damage == "4d10 psychic"
    assert not told


def test_an_attack_whose_head_stands_elsewhere_begins_with_what_its_hit_brings() -> None:
    known = {"attack": 5, "damage": "1d6+3 slashing"}
    feature, _ = read("If the target is a creature, it is grappled - escape DC12.", known=known)
    assert feature.afflictions == (InflictedCondition("grappled", escape_dc=12),)
    feature, _ = read("If the attack hits, the target is restrained until it is free.", known=known)
    assert feature.afflictions == (InflictedCondition("restrained"),)
    text = "If the target is a living creature, it makes a DC 10 Constitution saving throw. On a failure, it is paralyzed and takes 3 (1d6) cold damage."
    feature, _ = read(text, known=known)
    living = (InflictedCondition("paralyzed", when="not type:undead, not type:construct"),)
    assert (feature.save, feature.dc, feature.save_damage, feature.afflictions) == ("con", 10, "1d6 cold", living)


def test_the_dc_of_spells_is_no_saving_throw_of_the_feature() -> None:
    for said in (
        "Charisma Save DC 17.",
        "Charisma (save DC 17).",
        "Charisma (spell save DC 17, +9 to hit with spell attacks).",
    ):
        feature, _ = read(f"Its spellcasting ability is {said} It can cast fog cloud.", "Innate Spellcasting")
        assert (feature.save, feature.dc) == ("", 17), said
    feature, _ = read("Its spellcasting ability is Wisdom. The target makes a DC 12 Charisma saving throw.")
    assert (feature.save, feature.dc) == ("cha", 12)


def test_dice_that_nobody_can_throw_are_text_and_told() -> None:
    text = "Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: 9999 (999d9999 + 2) fire damage."
    feature, told = read(text)
    assert (feature.attack, feature.damage, feature.text) == (5, "", text)
    assert "damage" not in feature.read
    assert any("not a possible roll" in one for one in told)
    feature, told = read("It bites.", known={"attack": 5, "damage": "99999999d6 fire", "ongoing": "1d6 acid"})
    assert (feature.damage, feature.ongoing, feature.text) == ("", "1d6 acid", "It bites.\nDamage: 99999999d6 fire.")
    assert any("not a possible roll" in one for one in told)
    others = (OtherDamage("in the dark", "1d6 {{"), OtherDamage("with two hands", "1d8 acid"))
    feature, told = read("It bites.", known={"attack": 5, "other_damage": others})
    assert (feature.other_damage, feature.text) == (others[1:], "It bites.\nDamage in the dark: 1d6 {{.")
    assert any("not a possible roll" in one for one in told)


def test_the_name_gives_figures_too() -> None:
    feature, _ = read("The dragon roars.", "Roar (3/Day; Costs 2 Actions, Bear Form Only)")
    assert (feature.name, feature.uses, feature.per, feature.price) == ("Roar (Bear Form Only)", 3, "day", 2)
    assert read("", "Breath (Recharge 5\N{EN DASH}6)")[0].recharge == 5
    assert read("", "Ward (Recharges after a Short or Long Rest)")[0].per == "rest"


def test_spells_that_stand_among_the_actions() -> None:
    for name, text in (
        ("Web (2nd-Level; V, S, Concentration)", "It spins."),
        ("Web", "(2nd-Level; V, S, Concentration) It spins."),
    ):
        feature, _ = read(text, name)
        assert (feature.properties, feature.concentration, feature.level) == (("spell",), True, None)
    assert read("It spins.", "Web (Spider Form Only; Concentration)")[0].properties == ()


def test_legendary_resistance_is_what_its_name_and_words_say() -> None:
    feature, _ = read("If it fails a saving throw, it can choose to succeed instead.", "Legendary Resistance (3/Day)")
    assert (feature.uses, feature.properties) == (3, ("legendary-resistance",))
    given, _ = read("It can choose to succeed instead.", "Legendary Resistance", {"uses": 2})
    assert (given.uses, given.properties) == (2, ("legendary-resistance",))


def test_the_sources_own_figures_win_and_are_not_read_from_prose() -> None:
    text = "Melee Weapon Attack: +9 to hit, reach 10 ft., one target. Hit: 12 (2d6 + 5) slashing damage."
    feature, told = read(text, known={"attack": 7, "damage": "2d6 + 5 slashing"})
    assert (feature.attack, feature.damage, feature.reach) == (9, "2d6 + 5 slashing", 10)
    assert set(feature.read) == {"attack", "reach"}
    assert told == ["Bite: attack: text value 9 used; the data says 7"]


def test_marks_are_taken_out_before_it_is_read() -> None:
    feature, _ = read(
        "<p><em>Melee Weapon Attack:</em> +4 to hit, reach&nbsp;5 ft. <b>Hit:</b> 5 (1d6 + 2) fire damage.</p>"
    )
    assert figures(feature) == {"attack": 4, "reach": 5, "damage": "1d6+2 fire"}
    assert "<" not in feature.text


@for_each("text", hostile.PROSE, ids=range(len(hostile.PROSE)))
def test_hostile_prose_is_read_to_its_end(text: str) -> None:
    feature, _ = read(text, "Multiattack")
    with_multiattacks((feature, read("+1 to hit Melee Attack: +1", "Bite")[0]), ConversionReport("x"))
    assert feature.text


def test_conditions_are_not_looked_for_in_texts_without_end() -> None:
    text = "the target is prone and pushed 5 feet. " * 30_000
    assert afflictions_in(text, 0, (0, 1), hit=True) == ((), 0, (text,))


FIGHTER = ("Bite", "Claws", "Tail", "Longbow", "Fire Spit (Recharge 6)")
_BOW = "Ranged Weapon Attack: +4 to hit, range 80/320 ft., one target. Hit: 5 (1d6) piercing damage."
_BLOW = "Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 5 (1d6) piercing damage."


@for_each(
    ("text", "ways", "attacks"),
    [
        ("It makes three attacks: one with its bite and two with its claws.", [{"bite": 1, "claws": 2}], 3),
        ("It attacks once with its bite and twice with its claws.", [{"bite": 1, "claws": 2}], 3),
        ("It attacks with its bite and tail.", [{"bite": 1, "tail": 1}], 2),
        ("It makes two claw attacks.", [{"claws": 2}], 2),
        ("It uses Fire Spit and makes two claw attacks.", [{"fire-spit": 1, "claws": 2}], 2),
        ("It makes two claw attacks  two tail attacks  or one bite attack.", [{"claws": 2}, {"tail": 2}, {"bite": 1}], 2),
        ("It makes two attacks, using Bite or Tail in any combination.", [{"bite": 2}, {"bite": 1, "tail": 1}, {"tail": 2}], 2),
        ("It makes two Bite attacks. It can replace one attack with a use of Fire Spit.", [{"bite": 2}, {"bite": 1, "fire-spit": 1}], 2),
        ("It attacks with its bite and twice with its claws. In place of its bite  it can use Fire Spit.", [{"bite": 1, "claws": 2}, {"claws": 2, "fire-spit": 1}], 3),
        ("It makes two attacks, either with its bite or its tail.", [{"bite": 2}, {"bite": 1, "tail": 1}, {"tail": 2}], 2),
        ("It makes two bite attacks, each of which it can replace with one use of Fire Spit.", [{"bite": 2}, {"bite": 1, "fire-spit": 1}, {"fire-spit": 2}], 2),
        ("It makes two bite attacks. It can replace any melee attack with Fire Spit.", [{"bite": 2}, {"bite": 1, "fire-spit": 1}, {"fire-spit": 2}], 2),
        ("It makes two melee attacks: two with its bite. It can use Fire Spit in place of any melee attack.", [{"bite": 2}, {"bite": 1, "fire-spit": 1}, {"fire-spit": 2}], 2),
        ("It makes two bite attacks. One of these can be replaced with a tail attack.", [{"bite": 2}, {"bite": 1, "tail": 1}], 2),
        ("It makes three melee attacks, only one of which can be a bite.", [{"bite": 1, "claws": 2}, {"bite": 1, "claws": 1, "tail": 1}, {"bite": 1, "tail": 2}, {"claws": 3}, {"claws": 2, "tail": 1}, {"claws": 1, "tail": 2}, {"tail": 3}], 3),
        ("It makes two claw attacks and uses Fire Spit.", [{"claws": 2, "fire-spit": 1}], 2),
        ("It makes two ranged attacks, one of which can be Fire Spit.", [{"longbow": 2}, {"longbow": 1, "fire-spit": 1}], 2),
        ("It makes two attacks with its bite and tail.", [{"bite": 1, "tail": 1}], 2),
        ("It makes three tail attacks. It can replace two attacks with a use of Fire Spit.", [{"tail": 3}, {"tail": 1, "fire-spit": 1}], 3),
        ("It makes two tail attacks or two longbow attacks. It can use Fire Spit in place of one tail attack.", [{"tail": 2}, {"longbow": 2}, {"tail": 1, "fire-spit": 1}], 2),
        ("It makes two attacks, using Bite and Tail in any combination.", [{"bite": 2}, {"bite": 1, "tail": 1}, {"tail": 2}], 2),
        ("It attacks two different targets with its bite and its tail.", [{"bite": 1, "tail": 1}], 2),
        ("It makes two ranged attacks.", [{"longbow": 2}], 2),
        ("It makes 1d3 tail attacks.", [{"tail": 1}, {"tail": 2}, {"tail": 3}], 3),
        ("It makes two melee attacks, each with a different weapon.", [{"bite": 1, "claws": 1}, {"bite": 1, "tail": 1}, {"claws": 1, "tail": 1}], 2),
        ("It makes two tail attacks, or it makes three tail attacks if it used Haste this turn.", [{"tail": 2}, {"tail": 3}], 3),
        ("It makes two melee weapon attacks.", [{"bite": 2}, {"bite": 1, "claws": 1}, {"bite": 1, "tail": 1}, {"claws": 2}, {"claws": 1, "tail": 1}, {"tail": 2}], 2),
        ("The tail hunter makes two Claws attacks and uses Fire Spit.", [{"claws": 2, "fire-spit": 1}], 2),
        ("It makes one Longbow attack and two other attacks, using Bite or Tail in any combination.", [{"longbow": 1, "bite": 2}, {"longbow": 1, "bite": 1, "tail": 1}, {"longbow": 1, "tail": 2}], 3),
        ("It makes two Claws attacks and uses Bite, Tail, or Fire Spit.", [{"claws": 2, "bite": 1}, {"claws": 2, "tail": 1}, {"claws": 2, "fire-spit": 1}], 3),
        ("It makes two Claws attacks. It can replace one attack with a use of Fire Spit if available.", [{"claws": 2}, {"claws": 1, "fire-spit": 1}], 2),
        ("It makes two longbow attacks, or one with its bite and one with its tail.", [{"longbow": 2}, {"bite": 1, "tail": 1}], 2),
        # a total before its parts isn't added to them, and a feature called Attack isn't meant by the word
        ("The warden makes four attacks using her Claws.", [{"claws": 4}], 4),
        ("It makes two attacks with its tail.", [{"tail": 2}], 2),
        ("The hulk makes five attacks: three with its claws and two with its tail.", [{"claws": 3, "tail": 2}], 5),
        ("The hulk makes two ranged attacks with its longbow and uses Fire Spit.", [{"longbow": 2, "fire-spit": 1}], 2),
        ("It makes three melee attacks with its claws and can use Fire Spit.", [{"claws": 3, "fire-spit": 1}], 3),
        ("The seer makes two weapon attacks with her tail and casts Fire Spit.", [{"tail": 2, "fire-spit": 1}], 2),
        ("It makes two attacks, using its Bite, its Tail, or both.", [{"bite": 2}, {"bite": 1, "tail": 1}, {"tail": 2}], 2),
        ("The scout makes three attacks using Claws, Tail, or both.", [{"claws": 3}, {"claws": 2, "tail": 1}, {"claws": 1, "tail": 2}, {"tail": 3}], 3),
        ("The scout makes two attacks with her claws and tail, in any combination.", [{"claws": 2}, {"claws": 1, "tail": 1}, {"tail": 2}], 2),
        ("It can make four attacks; three with its tails and one with its bite.", [{"tail": 3, "bite": 1}], 4),
        ("The brute makes three melee attacks, two with his claws and one with Tail.", [{"claws": 2, "tail": 1}], 3),
        ("The brute makes two attacks, one with its bite and one with its longbow.", [{"bite": 1, "longbow": 1}], 2),
        ("The chief attacks three times. Twice with his bite and once with his tail.", [{"bite": 2, "tail": 1}], 3),
        ("It makes two attacks. One with its claws and one with its tail.", [{"claws": 1, "tail": 1}], 2),
        ("The stag attacks twice, once with its bite and once with its claws.", [{"bite": 1, "claws": 1}], 2),
        ("The worm makes three claw attacks, or uses its Fire Spit and makes a claw attack.", [{"claws": 3}, {"fire-spit": 1, "claws": 1}], 3),
        ("It makes two tail attacks or uses Fire Spit.", [{"tail": 2}, {"fire-spit": 1}], 2),
        ("It makes one bite attack, or uses Fire Spit and makes two claw attacks.", [{"bite": 1}, {"fire-spit": 1, "claws": 2}], 2),
        ("The hulk makes one ranged attack and uses its Fire Spit.", [{"longbow": 1, "fire-spit": 1}], 1),
        ("Tail makes two Claws attacks and two Bite attacks.", [{"claws": 2, "bite": 2}], 4),
        ("Longbow uses Fire Spit and makes one Bite attack.", [{"fire-spit": 1, "bite": 1}], 1),
        ("Claws the Elder makes three Tail attacks.", [{"tail": 3}], 3),
        ("The gnoll bites once and attacks twice with its claws.", [{"bite": 1, "claws": 2}], 3),
    ],
)  # fmt: skip
def test_a_multiattack_names_what_it_gives(text: str, ways: list[dict[str, int]], attacks: int) -> None:
    report, ids = ConversionReport("Somebody"), IdAllocator()
    features = [feature_of(ids, "Multiattack", text, "action", report)]
    for name in FIGHTER:
        prose = "" if "Spit" in name else _BOW if name == "Longbow" else _BLOW
        features.append(feature_of(ids, name, prose, "action", report))
    features.append(feature_of(ids, "Attack", "It makes one attack.", "legendary", report))
    found = with_multiattacks(tuple(features), report)[0]
    assert [dict(way) for way in found.multiattack] == ways
    assert found.attacks == attacks
    assert found.read == ("multiattack", "attacks")
    assert not report.notes


@pytest.mark.parametrize(
    ("text", "attacks"),
    [
        ("It makes four attacks: one with its bite and two with its claws.", 4),
        ("It makes two attacks: one with its bite, one with its claws, and one with its tail.", 2),
        ("It makes three attacks with its bite and tail.", 3),
        ("It attacks twice, once with its bite and twice with its claws.", 2),
        ("It makes five attacks: one with its bite, two with its claws, and two with its horns.", 5),
    ],
)
def test_a_multiattack_that_does_not_add_up_is_told_and_not_guessed(text: str, attacks: int) -> None:
    report, ids = ConversionReport("Somebody"), IdAllocator()
    features = [feature_of(ids, "Multiattack", text, "action", report)]
    features += [feature_of(ids, name, _BLOW, "action", report) for name in ("Bite", "Claws", "Tail")]
    found = with_multiattacks(tuple(features), report)[0]
    assert (found.multiattack, found.attacks) == ((), attacks)
    assert [note.field for note in report.notes] == ["Multiattack: multiattack"]


@pytest.mark.parametrize(
    "text",
    [
        "It makes as many bite attacks as it has heads.",
        "It makes 1d4 bite attacks for each head.",
        "It makes a bite attack against two different targets.",
    ],
)
def test_a_multiattack_that_is_not_understood_is_told(text: str) -> None:
    report, ids = ConversionReport("Somebody"), IdAllocator()
    features = tuple(
        feature_of(ids, name, said, "action", report) for name, said in (("Multiattack", text), ("Bite", _BLOW))
    )
    found = with_multiattacks(features, report)[0]
    assert found.multiattack == ()
    assert found.attacks == (2 if "two melee attacks" in text else 0)
    assert len(report.notes) == 1


def test_what_a_multiattack_names_and_nobody_has_is_told() -> None:
    report, ids = ConversionReport("Somebody"), IdAllocator()
    text = "It attacks with its pike and its bite."
    features = tuple(
        feature_of(ids, name, said, "action", report) for name, said in (("Multiattack", text), ("Bite", _BLOW))
    )
    assert with_multiattacks(features, report)[0].multiattack == ((("bite", 1),),)
    assert [note.text for note in report.notes] == [text]


def multiattack(text: str, *others: tuple[str, str]) -> list[dict[str, int]]:
    report, ids = ConversionReport("Somebody"), IdAllocator()
    features = [feature_of(ids, "Multiattack", text, "action", report)]
    features += [feature_of(ids, name, _BLOW, cost, report) for name, cost in others]
    return [dict(way) for way in with_multiattacks(tuple(features), report)[0].multiattack]


def test_a_multiattack_takes_actions_before_what_comes_after_others_turns() -> None:
    claws = (("Claw Attack", "legendary"), ("Claw", "action"))
    assert multiattack("It makes two claw attacks.", *claws) == [{"claw": 2}]
    assert multiattack("It makes two claw attacks.", ("Claw", "legendary"), ("Bite", "action")) == [{"claw": 2}]
    tails = (("Bite", "action"), ("Tail Attack", "reaction"))
    assert multiattack("It attacks once with its bite.", *tails) == [{"bite": 1}]


def test_a_multiattack_may_name_gear_by_its_noun() -> None:
    gear = (("Shield, Medium", "action"), ("Trident", "action"))
    text = "It attacks once with its shield and twice with its trident."
    assert multiattack(text, *gear) == [{"shield-medium": 1, "trident": 2}]


@pytest.mark.parametrize(
    "text",
    [
        "If the lurker takes 30 damage or more from a creature inside it, the lurker must succeed on a DC 14 Constitution saving throw.",
        "If a stone is hurled at it, the brute can, with a successful DC 10 Dexterity saving throw, catch it.",
    ],
)
def test_a_save_that_its_owner_makes_is_none_that_it_asks_of_others(text: str) -> None:
    assert (read(text)[0].save, read(text)[0].dc) == ("", 0)
    assert read(f"{text} Each creature within 10 feet makes a DC 15 Wisdom saving throw.")[0].dc == 15


@pytest.mark.parametrize(
    ("hit", "fields"),
    [
        ("7 (1d6 + 4) piercing damage plus 10 (3d6) necrotic damage. The target's hit point maximum is reduced by an amount equal to the necrotic damage taken, and the vampire regains hit points equal to that amount.", {"regains": "necrotic"}),
        ("8 (1d10 + 3) piercing damage, and the zombie regains hit points equal to the damage dealt.", {"regains": "damage"}),
        ("8 (1d10 + 3) piercing damage.", {"regains": ""}),
    ],
)  # fmt: skip
def test_a_hit_heals_as_its_text_says(hit: str, fields: dict[str, str]) -> None:
    text = f"Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: {hit}"
    feature = feature_of(IdAllocator(), "Bite", text, "action", ConversionReport("Somebody"))
    assert {name: getattr(feature, name) for name in fields} == fields


@pytest.mark.parametrize(
    ("last", "after"),
    [
        ("If a creature's saving throw is successful or the effect ends for it, it is immune to the dragon's Roar for 24 hours.", "save"),
        ("On a success, the target is immune to this hag's Horror for the next 24 hours.", "success"),
        ("Whether or not it succeeds, the creature is then immune to the Roar for 24 hours.", "save"),
        ("The devil is immune to fire.", ""),
    ],
)  # fmt: skip
def test_a_target_that_saves_is_immune_as_long_as_the_text_says(last: str, after: str) -> None:
    text = f"Each creature within 60 feet must succeed on a DC 16 Wisdom saving throw or be frightened for 1 minute. {last}"
    assert read(text, "Roar")[0].immune_after == after


def test_each_of_several_breath_weapons_is_a_feature_and_they_share_a_recharge() -> None:
    text = (
        "The drake uses one of the following breath weapons:\n\n"
        "\u2022 Fire Breath. Each creature in a 30-foot cone must make a DC 13 Dexterity saving throw, taking 7 (2d6) fire damage "
        "on a failed save.\n"
        "Sleep Breath. Each creature in a 20-foot cone must succeed on a DC 13 Constitution saving throw or fall unconscious."
    )
    whole, _ = read(text, "Breath Weapons (Recharge 5-6)")
    fire, sleep = with_options((whole,))
    assert (fire.damage, fire.area, fire.recharge, fire.shares) == ("2d6 fire", "30-foot cone", 5, "")
    assert (sleep.name, sleep.save, sleep.recharge, sleep.shares) == ("Sleep Breath", "con", 5, "fire-breath")
    assert with_options((fire,)) == (fire,)


@pytest.mark.parametrize(
    ("text", "imposed"),
    [
        ("Hit: 5 (1d8) slashing damage, and the target must succeed on a DC 12 Constitution saving throw or be poisoned for 1 minute. While poisoned in this way, the target can't regain hit points.", [("poisoned", ""), ("unhealing", "")]),
        ("Failure: 13 (3d8) Psychic damage. Success: Half damage. Failure or Success: The target's Hit Point maximum decreases by an amount equal to the damage taken.", [("life-drained", ""), ("life-drained", "success")]),
    ],
)  # fmt: skip
def test_what_a_target_loses(text: str, imposed: list[tuple[str, str]]) -> None:
    head = (
        "Melee Weapon Attack: +5 to hit, reach 5 ft., one creature. "
        if text.startswith("Hit")
        else "Constitution Saving Throw: DC 15, one creature. "
    )
    feature, _ = read(head + text)
    assert [(one.condition, one.degree) for one in feature.afflictions] == imposed


@pytest.mark.parametrize(
    ("first", "feet"),
    [
        ("A creature within 20 feet that can see the imp makes a DC 11 Wisdom saving throw", "20"),
        ("(2nd-Level; V) One humanoid the imp can see within 60 feet makes a DC 11 Wisdom saving throw", "60"),
        ("The imp targets one creature within 30 feet, forcing it to make a DC 11 Wisdom saving throw", "30"),
        ("Wisdom Saving Throw: DC 11, one Large or smaller creature the imp can see within 10 feet. Failure", "10"),
        ("A creature that starts its turn within 5 feet of the imp makes a DC 11 Wisdom saving throw", ""),
        ("Each creature within 30 feet makes a DC 11 Wisdom saving throw", ""),
    ],
)
def test_a_save_of_one_creature_has_its_range(first: str, feet: str) -> None:
    feature = read(f"{first}, or it is frightened for 1 minute.", "Scare")[0]
    assert (feature.range, feature.targets) == (feet, 1 if feet else 0)
