"""What is done with points: prices, Convert, Brace, Hide, Throw, Shove, Grapple, Investigate, and what hangs on size."""

from __future__ import annotations

import msgspec
import pytest

from tests.systems.action_points.fights import FLOOR, SWORD, Fight, duel, person
from turnwright.encounter.prepared import Feature, Scene
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.encounter.running import Effect
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.contest import SearchResolved
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.asking.answer import Answer
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.damage.manual_hit_points import SetHitPoints
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.movement.forced_movement import Pushed
from turnwright.play.movement.move import MoveStopped
from turnwright.play.state.events import ActionTaken, Rolled, Skipped
from turnwright.play.table.game_master import AddNote
from turnwright.play.turns.turns import EndTurn
from turnwright.rules.parts.checks.ability_checks import save_roll

LEAP = Feature("leap-strike", "Leap Strike", "action", price=2, spends=(("willpower", 2),))
BOLT = Feature("bolt", "Bolt", "action", price=3, spends=(("willpower", 2),), level=1)
POTION = Feature("potion", "Potion", "action", price=2)


# Points ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ap.turn.spend_action_points", "ap.turn.action_points_replenish", "ap.external.action_point_maximum")
def test_as_many_actions_as_the_points_pay_for() -> None:
    table = Fight(person("bob", ap=4), person("dan", pools=()), "orc", foes=("orc",))
    table.does(TakeAction("bob", "brace"))
    table.does(MoveFeet("bob", 4))
    assert table.points("bob")[0] == 1
    assert table.refuses(TakeAction("bob", "brace")).rule == "ap.turn.spend_action_points"
    table.ends_turn()
    assert (table.active, table.points("dan")[0]) == ("dan", 6)
    table.ends_turn(2)
    assert table.points("bob")[0] == 4


@pytest.mark.rule("ap.turn.action_list")
def test_the_list_has_seventeen_actions() -> None:
    prices = [one.price for one in Fight("bob").rules.data.actions]
    assert (len(prices), prices.count(1), prices.count(2), prices.count(0)) == (17, 4, 7, 6)


@pytest.mark.rule("ap.reaction.any_affordable_action")
def test_off_turn_reaction_points_pay() -> None:
    table = Fight("orc", person("bob", rp=4), foes=("orc",))
    affordable = {id for id, offer in table.offers("bob").items() if not offer.refused}
    assert {"move", "grapple", "brace"} <= affordable
    refused = table.refuses(TakeAction("bob", "spell", note="a wall", points=3))
    assert (refused.key, refused.rule) == ("refused.too_few_left", "ap.reaction.any_affordable_action")
    table.does(TakeAction("bob", "brace"))
    assert table.points("bob") == (6, 0)


@pytest.mark.rule("ap.action.convert.row", "ap.action.convert.rate_and_cap")
def test_points_are_converted_one_for_one_up_to_the_maximum() -> None:
    table = Fight(person("bob", ap=3, rp=4), "orc", foes=("orc",))
    refused = table.refuses(TakeAction("bob", "convert", points=3))
    assert (refused.key, refused.rule) == ("refused.too_many", "ap.action.convert.rate_and_cap")
    table.does(TakeAction("bob", "convert"))
    table.answers(points=2)
    assert table.points("bob") == (1, 4)


@pytest.mark.rule("ap.action.skill.cost", "ap.action.skill.row", "ap.external.willpower_points")
def test_a_skill_takes_points_and_willpower_and_both_have_to_be_there() -> None:
    table = Fight(person("bob", ap=4, wp=1, features=(LEAP,)), "orc", foes=("orc",))
    refused = table.refuses(TakeAction("bob", "leap-strike"))
    assert (refused.key, refused.rule) == ("refused.too_few_left", "ap.external.willpower_points")
    table = Fight(person("bob", ap=4, wp=3, features=(LEAP,)), "orc", foes=("orc",))
    table.does(TakeAction("bob", "leap-strike"))
    assert (table.points("bob")[0], table.track("bob", "willpower")) == (2, 1)
    table.ends_turn(2)
    assert (table.points("bob")[0], table.track("bob", "willpower")) == (4, 1)


@pytest.mark.rule("ap.action.spell.cost", "ap.action.spell.row", "ap.action.spell.known_only")
def test_a_spell_takes_what_it_says_and_has_to_be_known() -> None:
    table = Fight(person("bob", ap=3, wp=2, features=(BOLT,)), "orc", foes=("orc",))
    assert "bolt" in table.offers("bob")
    assert "bolt" not in table.offers("orc")
    table.does(TakeAction("bob", "bolt"))
    assert (table.points("bob")[0], table.track("bob", "willpower")) == (0, 0)
    poor = Fight(person("bob", ap=3, wp=1, features=(BOLT,)), "orc", foes=("orc",))
    assert poor.refuses(TakeAction("bob", "bolt")).key == "refused.too_few_left"


