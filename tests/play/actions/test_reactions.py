"""Press the Attack and Fall Back: who may press whom, what it lends and costs, and how the pressed give way."""

from __future__ import annotations

from typing import Any

import pytest

from tests.play.attack_table import AXE, SHORTBOW, STRONG, Fray
from tests.play.map_table import extra
from tests.table import Table, creature
from turnwright.encounter.prepared import Feature, Map, Obstacle
from turnwright.encounter.running import Effect
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.reactions import Pursued, Withdrew
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.movement.move import Moved
from turnwright.play.queries import queries
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.state.events import ActionTaken
from turnwright.play.turns.turns import RemoveCombatant

PRESS = "press-the-attack"
FOES = ("t", "u")


def ring(**a: Any) -> Fray:
    """A at (0, 0) with foe T to the right and foe U below, B of A's side and archer C of the foes' farther off."""
    fields = {"features": (AXE, SHORTBOW), "abilities": STRONG} | a
    people = (
        creature("a", **fields),
        creature("t", features=(AXE,)),
        creature("u", features=(AXE,)),
        creature("b", features=(AXE,)),
        creature("c", features=(SHORTBOW,)),
    )
    table = Fray(*people, foes=("t", "u", "c"))
    return table.puts(a=(0, 0), t=(1, 0), u=(0, 1), b=(8, 8), c=(9, 0))  # type: ignore[return-value]


def presses(table: Table, who: str = "a", target: str = "t", answer: str = "pass") -> None:
    """Press somebody, who responds."""
    table.does(TakeAction(who, PRESS, targets=(target,)))
    if table.prompts:
        table.answers(**{target: answer})


def dice(table: Fray, target: str, means: Feature = AXE, **more: Any) -> list[str]:
    """The extra dice of an attack of A's."""
    return extra(table.attack_roll("a", target, means, **more))


def left(table: Table, who: str) -> dict[str, int]:
    """How much of each resource somebody has."""
    return {one.resource.id: one.left for one in queries.resources_of(table.encounter, table.rules, who)}


# Pressing ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.action.press.use")
def test_pressing_comes_before_the_attack_and_within_reach() -> None:
    table = ring()
    refused = table.refuses(TakeAction("a", PRESS, targets=("c",)))
    assert (refused.key, refused.rule) == ("refused.not_in_reach", "a5e.action.press.use")
    presses(table)
    assert (table.effects("t"), left(table, "a")) == ({"pressed"}, {"action": 1, "bonus": 0, "reaction": 1})
    assert table.happened(ActionTaken)[-1].rule == "a5e.action.press.use"
    for ordered in (TakeAction("a", "attack"), TakeAction("a", "basic-maneuver", targets=("t",), choice="shove")):
        late = ring()
        late.does(ordered)
        if late.prompts:
            late.chooses("nothing")
        refused = late.refuses(TakeAction("a", PRESS, targets=("t",)))
        assert (refused.key, refused.rule) == ("refused.attacked_already", "a5e.action.press.use")
    struck = ring()
    struck.strikes("a", "t", "axe", 2)
    offers = {one.action.id: one for one in queries.actions_for(struck.encounter, struck.rules, "a")}
    assert (offers[PRESS].refused, offers[PRESS].rule) == ("refused.attacked_already", "a5e.action.press.use")


@pytest.mark.rule("a5e.action.press.one-presser")
def test_nobody_is_pressed_by_two_at_once() -> None:
    table = ring()
    table.puts(b=(2, 0))
    presses(table)
    table.ends_turn(3)
    assert table.active == "b"
    refused = table.refuses(TakeAction("b", PRESS, targets=("t",)))
    assert (refused.key, refused.rule) == ("refused.pressed_already", "a5e.action.press.one-presser")
    table.ends_turn(5)
    assert (table.active, table.clock.round) == ("b", 2)
    presses(table, "b")
    assert {one.by for one in table.encounter.all(Effect) if one.name == "pressed"} == {"b"}


@pytest.mark.rule("a5e.action.press.die")
def test_pressing_lends_a_die_in_melee_against_the_one_pressed() -> None:
    table = ring()
    assert dice(table, "t") == []
    presses(table)
    assert (dice(table, "t"), dice(table, "u"), dice(table, "t", SHORTBOW)) == (["1d4"], [], [])
    (lent,) = table.attack_roll("a", "t", AXE).extra
    assert lent.rule == "a5e.action.press.die"


