"""A condition in a few keys."""

from tests.for_each import for_each
from turnwright.rules.parts.actions.condition_words import (
    ConditionWord,
    EnteredCondition,
    LineWords,
    read_condition,
)

WORDS = LineWords(
    (),
    (
        ConditionWord("prone", "Prone"),
        ConditionWord("poisoned", "Poisoned"),
        ConditionWord("frightened", "Frightened", has_level=True),
        ConditionWord("exhaustion", "Exhaustion", has_level=True),
        ConditionWord("hands-full", "Hands full"),
        ConditionWord("helped", "Helped with a task"),
    ),
    (("con", ("Constitution", "CON")), ("wis", ("Will", "Wisdom", "WIS"))),
)


@for_each(
    ("text", "entered"),
    [
        ("poi 3", EnteredCondition("poisoned", rounds=3, lasts="rounds")),
        ("P", EnteredCondition("prone")),
        ("exh 2", EnteredCondition("exhaustion", level=2)),
        ("fri 2 3", EnteredCondition("frightened", level=2, rounds=3, lasts="rounds")),
        ("poi for 3 rounds", EnteredCondition("poisoned", rounds=3, lasts="rounds")),
        ("prone until end", EnteredCondition("prone", lasts="turn")),
        ("poi save con 13", EnteredCondition("poisoned", lasts="save", save="con", dc=13)),
        ("fri 1 wis 14", EnteredCondition("frightened", level=1, lasts="save", save="wis", dc=14)),
        ("poi save", EnteredCondition("poisoned", lasts="save")),
        ("hands full 2", EnteredCondition("hands-full", rounds=2, lasts="rounds")),
        ("with a", EnteredCondition("helped")),
        ("poi x 3", EnteredCondition("poisoned", rounds=3, lasts="rounds", unknown="x")),
        ("zzz", EnteredCondition(unknown="zzz")),
        ("", EnteredCondition()),
    ],
)
def test_what_is_typed_is_understood(text, entered):
    assert read_condition(text, WORDS) == entered


def test_the_fewest_letters_lead_to_each_condition():
    letters = [WORDS.shortest(one) for one in WORDS.conditions]
    assert letters == ["p", "po", "f", "e", "h", "he"]
    assert [WORDS.condition(text).id for text in letters] == [one.id for one in WORDS.conditions]


def test_the_nearest_word_is_named():
    assert WORDS.nearest("poisned") == "Poisoned"
