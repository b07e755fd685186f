"""Prose that repeats figures is left out, what it says more stays; conditions name their degree, lores their subject."""

from __future__ import annotations

from typing import Any

import pytest

from tests.for_each import for_each
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, Feature, InflictedCondition, OtherDamage
from turnwright.rules.parts.stat_block.features import feature_paragraphs
from turnwright.rules.parts.stat_block.prose import StatBlockNames, remaining_prose, says_area, says_save, sentences
from turnwright.rules.parts.stat_block.sections import stat_sections
from turnwright.storage.word_catalogue import WordCatalogue

BITE: dict[str, Any] = {"attack": 11, "reach": 10, "damage": "2d10+6 piercing + 1d8 acid"}
BREATH: dict[str, Any] = {
    "save": "dex",
    "dc": 18,
    "damage": "12d8 acid",
    "half": True,
    "area": "60-foot line, 5 feet wide",
}
HIT = "Hit: 17 (2d10 + 6) piercing damage plus 4 (1d8) acid damage"
ASKED = (
    "Each creature in that line must make a DC 18 Dexterity saving throw, taking 54 (12d8) acid damage on a failed save, or half"
    " as much damage on a successful one."
)


def left(text: str, **figures: Any) -> str:
    one = Feature("it", "It", "action", text=text, **figures)
    return remaining_prose(one, {"bite": "Bite", "claw": "Claws"}, one.attack, one.damage)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        (f"Melee Weapon Attack: +11 to hit, reach 10 ft., one target. {HIT}.", ""),
        (f"Melee Attack Roll: +11, reach 10 ft. {HIT}.", ""),
        (f"Melee Weapon Attack: +11 to hit  reach 10 ft.  one target. {HIT}.", ""),
        (f"Melee Attack Roll: +11, reach 10 ft. {HIT}, and the target has the Prone condition.", "The target has the Prone condition."),
        (f"Melee Attack Roll: +11, reach 10 ft. {HIT}. It is cold.", "It is cold."),
        (f"Melee Weapon Attack: +11 to hit, reach 10 ft., one target. {HIT}, or 3 (1d6) if it swims.", "Or 3 (1d6) if it swims."),
        ("Melee Attack Roll: +11, reach 10 ft. Hit: 17 (2d10 + 6) piercing damage.", "Hit: 17 (2d10 + 6) piercing damage."),
    ],
)  # fmt: skip
def test_what_an_attack_says_more(text: str, rest: str) -> None:
    assert left(text, **BITE) == rest


GRIP = "or 8 (1d10 + 3) bludgeoning damage if used with two hands to make a melee attack"


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        (f"7 (1d8 + 3) bludgeoning damage, {GRIP}, plus 3 (1d6) fire damage.", ""),
        (f"7 (1d8 + 3) bludgeoning damage, {GRIP}, plus 3 (1d6) fire damage. It glows.", "It glows."),
        (f"7 (1d8 + 3) bludgeoning damage, {GRIP.replace('10', '12')}, plus 3 (1d6) fire damage.", None),
    ],
)
def test_other_damage_is_not_repeated(text: str, rest: str | None) -> None:
    hammer = {"attack": 5, "reach": 5, "damage": "1d8+3 bludgeoning + 1d6 fire"}
    others = (OtherDamage("with two hands", "1d10+3 bludgeoning + 1d6 fire"),)
    said = f"Melee Weapon Attack: +5 to hit, reach 5 ft., one target. Hit: {text}"
    assert left(said, **hammer, other_damage=others) == (f"Hit: {text}" if rest is None else rest)


def test_a_second_attack_bonus_stays_without_the_attack_line() -> None:
    told = "Melee Weapon Attack: +2 to hit (+4 to hit with oil), reach 5 ft., one target. Hit: 3 (1d6) fire damage, or 4 (1d8)."
    assert left(told, attack=2, reach=5, damage="1d6 fire") == "+4 to hit with oil. Or 4 (1d8)."
    assert left("Melee Weapon Attack\n\nIt sticks.", attack=2, reach=5) == "It sticks."
    assert left("The wasp makes a sting attack. It sticks.", attack=2, reach=5) == "It sticks."


def test_a_line_break_within_a_sentence_is_left_out() -> None:
    assert left("The lich can communicate with\nundead creatures.\nCantrips: light\nshield") == (
        "The lich can communicate with undead creatures.\nCantrips: light\nshield"
    )


@pytest.mark.parametrize(
    "text",
    [
        f"Melee Attack Roll: +10, reach 10 ft. {HIT}.",
        f"Melee Attack Roll: +11, reach 15 ft. {HIT}.",
        f"Melee Attack Roll: +11 (with Advantage at night), reach 10 ft. {HIT}.",
        "It bites. Melee Attack Roll: +11, reach 10 ft.",
    ],
)
def test_all_of_it_stays_where_it_differs(text: str) -> None:
    assert left(text, **BITE) == text


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        (
            (
                "Dexterity Saving Throw: DC 18, each creature in a 60-foot-long, 5-foot-wide Line.\n\nFailure: 54 (12d8) Acid damage.\n\n"
                "Success: Half damage."
            ),
            "",
        ),
        (
            (
                "Dexterity Saving Throw: DC 18, one creature it can see.\nFailure: 54 (12d8) Acid damage, and the target is slow.\n"
                "Success: Half damage."
            ),
            "One creature it can see.\nFailure: The target is slow.",
        ),
        (f"It exhales acid in a 60-foot line. {ASKED}", "It exhales acid in a 60-foot line."),
        (f"It exhales. {ASKED.replace('18', '17')}", f"It exhales. {ASKED.replace('18', '17')}"),
        ("Dexterity Saving Throw: DC 12.\nFailure: Fire.", "Dexterity Saving Throw: DC 12.\nFailure: Fire."),
    ],
)
def test_what_a_save_says_more(text: str, rest: str) -> None:
    assert left(text, **BREATH) == rest


