"""Rests: what a short and a long one do, where fatigue is slept off, and that they do nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.play.dying_table import Wounded, hero
from tests.table import Table, dnd5e, pf2e
from turnwright.encounter.prepared import Feature, Scene
from turnwright.encounter.running import Effect, Track
from turnwright.play.damage.damage_roll import GrantTempHp
from turnwright.play.damage.manual_hit_points import PassTime, Rest, SetDead, SetHitPoints
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.state.events import Unaffected
from turnwright.play.turns.turns import EndEncounter
from turnwright.rules.parts.damage.damage_steps import effective_fatigue
from turnwright.rules.parts.economy.limited_uses import remaining_uses
from turnwright.rules.system import RuleSystem


def weary(levels: int, *options: str) -> Wounded:
    """A table after an encounter, where Ada has so many levels of fatigue."""
    table = Wounded(scene=Scene(options=options))
    table.has_levels("fatigue", levels)
    table.does(EndEncounter())
    return table


@pytest.mark.rule("a5e.recovery.first-level")
def test_one_level_is_slept_off_anywhere() -> None:
    table = weary(1)
    table.does(Rest("long"))
    assert (table.track("ada", "fatigue"), table.effects("ada")) == (0, set())
    assert table.gained("a5e.recovery.first-level") == [("fatigue", -1)]


@pytest.mark.rule("a5e.recovery.haven", "a5e.external.haven")
@pytest.mark.parametrize(("levels", "haven", "left"), [(3, False, 3), (2, False, 2), (3, True, 2), (2, True, 1)])
def test_more_levels_need_a_haven(levels: int, haven: bool, left: int) -> None:
    table = weary(levels)
    table.does(Rest("long", haven=haven))
    assert table.track("ada", "fatigue") == left
    said = [(event.who, event.rule) for event in table.happened(Unaffected)]
    assert said == ([] if haven else [("ada", "a5e.recovery.haven")])


@pytest.mark.rule("a5e.recovery.one-per-rest")
def test_each_rest_at_a_haven_recovers_one_level() -> None:
    table = weary(3)
    table.does(Rest("long", haven=True))
    table.does(Rest("long", haven=True))
    assert table.track("ada", "fatigue") == 1
    assert table.gained("a5e.recovery.one-per-rest") == [("fatigue", -1), ("fatigue", -1)]


@pytest.mark.parametrize(("levels", "haven", "left"), [(1, False, 0), (2, False, 2), (3, True, 2)])
def test_strife_is_recovered_like_fatigue(levels: int, haven: bool, left: int) -> None:
    table = weary(2)
    table.does(ApplyCondition(("ada",), "strife", value=levels))
    table.does(Rest("long", haven=haven))
    assert (table.track("ada", "strife"), table.track("ada", "fatigue")) == (left, 1 if haven else 2)


@pytest.mark.parametrize("game", [dnd5e, pf2e])
def test_a_level_of_another_game_s_environment_stays_for_the_table_to_end(game: Callable[[], RuleSystem]) -> None:
    table = Table("ada", "orc", foes=("orc",), rules=game())
    table.start(ada=20, orc=10)
    table.does(ApplyCondition(("ada",), "fatigue", value=1))
    table.does(Rest("long", haven=True))
    assert "fatigue" in table.effects("ada")


@pytest.mark.parametrize("haven", [False, True])
def test_a_short_rest_recovers_no_fatigue(haven: bool) -> None:
    table = weary(1)
    table.does(Rest("short", haven=haven))
    assert table.track("ada", "fatigue") == 1


@pytest.mark.rule("a5e.external.rests")
@pytest.mark.parametrize(("options", "hp"), [(("not rest-heals",), 12), ((), 20)])
def test_rests_do_what_is_listed_and_no_more(options: tuple[str, ...], hp: int) -> None:
    table = weary(1, *options)
    table.has_levels("strife", 2)
    table.does(SetHitPoints("ada", hp=12))
    table.does(GrantTempHp(("ada",), 5))
    before = table.encounter
    table.does(Rest("short"))
    assert table.encounter == before
    table.does(Rest("long"))
    ada = table.one("ada")
    assert (ada.hp, ada.temp_hp, table.levels()) == (hp, 0, (0, 0, 2))


@pytest.mark.rule("a5e.external.rests")
@pytest.mark.parametrize("length", ["short", "long"])
def test_any_rest_renews_the_block_of_critical_hits(length: str) -> None:
    table = weary(0)
    table.puts(Effect("mark", "ada", "blocked-critical", shown=False))
    table.puts(Track("ada.blocked-critical", "ada", "blocked-critical", 1))
    table.does(Rest(length))  # type: ignore[arg-type]
    assert list(table.encounter.all(Effect)) == []
    assert table.track("ada", "blocked-critical") == 0


@pytest.mark.parametrize(("length", "left"), [("short", (0, 1)), ("long", (2, 3))])
def test_a_long_rest_brings_slots_and_uses_back(length: str, left: tuple[int, int]) -> None:
    caster = hero("ada", slots=(("1", 2),), features=(Feature("second-wind", "Second wind", uses=3),))
    table = Wounded(ada=caster)
    table.puts(
        *(
            Track(f"ada.{name}", "ada", name, *left)
            for name, left in (("slots.1", (0, 2)), ("uses.second-wind", (1, 3)))
        )
    )
    table.does(Rest(length))  # type: ignore[arg-type]
    assert tuple(remaining_uses(table.encounter, "ada", name) for name in ("slots.1", "uses.second-wind")) == left


@pytest.mark.parametrize("command", [Rest("short"), Rest("long"), PassTime(1)])
def test_fatigue_that_sprinting_has_cost_is_gone_after_any_rest(command: Rest | PassTime) -> None:
    table = weary(2)
    table.puts(Track("ada.fatigue-sprint", "ada", "fatigue-sprint", 1))
    assert effective_fatigue(table.encounter, "ada") == 3
    table.does(command)
    assert effective_fatigue(table.encounter, "ada") == 2
    assert table.gained("a5e.action.sprint.recovery") == [("fatigue-sprint", -1)]


def test_the_dead_recover_nothing() -> None:
    table = weary(1)
    table.does(SetDead("ada"))
    table.does(Rest("long"))
    assert table.track("ada", "fatigue") == 1
