"""What the journal says of D&D 5e: by which rule something went as it did, and what is open again after a push."""

from __future__ import annotations

import pytest

from tests.systems.dnd5e.fights import SWORD, Fight, pair
from turnwright.encounter.running import Relation
from turnwright.play.actions.action import TakeAction
from turnwright.play.attacks.attack_request import Attack, Attacked
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.movement.commanded_move import MovePath
from turnwright.play.state.events import ResourceRestored
from turnwright.play.state.position_changes import RelationCleared, SetRelation


@pytest.mark.rule("dnd5e.reaction.one_per_round")
def test_a_reaction_comes_back_by_the_rule_that_says_how_often_there_is_one() -> None:
    table = Fight("ann", "orc", foes=("orc",)).puts(orc=(5, 5), ann=(4, 5))
    table.does(MovePath("ann", ((3, 5), (2, 5))))
    table.chooses("ann unarmed")
    while table.prompts:
        table.skips()
    table.ends_turn()
    assert [(one.who, one.rule) for one in table.happened(ResourceRestored)] == [
        ("orc", "dnd5e.reaction.one_per_round")
    ]


@pytest.mark.parametrize(
    ("faces", "rule"), [((9, 12), "dnd5e.external.conditions"), ((9, 20), "dnd5e.attack.natural_20_hits")]
)
def test_a_hit_that_a_condition_makes_critical_is_told_by_its_rule(faces: tuple[int, int], rule: str) -> None:
    table = pair(SWORD, orc={"ac": 10})
    table.does(ApplyCondition(("orc",), "paralyzed"))
    table.dice(*faces, 4, 4)
    table.does(Attack("ann", "orc", "longsword"))
    while table.prompts and table.prompt.asks[0].label == "ask.usual_effects":
        table.chooses(table.prompt.asks[0].options[0].id)
    (hit,) = table.happened(Attacked)
    assert (hit.outcome, hit.rule) == ("critical", rule)


def test_without_a_map_a_push_leaves_open_where_one_is() -> None:
    table = Fight("ann", "orc", "bob", foes=("orc",), field=None)
    table.does(SetRelation("ann", "orc", distance=5))
    table.does(SetRelation("bob", "orc", distance=30, seen=True))
    table.dice(15, 2)
    table.does(TakeAction("ann", "shove", targets=("orc",), choice="push"))
    table.chooses("check.str:athletics")
    assert [(one.who, one.others) for one in table.happened(RelationCleared)] == [("orc", ("ann", "bob"))]
    assert [(one.distance, one.seen) for one in table.encounter.all(Relation)] == [(None, True)]
