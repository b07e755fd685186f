"""Creature scaling: what grows by a ratio, what by a difference, and what is reported as unscaled."""

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.for_each import for_each
from turnwright.dice.expression import parse
from turnwright.encounter.prepared import Creature, Feature, InflictedCondition
from turnwright.rules.parts.preparation.creature_scaling import (
    ScalingSteps,
    Unscaled,
    benchmark_rating,
    rating_difference,
    scale_creature,
    scale_dice,
    with_role,
)
from turnwright.rules.system_data.preparation import ScalingFigures
from turnwright.storage.system_data import read_system_data

CLAW = Feature("claw", "Claw", cost="action", attack=5, damage="2d6+3 slashing + 1d6 fire")
BREATH = Feature("breath", "Breath", cost="action", save="dex", dc=13, damage="4d8 fire", text="All within 30 feet.")
OGRE = Creature(
    "ogre",
    "Ogre",
    rating="2",
    ac=13,
    ac_note="hide",
    hp=59,
    hit_dice="7d10+21",
    xp=450,
    abilities=(("str", 19),),
    saves=(("con", 5),),
    skills=(("perception", 2),),
    passives=(("perception", 12), ("insight", 9)),
    proficiency=2,
    maneuver_dc=14,
    features=(CLAW, BREATH),
)


@pytest.fixture(scope="module")
def figures() -> dict[str, ScalingFigures]:
    return {id: read_system_data(id).scaling for id in ("a5e", "dnd5e", "pf2e", "action_points")}


@pytest.mark.parametrize("system", ["a5e", "dnd5e"])
def test_from_two_to_eight_by_what_is_usual_at_either(figures, system):
    rows = figures[system]
    steps = rating_difference(rows, "2", "8")
    assert steps == ScalingSteps(hp=183 / 93, damage=53.5 / 17.5, ac=3, attack=4, dc=3, save=1, skill=1, proficiency=1)
    after = scale_creature(OGRE, rows, steps, "8").creature
    assert (after.rating, after.hp, after.ac, after.proficiency, after.maneuver_dc) == ("8", 116, 16, 3, 17)
    assert (after.saves, after.skills) == ((("con", 6),), (("perception", 3),))
    assert after.passives == (("perception", 13), ("insight", 9)), (
        "without a skill of its own a score goes by abilities"
    )
    assert (after.abilities, after.level, after.xp) == (OGRE.abilities, 0, 0)
    assert [(one.attack, one.dc) for one in after.features] == [(9, 0), (None, 16)]


def test_levels_grow_by_their_own_table(figures):
    rows = figures["pf2e"]
    hound = Creature(
        "h",
        "Hound",
        rating="3",
        level=3,
        ac=18,
        hp=45,
        saves=(("ref", 9),),
        skills=(("perception", 9), ("stealth", 10)),
    )
    after = scale_creature(replace(hound, initiative=9), rows, rating_difference(rows, "3", "5"), "5").creature
    assert (after.rating, after.level, after.ac, after.hp, after.saves) == ("5", 5, 21, 75, (("ref", 12),))
    assert after.skills == (("perception", 12), ("stealth", 13))
    assert after.initiative == 12


def test_points_grow_with_the_level_and_abilities_like_saves(figures):
    rows = figures["action_points"]
    steps = rating_difference(rows, "3", "9")
    assert steps is not None
    diver = Creature(
        "diver",
        "Diver",
        rating="3",
        level=3,
        ac=12,
        hp=28,
        abilities=(("str", 7), ("int", 0)),
        initiative=5,
        pools=(("action", 6), ("reaction", 6), ("willpower", 2)),
        features=(Feature("hook", "Hook", cost="action", attack=7, damage="2d4+2 blunt", save="str", dc=13),),
    )
    found = scale_creature(diver, rows, steps, "9")
    after = found.creature
    assert (after.rating, after.level, after.hp, after.ac, after.initiative) == ("9", 9, 84, 15, 10)
    assert after.abilities == (("str", 12), ("int", 0)), "what has no mind gets none"
    assert after.pools == (("action", 8), ("reaction", 9), ("willpower", 8))
    assert (after.features[0].attack, after.features[0].dc) == (10, 18)
    assert not [each for each in found.unscaled if each.about == "abilities"]
    assert scale_creature(replace(diver, pools=()), rows, steps, "9").creature.pools == ()


def test_a_role_gives_way_to_another_by_their_shares(figures):
    rows = figures["action_points"]
    brute, soldier = (next(each for each in rows.roles if each.id == id) for id in ("brute", "soldier"))
    steps = with_role(ScalingSteps(hp=2, damage=2, ac=1), rows, "brute", "soldier")
    assert steps.hp == pytest.approx(2 * soldier.hp / brute.hp)
    assert steps.damage == pytest.approx(2 * soldier.damage / brute.damage)
    assert steps.ac == 1 + soldier.ac - brute.ac
    for same in (with_role(steps, rows, "", "brute"), with_role(steps, figures["a5e"], "brute", "soldier")):
        assert same is steps, "a role without figures changes nothing"


