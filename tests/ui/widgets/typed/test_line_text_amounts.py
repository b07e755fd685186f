import pytest

from tests.for_each import for_each
from turnwright.rules.parts.actions.condition_words import ConditionWord, EnteredCondition, LineWords
from turnwright.ui.widgets.typed.line_text import (
    AmountError,
    EnteredAmount,
    apply_share,
    read_amount,
    read_line,
)

KINDS = ("cold", "fire", "slashing")


@for_each(
    ("text", "amount"),
    [
        ("12", EnteredAmount("damage", expression="12")),
        ("-7", EnteredAmount("damage", expression="7")),
        ("−7", EnteredAmount("damage", expression="7")),
        ("+5", EnteredAmount("heal", 5)),
        (" + 5 ", EnteredAmount("heal", 5)),
        ("t5", EnteredAmount("temporary", 5)),
        ("T 12", EnteredAmount("temporary", 12)),
        ("temp 8", EnteredAmount("temporary", 8)),
        ("2d6+3 fire", EnteredAmount("damage", expression="2d6+3 fire")),
        ("6 slashing + 8 fire", EnteredAmount("damage", expression="6 slashing + 8 fire")),
    ],
)
def test_what_people_write_is_read(text, amount):
    assert read_amount(text, kinds=KINDS) == amount


def test_a_bare_number_has_no_type():
    assert [read_amount(text, KINDS).expression for text in ("12", "2d6")] == ["12", "2d6"]


@for_each(
    ("text", "key"),
    [
        ("", "ui.turn.amount-empty"),
        ("+", "ui.turn.amount-heal"),
        ("+2d6", "ui.turn.amount-heal"),
        ("t", "ui.turn.amount-temporary"),
        ("t2d4", "ui.turn.amount-temporary"),
        ("2d6+", "ui.turn.amount-dice"),
        ("fire", "ui.turn.amount-dice"),
        ("7 fir", "ui.turn.amount-kind-near"),
        ("2-9", "ui.turn.amount-negative"),
    ],
)
def test_what_means_nothing_is_said_in_words(text, key):
    with pytest.raises(AmountError) as caught:
        read_amount(text, kinds=KINDS)
    assert caught.value.key == key


def test_any_type_will_do_where_a_system_names_none():
    assert read_amount("7 shadow").expression == "7 shadow"


def test_half_is_rounded_down():
    assert [apply_share(7, share) for share in ("full", "half", "double")] == [7, 3, 14]


WORDS = LineWords(KINDS, (ConditionWord("poisoned", "Poisoned"),), (("dex", ("Dexterity", "DEX")),))


@for_each(
    ("text", "amount"),
    [
        ("12 cold", EnteredAmount("damage", expression="12 cold")),
        ("6d6 fire, Dex 15 half", EnteredAmount("damage", 0, "6d6 fire", "dex", 15, half=True)),
        ("6d6 fire,dex15", EnteredAmount("damage", 0, "6d6 fire", "dex", 15, half=True)),
        ("6d6 fire, dex 15", EnteredAmount("damage", 0, "6d6 fire", "dex", 15, half=True)),
        ("9, dex save dc 12 none", EnteredAmount("damage", 0, "9", "dex", 12)),
        (
            "9, dex 12 half, poi 3",
            EnteredAmount("damage", 0, "9", "dex", 12, True, EnteredCondition("poisoned", 0, "rounds", 3)),
        ),
        ("9, poi", EnteredAmount("damage", 0, "9", condition=EnteredCondition("poisoned"))),
        ("9, poi end", EnteredAmount("damage", 0, "9", condition=EnteredCondition("poisoned", lasts="turn"))),
        (
            "9, poi save dex 13",
            EnteredAmount("damage", 0, "9", condition=EnteredCondition("poisoned", 0, "save", 0, "dex", 13)),
        ),
        (
            "9, dex 12, poi save",
            EnteredAmount("damage", 0, "9", "dex", 12, True, EnteredCondition("poisoned", 0, "save", 0, "dex", 12)),
        ),
        ("+5", EnteredAmount("heal", 5)),
    ],
)
def test_a_line_has_a_save_and_a_condition(text, amount):
    assert read_line(text, WORDS) == amount


@for_each(
    ("text", "key", "what", "near"),
    [
        ("9, dex 12 haf", "ui.condition.unknown-near", "haf", "half"),
        ("9, poisned", "ui.condition.unknown-near", "poisned", "Poisoned"),
        ("9 fier", "ui.turn.amount-kind-near", "fier", "fire"),
        ("9, poi ned", "ui.condition.unknown-near", "ned", "end"),
        ("9, poi sve", "ui.condition.unknown-near", "sve", "save"),
        ("9, poi save", "ui.condition.missing-save", None, None),
        ("9, poi save dex", "ui.condition.missing-save", None, None),
        ("9, dex", "ui.turn.amount-dc", "dex", None),
        ("+5, dex 12", "ui.turn.amount-more", "dex 12", None),
    ],
)
def test_the_word_that_is_not_understood_is_named_with_the_nearest(text, key, what, near):
    with pytest.raises(AmountError) as caught:
        read_line(text, WORDS)
    params = caught.value.params
    assert (caught.value.key, params.get("what"), params.get("near")) == (key, what, near)
