"""What lasts longer than a turn: slots, uses, recharge, legendary actions."""

import pytest

from tests.table import Table, creature
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Feature, InflictedCondition, Scene
from turnwright.encounter.procedure_state.asks import Reply
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.asking.answer import Answer
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import Rest, SetDead
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.state.events import UsesSpent
from turnwright.play.state.position_changes import SetRelation
from turnwright.play.turns.own_reminders import FeatureRechargeRolled
from turnwright.play.turns.turns import EndTurn
from turnwright.rules.parts.economy.limited_uses import all_uses

BREATH = Feature("breath", "Breath", "action", save="dex", dc=13, damage="2d6 fire", half=True, recharge=5)
BOLT = Feature("bolt", "Bolt", "action", damage="1d6 lightning", level=2)
HOWL = Feature("howl", "Howl", "free", uses=2)
TAIL = Feature("tail", "Tail sweep", "legendary", save="dex", dc=12, damage="1d8 bludgeoning", price=2)


def lair(**fields):
    table = Table(
        creature("drake", hp=80, features=(BREATH, BOLT, HOWL, TAIL), slots=(("2", 1),), legendary=3, **fields),
        creature("tam", hp=80),
        foes=["drake"],
    )
    table.start(drake=20, tam=10)
    return table


@pytest.mark.parametrize("feature", [
    Feature("mist", "Mist", "legendary", range="self", effect=(DataRule("deny", "action"),)),
    Feature("fade", "Fade", "legendary", range="self", afflictions=(InflictedCondition("invisible"),)),
])  # fmt: skip
def test_a_legendary_action_that_changes_its_owner_does_so_when_it_is_chosen_from_the_offer(feature):
    table = Table(creature("drake", features=(feature,), legendary=3), creature("tam"), foes=["drake"])
    table.start(tam=20, drake=10)
    table.does(EndTurn())
    table.chooses(feature.id)
    assert table.effects("drake")


def test_a_legendary_action_that_marks_an_enemy_asks_for_it():
    mark = Feature("mark", "Mark", "legendary", range="60", targets=1, effect=(DataRule("disadvantage", "attack"),))
    table = Table(creature("drake", features=(mark,), legendary=3), creature("tam"), foes=["drake"])
    table.start(tam=20, drake=10)
    table.does(EndTurn())
    table.chooses("mark")
    table.chooses("tam")
    assert table.effects("tam")


def left(table, who="drake"):
    return {track.name: (track.value, track.maximum) for track in all_uses(table.encounter, who)}


def test_all_stand_at_their_full_figure_until_they_are_used():
    assert left(lair()) == {"slots.2": (1, 1), "uses.howl": (2, 2), "recharge.breath": (1, 1), "legendary": (3, 3)}


def test_a_slot_is_spent_once():
    table = lair()
    table.dice(3)
    table.does(UseFeature("drake", "bolt", targets=("tam",)))
    assert table.one("tam").hp == 77
    assert left(table)["slots.2"] == (0, 1)
    next_round(table)
    refused = table.refuses(UseFeature("drake", "bolt", targets=("tam",)))
    assert (refused.key, refused.can_be_overridden) == ("refused.no_slots", True)
    assert table.track("drake", "action") == 1


def test_uses_run_out():
    table = lair()
    for _ in range(2):
        table.does(UseFeature("drake", "howl"))
    assert [event.left for event in table.happened(UsesSpent)] == [1, 0]
    assert table.refuses(UseFeature("drake", "howl")).key == "refused.no_uses"


@pytest.mark.parametrize(
    ("per", "turn", "round_", "short", "long"),
    [
        ("turn", 1, 1, 1, 1),
        ("round", 0, 1, 1, 1),
        ("encounter", 0, 0, 1, 1),
        ("rest", 0, 0, 1, 1),
        ("day", 0, 0, 0, 1),
        ("long-rest", 0, 0, 0, 1),
        ("week", 0, 0, 0, 0),
    ],
)
def test_uses_come_back_when_their_span_begins_anew(per, turn, round_, short, long):
    drake = creature("drake", features=(Feature("howl", "Howl", "free", uses=1, per=per),))
    table = Table(drake, creature("tam"), scene=Scene(strictness="off"))
    table.start(drake=20, tam=10)

    def spent_until(*commands):
        if left(table)["uses.howl"][0]:
            table.does(UseFeature("drake", "howl"))
        table.does(*commands)
        return left(table)["uses.howl"][0]

    assert spent_until(EndTurn()) == turn
    assert spent_until(EndTurn()) == round_
    assert spent_until(Rest("short")) == short
    assert spent_until(Rest("long")) == long


def breathe(table):
    table.dice(10, 3, 4)
    table.does(UseFeature("drake", "breath", targets=("tam",)))
    table.dice()


def test_a_feature_rolls_to_come_back_as_its_owners_turn_begins():
    table = lair()
    breathe(table)
    assert table.one("tam").hp == 73
    assert left(table)["recharge.breath"] == (0, 1)
    next_round(table, 4)
    assert [(event.recharged, event.face) for event in table.happened(FeatureRechargeRolled)] == [(False, 4)]
    assert table.refuses(UseFeature("drake", "breath", targets=("tam",))).key == "refused.no_recharge"
    next_round(table, 5)
    assert table.happened(FeatureRechargeRolled)[-1].recharged
    assert left(table)["recharge.breath"] == (1, 1)


