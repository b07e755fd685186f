"""Sparing somebody: a melee attacker's choice at the moment of the fall."""

from __future__ import annotations

import pytest

from tests.play.dying_table import OUT_COLD, ZERO, Wounded
from tests.table import creature
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.play.asking.answer import Answer
from turnwright.play.damage.manual_hit_points import SetHitPoints
from turnwright.play.state.events import EffectGained
from turnwright.play.turns.turns import EndEncounter


def table() -> Wounded:
    return Wounded(creature("goblin", hp=5))


def offered(fight: Wounded) -> list[tuple[str, str]]:
    return [(option.id, ask.who) for ask in fight.asked() for option in ask.options]


@pytest.mark.rule("a5e.knockout.melee")
@pytest.mark.parametrize(
    ("how", "asked"),
    [
        ({"attack": "melee", "by": "brand"}, [("usual", "brand"), ("knock-out", "brand")]),
        ({"attack": "ranged", "by": "brand"}, []),
        ({"by": "brand"}, []),
        ({}, []),
    ],
)
def test_a_melee_attacker_may_knock_out(how: dict[str, str], asked: list[tuple[str, str]]) -> None:
    fight = table()
    fight.hurts("8", "goblin", **how)
    assert offered(fight) == asked
    assert fight.one("goblin").dead is (not asked)
    if asked:
        assert (fight.asked()[0].rule, fight.asked()[0].suggested) == ("a5e.knockout.melee", ("usual",))


def test_a_hit_that_leaves_hit_points_asks_nothing() -> None:
    fight = table()
    fight.strikes("4", "goblin", by="brand")
    assert fight.prompts == []


@pytest.mark.rule("a5e.knockout.result")
def test_who_is_knocked_out_is_stable_for_one_level_in_all() -> None:
    fight = table()
    fight.strikes("8", "goblin", by="brand")
    fight.chooses("knock-out")
    assert fight.effects("goblin") == OUT_COLD
    assert not fight.one("goblin").dead
    said = {event.name: event.rule for event in fight.happened(EffectGained)}
    assert said == {"prone": "a5e.external.unconscious"} | dict.fromkeys(
        ("unconscious", "stable"), "a5e.knockout.result"
    )
    assert fight.levels("goblin") == (0, 1, 0)
    fight.does(EndEncounter())
    assert fight.levels("goblin") == (1, 0, 0)


@pytest.mark.rule("a5e.knockout.result")
def test_a_character_knocked_out_takes_no_level_for_the_fall_besides_and_makes_no_saves() -> None:
    fight = table()
    fight.strikes("300", "ada")
    fight.chooses("knock-out")
    assert (fight.effects("ada"), fight.levels()) == (OUT_COLD, (0, 1, 0))
    fight.comes_to_turn_of("ada")
    assert fight.prompts == []


@pytest.mark.rule("a5e.knockout.timing")
def test_the_choice_is_made_at_the_fall_and_not_afterwards() -> None:
    fight = table()
    fight.strikes("25", "ada")
    prompt = fight.prompt
    assert prompt.rule == "a5e.knockout.timing"
    assert fight.effects("ada") == set()
    fight.chooses("usual")
    assert fight.effects("ada") == ZERO
    late = Answer(prompt.id, (Reply("fate", chosen=("knock-out",)),), prompt.revision)
    assert fight.refuses(late).key == "refused.stale"
    fight.strikes("2", "ada")
    assert [option.id for option in fight.asked()[0].options] == ["failure", "fatigue", "strife"]


@pytest.mark.rule("a5e.knockout.timing")
def test_it_is_not_offered_before_the_hit_and_lapses_with_the_fall() -> None:
    fight = table()
    fight.strikes("4", "goblin", by="brand")
    assert fight.prompts == []
    fight.strikes("4", "goblin", by="brand")
    fight.does(SetHitPoints("goblin", hp=3))
    fight.chooses("knock-out")
    assert (fight.effects("goblin"), fight.one("goblin").dead) == (set(), False)


def test_a_choice_passed_over_is_the_usual_outcome() -> None:
    fight = table()
    fight.strikes("8", "goblin", by="brand")
    fight.skips()
    assert fight.one("goblin").dead


def test_a_creature_knocked_out_that_is_hurt_again_dies_as_monsters_do() -> None:
    fight = table()
    fight.strikes("8", "goblin", by="brand")
    fight.chooses("knock-out")
    fight.hurts("1", "goblin")
    assert fight.one("goblin").dead
