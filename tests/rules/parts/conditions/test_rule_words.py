"""Rules of effects in a few words."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.for_each import for_each
from tests.rules.parts.conditions.test_rules_of_effects import BANE, BLESS
from tests.table import a5e, action_points, dnd5e, pf2e
from turnwright.encounter.data_rules import DataRule
from turnwright.rules.parts.conditions.rule_words import RuleWordsError, read_rules, write_rules


@for_each("rules", [a5e, dnd5e, action_points, pf2e])
@for_each(
    ("text", "expected"),
    [
        ("+1d4 attack, saves", BLESS),
        ("-1d4 attack, saves", BANE),
        ("+1d4 on attacks and saves", BLESS),
        ("-1d4 to attack, and saves", BANE),
        ("half speed; -2 ac", (DataRule("modifier", "speed", over=2), DataRule("modifier", "ac", add=-2))),
        ("+5 hp", (DataRule("modifier", "hp-max", add=5, carries=True),)),
        ("+10 speed", (DataRule("modifier", "speed", add=10),)),
        ("dis attacked", (DataRule("disadvantage", "attack-against"),)),
        ("+1d6 damage", (DataRule("extra", "damage", dice="1d6"),)),
        ("+1d6 fire damage", (DataRule("extra", "damage", dice="1d6 fire"),)),
        ("immune fire", (DataRule("damage", "fire", times=0),)),
        ("immune to fire damage and cold", (DataRule("damage", "fire", times=0), DataRule("damage", "cold", times=0))),
        ("immune all", (DataRule("damage", "all", times=0),)),
        ("", ()),
    ],
)
def test_rules_are_read_from_a_few_words(rules: Any, text: str, expected: tuple[DataRule, ...]) -> None:
    assert read_rules(text, rules()) == expected


def test_words_of_each_game_are_read_as_its_own() -> None:
    assert read_rules("adv dex saves, perception", a5e()) == (
        DataRule("advantage", "save.dex"),
        DataRule("advantage", "check.wis:perception"),
    )
    assert read_rules("+1 fort saves", pf2e()) == (DataRule("modifier", "save.con", add=1),)
    assert read_rules("+1 fortitude saves", pf2e()) == read_rules("+1 fort saves", pf2e())
    assert read_rules("+1 status attack, saves", pf2e()) == (
        DataRule("modifier", "attack", add=1, type="status"),
        DataRule("modifier", "save", add=1, type="status"),
    )
    assert read_rules("resist fire 5", pf2e()) == (DataRule("damage", "fire", add=-5),)
    with pytest.raises(RuleWordsError, match="resist fire"):
        read_rules("resist fire", pf2e())
    assert read_rules("resist fire, cold", dnd5e()) == (
        DataRule("damage", "fire", over=2),
        DataRule("damage", "cold", over=2),
    )


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("+1 luck", "luck"),
        ("+1d4 ac", "+1d4 ac"),
        ("adv hp", "adv hp"),
        ("half ac", "half ac"),
        ("ac 16", "ac 16"),
        ("speed 0", "speed 0"),
        ("resist luck", "luck"),
        ("+1", "+1"),
        ("+1 status attack", "status"),
    ],
)
def test_a_word_that_is_no_rule_is_named(text: str, word: str) -> None:
    with pytest.raises(RuleWordsError, match=re.escape(word)):
        read_rules(text, a5e())


@for_each(
    ("rules", "text"),
    [
        (a5e, "+1d4 attack, saves"),
        (dnd5e, "-1d4 attack, saves; +2 ac"),
        (pf2e, "half speed; -2 ac; dis attacked"),
        (pf2e, "+1 status attack, saves; -2 circumstance ac; +1 damage"),
        (a5e, "+5 hp; +10 speed"),
        (a5e, "adv dex saves, perception, rolls"),
        (pf2e, "resist fire 5; weak cold 3; +1 fort saves"),
        (dnd5e, "resist fire, cold; immune poison; vulnerable acid"),
        (a5e, "resist all; vulnerable fire"),
        (pf2e, "resist all 5; weak fire 3"),
        (a5e, "+1d6 fire damage, damaged by holder; +2 damaged"),
        (a5e, "fail str saves; +1 dc"),
    ],
)
def test_written_rules_are_read_as_the_same_rules(rules: Any, text: str) -> None:
    read = read_rules(text, rules())
    assert write_rules(read, rules()) == text
    assert read_rules(write_rules(read, rules()), rules()) == read


def test_rules_that_nobody_types_are_written_too() -> None:
    rules = (
        DataRule("extra", "damage-against", dice="1d6", when="attacker.is-source, weapon"),
        DataRule("modifier", "ac", least=16),
        DataRule("deny", "reaction"),
    )
    assert write_rules(rules, a5e()) == "+1d6 damaged by holder (weapon); at least 16 ac; no reaction"
