"""What may be done at all, and for which purpose: those who are down do nothing, and what was not readied isn't released."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.play.attack_table import AXE, SHORTBOW, STRONG, Fray
from tests.play.map_table import Field
from tests.table import Table, creature
from turnwright.encounter.prepared import Feature, RosterEntry
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.use_feature import CommandFollowers, UseFeature
from turnwright.play.attacks.attack_request import Attack, Attacked, FeatureUsed
from turnwright.play.attacks.group_attack import CommandMount
from turnwright.play.damage.manual_hit_points import SetDead, SetHitPoints
from turnwright.play.movement.commanded_move import MoveFeet, MovePath
from turnwright.play.movement.forced_movement import StandUp
from turnwright.play.movement.mounting import MountOrDismount
from turnwright.play.movement.move import Moved

RAY = Feature("ray", "Ray", "action", save="dex", dc=13, range="30", damage="1d6 fire", properties=("spell",))
GRASP = Feature("grasp", "Grasp", "action", save="con", dc=13, reach=5, damage="1d6 necrotic", properties=("spell",))
BREATH = Feature("breath", "Breath", "action", save="dex", dc=13, range="30", area="cone 30", damage="1d6 fire")
BOLT = Feature("bolt", "Bolt", "action", attack=6, range="60", damage="1d10 fire", properties=("spell",))
DOOR = "when the door opens"


def pair() -> Fray:
    """A, who has a bow, an axe and spells, beside foe T; A's turn."""
    a = creature("a", features=(SHORTBOW, AXE, RAY, GRASP, BREATH, BOLT), abilities=STRONG)
    table = Fray(a, creature("t", hp=90), foes=("t",))
    return table.puts(a=(1, 1), t=(2, 1))  # type: ignore[return-value]


# How far -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.action.monster-options")
@pytest.mark.parametrize(
    ("feature", "near", "far", "key"),
    [("ray", 7, 8, "refused.out_of_range"), ("grasp", 2, 3, "refused.out_of_reach")],
)
def test_a_feature_goes_no_farther_than_its_range(feature: str, near: int, far: int, key: str) -> None:
    table = pair().puts(t=(far, 1))
    refused = table.refuses(UseFeature("a", feature, targets=("t",)))
    assert (refused.key, refused.rule) == (key, "a5e.action.monster-options")
    table.puts(t=(near, 1))
    table.does(UseFeature("a", feature, targets=("t",)))
    assert table.happened(FeatureUsed)


def test_an_area_reaches_beyond_where_it_begins() -> None:
    table = pair().puts(t=(15, 1))
    table.does(UseFeature("a", "breath", targets=("t",)))
    assert table.happened(FeatureUsed)


def test_nobody_attacks_themselves() -> None:
    table = pair()
    assert table.refuses(Attack("a", "a", "axe")).key == "refused.oneself"


# Who can act ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("a5e.external.incapacitated")
@pytest.mark.parametrize("down", [SetDead("a"), SetHitPoints("a", hp=0)])
def test_whoever_is_down_does_nothing(down: SetDead | SetHitPoints) -> None:
    table = pair()
    table.does(down)
    while table.prompts:
        table.skips()
    for command in (
        UseFeature("a", "ray", targets=("t",)),
        UseFeature("a", "ray", targets=("t",), purpose="free"),
        UseFeature("a", "ray", targets=("t",), purpose="legendary"),
        Attack("a", "t", "axe"),
        Attack("a", "t", "axe", purpose="free"),
    ):
        refused = table.refuses(command)
        assert (refused.key, refused.rule) == ("refused.down", "a5e.external.incapacitated")
    for command in (
        TakeAction("a", "dodge"),
        TakeAction("a", "something of my own"),
        MoveFeet("a", 5),
        MovePath("a", ((1, 2),)),
        StandUp("a"),
    ):
        table.refuses(command)
    assert not table.happened(Moved)


@pytest.mark.rule("a5e.external.incapacitated")
@pytest.mark.parametrize(
    "command",
    [TakeAction("a", "dodge"), TakeAction("a", "a song"), MoveFeet("a", 5), MovePath("a", ((1, 2),)), StandUp("a")],
)
def test_the_dead_are_told_why(command: TakeAction | MoveFeet | MovePath | StandUp) -> None:
    table = pair()
    table.does(SetDead("a"))
    refused = table.refuses(command)
    assert (refused.key, refused.rule) == ("refused.down", "a5e.external.incapacitated")


# What for ------------------------------------------------------------------------------------------------------


