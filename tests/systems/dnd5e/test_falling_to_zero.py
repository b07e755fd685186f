"""Falling to 0 hit points by the rules of D&D 5e: dying, death at once, being spared, and being struck there."""

from __future__ import annotations

import pytest

from tests.systems.dnd5e.fights import SWORD, Fight, pair
from tests.table import Table, creature
from turnwright.encounter.prepared import Feature
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import Heal, SetDead, SetHitPoints
from turnwright.play.damage.zero_hit_points import Died
from turnwright.play.state.events import EffectGained, TrackSet


def fight(hp: int = 30, now: int | None = None) -> Fight:
    """Ada, a character with so many hit points, Brand, another, and an orc of 6 hit points; Ada's turn."""
    ada, brand = (
        creature(who, tags=("player character",), level=3, hp=hp, features=(SWORD,)) for who in ("ada", "brand")
    )
    table = Fight(ada, brand, creature("orc", hp=6, features=(SWORD,)), foes=("orc",), field=None)
    if now is not None:
        table.does(SetHitPoints("ada", hp=now))
    return table


def state(table: Table, who: str = "ada") -> set[str]:
    """What lies on somebody for being at 0: that they lie on the ground besides is no part of it."""
    return table.effects(who) - {"prone"}


def hurt(table: Table, damage: str, who: str = "ada", **how: object) -> None:
    table.does(ApplyDamage((who,), damage, **how))  # type: ignore[arg-type]


def fallen(failures: int = 0, hp: int = 30) -> Fight:
    """Ada dying, with so many death saves failed."""
    table = fight(hp, 1)
    hurt(table, "1")
    for _ in range(failures):
        hurt(table, "1")
    return table


@pytest.mark.rule("dnd5e.zero_hp.outcomes")
def test_0_hit_points_leave_one_unconscious_or_dead() -> None:
    table = fight(20, 8)
    hurt(table, "10")
    assert (table.one("ada").hp, table.one("ada").dead, state(table)) == (0, False, {"dying", "unconscious"})
    assert table.prompts == []
    table = fight(20, 8)
    hurt(table, "28")
    assert (table.one("ada").dead, table.prompts) == (True, [])


@pytest.mark.rule("dnd5e.zero_hp.unconscious")
def test_who_is_not_killed_outright_is_unconscious() -> None:
    table = fight(30, 5)
    hurt(table, "5")
    assert (table.one("ada").hp, "unconscious" in table.effects("ada")) == (0, True)
    rules = {one.name: one.rule for one in table.happened(EffectGained)}
    assert rules["unconscious"] == "dnd5e.zero_hp.unconscious"


@pytest.mark.rule("dnd5e.zero_hp.instant_death")
@pytest.mark.parametrize(("damage", "dead"), [("18", True), ("17", False)])
def test_as_much_damage_left_over_as_the_maximum_kills_at_once(damage: str, dead: bool) -> None:
    table = fight(12, 6)
    hurt(table, damage)
    assert (table.one("ada").dead, table.one("ada").hp) == (dead, 0)
    assert [one.rule for one in table.happened(Died)] == (["dnd5e.zero_hp.instant_death"] if dead else [])


@pytest.mark.rule("dnd5e.zero_hp.wake_on_healing")
def test_a_hit_point_wakes_whoever_fell() -> None:
    table = fallen(2)
    table.does(Heal(("ada",), 1))
    assert (table.one("ada").hp, state(table)) == (1, set())
    assert (table.track("ada", "death-successes"), table.track("ada", "death-failures")) == (0, 0)


@pytest.mark.rule("dnd5e.death_save.natural_1")
def test_a_1_is_two_failures() -> None:
    table = fallen(1)
    table.dice(1)
    table.ends_turn(3)
    assert table.one("ada").dead
    other = fallen()
    other.dice(1)
    other.ends_turn(3)
    assert (other.track("ada", "death-failures"), other.one("ada").dead) == (2, False)
    assert [one.rule for one in other.happened(TrackSet)][-1] == "dnd5e.death_save.natural_1"
    assert {one.track for one in other.happened(TrackSet)} == {"death-failures"}


