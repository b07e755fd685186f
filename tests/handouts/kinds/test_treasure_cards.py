"""Treasure cards: a find on half a playing card, a longer one on more, and none in the players' edition."""

from __future__ import annotations

import re

import pytest

from tests.handouts.sample_pages import PAPERS, data_of, fight, needs_poppler, printed, text_of, words_of
from tests.handouts.test_hostile_text import TEXTS
from turnwright.encounter.prepared import Scene
from turnwright.handouts.kinds.treasure_cards import KIND
from turnwright.handouts.typesetter import Typesetter

RING = "a silver ring, worth 12 gp: it hums near water"


def hoard(*finds: str, **options):
    return fight(Scene(treasure=finds), **options)


def test_a_find_is_named_by_its_words_before_the_first_comma_or_colon():
    assert data_of(KIND, hoard(RING, "two\n keys", " ", "élan: a draught, cold", "1,200 gp", ", odd")) == {
        "cards": [
            {"name": "A silver ring", "text": "Worth 12 gp: it hums near water"},
            {"name": "Two keys", "text": ""},
            {"name": "Élan", "text": "A draught, cold"},
            {"name": "1,200 gp", "text": ""},
            {"name": ", odd", "text": ""},
        ]
    }


def test_without_treasure_and_for_players_there_are_no_cards():
    assert data_of(KIND, hoard()) is data_of(KIND, hoard(" \n")) is None
    assert printed(KIND, hoard(RING, edition="players")).sections == ()


@pytest.mark.parametrize("paper", PAPERS)
def test_eighteen_share_a_sheet_and_a_long_one_has_a_higher_card(paper: str, press: Typesetter):
    def pages(*finds: str) -> list[str]:
        return [page.decode() for page in press.typeset(printed(KIND, hoard(*finds, paper=paper)), "svg").pages]

    def cards(page: str, height: float) -> int:
        return sum(abs(float(found) - height * 72 / 25.4) < 0.5 for found in re.findall(r"(?<=v )[\d.]+", page))

    assert len(pages(*[RING] * 18)) == 1
    assert len(pages(*[RING] * 19)) == 2
    short, long = pages(RING, "a scroll, " + "word " * 90)
    assert cards(short, 44.45)
    assert not cards(short, 88.9)
    assert cards(long, 88.9)
    assert not cards(long, 44.45)


@needs_poppler
@pytest.mark.parametrize("paper", PAPERS)
def test_eighteen_cards_lie_on_the_paper_with_every_word(paper: str, press: Typesetter):
    pdf = press.typeset(printed(KIND, hoard(*[RING] * 18, paper=paper))).pages[0]
    assert text_of(pdf).count("It hums") + text_of(pdf).count("it hums") == 18
    tops = [one.top for one in words_of(pdf)]
    assert min(tops) > 6 * 72 / 25.4
    assert max(tops) < {"a4": 291, "letter": 273}[paper] * 72 / 25.4


@needs_poppler
def test_no_word_of_a_find_is_lost_however_long_it_is(press: Typesetter):
    text = text_of(press.typeset(printed(KIND, hoard("a book, " + "page " * 1500))).pages[0])
    assert text.count("age") == 1500


@pytest.mark.parametrize("name", TEXTS)
def test_any_text_can_stand_on_a_card(name: str, press: Typesetter):
    assert press.typeset(printed(KIND, hoard(TEXTS[name], RING))).pages
