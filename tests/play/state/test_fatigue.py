"""Fatigue, strife and doom: levels that add up, felt after the fight that brought them."""

from __future__ import annotations

import pytest

from tests.play.dying_table import Wounded, hero
from tests.play.environment_table import Place
from tests.table import Table, creature
from turnwright.encounter.running import Effect
from turnwright.play.damage.manual_hit_points import Heal, Rest, SetDead, SetHitPoints, SetTrack
from turnwright.play.effects.conditions import ApplyCondition, EndEffect, SetEffectNote
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.state.events import EffectGained, Unaffected
from turnwright.play.turns.turns import EndEncounter
from turnwright.rules.parts.checks.ability_checks import save_roll
from turnwright.rules.parts.conditions.condition_rules import data_rules
from turnwright.rules.parts.damage.damage_steps import effective_fatigue


def fells_twice(table: Wounded) -> None:
    """Bring Ada to 0 two times, for two levels of fatigue."""
    for _ in range(2):
        table.fells()
        table.does(Heal(("ada",), 5))


def felt(table: Table, condition: str) -> list[str]:
    """The levels of a condition that change something for Ada now, each by the statement of its rules."""
    subjects = {rule.what for rule in table.rules.conditions[condition].rules}
    in_force = data_rules(table.encounter, table.rules, "ada", subjects)
    return list(dict.fromkeys(each.rule.when for each in in_force if each.source.id == condition))


@pytest.mark.rule("a5e.fatigue.levels")
def test_levels_of_several_encounters_add_up_and_leave_one_on_one_s_feet() -> None:
    carried = 0
    for _ in range(3):
        table = Wounded()
        table.has_levels("fatigue", carried)
        table.fells()
        table.does(Heal(("ada",), 5))
        table.does(SpendResource("ada", "action"))
        table.does(EndEncounter())
        carried = table.track("ada", "fatigue")
    assert carried == 3
    assert not table.one("ada").dead


@pytest.mark.rule("a5e.fatigue.deferred")
def test_fatigue_of_an_encounter_is_listed_at_once_and_felt_after_it() -> None:
    table = Wounded()
    fells_twice(table)
    assert table.levels() == (0, 2, 0)
    for _ in range(6):
        table.ends_turn()
        assert (effective_fatigue(table.encounter, "ada"), felt(table, "fatigue")) == (0, [])
    table.does(EndEncounter())
    assert table.levels() == (2, 0, 0)
    assert effective_fatigue(table.encounter, "ada") == 2
    assert len(felt(table, "fatigue")) == 2
    assert table.gained("a5e.fatigue.deferred") == [("fatigue", 2)]


def test_strife_is_felt_at_once() -> None:
    table = Wounded()
    table.fells()
    table.saves(1)
    assert (table.track("ada", "strife"), len(felt(table, "strife"))) == (1, 1)


@pytest.mark.rule("a5e.fatigue.seven")
def test_the_seventh_level_dooms_when_the_encounter_ends() -> None:
    table = Wounded()
    table.has_levels("fatigue", 6)
    table.fells()
    table.does(Heal(("ada",), 5))
    assert (table.track("ada", "fatigue"), table.track("ada", "fatigue-pending")) == (6, 1)
    assert "doomed" not in table.effects("ada")
    table.does(EndEncounter())
    assert "doomed" in table.effects("ada")
    assert [event.rule for event in table.happened(EffectGained) if event.name == "doomed"] == ["a5e.fatigue.seven"]


@pytest.mark.rule("a5e.fatigue.seven")
def test_six_levels_do_not_doom() -> None:
    table = Wounded()
    table.has_levels("fatigue", 5)
    table.fells()
    table.does(EndEncounter())
    assert (table.track("ada", "fatigue"), "doomed" in table.effects("ada")) == (6, False)


@pytest.mark.rule("a5e.fatigue.seven")
@pytest.mark.parametrize(("levels", "doomed"), [(6, True), (5, False)])
def test_outside_an_encounter_the_seventh_dooms_at_once(levels: int, doomed: bool) -> None:
    table = Wounded()
    table.has_levels("fatigue", levels)
    table.does(EndEncounter())
    assert "doomed" not in table.effects("ada")
    table.strikes("20")
    table.chooses("knock-out")
    assert table.track("ada", "fatigue") == levels + 1
    assert ("doomed" in table.effects("ada")) is doomed


def test_the_dead_feel_nothing_more() -> None:
    table = Wounded()
    fells_twice(table)
    table.does(SetDead("ada"))
    table.does(EndEncounter())
    assert table.levels() == (0, 2, 0)


def test_the_surroundings_weary_in_the_same_way() -> None:
    heat = Place("fiery", "ada", "brand", creature("shade", condition_immunities=("fatigue",)))
    heat.uses("sweltering-heat", 8, 10, 9, targets=("ada", "brand", "shade"))
    heat.passes()
    assert [heat.track(who, "fatigue-pending") for who in ("ada", "brand", "shade")] == [1, 0, 0]
    assert [event.who for event in heat.happened(Unaffected)] == ["shade"]
    assert heat.track("ada", "fatigue") == 0


def doomed(table: Wounded) -> bool:
    return "doomed" in table.effects("ada")


