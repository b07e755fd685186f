"""Treasure cards: a find on half a playing card, a longer one on more, and none in the players' edition."""

from __future__ import annotations

import re

import msgspec
import pytest

from tests.handouts.sample_pages import PAPERS, data_of, fight, printed, text_of, words_of
from tests.handouts.test_hostile_text import TEXTS
from turnwright.encounter.prepared import Scene, Treasure
from turnwright.handouts.environment_data import treasure_lines
from turnwright.handouts.kinds.encounter_sheet import KIND as SHEET
from turnwright.handouts.kinds.treasure_cards import KIND
from turnwright.handouts.typesetter import Typesetter

RING = "a silver ring, worth 12 gp: it hums near water"
PLAIN = {"facts": "", "uses": 0, "note": ""}


def hoard(*finds: str, **options):
    return fight(Scene(treasure=finds), **options)


def test_a_find_is_named_by_its_words_before_the_first_comma_or_colon():
    finds = RING, "two\n keys", " ", "élan: a draught, cold", "1,200 gp", ", odd"
    assert data_of(KIND, hoard(*finds))["cards"] == [
        {"name": "a silver ring", "text": "worth 12 gp: it hums near water", **PLAIN},
        {"name": "two keys", "text": "", **PLAIN},
        {"name": "élan", "text": "a draught, cold", **PLAIN},
        {"name": "1,200 gp", "text": "", **PLAIN},
        {"name": ", odd", "text": "", **PLAIN},
    ]


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
    (shared,) = pages(RING, "a scroll, " + "word " * 120)
    assert cards(shared, 44.45)
    assert cards(shared, 88.9)


@pytest.mark.parametrize("paper", PAPERS)
def test_eighteen_cards_lie_on_the_paper_with_every_word(paper: str, press: Typesetter):
    pdf = press.typeset(printed(KIND, hoard(*[RING] * 18, paper=paper))).pages[0]
    assert text_of(pdf).count("It hums") + text_of(pdf).count("it hums") == 18
    tops = [one.top for one in words_of(pdf)]
    assert min(tops) > 6 * 72 / 25.4
    assert max(tops) < {"a4": 291, "letter": 273}[paper] * 72 / 25.4


def test_no_word_of_a_find_is_lost_however_long_it_is(press: Typesetter):
    text = text_of(press.typeset(printed(KIND, hoard("a book, " + "page " * 1500))).pages[0])
    assert text.count("age") == 1500


@pytest.mark.parametrize("name", TEXTS)
def test_any_text_can_stand_on_a_card(name: str, press: Typesetter):
    assert press.typeset(printed(KIND, hoard(TEXTS[name], RING))).pages


def test_an_item_has_its_worth_and_a_box_for_each_use():
    wand = Treasure("wand", "wand of\nmending", "40 gp", "common", 3, "Mends a crack.\n\nNo more.")
    (card,) = data_of(KIND, fight(wand))["cards"]
    facts = {"facts": "common · 40 gp", "uses": 3, "note": ""}
    assert card == {"name": "wand of mending", "text": "Mends a crack.\n\nNo more.", **facts}


def test_what_is_not_known_at_once_has_a_card_with_its_looks_alone():
    ring = Treasure("ring", "Ring of the tide", text="Breathe water.", secret=True, looks="a dull ring")
    first, second = data_of(KIND, fight(ring))["cards"]
    assert first == {"name": "a dull ring", "text": "", "facts": "", "uses": 0, "note": ""}
    assert (second["name"], second["note"]) == ("Ring of the tide", "once identified · looks like a dull ring")
    first, second = data_of(KIND, fight(msgspec.structs.replace(ring, looks="")))["cards"]
    assert (first["name"], second["note"]) == ("Unidentified item", "once identified")


def test_sheets_list_an_item_in_a_line():
    ring = Treasure("ring", "Ring of the tide", "400 gp", "rare", 2, "Breathe water.", secret=True, looks="a dull ring")
    fought = fight(Scene(treasure=("40 silver\npieces",)), ring)
    assert treasure_lines(fought) == [
        "40 silver pieces",
        "Ring of the tide, rare, 400 gp, 2 uses, looks like a dull ring",
    ]
    assert data_of(SHEET, fought)["treasure"] == treasure_lines(fought)


def test_an_item_s_words_and_boxes_are_printed(press: Typesetter):
    wand = Treasure("wand", "Wand of mending", "40 gp", "common", 5, "Mends a crack.")
    document = printed(KIND, fight(wand))
    text = text_of(press.typeset(document).pages[0])
    assert all(word in text for word in ("Wand of mending", "Common · 40 gp", "Mends a crack.", "uses"))


def test_an_item_without_a_name_is_listed_by_its_id_as_its_card_is():
    fought = fight(Treasure("old-key", " ", "3 sp"))
    assert treasure_lines(fought) == ["old-key, 3 sp"]
    assert [card["name"] for card in data_of(KIND, fought)["cards"]] == ["old-key"]