@pytest.mark.rule("a5e.action.press.exposed")
def test_the_presser_is_exposed_to_everybody() -> None:
    table = ring()
    assert table.edges("c", "a", "shortbow") == []
    presses(table)
    assert table.edges("c", "a", "shortbow") == [("advantage", "a5e.action.press.exposed")]
    assert ("advantage", "a5e.action.press.exposed") in table.edges("t", "a", "axe")


@pytest.mark.rule("a5e.action.press.no-die-disadvantage")
def test_no_die_with_an_attack_at_disadvantage() -> None:
    table = ring()
    presses(table)
    table.does(ApplyCondition(("a",), "prone"))
    assert dice(table, "t") == []
    table.does(EndEffect(next(one.id for one in table.encounter.all(Effect) if one.name == "prone")))
    assert dice(table, "t") == ["1d4"]
    rules = table.rules.conditions["pressing"].ledger
    assert "a5e.action.press.no-die-disadvantage" in rules


@pytest.mark.rule("a5e.action.press.duration")
def test_pressing_lasts_until_the_pressers_next_turn() -> None:
    table = ring()
    presses(table)
    table.ends_turn()
    assert (table.active, dice(table, "t", purpose="opportunity")) == ("t", ["1d4"])
    assert table.edges("c", "a", "shortbow") != []
    table.ends_turn(4)
    assert (table.active, table.clock.round) == ("a", 2)
    assert (dice(table, "t"), table.edges("c", "a", "shortbow")) == ([], [])
    assert (table.effects("a"), table.effects("t")) == (set(), set())
    assert "a5e.action.press.duration" in table.rules.conditions["pressed"].ledger


# Falling back ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.action.fallback.trigger")
def test_the_pressed_may_fall_back_by_their_reaction() -> None:
    table = ring()
    table.does(TakeAction("a", PRESS, targets=("t",)))
    (asked,) = table.prompt.asks
    assert ([option.id for option in asked.options], asked.who) == (["fall-back", "pass"], "t")
    assert (asked.suggested, asked.rule) == (("pass",), "a5e.action.fallback.trigger")
    table.answers(t="fall-back")
    assert left(table, "t")["reaction"] == 0
    assert table.happened(ActionTaken)[-1].rule == "a5e.action.fallback.trigger"
    spent = ring()
    spent.does(SpendResource("t", "reaction"))
    spent.does(TakeAction("a", PRESS, targets=("t",)))
    assert spent.prompts == []
    unpressed = ring()
    refused = unpressed.refuses(TakeAction("t", "fall-back"))
    assert (refused.key, refused.rule) == ("refused.not_pressed", "a5e.action.fallback.trigger")


@pytest.mark.rule("a5e.action.fallback.move")
def test_falling_back_leads_five_feet_straight_away() -> None:
    table = ring()
    presses(table, answer="fall-back")
    assert table.one("t").position == (2, 0)
    (back,) = table.happened(Withdrew)
    assert (back.pursuer, back.feet, back.rule) == ("a", 5, "a5e.action.fallback.move")
    assert table.track("t", "moved") == 0


def test_nobody_falls_back_into_a_wall_or_on_the_spot() -> None:
    walled = Fray(
        creature("a", features=(AXE,)), "t", foes=("t",),
        field=Map(columns=9, rows=9, obstacles=(Obstacle("wall", "Wall", at=(2, 0), cover="total"),)),
    ).puts(a=(0, 0), t=(1, 0))  # fmt: skip
    walled.does(TakeAction("a", PRESS, targets=("t",)))
    assert walled.prompts == []
    held = ring()
    held.does(ApplyCondition(("t",), "grappled"))
    held.does(TakeAction("a", PRESS, targets=("t",)))
    assert held.prompts == []


@pytest.mark.rule("a5e.action.fallback.move")
def test_one_falls_back_aside_if_somebody_stands_behind() -> None:
    people = (creature("a", features=(AXE,)), "t", "u")
    table = Fray(*people, foes=("t", "u"), field=Map(columns=9, rows=9)).puts(a=(3, 3), t=(4, 3), u=(5, 3))
    presses(table, answer="fall-back")
    assert table.one("t").position in ((5, 2), (5, 4))
    behind = [(5, row) for row in (2, 3, 4)]
    walls = tuple(Obstacle(f"wall-{row}", "Wall", at=at, cover="total") for row, at in enumerate(behind))
    table = Fray(*people[:2], foes=("t",), field=Map(columns=9, rows=9, obstacles=walls)).puts(a=(3, 3), t=(4, 3))
    table.does(TakeAction("a", PRESS, targets=("t",)))
    assert table.prompts == []


