"""Readying a response to a trigger: what can be readied, how it is set off, and how it is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.play.attack_table import AXE, SHORTBOW, STRONG, Fray
from tests.table import Table, a5e, creature, dnd5e, pf2e
from turnwright.encounter.prepared import Announce, Countdown, Feature, Scene
from turnwright.encounter.running import Effect
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack, Attacked, FeatureUsed
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.effects.conditions import EndEffect
from turnwright.play.effects.ready_action import ActionReadied, ReadiedActionLost
from turnwright.play.environment.countdown_pools import StartPool
from turnwright.play.movement.commanded_move import MoveFeet, MovePath
from turnwright.play.movement.move import Moved
from turnwright.play.queries import queries
from turnwright.play.setup.prepared_records import Add
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.state.events import ActionTaken
from turnwright.play.state.position_changes import SetPosition
from turnwright.rules.parts.economy.limited_uses import remaining_uses
from turnwright.rules.system import RuleSystem

BLAZE = Feature("blaze", "Blaze", "action", level=3, save="dex", dc=13, damage="3d6 fire", properties=("spell",))
WORD = Feature("word", "Healing Word", "bonus", level=1, properties=("spell",))
RAY = Feature("ray", "Ray", "action", attack=6, range="60", damage="1d10 fire", level=2, properties=("spell",))
DOOR = "when the door opens"


def pair(**fields: Any) -> Fray:
    """A with a bow and spells, and foe T next to A; A's turn."""
    a = creature(
        "a", features=(SHORTBOW, AXE, BLAZE, WORD, RAY), slots=(("1", 2), ("2", 2), ("3", 1)), abilities=STRONG
    )
    table = Fray(a, creature("t", hp=90, **fields), foes=("t",))
    return table.puts(a=(1, 1), t=(5, 1))  # type: ignore[return-value]


def readies(table: Table, response: str) -> None:
    """Ready a response to the door."""
    table.does(TakeAction("a", "ready", DOOR, choice=response))


def waiting(table: Table) -> list[tuple[str, str]]:
    """What A has readied: response and trigger."""
    return [(one.source, one.end_condition) for one in table.encounter.all(Effect) if one.name == "readied"]


def left(table: Table) -> dict[str, int]:
    """How much of each resource A has."""
    return {one.resource.id: one.left for one in queries.resources_of(table.encounter, table.rules, "a")}


def release(table: Table, choice: str = "respond") -> None:
    """Say that the trigger has come."""
    table.does(TakeAction("a", "release-readied", choice=choice))


@pytest.mark.rule("a5e.action.ready.declare")
def test_the_trigger_and_the_response_are_kept() -> None:
    table = pair()
    readies(table, "attack")
    assert (waiting(table), left(table)["action"]) == ([("attack", DOOR)], 0)
    assert "readied" in table.effects("a")
    (said,) = table.happened(ActionReadied)
    assert (said.response, said.trigger, said.rule) == ("An attack", DOOR, "a5e.action.ready.declare")
    bare = pair()
    bare.does(TakeAction("a", "ready"))
    assert [option.id for option in bare.prompt.asks[0].options] == ["attack", "move", "action"]
    bare.answers(choice="move")
    assert waiting(bare) == [("move", "")]


@pytest.mark.rule("a5e.action.ready.reaction")
def test_the_response_takes_the_reaction_right_after_the_trigger() -> None:
    table = pair()
    readies(table, "attack")
    table.ends_turn()
    table.does(SetPosition("t", position=(4, 1)))
    struck = table.strikes("a", "t", "shortbow", 2, purpose="readied")
    assert isinstance(struck, Attacked)
    assert (left(table)["reaction"], waiting(table)) == (0, [])
    again = table.refuses(Attack("a", "t", "shortbow", purpose="readied"))
    assert (again.key, again.rule) == ("refused.nothing_readied", "a5e.action.ready.reaction")
    spent = pair()
    readies(spent, "attack")
    spent.ends_turn()
    spent.does(SpendResource("a", "reaction"))
    for command in (
        Attack("a", "t", "shortbow", purpose="readied"),
        TakeAction("a", "release-readied", choice="respond"),
    ):
        assert spent.refuses(command).rule == "a5e.turn.one-reaction"
    assert waiting(spent) == [("attack", DOOR)]
    words = pair()
    readies(words, "action")
    words.ends_turn()
    release(words)
    assert (left(words)["reaction"], waiting(words)) == (0, [])
    assert words.happened(ActionTaken)[-1].rule == "a5e.action.ready.reaction"
    refused = words.refuses(TakeAction("a", "release-readied"))
    assert refused.rule == "a5e.turn.one-reaction"


