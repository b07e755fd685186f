"""Templates of sentences: what stands for what, what isn't matched, and that no pattern ever goes back."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from tests.for_each import for_each
from turnwright.importers.traits.catalogue import shipped_catalogue
from turnwright.importers.traits.templates import (
    SentenceTemplate,
    TemplateError,
    compile_template,
    plain_sentence,
    sentences_of,
    third_person,
)

parser: Any = import_module("re._parser")
WORDS = {"type": {"fire": "fire", "acid": "acid"}, "save": {"dexterity": "dex", "strength": "str"}}
PARTS = {"must": "(must make|makes) a DC {dc} {save} saving throw"}


def template(text: str) -> SentenceTemplate:
    return compile_template(text, WORDS, PARTS)


def found(text: str, sentence: str) -> dict[str, str] | None:
    return template(text).match(plain_sentence(sentence))


@for_each(
    ("text", "sentence", "values"),
    [
        ("{it} regains {n} hit points", "The old troll regains 10 hit points.", {"n": "10"}),
        ("{it} regains {n} hit points", "It regains ten hit points", {"n": "10"}),
        ("{it} takes {dice} {type} damage", "The imp takes 7 (2d6) fire damage.", {"dice": "2d6", "type": "fire"}),
        ("{it} takes {dice} {type} damage", "It takes 2d6 + 3 acid damage", {"dice": "2d6+3", "type": "acid"}),
        ("within {feet} of {it}", "within 10 ft. of the big bear", {"feet": "10"}),
        ("within {feet} of {it}", "Within 10-foot of it", {"feet": "10"}),
        ("{it} {must}", "The bear makes a DC 13 Dexterity saving throw.", {"dc": "13", "save": "dex"}),
        ("a {bonus} bonus", "a +2 bonus", {"bonus": "2"}),
        ("{type} [or {type2}] damage", "fire damage", {"type": "fire"}),
        ("{type} [or {type2}] damage", "acid or fire damage", {"type": "acid", "type2": "fire"}),
        ("{it} hits with {its} {own} attack", "It hits with the wolf's bite attack", {"own": "bite"}),
        ("{it} doesn't stop", "The troll doesnt stop", {}),
        ("... when it dies ...", "So it is: when it dies, all weep", {}),
    ],
)
def test_a_sentence_gives_what_stands_for_the_slots(text: str, sentence: str, values: dict[str, str]) -> None:
    assert found(text, sentence) == values


@for_each(
    ("text", "sentence"),
    [
        ("{it} regains {n} hit points", "The troll regains 10 hit points unless it was burnt."),
        ("{it} regains {n} hit points", "Once a day, the troll regains 10 hit points."),
        ("{it} regains {n} hit points", "The target regains 10 hit points."),
        ("{it} regains {n} hit points", "Each ally regains 10 hit points."),
        ("{it} attacks with its {own}", "The devil makes two attacks with its chains."),
        ("{it} takes {dice} {type} damage", "It takes 2d6 cold damage."),
        ("{it} [really] sleeps", "It hardly sleeps."),
        ("(a|b) c", "c"),
    ],
)
def test_a_sentence_that_says_something_else_is_not_matched(text: str, sentence: str) -> None:
    assert found(text, sentence) is None


@for_each(
    ("text", "why"),
    [
        ("{it} burns {tipe}", r"unknown slot \{tipe\} \(did you mean 'type'\?\)"),
        ("it [burns", r"\[ isn't closed"),
        ("it burns)", r"\) without an opening bracket"),
        ("it | burns", r"\| outside brackets"),
        ("it ... burns", "in the middle; it is allowed only at"),
        ("{it} {n}", "at least one required word"),
        ("takes {type} or {type} damage", r"\{type\} is used twice"),
        ("burns []", "empty choice"),
        ("{a}", "parts contain each other"),
    ],
)
def test_a_mistake_in_a_template_is_told_in_words(text: str, why: str) -> None:
    with pytest.raises(TemplateError, match=why):
        compile_template(text, WORDS, {"a": "x {b}", "b": "{a}"})


def _goes_back(nodes: Any, final: bool = False) -> Iterator[str]:
    """Yield what could make a pattern try a text in several ways: repeats that give back, choices that aren't final."""
    for kind, value in nodes:
        if kind.name in ("MAX_REPEAT", "MIN_REPEAT"):
            yield f"gives back: {value}"
        elif kind.name == "POSSESSIVE_REPEAT":
            if value[1] > 40_000:
                yield f"has no bound: {value}"
            yield from _goes_back(value[2])
        elif kind.name == "ATOMIC_GROUP":
            yield from _goes_back(value, final=True)
        elif kind.name == "SUBPATTERN":
            yield from _goes_back(value[3], final)
        elif kind.name == "BRANCH":
            plain = all(one.name in ("LITERAL", "IN") for each in value[1] for one, _ in each)
            alone = all(one.name == "LITERAL" for one, _ in list(nodes)[:-1])  # after what its options have in common
            if not plain and not (final and alone):
                yield f"is tried again: {value}"
            for each in value[1]:
                yield from _goes_back(each)


def test_no_template_that_is_shipped_goes_back_or_repeats_without_bound() -> None:
    for pattern in ("a+b", "(?:a++)*", "a{2,}+", "(?:a++|b++)c"):
        assert list(_goes_back(parser.parse(pattern))), pattern
    for system in ("dnd5e", "a5e", "pf2e"):
        catalogue = shipped_catalogue(system)
        for entry in catalogue.entries:
            for one in (*entry.matches, *entry.then, *entry.also, *entry.unapplied):
                assert not list(_goes_back(parser.parse(one.pattern))), (entry.entry.id, one.text)


def test_a_hostile_text_is_cut_into_sentences_of_bounded_length() -> None:
    for text in ("a " * 10_000, "." * 20_000, " " * 20_000, "1d1 + " * 4_000, "(" * 20_000, "5-" * 10_000):
        assert all(len(one) <= 700 for one in sentences_of(text))


def test_sentences_end_where_a_reader_sees_them_end() -> None:
    text = "It burns within 5 ft. of it. It has +1 vs. Magic; Trigger it is hit Effect It hits back.\nIt sleeps"
    assert sentences_of(text) == [
        "it burns within 5 feet of it ",
        "it has +1 vs magic ",
        "trigger it is hit ",
        "effect it hits back ",
        "it sleeps ",
    ]


def test_a_pattern_is_no_expression_of_its_author() -> None:
    assert found("{it} says a.*b+", "It says aXXb") is None


@for_each(
    ("second", "third"),
    [
        ("You have advantage on saving throws.", "it has advantage on saving throws "),
        ("You also take no damage if you succeed.", "it also takes no damage if it succeeds "),
        ("A creature hits you with your own weapon.", "a creature hits it with its own weapon "),
        ("You can't be surprised while you aren't asleep.", "it cant be surprised while it isnt asleep "),
        ("You try and carry; you rush.", "it tries and carry it rushes "),
        ("At 7th level, you gain this.", "it gains this "),
        ("Starting at 2nd level, you automatically hit.", "it automatically hits "),
        ("When you reach 3rd level, you do it within 5 feet of you.", "it does it within 5 feet of it "),
        ("You missed, and you were seen.", "it missed and it was seen "),
        ("It has advantage.", "it has advantage "),
        ("", ""),
    ],
)
def test_a_sentence_about_you_reads_like_one_about_a_creature(second: str, third: str) -> None:
    assert third_person(plain_sentence(second)) == third
