"""Announced, answered, done: the stack of reactions, what it costs, what cancels it, and moves that wait for all else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.systems.action_points.fights import FLOOR, SWORD, Fight, person
from turnwright.encounter.prepared import Feature, Map
from turnwright.encounter.state import RUNNING, Encounter
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.asking.declaration import ActionCancelled, ActionDeclared, ActionKept
from turnwright.play.attacks.attack_request import Attack, Attacked
from turnwright.play.damage.manual_hit_points import SetHitPoints
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.fuzz.runner import problems
from turnwright.play.movement.commanded_move import MoveFeet, MovePath
from turnwright.play.movement.move import Moved
from turnwright.play.queries import queries
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.state.events import ActionTaken
from turnwright.play.turns.turns import JoinTurn, RemoveCombatant
from turnwright.rules.parts.economy import limited_uses
from turnwright.rules.parts.economy.limited_uses import pending_declarations, resolution_order
from turnwright.storage.encounters import prepared
from turnwright.storage.fights import fight_text, read_fight

STONE_WALL = Feature("stone-wall", "Stone Wall", "action", price=3, spends=(("willpower", 2),), level=1)
PUNCH = Feature(
    "throat-punch",
    "Throat Punch",
    "action",
    price=2,
    spends=(("willpower", 1),),
    properties=("weapon",),
    reach=2,
    interrupts="str",
)
BLAST = Feature("blast", "Blast", "action", price=1, save="agi", damage="1d6 fire")


def gathered(*more: str, field: Map | None = FLOOR, wizard_rp: int = 6, **bob: Any) -> Fight:
    """Bob's turn, an evil wizard some way off and Emily beside the wizard; Bob has 1 point, the others 3 and 2."""
    people = [
        person("bob", **({"ap": 1, "rp": 6, "features": (SWORD,)} | bob)),
        person("wizard", rp=wizard_rp, wp=2, features=(STONE_WALL, BLAST)),
        person("emily", rp=4, wp=1, features=(PUNCH,)),
        *more,
    ]
    table = Fight(*people, foes=("wizard",), field=field, asks=True)
    return table.puts(bob=(1, 1), emily=(4, 1), wizard=(5, 1)) if field else table


def asked(table: Fight) -> list[str]:
    """Who is asked whether to react, without nobody."""
    (ask,) = queries.waiting_asks(table.prompt)
    return [one.id for one in ask.options if one.id != "nobody"]


def answer(table: Fight, who: str, how: str, to: int | None = None) -> None:
    """Let somebody react, to the announcement so many places down where several are there."""
    table.answers(who=who)
    given = {} if to is None else {"answered": pending_declarations(table.encounter)[to].id}
    table.answers(how=how, **given)


def announced(table: Fight) -> list[tuple[str, str]]:
    """What is announced, in order."""
    return [(one.who, one.name) for one in pending_declarations(table.encounter)]


def done(table: Fight) -> list[str]:
    """What was done, in order."""
    found = [one for one in table.events if isinstance(one, ActionTaken | Attacked)]
    return [one.action if isinstance(one, ActionTaken) else one.weapon for one in found]


def every_step_can_be_taken_back(table: Fight) -> None:
    """Undo everything and bring it again."""
    after, steps = table.encounter, 0
    while table.session.undo():
        assert not problems(table.encounter)
        steps += 1
    for _ in range(steps):
        table.session.redo()
    assert table.encounter == after


def the_example(table: Fight) -> None:
    """Bob announces a move, the wizard answers with a wall of stone, and Emily answers that with her fist."""
    table.does(MovePath("bob", ((2, 1), (3, 1))))
    answer(table, "wizard", "stone-wall")
    answer(table, "emily", "throat-punch", to=1)
    table.answers(whom="wizard")


def raise_wall(table: Fight) -> None:
    """Draw the wall, 12 m of it, between Bob and the wizard."""
    (ground,) = table.encounter.all(Map)
    table.does(Edit(msgspec.structs.replace(ground, walls=(*ground.walls, (2, 0, 2, 6)))))


# The worked example ---------------------------------------------------------------------------------------------


