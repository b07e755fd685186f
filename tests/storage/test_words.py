"""Words are found by key, filled with their parameters, and never interpret what the parameters hold."""

from hypothesis import given
from hypothesis import strategies as st

from turnwright.storage.words import Words, filled

WORDS = Words({"hp.lost": "{who} loses {n|one hit point|{n} hit points}.", "plain": "Initiative"})


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
    assert isinstance(filled(text, params), str)


def test_the_shipped_words_load():
    words = Words.load()
    assert words.language == "en"
    assert all(isinstance(words(key), str) for key in words)
