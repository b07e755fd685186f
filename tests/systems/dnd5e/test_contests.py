"""Grappling, shoving and getting free by the rules of D&D 5e: one side's Athletics against the other's."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.systems.dnd5e.fights import STRONG, SWORD, Fight, pair
from tests.table import creature
from turnwright.encounter.prepared import Feature, InflictedCondition, Map
from turnwright.encounter.running import Dice, Effect
from turnwright.play.actions.action import TakeAction
from turnwright.play.attacks.attack_request import Attack, Attacked
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.kernel.transaction import Command
from turnwright.play.movement.commanded_move import MovePath
from turnwright.play.movement.forced_movement import Pushed
from turnwright.play.movement.move import Moved
from turnwright.play.state.events import EffectEnded, EffectGained, Rolled
from turnwright.play.turns.turns import RemoveCombatant

ATHLETICS, ACROBATICS = "check.str:athletics", "check.dex:acrobatics"


def ring(*, ann: dict[str, Any] | None = None, **orc: Any) -> Fight:
    """Ann beside an orc, neither with any bonus."""
    return pair(SWORD, orc=orc, **({"abilities": (), "proficiency": 0} | (ann or {})))


def contests(table: Fight, action: str, own: int, theirs: int, *, with_: str = ATHLETICS, **more: Any) -> None:
    """Let Ann try something on the orc, with these faces; the orc rolls what is said."""
    table.does(TakeAction("ann", action, targets=("orc",), **more))
    table.dice(own, theirs)
    table.chooses(with_)


def grapples(table: Fight) -> list[tuple[str, str]]:
    """Who is held, by whom."""
    return [(one.target, one.by) for one in table.encounter.all(Effect) if one.name == "grappled"]


# Grapple --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("dnd5e.grapple.special_attack")
def test_grappling_takes_the_place_of_an_attack() -> None:
    table = ring(ann={"attacks": 2})
    contests(table, "grapple", 12, 3)
    assert (table.left("ann")["action"], table.track("ann", "attacks")) == (0, 1)
    assert table.happened(Attacked) == []
    table.strikes("ann", "orc", "longsword", 3)
    assert table.refuses(TakeAction("ann", "grapple", targets=("orc",))).key == "refused.none_left"


@pytest.mark.rule("dnd5e.grapple.contest", "dnd5e.contest.meet_or_beat")
@pytest.mark.parametrize(("own", "theirs", "held"), [(16, 10, True), (16, 11, False), (15, 10, False)])
def test_the_grappler_wins_a_tie(own: int, theirs: int, held: bool) -> None:
    table = ring(skills=(("athletics", 1), ("acrobatics", 6)))
    table.does(TakeAction("ann", "grapple", targets=("orc",)))
    (asked,) = table.prompt.asks
    assert (asked.who, [one.id for one in asked.options], asked.suggested, asked.rule) == (
        "orc",
        [ATHLETICS, ACROBATICS],
        (ACROBATICS,),
        "dnd5e.grapple.contest",
    )
    table.dice(own, theirs)
    table.chooses(ACROBATICS)
    assert bool(grapples(table)) is held
    assert [(one.who, one.passed, one.rule) for one in table.happened(Rolled)] == [
        ("orc", None, "dnd5e.grapple.contest"),
        ("ann", held, "dnd5e.grapple.contest"),
    ]


@pytest.mark.rule("dnd5e.grapple.result")
def test_winning_leaves_one_grapple_that_names_its_holder() -> None:
    table = ring()
    contests(table, "grapple", 16, 12)
    assert grapples(table) == [("orc", "ann")]
    assert [(one.target, one.name, one.rule) for one in table.happened(EffectGained)] == [
        ("orc", "grappled", "dnd5e.grapple.result")
    ]
    assert table.feet("orc") == 0
    lost = ring()
    contests(lost, "grapple", 12, 16)
    assert (grapples(lost), lost.happened(EffectGained)) == ([], [])


@pytest.mark.rule("dnd5e.grapple.size_limit")
def test_nobody_two_sizes_bigger_is_grappled() -> None:
    for size, allowed in (("tiny", True), ("large", True), ("huge", False)):
        table = ring(size=size)
        if allowed:
            contests(table, "grapple", 15, 2)
            assert grapples(table)
        else:
            refused = table.refuses(TakeAction("ann", "grapple", targets=("orc",)))
            assert (refused.key, refused.rule) == ("refused.too_large", "dnd5e.grapple.size_limit")


@pytest.mark.rule("dnd5e.grapple.reach")
def test_only_those_in_reach_are_grappled() -> None:
    table = ring().puts(orc=(3, 1))
    assert table.refuses(TakeAction("ann", "grapple", targets=("orc",))).rule == "dnd5e.grapple.reach"


@pytest.mark.rule("dnd5e.grapple.free_hand")
def test_grappling_takes_a_free_hand() -> None:
    table = ring()
    table.does(ApplyCondition(("ann",), "hands-full"))
    refused = table.refuses(TakeAction("ann", "grapple", targets=("orc",)))
    assert (refused.key, refused.rule) == ("refused.hands_full", "dnd5e.grapple.free_hand")
    (full,) = [one.id for one in table.encounter.all(Effect) if one.name == "hands-full"]
    table.does(EndEffect(full))
    contests(table, "grapple", 15, 2)
    assert grapples(table)


@pytest.mark.rule("dnd5e.grapple.auto_if_incapacitated", "dnd5e.external.conditions")
def test_the_incapacitated_are_grappled_without_a_roll() -> None:
    table = ring()
    table.does(ApplyCondition(("orc",), "incapacitated"))
    table.dice(1, 20)
    table.does(TakeAction("ann", "grapple", targets=("orc",)))
    assert (grapples(table), table.prompts, table.happened(Rolled)) == ([("orc", "ann")], [], [])
    assert table.encounter.need(Dice, "dice").script == (1, 20)


@pytest.mark.rule("dnd5e.grapple.release_free")
def test_letting_go_takes_no_action() -> None:
    table = ring()
    contests(table, "grapple", 15, 2)
    assert table.left("ann")["action"] == 0
    (held,) = [one.id for one in table.encounter.all(Effect) if one.name == "grappled"]
    table.does(EndEffect(held))
    assert (grapples(table), table.left("ann")["action"]) == ([], 0)


@pytest.mark.rule("dnd5e.grapple.escape")
@pytest.mark.parametrize(("own", "theirs", "free"), [(14, 14, False), (15, 14, True)])
def test_getting_free_takes_more_than_a_tie(own: int, theirs: int, free: bool) -> None:
    table = ring()
    contests(table, "grapple", 15, 2)
    table.ends_turn()
    table.does(TakeAction("orc", "escape"))
    assert [one.id for one in table.prompt.asks[0].options] == [ATHLETICS, ACROBATICS]
    table.dice(own, theirs)
    table.chooses(ATHLETICS)
    assert (grapples(table) == []) is free
    assert table.left("orc")["action"] == 0
    assert {one.rule for one in table.happened(Rolled)[-2:]} == {"dnd5e.grapple.escape"}


@pytest.mark.parametrize(
    "end",
    [SetDead("ann"), RemoveCombatant("ann"), ApplyCondition(("ann",), "unconscious")],
    ids=["dead", "gone", "out"],
)
def test_who_can_hold_no_longer_lets_go(end: Command) -> None:
    table = ring()
    contests(table, "grapple", 15, 2)
    table.does(ApplyCondition(("ann",), "blinded"))
    assert grapples(table) == [("orc", "ann")]
    table.does(end)
    assert (grapples(table), table.happened(EffectEnded)[-1].rule) == ([], "dnd5e.external.conditions")


@pytest.mark.rule("dnd5e.grapple.escape")
@pytest.mark.parametrize(("face", "free"), [(15, False), (16, True)])
def test_what_holds_may_say_itself_against_what_to_get_free(face: int, free: bool) -> None:
    talons = Feature(
        "talons", "Talons", "action", attack=5, afflictions=(InflictedCondition("grappled", escape_dc=16),)
    )
    table = pair(talons, orc={"abilities": (), "proficiency": 0})
    table.dice(19)
    table.does(Attack("ann", "orc", "talons"))
    assert "grappled" in table.effects("orc")
    table.ends_turn()
    table.dice(face)
    table.does(TakeAction("orc", "escape"))
    table.chooses(ATHLETICS)
    assert ("grappled" in table.effects("orc"), table.left("orc")["action"]) == (not free, 0)
    rolled = table.happened(Rolled)[-1]
    assert (rolled.who, rolled.dc, rolled.passed, rolled.rule) == ("orc", 16, free, "dnd5e.grapple.escape")


def test_nobody_escapes_who_is_not_held() -> None:
    assert ring().refuses(TakeAction("ann", "escape")).key == "refused.not_grappled"


# Shove ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("dnd5e.shove.special_attack")
def test_shoving_takes_the_place_of_an_attack() -> None:
    table = ring(ann={"attacks": 2})
    contests(table, "shove", 12, 3, choice="prone")
    assert (table.left("ann")["action"], table.track("ann", "attacks")) == (0, 1)


@pytest.mark.rule("dnd5e.shove.size_limit")
def test_nobody_two_sizes_bigger_is_shoved() -> None:
    small = {"size": "small"}
    table = ring(ann=small, size="medium")
    contests(table, "shove", 12, 3, choice="prone")
    assert "prone" in table.effects("orc")
    refused = ring(ann=small, size="large").refuses(TakeAction("ann", "shove", targets=("orc",), choice="prone"))
    assert (refused.key, refused.rule) == ("refused.too_large", "dnd5e.shove.size_limit")


@pytest.mark.rule("dnd5e.shove.reach")
def test_only_those_in_reach_are_shoved() -> None:
    table = ring(ann={"reach": 10}).puts(orc=(3, 1))
    contests(table, "shove", 12, 3, choice="prone")
    assert "prone" in table.effects("orc")
    far = ring(ann={"reach": 10}).puts(orc=(4, 1))
    assert far.refuses(TakeAction("ann", "shove", targets=("orc",), choice="prone")).rule == "dnd5e.shove.reach"


@pytest.mark.rule("dnd5e.shove.contest")
@pytest.mark.parametrize(("own", "theirs", "falls"), [(12, 12, True), (12, 13, False)])
def test_the_shover_wins_a_tie(own: int, theirs: int, falls: bool) -> None:
    table = ring()
    contests(table, "shove", own, theirs, choice="prone")
    assert ("prone" in table.effects("orc")) is falls
    assert table.happened(Rolled)[-1].rule == "dnd5e.shove.contest"


@pytest.mark.rule("dnd5e.shove.auto_if_incapacitated")
def test_the_incapacitated_are_shoved_without_a_roll() -> None:
    table = ring()
    table.does(ApplyCondition(("orc",), "incapacitated"))
    table.does(TakeAction("ann", "shove", targets=("orc",), choice="prone"))
    assert ("prone" in table.effects("orc"), table.happened(Rolled)) == (True, [])


@pytest.mark.rule("dnd5e.shove.result")
def test_a_shove_knocks_down_or_drives_back() -> None:
    table = ring()
    contests(table, "shove", 15, 2, choice="push")
    assert table.happened(Pushed)[0].feet == 5
    table.chooses("3,1")
    assert (table.one("orc").position, table.effects("orc")) == ((3, 1), set())
    down = ring()
    contests(down, "shove", 15, 2, choice="prone")
    assert (down.one("orc").position, down.effects("orc")) == ((2, 1), {"prone"})
    assert [one.rule for one in down.happened(EffectGained)] == ["dnd5e.shove.result"]
    assert down.refuses(Attack("ann", "orc", "longsword")).key == "refused.none_left"


def test_who_cannot_be_held_is_not_seized() -> None:
    table = ring(condition_immunities=("grappled",))
    assert table.refuses(TakeAction("ann", "grapple", targets=("orc",))).key == "refused.immune"


# Pulling along --------------------------------------------------------------------------------------------------


def hauls(size: str, *, mover: str = "medium", held: bool = True) -> Fight:
    """Ann on the map beside somebody of a size, whom she holds."""
    table = pair(SWORD, orc={"size": size}, size=mover)
    if held:
        table.marks("orc", "grappled", by="ann")
    return table


def row(squares: int) -> tuple[tuple[int, int], ...]:
    """So many squares downward from Ann's."""
    return tuple((1, 2 + step) for step in range(squares))


