"""From the ambush to the turns: who is surprised, what is rolled for initiative, who goes first, and who acts together."""

from __future__ import annotations

import pytest

from tests.systems.action_points.fights import FLOOR, Fight, before_rounds, person
from tests.table import Table
from turnwright.encounter.running import Clock
from turnwright.play.actions.action import TakeAction
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import Heal
from turnwright.play.queries import queries
from turnwright.play.setup.encounter_course import AdvanceSetup, StartEncounter
from turnwright.play.state.position_changes import SetPosition
from turnwright.play.turn_order.surprise import MarkSneaking, SetFirstActor, SetInitiative, joinable_slot
from turnwright.play.turns.turns import EndTurn, JoinTurn
from turnwright.rules.parts.checks.ability_checks import initiative_roll


def at_ambush(*people: object, foes: tuple[str, ...] = ("orc",), sneaking: tuple[str, ...] = ()) -> Table:
    """A table that is asked who ambushes whom."""
    table = before_rounds(*people, foes=foes)
    table.does(StartEncounter())
    if sneaking:
        table.does(MarkSneaking(sneaking))
    table.does(AdvanceSetup())
    return table


@pytest.mark.rule("ap.combat.begins", "ap.setup.sequence", "ap.setup.initiative_for_all")
def test_set_up_goes_through_its_steps_and_waits_for_every_total() -> None:
    table = before_rounds("ann", "orc", foes=("orc",))
    steps = []
    table.does(StartEncounter())
    steps.append(table.clock.setup_step)
    table.does(AdvanceSetup())
    steps.append(table.clock.setup_step)
    assert table.refuses(AdvanceSetup()).key == "refused.prompt_open"
    table.answers(ambush="none")
    table.does(AdvanceSetup())
    steps.append(table.clock.setup_step)
    table.does(AdvanceSetup())
    assert table.refuses(EndTurn()).rule == "ap.setup.sequence"
    table.answers(ann="7")
    assert (table.clock.phase, table.refuses(AdvanceSetup()).key) == ("set-up", "refused.prompt_open")
    table.answers(orc="5")
    assert (steps, table.clock.phase, table.active) == (["scene", "surprise", "initiative"], "rounds", "ann")


@pytest.mark.rule("ap.setup.positions")
def test_positions_are_given_on_a_map_or_not_at_all() -> None:
    table = before_rounds("ann", "orc", foes=("orc",), surroundings=[FLOOR])
    table.does(StartEncounter())
    for who, square in (("ann", (1, 1)), ("orc", (4, 4))):
        table.does(SetPosition(who, position=square))
    assert [table.one(who).position for who in ("ann", "orc")] == [(1, 1), (4, 4)]
    bare = before_rounds("ann", "orc", foes=("orc",))
    bare.does(StartEncounter())
    bare.does(AdvanceSetup())
    assert [bare.one(who).position for who in ("ann", "orc")] == [None, None]


@pytest.mark.rule("ap.setup.ambush_decision")
def test_the_dm_says_who_ambushes_whom() -> None:
    table = at_ambush("ann", "orc")
    (asked,) = table.prompt.asks
    assert [one.id for one in asked.options] == ["none", "party > enemies", "enemies > party"]
    assert (asked.suggested, asked.rule) == (("none",), "ap.setup.ambush_decision")
    assert not table.effects("orc") | table.effects("ann")


@pytest.mark.rule("ap.ambush.condition")
def test_an_ambush_is_suggested_where_a_side_is_unseen() -> None:
    table = at_ambush("ann", "bob", "orc", sneaking=("ann", "bob"))
    assert (table.prompt.asks[0].suggested, table.prompt.asks[0].rule) == (("party > enemies",), "ap.ambush.condition")
    assert at_ambush("ann", "bob", "orc", sneaking=("ann",)).prompt.asks[0].suggested == ("none",)
    table.answers(ambush="none")
    assert not table.effects("orc")


