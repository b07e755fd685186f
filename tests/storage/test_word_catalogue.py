"""Texts are found by key, filled with their parameters, and parameters are never interpreted."""

import re

from hypothesis import given
from hypothesis import strategies as st

from turnwright.storage.resources import read_text
from turnwright.storage.word_catalogue import WordCatalogue, fill_in

WORDS = WordCatalogue({"hp.lost": "{who} loses {n|one hit point|{n} hit points}.", "plain": "Initiative"})


def test_a_key_gives_its_text_and_an_unknown_key_itself():
    assert WORDS("plain") == "Initiative"
    assert WORDS("Mira {braces}", n=3) == "Mira {braces}"


def test_singular_and_plural():
    assert WORDS("hp.lost", who="Mira", n=1) == "Mira loses one hit point."
    assert WORDS("hp.lost", who="Mira", n=12) == "Mira loses 12 hit points."


def test_a_missing_parameter_shows_its_name():
    assert WORDS("hp.lost", n=2) == "{who} loses 2 hit points."


def test_braces_in_a_parameter_are_only_text():
    assert WORDS("hp.lost", who="{n}{who.__class__}", n=2) == "{n}{who.__class__} loses 2 hit points."


@given(st.text(), st.dictionaries(st.text(), st.integers()))
def test_no_text_makes_filling_fail(text, params):
    assert isinstance(fill_in(text, params), str)


def test_the_shipped_words_load():
    words = WordCatalogue.load()
    assert words.language == "en"
    assert all(isinstance(words(key), str) for key in words)


def test_a_game_s_terms_fill_what_no_parameter_does():
    words = WordCatalogue.load()
    assert words("ui.turn.movement", left=3, of=12) == "3 / 12 ft"
    own = words.with_terms({"unit": "m", "hp": "Health", "hp.short": "HLT"})
    assert own("ui.turn.movement", left=3, of=12) == "3 / 12 m"
    assert own("ui.hp.points", now=3, maximum=9) == "3 of 9 health"
    assert words("ui.hp.points", now=3, maximum=9) == "3 of 9 hit points"
    assert own.with_terms({})("ui.turn.movement", left=3, of=12) == "3 / 12 ft"
    shields = words.with_terms({"hp.temporary": "Shield points"})
    assert shields("journal.temporary", who="Quill", after=6) == "Quill has 6 shield points"


def test_a_parameter_goes_before_the_usual_word():
    assert WordCatalogue({"a": "{ac} {unit}"}, defaults={"ac": "AC", "unit": "ft"})("a", ac=12) == "12 ft"


def test_no_text_says_one_game_s_unit_or_names_for_its_figures():
    fixed = re.compile(r"\bft\b|\bfeet\b|\b[Hh]it points?\b|\bNarrator\b|\bHP\b|\bAC\b")
    lines = read_text("words/en.toml").partition("[ui.general]")[2].splitlines()
    texts = [re.sub(r"\{[^|}]*\}", "", line.partition(" = ")[2]) for line in lines]
    assert len(texts) > 1000
    assert [text for text in texts if fixed.search(text) and "their feet" not in text] == []
