"""The templates' input: plain data as JSON, with no character in it that a page can't hold."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.for_each import for_each
from turnwright.handouts.page_input import PAPERS, PrintDocument, Section, template_json
from turnwright.handouts.typography import typographic


def told(text: str) -> str:
    return json.loads(template_json(PrintDocument("t", (Section("x", {"text": text}),))))["sections"][0]["data"]["text"]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_paper_is_given_in_millimetres(paper):
    given = json.loads(template_json(PrintDocument("t", (), paper=paper)))
    assert (given["width"], given["height"]) == PAPERS[paper]


def test_letter_is_eight_and_a_half_by_eleven_inches():
    assert PAPERS["letter"] == pytest.approx((8.5 * 25.4, 11 * 25.4))


@for_each("code", [0, 1, 7, 8, 11, 12, 27, 31, 127, 128, 155, 159])
def test_control_characters_are_left_out(code):
    assert told(f"a{chr(code)}b") == "ab"


@pytest.mark.parametrize("text", ["a\tb", "a\nb", "a\r\nb"])
def test_tabs_and_line_ends_stay(text):
    assert told(text) == text


@pytest.mark.parametrize("text", [r"a\u0007b", r"\\u0000", r"C:\u001b", "\\", r"\n"])
def test_a_backslash_of_a_text_stays_what_it_is(text):
    assert told(text) == text


@given(st.text())
def test_every_other_character_comes_through(text):
    kept = "".join(
        letter for letter in text if letter in "\t\n\r" or not (ord(letter) < 32 or 127 <= ord(letter) < 160)
    )
    assert told(text) == typographic(kept)


def test_everything_a_template_asks_for_is_there():
    given = json.loads(
        template_json(PrintDocument("t", (Section("x", {}),), bleed=3.0, ink="saving", words={"a.b": "c"}))
    )
    assert given == {
        "title": "t",
        "game": "",
        "sides": "one",
        "paper": "a4",
        "width": 210.0,
        "height": 297.0,
        "edition": "game-master",
        "ink": "saving",
        "bleed": 3.0,
        "language": "en",
        "words": {"a.b": "c"},
        "sections": [{"kind": "x", "name": "", "form": "page", "edition": "game-master", "data": {}}],
    }