@pytest.mark.rule(
    "ap.scenario.bob_emily_wizard",
    "ap.turn.announce_first",
    "ap.reaction.trigger",
    "ap.reaction.points_spent_at_resolution",
)
def test_bob_emily_and_the_wizard() -> None:
    table = gathered()
    table.does(MovePath("bob", ((2, 1), (3, 1))))
    assert announced(table) == [("bob", "Move")]
    assert (table.one("bob").position, asked(table)) == ((1, 1), ["wizard", "emily"])
    answer(table, "wizard", "stone-wall")
    assert (table.prompt.title, table.prompt.subject) == ("prompt.stack", "Bob: Move > Wizard: Stone Wall")
    assert asked(table) == ["emily"]
    table.answers(who="emily")
    (_, what) = queries.waiting_asks(table.prompt)
    assert [one.label for one in what.options] == ["Wizard: Stone Wall", "Bob: Move"]
    table.answers(how="throat-punch", answered=pending_declarations(table.encounter)[1].id)
    assert (table.points("wizard"), table.points("emily")) == ((6, 3), (6, 2))  # nothing is paid yet
    table.answers(whom="wizard")
    table.answers(roll="hit")
    assert (table.points("emily"), table.track("emily", "willpower")) == ((6, 0), 0)
    assert (table.prompt.title, table.points("wizard")[1]) == ("prompt.interrupted", 3)
    table.answers(keeps="made")
    assert (table.points("wizard"), table.track("wizard", "willpower")) == ((6, 0), 0)
    assert [one.action for one in table.happened(ActionKept)] == ["Stone Wall"]
    raise_wall(table)
    assert (table.prompt.title, table.one("bob").position) == ("prompt.announced_way", (1, 1))
    assert table.refuses(MovePath("bob", ((2, 1), (3, 1)))).key != "refused.farther_than_announced"
    assert table.refuses(MovePath("bob", ((1, 2), (1, 3), (1, 4)))).key in ("refused.too_far", "refused.none_left")
    table.does(MovePath("bob", ((1, 2), (1, 3))))
    assert (table.one("bob").position, table.points("bob")[0]) == ((1, 3), 0)
    assert done(table)[-3:] == ["Throat Punch", "Stone Wall", "Move"]
    assert announced(table) == []
    every_step_can_be_taken_back(table)


@pytest.mark.rule("ap.scenario.interrupted_spell_lost")
def test_a_spell_that_is_interrupted_is_lost_with_all_its_points() -> None:
    table = gathered()
    the_example(table)
    table.answers(roll="hit")
    table.answers(keeps="failed")
    assert (table.points("wizard"), table.track("wizard", "willpower")) == ((6, 0), 0)
    (lost,) = table.happened(ActionCancelled)
    assert (lost.who, lost.action, lost.rule) == ("wizard", "Stone Wall", "ap.scenario.interrupted_spell_lost")
    table.answers(way="as-announced")
    assert table.one("bob").position == (3, 1)
    assert "Stone Wall" not in done(table)
    every_step_can_be_taken_back(table)


def test_a_miss_interrupts_nothing() -> None:
    table = gathered()
    the_example(table)
    table.answers(roll="miss")
    assert (table.prompt.title, table.points("wizard")[1]) == ("prompt.announced_way", 0)
    assert done(table)[-2:] == ["Stone Wall", "Move"]


@pytest.mark.rule("ap.reaction.replan_on_resolution")
def test_a_blocked_way_is_settled_anew_when_the_move_is_its_turn() -> None:
    table = gathered()
    table.does(MovePath("bob", ((2, 1), (3, 1))))
    raise_wall(table)
    answer(table, "wizard", "brace")
    table.answers(who="nobody")
    (way,) = queries.waiting_asks(table.prompt)
    assert ([one.id for one in way.options], way.rule) == (["no-farther"], "ap.reaction.replan_on_resolution")
    assert table.points("bob")[0] == 0
    table.does(MovePath("bob", ((1, 2),)))
    assert (table.one("bob").position, table.prompts[0].title) == ((1, 2), "prompt.turn_over")


def test_without_a_map_how_far_is_said_when_the_move_is_its_turn() -> None:
    table = gathered(field=None)
    table.does(MoveFeet("bob", 4))
    answer(table, "wizard", "brace")
    table.answers(who="nobody")
    with pytest.raises(Exception, match="refused"):
        table.answers(feet=5)
    table.answers(feet=3)
    assert (table.points("bob")[0], table.happened(Moved)[-1].feet) == (0, 3)
    every_step_can_be_taken_back(table)


# The order ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ap.reaction.resolve_first")
def test_what_answers_is_done_before_what_it_answers() -> None:
    table = gathered(ap=2).puts(bob=(4, 1), wizard=(5, 1), emily=(9, 9))
    table.does(Attack("bob", "wizard", "sword"))
    answer(table, "wizard", "brace")
    table.answers(who="nobody")
    assert "braced" in table.effects("wizard")
    table.answers(roll="hit")
    assert done(table) == ["Brace", "Sword"]
    assert table.happened(Attacked)[-1].outcome == "hit"


