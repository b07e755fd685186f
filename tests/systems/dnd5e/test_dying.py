"""Death saves, being stable and coming round by the rules of D&D 5e."""

from __future__ import annotations

import pytest

from tests.systems.dnd5e.fights import Fight
from tests.table import Table, creature
from turnwright.play.damage.damage_roll import ApplyDamage, GrantTempHp
from turnwright.play.damage.manual_hit_points import Heal, PassTime, SetHitPoints, SetTrack
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.state.events import DamageTaken


def dying(hp: int = 30, successes: int = 0, failures: int = 0) -> Fight:
    """Ada, a character, dying at 0 of so many hit points, her turn over; an orc's turn."""
    table = Fight(creature("ada", tags=("player character",), level=3, hp=hp), "orc", foes=("orc",), field=None)
    table.ends_turn()
    table.does(SetHitPoints("ada", hp=0))
    if "dying" not in table.effects("ada"):
        table.does(ApplyCondition(("ada",), "unconscious"))
        table.does(ApplyCondition(("ada",), "dying"))
    for track, value in (("death-successes", successes), ("death-failures", failures)):
        table.does(SetTrack("ada", track, value))
    return table


def counts(table: Table) -> tuple[int, int]:
    """Death saves made and failed."""
    return table.track("ada", "death-successes"), table.track("ada", "death-failures")


def state(table: Table) -> set[str]:
    """What lies on Ada for being at 0: that she lies on the ground besides is no part of it."""
    return table.effects("ada") - {"prone"}


def saves(table: Fight, face: int) -> None:
    """Come to Ada's next turn and roll her death save."""
    table.dice(face)
    table.ends_turn()
    assert table.active == "ada"


@pytest.mark.rule("dnd5e.death_save.start_of_turn")
def test_whoever_begins_a_turn_at_0_makes_a_death_save() -> None:
    table = dying()
    table.ends_turn()
    (asked,) = table.prompt.asks
    assert (asked.who, asked.dc, asked.rule) == ("ada", 10, "dnd5e.death_save.start_of_turn")
    well = Fight(creature("ada", tags=("player character",), level=3), "orc", foes=("orc",), field=None)
    well.does(SetHitPoints("ada", hp=1))
    well.ends_turn(2)
    assert (well.active, well.prompts) == ("ada", [])


@pytest.mark.rule("dnd5e.death_save.dc")
def test_ten_or_more_is_a_success() -> None:
    table = dying()
    saves(table, 10)
    assert counts(table) == (1, 0)
    table.ends_turn()
    saves(table, 9)
    assert counts(table) == (1, 1)


@pytest.mark.rule("dnd5e.death_save.natural_20")
def test_a_20_brings_back_a_hit_point() -> None:
    table = dying(failures=2)
    saves(table, 20)
    assert (table.one("ada").hp, state(table)) == (1, set())


@pytest.mark.rule("dnd5e.death_save.three_successes", "dnd5e.zero_hp.stable_no_saves")
def test_three_successes_make_stable_and_wipe_the_slate() -> None:
    table = dying(successes=2, failures=2)
    saves(table, 12)
    assert state(table) == {"stable", "unconscious"}
    assert counts(table) == (0, 0)
    table.ends_turn(2)
    assert (table.active, table.prompts) == ("ada", [])


@pytest.mark.rule("dnd5e.death_save.three_failures")
def test_three_failures_kill() -> None:
    table = dying(successes=2, failures=2)
    table.dice(5)
    table.ends_turn()
    assert table.one("ada").dead


@pytest.mark.rule("dnd5e.death_save.once_per_turn")
def test_there_is_one_death_save_a_turn() -> None:
    table = dying()
    table.dice(12, 12)
    table.ends_turn()
    assert (counts(table), table.prompts) == ((1, 0), [])
    assert table.encounter.record(("dice", "dice")).script == (12,)  # type: ignore[union-attr]


@pytest.mark.rule("dnd5e.zero_hp.stable_unconscious")
def test_the_stable_stay_unconscious() -> None:
    table = dying(successes=2)
    saves(table, 12)
    assert "unconscious" in table.effects("ada")
    assert {one.refused for id, one in table.offers("ada").items() if id in ("dash", "dodge")} != {""}
    assert table.feet("ada") == 0


@pytest.mark.rule("dnd5e.zero_hp.stable_recovery")
def test_the_stable_come_round_after_some_hours() -> None:
    table = dying(successes=2)
    saves(table, 12)
    table.dice(3)
    table.does(PassTime(2))
    assert table.one("ada").hp == 0
    table.does(PassTime(1))
    assert (table.one("ada").hp, state(table)) == (1, set())


@pytest.mark.rule("dnd5e.zero_hp.wake_on_healing")
def test_any_healing_wakes() -> None:
    from turnwright.play.state.events import EffectEnded

    table = dying(failures=2)
    table.does(Heal(("ada",), 1))
    assert (table.one("ada").hp, state(table), counts(table)) == (1, set(), (0, 0))
    assert "dnd5e.zero_hp.wake_on_healing" in {one.rule for one in table.happened(EffectEnded)}


@pytest.mark.rule("dnd5e.zero_hp.temp_hp")
def test_temporary_hit_points_neither_wake_nor_settle_but_absorb() -> None:
    table = dying()
    table.does(GrantTempHp(("ada",), 5))
    assert state(table) == {"dying", "unconscious"}
    table.does(ApplyDamage(("ada",), "4"))
    assert (table.one("ada").temp_hp, counts(table)) == (1, (0, 0))


@pytest.mark.rule("dnd5e.zero_hp.damage_is_failure")
def test_any_damage_at_0_is_a_failure() -> None:
    table = dying(failures=1)
    table.does(ApplyDamage(("ada",), "3"))
    assert (table.one("ada").hp, counts(table)) == (0, (0, 2))
    assert [one.rule for one in table.happened(DamageTaken)]
