"""Environment cards: each on half a page, with its entries and boxes; a longer one takes the room that it needs."""

from __future__ import annotations

import re

import msgspec
import pytest

from tests.handouts.sample_pages import (
    PAPERS,
    data_of,
    fight,
    outside,
    printed,
    sample,
    source,
    strokes,
    text_of,
    words_of,
)
from tests.handouts.samples import ON_A_PAPER
from turnwright.encounter.prepared import Environment, EnvironmentEntry, Scene
from turnwright.handouts.kinds.environment_cards import KIND
from turnwright.handouts.typesetter import Typesetter


def place(name: str, rows: int = 1, words: int = 5, recharge: int = 0) -> Environment:
    """An environment with so many rows of either sort."""
    entries = tuple(
        EnvironmentEntry(f"{n}", f"{name} row {n}", text="word " * words, recharge=recharge) for n in range(rows)
    )
    return Environment(name.lower(), name, "A place.", features=entries, actions=entries)


@ON_A_PAPER
def test_the_cards_of_every_sample_have_every_row(name: str, paper: str, press: Typesetter):
    pdf = press.typeset(printed(KIND, source(sample(name), paper=paper))).pages[0]
    text = text_of(pdf)
    for one in sample(name).all(Environment):
        assert one.name in text
        assert all(row.name in text for row in (*one.features, *one.actions) if row.enabled)
    assert outside(pdf) == []


@pytest.mark.sampled(1)
@pytest.mark.parametrize("paper", PAPERS)
def test_four_short_places_share_a_page_and_a_long_one_has_its_own(paper: str, press: Typesetter):
    def pages(*places: Environment) -> int:
        return len(press.typeset(printed(KIND, fight(Scene(), *places, paper=paper)), "svg").pages)

    short, long = [place(f"Place {number}") for number in range(5)], place("Long", rows=4, words=100)
    assert pages(*short[:4]) == pages(short[0], Environment("bare", "Bare", "A place.")) == 1
    assert pages(*short) == 2
    assert pages(short[0], long, short[1]) == 2


@pytest.mark.parametrize(("paper", "width", "height"), [("a4", 210.0, 297.0), ("letter", 215.9, 279.4)])
def test_a_card_is_a_quarter_of_what_a_page_has_between_its_margins(
    paper: str, width: float, height: float, press: Typesetter
):
    packet = printed(KIND, fight(Scene(), place("One"), place("Two"), paper=paper))
    page = press.typeset(packet, "svg").pages[0].decode()
    across, down = (width - 26) / 2 * 72 / 25.4, (height - 28) // 2 * 72 / 25.4
    assert sum(abs(float(found) - down) < 2 for found in re.findall(r"(?<=v )-?[\d.]+", page)) >= 2
    assert sum(abs(float(found) - across) < 2 for found in re.findall(r"(?<=h )-?[\d.]+", page)) >= 2


def test_all_cards_of_a_sheet_have_type_of_one_size(press: Typesetter):
    full = msgspec.structs.replace(place("Full", rows=3, words=30), features=())
    words = words_of(press.typeset(printed(KIND, fight(Scene(), full, place("Short")))).pages[0])
    heights = {round(one.bottom - one.top, 1) for one in words if one.text == "row"}
    assert len(heights) == 1


def test_no_word_of_a_place_is_lost_however_long_it_is(press: Typesetter):
    pdf = press.typeset(printed(KIND, fight(Scene(), place("Long", rows=6, words=300)))).pages[0]
    assert sum(one.text == "word" for one in words_of(pdf)) == 2 * 6 * 300
    assert outside(pdf) == []


def test_each_world_action_that_recharges_has_six_boxes(press: Typesetter):
    def drawn(recharge: int) -> int:
        return strokes(press, printed(KIND, fight(Scene(), place("One", rows=2, recharge=recharge))))

    assert drawn(5) - drawn(0) == 2 * 6


def test_without_an_environment_there_is_no_page():
    assert data_of(KIND, fight(Scene())) is None
