"""Tracking sheets: a block for each combatant with boxes for every count, by the rules of the game."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.handouts.sample_pages import (
    MARGIN,
    beside,
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
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Feature, FeatureStep, RosterEntry, Scene
from turnwright.handouts.kinds.tracking_sheets import KIND
from turnwright.handouts.typesetter import Typesetter

MAGE = Creature(
    "mage", "Mage", ac=12, hp=33, legendary=3, slots=(("1", 4), ("2", 0), ("3", 2)), pools=(("willpower", 8),),
    features=(
        Feature("breath", "Breath", cost="action", recharge=5),
        Feature("word", "Warm word", cost="bonus", uses=4, per="rest"),
        Feature("staff", "Staff", cost="action"),
    ),
)  # fmt: skip


def block(system: str = "a5e", player: str = "", creature: Creature = MAGE) -> Any:
    entry = RosterEntry("mage", creature.id, player=player)
    return data_of(KIND, fight(Scene(system=system), creature, entry))["blocks"][0]


def counted(found: Any) -> dict[str, int]:
    return {row["lead"]: row["boxes"] for row in found["rows"]}


@pytest.mark.sampled(2)
@ON_A_PAPER
def test_every_sample_has_a_block_for_each(name: str, paper: str, press: Typesetter):
    foes = data_of(KIND, source(sample(name), paper=paper))["blocks"]
    assert len(foes) == sum(one.count for one in sample(name).all(RosterEntry) if one.side != "party")
    origin = source(sample(name), paper=paper, party=True)
    blocks = data_of(KIND, origin)["blocks"]
    assert len(blocks) == sum(one.count for one in sample(name).all(RosterEntry))
    pdf = press.typeset(printed(KIND, origin)).pages[0]
    text, words = text_of(pdf), words_of(pdf)
    for one in blocks:
        told = f"{origin.text('ui.roster.ac')} {one['ac']}"
        start = " ".join(one["name"].split()[:2])  # a long name goes on in the next line
        assert any(told in " ".join(found) for found in beside(words, start)), start
        assert f"{origin.text('ui.roster.hp')} {one['hp']} " in text
        assert all(row["lead"] in text for row in one["rows"])
    assert outside(pdf) == []


def test_what_is_spent_has_its_boxes():
    assert counted(block()) == {
        "Action": 1, "Bonus action": 1, "Reaction": 1, "Slots 1": 4, "Slots 3": 2,
        "Breath": 4, "Warm word": 4, "Legendary": 3, "Fatigue": 7,
    }  # fmt: skip
    notes = {row["lead"]: row["note"] for row in block()["rows"]}
    assert (notes["Breath"], notes["Warm word"], notes["Legendary"]) == ("recharge 5–6", "rest", "3 a round")


@pytest.mark.parametrize(
    ("system", "told"),
    [
        ("a5e", {"Death save successes": 3, "Death save failures": 3, "Fatigue": 7}),
        ("dnd5e", {"Death save successes": 3, "Death save failures": 3}),
        ("pf2e", {"Actions": 3, "Reaction": 1, "Dying": 4, "Wounded": 3, "Doomed": 3}),
        ("action_points", {"Action Points": 6, "Reaction Points": 6, "Willpower": 8}),
    ],
)
def test_a_character_counts_what_the_game_counts(system: str, told: dict[str, int]):
    found = counted(block(system, player="Nina"))
    assert told.items() <= found.items()
    dying = {"Death save successes", "Death save failures", "Dying", "Wounded", "Doomed", "Fatigue"}
    assert dying & {*found} == dying & {*told}


@pytest.mark.parametrize("system", ["a5e", "dnd5e", "pf2e"])
def test_those_who_die_at_once_count_no_death_saves(system: str):
    assert not {"Death save successes", "Death save failures", "Dying", "Wounded"} & {*counted(block(system))}


def test_hit_points_may_fall_below_nothing_where_the_game_lets_them():
    assert (block("action_points")["lowest"], block("a5e")["lowest"]) == (-33, 0)


def test_few_hit_points_are_boxes_and_many_a_box_to_write_in(press: Typesetter):
    def drawn(hp: int) -> int:
        creature = Creature("a", "A", hp=hp)
        return strokes(press, printed(KIND, fight(Scene(), creature, RosterEntry("a", "a"))))

    assert drawn(30) - drawn(25) == 5
    assert drawn(200) == drawn(5000)


@pytest.mark.parametrize("hp", [7, 30, 31, 400])
def test_hit_points_are_said_at_the_same_place_however_many(hp: int, press: Typesetter):
    origin = fight(Scene(), Creature("a", "A", hp=hp), RosterEntry("a", "a"))
    words = words_of(press.typeset(printed(KIND, origin)).pages[0])
    figure = next(one for one in words if one.text == str(hp))
    assert figure.right == pytest.approx(MARGIN + 12.9 * 72 / 25.4, abs=1.5)
    assert any(one.text == str(hp // 2) for one in words) == (hp > 30)  # small ones are shaded from there


@pytest.mark.soak
def test_room_that_is_left_goes_to_lines_for_conditions_and_blocks_for_newcomers(press: Typesetter):
    def rounds(count: int) -> int:  # boxes of five rounds, and what else is boxed
        creature = Creature("a", "A", hp=31)
        return strokes(press, printed(KIND, fight(Scene(), creature, RosterEntry("a", "a", count=count))))

    assert rounds(1) > 6 * 5 * 5
    assert rounds(60) / 60 < rounds(2)


def test_each_has_its_sign_of_the_map(press: Typesetter):
    creature = Creature("a", "Raider", hp=9)
    origin = fight(Scene(), creature, RosterEntry("a", "a", count=2))
    assert [one["sign"] for one in data_of(KIND, origin)["blocks"]] == ["Ra1", "Ra2"]
    assert {"Ra1", "Ra2"} <= {one.text for one in words_of(press.typeset(printed(KIND, origin)).pages[0])}


def test_a_hundred_uses_are_a_figure_to_count_down():
    busy = Creature("busy", "Busy", features=(Feature("hit", "Hit", uses=100),))
    row = next(one for one in block(creature=busy)["rows"] if one["lead"] == "Hit")
    assert (row["boxes"], row["counted"]) == (100, False)


def test_somebody_with_more_to_count_than_a_page_holds_is_not_cut_off(press: Typesetter):
    many = tuple(Feature(f"f{number}", f"Feature{number}", uses=2) for number in range(150))
    pdf = press.typeset(
        printed(KIND, fight(Scene(), Creature("a", "A", features=many), RosterEntry("a", "a", count=2)))
    ).pages[0]
    text = text_of(pdf).split()
    assert all(text.count(one.name) == 2 for one in many)
    assert outside(pdf) == []


def test_a_person_chooses_creatures_and_nobody_makes_no_page():
    records = (Scene(), MAGE, Creature("hare", "Hare"), RosterEntry("a", "mage"), RosterEntry("b", "hare"))
    assert [one["name"] for one in data_of(KIND, fight(*records, creatures=("hare",)))["blocks"]] == ["Hare"]
    assert data_of(KIND, fight(Scene())) is None


def test_players_count_for_their_own_characters_alone():
    records = (Scene(), MAGE, Creature("hare", "Hare"), RosterEntry("a", "mage", side="party", player="Ann"))
    data = data_of(KIND, fight(*records, RosterEntry("b", "hare"), edition="players"))
    assert [one["player"] for one in data["blocks"]] == ["Ann"]
    assert data_of(KIND, fight(*records[:3], RosterEntry("b", "hare"), edition="players")) is None


def test_the_usual_effects_of_the_party_are_told_in_words(press: Typesetter):
    bard = Creature(
        "bard", "Bard", hp=9,
        features=(
            Feature("song", "War Song", effect=(DataRule("modifier", "ac", add=1),), lasts="2 rounds"),
            Feature("magic", "Spells", "action", does=(FeatureStep(spell="bless"),)),
        ),
    )  # fmt: skip
    effects = ("Mage Armor +3 ac long rest", "bless 3", "poisoned", "bad +1 luck")
    entries = (
        RosterEntry("bard", "bard", side="party", player="Kim", effects=effects),
        RosterEntry("mage", "mage", effects=("Stoneskin +9 ac",)),
    )
    page = fight(Scene(system="dnd5e"), bard, MAGE, *entries)
    told = data_of(KIND, page)["effects"]
    assert told == [
        "Mage Armor: +3 ac (until a long rest)",
        "Bless: +1d4 attack, saves (3 rounds)",
        "Poisoned",
        "War Song: +1 ac (2 rounds)",
    ]
    spy = RosterEntry("spy", "mage", "Spy", side="party", hidden=True, effects=("Disguise",))
    players = fight(Scene(system="dnd5e"), bard, MAGE, *entries, spy, edition="players")
    assert data_of(KIND, players)["effects"] == ["War Song: +1 ac (2 rounds)", "Bless: +1d4 attack, saves (1 minute)"]
    text = text_of(press.typeset(printed(KIND, page)).pages[0])
    assert page.text("handout.tracking-sheets.effects").replace("'", "’") in text
    assert all(one in text for one in told)


def test_boxes_for_hit_points_are_wide_enough_to_cross_off(press: Typesetter):
    origin = fight(Scene(), Creature("a", "A", hp=30), RosterEntry("a", "a"))
    page = press.typeset(printed(KIND, origin), "svg").pages[0].decode()
    sizes = [(float(high), float(wide)) for high, wide in re.findall(r'd="M 0 0v ([\d.]+) ?h ([\d.]+) ?v -', page)]
    boxes = [wide for high, wide in sizes if high == pytest.approx(3.6 * 72 / 25.4, abs=0.1)]
    assert len(boxes) == 30
    assert min(boxes) > 2.4 * 72 / 25.4