def readied(response: str) -> Fray:
    """A has readied a response, and T's turn has come."""
    table = pair()
    table.does(TakeAction("a", "ready", DOOR, choice=response))
    table.ends_turn()
    return table


@pytest.mark.rule("a5e.action.ready.reaction")
@pytest.mark.parametrize(
    ("response", "works"),
    [("move", ""), ("action", ""), ("attack", "axe"), ("axe", "axe"), ("shortbow", ""), ("bolt", "bolt")],
)
def test_only_the_attack_that_was_readied_is_made(response: str, works: str) -> None:
    for means in ("axe", "bolt"):
        table = readied(response)
        command = Attack("a", "t", means, purpose="readied")
        if means == works:
            table.dice(15, 4)
            table.does(command)
            assert table.happened(Attacked)
        else:
            refused = table.refuses(command)
            assert (refused.key, refused.rule) == ("refused.other_readied", "a5e.action.ready.reaction")


@pytest.mark.parametrize("response", ["move", "attack", "grasp"])
def test_only_the_feature_that_was_readied_is_used(response: str) -> None:
    table = readied(response)
    assert table.refuses(UseFeature("a", "ray", targets=("t",), purpose="readied")).key == "refused.other_readied"
    table = readied("ray")
    table.does(UseFeature("a", "ray", targets=("t",), purpose="readied"))
    assert table.happened(FeatureUsed)


@pytest.mark.rule("a5e.round.on-turn")
def test_what_costs_nothing_still_takes_ones_turn() -> None:
    table = pair()
    table.dice(15, 4)
    table.does(Attack("a", "t", "axe", purpose="free"))
    assert (table.track("a", "action"), len(table.happened(Attacked))) == (1, 1)
    table.ends_turn()
    for command in (
        Attack("a", "t", "axe", purpose="free"),
        UseFeature("a", "ray", targets=("t",), purpose="free"),
    ):
        assert table.refuses(command).rule == "a5e.round.on-turn"


def company() -> Table:
    """P, whose wolf obeys, and T; P's turn."""
    bite = Feature("bite", "Bite", "action", attack=4, reach=5, damage="2d4 piercing")
    blocks = (creature("p"), creature("wolf", features=(bite, replace(RAY, properties=()))), creature("t", hp=60))
    table = Table(
        *blocks,
        roster=[RosterEntry("p", "p"), RosterEntry("wolf", "wolf", controller="p"), RosterEntry("t", "t")],
    )
    table.start(p=20, t=10)
    return table


@pytest.mark.rule("a5e.control.command")
def test_nobody_acts_on_a_command_that_was_not_given() -> None:
    table = company()
    for command in (
        Attack("wolf", "t", "bite", purpose="commanded"),
        UseFeature("wolf", "ray", targets=("t",), purpose="commanded"),
        UseFeature("p", given=RAY, targets=("t",), purpose="commanded"),
        Attack("t", "p", purpose="commanded"),
    ):
        refused = table.refuses(command)
        commanded = table.one(command.who).controller
        key = "refused.not_commanded" if commanded else "refused.no_controller"
        assert (refused.key, refused.rule) == (key, "a5e.control.command")


@pytest.mark.rule("a5e.control.command")
def test_a_command_takes_the_action_of_whoever_obeys() -> None:
    table = company()
    table.does(CommandFollowers("p", ("wolf",), "attack", "t"))
    table.dice(15, 2, 2)
    table.does(Attack("wolf", "t", "bite", purpose="commanded"))
    assert table.track("wolf", "action") == 0
    assert table.refuses(Attack("wolf", "t", "bite", purpose="commanded")).key == "refused.none_left"
    table = company()
    table.does(CommandFollowers("p", ("wolf",), "attack", "t"))
    table.does(UseFeature("wolf", "ray", targets=("t",), purpose="commanded"))
    assert table.track("wolf", "action") == 0


def test_a_mount_that_was_told_to_strikes_once() -> None:
    hoof = Feature("hoof", "Hoof", "action", attack=5, reach=5, damage="1d6 bludgeoning")
    table = Field(creature("ada"), creature("horse", size="large", features=(hoof,)), creature("t"), foes=("t",))
    table.puts(ada=(1, 1), horse=(2, 1), t=(4, 1))
    table.does(MountOrDismount("ada", "horse"))
    table.chooses("carries")
    table.ends_turn(3)
    table.dice(15, 3)
    table.does(CommandMount("ada", "attack", "t"))
    while table.prompts:
        table.skips()
    assert len(table.happened(Attacked)) == 1
    assert table.refuses(Attack("horse", "t", "hoof", purpose="commanded")).key == "refused.obeys_rider"