@pytest.mark.rule("ap.reaction.stack_order")
def test_the_newest_is_done_first() -> None:
    table = gathered("dan", ap=2).puts(bob=(4, 1), wizard=(5, 1), emily=(6, 1), dan=(9, 9))
    table.does(Attack("bob", "wizard", "sword"))
    answer(table, "wizard", "brace")
    answer(table, "emily", "brace", to=0)
    assert [one.who for one in resolution_order(table.encounter)] == ["emily", "wizard", "bob"]
    answer(table, "dan", "brace", to=0)
    table.answers(roll="miss")
    told = [one.who for one in table.events if isinstance(one, ActionTaken | Attacked)]
    assert told == ["dan", "emily", "wizard", "bob"]


@pytest.mark.rule("ap.reaction.moves_last")
def test_moves_come_last_the_trigger_included() -> None:
    table = gathered("dan", ap=2).puts(bob=(4, 1), wizard=(5, 1), emily=(9, 9), dan=(12, 12))
    table.does(Attack("bob", "wizard", "sword"))
    answer(table, "wizard", "brace")
    answer(table, "emily", "move", to=0)
    answer(table, "dan", "move", to=0)
    table.answers(roll="miss")
    assert done(table) == ["Brace", "Sword", "Move"]
    assert table.prompt.asks[0].who == "dan"
    table.does(MovePath("dan", ((11, 12),)))
    table.does(MovePath("emily", ((8, 9), (7, 9))))
    assert done(table) == ["Brace", "Sword", "Move", "Move"]
    assert [table.points(one)[1] for one in ("dan", "emily")] == [2, 1]
    every_step_can_be_taken_back(table)


@pytest.mark.rule("ap.reaction.replan_on_resolution")
def test_no_more_can_be_gone_than_was_announced() -> None:
    table = gathered(ap=3)
    table.does(MovePath("bob", ((2, 1), (3, 1))))
    answer(table, "wizard", "brace")
    table.answers(who="nobody")
    refused = table.refuses(MovePath("bob", ((1, 2), (1, 3), (1, 4))))
    assert (refused.key, refused.rule) == ("refused.farther_than_announced", "ap.reaction.replan_on_resolution")
    table.does(MovePath("bob", ((1, 2), (1, 3))))
    table.does(MovePath("bob", ((1, 4),)))  # another move, announced as such
    assert (announced(table), asked(table)) == ([("bob", "Move")], ["emily"])


def test_of_two_moves_announced_at_once_all_is_paid_for() -> None:
    table = gathered(ap=3)
    table.does(MovePath("bob", ((2, 1), (3, 1), (4, 2))))
    assert pending_declarations(table.encounter)[0].reserved == (("action", 2),)
    answer(table, "wizard", "brace")
    table.answers(who="nobody")
    table.answers(way="as-announced")
    assert (table.one("bob").position, table.points("bob")[0]) == ((4, 2), 1)


def test_what_is_announced_is_kept_with_the_fight(tmp_path: Path) -> None:
    table = gathered()
    the_example(table)
    file = tmp_path / "example.fight.toml"
    file.write_text(fight_text(table.encounter, [], "abc"), encoding="utf-8")
    assert read_fight(file, Encounter(prepared(table.encounter))).records == tuple(
        one for one in table.encounter if isinstance(one, RUNNING)
    )


def test_what_has_become_impossible_is_lost() -> None:
    table = gathered(ap=2).puts(bob=(4, 1), wizard=(5, 1), emily=(9, 9))
    table.does(TakeAction("bob", "grapple", targets=("wizard",)))
    assert announced(table) == [("bob", "Grapple")]
    table.does(SetHitPoints("bob", 0))
    table.answers(who="nobody")
    assert [one.reason for one in table.happened(ActionCancelled)] == ["refused.condition"]
    assert table.points("bob")[0] == 1


def test_whoever_leaves_takes_what_they_announced_along() -> None:
    table = gathered()
    table.does(MovePath("bob", ((2, 1),)))
    answer(table, "wizard", "brace")
    table.does(RemoveCombatant("wizard"))
    table.answers(who="nobody")
    table.answers(way="as-announced")
    assert (table.one("bob").position, announced(table), problems(table.encounter)) == ((2, 1), [], [])


# Who may react, and with what -----------------------------------------------------------------------------------


@pytest.mark.rule("ap.reaction.not_on_own_turn")
def test_nobody_reacts_on_their_own_turn() -> None:
    table = gathered(ap=2).puts(bob=(1, 1))
    table.does(TakeAction("bob", "brace"))
    answer(table, "wizard", "brace")
    assert table.points("bob")[1] == 3
    assert asked(table) == ["emily"]