@pytest.mark.rule("a5e.action.ready.ignore")
def test_letting_the_trigger_go_by_wastes_it() -> None:
    table = pair()
    readies(table, "attack")
    table.ends_turn()
    release(table, "ignore")
    assert (left(table)["reaction"], waiting(table)) == (1, [])
    (lost,) = table.happened(ReadiedActionLost)
    assert (lost.why, lost.rule) == ("why.let_go_by", "a5e.action.ready.ignore")
    assert table.refuses(TakeAction("a", "release-readied", choice="ignore")).key == "refused.nothing_readied"


def test_what_was_readied_lapses_at_ones_next_turn() -> None:
    table = pair()
    readies(table, "attack")
    table.ends_turn()
    assert waiting(table)
    table.ends_turn()
    assert (table.active, waiting(table)) == ("a", [])


@pytest.mark.rule("a5e.action.ready.move")
def test_a_readied_move_goes_up_to_the_speed() -> None:
    table = pair()
    table.does(MoveFeet("a", 30))
    readies(table, "move")
    table.ends_turn()
    assert table.refuses(MovePath("a", ((1, 2),))).rule == "a5e.round.on-turn"
    release(table)
    assert left(table)["reaction"] == 0
    table.does(MovePath("a", tuple((1, row) for row in range(2, 8))))
    assert (table.one("a").position, table.happened(Moved)[-1].cost) == ((1, 7), 30)
    assert table.refuses(MovePath("a", ((1, 8),))).key == "refused.too_far"
    table.ends_turn(2)
    assert table.active == "t"
    assert table.refuses(MovePath("a", ((1, 8),))).rule == "a5e.round.on-turn"
    assert "a5e.action.ready.move" in table.rules.actions["release-readied"].ledger


def test_a_readied_move_off_the_grid() -> None:
    table = Table("a", "t", foes=("t",))
    table.start(a=20, t=10)
    table.does(MoveFeet("a", 30))
    readies(table, "move")
    table.ends_turn()
    release(table)
    table.does(MoveFeet("a", 20))
    assert table.refuses(MoveFeet("a", 15)).key == "refused.too_far"
    table.does(MoveFeet("a", 10))


@pytest.mark.rule("a5e.action.ready.spell-time")
def test_only_spells_of_one_action_can_be_readied() -> None:
    table = pair()
    refused = table.refuses(TakeAction("a", "ready", DOOR, choice="word"))
    assert (refused.key, refused.rule) == ("refused.not_to_be_readied", "a5e.action.ready.spell-time")
    assert table.track("a", "action") == 1
    readies(table, "blaze")
    assert waiting(table) == [("blaze", DOOR)]


@pytest.mark.rule("a5e.action.ready.spell-concentration")
def test_a_readied_spell_is_cast_at_once_and_held() -> None:
    table = pair()
    readies(table, "blaze")
    assert remaining_uses(table.encounter, "a", "slots.3") == 0
    assert "concentrating" in table.effects("a")
    assert table.happened(ActionReadied)[-1].rule == "a5e.action.ready.spell-concentration"
    table.ends_turn()
    table.dice(20)
    table.does(UseFeature("a", "blaze", targets=("t",), purpose="readied"))
    while table.prompts:
        table.skips()
    assert [one.feature for one in table.happened(FeatureUsed)] == ["Blaze"]
    assert (waiting(table), left(table)["reaction"], "concentrating" in table.effects("a")) == ([], 0, False)
    lost = pair()
    readies(lost, "blaze")
    lost.ends_turn()
    lost.does(EndEffect(next(one.id for one in lost.encounter.all(Effect) if one.name == "concentrating")))
    assert lost.refuses(UseFeature("a", "blaze", targets=("t",), purpose="readied")).rule.startswith(
        "a5e.action.ready."
    )
    assert lost.refuses(TakeAction("a", "release-readied", choice="respond")).rule == "a5e.action.ready.reaction"
    assert (left(lost)["reaction"], lost.happened(FeatureUsed)) == (1, [])
    unused = pair()
    readies(unused, "blaze")
    unused.ends_turn(2)
    assert (unused.active, waiting(unused), unused.effects("a")) == ("a", [], set())  # nothing is held any longer


def test_a_readied_attack_with_uses_is_paid_for_when_it_is_made() -> None:
    net = Feature("net", "Net", "action", attack=5, range="60", uses=2)
    table = Fray(creature("a", features=(net,)), creature("t", hp=90), foes=("t",)).puts(a=(1, 1), t=(5, 1))
    readies(table, "net")
    assert remaining_uses(table.encounter, "a", "uses.net") == 2
    table.ends_turn()
    table.strikes("a", "t", "net", 15, purpose="readied")
    assert (remaining_uses(table.encounter, "a", "uses.net"), waiting(table)) == (1, [])