@pytest.mark.rule("ap.action.item.cost", "ap.action.item.row")
def test_an_item_takes_what_it_says() -> None:
    table = Fight(person("bob", ap=1, features=(POTION,)), "orc", foes=("orc",))
    assert table.refuses(TakeAction("bob", "potion")).key == "refused.too_few_left"
    table = Fight(person("bob", ap=2, features=(POTION,)), "orc", foes=("orc",))
    table.does(TakeAction("bob", "potion"))
    assert table.points("bob")[0] == 0


@pytest.mark.rule("ap.external.skill_cards")
def test_a_willpower_cost_left_blank_is_asked_for_once() -> None:
    punch = Feature("throat-punch", "Throat Punch", "action", price=2, spends=(("willpower", 0),))
    table = Fight(person("bob", wp=3, features=(punch,)), "orc", foes=("orc",))
    for left in (2, 1):
        table.does(TakeAction("bob", "throat-punch"))
        if left == 2:
            table.answers(pool__willpower=1)
        assert (table.track("bob", "willpower"), table.prompts) == (left, [])


# A feature used on somebody, at a table where nobody is asked who reacts ----------------------------------------

HEX = Feature("hex", "Hex", "action", price=2, spends=(("willpower", 2),), level=1, save="wit", dc=12)


@pytest.mark.rule("ap.action.spell.cost")
def test_what_is_used_on_somebody_takes_willpower_too() -> None:
    table = Fight(person("bob", ap=4, wp=3, features=(HEX,)), "orc", foes=("orc",))
    table.does(UseFeature("bob", "hex", targets=("orc",)))
    assert (table.points("bob")[0], table.track("bob", "willpower"), table.prompt.title) == (2, 1, "prompt.save")
    poor = Fight(person("bob", wp=1, features=(HEX,)), "orc", foes=("orc",))
    refused = poor.refuses(UseFeature("bob", "hex", targets=("orc",)))
    assert (refused.key, refused.rule) == ("refused.too_few_left", "ap.external.willpower_points")


@pytest.mark.rule("ap.action.spell.cost")
def test_what_is_used_on_somebody_and_says_no_price_is_asked_about_once() -> None:
    blank = msgspec.structs.replace(HEX, price=0, spends=(("willpower", 0),), level=None, uses=2)
    table = Fight(person("bob", ap=6, wp=4, features=(blank,)), "orc", foes=("orc",))
    table.does(UseFeature("bob", "hex", targets=("orc",)))
    assert ([one.id for one in table.prompt.asks], table.points("bob")[0]) == (["points", "pool.willpower"], 6)
    table.answers(points=2, pool__willpower=1)
    assert (table.points("bob")[0], table.track("bob", "willpower"), table.prompt.title) == (4, 3, "prompt.save")
    table.answers(orc="15")
    table.does(UseFeature("bob", "hex", targets=("orc",)))
    assert (table.points("bob")[0], table.track("bob", "willpower"), table.prompt.title) == (2, 2, "prompt.save")
    table.answers(orc="15")
    assert table.refuses(UseFeature("bob", "hex", targets=("orc",))).key == "refused.no_uses"


def test_a_price_that_is_asked_has_to_be_there_and_may_be_passed_over() -> None:
    blank = msgspec.structs.replace(HEX, price=0, spends=())
    table = Fight(person("bob", ap=3, features=(blank,)), "orc", foes=("orc",))
    table.does(UseFeature("bob", "hex", targets=("orc",)))
    prompt = table.prompt
    assert table.refuses(Answer(prompt.id, (Reply("points", number=4),), prompt.revision)).key == "refused.too_few_left"
    table.skips()
    assert (table.points("bob")[0], table.prompts, len(table.happened(Skipped))) == (3, [], 1)


