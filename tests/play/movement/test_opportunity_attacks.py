"""Blows at those who leave a reach: who may strike, at whom, when, and what does not provoke."""

from __future__ import annotations

import msgspec
import pytest

from tests.play.map_table import BOW, SWORD, YARD, Field
from tests.table import a5e, creature, dnd5e, environment
from turnwright.encounter.prepared import Feature, Map, Scene
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.asking.answer import Answer
from turnwright.play.attacks.attack_request import Attack, Attacked
from turnwright.play.attacks.group_attack import CommandMount
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.environment.environment_effect import UseEntry
from turnwright.play.movement.commanded_move import MoveFeet, MovePath, cheapest_route, preview_route, reachable_squares
from turnwright.play.movement.forced_movement import ForceMove, ForceMoved
from turnwright.play.movement.mounting import MountOrDismount
from turnwright.play.movement.move import Dragged, Moved, MoveStopped
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.state.position_changes import SetRelation
from turnwright.play.turns.turns import RemoveCombatant
from turnwright.rules.system import RuleSystem

HALBERD = Feature("halberd", "Halberd", cost="action", attack=5, reach=10, damage="1d10+3 slashing")
MULTI = Feature("multiattack", "Multiattack", cost="action", attacks=2)
ORC = creature("orc", features=(MULTI, SWORD, BOW), hp=30)


def yard(*more: object, field: Map | None = YARD, ada: object = "ada", orc: object = ORC, **given: object) -> Field:
    """Ada's turn; an orc right beside her."""
    table = Field(ada, orc, *more, foes=("orc", "ogre"), field=field, **given)  # type: ignore[arg-type]
    return table.puts(ada=(1, 0), orc=(0, 0)) if field else table


def asked(table: Field) -> dict[str, list[str]]:
    """Who is asked for a reaction, with the options of each."""
    if not table.prompts or table.prompt.title != "prompt.reaction":
        return {}
    return {one.who: [option.id for option in one.options] for one in table.prompt.asks}


def settle(table: Field) -> None:
    """Let everything else that is asked take its usual course."""
    while table.prompts:
        table.skips()


# Who and when ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.opportunity.trigger", "a5e.offturn.reaction")
def test_leaving_a_reach_gives_an_opening() -> None:
    table = yard()
    table.does(MovePath("ada", ((2, 0), (3, 0))))
    assert asked(table) == {"orc": ["ada sword", "pass"]}
    assert (table.prompt.rule, table.prompt.asks[0].suggested) == ("a5e.opportunity.trigger", ("pass",))
    assert table.one("ada").position == (1, 0)
    table.chooses("pass")
    assert (table.one("ada").position, table.track("orc", "reaction")) == ((3, 0), 1)
    assert table.track("ada", "moved") == 10


@pytest.mark.rule("a5e.opportunity.trigger")
def test_moving_about_within_a_reach_gives_none() -> None:
    table = yard()
    table.does(MovePath("ada", ((1, 1), (0, 1))))
    assert (asked(table), table.one("ada").position) == ({}, (0, 1))


@pytest.mark.rule("a5e.opportunity.conditions")
def test_nobody_strikes_at_what_they_cannot_see_or_at_friends() -> None:
    table = yard("bo")
    table.puts(bo=(1, 1))
    table.does(ApplyCondition(("ada",), "invisible"))
    table.does(MovePath("ada", ((2, 0), (3, 0))))
    assert (asked(table), table.one("ada").position) == ({}, (3, 0))
    seen = yard("bo").puts(bo=(0, 1))  # whose reach the first step leaves as well
    seen.does(MovePath("ada", ((2, 0), (3, 0))))
    assert list(asked(seen)) == ["orc"]


@pytest.mark.rule("a5e.opportunity.conditions", "a5e.action.hide.benefit")
@pytest.mark.parametrize(("hidden_from", "said", "offered"), [("", None, []), ("orc", None, []), ("", True, ["orc"])])
def test_nobody_strikes_at_those_hidden_from_them(hidden_from: str, said: bool | None, offered: list[str]) -> None:
    table = yard()
    table.marks("ada", "hidden", by=hidden_from)
    table.does(SetRelation("orc", "ada", seen=said))
    table.does(MovePath("ada", ((2, 0), (3, 0))))
    assert list(asked(table)) == offered


