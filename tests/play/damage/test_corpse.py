"""What becomes of bodies: those of flyers, of mounts with somebody on them, and of allies who can't be pulled along."""

from __future__ import annotations

import pytest

from tests.play.map_table import Field
from tests.play.movement.test_mounting import mounted
from tests.table import creature
from turnwright.encounter.prepared import Map
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.movement.events import FallBegan
from turnwright.play.movement.mounting import MountOrDismount
from turnwright.play.state.position_changes import SetPosition


def aloft(*, flies: bool = True, ridden: bool = False) -> Field:
    """A griffon 40 ft up, Ada on it or on the ground, and an orc below; Ada's turn."""
    speeds = (("walk", 30), ("fly", 80)) if flies else (("walk", 30),)
    griffon = creature("griffon", hp=30, size="large", speeds=speeds)
    table = Field("ada", griffon, "orc", foes=("orc",), field=Map(columns=16, rows=16))
    table.puts(ada=(3, 3, 40 if ridden else 0), griffon=(3, 3, 40), orc=(12, 12))
    if ridden:
        table.does(MountOrDismount("ada", "griffon"))
        table.chooses("carries")
    return table


def test_a_flyer_that_dies_in_the_air_comes_down() -> None:
    table = aloft()
    table.does(ApplyDamage(("griffon",), "30"))
    assert (table.one("griffon").dead, table.one("griffon").elevation) == (True, 0)
    assert [(one.who, one.feet) for one in table.happened(FallBegan)] == [("griffon", 40)]
    assert table.prompts == []


def test_the_dead_who_stood_on_something_stay_there() -> None:
    table = aloft(flies=False)
    table.does(ApplyDamage(("griffon",), "30"))
    assert (table.one("griffon").elevation, table.happened(FallBegan)) == (40, [])


def test_a_rider_falls_when_what_bears_it_through_the_air_dies() -> None:
    table = aloft(ridden=True)
    table.does(SetDead("griffon"))
    assert [(one.who, one.feet) for one in table.happened(FallBegan)] == [("griffon", 40), ("ada", 40)]
    assert table.one("ada").rides == ""
    table.dice(3, 3, 3, 3)
    table.chooses("usual")
    assert (table.one("ada").elevation, table.one("ada").hp) == (0, 8)


@pytest.mark.parametrize(("answer", "lies"), [("land", False), ("pass", True)])
def test_a_rider_comes_off_a_mount_that_dies_under_it(answer: str, lies: bool) -> None:
    table = mounted()
    table.does(SetDead("horse"))
    table.chooses(answer)
    assert (table.one("ada").rides, "prone" in table.effects("ada")) == ("", lies)


def test_a_dead_rider_comes_off_without_a_word() -> None:
    table = mounted()
    table.does(SetDead("ada"))
    table.does(SetDead("horse"))
    assert table.prompts == []


def test_the_dead_are_not_pulled_along() -> None:
    table = Field("ada", "bo", "orc", foes=("orc",), field=None)
    assert table.does(MoveFeet("ada", 5, drags="bo")) is not None
    table.does(SetDead("bo"))
    refused = table.refuses(MoveFeet("ada", 5, drags="bo"))
    assert (refused.key, refused.rule, refused.can_be_overridden) == (
        "refused.drag_dead",
        "a5e.tactic.drag.start",
        True,
    )


def test_places_are_as_they_were_for_those_who_die_on_the_ground() -> None:
    table = aloft()
    table.does(SetPosition("griffon", position=(3, 3), elevation=0))
    table.does(SetDead("griffon"))
    assert table.happened(FallBegan) == []
