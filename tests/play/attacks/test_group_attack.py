"""Who of a group can attack, and whom it can reach."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.play.map_table import YARD
from tests.table import Table, creature
from turnwright.encounter.prepared import Feature, RosterEntry
from turnwright.encounter.running import Combatant, Effect
from turnwright.play.actions.use_feature import CommandFollowers
from turnwright.play.attacks.attack_request import FeatureUsed
from turnwright.play.attacks.group_attack import GroupAttack
from turnwright.play.damage.manual_hit_points import SetDead, SetHitPoints
from turnwright.play.state.position_changes import SetPosition

BITE = Feature("bite", "Bite", "action", attack=4, reach=5, damage="2d4 piercing")
BOW = Feature("bow", "Bow", "action", attack=4, range="30/60", damage="1d6 piercing")
CLAW = Feature("claw", "Claw", "action", attack=4, damage="1d4 slashing")
HOWL = Feature("howl", "Howl", "action", save="wis", dc=12, range="30", damage="1d4 psychic")
STORM = replace(HOWL, id="storm", name="Storm", area="cube 10")
PACK = ("wolf-1", "wolf-2", "wolf-3")


def pack(column: int = 4) -> Table:
    """P's three wolves in a row above one another, told to attack, and T on their row in some column."""
    blocks = (creature("p"), creature("wolf", features=(BITE, CLAW, BOW, HOWL, STORM)), creature("t", hp=60))
    roster = [
        RosterEntry("p", "p"),
        RosterEntry("wolf", "wolf", count=3, controller="p", group=True),
        RosterEntry("t", "t", side="enemies"),
    ]
    table = Table(*blocks, roster=roster, surroundings=[replace(YARD, columns=40)])
    table.start(p=20, t=10)
    for index, one in enumerate(PACK):
        table.does(SetPosition(one, position=(3, 3 + index)))
    table.does(SetPosition("t", position=(column, 4)))
    table.does(CommandFollowers("p", PACK, "attack", "t"))
    return table


def test_each_of_a_group_has_to_reach_its_target() -> None:
    table = pack()
    table.does(GroupAttack(PACK, "t", "bite"))
    assert table.happened(FeatureUsed)[-1].numbers == 2
    for beyond in ("bite", "claw"):
        assert pack(5).refuses(GroupAttack(PACK, "t", beyond)).key == "refused.out_of_reach"
    far = pack(28)
    assert far.refuses(GroupAttack(PACK, "t", "bite")).key == "refused.out_of_reach"
    one_too_far = pack()
    one_too_far.does(SetPosition("t", position=(4, 3)))
    assert one_too_far.refuses(GroupAttack(PACK, "t", "bite")).key == "refused.out_of_reach"
    one_too_far.does(GroupAttack(PACK[:2], "t", "bite"))


@pytest.mark.parametrize(("means", "far", "near"), [("bow", 16, 15), ("howl", 10, 9)])
def test_or_to_have_it_in_range(means: str, far: int, near: int) -> None:
    assert pack(far).refuses(GroupAttack(PACK, "t", means)).key == "refused.out_of_range"
    table = pack(near)
    table.does(GroupAttack(PACK, "t", means))
    assert table.happened(FeatureUsed)


def test_an_area_is_not_measured() -> None:
    table = pack(30)
    table.does(GroupAttack(PACK, "t", "storm"))
    assert table.happened(FeatureUsed)


@pytest.mark.rule("a5e.control.attack.numbers")
@pytest.mark.parametrize("down", [SetHitPoints("wolf-1", hp=0), SetDead("wolf-1")])
def test_those_who_are_down_count_for_nothing(down: SetHitPoints | SetDead) -> None:
    table = pack()
    table.does(down)
    table.does(GroupAttack(PACK, "t", "bite"))
    used = table.happened(FeatureUsed)[-1]
    assert (used.who, used.numbers, used.dc) == (("wolf-2", "wolf-3"), 1, 8 + 4 + 1)


@pytest.mark.rule("a5e.external.incapacitated")
def test_a_group_of_which_nobody_stands_does_nothing() -> None:
    table = pack()
    for one in PACK:
        table.does(SetHitPoints(one, hp=0))
    refused = table.refuses(GroupAttack(PACK, "t", "bite"))
    assert (refused.key, refused.rule) == ("refused.down", "a5e.external.incapacitated")


@pytest.mark.parametrize("target", ["wolf-1", "wolf-3"])
def test_a_group_attacks_none_of_its_own(target: str) -> None:
    table = pack()
    assert table.refuses(GroupAttack(PACK[:2], target, "bite")).key in ("refused.own_group", "refused.other_target")
    table.ends_turn(2)
    table.does(CommandFollowers("p", PACK, "attack"))
    assert table.refuses(GroupAttack(PACK[:2], target, "bite")).key == "refused.own_group"


@pytest.mark.rule("a5e.control.command")
def test_a_command_goes_to_those_who_stand() -> None:
    table = pack()
    table.ends_turn(2)
    table.does(SetHitPoints("wolf-1", hp=0))
    table.does(CommandFollowers("p", PACK, "attack", "t"))
    assert {one.target for one in table.encounter.all(Effect) if one.name == "commanded"} == {"wolf-2", "wolf-3"}
    fallen = pack()
    fallen.ends_turn(2)
    for one in fallen.encounter.all(Combatant):
        if one.creature == "wolf":
            fallen.does(SetHitPoints(one.id, hp=0))
    assert fallen.refuses(CommandFollowers("p", PACK, "attack", "t")).key == "refused.down"
    assert fallen.track("p", "bonus") == 1
