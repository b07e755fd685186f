"""Sprinting: how far, how straight, how long it is kept up, and what it exposes one to."""

from __future__ import annotations

from typing import Any

import pytest

from tests.play.attack_table import SHORTBOW, Fray
from tests.table import Table, creature
from turnwright.encounter.prepared import Map, Scene
from turnwright.encounter.running import Track
from turnwright.play.actions.action import TakeAction
from turnwright.play.damage.manual_hit_points import SetTrack
from turnwright.play.movement.commanded_move import MoveFeet, MovePath
from turnwright.play.queries import queries
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.state.events import Rolled, TrackSet
from turnwright.rules.parts.checks.ability_checks import exertion_dc
from turnwright.rules.parts.movement.routes import is_straight, sprint_direction

LONG = Map(columns=40, rows=40)


def runner(con: int = 10, **fields: Any) -> Table:
    """A alone with B, with this Constitution; A's turn."""
    table = Table(creature("a", **({"abilities": (("con", con),), "gear": ("unencumbered",)} | fields)), "b")
    table.start(a=20, b=10)
    return table


def sprints(table: Table, *faces: int) -> None:
    """Sprint with these faces."""
    table.dice(*faces)
    table.does(TakeAction("a", "sprint"))


def feet(table: Table) -> int:
    """How far A may still walk."""
    return next(one.left for one in queries.movement_of(table.encounter, table.rules, "a") if one.mode == "walk")


def dcs(table: Table) -> list[int]:
    """What the checks so far were held against."""
    return [one.dc for one in table.happened(Rolled)]


def rounds(table: Table, count: int) -> None:
    """Let so many rounds go by, from A's turn to A's turn."""
    table.ends_turn(2 * count)
    assert table.active == "a"


# One turn of it ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.action.sprint.exclusive")
def test_whoever_sprints_does_nothing_else() -> None:
    table = runner(12)
    sprints(table)
    for cost in ("bonus", "reaction"):
        refused = table.refuses(SpendResource("a", cost))
        assert (refused.key, refused.rule) == ("refused.condition_until", "a5e.action.sprint.exclusive")
    offers = {one.action.id: one for one in queries.actions_for(table.encounter, table.rules, "a")}
    assert offers["back-to-back"].rule == "a5e.action.sprint.exclusive"
    assert offers["fall-back"].rule == "a5e.action.sprint.exclusive"
    table.ends_turn()
    table.does(SpendResource("a", "reaction"))
    for cost in ("bonus", "reaction"):
        other = runner(12)
        other.does(SpendResource("a", cost))
        refused = other.refuses(TakeAction("a", "sprint"))
        assert (refused.key, refused.rule) == ("refused.nothing_but_sprint", "a5e.action.sprint.exclusive")


@pytest.mark.rule("a5e.action.sprint.quadruple")
def test_unburdened_it_is_four_times_the_speed() -> None:
    table = runner(12)
    sprints(table)
    assert feet(table) == 120
    allowance = queries.speed(table.encounter, table.rules, "a")
    assert allowance is not None
    assert allowance.parts[-1].rule == "a5e.action.sprint.quadruple"
    table.does(MoveFeet("a", 120))
    rounds(table, 1)
    assert feet(table) == 30


@pytest.mark.rule("a5e.action.sprint.triple")
@pytest.mark.parametrize("gear", ["heavy-armor", "encumbered"])
def test_burdened_it_is_three_times(gear: str) -> None:
    table = runner(12, gear=(gear,))
    sprints(table)
    assert (table.prompts, feet(table)) == ([], 90)
    allowance = queries.speed(table.encounter, table.rules, "a")
    assert allowance is not None
    assert allowance.parts[-1].rule == "a5e.action.sprint.triple"