def test_a_readied_spell_that_is_an_attack_pays_its_slot_once() -> None:
    table = pair()
    readies(table, "ray")
    assert remaining_uses(table.encounter, "a", "slots.2") == 1
    table.ends_turn()
    assert isinstance(table.strikes("a", "t", "ray", 2, purpose="readied"), Attacked)
    assert (waiting(table), remaining_uses(table.encounter, "a", "slots.2")) == ([], 1)


@pytest.mark.rule("a5e.external.concentration")
@pytest.mark.parametrize("outcome", ["keep", "lose"])
def test_damage_reminds_of_the_concentration_that_holds_a_readied_spell(outcome: str) -> None:
    a = creature("a", features=(BLAZE,), hp=50)
    table = Table(a, "t", foes=("t",), scene=Scene(strictness="warn"))
    table.start(a=20, t=10)
    readies(table, "blaze")
    table.ends_turn()
    table.does(ApplyDamage(("a",), "7"))
    assert table.prompt.rule == "a5e.external.concentration"
    table.answers(outcome=outcome)
    assert bool(waiting(table)) is (outcome == "keep")


@pytest.mark.rule("a5e.external.spellcasting")
def test_a_spell_that_is_in_no_data_is_entered_by_hand() -> None:
    table = pair()
    ember = Feature("ember", "Ember", "bonus", save="dex", dc=14, damage="3d6 fire", properties=("spell",))
    table.dice(5, 4, 4, 4)
    table.does(UseFeature("a", given=ember, targets=("t",)))
    (used,) = table.happened(FeatureUsed)
    assert (used.feature, used.save, used.dc, table.lost("t")) == ("Ember", "dex", 14, 12)
    assert left(table) == {"action": 1, "bonus": 0, "reaction": 1}
    spark = Feature(
        "spark", "Spark", "action", attack=6, range="60", damage="3d6 lightning", level=0, properties=("spell",)
    )
    table.dice(15, 1, 2, 3)
    table.does(Attack("a", "t", given=spark))
    while table.prompts:
        table.skips()
    assert table.lost("t") == 18
    assert left(table)["action"] == 0
    other = pair()
    other.does(TakeAction("a", "cast-spell", "Mending", cost="action"))
    assert (other.happened(ActionTaken)[-1].note, left(other)["action"]) == ("Mending", 0)
    assert "a5e.external.spellcasting" in other.rules.actions["cast-spell"].ledger


def at_the_top_of_a_round(*, spent: bool = False) -> Fray:
    """A has readied an attack in round 1, and spent the reaction or not; the ice gives way as A is first in round 2."""
    table = pair()
    table.does(Add((Countdown("ice", "The ice", dice=1, outcomes=(Announce("The ice gives way."),)),)))
    table.does(StartPool("ice"))
    readies(table, "attack")
    table.ends_turn()
    if spent:
        table.does(SpendResource("a", "reaction"))
    table.dice(6)
    table.ends_turn()
    return table


@pytest.mark.rule("a5e.action.ready.reaction")
def test_what_the_world_does_at_the_top_of_a_round_may_set_off_a_response_of_whoever_is_first() -> None:
    table = at_the_top_of_a_round()
    assert (table.prompt.title, [one.detail for one in table.prompt.asks]) == ("prompt.readied", [DOOR])
    assert (table.active, waiting(table), left(table)["reaction"]) == ("", [("attack", DOOR)], 1)
    assert isinstance(table.strikes("a", "t", "shortbow", 2, purpose="readied"), Attacked)
    assert (left(table)["reaction"], waiting(table)) == (0, [])
    table.answers(a="begin-turn")
    assert (table.active, left(table)["reaction"]) == ("a", 1)


def test_unreleased_it_ends_as_the_turn_begins() -> None:
    table = at_the_top_of_a_round()
    table.answers(a="begin-turn")
    assert (table.active, waiting(table)) == ("a", [])


def test_nothing_is_waited_for_where_the_world_does_nothing_or_the_reaction_is_spent() -> None:
    quiet = pair()
    readies(quiet, "attack")
    quiet.ends_turn(2)
    assert (quiet.prompts, quiet.active) == ([], "a")
    spent = at_the_top_of_a_round(spent=True)
    assert (spent.prompts, spent.active) == ([], "a")


@pytest.mark.parametrize("response", ["attack", "blaze"])
def test_a_readied_attack_or_spell_is_released_by_itself(response: str) -> None:
    table = pair()
    readies(table, response)
    table.ends_turn()
    refused = table.refuses(TakeAction("a", "release-readied", choice="respond"))
    assert (refused.key, refused.rule) == ("refused.released_by_itself", "a5e.action.ready.reaction")
    assert (left(table)["reaction"], waiting(table)) == (1, [(response, DOOR)])


# Actions of the rule system ----------------------------------------------------------------------------------------


