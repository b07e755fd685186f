"""What a turn holds by the rules of D&D 5e: movement, an action, perhaps a bonus action, and what costs nothing."""

from __future__ import annotations

import itertools

import pytest

from tests.systems.dnd5e.fights import SWORD, Fight, pair
from tests.table import creature
from turnwright.encounter.prepared import Feature
from turnwright.play.actions.action import TakeAction
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.damage.manual_hit_points import SetHitPoints
from turnwright.play.movement.commanded_move import MoveFeet, MovePath
from turnwright.play.movement.move import Moved
from turnwright.play.state.events import ActionTaken
from turnwright.play.turns.turns import EndTurn

CUNNING = Feature("cunning", "Cunning Action", "bonus", text="Dash, Disengage or Hide.")
MARK = Feature("mark", "Mark", "bonus", text="Choose a quarry.")


def alone(*features: Feature, **fields: object) -> Fight:
    """Ann's turn, an orc far away."""
    return Fight(creature("ann", features=features, **fields), "orc", foes=("orc",)).puts(ann=(1, 1), orc=(14, 14))


@pytest.mark.rule("dnd5e.turn.move_up_to_speed")
def test_a_move_goes_up_to_speed() -> None:
    table = alone(speeds=(("walk", 35),))
    table.does(MoveFeet("ann", 30))
    assert table.feet("ann") == 5
    refused = table.refuses(MoveFeet("ann", 10))
    assert (refused.key, refused.rule) == ("refused.too_far", "dnd5e.turn.move_up_to_speed")
    assert table.happened(Moved)[0].rule == "dnd5e.turn.move_up_to_speed"


@pytest.mark.rule("dnd5e.turn.one_action")
def test_there_is_one_action() -> None:
    table = alone()
    table.does(TakeAction("ann", "dodge"))
    refused = table.refuses(TakeAction("ann", "search"))
    assert (refused.key, refused.rule) == ("refused.none_left", "dnd5e.turn.one_action")
    assert table.left("ann")["action"] == 0


@pytest.mark.rule("dnd5e.turn.bonus_action_source")
def test_a_bonus_action_needs_something_that_grants_it() -> None:
    for features, wanted in (((), []), ((CUNNING,), ["cunning"])):
        table = alone(*features)
        bonus = [id for id, offer in table.offers("ann").items() if "bonus" in offer.action.payable]
        assert bonus == wanted
    table.does(TakeAction("ann", "cunning"))
    assert (table.left("ann")["bonus"], table.left("ann")["action"]) == (0, 1)


@pytest.mark.rule("dnd5e.turn.bonus_action_limit")
def test_there_is_one_bonus_action_a_turn() -> None:
    table = alone(CUNNING, MARK)
    table.does(TakeAction("ann", "cunning"))
    assert table.refuses(TakeAction("ann", "mark")).rule == "dnd5e.turn.bonus_action_limit"
    table.ends_turn(2)
    table.does(TakeAction("ann", "mark"))


@pytest.mark.rule("dnd5e.turn.any_order")
@pytest.mark.parametrize("order", list(itertools.permutations(("move", "action", "bonus"))), ids="-".join)
def test_the_parts_of_a_turn_come_in_any_order(order: tuple[str, ...]) -> None:
    table = alone(CUNNING)
    commands = {
        "move": MoveFeet("ann", 20),
        "action": TakeAction("ann", "dodge"),
        "bonus": TakeAction("ann", "cunning"),
    }
    for part in order:
        table.does(commands[part])
    assert (table.feet("ann"), table.left("ann")["action"], table.left("ann")["bonus"]) == (10, 0, 0)


@pytest.mark.rule("dnd5e.turn.split_move_around_action")
def test_a_move_may_be_split_around_the_action() -> None:
    table = alone()
    table.does(MoveFeet("ann", 10))
    table.does(TakeAction("ann", "dodge"))
    table.does(MoveFeet("ann", 20))
    assert table.feet("ann") == 0


@pytest.mark.rule("dnd5e.turn.split_move_between_attacks", "dnd5e.action.attack.multiple")
def test_a_move_may_be_split_between_attacks() -> None:
    table = pair(SWORD, attacks=2, orc={"reach": 5})
    table.strikes("ann", "orc", "longsword", 2)
    table.does(MovePath("ann", ((1, 0), (2, 0), (3, 0))))
    assert table.feet("ann") == 15
    table.strikes("ann", "orc", "longsword", 3)
    assert (table.left("ann")["action"], table.track("ann", "attacks")) == (0, 0)
    table.does(MovePath("ann", ((3, 1), (3, 2), (2, 2))))
    assert table.feet("ann") == 0
    assert table.refuses(Attack("ann", "orc", "longsword")).rule == "dnd5e.turn.one_action"


@pytest.mark.rule("dnd5e.action.attack.single")
def test_the_attack_action_gives_one_attack() -> None:
    table = pair()
    table.strikes("ann", "orc", "longsword", 2)
    assert table.track("ann", "attacks") == 0
    assert table.refuses(Attack("ann", "orc", "longsword")).key == "refused.none_left"


