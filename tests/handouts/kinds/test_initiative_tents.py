"""Initiative tents: strips of an exact size with a fold; a name alone towards the players, numbers behind it."""

from __future__ import annotations

import re

import msgspec
import pytest

from tests.handouts.sample_pages import (
    PAPERS,
    Word,
    data_of,
    fight,
    printed,
    sample,
    source,
    words_of,
)
from tests.handouts.samples import ON_A_PAPER
from turnwright.encounter.prepared import Creature, Environment, EnvironmentEntry, Feature, RosterEntry, Scene
from turnwright.handouts.kinds.initiative_tents import KIND
from turnwright.handouts.typesetter import Typesetter

MM = 72 / 25.4
WIDE, HALF, TOP = 97 * MM, {"a4": 36 * MM, "letter": 33 * MM}, {"a4": 4.5 * MM, "letter": 7.7 * MM}
OGRE = Creature(
    "ogre", "Ogre", ac=11, hp=59, speeds=(("walk", 40), ("climb", 20)), abilities=(("str", 19), ("dex", 8)),
    saves=(("con", 5),), senses=(("darkvision", 60),), passives=(("perception", 8),), notes="A coward.",
)  # fmt: skip


def is_front(word: Word, paper: str = "a4") -> bool:
    """Whether a word stands above the fold of its tent."""
    half = HALF[paper]
    return ((word.top + word.bottom) / 2 - TOP[paper]) % (2 * half) < half


@ON_A_PAPER
def test_every_sample_has_a_tent_for_each_group_in_the_order(name: str, paper: str, press: Typesetter):
    origin = source(sample(name), paper=paper)
    tents = data_of(KIND, origin)["tents"]
    entries = [one for one in sample(name).all(RosterEntry) if not one.bystander]
    assert len([one for one in tents if one["tone"] != "world"]) == len(entries)
    words = words_of(press.typeset(printed(KIND, origin)).pages[0])
    fronts = [one.text for one in words if is_front(one, paper)]
    backs = [one.text for one in words if not is_front(one, paper)]
    for tent in tents:
        told = {word for one in tent["figures"] for word in one["value"].split()}
        assert {*told, *tent["initiative"].split(), *tent["name"].split()} <= {*backs}
    told = {word for tent in tents for text in (tent["name"], tent["beside"]) for word in text.split()}
    assert all(any(word.strip("-\u00ad") in whole for whole in told) for word in fronts)


def test_nothing_but_the_name_and_its_player_stands_on_the_front(press: Typesetter):
    entry = RosterEntry("brute", "ogre", "Brute", player="Nina", place="behind the door", notes="Flees.", hidden=True)
    words = words_of(press.typeset(printed(KIND, fight(Scene(), OGRE, entry))).pages[0])
    assert sorted(one.text for one in words if is_front(one)) == ["Brute", "Nina"]


def figures_of(*records: object) -> list[str]:
    tent = data_of(KIND, fight(*records))["tents"][0]
    return [one["value"] for one in tent["figures"]]


def test_the_back_has_armor_a_passive_score_the_highest_dc_points_and_speeds():
    brute = RosterEntry("brute", "ogre", "Brute")
    assert figures_of(Scene(), OGRE, brute) == ["11", "8", "59", "40 ft., climb 20 ft."]
    hexing = (Feature("a", "Hex", save="wis", dc=12), Feature("b", "Curse", save="wis", dc=15))
    shaman = msgspec.structs.replace(OGRE, features=hexing, passives=())
    assert figures_of(Scene(), shaman, brute)[1:3] == ["10", "15"]


def test_the_back_goes_by_the_game():
    hare = Creature("hare", "Hare", ac=15, hp=8, skills=(("perception", 6),))
    weak = RosterEntry("hare", "hare", adjustment="weak")
    assert figures_of(Scene(system="pf2e"), hare, weak)[:2] == ["13", "14"]  # weak: 2 less on everything
    assert figures_of(Scene(system="action_points"), hare, RosterEntry("hare", "hare"))[:2] == ["15", "8"]


def test_a_figure_that_nobody_has_takes_no_room():
    shaman = msgspec.structs.replace(OGRE, id="shaman", features=(Feature("b", "Curse", save="wis", dc=15),))
    tents = data_of(KIND, fight(Scene(), OGRE, shaman, RosterEntry("a", "ogre"), RosterEntry("b", "shaman")))["tents"]
    assert [[one["value"] for one in tent["figures"]][2] for tent in tents] == ["", "15"]


