"""Condition cards: two as large as a playing card, all of the game for players, those of the encounter otherwise."""

from __future__ import annotations

import re

import pytest

from tests.games import WITH_LEDGER
from tests.handouts.sample_pages import (
    PAPERS,
    data_of,
    fight,
    printed,
    sample,
    source,
    text_of,
    words_of,
)
from tests.handouts.samples import systems
from turnwright.encounter.prepared import (
    Announce,
    Countdown,
    Creature,
    Environment,
    EnvironmentEntry,
    Feature,
    InflictedCondition,
    RosterEntry,
    Scene,
)
from turnwright.handouts.kinds.condition_cards import KIND
from turnwright.handouts.typesetter import Typesetter

MM = 72 / 25.4
SYSTEMS = pytest.mark.parametrize("system", WITH_LEDGER)


@SYSTEMS
def test_each_condition_of_the_game_with_something_to_say_has_a_card(system: str):
    cards = data_of(KIND, fight(Scene(system=system), edition="players"))["cards"]
    conditions = {one.name: one for one in systems().get(system).data.conditions if one.printed}
    named = [card["name"] for card in cards]
    assert named == sorted(named)
    assert {name for name, one in conditions.items() if one.text} <= set(named) <= set(conditions)
    assert all(card["text"] or card["effects"] for card in cards)
    assert not any("(page" in card["text"] for card in cards)
    assert all(card["valued"] == conditions[card["name"]].has_levels for card in cards)


def names(origin) -> list[str]:
    return [card["name"] for card in data_of(KIND, origin)["cards"]]


def test_the_players_cards_tell_nothing_of_the_encounter():
    bare = fight(Scene(), edition="players")
    bite = Feature("bite", "Bite", afflictions=(InflictedCondition("poisoned"),))
    full = fight(Scene(), Creature("ogre", "Ogre", features=(bite,)), RosterEntry("a", "ogre"), edition="players")
    assert names(bare) == names(full)
    assert len(names(full)) > 20


def test_the_game_master_s_are_those_that_the_encounter_can_bring_about():
    bite = Feature("bite", "Bite", afflictions=(InflictedCondition("paralyzed"),))
    roar = Feature("roar", "Roar", text="The target is Frightened until it ends.")
    pit = Environment(
        "pit", "Pit", features=(EnvironmentEntry("fall", "Fall", afflictions=(InflictedCondition("prone"),)),)
    )
    ogre = Creature("ogre", "Ogre", features=(bite, roar))
    away = Creature(
        "troll", "Troll", features=(Feature("gaze", "Gaze", afflictions=(InflictedCondition("petrified"),)),)
    )
    foes = (Scene(system="dnd5e"), ogre, away, pit, RosterEntry("a", "ogre", side="enemies"))
    assert names(fight(*foes)) == ["Frightened", "Incapacitated", "Paralyzed", "Prone"]
    ann = Creature("ann", "Ann", tags=("player character",))
    party = [RosterEntry(f"ann-{at}", "ann", player=f"P{at}", side="party") for at in range(2)]
    assert names(fight(*foes, ann, *party)) == ["Frightened", "Incapacitated", "Paralyzed", "Prone"]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("The target is grappled and restrained.", ["Grappled", "Restrained"]),
        ("On a failure, it falls Prone or becomes frightened.", ["Frightened", "Prone"]),
        ("A creature has the Poisoned condition until it rests.", ["Poisoned"]),
        ("A spell that removes the blinded condition. Hidden things lie here.", []),
        ("Stunned. Advantage against being charmed.", ["Charmed"]),
    ],
)
def test_a_text_names_conditions_where_it_states_them_of_somebody(text: str, named: list[str]):
    roar = Feature("roar", "Roar", text=text)
    data = data_of(KIND, fight(Scene(), Creature("ogre", "Ogre", features=(roar,)), RosterEntry("a", "ogre")))
    assert [card["name"] for card in data["cards"]] == named if named else data is None


def test_countdowns_cause_conditions_and_the_characters_do_not():
    stun = Feature("fist", "Fist", afflictions=(InflictedCondition("stunned"),))
    ann = (Creature("ann", "Ann", features=(stun,)), RosterEntry("ann", "ann", side="party", player="Ann", level=3))
    assert data_of(KIND, fight(Scene(), *ann)) is None
    gas = Countdown("gas", "Gas", dice=3, outcomes=(Announce("Everyone inside is blinded."),))
    assert names(fight(Scene(), *ann, gas)) == ["Blinded"]


@pytest.mark.sampled(2)
@SYSTEMS
@pytest.mark.parametrize("paper", PAPERS)
def test_the_cards_are_exact_and_on_the_paper_with_every_word(system: str, paper: str, press: Typesetter):
    origin = fight(Scene(system=system), paper=paper, edition="players")
    cards = data_of(KIND, origin)["cards"]
    pages = [page.decode() for page in press.typeset(printed(KIND, origin), "svg").pages]
    boxes = [
        (float(wide), float(tall)) for page in pages for tall, wide in re.findall(r"M 0 0v ([\d.]+) ?h ([\d.]+)", page)
    ]
    whole = [tall for wide, tall in boxes if abs(wide - 63.5 * MM) < 0.05]
    assert len(whole) == len(cards)
    assert all(any(tall == pytest.approx(one * MM, abs=0.05) for one in (44.45, 88.9)) for tall in whole)
    assert len(pages) == -(-sum(round(tall / MM / 44.45) for tall in whole) // 18)
    pdf = press.typeset(printed(KIND, origin)).pages[0]
    high = 297 * MM if paper == "a4" else 792
    assert all(0 < one.left < one.right < 612 and 0 < one.top < one.bottom < high for one in words_of(pdf))
    told = set(re.findall(r"\w+", text_of(pdf)))
    assert {word for card in cards for word in re.findall(r"\w+", card["text"])} <= told


def test_a_sample_has_the_cards_of_its_game():
    named = {card["name"] for card in data_of(KIND, source(sample("last-light")))["cards"]}
    assert {"Off-guard", "Frightened"} <= named


def test_damage_that_goes_on_has_a_card_in_the_game_s_words():
    fang = Creature("fang", "Fang", features=(Feature("bite", "Bite", "action", attack=5, ongoing="1d6 fire"),))
    for system, name in (("pf2e", "Persistent damage"), ("a5e", "Ongoing damage")):
        foes = (Scene(system=system), fang, RosterEntry("a", "fang", side="enemies"))
        assert name in names(fight(*foes))


def test_no_line_repeats_the_text_of_a_condition():
    whole = {
        "a5e": "unhealing charmed dashing incapacitated lethargic sprinting stuck surprised",
        "dnd5e": "unhealing dashing incapacitated lethargic surprised",
        "action_points": "grappled",
        "pf2e": "fleeing immobilized prone",
    }
    for system, named in whole.items():
        cards = data_of(KIND, fight(Scene(system=system), edition="players"))["cards"]
        ids = {one.name: one.id for one in systems().get(system).data.conditions}
        lines = {ids[card["name"]]: card["effects"] for card in cards}
        assert not [each for each in named.split() if lines[each]]