def test_off_the_grid_falling_back_is_only_said() -> None:
    table = Table("a", "t", foes=("t",))
    table.start(a=20, t=10)
    presses(table, answer="fall-back")
    assert table.prompt.title == "prompt.follow"
    table.answers(follow="follow")
    assert ([one.feet for one in table.happened(Withdrew)], [one.feet for one in table.happened(Pursued)]) == (
        [5],
        [5],
    )
    assert (table.one("t").position, table.one("a").position) == (None, None)


@pytest.mark.rule("a5e.action.fallback.cancels-die")
def test_the_presser_gains_no_die_against_whoever_fell_back() -> None:
    table = ring()
    presses(table, answer="fall-back")
    table.answers(follow="follow")
    assert dice(table, "t") == []
    assert table.edges("c", "a", "shortbow") == [("advantage", "a5e.action.press.exposed")]
    table.ends_turn(5)
    assert "fell-back" not in table.effects("t")
    presses(table)
    assert dice(table, "t") == ["1d4"]
    assert "a5e.action.fallback.cancels-die" in table.rules.conditions["fell-back"].ledger


@pytest.mark.rule("a5e.action.fallback.follow")
@pytest.mark.parametrize("answer", ["follow", "stay"])
def test_the_presser_may_follow_at_no_cost(answer: str) -> None:
    table = ring()
    presses(table, answer="fall-back")
    (asked,) = table.prompt.asks
    assert (asked.who, asked.suggested, asked.rule) == ("a", ("stay",), "a5e.action.fallback.follow")
    table.answers(follow=answer)
    assert table.one("a").position == ((1, 0) if answer == "follow" else (0, 0))
    assert table.track("a", "moved") == 0
    assert [one.rule for one in table.happened(Pursued)] == (
        ["a5e.action.fallback.follow"] if answer == "follow" else []
    )


@pytest.mark.rule("a5e.action.fallback.no-opportunity")
def test_neither_move_provokes() -> None:
    table = ring()
    table.puts(b=(1, 1), u=(0, 1))  # an enemy of T beside T, an enemy of A beside A
    presses(table, answer="fall-back")
    assert table.prompt.title == "prompt.follow"
    table.answers(follow="follow")
    assert table.prompts == []
    assert (table.one("t").position, table.one("a").position, table.happened(Moved)) == ((2, 0), (1, 0), [])
    assert "a5e.action.fallback.no-opportunity" in table.rules.actions["fall-back"].ledger


@pytest.mark.rule("a5e.action.fallback.rage")
def test_nobody_falls_back_while_raging() -> None:
    table = ring()
    table.does(ApplyCondition(("t",), "raging"))
    table.does(TakeAction("a", PRESS, targets=("t",)))
    assert table.prompts == []
    refused = table.refuses(TakeAction("t", "fall-back"))
    assert (refused.key, refused.rule) == ("refused.raging", "a5e.action.fallback.rage")
    table.does(EndEffect(next(one.id for one in table.encounter.all(Effect) if one.name == "raging")))
    table.ends_turn(5)
    table.does(TakeAction("a", PRESS, targets=("t",)))
    assert [option.id for option in table.prompt.asks[0].options] == ["fall-back", "pass"]


def test_one_may_fall_back_a_moment_later_by_ones_own_command() -> None:
    table = ring()
    presses(table)
    table.does(TakeAction("t", "fall-back"))
    assert (table.one("t").position, left(table, "t")["reaction"]) == ((2, 0), 0)
    table.answers(follow="follow")
    assert table.one("a").position == (1, 0)
    assert table.refuses(TakeAction("t", "fall-back")).rule == "a5e.turn.one-reaction"


@pytest.mark.parametrize("gone", ["t", "a"])
def test_one_who_leaves_while_asked_leaves_no_card_behind(gone: str) -> None:
    table = ring()
    table.does(TakeAction("a", PRESS, targets=("t",)))
    table.does(RemoveCombatant(gone))
    while table.prompts:
        table.answers(t="fall-back")
    assert [one.feet for one in table.happened(Withdrew)] == ([] if gone == "t" else [5])
    assert table.happened(Pursued) == []