@pytest.mark.rule("a5e.opportunity.single-melee")
def test_it_is_one_blow_in_melee() -> None:
    table = yard()
    table.does(MovePath("ada", ((2, 0),)))
    assert asked(table) == {"orc": ["ada sword", "pass"]}
    table.dice(15, 4)
    table.chooses("ada sword")
    (struck,) = table.happened(Attacked)
    assert (struck.who, struck.target, struck.weapon) == ("orc", "ada", "Sword")
    assert (table.track("orc", "reaction"), table.one("ada").position, table.one("ada").hp) == (0, (2, 0), 13)


@pytest.mark.rule("a5e.opportunity.timing")
def test_the_blow_falls_before_the_reach_is_left() -> None:
    table = yard(ada=creature("ada", hp=5))
    table.does(MovePath("ada", ((2, 0), (3, 0))))
    table.dice(15, 4)
    table.chooses("ada sword")
    settle(table)
    assert (table.one("ada").hp, table.one("ada").position, table.track("ada", "moved")) == (0, (1, 0), 0)
    assert [one.who for one in table.happened(MoveStopped)] == ["ada"]
    assert table.happened(Moved) == []


def test_a_stopped_move_costs_what_was_moved() -> None:
    table = yard(ada=creature("ada", hp=5)).puts(ada=(0, 1), orc=(1, 1))
    table.does(MovePath("ada", ((0, 2), (0, 3), (0, 4))))
    table.dice(15, 4)
    table.chooses("ada sword")
    settle(table)
    (moved,) = table.happened(Moved)
    assert (moved.feet, table.track("ada", "moved"), table.one("ada").position) == (5, 5, (0, 2))


def test_several_may_strike_and_the_first_that_fells_spares_the_rest_theirs() -> None:
    ogre = creature("ogre", features=(SWORD,))
    table = yard(ogre, ada=creature("ada", hp=5)).puts(ogre=(0, 1))
    table.does(MovePath("ada", ((2, 0),)))
    assert set(asked(table)) == {"orc", "ogre"}
    table.dice(15, 4)
    table.answers(orc="ada sword", ogre="ada sword")
    settle(table)
    assert (table.one("ada").hp, len(table.happened(Attacked))) == (0, 1)
    assert sorted(table.track(who, "reaction") for who in ("orc", "ogre")) == [0, 1]


@pytest.mark.rule("a5e.opportunity.timing", "dnd5e.reaction.opportunity_attack")
@pytest.mark.parametrize("rules", [a5e(), dnd5e()])
def test_a_hero_felled_by_the_first_blow_does_not_leave_and_is_spared_the_second(rules: RuleSystem) -> None:
    ogre = creature("ogre", features=(SWORD,))
    ada = creature("ada", hp=5, tags=("player character",), level=1)
    table = yard(ogre, ada=ada, rules=rules).puts(ogre=(0, 1))
    table.does(MovePath("ada", ((2, 0),)))
    table.dice(15, 4, 15, 4)
    table.answers(orc="ada sword", ogre="ada sword")
    settle(table)
    assert (table.one("ada").hp, table.one("ada").dead, table.one("ada").position) == (0, False, (1, 0))
    assert [one.who for one in table.happened(Attacked)] == ["orc"]
    assert (table.track("orc", "reaction"), table.track("ogre", "reaction")) == (0, 1)


def test_a_mount_that_goes_on_without_its_felled_rider_is_struck_by_those_who_still_want_to() -> None:
    horse = creature("horse", size="large", speeds=(("walk", 60),), hp=40)
    ada = creature("ada", hp=5, tags=("player character",), level=1)
    table = yard(horse, creature("ogre", features=(SWORD,)), ada=ada).puts(orc=(0, 0), ogre=(0, 1), horse=(1, 0))
    table.has(msgspec.structs.replace(table.one("ada"), rides="horse", position=(1, 0)))
    table.ends_turn(2)
    table.does(MovePath("horse", ((2, 0), (3, 0))))
    table.dice(15, 4)
    table.answers(orc="ada sword", ogre="ada sword")
    while table.prompt.title != "prompt.reaction":
        table.skips()
    assert (table.one("ada").hp, asked(table)) == (0, {"ogre": ["horse sword", "pass"]})
    table.dice(15, 4)
    table.chooses("horse sword")
    settle(table)
    assert (table.one("horse").hp, table.one("horse").position, table.one("ada").dead) == (33, (3, 0), False)


