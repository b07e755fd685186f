"""Chases: the world acts on each participant as their turn begins, and on nobody else."""

from __future__ import annotations

import pytest

from tests.table import Table, environment
from turnwright.encounter.prepared import EnvironmentEntry, SavingThrow, Scene
from turnwright.play.actions.action import TakeAction
from turnwright.play.environment.events import RechargeRolled
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.state.events import Rolled
from turnwright.play.turns.events import RoundStarted, WorldTurnStarted

STONES = EnvironmentEntry("stones", "Stones", affects="each", save=SavingThrow("dex", 10), damage="1 bludgeoning")
GUST = EnvironmentEntry("gust", "Gust", affects="each", save=SavingThrow("str", 10), recharge=5)


def chase(*actions: EnvironmentEntry, rolling: bool = True) -> Table:
    """A, B and C, and a world that throws stones at all of them."""
    scene = Scene(strictness="enforce", rolling=rolling)
    place = environment("rocky", features=(), actions=actions)
    table = Table("a", "b", "c", surroundings=[place], scene=scene)
    table.start(a=15, b=10, c=5)
    return table


def offered(table: Table) -> list[str]:
    """Whom the open card of the world lets one choose."""
    (asked,) = table.prompt.asks
    return [option.id for option in asked.options]


@pytest.mark.rule("a5e.rolling.world-per-turn")
def test_the_world_acts_as_each_turn_begins_and_on_that_one_alone() -> None:
    table = chase(STONES)
    for who in ("a", "b", "c"):
        assert (table.active, offered(table)) == (who, [who])
        table.dice(4)
        table.chooses(who)
        assert [one.who for one in table.happened(Rolled) if one.purpose == "ask.save"][-1] == who
        table.ends_turn()
    assert table.clock.round == 2
    events = table.events[: table.events.index(table.happened(RoundStarted)[-1])]
    phases = [event for event in events if isinstance(event, WorldTurnStarted)]
    assert len(phases) == 3
    assert {event.rule for event in phases} == {"a5e.rolling.world-per-turn"}
    assert (table.active, offered(table)) == ("a", ["a"])


@pytest.mark.rule("a5e.rolling.world-per-turn")
def test_elsewhere_it_acts_at_the_top_of_the_round_on_all() -> None:
    table = chase(STONES, rolling=False)
    assert (table.active, offered(table)) == ("", ["a", "b", "c"])
    table.skips()
    table.ends_turn(3)
    assert [event.rule for event in table.happened(WorldTurnStarted)] == ["a5e.world.start-of-round"] * 2


def test_what_must_recharge_does_so_once_a_round() -> None:
    table = chase(GUST)
    table.dice(4, 1)
    table.chooses("a")
    assert [event.ready for event in table.happened(RechargeRolled)] == [False]
    table.ends_turn()
    assert (table.active, table.prompts) == ("b", [])
    table.ends_turn()
    table.dice(2)
    table.ends_turn()
    assert [event.ready for event in table.happened(RechargeRolled)] == [False, False]
    assert (table.active, table.prompts) == ("a", [])


@pytest.mark.rule("a5e.rolling.no-forward")
def test_an_improvised_action_may_lead_forward():
    table = Table("ann", "bob", scene=Scene(strictness="enforce", rolling=True))
    table.start(ann=20, bob=10)
    assert table.refuses(MoveFeet("ann", 10, heading="forward")).rule == "a5e.rolling.no-forward"
    table.does(TakeAction("ann", "improvise", note="a swing on the banner", choice="automatic"))
    table.does(MoveFeet("ann", 10, heading="forward"))
    assert table.track("ann", "moved") == 10