@pytest.mark.rule("ap.external.spell_cards")
def test_a_spell_known_from_an_example_is_asked_for_what_it_does_not_say() -> None:
    wall = Feature("stone-wall", "Stone Wall", "action", price=3, spends=(("willpower", 0),), level=1)
    wall = msgspec.structs.replace(wall, text="A wall 3 m tall and 12 m wide.")
    table = Fight(person("wizard", ap=3, wp=2, features=(wall,)), "bob", foes=("wizard",))
    offer = table.offers("wizard")["stone-wall"].action
    assert (offer.price, offer.spends, offer.text) == (3, (("willpower", 0),), "A wall 3 m tall and 12 m wide.")
    table.does(UseFeature("wizard", "stone-wall"))
    assert [(one.id, one.rule) for one in table.prompt.asks] == [("pool.willpower", "ap.external.willpower_points")]
    table.answers(pool__willpower=2)
    assert (table.points("wizard")[0], table.track("wizard", "willpower")) == (0, 0)


@pytest.mark.rule("ap.action.interact.dm_cost", "ap.action.interact.row")
def test_the_dm_says_what_interacting_takes() -> None:
    table = Fight(person("bob", ap=4), "orc", foes=("orc",))
    for left in (2, 2):
        table.does(TakeAction("bob", "interact", note="the lever"))
        table.answers(points=4 - left if table.points("bob")[0] == 4 else 0)
        assert table.points("bob")[0] == left


@pytest.mark.rule("ap.action.swap_weapons.row", "ap.action.swap_weapons.both_hands")
def test_one_swap_changes_both_hands() -> None:
    table = Fight(person("bob", ap=4), "orc", foes=("orc",))
    table.does(TakeAction("bob", "swap-weapons", note="shortsword and shield for the greatsword"))
    assert table.points("bob")[0] == 2
    assert table.happened(ActionTaken)[-1].note == "shortsword and shield for the greatsword"


# Brace ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("ap.action.brace.row", "ap.action.brace.attackers_disadvantage", "ap.action.brace.save_advantage")
def test_brace_hampers_attackers_and_helps_saves_until_the_next_turn() -> None:
    table = duel(orc={"features": (SWORD,)})
    table.does(TakeAction("bob", "brace"))
    assert table.points("bob")[0] == 4
    assert table.edges("orc", "bob", "sword") == [("disadvantage", "ap.action.brace.attackers_disadvantage")]
    save = save_roll(table.encounter, table.rules, "bob", "agi")
    assert [(one.kind, one.rule) for one in save.edges] == [("advantage", "ap.action.brace.save_advantage")]
    table.ends_turn()
    assert "braced" in table.effects("bob")
    table.ends_turn()
    assert "braced" not in table.effects("bob")


# Hiding and finding ---------------------------------------------------------------------------------------------


def hidden(total: int = 15, **orc: object) -> Fight:
    """Emily has hidden; Bob is in plain view. The orc's turn, then the goblin's."""
    orc_block = person("orc", **({"features": (SWORD,)} | orc))
    table = Fight("emily", "bob", orc_block, person("goblin"), foes=("orc", "goblin"))
    table.puts(emily=(2, 2), bob=(2, 3), orc=(1, 2), goblin=(8, 8))
    table.does(TakeAction("emily", "hide"))
    table.answers(choice="allowed")
    table.answers(roll=str(total))
    table.ends_turn(2)
    return table


@pytest.mark.rule("ap.action.hide.stealth_check", "ap.action.hide.row", "ap.external.skill_names")
def test_hiding_leaves_the_stealth_total_whatever_the_sheet_says() -> None:
    table = hidden()
    (effect,) = [one for one in table.encounter.all(Effect) if one.name == "hidden"]
    assert (effect.target, effect.value, table.points("emily")[0]) == ("emily", 15, 4)
    assert table.happened(Rolled)[-1].rule == "ap.action.hide.stealth_check"


@pytest.mark.rule("ap.action.hide.line_of_sight")
def test_the_dm_may_refuse_a_hiding_place() -> None:
    table = Fight("emily", "orc", foes=("orc",))
    table.does(TakeAction("emily", "hide"))
    assert [one.id for one in table.prompt.asks[0].options] == ["allowed", "refused"]
    table.answers(choice="refused")
    assert (table.effects("emily"), table.points("emily")[0]) == (set(), 6)


@pytest.mark.rule("ap.action.hide.untargetable")
def test_the_hidden_cannot_be_targeted() -> None:
    table = hidden()
    refused = table.refuses(Attack("orc", "emily", "sword"))
    assert (refused.key, refused.rule) == ("refused.hidden", "ap.action.hide.untargetable")
    assert table.refuses(TakeAction("orc", "grapple", targets=("emily",))).rule == "ap.action.hide.untargetable"
    table.does(Attack("orc", "bob", "sword"))


