"""What is left out at 0 hit points by the rules of D&D 5e: damage that costs none, and levels of anything."""

from __future__ import annotations

import pytest

from tests.play.dying_table import Wounded, hero
from tests.table import creature, dnd5e
from turnwright.play.damage.damage_roll import GrantTempHp
from turnwright.play.damage.manual_hit_points import Rest, SetHitPoints
from turnwright.play.state.events import TrackSet


def down(hp: int = 30) -> Wounded:
    """Ada dying at 0, Brand, an orc and a bandit of 6 hit points."""
    table = Wounded(creature("bandit", hp=6), ada=hero("ada", hp=hp), rules=dnd5e())
    table.does(SetHitPoints("ada", hp=1))
    table.hurts("1")
    return table


@pytest.mark.rule("dnd5e.zero_hp.temp_hp", "dnd5e.zero_hp.massive_damage_kills")
def test_what_temporary_hit_points_take_counts_for_nothing_at_0() -> None:
    table = down(12)
    table.does(GrantTempHp(("ada",), 5))
    table.strikes("16")
    assert (table.one("ada").dead, table.counts()) == (False, (0, 1))


@pytest.mark.rule("dnd5e.zero_hp.knock_out")
def test_a_melee_attack_of_nobody_in_particular_spares_nobody() -> None:
    table = down()
    table.hurts("8", "bandit", attack="melee")
    assert table.one("bandit").dead


def test_nothing_of_it_costs_fatigue_and_a_rest_recovers_none() -> None:
    table = down()
    table.strikes("7", critical=True)
    table.saves(1)
    table.does(Rest("long"))
    assert not [one for one in table.happened(TrackSet) if one.track.startswith(("fatigue", "strife"))]