@pytest.mark.rule("a5e.external.encumbrance")
@pytest.mark.parametrize(("answer", "reach"), [("burdened", 90), ("unburdened", 120)])
def test_what_somebody_carries_is_asked_once(answer: str, reach: int) -> None:
    table = runner(14, gear=())
    table.does(TakeAction("a", "sprint"))
    (asked,) = table.prompt.asks
    assert [option.id for option in asked.options] == ["burdened", "unburdened"]
    table.answers(choice=answer)
    assert feet(table) == reach
    rounds(table, 1)
    sprints(table)
    assert (table.prompts, feet(table)) == ([], reach)
    assert "a5e.external.encumbrance" in table.rules.actions["sprint"].ledger


@pytest.mark.rule("a5e.action.sprint.straight")
def test_a_sprint_keeps_to_one_line_for_its_turn() -> None:
    table = Fray(creature("a", abilities=(("con", 14),), gear=("unencumbered",)), "b", field=LONG)
    table.puts(a=(1, 30), b=(39, 39))
    sprints(table)
    east = tuple((column, 30) for column in range(2, 14))
    bent = table.refuses(MovePath("a", (*east, (13, 29), (13, 28))))
    assert (bent.key, bent.rule) == ("refused.not_straight", "a5e.action.sprint.straight")
    table.does(MovePath("a", east))
    assert sprint_direction(table.encounter, table.rules, "a") == (12, 0)
    north = tuple((13, row) for row in range(29, 25, -1))
    refused = table.refuses(MovePath("a", north))
    assert (refused.key, refused.rule) == ("refused.not_straight", "a5e.action.sprint.straight")
    assert table.refuses(MovePath("a", ((12, 30),))).rule == "a5e.action.sprint.straight"
    table.does(MovePath("a", ((14, 30), (15, 30))))
    rounds(table, 1)
    sprints(table)
    table.does(MovePath("a", tuple((15, row) for row in range(29, 20, -1))))
    assert table.one("a").position == (15, 21)


@pytest.mark.parametrize(
    ("way", "straight"),
    [
        ([(0, 0), (1, 0), (2, 1), (3, 1), (4, 2)], True),
        ([(0, 0), (1, 1), (2, 2)], True),
        ([(0, 0), (1, 0), (2, 0), (2, 1)], False),
        ([(0, 0), (1, 0), (0, 0)], False),
        ([(0, 0), (1, 0), (1, 0), (2, 0)], False),
    ],
)
def test_what_is_straight_on_squares(way: list[tuple[int, int]], straight: bool) -> None:
    assert is_straight(way) is straight


@pytest.mark.rule("a5e.action.sprint.exposed")
def test_sprinters_are_exposed_until_their_next_turn() -> None:
    archer = creature("b", features=(SHORTBOW,))
    table = Fray(creature("a", gear=("unencumbered",), abilities=(("con", 12),)), archer, foes=("b",))
    table.puts(a=(1, 1), b=(9, 9))
    sprints(table)
    table.ends_turn()
    assert table.edges("b", "a", "shortbow") == [("advantage", "a5e.action.sprint.exposed")]
    table.ends_turn()
    assert (table.active, table.edges("b", "a", "shortbow")) == ("a", [])


# Keeping it up ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.action.sprint.turns")
def test_as_many_turns_as_the_constitution_modifier_are_free() -> None:
    table = runner(14)
    for _ in range(2):
        sprints(table)
        rounds(table, 1)
    assert table.happened(Rolled) == []
    sprints(table, 15)
    assert len(table.happened(Rolled)) == 1
    free = dict(table.rules.actions["sprint"].exertion.ledgers)["free"]  # type: ignore[union-attr]
    assert free == "a5e.action.sprint.turns"


@pytest.mark.rule("a5e.action.sprint.check")
@pytest.mark.parametrize(("face", "tired"), [(7, 0), (6, 1)])
def test_after_that_each_turn_takes_a_check(face: int, tired: int) -> None:
    table = runner(12, skills=(("athletics", 2),))
    sprints(table)
    rounds(table, 1)
    sprints(table, face)
    (rolled,) = table.happened(Rolled)
    assert (rolled.detail, rolled.roll.total, rolled.dc) == ("<check.con:athletics>", face + 3, 10)
    assert rolled.rule == "a5e.action.sprint.check"
    assert table.track("a", "fatigue-sprint") == tired
    assert [one.rule for one in table.happened(TrackSet)] == ["a5e.action.sprint.check"] * tired
    assert feet(table) == 120


