"""Panels for the screen: only what one encounter needs, on landscape pages, and its conditions on half a page."""

from __future__ import annotations

import pytest

from tests.handouts.pdf_pages import read_pages
from tests.handouts.sample_pages import PAPERS, data_of, fight, printed, sample, source, words_of
from tests.handouts.samples import OF_EACH_GAME
from turnwright.encounter.prepared import (
    Check,
    Countdown,
    Creature,
    Environment,
    EnvironmentEntry,
    Feature,
    InflictedCondition,
    RosterEntry,
    SavingThrow,
    Scene,
)
from turnwright.handouts.kinds.screen_panels import KIND
from turnwright.handouts.typesetter import Typesetter

BARREL = EnvironmentEntry("barrel", "Salt barrel", save=SavingThrow("dex", 12), check=Check("str", 15, "athletics"))
SNOW = EnvironmentEntry("snow", "Snow", terrain="difficult")
BITE = Feature("bite", "Bite", save="str", dc=11, afflictions=(InflictedCondition("prone"),))
SPIT = Feature("spit", "Spit", save="str", dc=11)
WOLF, HERO = Creature("wolf", "Wolf", features=(BITE, SPIT)), Creature("mira", "Mira", level=5, features=(BITE,))
ROSTER = (RosterEntry("wolves", "wolf", count=3), RosterEntry("mira", "mira", side="party", player="Ann"))


def encounter(system: str, *more):
    return fight(Scene(system=system), WOLF, HERO, *ROSTER, *more)


def test_dcs_are_those_of_the_surroundings_and_of_all_but_the_characters():
    place = Environment("ford", "Ford", features=(SNOW, BARREL))
    assert data_of(KIND, encounter("a5e", place))["dcs"] == [
        {"name": "Salt barrel", "text": "Dex DC 12; Strength (Athletics) check, DC 15"},
        {"name": "Wolf", "text": "Str DC 11 (Bite, Spit)"},
    ]


def test_a_game_in_which_each_skill_has_its_ability_names_only_the_skill():
    place = Environment("ford", "Ford", actions=(BARREL,))
    assert data_of(KIND, encounter("pf2e", place))["dcs"][0]["text"].endswith("Athletics check, DC 15")


def test_only_conditions_in_play_terrain_here_and_levels_near_are_listed():
    data = data_of(KIND, encounter("pf2e", Environment("ford", "Ford", features=(SNOW,))))
    assert [one["name"] for one in data["conditions"]] == ["Off-guard", "Prone"]
    assert [one["name"] for one in data["ground"]] == ["Difficult terrain"]
    assert [level for level, _ in data["level_dcs"]] == [0, 1, 2, 3, 4, 5, 6, 7]
    assert data_of(KIND, encounter("pf2e"))["ground"] == []


def test_lights_are_listed_where_it_is_dark_and_countdowns_where_there_are_some():
    def names(*records):
        return [one["name"] for one in data_of(KIND, fight(*records))["motion"]]

    assert "Light" in names(Scene(system="dnd5e", light="dark"))
    assert "Light" not in names(Scene(system="dnd5e"))
    assert "Falling" in names(Scene(system="a5e"))
    assert data_of(KIND, fight(Scene()))["countdowns"] is None
    assert data_of(KIND, fight(Scene(), Countdown("ice", "Ice", dice=3)))["countdowns"]["speeds"]


@pytest.mark.parametrize(("name", "paper"), [(name, PAPERS[at % 2]) for at, name in enumerate(OF_EACH_GAME)])
@pytest.mark.sampled(2)
def test_panels_are_landscape_and_each_rule_is_on_them_once(press: Typesetter, name: str, paper: str):
    origin = source(sample(name), paper=paper)
    pdf = press.typeset(printed(KIND, origin)).pages[0]
    pages = read_pages(pdf)
    assert all(page.width > page.height for page in pages)
    assert len(pages) == 2
    words = words_of(pdf)
    assert all(word.left > 0 and word.right < pages[0].width and word.bottom < pages[0].height for word in words)
    first, half = (" ".join(page.text.split()) for page in pages)
    data = data_of(KIND, origin)
    for condition in data["conditions"]:
        assert first.count(f"{condition['name']} {condition['text'][:20]}".replace("'", "\u2019")) <= 1
        assert half.count(condition["name"]) >= 2  # on both halves
    middle = pages[1].width / 2
    assert not any(word.left < middle < word.right for word in words if word.page == 2)


def test_many_conditions_go_on_over_both_halves(press: Typesetter):
    ids = [one.id for one in source(sample("last-light")).rules.data.conditions if one.printed]
    curse = Feature("curse", "Curse", afflictions=tuple(InflictedCondition(id) for id in ids))
    origin = fight(Scene(system="pf2e"), Creature("hag", "Hag", features=(curse,)), RosterEntry("hag", "hag"))
    pages = read_pages(press.typeset(printed(KIND, origin)).pages[0])
    text = " ".join(" ".join(page.text for page in pages).split())
    assert all(one["name"] in text for one in data_of(KIND, origin)["conditions"])
    assert len(pages) <= 5
