"""What is left of slots, uses and the like can be set by hand, for those who have them."""

import pytest

from tests.table import Table, creature
from turnwright.encounter.prepared import Feature, Scene
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.damage.manual_hit_points import Rest, SetTrack
from turnwright.play.fuzz.runner import problems
from turnwright.play.kernel.events import RuleOverridden
from turnwright.play.setup.prepared_records import Edit
from turnwright.play.state.action_economy import UsesSet
from turnwright.play.state.events import TrackSet
from turnwright.rules.parts.economy.limited_uses import all_uses

DRAKE = creature(
    "drake",
    features=(Feature("breath", "Breath", "action", recharge=5), Feature("howl", "Howl", "free", uses=2)),
    slots=(("2", 1),),
    legendary=3,
)


@pytest.fixture
def table():
    table = Table(DRAKE, creature("tam"), foes=["drake"])
    table.start(drake=20, tam=10)
    return table


def left(table):
    return {track.name: (track.value, track.maximum) for track in all_uses(table.encounter, "drake")}


@pytest.mark.parametrize(
    ("supply", "value", "now", "said"),
    [
        ("slots.2", 0, (0, 1), ("", 1, 0)),
        ("uses.howl", 1, (1, 2), ("Howl", 2, 1)),
        ("recharge.breath", 0, (0, 1), ("Breath", 1, 0)),
        ("legendary", 1, (1, 3), ("", 3, 1)),
    ],
)
def test_it_is_set_and_told(table, supply, value, now, said):
    table.does(SetTrack("drake", supply, value))
    assert left(table)[supply] == now
    event = table.happened(UsesSet)[-1]
    assert (event.use_key, event.what, event.before, event.left) == (supply, *said)


def test_more_than_all_of_it_takes_somebody_who_insists(table):
    refused = table.refuses(SetTrack("drake", "slots.2", 3))
    assert (refused.key, dict(refused.params)) == ("refused.more_than_all", {"who": "Drake", "most": 1})
    assert refused.rule == "a5e.action.monster-options"
    assert left(table)["slots.2"] == (1, 1)
    table.does(SetTrack("drake", "slots.2", 3), anyway=True)
    assert left(table)["slots.2"] == (3, 3)
    assert table.happened(RuleOverridden)[-1].reason == "refused.more_than_all"
    assert problems(table.encounter) == []
    table.does(SetTrack("drake", "slots.2", 2))
    assert left(table)["slots.2"] == (2, 2)
    table.does(Rest("long"))
    assert left(table)["slots.2"] == (1, 1)
    assert table.refuses(SetTrack("drake", "slots.2", 2)).key == "refused.more_than_all"


def test_what_is_more_than_all_of_it_is_spent_like_the_rest(table):
    table.does(SetTrack("drake", "uses.howl", 3), anyway=True)
    for now in ((2, 2), (1, 2)):
        table.does(UseFeature("drake", "howl"))
        assert left(table)["uses.howl"] == now
        assert problems(table.encounter) == []


def test_a_table_without_strictness_sets_what_it_likes(table):
    table.does(Edit(Scene(strictness="off")))
    table.does(SetTrack("drake", "legendary", 5))
    assert left(table)["legendary"] == (5, 5)


@pytest.mark.parametrize("track", ["uses.howl", "reaction", "fatigue"])
def test_nobody_has_less_than_none(table, track):
    assert table.refuses(SetTrack("drake", track, -1)).key == "refused.negative"


@pytest.mark.parametrize("supply", ["slots.1", "uses.breath", "recharge.howl", "uses.nothing", "charges"])
def test_what_somebody_has_not_got_can_not_be_set(table, supply):
    assert table.refuses(SetTrack("drake", supply, 1)).key == "refused.unknown"


def test_it_is_each_creatures_own(table):
    assert table.refuses(SetTrack("tam", "legendary", 1)).key == "refused.unknown"


@pytest.mark.parametrize("value", [1, 0])
def test_a_resource_is_set_within_its_amount(table, value):
    table.does(SetTrack("tam", "reaction", value))
    assert table.track("tam", "reaction") == value
    assert table.happened(TrackSet)[-1].after == value


def test_more_of_a_resource_lasts_until_it_is_given_back(table):
    refused = table.refuses(SetTrack("tam", "reaction", 2))
    assert (refused.key, refused.rule) == ("refused.more_than_all", "a5e.turn.one-reaction")
    table.does(SetTrack("tam", "reaction", 2), anyway=True)
    assert table.track("tam", "reaction") == 2
    assert problems(table.encounter) == []
    table.ends_turn()
    assert (table.active, table.track("tam", "reaction")) == ("tam", 1)
