"""Quotes, minus signs and numbers with their units, as they are printed."""

from tests.for_each import for_each
from turnwright.handouts.typography import typographic, typographic_data


@for_each(
    ("written", "printed"),
    [
        ("'You are late for vespers,' she says.", "\u2018You are late for vespers,\u2019 she says."),
        ('"Now," he said, "or never."', "\u201cNow,\u201d he said, \u201cor never.\u201d"),
        ("\"He said 'no'\"", "\u201cHe said \u2018no\u2019\u201d"),
        ("don't", "don\u2019t"),
        ("the raiders' sledge", "the raiders\u2019 sledge"),
        ("in the '90s", "in the \u201990s"),
        ("'Tis nothing, hold 'em", "\u2019Tis nothing, hold \u2019em"),
        ('("so")', "(\u201cso\u201d)"),
        ("-1 on AC", "\u22121\u00a0on AC"),
        ("LEVEL -1", "LEVEL\u00a0\u22121"),
        ("1d4-1 cold", "1d4\u22121\u00a0cold"),
        ("d8: 1-4 nothing; 5-6 walks", "d8: 1\u20134\u00a0nothing; 5\u20136\u00a0walks"),
        ("recharge 5-6", "recharge 5\u20136"),
        ("on 2026-11-24, ring 0151-23-9", "on 2026-11-24, ring 0151-23-9"),
        ("B1-2, 1d4-1, 3-5d6, room-2-3, map-1-2.png", "B1-2, 1d4\u22121, 3-5d6, room-2-3, map-1-2.png"),
        ("sledge-dog, 10-foot line", "sledge-dog, 10-foot line"),
        ("pushed 4 m.", "pushed 4\u00a0m."),
        ("within 30 feet", "within 30\u00a0feet"),
        ("DC 15", "DC\u00a015"),
        ("Hit: 9 (2d6 + 2) fire", "Hit:\u00a09\u00a0(2d6\u00a0+\u00a02) fire"),
        ("a spell of level 5", "a spell of level\u00a05"),
        ("Athletics +4, Survival -1", "Athletics\u00a0+4, Survival\u00a0\u22121"),
        ("Town runner 1", "Town runner\u00a01"),
        ("a plain line", "a plain line"),
        ("", ""),
    ],
)
def test_a_text_is_printed_with_its_signs(written, printed):
    assert typographic(written) == printed


def test_printing_twice_changes_nothing():
    text = "'Hit: 9 (2d6-1),' she said, \"and DC 12.\""
    assert typographic(typographic(text)) == typographic(text)


def test_other_languages_have_other_quotes():
    assert typographic("\"so\" 'so'", "\u201e\u201c\u201a\u2018") == "\u201eso\u201c \u201aso\u2018"


def test_all_texts_of_plain_data_and_no_keys():
    data = {"it's": ["don't", 3, None, True, {"a": ("b's",)}]}
    assert typographic_data(data, "\u201c\u201d\u2018\u2019") == {
        "it's": ["don\u2019t", 3, None, True, {"a": ["b\u2019s"]}]
    }
