"""The line of an effect: conditions in a few keys, and any other name with rules, a time and a holder."""

import msgspec
import pytest

from tests.for_each import for_each
from tests.table import a5e, dnd5e, pf2e
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.running import Effect
from turnwright.encounter.state import Encounter
from turnwright.rules.parts.actions.condition_words import (
    ConditionWord,
    EnteredCondition,
    KnownEffect,
    LineWords,
    known_effects,
)
from turnwright.rules.parts.actions.effect_words import EnteredEffect, completed, read_effect

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


@for_each(
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


BLESS = KnownEffect("Bless", (DataRule("extra", "attack", dice="1d4"),), "1 minute", is_held=True)
KNOWN = msgspec.structs.replace(WORDS, effects=(BLESS, KnownEffect("Shield", ends="owner-start")))


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("bless", free("Bless", rounds=10, is_held=True, known=BLESS)),
        ("BLESS 3", free("Bless", rounds=3, is_held=True, known=BLESS)),
        ("bless held mira", free("Bless", rounds=10, is_held=True, holder="mira", known=BLESS)),
        ("bless end", free("Bless", lasts="turn", is_held=True, known=BLESS)),
        ("bless +1d6 attack", free("bless", "+1d6 attack")),
        ("shield", free("Shield", rounds=1, known=KNOWN.effects[1])),
        ("poi", EnteredEffect(EnteredCondition("poisoned"))),
    ],
)
def test_a_known_name_brings_its_end_and_its_concentration(text, effect):
    assert read_effect(text, KNOWN, a5e(), 6) == effect


def test_a_condition_of_the_same_name_comes_first():
    words = msgspec.structs.replace(WORDS, effects=(KnownEffect("Poisoned"),))
    assert read_effect("poisoned", words, a5e(), 6) == EnteredEffect(EnteredCondition("poisoned"))


def test_a_name_that_seems_mistyped_can_be_meant():
    assert read_effect("poisned 3", WORDS, a5e(), 6, as_typed=True) == free("poisned", rounds=3)
    assert read_effect("poi<b", WORDS, a5e(), 6, as_typed=True).read.unknown == "poi<b"


def test_tab_completes_and_corrects_names():
    typed = ("poi", "ble", "poisned 3", "Poisoned 3", "plan 9", "")
    assert [completed(text, KNOWN) for text in typed] == [
        "Poisoned ",
        "Bless ",
        "Poisoned 3",
        "Poisoned 3",
        "plan 9",
        "",
    ]


def test_effects_of_spells_come_before_those_of_creatures_and_used_ones():
    ac = (DataRule("modifier", "ac", add=1),)
    shout = Feature("shout", "War Shout", effect=ac, lasts="2 rounds")
    records = (
        Creature("ogre", "Ogre", features=(shout, Feature("bless", "Bless", effect=ac))),
        Effect("effect-1", "ogre", "Mark", rules=ac, rounds_left=4),
    )
    words = LineWords(effects=known_effects(Encounter(records), dnd5e()))
    bless, war_shout, mark = (words.effect(name) for name in ("bless", "war shout", "MARK"))
    assert (bless.is_held, bless.level, bless.rounds_in(6), [rule.dice for rule in bless.rules]) == (
        True,
        1,
        10,
        ["1d4", "1d4"],
    )
    assert (war_shout.rules, war_shout.rounds_in(6), mark.rounds) == (ac, 2, 4)