def test_reaches_differ_and_only_what_reaches_strikes() -> None:
    table = yard(orc=creature("orc", features=(SWORD, HALBERD)))
    table.does(MovePath("ada", ((2, 0),)))
    assert asked(table) == {}
    table.does(MovePath("ada", ((3, 0),)))
    assert asked(table) == {"orc": ["ada halberd", "pass"]}


def test_whoever_can_not_react_is_not_asked() -> None:
    for spoil in (SpendResource("orc", "reaction"), ApplyCondition(("orc",), "incapacitated")):
        table = yard()
        table.does(spoil)
        table.does(MovePath("ada", ((2, 0),)))
        assert (asked(table), table.one("ada").position) == ({}, (2, 0))


def test_disengaging_gives_no_opening_for_the_turn() -> None:
    table = yard()
    table.does(TakeAction("ada", "disengage"))
    table.does(MovePath("ada", ((2, 0),)))
    assert (asked(table), table.one("ada").position) == ({}, (2, 0))
    table.ends_turn(2)
    table.does(MovePath("ada", ((1, 0),)))
    table.does(MovePath("ada", ((2, 0),)))
    assert list(asked(table)) == ["orc"]


@pytest.mark.rule("a5e.variant.reaction-refresh")
@pytest.mark.parametrize(("options", "refused"), [((), True), (("reaction-each-round",), False)])
def test_when_a_spent_reaction_is_back(options: tuple[str, ...], refused: bool) -> None:
    table = yard(scene=Scene(strictness="enforce", options=options))
    table.ends_turn()
    table.does(SpendResource("orc", "reaction"))
    table.ends_turn()
    assert (table.active, table.clock.round) == ("ada", 2)
    table.does(MovePath("ada", ((2, 0),)))
    assert asked(table) == ({} if refused else {"orc": ["ada sword", "pass"]})


# What doesn't provoke -----------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.opportunity.teleport")
def test_teleporting_gives_no_opening() -> None:
    table = yard()
    table.does(ForceMove("ada", (7, 0), "teleport"))
    (shifted,) = table.happened(ForceMoved)
    assert (asked(table), table.one("ada").position, shifted.rule) == ({}, (7, 0), "a5e.opportunity.teleport")
    assert table.track("ada", "moved") == 0


@pytest.mark.rule("a5e.opportunity.forced")
def test_being_pushed_gives_none_unless_it_is_said_to() -> None:
    table = yard()
    table.does(ForceMove("ada", (4, 0), "forced"))
    assert (asked(table), table.one("ada").position) == ({}, (4, 0))
    assert table.happened(ForceMoved)[0].rule == "a5e.opportunity.forced"
    table.does(ForceMove("ada", (1, 0), "forced"))
    table.does(ForceMove("ada", (4, 0), "provoking"))
    assert list(asked(table)) == ["orc"]
    table.chooses("pass")
    assert table.one("ada").position == (4, 0)


@pytest.mark.rule("a5e.variant.twisting-haze")
@pytest.mark.parametrize("options", [(), ("haze-moves",)])
def test_what_the_haze_does(options: tuple[str, ...]) -> None:
    scene = Scene(strictness="enforce", options=options)
    table = Field("ada", ORC, foes=("orc",), field=None, more=[environment("hazy")], scene=scene)
    table.does(UseEntry("hazy", "twisting-haze", targets=("ada",)))
    hurled = [prompt for prompt in table.prompts if prompt.title == "prompt.force_moved"]
    assert len(hurled) == len(options)
    for prompt in hurled:
        ask = prompt.asks[0]
        assert (ask.suggested, ask.rule) == (("forced",), "a5e.variant.twisting-haze")
        said = (Reply("how", chosen=("provoking",)), Reply("left", chosen=("orc",)))
        table.does(Answer(prompt.id, said, prompt.revision))
        assert asked(table) == {"orc": ["ada sword", "pass"]}


@pytest.mark.rule("a5e.variant.twisting-haze")
def test_the_haze_draws_a_free_square_on_the_map() -> None:
    table = yard(more=[environment("hazy", actions=environment("hazy").actions)])
    table.does(UseEntry("hazy", "twisting-haze", targets=("ada",)))
    (shifted,) = table.happened(ForceMoved)
    assert (shifted.how, asked(table)) == ("teleport", {})
    column, row = table.one("ada").position or (9, 9)
    assert max(abs(column - 1), abs(row)) == 1
    assert (column, row) != (0, 0)


