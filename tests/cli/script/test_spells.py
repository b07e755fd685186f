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