@pytest.mark.rule("a5e.doomed.effect")
def test_neither_rest_nor_healing_saves_the_doomed() -> None:
    table = Wounded(ada=hero("ada", hp=30))
    table.does(SetHitPoints("ada", hp=4))
    table.does(ApplyCondition(("ada",), "doomed"))
    table.does(Rest("long", haven=True))
    table.does(Heal(("ada",), 26))
    assert (table.one("ada").hp, doomed(table)) == (30, True)
    table.fells()
    table.does(Heal(("ada",), 5))
    assert doomed(table)


@pytest.mark.rule("a5e.doomed.remedy")
@pytest.mark.parametrize("spell", ["Regeneration", "a resurrection spell"])
@pytest.mark.parametrize(("chosen", "after"), [("lift", False), ("leave-doomed", True)])
def test_mighty_magic_may_lift_a_doom(spell: str, chosen: str, after: bool) -> None:
    table = Wounded()
    table.has_levels("fatigue", 7)
    table.does(ApplyCondition(("ada",), "doomed"))
    table.does(Heal(("ada",), 10, source=spell))
    assert [ask.rule for ask in table.asked()] == ["a5e.doomed.remedy"]
    assert doomed(table)
    table.chooses(chosen)
    assert doomed(table) is after


@pytest.mark.rule("a5e.doomed.remedy")
def test_lesser_magic_offers_nothing_and_mighty_magic_nothing_to_others() -> None:
    table = Wounded()
    table.does(ApplyCondition(("ada",), "doomed"))
    table.does(Heal(("ada",), 10, source="Cure Wounds"))
    table.does(Heal(("brand",), 10, source="Regeneration"))
    assert (table.prompts, doomed(table)) == ([], True)


@pytest.mark.rule("a5e.doomed.remedy")
def test_a_resurrection_may_lift_the_doom_of_the_dead() -> None:
    table = Wounded()
    table.does(ApplyCondition(("ada",), "doomed"))
    table.does(SetDead("ada"))
    table.does(SetDead("ada", dead=False, hp=1, source="Resurrection"))
    table.chooses("lift")
    assert (table.one("ada").hp, doomed(table)) == (1, False)


@pytest.mark.rule("a5e.doomed.narrator")
def test_the_narrator_may_doom_for_any_reason() -> None:
    table = Wounded()
    table.has_levels("fatigue", 2)
    table.does(ApplyCondition(("ada",), "doomed", source="curse"))
    assert (doomed(table), table.track("ada", "fatigue"), table.effect("doomed").source) == (True, 2, "curse")


# What the rules only name ------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.external.fatigue-effects")
def test_levels_show_with_a_reminder_of_one_s_own() -> None:
    table = Wounded()
    table.has_levels("fatigue", 3)
    effect = table.effect("fatigue")
    assert (effect.value, effective_fatigue(table.encounter, "ada"), len(felt(table, "fatigue"))) == (3, 3, 3)
    assert table.rules.conditions["fatigue"].external
    table.does(SetEffectNote(effect.id, "Cough at every word."))
    table.has_levels("fatigue", 4)
    assert (table.effect("fatigue").note, table.effect("fatigue").value) == ("Cough at every word.", 4)
    table.has_levels("fatigue", 0)
    assert "fatigue" not in table.effects("ada")


@pytest.mark.parametrize(("level", "feet", "hp"), [(2, 30, 20), (3, 15, 20), (5, 15, 10), (6, 5, 10)])
def test_fatigue_slows_and_halves_the_maximum(level: int, feet: int, hp: int) -> None:
    table = Wounded()
    table.has_levels("fatigue", level)
    speed = table.rules.allowance(table.encounter, table.rules, "ada", "walk")
    assert speed is not None
    assert (speed.total, table.one("ada").hp_max) == (feet, hp)
    edges = save_roll(table.encounter, table.rules, "ada", "con").edges
    assert [edge.kind for edge in edges] == (["disadvantage"] if level >= 4 else [])


def test_an_end_by_hand_takes_the_levels_too() -> None:
    table = Wounded()
    table.has_levels("fatigue", 3)
    table.does(EndEffect(table.effect("fatigue").id))
    assert (table.track("ada", "fatigue"), table.effects("ada")) == (0, set())


@pytest.mark.rule("a5e.external.strife")
def test_strife_is_counted_apart_from_fatigue() -> None:
    table = Wounded()
    table.fells()
    table.saves(1)
    assert table.levels() == (0, 2, 1)
    table.does(EndEncounter())
    assert table.levels() == (2, 0, 1)
    assert {"fatigue", "strife"} <= table.effects("ada")
    assert table.rules.conditions["strife"].external


@pytest.mark.rule("a5e.external.doomed")
def test_the_doomed_are_listed_with_the_outline_and_words_of_one_s_own() -> None:
    table = Wounded()
    table.has_levels("fatigue", 6)
    table.fells()
    table.does(EndEncounter())
    effect = table.effect("doomed")
    condition = table.rules.conditions["doomed"]
    assert condition.external
    assert "powerful magic" in condition.text
    table.does(SetEffectNote(effect.id, "Until the next full moon."))
    assert table.effect("doomed").note == "Until the next full moon."
    table.does(SetEffectNote(effect.id))
    assert table.effect("doomed").note == ""


def test_levels_set_by_hand_say_so_and_doom_nobody() -> None:
    table = Table(hero("ada"))
    table.does(StartEncounter())
    table.does(SetTrack("ada", "fatigue", 7))
    assert [(event.name, event.value, event.rule) for event in table.happened(EffectGained)] == [("fatigue", 7, "")]
    assert table.effects("ada") == {"fatigue"}
    assert [one.value for one in table.encounter.all(Effect)] == [7]