@pytest.mark.parametrize(
    ("text", "ways", "rest"),
    [
        ("The wolf makes one Bite attack and two Claw attacks.", ((("bite", 1), ("claw", 2)),), ""),
        ("The wolf makes two Bite attacks.", ((("bite", 2),),), ""),
        ("The wolf makes two Bite attacks.", ((("bite", 3),),), "The wolf makes two Bite attacks."),
        ("The wolf makes two Bite attacks. It howls.", ((("bite", 2),),), "The wolf makes two Bite attacks. It howls."),
    ],
)
def test_what_a_multiattack_says_more(text: str, ways: tuple[Any, ...], rest: str) -> None:
    assert left(text, multiattack=ways, attacks=2) == rest


def test_conditions_follow_their_degrees_and_a_lore_has_its_subject() -> None:
    by_degree = [("success", 1), ("failure", 2), ("critical-failure", 3)]
    scare = Feature(
        "scare", "Scare", "action", save="wis", dc=20,
        afflictions=(*(InflictedCondition("frightened", value=n, degree=one) for one, n in by_degree), InflictedCondition("prone")),  # type: ignore[arg-type]
    )  # fmt: skip
    creature = Creature("it", "It", skills=(("lore-boneyard", 9),), features=(scare,))
    found = stat_sections(creature, RuleSystems().get("pf2e").data, WordCatalogue.load())
    ((_, (line,)),) = found.features
    text = "".join(run.text for run in line.runs)
    assert "Failure: prone. Success: frightened 1. Failure: frightened 2. Critical failure: frightened 3." in text
    assert any("Boneyard Lore" in run.text for row in found.vital for run in row.runs)


@pytest.mark.parametrize(
    "text",
    [
        "Each creature within 15 ft. of the dragon must save.",
        "It sees 60 ft. (blind beyond).",
        "It weighs 90 lb. or more, e.g. Stone.",
    ],
)
def test_an_abbreviation_ends_no_sentence(text: str) -> None:
    assert sentences(f"It flies. {text} It lands!") == ["It flies.", text, "It lands!"]


def test_the_only_creatures_that_an_attack_can_target_are_told() -> None:
    head = "Melee Weapon Attack: +11 to hit, reach 10 ft., one grappled creature. "
    assert left(f"{head}{HIT}.", **BITE) == "One grappled creature."


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"abilities": (("wis", 16),)}, "passive Perception 13"),
        ({"abilities": (("wis", 16),), "skills": (("perception", 5),)}, "passive Perception 15"),
        ({"passives": (("perception", 17),)}, "passive Perception 17"),
    ],
)
def test_passive_perception_stands_among_the_senses(fields: Any, told: str) -> None:
    data = RuleSystems().get("a5e").data
    sections = stat_sections(Creature("one", "One", **fields), data, WordCatalogue.load())
    (senses,) = [line for line in sections.further if line.about == "senses"]
    assert told in "".join(run.text for run in senses.runs)


def test_the_parts_of_a_pathfinder_text_begin_in_bold() -> None:
    text = "Trigger A foe moves. Effect The ogre strikes. Critical Success Double damage. It had no Effect before."
    feature = Feature("r", "React", "action", text=text)
    names = StatBlockNames(RuleSystems().get("pf2e").data, WordCatalogue.load())
    ((_, (line,)),) = feature_paragraphs(Creature("ogre", "Ogre", features=(feature,)), names)
    assert [run.text for run in line.runs if run.style == "bold"] == ["Trigger", "Effect", "Critical Success"]


@for_each(
    ("text", "ability", "says"),
    [
        ("Each takes 9d6 fire damage (basic Reflex, DC 28).", "Reflex", True),
        ("DC 28 Reflex or be pushed.", "Reflex", True),
        ("A creature saves against DC 28.", "Dexterity", True),
        ("Dexterity Saving Throw: DC 28.", "Dexterity", True),
        ("It bleeds until it Escapes (DC 28).", "Reflex", False),
        ("On a failed save it is stuck. A DC 28 Athletics check frees it.", "Reflex", False),
        ("The kraken must succeed on a DC 28 Constitution saving throw.", "Dexterity", False),
        ("A DC 28 Dexterity check, or a Dexterity (Stealth) check of 28", "Dexterity", False),
        ("Saves are made at once.", "Dexterity", False),
    ],
)
def test_a_text_says_a_save_only_with_its_own_dc_and_ability(text: str, ability: str, says: bool) -> None:
    assert says_save(text, 28, ability) is says


@pytest.mark.parametrize(
    ("text", "area", "says"),
    [
        ("Pushes up to 30 feet.", "30-foot cone", False),
        ("Pushes all in a 30-foot cone.", "30-foot cone", True),
        ("A bolt 5 feet wide and 100 feet long.", "100-foot line, 5 feet wide", True),
        ("Everyone within 20 feet.", "20 feet around it", True),
    ],
)
def test_a_text_says_an_area_with_its_shape(text: str, area: str, says: bool) -> None:
    assert says_area(text, area) is says


def test_damage_without_the_word_hit_is_not_said_twice() -> None:
    assert (
        left("Melee Attack Roll: +11, reach 10 ft. 17 (2d10 + 6) Piercing damage plus 4 (1d8) Acid damage.", **BITE)
        == ""
    )
    swarm = "Melee Weapon Attack: +6 to hit, reach 0 ft., one target. Hit: 7 (2d6) piercing damage."
    assert left(swarm, attack=6, damage="2d6 piercing") == "Reach 0 ft., one target."