@pytest.mark.rule("a5e.action.sprint.dc")
def test_the_dc_rises_with_each_check_of_the_last_minute() -> None:
    table = runner()
    for _ in range(3):
        sprints(table, 18)
        rounds(table, 1)
    assert dcs(table) == [10, 11, 12]
    option = table.rules.actions["sprint"]
    assert option.exertion is not None
    dc = exertion_dc(table.encounter, "a", 10, option.exertion, "")
    assert [part.rule for part in dc.parts] == ["", "a5e.action.sprint.dc"]
    rounds(table, 20)
    sprints(table, 18)
    assert dcs(table) == [10, 11, 12, 10]


@pytest.mark.parametrize(("apart", "expected"), [(9, 11), (10, 10)])
def test_a_minute_is_sixty_seconds_of_game_time(apart: int, expected: int) -> None:
    table = runner()
    sprints(table, 18)
    rounds(table, apart)
    sprints(table, 18)
    assert dcs(table) == [10, expected]
    slow = Table(creature("a", gear=("unencumbered",)), "b", scene=Scene(strictness="enforce", round_seconds=60))
    slow.start(a=20, b=10)
    sprints(slow, 18)
    rounds(slow, 1)
    sprints(slow, 18)
    assert dcs(slow) == [10, 10]


@pytest.mark.rule("a5e.action.sprint.recovery")
def test_what_sprinting_cost_goes_after_a_minute_without() -> None:
    table = Fray(creature("a", gear=("unencumbered",)), "b")
    table.has(Track("a.fatigue-pending", "a", "fatigue-pending", 1))
    sprints(table, 2)
    assert table.track("a", "fatigue-sprint") == 1
    rounds(table, 10)
    assert table.track("a", "fatigue-sprint") == 1
    rounds(table, 1)
    assert table.track("a", "fatigue-sprint") == 0
    gone = table.happened(TrackSet)[-1]
    assert (gone.track, gone.before, gone.after, gone.rule) == ("fatigue-sprint", 1, 0, "a5e.action.sprint.recovery")
    assert table.track("a", "fatigue-pending") == 1


def test_other_fatigue_stays_and_free_turns_come_back() -> None:
    table = runner(12)
    sprints(table)
    rounds(table, 1)
    sprints(table, 1)
    rounds(table, 11)
    assert (table.track("a", "fatigue-sprint"), table.track("a", "sprints")) == (0, 0)
    sprints(table)
    assert len(table.happened(Rolled)) == 1
    table.does(SetTrack("a", "fatigue", 1))
    rounds(table, 12)
    assert table.track("a", "fatigue") == 1


@pytest.mark.rule("a5e.action.sprint.no-fatigue")
def test_the_fatigued_can_not_sprint() -> None:
    brought = runner(12)
    brought.does(SetTrack("a", "fatigue", 1))
    refused = brought.refuses(TakeAction("a", "sprint"))
    assert (refused.key, refused.rule) == ("refused.fatigued", "a5e.action.sprint.no-fatigue")
    own = runner()
    sprints(own, 1)
    rounds(own, 1)
    assert own.refuses(TakeAction("a", "sprint")).rule == "a5e.action.sprint.no-fatigue"
    assert own.refuses(TakeAction("a", "dash")).rule == "a5e.action.dash.fatigue"
    fresh = Fray(creature("a", gear=("unencumbered",), abilities=(("con", 12),)), "b")
    fresh.has(Track("a.fatigue-pending", "a", "fatigue-pending", 1))
    sprints(fresh)
    assert feet(fresh) == 120
