"""Rules of effects in a few words."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.rules.parts.conditions.test_rules_of_effects import BANE, BLESS
from tests.table import a5e, action_points, dnd5e, pf2e
from turnwright.encounter.data_rules import DataRule
from turnwright.rules.parts.conditions.rule_words import RuleWordsError, read_rules


@pytest.mark.parametrize("rules", [a5e, dnd5e, action_points, pf2e])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("+1d4 attack, saves", BLESS),
        ("-1d4 attack, saves", BANE),
        ("half speed; -2 ac", (DataRule("modifier", "speed", over=2), DataRule("modifier", "ac", add=-2))),
        ("+5 hp", (DataRule("modifier", "hp-max", add=5, carries=True),)),
        ("+10 speed", (DataRule("modifier", "speed", add=10),)),
        ("dis attacked", (DataRule("disadvantage", "attack-against"),)),
        ("+1d6 damage", (DataRule("extra", "damage", dice="1d6"),)),
        ("+1d6 fire damage", (DataRule("extra", "damage", dice="1d6 fire"),)),
        ("immune fire", (DataRule("damage", "fire", times=0),)),
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
    assert read_rules("resist fire 5", pf2e()) == (DataRule("damage", "fire", add=-5),)
    assert read_rules("resist fire, cold", dnd5e()) == (
        DataRule("damage", "fire", over=2),
        DataRule("damage", "cold", over=2),
    )


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("+1 luck", "luck"),
        ("+1d4 ac", "ac"),
        ("adv hp", "hp"),
        ("half ac", "ac"),
        ("resist luck", "luck"),
        ("+1", "+1"),
    ],
)
def test_a_word_that_is_no_rule_is_named(text: str, word: str) -> None:
    with pytest.raises(RuleWordsError, match=re.escape(word)):
        read_rules(text, a5e())
