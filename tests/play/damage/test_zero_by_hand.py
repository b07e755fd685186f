"""Hit points set to 0 by hand, and the dead let lie dying instead: nobody is left at 0 who is neither."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.play.dying_table import ZERO, Wounded
from tests.table import Table, a5e, action_points, creature, dnd5e
from turnwright.play.actions.action import TakeAction
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import RestoredToLife, SetDead, SetHitPoints
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.rules.system import RuleSystem


def test_a_character_set_to_0_lies_dying() -> None:
    table = Wounded()
    table.does(SetHitPoints("ada", hp=0))
    assert (table.one("ada").dead, table.effects("ada"), table.counts()) == (False, ZERO, (0, 0))
    assert table.levels() == (0, 0, 0)
    table.refuses(TakeAction("ada", "dodge"))
    table.does(SetHitPoints("ada", hp=3))
    assert not {"dying", "unconscious"} & table.effects("ada")


def test_whoever_makes_no_death_saves_dies_at_0() -> None:
    table = Wounded()
    table.does(SetHitPoints("orc", hp=0))
    assert table.one("orc").dead


def test_nothing_more_befalls_who_is_at_0_already() -> None:
    table = Wounded()
    table.does(SetHitPoints("ada", hp=0))
    before = table.encounter
    table.does(SetHitPoints("ada", hp=0))
    assert table.effects("ada") == ZERO
    assert table.one("ada") == before.need(type(table.one("ada")), "ada")


@pytest.mark.rule("a5e.npc.dying-rules", "dnd5e.zero_hp.monsters_die")
@pytest.mark.parametrize("system", ["a5e", "dnd5e"])
def test_a_monster_that_has_died_may_lie_dying_instead(system: str) -> None:
    table = Wounded(creature("wolf", hp=5)) if system == "a5e" else Wounded(creature("wolf", hp=5), rules=dnd5e())
    table.does(ApplyDamage(("wolf",), "8"))
    assert table.one("wolf").dead
    table.does(SetDead("wolf", dead=False))
    assert (table.one("wolf").dead, table.one("wolf").hp, table.counts("wolf")) == (False, 0, (0, 0))
    assert {"unconscious", "dying"} <= table.effects("wolf")
    rule = "a5e.npc.dying-rules" if system == "a5e" else "dnd5e.zero_hp.monsters_die"
    assert [one.rule for one in table.happened(RestoredToLife)] == [rule]
    table.does(ApplyDamage(("wolf",), "1"))
    assert (table.one("wolf").dead, table.counts("wolf")) == (False, (0, 1))


@pytest.mark.parametrize("rules", [a5e, dnd5e, action_points])
def test_stable_and_dying_put_by_hand_end_each_other(rules: Callable[[], RuleSystem]) -> None:
    table = Table("ada", rules=rules())
    table.does(StartEncounter())
    for condition in ("dying", "stable", "dying"):
        table.does(ApplyCondition(("ada",), condition))
        assert {"dying", "stable"} & table.effects("ada") == {condition}


def test_stable_put_while_the_death_save_waits_withdraws_it() -> None:
    table = Wounded()
    table.does(SetHitPoints("ada", hp=0))
    table.comes_to_turn_of("ada")
    assert [ask.label for prompt in table.prompts for ask in prompt.asks] == ["ask.death_save"]
    table.does(ApplyCondition(("ada",), "stable"))
    assert (table.prompts, table.counts()) == ([], (0, 0))