@pytest.mark.rule("a5e.variant.forceful-gale")
@pytest.mark.parametrize(("options", "many"), [((), 24), (("straight-gale",), 8)])
def test_where_a_gale_pushes(options: tuple[str, ...], many: int) -> None:
    scene = Scene(strictness="enforce", options=options)
    stormy = environment("stormy")
    table = yard(more=[stormy], scene=scene).puts(ada=(8, 8), orc=(8, 7) if not options else (0, 0))
    (gale,) = [row.id for row in stormy.actions if row.push]
    table.dice(11)
    table.does(UseEntry("stormy", gale, targets=("ada",)))
    prompt = next(one for one in table.prompts if one.title == "prompt.force_pushed")
    squares = [option.id for option in prompt.asks[0].options]
    assert len(squares) == many
    assert all(max(abs(int(one.split(",")[0]) - 8), abs(int(one.split(",")[1]) - 8)) == 3 for one in squares)
    table.does(Answer(prompt.id, (Reply("square", chosen=("11,8",)),), prompt.revision))
    assert (table.one("ada").position, asked(table)) == ((11, 8), {})


# Dragging, riding ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.tactic.drag.provokes", "a5e.tactic.drag.start", "a5e.variant.drag-distance")
def test_dragging_takes_both_along_and_provokes() -> None:
    table = yard("bo").puts(bo=(1, 1))
    table.does(MovePath("ada", ((2, 0), (3, 0)), drags="bo"))
    assert list(asked(table)) == ["orc"]
    assert [one.ally for one in table.happened(Dragged)] == ["bo"]
    table.chooses("pass")
    assert (table.one("ada").position, table.one("bo").position) == ((3, 0), (3, 1))
    assert (table.track("ada", "moved"), table.track("ada", "reaction")) == (30, 0)
    far = yard("bo").puts(bo=(5, 5))
    assert far.refuses(MovePath("ada", ((2, 0),), drags="bo")).rule == "a5e.tactic.drag.start"


@pytest.mark.rule("a5e.tactic.drag.provokes")
def test_an_ally_who_is_dragged_out_of_a_reach_gives_the_opening() -> None:
    table = yard("bo").puts(ada=(2, 1), bo=(1, 0))
    table.does(MovePath("ada", ((3, 1), (4, 1)), drags="bo"))
    assert asked(table) == {"orc": ["bo sword", "pass"]}
    assert (table.one("ada").position, table.one("bo").position) == ((2, 1), (1, 0))
    table.chooses("bo sword")
    settle(table)
    assert (table.track("orc", "reaction"), table.one("bo").position) == (0, (3, 0))


@pytest.mark.rule("a5e.tactic.drag.provokes", "a5e.opportunity.single-melee")
def test_of_two_who_leave_together_one_is_struck_with_what_reaches_them() -> None:
    orc = creature("orc", features=(SWORD, HALBERD), hp=30)
    table = yard("bo", orc=orc).puts(ada=(2, 0), bo=(1, 0))
    table.does(MovePath("ada", ((3, 0), (4, 0)), drags="bo"))
    assert asked(table) == {"orc": ["ada halberd", "pass"]}
    beside = yard("bo").puts(ada=(1, 0), bo=(1, 1))
    beside.does(MovePath("ada", ((2, 0),), drags="bo"))
    assert asked(beside) == {"orc": ["ada sword", "bo sword", "pass"]}
    assert {option.why for option in beside.prompt.asks[0].options} == {"Ada", "Bo", ""}
    apart = yard("bo", field=None)
    apart.does(MoveFeet("ada", 5, drags="bo", leaves=("orc",)))
    assert asked(apart) == {"orc": ["ada sword", "bo sword", "pass"]}


@pytest.mark.rule("a5e.tactic.drag.provokes", "a5e.action.disengage")
def test_whoever_disengages_drags_an_ally_out_of_a_reach_without_a_blow() -> None:
    table = yard("bo").puts(ada=(2, 1), bo=(1, 0))
    table.does(TakeAction("ada", "disengage"))
    table.does(MovePath("ada", ((3, 1), (4, 1)), drags="bo"))
    assert (asked(table), table.one("bo").position) == ({}, (3, 0))


