"""On the ground: crawling, getting down and up again, and attacks there."""

from __future__ import annotations

import dataclasses

import msgspec
import pytest

from tests.play.map_table import BOW, SWORD, Field, edges
from tests.table import Table, creature
from turnwright.encounter.prepared import Feature, Scene
from turnwright.play.actions.action import TakeAction
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.movement.forced_movement import DropProne, StandUp, StoodUp
from turnwright.play.state.events import EffectGained
from turnwright.play.table.game_master import SetDice

SPEAR = Feature("spear", "Spear", cost="action", attack=5, reach=10, damage="1d8 piercing")


def left(table: Table, who: str) -> int:
    """The feet somebody may still walk or crawl."""
    most = table.rules.allowance(table.encounter, table.rules, who, "walk")
    assert most is not None
    return most.total - table.track(who, "moved")


def lying(*, field: bool = False, **fields: object) -> Field:
    """Ada prone on her turn, and Bo, a foe."""
    block = creature("ada", **({"speeds": (("walk", 30), ("fly", 60))} | fields))
    table = Field(block, "bo", foes=("bo",)) if field else Field(block, "bo", foes=("bo",), field=None)
    table.does(ApplyCondition(("ada",), "prone"))
    return table


@pytest.mark.rule("a5e.prone.drop-free")
def test_dropping_prone_costs_nothing_on_ones_own_turn() -> None:
    table = Field("ada", "bo", field=None)
    table.does(DropProne("ada"))
    assert (table.effects("ada"), left(table, "ada")) == ({"prone"}, 30)
    assert table.track("ada", "reaction") == 1
    assert table.happened(EffectGained)[-1].rule == "a5e.prone.drop-free"
    assert table.refuses(DropProne("ada")).key == "refused.prone_already"


@pytest.mark.rule("a5e.variant.prone-drop-when")
def test_off_turn_only_the_older_text_lets_one_drop() -> None:
    table = Field("ada", "bo", field=None)
    refused = table.refuses(DropProne("bo"))
    assert (refused.key, refused.rule) == ("refused.not_your_turn", "a5e.prone.drop-free")
    older = Field("ada", "bo", field=None, scene=Scene(strictness="enforce", options=("prone-any-time",)))
    older.does(DropProne("bo"))
    assert older.effects("bo") == {"prone"}


@pytest.mark.rule("a5e.prone.drop-reaction")
def test_a_visible_shot_lets_one_drop_by_reaction() -> None:
    table = Field(creature("ada", features=(BOW, SWORD)), "bo", foes=("bo",))
    table.puts(ada=(0, 0), bo=(8, 0))
    table.does(SetDice("ask"))
    from turnwright.play.attacks.attack_request import Attack

    table.does(Attack("ada", "bo", "bow"))
    (asked,) = table.prompt.asks
    assert (asked.who, asked.options[0].id) == ("bo", "drop-prone")
    table.chooses("drop-prone")
    assert (table.effects("bo"), table.track("bo", "reaction")) == ({"prone"}, 0)
    (rolling,) = table.prompt.asks
    assert rolling.spec is not None
    assert edges(rolling.spec) == ["disadvantage"]


@pytest.mark.rule("a5e.prone.crawl-only")
def test_the_prone_only_crawl() -> None:
    table = lying()
    refused = table.refuses(MoveFeet("ada", 10, "fly"))
    assert (refused.key, refused.rule) == ("refused.prone_crawls", "a5e.prone.crawl-only")
    table.does(MoveFeet("ada", 5))
    assert left(table, "ada") == 20
    table.does(StandUp("ada"))
    assert left(table, "ada") == 5


@pytest.mark.rule("a5e.prone.crawl-cost")
def test_crawling_costs_a_foot_more() -> None:
    table = lying()
    table.does(MoveFeet("ada", 10))
    assert table.track("ada", "moved") == 20


@pytest.mark.rule("a5e.prone.stand")
def test_standing_up_takes_half_of_the_speed() -> None:
    table = Field("ada", "bo", field=None)
    table.does(MoveFeet("ada", 10))
    table.does(ApplyCondition(("ada",), "prone"))
    table.does(StandUp("ada"))
    assert (table.effects("ada"), left(table, "ada")) == (set(), 5)
    (stood,) = table.happened(StoodUp)
    assert (stood.cost, stood.rule) == (15, "a5e.prone.stand")
    assert table.refuses(StandUp("ada")).key == "refused.not_prone"


@pytest.mark.rule("a5e.prone.stand")
def test_with_less_left_nobody_stands_up() -> None:
    table = Field("ada", "bo", field=None)
    table.does(MoveFeet("ada", 20))
    table.does(ApplyCondition(("ada",), "prone"))
    refused = table.refuses(StandUp("ada"))
    assert (refused.key, refused.rule, refused.params["left"]) == ("refused.cannot_stand", "a5e.prone.stand", 10)
    assert refused.params["cost"] == 15


def test_a_dash_makes_standing_up_no_dearer() -> None:
    table = lying(speeds=(("walk", 30),))
    table.does(TakeAction("ada", "dash"))
    table.does(StandUp("ada"))
    assert left(table, "ada") == 45


def test_halves_round_up_where_the_table_says_so() -> None:
    table = Field(
        creature("ada", speeds=(("walk", 25),)),
        field=None,
        scene=Scene(strictness="enforce", options=("round-up",)),
    )
    table.does(DropProne("ada"))
    table.does(StandUp("ada"))
    assert left(table, "ada") == 12


@pytest.mark.rule("a5e.prone.melee-disadvantage")
def test_the_prone_strike_worse_but_shoot_as_well() -> None:
    table = lying(field=True).puts(ada=(0, 0), bo=(1, 0))
    assert edges(table.attack_roll("ada", "bo", SWORD)) == ["disadvantage"]
    table.puts(bo=(6, 0))
    assert edges(table.attack_roll("ada", "bo", BOW)) == []


@pytest.mark.rule("a5e.prone.attacked-near", "a5e.prone.attacked-far")
def test_the_prone_are_struck_more_easily_from_near_and_less_from_afar() -> None:
    table = lying(field=True).puts(ada=(0, 0), bo=(1, 0))
    assert edges(table.attack_roll("bo", "ada", SWORD)) == ["advantage"]
    assert edges(table.attack_roll("bo", "ada", SPEAR)) == ["advantage"]
    table.puts(bo=(2, 0))
    assert edges(table.attack_roll("bo", "ada", SPEAR)) == ["disadvantage"]
    assert edges(table.attack_roll("bo", "ada", BOW)) == ["disadvantage"]
    rules = {edge.rule for edge in table.attack_roll("bo", "ada", SPEAR).edges}
    assert rules == {"a5e.prone.attacked-far"}


def test_what_a_system_adds_to_standing_up_is_data() -> None:
    usual, dearer = lying(), lying()
    data = dearer.rules.data
    movement = msgspec.structs.replace(data.movement, stand_extra=10)
    dearer.session.rules = dearer.rules = dataclasses.replace(
        dearer.rules, data=msgspec.structs.replace(data, movement=movement)
    )
    before = left(usual, "ada")
    for table in (usual, dearer):
        table.does(StandUp("ada"))
    assert (before - left(usual, "ada"), before - left(dearer, "ada")) == (15, 25)
