"""Concentration: one thing held at a time, endangered by damage, gone when its holder goes down."""

from __future__ import annotations

from typing import Any

import pytest

from tests.play.dying_table import ZERO, Wounded, hero, lax
from turnwright.encounter.prepared import Scene
from turnwright.encounter.running import Effect
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.effects.concentration import Concentrate
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.kernel.transaction import Command
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.state.events import EffectEnded, Rolled
from turnwright.play.turns.turns import RemoveCombatant

EXTERNAL = "a5e.external.concentration"


def holding(*held: str, **more: Any) -> Wounded:
    """A table where Ada concentrates, and by that holds an effect on each of some."""
    table = Wounded(ada=hero("ada", hp=60, saves=(("con", 3),)), **({"scene": lax()} | more))
    table.does(Concentrate("ada", "a readied spell"))
    table.puts(*(Effect(f"held-{who}", who, "restrained", concentrator="ada") for who in held))
    return table


@pytest.mark.rule(EXTERNAL)
def test_damage_reminds_that_concentration_may_be_lost_and_the_narrator_decides() -> None:
    table = holding("orc")
    table.hurts("7")
    (ask,) = table.asked()
    assert (ask.who, ask.detail, table.prompt.rule) == ("", "a readied spell", EXTERNAL)
    assert [(option.id, option.why) for option in ask.options] == [("save", "10"), ("keep", ""), ("lose", "")]
    table.chooses("keep")
    assert (table.effects("ada"), table.effects("orc")) == ({"concentrating"}, {"restrained"})
    table.hurts("7")
    table.chooses("lose")
    assert (table.effects("ada"), table.effects("orc")) == (set(), set())
    assert [(event.name, event.rule) for event in table.happened(EffectEnded)] == [
        ("concentrating", EXTERNAL),
        ("restrained", EXTERNAL),
    ]


@pytest.mark.rule(EXTERNAL)
@pytest.mark.parametrize(("damage", "dc"), [("7", 10), ("20", 10), ("21", 10), ("22", 11), ("45", 22)])
def test_the_suggested_save_is_against_10_or_half_of_the_damage(damage: str, dc: int) -> None:
    table = holding()
    table.hurts(damage)
    table.chooses("save")
    (ask,) = table.asked()
    assert (ask.who, ask.dc, ask.rule) == ("ada", dc, EXTERNAL)


@pytest.mark.parametrize(("face", "kept"), [(6, set()), (7, {"concentrating"})])
def test_a_constitution_save_decides_by_itself_where_the_table_plays_by_the_letter(face: int, kept: set[str]) -> None:
    table = holding(scene=None)
    table.dice(face)
    table.hurts("7")
    assert (table.prompts, table.effects("ada")) == ([], kept)
    assert [(event.roll.total, event.dc) for event in table.happened(Rolled)][-1] == (face + 3, 10)


def test_half_of_the_damage_rounds_up_where_the_table_does() -> None:
    table = holding(scene=lax(options=("round-up",)))
    table.hurts("21")
    assert table.asked()[0].options[0].why == "11"


def test_damage_wholly_taken_away_endangers_nothing() -> None:
    table = holding()
    table.hurts("0")
    assert table.prompts == []


def test_a_question_passed_over_keeps_it() -> None:
    table = holding()
    table.hurts("7")
    table.skips()
    assert table.effects("ada") == {"concentrating"}


def test_a_new_thing_ends_the_old_with_all_that_it_held() -> None:
    table = holding("orc", "brand")
    table.does(Concentrate("ada", "another"))
    assert table.effect("concentrating").source == "another"
    assert (table.effects("orc"), table.effects("brand")) == (set(), set())


def test_all_that_is_held_ends_when_it_is_given_up() -> None:
    table = holding("orc")
    table.does(EndEffect(table.effect("concentrating").id))
    assert table.effects("orc") == set()


@pytest.mark.parametrize("condition", ["incapacitated", "unconscious"])
def test_the_incapacitated_hold_nothing_and_cannot_begin(condition: str) -> None:
    table = holding("orc")
    table.does(ApplyCondition(("ada",), condition))
    assert (table.effects("ada") - {"prone"}, table.effects("orc")) == ({condition}, set())
    table.does(Edit(Scene(strictness="enforce")))
    assert table.refuses(Concentrate("ada", "again")).key == "refused.condition"


def test_what_does_not_incapacitate_ends_nothing() -> None:
    table = holding("orc")
    table.does(ApplyCondition(("ada",), "prone"))
    assert "concentrating" in table.effects("ada")


def test_going_down_ends_it_without_a_question() -> None:
    table = holding("orc")
    table.fells()
    assert (table.effects("ada"), table.effects("orc")) == (ZERO - {"prone"}, set())
    assert [prompt.title for prompt in table.prompts] == ["prompt.brought"]


@pytest.mark.parametrize("command", [SetDead("ada"), RemoveCombatant("ada")])
def test_death_and_departure_end_it(command: Command) -> None:
    table = holding("orc")
    table.does(command)
    assert table.effects("orc") == set()
