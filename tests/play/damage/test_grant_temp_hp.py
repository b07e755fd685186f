"""Temporary hit points: a buffer of their own, lost first, never added up, gone after a long rest."""

from __future__ import annotations

import pytest

from tests.table import Table, creature
from turnwright.play.damage.damage_roll import ApplyDamage, GrantTempHp
from turnwright.play.damage.events import TempHpGained
from turnwright.play.damage.manual_hit_points import Heal, SetHitPoints
from turnwright.play.damage.rest import Rest, TempHpLost
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.state.events import DamageTaken


def ada(hp: int = 20, temporary: int = 0) -> Table:
    """A table with Ada at so many of 20 hit points."""
    table = Table(creature("ada", hp=20))
    table.does(StartEncounter())
    table.does(SetHitPoints("ada", hp=hp, temp_hp=temporary))
    return table


def grants(table: Table, amount: int) -> None:
    table.does(GrantTempHp(("ada",), amount))


def points(table: Table) -> tuple[int, int, int]:
    one = table.one("ada")
    return one.hp, one.hp_max, one.temp_hp


@pytest.mark.rule("a5e.temp.separate")
def test_temporary_hit_points_stand_apart() -> None:
    table = ada(12)
    grants(table, 5)
    assert points(table) == (12, 20, 5)
    assert table.happened(TempHpGained)[0].rule == "a5e.temp.separate"
    assert not table.prompts


@pytest.mark.rule("a5e.temp.first")
def test_damage_takes_temporary_hit_points_first() -> None:
    table = ada(12, 5)
    table.does(ApplyDamage(("ada",), "8"))
    assert points(table) == (9, 20, 0)
    (taken,) = table.happened(DamageTaken)
    assert [(why.before, why.after) for why in taken.why if why.rule == "a5e.temp.first"] == [(8, 3)]


def test_damage_that_they_absorb_whole_goes_no_further() -> None:
    table = ada(12, 5)
    table.does(ApplyDamage(("ada",), "4"))
    assert points(table) == (12, 20, 1)


@pytest.mark.rule("a5e.temp.not-healed")
def test_healing_does_not_bring_them_back() -> None:
    table = ada(20, 5)
    table.does(ApplyDamage(("ada",), "3"))
    assert points(table) == (20, 20, 2)
    table.does(Heal(("ada",), 10))
    assert points(table) == (20, 20, 2)


@pytest.mark.rule("a5e.temp.exceed")
def test_they_go_above_the_maximum() -> None:
    table = ada(20)
    grants(table, 7)
    assert points(table) == (20, 20, 7)
    table.does(ApplyDamage(("ada",), "26"))
    assert points(table) == (1, 20, 0)


@pytest.mark.rule("a5e.temp.no-stack")
@pytest.mark.parametrize(("chosen", "left"), [("new", 8), ("old", 5)])
def test_the_receiver_chooses_a_set(chosen: str, left: int) -> None:
    table = ada(12, 5)
    grants(table, 8)
    assert table.prompt.asks[0].rule == "a5e.temp.no-stack"
    assert table.prompt.asks[0].suggested == ("new",)
    assert points(table) == (12, 20, 5)
    table.answers(keep=chosen)
    assert points(table) == (12, 20, left)
    assert table.happened(TempHpGained)[0].rule == "a5e.temp.no-stack"


@pytest.mark.rule("a5e.temp.no-stack")
def test_the_lower_set_may_be_chosen() -> None:
    table = ada(12, 5)
    grants(table, 3)
    assert table.prompt.asks[0].suggested == ("old",)
    table.answers(keep="new")
    assert points(table) == (12, 20, 3)


def test_who_does_not_choose_keeps_the_old_ones() -> None:
    table = ada(12, 5)
    grants(table, 8)
    table.skips()
    assert points(table) == (12, 20, 5)


@pytest.mark.rule("a5e.temp.expire")
def test_a_long_rest_ends_them_and_a_short_one_does_not() -> None:
    table = ada(12, 5)
    table.does(Rest("short"))
    assert points(table) == (12, 20, 5)
    table.does(Rest("long"))
    assert points(table) == (12, 20, 0)
    (lost,) = table.happened(TempHpLost)
    assert (lost.before, lost.rule) == (5, "a5e.temp.expire")


def test_a_negative_gift_is_refused() -> None:
    assert ada().refuses(GrantTempHp(("ada",), -1)).key == "refused.negative"
