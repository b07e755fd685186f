"""Figures of an action that come later than its use, or with a hit alone."""

from __future__ import annotations

from typing import Any

import pytest

from turnwright.encounter.prepared import Feature, InflictedCondition
from turnwright.importers.statblock_text.timely_figures import with_timely_figures

FISTS = Feature("fists", "Fists", "action", attack=5, reach=5, damage="1d6+3 bludgeoning")
PRONE = (InflictedCondition("prone"),)


def read(text: str, **fields: Any) -> Feature:
    """The deed of a creature with fists, as it is after reading its text."""
    deed = Feature("deed", "Deed", text=text, **({"cost": "action"} | fields))
    return with_timely_figures((FISTS, deed))[1]


@pytest.mark.parametrize(
    "text",
    [
        "The toad swallows the target. While swallowed, it takes 6d6 acid damage at the start of each of the toad's turns.",
        "A storm rises. A creature that starts its turn in the storm takes 6d6 acid damage.",
        "A roar. First Roar. A DC 15 save or be frightened. Second Roar. A DC 15 save or take 6d6 acid damage.",
        "Each creature that succeeds on the saving throw takes 6d6 acid damage. Who fails obeys.",
        "Caltrops spread. A creature that enters this area for the first time on a turn takes 6d6 acid damage.",
        "The ground shakes. If the dragon is bloodied, each creature near takes 6d6 acid damage.",
        "The target is hurled away, and takes 6d6 acid damage for every 10 feet it was thrown.",
    ],
)
def test_damage_that_comes_later_is_not_dealt_at_use(text: str) -> None:
    assert read(text, damage="6d6 acid", half=True).damage == ""


def test_a_save_that_comes_later_goes_with_all_that_hangs_on_it() -> None:
    text = "A storm rises. A creature that starts its turn in the storm makes a DC 15 Strength saving throw or falls prone, taking 2d6 cold damage."
    found = read(
        text, save="str", dc=15, damage="2d6 cold", afflictions=PRONE, read=("save", "dc", "damage", "afflictions")
    )
    assert (found.save, found.dc, found.damage, found.afflictions, found.read) == ("", 0, "", (), ())


@pytest.mark.parametrize(
    "text",
    [
        "Each creature in the cone makes a DC 15 Strength saving throw, taking 6d6 acid damage on a failure.",
        "Failure: 6d6 acid damage, and the target is frightened until it ends its turn out of sight. DC 15.",
        "The target must make one attack against an ally. On a hit it takes 6d6 acid damage.",
    ],
)
def test_what_comes_at_once_stays(text: str) -> None:
    found = read(text, save="str", dc=15, damage="6d6 acid")
    assert (found.save, found.dc, found.damage) == ("str", 15, "6d6 acid")


@pytest.mark.parametrize(
    ("text", "reach"),
    [
        (
            "The wrestler attacks with their fists. On a hit, the target makes a DC 13 save, falling prone on a failure.",
            5,
        ),
        ("The wrestler makes a fist attack with a range of 15 feet. On a hit, the target makes a DC 13 save.", 15),
    ],
)
def test_a_save_that_comes_with_a_hit_has_the_named_attack_before_it(text: str, reach: int) -> None:
    found = read(text, cost="bonus", save="con", dc=13, afflictions=PRONE)
    assert (found.attack, found.reach, found.damage, found.save) == (5, reach, "1d6+3 bludgeoning", "con")
    assert found.afflictions == PRONE


@pytest.mark.parametrize(
    "text",
    [
        "The giant makes a fist attack against each creature near. On a hit, the target makes a DC 13 save.",
        "The giant makes a fist attack. On a critical hit, the target makes a DC 13 save.",
        "The giant makes a tail attack. On a hit, the target makes a DC 13 save.",
    ],
)
def test_without_a_single_attack_of_its_own_the_save_is_left_to_a_person(text: str) -> None:
    found = read(text, save="con", dc=13, afflictions=PRONE)
    assert (found.attack, found.save, found.dc, found.afflictions) == (None, "", 0, ())


def test_what_has_a_moment_or_an_attack_of_its_own_stays() -> None:
    text = "It takes 6d6 acid damage at the start of each of its turns."
    assert read(text, cost="trait", damage="6d6 acid").damage == "6d6 acid"
    assert read(text, damage="6d6 acid", attack=5).damage == "6d6 acid"
    assert read(text, damage="6d6 acid", trigger="hits").damage == "6d6 acid"


def test_a_condition_of_another_save_or_of_another_way_is_not_put_on_who_fails_the_first() -> None:
    other = (
        "Each creature in the area makes a DC 15 Dexterity saving throw, taking 6d6 lightning damage. All who see it make a"
        " DC 15 Constitution saving throw. On a failure, a creature falls prone."
    )
    fields: dict[str, Any] = {"save": "dex", "dc": 15, "afflictions": PRONE, "read": ("save", "dc", "afflictions")}
    assert read(other, damage="6d6 lightning", **fields).afflictions == ()
    same = (
        "Each creature in the area makes a DC 15 Dexterity saving throw, taking 6d6 lightning damage and falling prone."
    )
    assert read(same, damage="6d6 lightning", **fields).afflictions == PRONE
    ways = "It breathes in one of two ways.\n\u2022 Acid. 6d6 acid damage (DC 15 basic Reflex save).\n\u2022 Gas. DC 15 Reflex save or prone."
    assert read(ways, damage="6d6 acid", **fields).afflictions == ()
    assert read(ways, damage="", **fields).afflictions == PRONE
    assert read(ways + " It is pushed 40 feet.", damage="6d6 acid", push=40, save="dex", dc=15).push == 0
    assert read(same + " It is pushed 40 feet.", damage="6d6 lightning", push=40, save="dex", dc=15).push == 40
    assert read(ways, damage="6d6 acid", **(fields | {"read": ()})).afflictions == PRONE


def test_lasting_damage_of_a_hit_is_not_put_on_anybody_without_one() -> None:
    text = "It strides and makes a boot Strike. If the Strike hits a prone creature, it deals an extra 2d6 persistent bleed damage."
    assert read(text, ongoing="2d6 bleed").ongoing == ""
    assert read("It spits. The target takes 2d6 persistent acid damage.", ongoing="2d6 acid").ongoing == "2d6 acid"


def test_what_swallows_makes_the_attack_that_it_names() -> None:
    text = "The toad makes one fists attack against a target it is grappling. If the attack hits, it is swallowed. If the toad takes 30 damage or more on a single turn, it must succeed on a DC 14 save."
    found = read(text, save="con", dc=14, ongoing="2d6 acid", ongoing_while="blinded", afflictions=PRONE)
    assert (found.attack, found.damage, found.save, found.ongoing) == (5, FISTS.damage, "", "2d6 acid")
    assert found.afflictions == PRONE
