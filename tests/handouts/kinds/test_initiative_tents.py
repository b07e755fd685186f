"""Initiative tents: strips of an exact size with a fold; a name alone towards the players, numbers behind it."""

from __future__ import annotations

import re

import pytest

from tests.handouts.sample_pages import (
    PAPERS,
    Word,
    data_of,
    fight,
    needs_poppler,
    printed,
    sample,
    source,
    text_of,
    words_of,
)
from tests.handouts.samples import ON_A_PAPER
from turnwright.encounter.prepared import Creature, RosterEntry, Scene
from turnwright.handouts.kinds.initiative_tents import KIND
from turnwright.handouts.typesetter import Typesetter

MM = 72 / 25.4
WIDE, HALF, APART, MARGIN = 88 * MM, 41 * MM, 2 * MM, 15 * MM
OGRE = Creature(
    "ogre", "Ogre", ac=11, hp=59, speeds=(("walk", 40), ("climb", 20)), abilities=(("str", 19), ("dex", 8)),
    saves=(("con", 5),), senses=(("darkvision", 60),), passives=(("perception", 8),), notes="A coward.",
)  # fmt: skip


def is_front(word: Word) -> bool:
    """Whether a word stands above the fold of its tent."""
    down = ((word.top + word.bottom) / 2 - MARGIN) % (2 * HALF + APART)
    return down < HALF


@needs_poppler
@ON_A_PAPER
def test_every_sample_has_a_tent_for_each_in_the_order(name: str, paper: str, press: Typesetter):
    origin = source(sample(name), paper=paper)
    tents = data_of(KIND, origin)["tents"]
    entries = [one for one in sample(name).all(RosterEntry) if not one.bystander]
    assert len(tents) == sum(one.count for one in entries)
    words = words_of(press.typeset(printed(KIND, origin)).pages[0])
    fronts, backs = [one.text for one in words if is_front(one)], [one.text for one in words if not is_front(one)]
    for tent in tents:
        assert {tent["ac"], str(tent["hp"]), tent["initiative"], *tent["name"].split()} <= {*backs}
    told = {word for tent in tents for text in (tent["name"], tent["player"]) for word in text.split()}
    assert all(any(word.strip("-\u00ad") in whole for whole in told) for word in fronts)


@needs_poppler
def test_nothing_but_the_name_and_its_player_stands_on_the_front(press: Typesetter):
    entry = RosterEntry("brute", "ogre", "Brute", player="Nina", place="behind the door", notes="Flees.", hidden=True)
    words = words_of(press.typeset(printed(KIND, fight(Scene(), OGRE, entry))).pages[0])
    assert sorted(one.text for one in words if is_front(one)) == ["Brute", "Nina"]


@needs_poppler
def test_the_back_has_armor_points_speeds_senses_and_every_save(press: Typesetter):
    text = text_of(press.typeset(printed(KIND, fight(Scene(), OGRE, RosterEntry("brute", "ogre", "Brute")))).pages[0])
    assert "Str +4 Dex −1 Con +5 Int +0 Wis +0 Cha +0" in text
    assert "Speed 40 ft., climb 20 ft." in text
    assert "Senses darkvision 60 ft., passive Perception 8" in text
    for figure in ("11", "59", "−1", "Ogre"):
        assert figure in text.split()


def test_the_back_goes_by_the_game():
    hare = Creature("hare", "Hare", ac=15, hp=8, skills=(("perception", 6),), saves=(("dex", 7),))
    tent = data_of(KIND, fight(Scene(system="pf2e"), hare, RosterEntry("hare", "hare", adjustment="weak")))["tents"][0]
    assert [one["name"] for one in tent["saves"]] == ["Fort", "Ref", "Will"]
    assert [one["bonus"] for one in tent["saves"]] == ["−2", "+5", "−2"]  # weak: 2 less on everything
    assert (tent["ac"], tent["lines"][0]) == ("13", {"lead": "Perception", "text": "+4"})


@pytest.mark.parametrize("paper", PAPERS)
def test_a_tent_is_88_by_82_millimetres_and_folds_in_the_middle(paper: str, press: Typesetter):
    entries = (RosterEntry("a", "ogre", count=6),)
    page = press.typeset(printed(KIND, fight(Scene(), OGRE, *entries, paper=paper)), "svg")
    assert len(page.pages) == 1
    drawn = page.pages[0].decode()
    boxes = re.findall(r"M 0 0v ([\d.]+) ?h ([\d.]+) ?v -", drawn)
    strips = [(float(tall), float(wide)) for tall, wide in boxes if abs(float(wide) - WIDE) < 1]
    assert len(strips) == 6
    assert all((tall, wide) == pytest.approx((2 * HALF, WIDE), abs=0.1 * MM) for tall, wide in strips)
    folds = re.findall(r'stroke-dasharray="[^"]*" transform="translate\(0 ([\d.]+)\)', drawn)
    assert [float(down) for down in folds] == pytest.approx([HALF] * 6, abs=0.1 * MM)


@needs_poppler
@pytest.mark.parametrize("name", ["W" * 300, "many words " * 80, "Rindfleischetikettierungsüberwachung " * 5, "\n"])
def test_a_name_of_any_length_stays_on_its_tent(name: str, press: Typesetter):
    pdf = press.typeset(
        printed(KIND, fight(Scene(), OGRE, RosterEntry("a", "ogre", name), RosterEntry("b", "ogre")))
    ).pages[0]
    edge = (595.28 + APART) / 2 - APART  # of the left column, the right end of the first tent
    long = [one for one in words_of(pdf) if one.left < edge]
    assert len(long) > 3
    assert all(one.right <= edge for one in long)
    assert all(one.top >= MARGIN and one.bottom <= MARGIN + 2 * HALF for one in long)


def test_bystanders_have_none_and_a_person_chooses_creatures():
    entries = (RosterEntry("a", "ogre", "A"), RosterEntry("b", "ogre", "B", bystander=True), RosterEntry("c", "hare"))
    records = (Scene(), OGRE, Creature("hare", "Hare"), *entries)
    assert [one["name"] for one in data_of(KIND, fight(*records))["tents"]] == ["A", "Hare"]
    assert [one["name"] for one in data_of(KIND, fight(*records, creatures=("hare",)))["tents"]] == ["Hare"]
    assert data_of(KIND, fight(Scene())) is None


def test_one_whose_stat_block_is_gone_has_a_tent_without_figures():
    tent = data_of(KIND, fight(Scene(), RosterEntry("a", "gone", "Ghost")))["tents"][0]
    assert (tent["name"], tent["ac"], tent["hp"], tent["initiative"]) == ("Ghost", "", 0, "")
    assert (tent["saves"], tent["lines"]) == ([], [])