def test_the_way_is_shown_with_the_blows_that_the_dragged_would_suffer() -> None:
    table = yard("bo").puts(ada=(2, 1), bo=(1, 0))
    shown = preview_route(table.encounter, table.rules, MovePath("ada", ((3, 1), (4, 1)), drags="bo"))
    assert [who for _, who in shown.provokes] == ["orc"]


@pytest.mark.rule("a5e.variant.drag-distance")
def test_the_older_text_asks_for_a_hand() -> None:
    scene = Scene(strictness="enforce", options=("adjacent-allies",))
    table = yard("bo", scene=scene).puts(ada=(8, 8), bo=(8, 9))
    table.does(MovePath("ada", ((9, 8), (10, 8)), drags="bo"))
    assert table.prompt.rule == "a5e.variant.drag-distance"
    table.chooses("yes")
    assert (table.track("ada", "moved"), table.one("bo").position) == (30, (10, 9))
    table = yard("bo", scene=scene).puts(ada=(8, 8), bo=(8, 9))
    table.does(MovePath("ada", ((9, 8), (10, 8)), drags="bo"))
    table.chooses("no")
    assert (table.track("ada", "moved"), table.one("ada").position) == (0, (8, 8))
    assert table.track("ada", "reaction") == 1


@pytest.mark.rule("a5e.tactic.drag.ally-reaction")
def test_the_dragged_cannot_react_until_it_is_over() -> None:
    bo = creature("bo", features=(SWORD,))
    table = yard(bo).puts(bo=(2, 0), ada=(1, 0), orc=(0, 0))
    table.does(MovePath("ada", ((2, 1), (3, 1)), drags="bo"))
    assert list(asked(table)) == ["orc"]
    from turnwright.play.queries import queries

    assert not queries.can_react(table.encounter, table.rules, "bo")
    table.chooses("pass")
    assert queries.can_react(table.encounter, table.rules, "bo")
    assert table.track("bo", "reaction") == 1


def test_a_foe_without_a_place_on_the_map_is_not_asked() -> None:
    table = Field("ada", ORC, foes=("orc",)).puts(ada=(1, 0))
    table.does(MovePath("ada", ((2, 0), (3, 0))))
    assert (asked(table), table.one("ada").position) == ({}, (3, 0))
    table.does(SetRelation("orc", "ada", distance=5))
    table.ends_turn(2)
    table.does(MovePath("ada", ((2, 0), (1, 0))))
    assert (asked(table), table.one("ada").position) == ({}, (1, 0))


def test_who_drags_goes_on_alone_where_the_ally_has_gone() -> None:
    table = yard("bo").puts(bo=(1, 1))
    table.does(MovePath("ada", ((2, 0), (3, 0)), drags="bo"))
    table.does(RemoveCombatant("bo"))
    table.chooses("pass")
    assert table.one("ada").position == (3, 0)


def test_nobody_strikes_at_the_dead_whom_a_mount_carries_off() -> None:
    horse = creature("horse", size="large", speeds=(("walk", 60),))
    table = Field("ada", horse, ORC, foes=("orc",))
    table.puts(ada=(2, 0), horse=(2, 0), orc=(1, 0))
    table.does(MountOrDismount("ada", "horse"))
    table.chooses("carries")
    table.does(SetDead("ada"))
    table.does(MovePath("horse", ((3, 0), (4, 0))))
    assert asked(table) == {"orc": ["horse sword", "pass"]}


def test_a_rider_or_the_mount_may_be_struck() -> None:
    horse = creature("horse", size="large", speeds=(("walk", 60),))
    table = Field("ada", horse, ORC, foes=("orc",))
    table.puts(ada=(2, 0), horse=(2, 0), orc=(1, 0))
    table.does(MountOrDismount("ada", "horse"))
    table.chooses("carries")
    table.does(MovePath("ada", ((3, 0), (4, 0))))
    assert asked(table) == {"orc": ["ada sword", "horse sword", "pass"]}
    table.chooses("pass")
    assert (table.one("ada").position, table.one("horse").position) == ((4, 0), (4, 0))
    table.ends_turn(2)
    table.does(MovePath("orc", ((2, 0), (3, 0))))
    table.ends_turn()
    table.does(CommandMount("ada", "disengage"))
    table.does(MovePath("ada", ((5, 0), (6, 0), (7, 0))))
    assert asked(table) == {}