@pytest.mark.rule("dnd5e.zero_hp.damage_is_failure")
@pytest.mark.parametrize("attack", ["", "melee"])
def test_any_damage_at_0_fails_a_death_save(attack: str) -> None:
    table = fallen(1)
    hurt(table, "3", attack=attack, by="orc" if attack else "")
    assert (table.one("ada").hp, table.track("ada", "death-failures"), table.prompts) == (0, 2, [])
    assert table.happened(TrackSet)[-1].rule == "dnd5e.zero_hp.damage_is_failure"


@pytest.mark.rule("dnd5e.zero_hp.crit_is_two_failures")
def test_a_critical_hit_at_0_is_two_failures() -> None:
    table = fallen(1)
    hurt(table, "7", attack="melee", by="orc", critical=True)
    assert table.one("ada").dead
    one = fallen()
    hurt(one, "7", attack="melee", by="orc", critical=True)
    assert (one.track("ada", "death-failures"), one.one("ada").dead) == (2, False)
    assert one.happened(TrackSet)[-1].rule == "dnd5e.zero_hp.crit_is_two_failures"


@pytest.mark.rule("dnd5e.zero_hp.massive_damage_kills")
@pytest.mark.parametrize(("damage", "dead"), [("12", True), ("11", False)])
def test_as_much_damage_as_the_maximum_at_0_kills(damage: str, dead: bool) -> None:
    table = fallen(0, 12)
    hurt(table, damage)
    assert table.one("ada").dead is dead
    if dead:
        assert [one.rule for one in table.happened(Died)] == ["dnd5e.zero_hp.massive_damage_kills"]
    else:
        assert table.track("ada", "death-failures") == 1


@pytest.mark.rule("dnd5e.zero_hp.knock_out")
def test_a_player_may_knock_out_instead() -> None:
    table = fight()
    hurt(table, "6", "orc", attack="melee", by="ada")
    (asked,) = table.prompt.asks
    assert (asked.who, asked.rule) == ("ada", "dnd5e.zero_hp.knock_out")
    table.chooses("knock-out")
    assert (table.one("orc").dead, state(table, "orc")) == (False, {"unconscious", "stable"})
    killed = fight()
    hurt(killed, "6", "orc", attack="melee", by="ada")
    killed.chooses("usual")
    assert killed.one("orc").dead
    shot = fight()
    hurt(shot, "6", "orc", attack="ranged", by="ada")
    assert (shot.prompts, shot.one("orc").dead) == ([], True)
    npc = fight(30, 5)
    hurt(npc, "5", attack="melee", by="orc")
    assert (npc.prompts, state(npc)) == ([], {"dying", "unconscious"})


@pytest.mark.rule("dnd5e.attack.crit_damage")
def test_a_critical_hit_rolls_its_dice_twice() -> None:
    table = pair(Feature("sword", "Sword", "action", attack=5, damage="1d8+3 slashing"))
    table.strikes("ann", "orc", "sword", 20, 5, 7)
    assert (table.lost("orc"), table.prompts) == (15, [])
    shielded = pair(Feature("sword", "Sword", "action", attack=5, damage="1d8+3 slashing"), orc={"gear": ("shield",)})
    shielded.strikes("ann", "orc", "sword", 20, 5, 7)
    assert (shielded.lost("orc"), shielded.prompts) == (15, [])


def test_a_fall_tires_nobody() -> None:
    table = fallen(2)
    assert {one.track for one in table.happened(TrackSet)} <= {"death-failures", "death-successes"}


@pytest.mark.rule("dnd5e.zero_hp.monsters_die")
def test_a_monster_is_dead_at_0_unless_the_dungeon_master_says_otherwise() -> None:
    table = fight()
    hurt(table, "6", "orc")
    assert [(one.who, one.rule) for one in table.happened(Died)] == [("orc", "dnd5e.zero_hp.monsters_die")]
    table.does(SetDead("orc", dead=False, hp=0))
    assert (table.one("orc").dead, state(table, "orc")) == (False, {"dying", "unconscious"})
    assert (table.track("orc", "death-successes"), table.track("orc", "death-failures")) == (0, 0)
    table.ends_turn(2)
    assert [(one.who, one.label) for one in table.prompt.asks] == [("orc", "ask.death_save")]