@pytest.mark.rule("dnd5e.turn.skip_any_part")
def test_everything_may_stay_unspent() -> None:
    table = alone(CUNNING)
    table.does(EndTurn())
    assert table.active == "orc"


@pytest.mark.rule("dnd5e.turn.free_communication")
def test_a_few_words_cost_nothing() -> None:
    table = alone(CUNNING)
    for _ in range(2):
        table.does(TakeAction("ann", "communicate", note="Behind you!"))
    assert table.left("ann") == {"action": 1, "bonus": 1, "reaction": 1} | {
        name: left for name, left in table.left("ann").items() if name == "free"
    }
    assert table.feet("ann") == 30
    assert {one.rule for one in table.happened(ActionTaken)} == {"dnd5e.turn.free_communication"}


@pytest.mark.rule("dnd5e.turn.free_object_interaction", "dnd5e.action.use_object.effect")
def test_one_object_is_free_and_a_second_takes_the_action() -> None:
    table = alone()
    table.does(TakeAction("ann", "interact-object", note="opens the door"))
    assert table.left("ann")["action"] == 1
    refused = table.refuses(TakeAction("ann", "interact-object", note="throws the lever"))
    assert (refused.key, refused.rule) == ("refused.second_object", "dnd5e.turn.free_object_interaction")
    table.does(TakeAction("ann", "use-object", note="throws the lever"))
    assert table.left("ann")["action"] == 0
    assert table.happened(ActionTaken)[-1].rule == "dnd5e.action.use_object.effect"


@pytest.mark.rule("dnd5e.turn.interaction_may_need_action")
def test_an_interaction_may_take_the_action_instead() -> None:
    table = alone()
    table.does(TakeAction("ann", "use-object", note="turns the stiff valve"))
    assert table.left("ann")["action"] == 0
    assert table.offers("ann")["interact-object"].refused == ""


@pytest.mark.rule("dnd5e.action.options")
def test_the_menu_has_twelve_actions_those_of_the_class_and_improvising() -> None:
    surge = Feature("channel", "Channel", "action", text="A class action.")
    offers = alone(surge).offers("ann")
    listed = [id for id, offer in offers.items() if offer.action.group == "listed"]
    assert (len(listed), "channel" in offers, "improvise" in offers) == (12, True, True)


@pytest.mark.rule("dnd5e.action.improvised")
def test_the_dungeon_master_says_whether_something_improvised_can_be_done() -> None:
    table = alone(abilities=(("dex", 14),))
    table.does(TakeAction("ann", "improvise", note="swings from the chandelier"))
    table.answers(choice="impossible")
    assert table.left("ann")["action"] == 1
    table.does(TakeAction("ann", "improvise", note="swings from the chandelier"))
    table.answers(choice="roll")
    table.answers(check="dex:acrobatics", dc=13)
    assert table.prompt.asks[0].dc == 13
    assert table.left("ann")["action"] == 0


@pytest.mark.rule("dnd5e.hp.no_penalty_above_zero")
def test_the_badly_hurt_are_as_able_as_ever() -> None:
    table = pair(abilities=(("str", 18),))
    before = table.preview("ann", "orc", "longsword").roll
    table.does(SetHitPoints("ann", hp=1))
    assert table.preview("ann", "orc", "longsword").roll == before
    assert (table.feet("ann"), table.left("ann")["action"]) == (30, 1)
    assert sum(one.value for one in before.modifiers) == 6


@pytest.mark.rule("dnd5e.external.class_features")
def test_a_feature_of_ones_own_stands_among_the_options() -> None:
    offers = alone(CUNNING).offers("ann")
    assert [id for id, one in offers.items() if one.action.payable == ("bonus",)] == ["cunning"]
    assert offers["cunning"].action.ledger in (("dnd5e.external.class_features",), ("dnd5e.action.options",))


@pytest.mark.rule("dnd5e.action.cast_spell.casting_time")
def test_the_cast_spell_action_is_for_spells_of_one_action() -> None:
    table = alone()
    for cost in ("bonus", "minute", "reaction"):
        refused = table.refuses(TakeAction("ann", "cast-spell", note="a spell", cost=cost))
        assert (refused.key, refused.rule) == ("refused.no_such_cost", "dnd5e.action.cast_spell.casting_time")
    table.does(TakeAction("ann", "cast-spell", note="a spell"))
    assert table.left("ann")["action"] == 0


@pytest.mark.rule("dnd5e.reaction.one_per_round")
def test_a_reaction_comes_back_with_ones_own_turn() -> None:
    table = Fight("orc", "ann", "bob", foes=("orc",)).puts(orc=(5, 5), ann=(4, 5), bob=(6, 5))
    table.ends_turn()
    table.does(MovePath("ann", ((3, 5), (2, 5))))
    table.chooses("ann unarmed")
    while table.prompts:
        table.skips()
    assert table.left("orc")["reaction"] == 0
    table.ends_turn()
    table.does(MovePath("bob", ((7, 5), (8, 5))))
    assert table.reactors() == {}
    table.ends_turn()
    assert (table.active, table.left("orc")["reaction"]) == ("orc", 1)
