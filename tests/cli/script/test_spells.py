"""Statements that cast listed spells: targets, exemptions, burning objects, cubes."""

from __future__ import annotations

import pytest

ARMED = """
[creatures.shrub]
name = "Shrub"
type = "plant"
hp = 60

[roster.shrub]
creature = "shrub"

[map]
columns = 12
rows = 12

[map.obstacles.crate]
name = "Crate"
at = [1, 1]
flammable = true

[map.obstacles.cart]
name = "Cart"
at = [9, 9]
flammable = true
"""
ROW = " ".join(f"{step},0,0" for step in range(10))


def cast(done, more: str, **how):
    return done(f'feature mira "fire storm" on raiders-1 shrub {more}', "skip", "roll 40", **how)


def test_a_listed_spell_is_cast_with_its_area(done):
    events = cast(done, f"cubes {ROW} excluding plants burning crate")
    (used,) = [one for one in events if one["event"] == "FeatureUsed"]
    assert (used["feature"], used["who"]) == ("Fire Storm", ["mira"])
    assert [one["who"] for one in events if one["event"] == "Unaffected"] == ["shrub"]
    assert [one["object_name"] for one in events if one["event"] == "CaughtFire"] == ["Crate"]
    assert [one["target"] for one in events if one["event"] == "DamageTaken"] == ["raiders-1"]


def test_those_it_spares_are_named(done):
    events = cast(done, "excluding raiders-1 burning crate cart")
    assert [one["who"] for one in events if one["event"] == "Unaffected"] == ["raiders-1"]
    assert [one["object_name"] for one in events if one["event"] == "CaughtFire"] == ["Crate", "Cart"]


def test_an_area_of_other_cubes_is_against_the_rules(done):
    events = cast(done, "cubes 0,0,0")
    assert [one["reason"] for one in events if one["event"] == "RuleOverridden"] == ["refused.cubes"]


@pytest.mark.parametrize(
    ("more", "said"),
    [("cubes 0,0", "three numbers"), ("burning wagon", "unknown object 'wagon'")],
)
def test_an_area_that_is_none_is_said(done, more, said):
    assert said in cast(done, more, code=1)


# Spells by name ------------------------------------------------------------------------------------------------------


def used(events):
    uses = [one for one in events if one["event"] == "FeatureUsed"]
    return [(one["feature"], one.get("targets", []), one.get("save", ""), one.get("dc", 0)) for one in uses]


def test_a_spell_of_the_game_is_cast_by_name(done):
    events = done("stat mira spell-dc 14", "dice 5 5 1 1 1 1 1 1", "cast mira fireball level 3 on raiders-1 shrub")
    assert used(events) == [("Fireball", ["raiders-1", "shrub"], "dex", 14)]


def test_any_other_spell_is_cast_with_its_numbers(done):
    events = done("dice 3 4 5", 'cast mira "Toll the Dead" save wis 15 damage 2d8 necrotic on raiders-1')
    assert used(events) == [("Toll the Dead", ["raiders-1"], "wis", 15)]
    (taken,) = [one for one in events if one["event"] == "DamageTaken"]
    assert (taken["target"], taken["dealt"]) == ("raiders-1", [["necrotic", 9]])


def test_half_the_damage_on_a_save_only_if_it_says_so(done):
    for more, taken in (("half", [4]), ("", [])):
        events = done("dice 18", f'cast mira "Zephyr Lance" save dex 10 {more} damage 9 cold on raiders-1')
        assert [one["taken"] for one in events if one["event"] == "DamageTaken"] == taken


def test_another_spell_attacks_or_hits_or_heals(done):
    events = done("dice 19 5", 'cast mira "Shard" attack 7 damage 1d6 cold on raiders-1')
    assert [one["taken"] for one in events if one["event"] == "DamageTaken"] == [5]
    events = done('cast mira "Sting" damage 3 on raiders-1 cost bonus', 'cast mira "Balm" heals 2 on raiders-1')
    assert [one["taken"] for one in events if one["event"] == "DamageTaken"] == [3]
    assert [one["target"] for one in events if one["event"] == "Healed"] == ["raiders-1"]


def test_a_held_spell_is_concentrated_on(done):
    events = done('cast mira "Wind at Our Backs" held')
    assert [one["source"] for one in events if one["event"] == "EffectGained"] == ["Wind at Our Backs"]
    assert used(events) == [("Wind at Our Backs", [], "", 0)]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("cast mira firebll on shrub", "unknown feature or spell 'firebll' (did you mean 'fireball'?)"),
        ('cast mira "Fire Bal" on shrub', "(did you mean 'fireball'?)"),
        ('cast mira "Toll" save wiz 15 damage 2', "unknown ability 'wiz' (did you mean 'wis'?)"),
        ('cast mira "Toll" save wis 15 damage 2d8 necrotik on shrub', "(did you mean 'necrotic'?)"),
        ('cast mira "Toll" sav wis 15', "unexpected 'sav' (did you mean 'save'?)"),
        ("cast mira", "a spell, for example `cast mira fireball`"),
    ],
)
def test_a_mistake_is_told_with_the_nearest_word(done, line, said):
    assert said in done(line, code=1)