@pytest.mark.rule("ap.reaction.not_on_own_turn")
def test_nobody_answers_their_own_announcement_or_a_reaction_in_their_own_turn() -> None:
    table = gathered(ap=6).puts(bob=(4, 2))
    table.does(TakeAction("bob", "brace"))
    orders = (
        TakeAction("bob", "brace"),
        MovePath("bob", ((4, 3),)),
        Attack("bob", "wizard", "sword"),
        TakeAction("bob", "convert"),
    )
    for order in orders:
        refused = table.refuses(order)
        assert (refused.key, refused.rule) == ("refused.unfinished", "ap.reaction.not_on_own_turn")
    answer(table, "wizard", "brace")
    for order in orders:
        assert table.refuses(order).key == "refused.unfinished"
    table.answers(who="nobody")
    assert (announced(table), done(table)) == ([], ["Brace", "Brace"])
    table.does(MovePath("bob", ((4, 3),)))
    assert announced(table) == [("bob", "Move")]


@pytest.mark.rule("ap.reaction.once_per_turn_of_creature")
def test_each_reacts_once_in_a_turn() -> None:
    table = gathered(ap=4, wizard_rp=12)
    table.does(TakeAction("bob", "brace"))
    answer(table, "wizard", "stone-wall")
    table.answers(who="nobody")
    assert table.points("wizard")[1] == 3
    table.does(TakeAction("bob", "hide", choice="allowed"))
    assert asked(table) == ["emily"]
    refused = table.refuses(TakeAction("wizard", "brace"))
    assert (refused.key, refused.rule) == ("refused.reacted_already", "ap.reaction.once_per_turn_of_creature")
    table.answers(who="nobody")
    table.skips()
    table.ends_turn(2)
    assert table.active == "emily"
    table.does(TakeAction("emily", "brace"))
    assert asked(table) == ["bob", "wizard"]


@pytest.mark.rule("ap.reaction.starting_points")
def test_half_of_the_reaction_points_are_there_as_a_fight_begins() -> None:
    table = gathered()
    assert [table.points(one)[1] for one in ("bob", "wizard", "emily")] == [3, 3, 2]


@pytest.mark.rule("ap.reaction.any_affordable_action")
def test_ways_to_react_are_what_the_points_pay_for() -> None:
    table = gathered(wizard_rp=4)
    table.does(MovePath("bob", ((2, 1),)))
    table.answers(who="wizard")
    (how,) = queries.waiting_asks(table.prompt)
    ways = [one.id for one in how.options]
    assert {"move", "grapple", "brace"} <= {*ways}
    assert not {"stone-wall", "convert", "spell"} & {*ways}
    poor = gathered(wizard_rp=2)
    poor.does(MovePath("bob", ((2, 1),)))
    poor.answers(who="wizard")
    (how,) = queries.waiting_asks(poor.prompt)
    assert {"blast", "move"} <= {one.id for one in how.options}
    assert "brace" not in {one.id for one in how.options}


@pytest.mark.rule("ap.reaction.points_spent_at_resolution")
def test_what_is_reserved_pays_for_nothing_else() -> None:
    table = gathered(wizard_rp=8, ap=6)
    table.does(TakeAction("bob", "brace"))
    answer(table, "wizard", "stone-wall")
    assert limited_uses.remaining(table.encounter, "wizard", "reaction") == 1
    assert table.points("wizard")[1] == 4
    table.answers(who="nobody")
    assert limited_uses.remaining(table.encounter, "wizard", "reaction") == table.points("wizard")[1] == 1


def test_a_feature_that_some_save_against_can_be_announced_and_answer() -> None:
    table = gathered(ap=2)
    table.does(TakeAction("bob", "brace"))
    answer(table, "wizard", "blast")
    table.answers(whom=("bob",))
    assert announced(table) == [("bob", "Brace"), ("wizard", "Blast")]
    table.answers(who="nobody")
    assert (table.points("wizard")[1], table.prompt.title) == (2, "prompt.save")


def test_a_feature_used_on_ones_turn_can_be_answered() -> None:
    table = gathered(ap=2, features=(BLAST,))
    table.does(UseFeature("bob", feature="blast", targets=("wizard",)))
    assert (announced(table), table.points("bob")[0]) == ([("bob", "Blast")], 2)
    table.answers(who="nobody")
    assert table.points("bob")[0] == 1