# Without a grid -------------------------------------------------------------------------------------------------------


def test_without_a_grid_one_says_whose_reach_is_left() -> None:
    table = yard(field=None)
    table.does(MoveFeet("ada", 10, leaves=("orc",)))
    assert asked(table) == {"orc": ["ada sword", "pass"]}
    table.chooses("pass")
    assert table.track("ada", "moved") == 10
    table.does(MoveFeet("ada", 10))
    assert asked(table) == {}


def test_without_a_grid_a_felled_mover_has_not_come_away() -> None:
    table = yard(field=None, ada=creature("ada", hp=5))
    table.does(MoveFeet("ada", 10, leaves=("orc",)))
    table.dice(15, 4)
    table.chooses("ada sword")
    settle(table)
    assert (table.track("ada", "moved"), table.happened(Moved)) == (0, [])


# Ways before they are gone --------------------------------------------------------------------------------------------


def test_a_route_says_what_it_costs_and_provokes() -> None:
    table = yard()
    found = cheapest_route(table.encounter, table.rules, "ada", (4, 0))
    assert found is not None
    assert (found.cost.total, found.left_after, found.provokes, found.vetoes) == (15, 15, ((0, "orc"),), ())
    assert found.path == ((2, 0), (3, 0), (4, 0))
    drawn = preview_route(table.encounter, table.rules, MovePath("ada", ((1, 1), (2, 2))))
    assert (drawn.provokes, drawn.cost.total) == (((1, "orc"),), 10)


def test_where_one_gets_to_and_what_takes_a_dash() -> None:
    table = yard()
    found = reachable_squares(table.encounter, table.rules, "ada")
    cost = dict(found.squares)
    assert (found.left, max(cost for _, cost in found.squares)) == (30, 60)
    assert (cost[2, 0], cost[7, 0], cost[13, 0]) == (5, 30, 60)
    assert (0, 0) not in cost
    assert (1, 0) not in cost
    assert (14, 0) not in cost
    table.does(TakeAction("ada", "dash"))
    again = reachable_squares(table.encounter, table.rules, "ada")
    assert (again.left, max(cost for _, cost in again.squares)) == (60, 60)


# Orders while an opportunity attack is pending ----------------------------------------------------------------------


@pytest.mark.parametrize("rules", [a5e(), dnd5e()])
@pytest.mark.parametrize("answer", ["pass", "ada sword"])
def test_no_other_order_of_the_mover_overtakes_its_move(rules: RuleSystem, answer: str) -> None:
    ada = creature("ada", features=(SWORD,), hp=30)
    table = yard(ada=ada, rules=rules)
    table.does(MovePath("ada", ((2, 0),)))
    orders = (
        MovePath("ada", ((2, 1),)),
        MoveFeet("ada", 5),
        TakeAction("ada", "dodge"),
        Attack("ada", "orc", "sword"),
    )
    for order in orders:
        assert table.refuses(order).key == "refused.still_moving"
    table.dice(15, 4)
    table.chooses(answer)
    assert table.one("ada").position == (2, 0)
    table.does(MovePath("ada", ((2, 1),)))
    assert table.one("ada").position == (2, 1)


def test_a_rider_s_order_does_not_overtake_the_move_of_its_mount() -> None:
    horse = creature("horse", size="large", speeds=(("walk", 60),))
    table = yard(horse).puts(horse=(1, 0), orc=(0, 0))
    table.has(msgspec.structs.replace(table.one("ada"), rides="horse", controlled=True))
    table.does(MovePath("ada", ((2, 0), (3, 0))))
    assert asked(table)
    assert table.refuses(MovePath("ada", ((2, 1),))).key == "refused.still_moving"
    table.chooses("pass")
    assert table.one("horse").position == (3, 0)


def test_a_reaction_of_the_mover_is_not_held_up_by_its_move() -> None:
    shout = Feature("shout", "Shout", "reaction", text="A shout.", save="wis", dc=10)
    table = yard(ada=creature("ada", features=(shout,)))
    table.does(MovePath("ada", ((2, 0),)))
    table.does(UseFeature("ada", "shout", targets=("orc",)))
    assert table.track("ada", "reaction") == 0
