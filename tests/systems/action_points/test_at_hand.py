"""What is about: items in the bags and within reach, and what a search brings to light."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.systems.action_points.fights import FLOOR, SWORD, Fight, person
from turnwright.encounter.prepared import Environment, EnvironmentEntry, Feature, Map, Obstacle, Scene
from turnwright.encounter.running import EntryState
from turnwright.play.actions.action import TakeAction
from turnwright.play.environment.environment_check import EnvironmentCheckPassed
from turnwright.play.setup.prepared_records import Add
from turnwright.play.state.events import ActionTaken

TABLE_OF_THINGS = msgspec.structs.replace(
    FLOOR,
    obstacles=(
        Obstacle("vial", "Vial on the table", (2, 1), item=True),
        Obstacle("flask", "Flask by the door", (6, 1), item=True),
        Obstacle("table", "Table", (2, 2)),
    ),
)
TAUNT = Feature("taunt", "Taunt", "action")
DRAUGHT = Feature("draught", "Draught", "action", price=2, spends=(("willpower", 1),), properties=("item",))


def bearer(field: Map | None = TABLE_OF_THINGS, **fields: Any) -> Fight:
    """Bob with a draught in his bags and a vial in reach; a flask is 10 m away."""
    table = Fight(person("bob", wp=1, features=(SWORD, TAUNT, DRAUGHT), **fields), "orc", foes=("orc",), field=field)
    return table.puts(bob=(1, 1), orc=(12, 12)) if field else table


@pytest.mark.rule("ap.action.item.access")
def test_what_is_in_the_bags_or_within_reach_can_be_used() -> None:
    table = bearer()
    table.does(TakeAction("bob", "item"))
    (which,) = table.prompt.asks
    assert [(one.id, one.label) for one in which.options] == [("draught", "Draught"), ("vial", "Vial on the table")]
    assert which.rule == "ap.action.item.access"
    table.answers(choice="vial")
    table.answers(points=1)
    assert (table.happened(ActionTaken)[-1].note, table.points("bob")[0]) == ("Vial on the table", 5)
    refused = table.refuses(TakeAction("bob", "item", choice="flask"))
    assert (refused.key, refused.rule) == ("refused.item_out_of_reach", "ap.action.item.access")
    table.puts(bob=(5, 1))
    table.does(TakeAction("bob", "item"))
    assert [one.id for one in table.prompt.asks[0].options] == ["draught", "flask"]


@pytest.mark.rule("ap.action.item.access", "ap.action.item.cost")
def test_an_item_of_the_bags_takes_what_stands_on_it() -> None:
    table = bearer()
    table.does(TakeAction("bob", "item"))
    table.answers(choice="draught")
    assert (table.points("bob")[0], table.track("bob", "willpower"), table.prompts) == (4, 0, [])
    done = table.happened(ActionTaken)[-1]
    assert (done.action, done.rule) == ("Draught", "ap.action.item.cost")


def test_where_nobody_knows_where_somebody_is_their_word_is_enough() -> None:
    nowhere = Fight(person("bob", gear=("rope",)), "orc", foes=("orc",), field=TABLE_OF_THINGS)
    nowhere.does(TakeAction("bob", "item"))
    assert [one.id for one in nowhere.prompt.asks[0].options] == ["gear:rope", "vial", "flask"]
    bare = Fight("bob", "orc", foes=("orc",), field=None)
    bare.does(TakeAction("bob", "item", note="a stone", points=1))
    assert bare.points("bob")[0] == 5


def cavern(*secret: str, **scene: Any) -> Fight:
    """Bob in a place with these secrets, and a rock that everybody sees."""
    table = Fight("bob", "orc", foes=("orc",), scene=Scene(strictness="enforce", **scene))
    rows = tuple(EnvironmentEntry(one, one.capitalize(), secret=True) for one in secret)
    table.does(Add((Environment("cave", "Cave", features=(*rows, EnvironmentEntry("rock", "Rock"))),)))
    return table


@pytest.mark.rule("ap.hazard.revealed_by_investigate", "ap.action.investigate.dm_information")
@pytest.mark.parametrize("found", [(), ("pit",), ("pit", "wire")])
def test_a_search_that_succeeds_offers_what_is_hidden(found: tuple[str, ...]) -> None:
    table = cavern("pit", "wire")
    table.does(TakeAction("bob", "investigate"))
    table.answers(check="check.wit:perception")
    table.answers(roll="16")
    (ask,) = table.prompt.asks
    assert ([one.label for one in ask.options], ask.rule) == (["Pit", "Wire"], "ap.hazard.revealed_by_investigate")
    table.answers(finds=tuple(f"cave.{one}" for one in found))
    states = {one.entry: one.revealed for one in table.encounter.all(EntryState)}
    assert {one for one in ("pit", "wire") if states.get(one)} == {*found}
    assert [one.entry for one in table.happened(EnvironmentCheckPassed)] == [*found]
    table.does(TakeAction("bob", "investigate"))
    table.answers(check="check.wit:perception")
    table.answers(roll="16")
    left = [one.label for ask in table.prompt.asks for one in ask.options] if table.prompts else []
    assert left == [one.capitalize() for one in ("pit", "wire") if one not in found]


@pytest.mark.rule("ap.hazard.revealed_by_investigate")
def test_a_search_that_comes_to_nothing_offers_nothing() -> None:
    table = cavern("pit")
    table.does(TakeAction("bob", "investigate"))
    table.answers(check="check.wit:perception")
    table.skips()
    assert (table.prompts, table.happened(EnvironmentCheckPassed)) == ([], [])


def test_where_nothing_is_hidden_nothing_is_offered() -> None:
    table = cavern()
    table.does(TakeAction("bob", "investigate"))
    table.answers(check="check.wit:perception")
    table.answers(roll="16")
    assert table.prompts == []


def test_what_is_not_there_is_not_used() -> None:
    table = bearer()
    assert table.refuses(TakeAction("bob", "item", choice="crown")).key == "refused.unknown"
    table.does(TakeAction("bob", "item", choice="something-else", note="a loose brick", points=1))
    assert table.happened(ActionTaken)[-1].note == "a loose brick"