def test_whoever_orders_something_while_others_are_asked_answers_what_is_announced() -> None:
    table = gathered(ap=2)
    table.does(TakeAction("bob", "brace"))
    table.does(TakeAction("wizard", "brace"))
    assert [(one.who, one.of) for one in table.happened(ActionDeclared)] == [("bob", ""), ("wizard", "bob")]
    table.answers(who="nobody")
    assert done(table) == ["Brace", "Brace"]


def test_where_nobody_can_react_nothing_is_asked() -> None:
    table = Fight(person("bob", ap=2), person("orc", rp=0), foes=("orc",), asks=True)
    table.does(TakeAction("bob", "brace"))
    assert (table.points("bob")[0], table.happened(ActionDeclared)) == (0, [])


def test_a_table_may_want_no_cards() -> None:
    table = Fight(person("bob", ap=4), "orc", foes=("orc",))
    table.does(TakeAction("orc", "brace"))  # the reaction is said first
    table.does(TakeAction("bob", "brace"))
    assert (table.prompts, done(table), table.points("bob")[0]) == ([], ["Brace", "Brace"], 2)
    assert table.refuses(TakeAction("orc", "grapple")).key == "refused.reacted_already"


@pytest.mark.rule("ap.reaction.once_per_turn_of_creature")
def test_a_reaction_buys_one_move_and_no_more() -> None:
    table = Fight("bob", "orc", foes=("orc",))
    refused = table.refuses(MoveFeet("orc", 5))
    assert (refused.key, refused.params["left"]) == ("refused.too_far", 4)
    table.does(MoveFeet("orc", 4))
    assert table.refuses(MoveFeet("orc", 1)).key == "refused.reacted_already"
    table.ends_turn(2)
    assert table.points("orc")[1] == 2


def test_a_move_that_nobody_answers_goes_as_announced() -> None:
    table = gathered()
    table.does(MovePath("bob", ((2, 1), (3, 1))))
    table.answers(who="nobody")
    assert (table.one("bob").position, table.points("bob")[0]) == ((3, 1), 0)


# What reacting brings -------------------------------------------------------------------------------------------


@pytest.mark.rule("ap.action.throw.catch")
@pytest.mark.parametrize(("rp", "before", "offered"), [(4, "", True), (0, "", False), (8, "brace", False)])
def test_an_ally_may_catch_what_is_thrown(rp: int, before: str, offered: bool) -> None:
    table = Fight(
        person("bob", ap=4, abilities=(("str", 8),)), person("emily", rp=rp), person("orc", rp=0), foes=("orc",)
    )
    if before:
        table.does(TakeAction("emily", before))
    table.does(TakeAction("bob", "throw", note="a potion", targets=("emily",)))
    assert bool(table.prompts) is offered
    if offered:
        table.answers(emily="catch")
        caught = table.happened(ActionTaken)[-1]
        assert (caught.who, caught.note, caught.cost, table.points("emily")[1]) == ("emily", "a potion", "reaction", 1)
        assert table.refuses(TakeAction("emily", "grapple", targets=("orc",))).key == "refused.reacted_already"


def test_whoever_acts_along_catches_nothing() -> None:
    table = Fight(person("bob", abilities=(("str", 8),)), "emily", "orc", foes=("orc",))
    table.does(JoinTurn())
    table.does(TakeAction("bob", "throw", note="a potion", targets=("emily",)))
    assert table.prompts == []


def test_nobody_catches_what_a_foe_throws() -> None:
    table = Fight(person("bob", abilities=(("str", 8),)), "orc", foes=("orc",))
    table.does(TakeAction("bob", "throw", note="a stone", targets=("orc",)))
    assert table.prompts == []


@pytest.mark.parametrize(("reaction", "holds"), [("brace", False), ("convert", True)])
def test_a_reaction_ends_ones_own_hold_unless_it_only_converts(reaction: str, holds: bool) -> None:
    table = Fight("bob", "orc", foes=("orc",)).puts(bob=(1, 1), orc=(2, 1))
    table.does(TakeAction("bob", "grapple", targets=("orc",)))
    table.ends_turn()
    table.does(TakeAction("bob", reaction, points=1) if reaction == "convert" else TakeAction("bob", reaction))
    assert ("grappled" in table.effects("orc")) is holds


def test_a_reaction_breaks_hiding() -> None:
    table = Fight("bob", "orc", foes=("orc",))
    table.does(TakeAction("bob", "hide", choice="allowed"))
    table.skips()
    table.does(ApplyCondition(("bob",), "hidden"))
    table.ends_turn()
    table.does(TakeAction("bob", "brace"))
    assert "hidden" not in table.effects("bob")