def next_to_each_other(system: RuleSystem) -> Fray:
    """A and T next to each other; A's turn."""
    table = Fray(creature("a", abilities=STRONG), creature("t", hp=90), foes=("t",), rules=system)
    return table.puts(a=(1, 1), t=(2, 1))  # type: ignore[return-value]


def readied_and_due(system: RuleSystem, response: str) -> Fray:
    """A has readied a response, and it is T's turn."""
    table = next_to_each_other(system)
    readies(table, response)
    table.ends_turn()
    return table


@pytest.mark.rule("a5e.action.ready.reaction", "dnd5e.action.ready.use")
@pytest.mark.parametrize("system", [a5e, dnd5e])
def test_a_readied_dodge_holds_once_it_is_released(system: Callable[[], RuleSystem]) -> None:
    table = readied_and_due(system(), "dodge")
    release(table)
    assert "dodging" in table.effects("a")
    assert (left(table)["reaction"], waiting(table), table.prompts) == (0, [], [])
    table.ends_turn()
    assert "dodging" not in table.effects("a")


@pytest.mark.rule("dnd5e.action.ready.use")
def test_a_readied_shove_asks_for_its_target_and_its_contest() -> None:
    table = readied_and_due(dnd5e(), "shove")
    release(table)
    assert table.prompt.title == "prompt.action"
    table.answers(targets=("t",), choice=("prone",))
    table.dice(18, 2)
    while table.prompts:
        table.skips()
    assert "prone" in table.effects("t")
    assert left(table)["reaction"] == 0


@pytest.mark.rule("a5e.action.ready.reaction")
def test_a_readied_basic_maneuver_is_carried_out() -> None:
    table = readied_and_due(a5e(), "basic-maneuver")
    release(table)
    assert "choice" in {ask.id for ask in table.prompt.asks}
    table.answers(targets=("t",), choice=(table.prompt.asks[0].options[0].id,))
    assert table.prompts
    assert (left(table)["reaction"], waiting(table)) == (0, [])


def test_readied_help_is_given_to_the_target_named() -> None:
    table = readied_and_due(dnd5e(), "help-distract")
    table.does(TakeAction("a", "release-readied", choice="respond", targets=("t",)))
    assert "distracted" in table.effects("t")


def test_a_readied_action_that_is_no_longer_possible_stays_readied() -> None:
    table = readied_and_due(dnd5e(), "help-distract")
    table.puts(t=(9, 9))
    command = TakeAction("a", "release-readied", choice="respond", targets=("t",))
    assert table.refuses(command).key == "refused.too_far_to_help"
    assert (left(table)["reaction"], waiting(table)) == (1, [("help-distract", DOOR)])


@pytest.mark.parametrize("system", [a5e, dnd5e])
def test_another_action_that_was_readied_may_be_taken_out_of_turn_once(system: Callable[[], RuleSystem]) -> None:
    table = readied_and_due(system(), "action")
    assert table.refuses(TakeAction("a", "dodge")).key == "refused.not_your_turn"
    release(table)
    table.does(TakeAction("a", "dodge"))
    assert "dodging" in table.effects("a")
    assert table.refuses(TakeAction("a", "disengage")).key == "refused.not_your_turn"
    late = readied_and_due(system(), "action")
    release(late)
    late.skips()
    late.ends_turn(2)
    assert late.refuses(TakeAction("a", "dodge")).key == "refused.not_your_turn"


@pytest.mark.parametrize(("system", "response"), [(a5e, "press-the-attack"), (a5e, "ready"), (dnd5e, "ready")])
def test_what_takes_no_action_can_not_be_readied(system: Callable[[], RuleSystem], response: str) -> None:
    table = next_to_each_other(system())
    assert table.refuses(TakeAction("a", "ready", DOOR, choice=response)).key == "refused.not_to_be_readied"


def test_another_action_that_was_readied_is_chosen_on_a_card() -> None:
    table = readied_and_due(dnd5e(), "action")
    release(table)
    offered = [option.id for option in table.prompt.asks[0].options]
    assert {"dodge", "shove", "help-aid"} <= {*offered}
    assert not {"attack", "ready", "release-readied", "escape"} & {*offered}
    table.chooses("dodge")
    assert ("dodging" in table.effects("a"), table.prompts) == (True, [])
    assert table.refuses(TakeAction("a", "disengage")).key == "refused.not_your_turn"


def test_a_readied_action_of_pathfinder_asks_for_its_target_and_its_check() -> None:
    table = readied_and_due(pf2e(), "action")
    release(table)
    table.chooses("demoralize")
    assert [ask.label for ask in table.prompt.asks] == ["ask.whom"]
    table.chooses("t")
    assert [ask.kind for ask in table.prompt.asks][-1] == "roll"
    assert (left(table)["reaction"], waiting(table)) == (0, [])
