"""Down on the ground and up again by the rules of Pathfinder 2e: each is an action that does what it says."""

from __future__ import annotations

import pytest

from tests.systems.pf2e.encounters import Encounter, pair
from tests.table import creature
from turnwright.play.actions.action import TakeAction
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.kernel.transaction import Command
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.movement.forced_movement import DropProne, StandUp, StoodUp
from turnwright.play.movement.move import Moved
from turnwright.play.queries import queries

RULE = "pf2e.external.basic_actions"


def down() -> Encounter:
    """Mira, Speed 25, on the ground on her turn."""
    table = Encounter(creature("mira", speeds=(("walk", 25),)), "ogre", foes=("ogre",))
    table.start(mira=20, ogre=10)
    table.does(ApplyCondition(("mira",), "prone"))
    return table


@pytest.mark.rule("pf2e.external.basic_actions")
@pytest.mark.parametrize("command", [TakeAction("mira", "stand"), StandUp("mira")])
def test_to_stand_takes_an_action_and_no_movement(command: Command) -> None:
    table = down()
    table.does(command)
    assert (table.lasts("prone"), table.track("mira", "action"), table.track("mira", "moved")) == (False, 2, 0)
    assert [(one.cost, one.rule) for one in table.happened(StoodUp)] == [(0, RULE)]
    assert "journal.stood_up_by_action" in [line.phrase.key for line in table.session.journal()]
    refused = table.refuses(command)
    assert (refused.key, refused.rule) == ("refused.not_prone", RULE)


@pytest.mark.rule("pf2e.external.basic_actions")
@pytest.mark.parametrize("command", [TakeAction("mira", "drop-prone"), DropProne("mira")])
def test_to_drop_prone_takes_an_action(command: Command) -> None:
    table = pair()
    table.does(command)
    assert (table.lasts("prone"), table.track("mira", "action")) == (True, 2)
    refused = table.refuses(command)
    assert (refused.key, refused.rule) == ("refused.prone_already", RULE)


@pytest.mark.rule("pf2e.external.basic_actions")
def test_a_crawl_covers_5_feet_and_nothing_else_is_gone_on_the_ground() -> None:
    table = down()
    table.does(TakeAction("mira", "crawl"))
    assert table.track("mira", "action") == 2
    table.does(MoveFeet("mira", 5))
    assert (table.track("mira", "action"), [one.feet for one in table.happened(Moved)]) == (2, [5])
    table.does(MoveFeet("mira", 10))
    assert table.track("mira", "action") == 0
    assert table.refuses(MoveFeet("mira", 5)).key == "refused.none_left"


@pytest.mark.parametrize("action", ["stride", "step"])
def test_the_prone_neither_stride_nor_step(action: str) -> None:
    assert down().refuses(TakeAction("mira", action)).key == "refused.prone_crawls"
    up = pair()
    assert up.refuses(TakeAction("mira", "crawl")).key == "refused.not_prone"


@pytest.mark.parametrize(("action", "feet"), [("stride", 30), ("step", 5)])
def test_a_stride_or_step_that_was_chosen_is_not_paid_for_again_by_going(action: str, feet: int) -> None:
    table = pair()
    table.does(TakeAction("mira", action))
    table.does(MoveFeet("mira", feet))
    assert table.track("mira", "action") == 2
    table.does(MoveFeet("mira", 5))
    assert table.track("mira", "action") == 1


def test_a_crawl_is_no_faster_than_speed() -> None:
    table = down()
    table.does(ApplyCondition(("mira",), "immobilized"))
    (walk,) = queries.movement_of(table.encounter, table.rules, "mira")
    assert (walk.allowance.total, walk.left) == (0, 0)


def test_nobody_drops_by_a_reaction_the_game_lacks() -> None:
    table = pair()
    assert table.refuses(DropProne("ogre", react=True)).key == "refused.no_quick_drop"