def test_a_group_has_one_tent_for_all_and_the_world_one_where_it_acts():
    band, more = RosterEntry("band", "ogre", count=4), RosterEntry("more", "ogre", count=2)
    places = [
        Environment("mill", "Mill", features=(EnvironmentEntry("dust", "Dust"),)),
        Environment("race", "Race", actions=(EnvironmentEntry("wheel", "The wheel turns"),)),
    ]
    named = [one["name"] for one in data_of(KIND, fight(Scene(), OGRE, band, more, places[0]))["tents"]]
    assert named == ["Ogre 1–4", "Ogre 5–6"]
    world = data_of(KIND, fight(Scene(), OGRE, band, *places))["tents"][-1]
    assert (world["tone"], world["text"]) == ("world", "The wheel turns")


@pytest.mark.parametrize("paper", PAPERS)
def test_eight_tents_of_an_exact_size_share_a_page_and_fold_in_the_middle(paper: str, press: Typesetter):
    entries = [RosterEntry(f"r{number}", "ogre", f"Ogre of hill {number}x") for number in range(8)]
    page = press.typeset(printed(KIND, fight(Scene(), OGRE, *entries, paper=paper)), "svg")
    assert len(page.pages) == 1
    drawn = page.pages[0].decode()
    boxes = re.findall(r"M 0 0v ([\d.]+) ?h ([\d.]+) ?v -", drawn)
    strips = [
        (float(tall), float(wide)) for tall, wide in boxes if abs(float(wide) - WIDE) < 1 and float(tall) > MM * 50
    ]
    assert len(strips) == 8
    assert all((tall, wide) == pytest.approx((2 * HALF[paper], WIDE), abs=0.1 * MM) for tall, wide in strips)
    folds = re.findall(r'stroke-dasharray="[^"]*" transform="translate\(0 ([\d.]+)\)', drawn)
    assert [float(down) for down in folds] == pytest.approx([HALF[paper]] * 8, abs=0.1 * MM)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("count", "shares"), [(2, [2]), (8, [8]), (9, [6, 3]), (15, [8, 7]), (17, [6, 6, 5])])
def test_tents_are_shared_evenly_among_sheets(count: int, shares: list[int], press: Typesetter):
    entries = [RosterEntry(f"r{number}", "ogre", f"Ogre of hill {number}x") for number in range(count)]
    pages = press.typeset(printed(KIND, fight(Scene(), OGRE, *entries)), "svg").pages
    assert [len(re.findall('stroke-dasharray="', page.decode())) for page in pages] == shares


@pytest.mark.parametrize("name", ["W" * 300, "many words " * 80, "Rindfleischetikettierungsüberwachung " * 5, "\n"])
def test_a_name_of_any_length_stays_on_its_tent(name: str, press: Typesetter):
    records = (Scene(), OGRE, RosterEntry("a", "ogre", name), RosterEntry("b", "ogre"))
    found = words_of(press.typeset(printed(KIND, fight(*records))).pages[0])
    middle, edge = 595.28 / 2, 595.28 / 2 - WIDE
    long = [one for one in found if one.left < middle]
    assert len(long) > 3
    assert all(edge <= one.left and one.right <= middle for one in long)
    assert all(one.top >= TOP["a4"] and one.bottom <= TOP["a4"] + 2 * HALF["a4"] for one in long)


def test_bystanders_have_none_and_a_person_chooses_creatures():
    entries = (RosterEntry("a", "ogre", "A"), RosterEntry("b", "ogre", "B", bystander=True), RosterEntry("c", "hare"))
    records = (Scene(), OGRE, Creature("hare", "Hare"), *entries)
    assert [one["name"] for one in data_of(KIND, fight(*records))["tents"]] == ["A", "Hare"]
    assert [one["name"] for one in data_of(KIND, fight(*records, creatures=("hare",)))["tents"]] == ["Hare"]
    assert data_of(KIND, fight(Scene())) is None


def test_one_whose_stat_block_is_gone_has_a_tent_without_figures():
    tent = data_of(KIND, fight(Scene(), RosterEntry("a", "gone", "Ghost")))["tents"][0]
    assert (tent["name"], tent["initiative"]) == ("Ghost", "")
    assert tent["figures"] == []
