"""What was said of how people stand: it is open again when one of them moves, and the journal says so in one line."""

from __future__ import annotations

import pytest

from tests.play.map_table import YARD, Field
from tests.table import creature
from turnwright.encounter.prepared import Map
from turnwright.encounter.running import Relation
from turnwright.play.kernel.transaction import Command
from turnwright.play.movement.commanded_move import MoveFeet, MovePath
from turnwright.play.movement.forced_movement import DropProne, ForceMove
from turnwright.play.movement.mounting import MountOrDismount
from turnwright.play.movement.move import Moved
from turnwright.play.state.position_changes import RelationCleared, SetPosition, SetRelation
from turnwright.rules.parts.positions import geometry


def fray(field: Map | None = None) -> Field:
    """Ada's turn, with Bo beside her against two orcs; of each pair all is said."""
    table = Field("ada", "bo", "orc", "ogre", foes=("orc", "ogre"), field=field)
    if field is not None:
        table.puts(ada=(4, 4), bo=(4, 5), orc=(5, 4), ogre=(9, 9))
    for one in ("ada", "bo"):
        table.does(SetRelation(one, "orc", distance=5, cover="half", seen=False, height=10, reached=True, flanked=True))
    table.does(SetRelation("orc", "ada", reached=True))
    return table


def said(table: Field, one: str, other: str) -> dict[str, object]:
    """What is said of a pair."""
    pair = geometry.stated_relation(table.encounter, one, other)
    fields = ("distance", "height", "cover", "seen", "flanked", "reached")
    return {} if pair is None else {name: value for name in fields if (value := getattr(pair, name)) not in (None, "")}


def test_without_a_grid_what_goes_by_feet_is_open_when_one_moves() -> None:
    table = fray()
    others = said(table, "bo", "orc")
    table.does(MoveFeet("ada", 10))
    assert said(table, "ada", "orc") == {"seen": False, "height": 10}
    assert geometry.stated_relation(table.encounter, "orc", "ada") is None
    assert said(table, "bo", "orc") == others
    assert [(one.who, one.others) for one in table.happened(RelationCleared)] == [("ada", ("orc",))]


def test_whoever_is_moved_away_from_is_open_too() -> None:
    table = fray()
    table.ends_turn(2)
    table.does(MoveFeet("orc", 5))
    assert [said(table, one, "orc") for one in ("ada", "bo")] == [{"seen": False, "height": 10}] * 2
    assert [(one.who, one.others) for one in table.happened(RelationCleared)] == [("orc", ("ada", "bo"))]


def test_who_climbs_is_no_more_as_high_above_as_was_said() -> None:
    table = fray()
    table.does(MoveFeet("ada", 5, "climb", up=5))
    assert said(table, "ada", "orc") == {"seen": False}


def test_to_whom_one_stands_as_before_nothing_changes() -> None:
    table = fray()
    table.does(SetRelation("ada", "ogre", distance=30))
    before = said(table, "ada", "orc")
    table.does(MoveFeet("ada", 10, keeps=("orc",)))
    assert (said(table, "ada", "orc"), said(table, "ada", "ogre")) == (before, {})
    assert said(table, "orc", "ada") == {"reached": True}


@pytest.mark.parametrize("command", [MoveFeet("ada", 0), DropProne("ada"), SetRelation("ada", "ogre", seen=True)])
def test_who_stays_where_they_are_stands_as_before(command: Command) -> None:
    table = fray()
    before = said(table, "ada", "orc")
    table.does(command)
    assert (said(table, "ada", "orc"), table.happened(RelationCleared)) == (before, [])


def test_of_what_does_not_go_by_feet_nothing_is_told() -> None:
    table = Field("ada", "orc", foes=("orc",), field=None)
    table.does(SetRelation("ada", "orc", seen=False, height=10))
    table.does(MoveFeet("ada", 10))
    assert (said(table, "ada", "orc"), table.happened(RelationCleared)) == ({"seen": False, "height": 10}, [])


def test_those_who_move_together_stand_as_before_to_each_other() -> None:
    horse = creature("horse", size="large", speeds=(("walk", 60),))
    table = Field("ada", "bo", horse, "orc", foes=("orc",), field=None)
    table.does(SetRelation("ada", "bo", distance=5))
    table.does(SetRelation("bo", "orc", distance=5))
    table.does(MoveFeet("ada", 5, drags="bo"))
    assert (said(table, "ada", "bo"), said(table, "bo", "orc")) == ({"distance": 5}, {})
    table.does(MountOrDismount("ada", "horse"))
    table.chooses("carries")
    table.does(SetRelation("horse", "orc", reached=True))
    table.does(SetRelation("ada", "horse", cover="half"))
    table.does(MoveFeet("ada", 5))
    assert (said(table, "horse", "orc"), said(table, "ada", "horse")) == ({}, {"cover": "half"})


@pytest.mark.parametrize(
    "command",
    [
        MovePath("ada", ((4, 3), (4, 2))),
        MoveFeet("ada", 10),
        ForceMove("ada", (4, 2), how="forced"),
        SetPosition("ada", position=(4, 2)),
    ],
)
def test_on_a_map_the_squares_say_it_again(command: Command) -> None:
    table = fray(YARD)
    table.does(command)
    while table.prompts:
        table.skips()
    kept = {"seen": False, "height": 10} if isinstance(command, MoveFeet) else {}
    assert said(table, "ada", "orc") == kept
    assert said(table, "bo", "orc") != {}
    assert geometry.distance(table.encounter, table.rules, "ada", "orc") == (5 if isinstance(command, MoveFeet) else 10)
    assert len(table.happened(RelationCleared)) == 1


def test_being_put_on_the_map_at_first_changes_nothing_that_was_said() -> None:
    table = Field("ada", "orc", foes=("orc",))
    table.does(SetRelation("ada", "orc", distance=5))
    table.does(SetPosition("ada", position=(1, 1)))
    assert (said(table, "ada", "orc"), table.happened(RelationCleared)) == ({"distance": 5}, [])


def test_it_is_told_in_one_line_after_the_move_and_comes_back_with_undo() -> None:
    table = fray()
    before = {one.id: one for one in table.encounter.all(Relation)}
    step = table.does(MoveFeet("ada", 10))
    assert step is not None
    told = [event for event in step.events if isinstance(event, Moved | RelationCleared)]
    assert [type(event) for event in told] == [Moved, RelationCleared]
    assert [line.phrase.key for line in step.lines].count("journal.parted") == 1
    table.session.undo()
    assert {one.id: one for one in table.encounter.all(Relation)} == before
    table.session.redo()
    assert said(table, "ada", "orc") == {"seen": False, "height": 10}


def test_who_strikes_at_the_one_leaving_still_finds_them_as_was_said() -> None:
    table = fray()
    table.does(MoveFeet("ada", 10, leaves=("orc",)))
    assert said(table, "ada", "orc")["flanked"] is True
    table.chooses("pass")
    assert "flanked" not in said(table, "ada", "orc")
