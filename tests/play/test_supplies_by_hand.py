"""What is left of slots, uses and the like can be set by hand, for those who have them."""

import pytest

from tests.table import Table, creature
from turnwright.encounter.prepared import Feature
from turnwright.play.commands import SetTrack
from turnwright.play.events import SupplySet, TrackSet
from turnwright.play.supplies import supplies

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
    return {track.name: (track.value, track.maximum) for track in supplies(table.encounter, "drake")}


@pytest.mark.parametrize(
    ("supply", "value", "now", "said"),
    [
        ("slots.2", 0, (0, 1), ("", 1, 0)),
        ("uses.howl", 1, (1, 2), ("Howl", 2, 1)),
        ("recharge.breath", -4, (0, 1), ("Breath", 1, 0)),
        ("legendary", 1, (1, 3), ("", 3, 1)),
    ],
)
def test_it_is_set_and_told(table, supply, value, now, said):
    table.does(SetTrack("drake", supply, value))
    assert left(table)[supply] == now
    event = table.happened(SupplySet)[-1]
    assert (event.supply, event.what, event.before, event.left) == (supply, *said)


def test_nobody_has_more_than_all_of_it(table):
    table.does(SetTrack("drake", "uses.howl", 0))
    table.does(SetTrack("drake", "uses.howl", 9))
    assert left(table)["uses.howl"] == (2, 2)


@pytest.mark.parametrize("supply", ["slots.1", "uses.breath", "recharge.howl", "uses.nothing", "charges"])
def test_what_somebody_has_not_got_can_not_be_set(table, supply):
    assert table.refuses(SetTrack("drake", supply, 1)).key == "refused.unknown"


def test_it_is_each_creatures_own(table):
    assert table.refuses(SetTrack("tam", "legendary", 1)).key == "refused.unknown"


@pytest.mark.parametrize(("value", "stands"), [(3, 1), (1, 1), (0, 0)])
def test_a_resource_stays_within_its_amount(table, value, stands):
    table.does(SetTrack("tam", "reaction", value))
    assert table.track("tam", "reaction") == stands
    assert table.happened(TrackSet)[-1].after == stands