@pytest.mark.rule("dnd5e.grapple.drag_halves_speed")
@pytest.mark.parametrize(("size", "feet"), [("medium", 15), ("small", 15), ("tiny", 30)])
def test_pulling_along_whom_one_holds_halves_speed(size: str, feet: int) -> None:
    table = hauls(size)
    refused = table.refuses(MovePath("ann", row(feet // 5 + 1), drags="orc"))
    assert refused.key == "refused.too_far"
    table.does(MovePath("ann", row(feet // 5), drags="orc"))
    assert (table.one("ann").position, table.track("ann", "moved")) == ((1, 1 + feet // 5), 30)
    assert table.one("orc").position not in (None, (2, 1))
    costs = [part.rule for moved in table.happened(Moved) for part in moved.why if part.reason == "why.dragging"]
    assert set(costs) == ({"dnd5e.grapple.drag_halves_speed"} if feet == 15 else set())
    assert (table.left("ann")["reaction"], table.left("orc")["reaction"]) == (1, 1)


@pytest.mark.rule("dnd5e.grapple.drag_halves_speed")
def test_hard_ground_and_a_load_slow_one_down_both() -> None:
    table = hauls("medium")
    table.has(Map(columns=12, rows=12, ground=f"{'.' * 12}\n{'.' * 12}\n.,,,........"))
    table.does(MovePath("ann", row(1), drags="orc"))
    assert table.track("ann", "moved") == 20


@pytest.mark.rule("dnd5e.grapple.drag_halves_speed")
def test_nobody_else_is_pulled_along() -> None:
    refused = hauls("medium", held=False).refuses(MovePath("ann", row(1), drags="orc"))
    assert (refused.key, refused.rule) == ("refused.drag_not_held", "dnd5e.grapple.drag_halves_speed")


def test_whoever_is_pulled_out_of_a_reach_gives_no_opening() -> None:
    friend = creature("gnoll", features=(SWORD,))
    ann = creature("ann", abilities=STRONG)
    table = Fight(ann, creature("orc"), friend, foes=("orc", "gnoll")).puts(ann=(1, 1), orc=(2, 1), gnoll=(3, 1))
    table.has(msgspec.structs.replace(table.one("gnoll"), side="party"))
    table.marks("orc", "grappled", by="ann")
    table.does(MovePath("ann", row(3), drags="orc"))
    assert (table.one("ann").position, table.reactors()) == ((1, 4), {})