@pytest.mark.rule("ap.action.hide.search_on_turn", "ap.action.investigate.row")
def test_others_search_on_their_turn() -> None:
    table = hidden()
    table.does(TakeAction("orc", "investigate", choice="perception"))
    table.answers(roll="17")
    assert (table.happened(SearchResolved)[-1].found, table.points("orc")[0]) == (True, 4)
    table.does(Attack("orc", "emily", "sword"))
    table.answers(roll="miss")
    table.ends_turn()
    table.does(TakeAction("goblin", "investigate", choice="perception"))
    table.answers(roll="12")
    assert (table.happened(SearchResolved)[-1].found, table.points("goblin")[0]) == (False, 4)
    poor = hidden(ap=1)
    assert poor.offers("orc")["investigate"].refused == "refused.too_few_left"


@pytest.mark.rule("ap.action.hide.broken_by_action")
def test_doing_anything_else_gives_a_hider_away() -> None:
    table = hidden()
    table.does(TakeAction("emily", "brace"))  # a reaction, on the orc's turn
    assert "hidden" not in table.effects("emily")
    table = Fight("emily", "orc", foes=("orc",))
    table.does(TakeAction("emily", "hide", choice="allowed"))
    table.answers(roll="15")
    assert "hidden" in table.effects("emily")
    table.does(MoveFeet("emily", 1))
    assert "hidden" not in table.effects("emily")


@pytest.mark.rule("ap.action.investigate.check", "ap.action.investigate.dm_information")
def test_an_investigation_is_one_of_two_checks_whose_result_the_dm_sees() -> None:
    skills = (("perception", 4), ("investigation", 1))
    scene = Scene(strictness="enforce", options=("check-d20",))
    table = Fight(person("bob", skills=skills), "orc", foes=("orc",), scene=scene)
    table.does(TakeAction("bob", "investigate"))
    assert [one.id for one in table.prompt.asks[0].options] == ["check.wit:perception", "check.int:investigation"]
    table.dice(10)
    table.answers(check="check.wit:perception")
    assert (table.happened(Rolled)[-1].roll.total, table.points("bob")[0]) == (14, 4)
    table.does(AddNote("One of the two pits is known now."))


# Throw, Shove, Grapple ------------------------------------------------------------------------------------------


@pytest.mark.rule("ap.action.throw.row", "ap.action.throw.distance")
def test_a_throw_goes_half_of_strength() -> None:
    table = Fight(person("bob", abilities=(("str", 8),)), "emily", "dan", field=FLOOR)
    table.puts(bob=(1, 1), emily=(3, 1), dan=(4, 1))
    refused = table.refuses(TakeAction("bob", "throw", targets=("dan",)))
    assert (refused.key, refused.rule) == ("refused.too_far_to_throw", "ap.action.throw.distance")
    table.does(TakeAction("bob", "throw", targets=("emily",), note="a potion"))
    assert table.points("bob")[0] == 4


@pytest.mark.rule("ap.action.shove.contest", "ap.action.shove.row")
def test_a_shove_is_a_contest_in_melee() -> None:
    for totals, pushed in (((14, 11), True), ((11, 11), False), ((9, 11), False)):
        table = duel(abilities=(("str", 4),))
        table.does(TakeAction("bob", "shove", targets=("orc",)))
        table.answers(roll=str(totals[0]), their_roll=str(totals[1]))
        assert (bool(table.happened(Pushed)), table.points("bob")[0]) == (pushed, 4)
    table = duel().puts(orc=(4, 4))
    refused = table.refuses(TakeAction("bob", "shove", targets=("orc",)))
    assert (refused.key, refused.rule) == ("refused.not_in_reach", "ap.action.shove.contest")


@pytest.mark.rule("ap.action.shove.distance")
@pytest.mark.parametrize(("strength", "metres"), [(6, 3), (9, 4)])
def test_a_shove_pushes_half_of_strength(strength: int, metres: int) -> None:
    table = Fight(person("bob", abilities=(("str", strength),)), "orc", foes=("orc",), field=None)
    table.does(TakeAction("bob", "shove", targets=("orc",)))
    table.answers(roll="14", their_roll="11")
    assert [(one.feet, one.rule) for one in table.happened(Pushed)] == [(metres, "ap.action.shove.distance")]