@pytest.mark.rule("ap.ambush.surprise_status")
def test_all_of_the_attacked_are_surprised_through_their_first_turn() -> None:
    table = at_ambush("ann", "orc", "imp", foes=("orc", "imp"))
    table.answers(ambush="party > enemies")
    assert [who for who in ("ann", "orc", "imp") if "surprised" in table.effects(who)] == ["orc", "imp"]
    table.does(AdvanceSetup())
    table.does(SetInitiative((("ann", 1), ("orc", 9), ("imp", 5))))
    table.does(AdvanceSetup())
    table.does(EndTurn())
    assert ("surprised" in table.effects("orc"), "surprised" in table.effects("imp")) == (False, True)
    table.does(EndTurn())
    assert "surprised" not in table.effects("imp")


@pytest.mark.rule(
    "ap.ambush.attackers_initiative_advantage", "ap.surprise.initiative_disadvantage", "ap.initiative.roll"
)
def test_ambushers_roll_better_and_the_surprised_worse() -> None:
    table = at_ambush(person("ann", initiative=3), person("orc", initiative=3))
    table.answers(ambush="party > enemies")
    table.does(AdvanceSetup())
    assert initiative_roll(table.encounter, table.rules, "ann").dice == "1d10"
    table.dice(4, 9, 9, 4)
    table.does(AdvanceSetup())
    assert (table.one("ann").initiative, table.one("orc").initiative) == (12, 7)
    table = at_ambush(person("ann", initiative=4), "orc")
    table.answers(ambush="none")
    table.does(AdvanceSetup())
    table.dice(6, 1)
    table.does(AdvanceSetup())
    assert table.one("ann").initiative == 10


@pytest.mark.rule(
    "ap.surprise.reaction_points_zero", "ap.reaction.starting_points", "ap.external.reaction_point_maximum"
)
def test_a_fight_begins_with_half_of_the_reaction_points_or_none() -> None:
    table = at_ambush(person("ann", rp=4), person("bob", pools=()), person("orc", rp=4))
    assert [table.track(who, "reaction") for who in ("ann", "bob", "orc")] == [2, 3, 2]
    table.answers(ambush="party > enemies")
    assert [table.track(who, "reaction") for who in ("ann", "orc")] == [2, 0]


@pytest.mark.rule("ap.external.initiative_value")
def test_a_value_that_nobody_knows_is_asked_for() -> None:
    table = at_ambush(person("ann", initiative=None), "orc")
    table.answers(ambush="none")
    table.does(AdvanceSetup())
    table.dice(6, 1)
    table.does(AdvanceSetup())
    table.answers(ann=5)
    assert table.one("ann").initiative == 11


@pytest.mark.rule("ap.initiative.order", "ap.setup.begin", "ap.round.everyone_acts")
def test_the_highest_goes_first_and_everybody_once_a_round() -> None:
    table = before_rounds("ann", "bob", "orc", foes=("orc",))
    table.does(StartEncounter())
    table.does(AdvanceSetup())
    table.skips()
    table.does(AdvanceSetup())
    table.does(SetInitiative((("ann", 8), ("bob", 13), ("orc", 10))))
    table.does(AdvanceSetup())
    seen = []
    for _ in range(3):
        seen.append(table.active)
        table.does(EndTurn())
    assert (seen, table.active, table.clock.round) == (["bob", "orc", "ann"], "bob", 2)


@pytest.mark.rule("ap.initiative.hostile_opener_first")
def test_whoever_opened_hostilities_goes_first() -> None:
    table = at_ambush("bob", "ann", "orc")
    table.answers(ambush="none")
    table.does(AdvanceSetup())
    table.does(SetFirstActor("bob"))
    table.does(SetInitiative((("bob", 3), ("ann", 9), ("orc", 12))))
    assert table.order == ["bob", "orc", "ann"]
    table.does(SetFirstActor("ann"))
    assert table.order == ["ann", "orc", "bob"]
    table.does(SetFirstActor())
    assert table.order == ["orc", "ann", "bob"]


