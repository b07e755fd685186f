"""The line of an effect: conditions in a few keys, and any other name with rules, a time and a holder."""

import pytest

from tests.table import a5e, pf2e
from turnwright.rules.parts.actions.condition_words import ConditionWord, EnteredCondition, LineWords
from turnwright.rules.parts.actions.effect_words import EnteredEffect, read_effect

WORDS = LineWords(
    ("fire", "cold"),
    (ConditionWord("fatigue", "Fatigue", has_level=True), ConditionWord("poisoned", "Poisoned")),
    (("wis", ("Wisdom", "WIS")), ("dex", ("Dexterity", "DEX"))),
)


def free(name, rules="", rounds=0, **more):
    """Return an effect of any name as it is read."""
    ends = {key: more.pop(key) for key in ("lasts", "save", "dc") if key in more}
    read = EnteredCondition(name, rounds=rounds, **({"lasts": "rounds"} if rounds else {}) | ends)
    return EnteredEffect(read, True, rules, **more)


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("poi 3", EnteredEffect(EnteredCondition("poisoned", rounds=3, lasts="rounds"))),
        ("poi -2 ac 3", EnteredEffect(EnteredCondition("poisoned", rounds=3, lasts="rounds"), rules="-2 ac")),
        ("poisned 3", EnteredEffect(EnteredCondition(unknown="poisned"))),
        ("bless", free("bless")),
        ("bless 1m held", free("bless", rounds=10, is_held=True)),
        (
            "Bless +1d4 attack, saves 10 held by osk",
            free("Bless", "+1d4 attack, saves", 10, is_held=True, holder="osk"),
        ),
        ("hunter's mark +1d6 damage 1h", free("hunter's mark", "+1d6 damage", 600)),
        ("inspired +1d8 attack once", free("inspired", "+1d8 attack", is_once=True)),
        ("slow half speed; -2 ac, dex saves end", free("slow", "half speed; -2 ac, dex saves", lasts="turn")),
        ("hex dis checks save wis 14", free("hex", "dis checks", lasts="save", save="wis", dc=14)),
        ('"Plan 9" 3', free("Plan 9", rounds=3)),
        ('"Poisoned" 3', EnteredEffect(EnteredCondition("poisoned", rounds=3, lasts="rounds"))),
        ("poi rest", EnteredEffect(EnteredCondition("poisoned", lasts="rest"))),
        ("armor +3 ac long rest", free("armor", "+3 ac", lasts="long-rest")),
        ("ward +1 ac until rest held mira", free("ward", "+1 ac", lasts="rest", is_held=True, holder="mira")),
        ("mark +1 luck", free("mark", "+1 luck", unknown_rule="luck")),
        ("", EnteredEffect(EnteredCondition())),
    ],
)
def test_what_is_typed_is_read(text, effect):
    assert read_effect(text, WORDS, a5e(), 6) == effect


def test_an_amount_behind_a_damage_type_belongs_to_the_rule_where_amounts_count():
    assert read_effect("ward resist fire 5", WORDS, pf2e(), 6) == free("ward", "resist fire 5")
    assert read_effect("ward resist fire 5 3", WORDS, pf2e(), 6) == free("ward", "resist fire 5", 3)
    assert read_effect("ward resist fire 5", WORDS, a5e(), 6) == free("ward", "resist fire", 5)