@pytest.mark.rule("ap.action.shove.size_advantage", "ap.external.advantage")
def test_the_larger_has_an_advantage_for_each_metre() -> None:
    table = duel(orc={"size": "large"})
    table.does(TakeAction("bob", "shove", targets=("orc",)))
    specs = {one.who: one.spec for one in table.prompt.asks}
    assert specs["bob"] is not None
    assert specs["orc"] is not None
    assert [one.rule for one in specs["orc"].edges] == ["ap.action.shove.size_advantage"] * 2
    assert (specs["bob"].edges, specs["orc"].counted) == ((), True)


@pytest.mark.rule("ap.external.size")
def test_only_whole_metres_count() -> None:
    table = Fight(person("bob", size="tiny"), person("orc", size="medium"), foes=("orc",))
    assert len(table.trial("orc", "check.str", "bob", "shove").edges) == 1  # 2 m against half a metre
    assert len(table.trial("bob", "check.str", "orc", "shove").edges) == 0


def grappled(goblin: str = "medium") -> Fight:
    """Bob holds the orc."""
    table = duel(orc={"size": goblin})
    table.does(TakeAction("bob", "grapple", targets=("orc",)))
    return table


@pytest.mark.rule("ap.action.grapple.applies", "ap.action.grapple.row")
def test_a_grapple_takes_hold_without_a_roll() -> None:
    table = grappled()
    assert (table.effects("orc"), table.points("bob")[0], table.happened(Rolled)) == ({"grappled"}, 5, [])
    table = duel().puts(orc=(4, 4))
    assert table.refuses(TakeAction("bob", "grapple", targets=("orc",))).rule == "ap.action.grapple.applies"


@pytest.mark.rule("ap.action.grapple.move_contest")
@pytest.mark.parametrize(("total", "moves"), [(9, False), (13, False), (15, True)])
def test_who_is_held_moves_only_after_winning_a_contest(total: int, moves: bool) -> None:
    table = grappled()
    table.ends_turn()
    table.does(MoveFeet("orc", 2))
    assert table.prompt.title == "prompt.held"
    table.answers(orc=str(total), bob="13")
    assert table.points("orc")[0] == 5
    assert [one.rule for one in table.happened(MoveStopped)] == ([] if moves else ["ap.action.grapple.move_contest"])


@pytest.mark.rule("ap.action.grapple.move_contest")
def test_each_lost_contest_costs_a_move() -> None:
    table = grappled()
    table.ends_turn()
    for left in (5, 4, 3, 2, 1, 0):
        table.does(MoveFeet("orc", 2))
        table.answers(orc="9", bob="13")
        assert table.points("orc")[0] == left
    assert table.refuses(MoveFeet("orc", 2)).key == "refused.none_left"
    table.session.undo()
    assert table.prompt.title == "prompt.held"
    assert table.points("orc")[0] == 1


@pytest.mark.rule("ap.action.grapple.move_contest")
def test_a_lost_contest_uses_up_the_rest_of_a_stride() -> None:
    table = duel()
    table.ends_turn()
    table.does(MoveFeet("orc", 2))
    table.does(ApplyCondition(("orc",), "grappled", by="bob"))
    table.does(MoveFeet("orc", 1))
    table.answers(orc="9", bob="13")
    assert table.points("orc")[0] == 5
    table.does(MoveFeet("orc", 1))
    table.answers(orc="15", bob="13")
    assert table.points("orc")[0] == 4


@pytest.mark.rule("ap.action.grapple.duration")
def test_a_hold_ends_with_the_holders_next_action_or_turn() -> None:
    table = grappled()
    table.does(TakeAction("bob", "jump"))
    assert "grappled" not in table.effects("orc")
    table = grappled()
    table.does(EndTurn())
    assert "grappled" in table.effects("orc")
    table.does(EndTurn())
    assert "grappled" not in table.effects("orc")


@pytest.mark.rule("ap.action.grapple.size_advantage")
def test_size_counts_in_breaking_a_hold() -> None:
    table = grappled("small")
    table.ends_turn()
    table.does(MoveFeet("orc", 2))
    specs = {one.who: one.spec for one in table.prompt.asks}
    assert specs["bob"] is not None
    assert specs["orc"] is not None
    assert [one.rule for one in specs["bob"].edges] == ["ap.action.grapple.size_advantage"]
    assert specs["orc"].edges == ()


@pytest.mark.rule("ap.action.stabilize.row")
def test_stabilizing_takes_two_points() -> None:
    table = Fight("ann", "bob")
    table.does(SetHitPoints("bob", hp=-3))
    assert table.effects("bob") == {"unconscious", "dying"}
    table.does(TakeAction("ann", "stabilize", targets=("bob",)))
    assert (table.points("ann")[0], "stable" in table.effects("bob")) == (4, True)