@pytest.mark.rule("ap.initiative.tie_opposed_agility", "ap.external.attributes")
def test_a_tie_is_an_opposed_agility_check_whose_die_nobody_assumes() -> None:
    table = at_ambush("ann", "orc")
    table.answers(ambush="none")
    table.does(AdvanceSetup())
    table.does(SetInitiative((("ann", 9), ("orc", 9))))
    table.dice(10, 10)
    table.does(AdvanceSetup())
    assert {one.spec.dice for one in table.prompt.asks if one.spec is not None} == {""}
    table.answers(ann="11", orc="14")
    assert table.order == ["orc", "ann"]


@pytest.mark.rule("ap.round.duration")
def test_five_rounds_are_thirty_seconds() -> None:
    table = Fight("ann", "orc", foes=("orc",))
    assert table.rules.default_round_seconds("combat") == 6
    table.ends_turn(10)
    assert table.encounter.need(Clock, "clock").elapsed_seconds == 30


def four() -> Fight:
    """Bob, Emily, the wizard (an enemy) and Dan."""
    return Fight("bob", "emily", "wizard", "dan", foes=("wizard",))


@pytest.mark.rule("ap.turn.allies_together")
def test_neighbouring_allies_act_together() -> None:
    table = four()
    table.does(JoinTurn())
    for who, left in (("emily", 5), ("bob", 5), ("emily", 4)):
        table.does(TakeAction(who, "jump"))
        assert table.points(who) == (left, 3)
    assert joinable_slot(table.encounter, table.rules) is None
    refused = table.refuses(JoinTurn("dan"))
    assert (refused.key, refused.rule) == ("refused.nobody_to_join", "ap.turn.allies_together")
    assert table.refuses(TakeAction("dan", "spell", points=6)).key == "refused.too_few_left"
    table.does(EndTurn())
    assert table.active == "wizard"
    table.ends_turn(2)
    assert (table.active, table.clock.round) == ("bob", 2)
    assert [table.one(who).turns_ended for who in ("bob", "emily", "wizard", "dan")] == [1, 1, 1, 1]


@pytest.mark.rule("ap.turn.allies_together_optional")
def test_joining_is_optional() -> None:
    table = four()
    following = joinable_slot(table.encounter, table.rules)
    assert following is not None
    assert following.members == ("emily",)
    table.does(TakeAction("emily", "jump"))
    assert table.points("emily") == (6, 2)  # it is not her turn: a reaction
    table.does(EndTurn())
    table.does(TakeAction("emily", "jump"))
    assert table.points("emily") == (5, 2)


@pytest.mark.rule("ap.turn.ends")
def test_a_turn_ends_by_choice_and_is_offered_to_when_all_is_spent() -> None:
    table = Fight(person("ann", ap=4), "orc", foes=("orc",))
    table.does(TakeAction("ann", "brace"))
    table.does(TakeAction("ann", "jump"))
    assert not queries.open_prompts(table.encounter)
    table.does(EndTurn())
    assert (table.active, table.points("ann")[0]) == ("orc", 1)
    table.does(EndTurn())
    for _ in range(2):
        table.does(TakeAction("ann", "brace"))
    assert table.prompt.title == "prompt.turn_over"
    table.answers(over="turn-over")
    assert table.active == "orc"


@pytest.mark.rule("ap.health.skip_turn", "ap.revive.half_action_points")
def test_who_is_healed_in_a_joint_turn_acts_in_the_next_one_with_half_the_points() -> None:
    table = four()
    table.does(ApplyDamage(("emily",), "22 sharp"))
    table.does(JoinTurn())
    while table.prompts:
        table.answers(**{table.prompt.asks[0].id: 1})
    table.does(Heal(("emily",), 20))
    assert (table.points("emily")[0], table.points("bob")[0]) == (0, 6)
    assert table.refuses(TakeAction("emily", "jump")).key == "refused.none_left"
    table.does(TakeAction("bob", "jump"))
    table.ends_turn(3)
    assert table.active == "bob"
    table.does(JoinTurn())
    assert (table.points("emily")[0], table.points("bob")[0]) == (3, 6)