def next_round(table, *faces):
    """End both turns, the legendary actions left alone, and stand at the start of the drake's next one."""
    table.ends_turn(2)
    table.dice(*faces)
    skip_legendary(table)
    assert table.active == "drake"


def test_what_is_ready_and_whoever_is_down_roll_for_nothing():
    table = lair()
    table.ends_turn()
    skip_legendary(table)
    table.ends_turn()
    skip_legendary(table)
    assert not table.prompts
    breathe(table)
    table.ends_turn()
    table.does(SetDead("drake"))
    table.ends_turn()
    assert not table.prompts
    assert not table.happened(FeatureRechargeRolled)


def skip_legendary(table):
    while table.prompts and table.prompt.title == "prompt.legendary":
        table.chooses("pass")


def test_legendary_actions_are_offered_after_the_turns_of_others():
    table = lair()
    table.ends_turn()
    assert table.active == "tam"
    assert not table.prompts
    table.ends_turn()
    assert table.prompt.title == "prompt.legendary"
    table.chooses("tail")
    table.chooses("tam")
    table.answers(tam="3")
    table.answers(damage="6")
    assert table.one("tam").hp == 74
    assert table.active == "drake"
    assert left(table)["legendary"] == (3, 3)


def test_legendary_actions_cost_what_they_cost_and_come_back_on_ones_own_turn():
    table = Table(creature("drake", features=(TAIL,), legendary=3), "tam", "osk", foes=["drake"])
    table.start(tam=20, osk=15, drake=10)
    table.ends_turn()
    table.chooses("tail")
    table.chooses("tam")
    assert left(table)["legendary"] == (1, 3)
    table.skips()
    assert table.active == "osk"
    table.ends_turn()
    assert not table.prompts
    assert left(table)["legendary"] == (3, 3)


def test_a_legendary_action_is_refused_if_too_few_are_left():
    table = lair()
    table.ends_turn()
    table.does(UseFeature("drake", "tail", targets=("tam",), purpose="legendary"))
    table.skips()
    assert left(table)["legendary"] == (1, 3)
    refused = table.refuses(UseFeature("drake", "tail", targets=("tam",), purpose="legendary"))
    assert (refused.key, refused.can_be_overridden) == ("refused.no_uses", True)


def test_the_fallen_are_offered_no_legendary_action():
    table = lair()
    table.does(ApplyDamage(("drake",), "80"))
    table.ends_turn(2)
    assert all(prompt.title != "prompt.legendary" for prompt in table.prompts)


def test_those_who_can_not_act_are_offered_no_legendary_action():
    table = lair()
    table.does(ApplyCondition(("drake",), "incapacitated"))
    table.ends_turn(2)
    assert all(prompt.title != "prompt.legendary" for prompt in table.prompts)


def test_who_is_kept_from_acting_meanwhile_takes_none():
    table = Table(creature("drake", features=(TAIL,), legendary=3), "tam", "osk", foes=["drake"])
    table.start(drake=20, tam=15, osk=10)
    table.ends_turn(2)
    table.does(ApplyCondition(("drake",), "incapacitated"))
    table.chooses("tail")
    assert (left(table)["legendary"], table.prompts) == ((3, 3), [])


def test_a_legendary_attack_is_offered_only_at_those_it_reaches():
    claw = Feature("claw", "Claw", "legendary", attack=5, reach=5, damage="1d6 slashing")
    table = Table(creature("drake", features=(claw,), legendary=1), "tam", "osk", foes=["drake"])
    table.start(tam=20, osk=15, drake=10)
    table.does(SetRelation("drake", "tam", distance=30))
    table.ends_turn()
    table.chooses("claw")
    assert [option.id for option in table.prompt.asks[0].options] == ["osk"]
    table.chooses()
    table.does(SetRelation("drake", "osk", distance=30))
    table.ends_turn()
    table.chooses("claw")
    assert not table.prompts
    assert left(table)["legendary"] == (1, 1)


@pytest.mark.parametrize("typed", ["14", "0", "+2"])
def test_a_recharge_that_the_die_cannot_show_is_refused(typed):
    table = lair()
    breathe(table)
    table.ends_turn(2)
    skip_legendary(table)
    prompt = table.prompt
    refused = table.refuses(Answer(prompt.id, (Reply(prompt.asks[0].id, typed=typed),), prompt.revision))
    assert refused.key == "refused.dice_expression"
    table.does(Answer(prompt.id, (Reply(prompt.asks[0].id, typed="6"),), prompt.revision))
    assert table.happened(FeatureRechargeRolled)[-1].face == 6


@pytest.mark.parametrize(("charmed", "offered"), [(False, ["tail", "pass"]), (True, ["drain", "tail", "pass"])])
def test_a_legendary_action_without_a_possible_target_is_not_offered(charmed, offered):
    when = "target.has-from-other:charmed"
    drain = Feature("drain", "Drain", "legendary", damage="2d6 psychic", targets=1, when=when)
    table = Table(creature("drake", features=(drain, TAIL), legendary=3), "tam", "osk", foes=["drake"])
    table.start(tam=20, osk=15, drake=10)
    if charmed:
        table.does(ApplyCondition(("osk",), "charmed", by="drake"))
    table.ends_turn()
    assert [option.id for option in table.prompt.asks[0].options] == offered