def test_a_game_without_rows_has_no_place_for_anybody(figures):
    none = ScalingFigures()
    assert benchmark_rating(OGRE, none) == ""
    assert benchmark_rating(OGRE, figures["a5e"]) == "2"
    assert benchmark_rating(replace(OGRE, rating="odd"), figures["a5e"]) == ""
    assert benchmark_rating(replace(OGRE, rating="", level=4), figures["pf2e"]) == "4"
    assert rating_difference(none, "1", "2") is None


def test_every_change_says_what_it_was_by(figures):
    found = scale_creature(OGRE, figures["a5e"], ScalingSteps(hp=2, damage=2, attack=1, dc=-2, ac=-1))
    said = {(one.about, one.name): (one.before, one.after, one.by) for one in found.changes}
    assert said["hp", ""] == ("59", "118", "× 2")
    assert said["ac", ""] == ("13", "12", "− 1")
    assert said["attack", "Claw"] == ("5", "6", "+ 1")
    assert said["damage", "Claw"] == (CLAW.damage, "4d6+6 slashing + 2d6 fire", "× 2")
    assert said["dc", "Breath"] == ("13", "11", "− 2")
    assert said["hit-dice", ""] == ("7d10+21", "14d10+42", "")
    assert ("rating", "") not in said
    assert found.creature.xp == 450


def test_what_stands_in_words_stays_and_is_said(figures):
    odd = replace(CLAW, damage="2d6 rerolling ones, once")
    found = scale_creature(
        replace(OGRE, features=(odd, BREATH), resistances=("fire 5",)), figures["a5e"], ScalingSteps(damage=2)
    )
    assert found.creature.features[0].damage == odd.damage
    assert found.creature.features[1].text == BREATH.text
    assert {
        Unscaled("abilities"),
        Unscaled("damage", "Claw"),
        Unscaled("text", "Breath"),
        Unscaled("ac-note", "hide"),
    } <= set(found.unscaled)
    assert Unscaled("resistance", "fire 5") in found.unscaled


def test_missing_numbers_are_not_made_up(figures):
    bare = Creature(
        "b",
        "Bare",
        ac=0,
        hp=0,
        features=(replace(CLAW, attack=None, damage="", afflictions=(InflictedCondition("prone"),)),),
    )
    found = scale_creature(
        bare, figures["a5e"], ScalingSteps(hp=3, damage=3, ac=4, attack=4, dc=4, save=4, proficiency=2)
    )
    assert found.creature == bare
    assert found.changes == ()


def test_an_escape_dc_goes_with_the_others(figures):
    grip = replace(CLAW, afflictions=(InflictedCondition("grappled", escape_dc=13),))
    found = scale_creature(replace(OGRE, features=(grip,)), figures["a5e"], ScalingSteps(dc=2))
    assert found.creature.features[0].afflictions[0].escape_dc == 15


def test_steps_of_nothing_change_nothing(figures):
    found = scale_creature(OGRE, figures["a5e"], ScalingSteps())
    assert found.changes == ()
    assert found.creature == OGRE


@for_each(
    ("text", "factor", "after"),
    [
        ("2d6+3 bludgeoning", 0.5, "1d6+2 bludgeoning"),
        ("1d4 cold", 0.5, "1 cold"),
        ("1d12", 0.5, "1d4+1"),
        ("1 piercing", 3, "3 piercing"),
        ("3d6", 0.25, "1d4"),
        ("2d10+8", 1.3, "3d10+8"),
        ("4d6kh3", 2, None),
        ("", 2, None),
    ],
)
def test_damage_keeps_its_dice_where_it_can(text, factor, after):
    assert scale_dice(text, factor) == after


@given(
    count=st.integers(1, 20),
    sides=st.sampled_from((4, 6, 8, 10, 12)),
    flat=st.integers(-3, 20),
    factor=st.floats(0.1, 8),
)
def test_damage_comes_out_near_the_ratio(count, sides, flat, factor):
    text = f"{count}d{sides}{flat:+d} fire" if flat else f"{count}d{sides} fire"
    before, after = parse(text), parse(scale_dice(text, factor))
    assume(before.mean >= 1)
    wanted = max(1.0, before.mean * factor)
    assert abs(after.mean - wanted) <= (sides + 1) / 2 * 0.75 + 0.5
    assert scale_dice(text, 1.0) == text


@pytest.mark.parametrize("system", ["a5e", "dnd5e", "pf2e"])
def test_there_and_back_leaves_added_figures_as_they_were(figures, system):
    rows = figures[system]
    start = replace(OGRE, level=2 if rows.by == "level" else 0)
    up = scale_creature(start, rows, rating_difference(rows, "2", "9"), "9").creature
    back = scale_creature(up, rows, rating_difference(rows, "9", "2"), "2").creature
    assert (back.ac, back.saves, back.skills, back.maneuver_dc) == (OGRE.ac, OGRE.saves, OGRE.skills, OGRE.maneuver_dc)
    assert abs(back.hp - OGRE.hp) <= 1


@pytest.mark.parametrize("system", ["a5e", "dnd5e", "pf2e"])
def test_rows_never_go_down(figures, system):
    rows = figures[system].rows
    assert len({row.rating for row in rows}) == len(rows) > 20
    for weaker, stronger in pairwise(rows):
        assert (weaker.hp, weaker.damage) < (stronger.hp, stronger.damage)
        assert all(
            getattr(weaker, name) <= getattr(stronger, name)
            for name in ("ac", "attack", "dc", "save", "skill", "proficiency")
        )
