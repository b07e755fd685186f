"""Grappling and shoving by the rules of 2024: a save of the target against a DC, and no roll of the attacker."""

from __future__ import annotations

import pytest

from tests.systems.dnd5e.fights import SWORD
from tests.systems.dnd5e_2024.newer import NewFight, duel
from turnwright.encounter.running import Effect
from turnwright.play.actions.action import TakeAction
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.movement.commanded_move import MovePath
from turnwright.play.state.events import Rolled

EXTERNAL = "dnd5e-2024.external."


def held(table: NewFight) -> list[tuple[str, str, int]]:
    """Who is held, by whom, and against which DC."""
    return [(one.target, one.by, one.value) for one in table.encounter.all(Effect) if one.name == "grappled"]


def tries(table: NewFight, action: str, face: int, save: str = "save.str", **more: str) -> None:
    """Let Ann try something on the orc, whose save shows a face."""
    table.dice(face)
    table.does(TakeAction("ann", action, targets=("orc",), **more))
    table.chooses(save)


@pytest.mark.rule(EXTERNAL + "grapple_save", EXTERNAL + "grapple_option", EXTERNAL + "unarmed_strike")
@pytest.mark.parametrize(("face", "grips"), [(12, True), (13, False)])
def test_the_target_of_a_grapple_saves_against_8_and_strength_and_proficiency(face: int, grips: bool) -> None:
    table = duel(SWORD, attacks=2)
    table.does(TakeAction("ann", "grapple", targets=("orc",)))
    (asked,) = table.prompt.asks
    assert (asked.who, [one.id for one in asked.options], asked.rule) == (
        "orc",
        ["save.str", "save.dex"],
        EXTERNAL + "grapple_save",
    )
    table.dice(face)
    table.chooses("save.dex")
    assert held(table) == ([("orc", "ann", 13)] if grips else [])
    assert [(one.who, one.purpose, one.dc, one.passed) for one in table.happened(Rolled)] == [
        ("orc", "ask.save", 13, not grips)
    ]
    assert (table.left("ann")["action"], table.track("ann", "attacks")) == (0, 1)


@pytest.mark.rule(EXTERNAL + "grapple_save", EXTERNAL + "shove_save")
def test_the_paralyzed_fail_by_their_condition_and_the_incapacitated_roll() -> None:
    table = duel()
    table.does(ApplyCondition(("orc",), "incapacitated"))
    tries(table, "grapple", 20)
    assert held(table) == []
    table = duel()
    table.does(ApplyCondition(("orc",), "paralyzed"))
    tries(table, "shove", 20, choice="prone")
    assert "prone" in table.effects("orc")


@pytest.mark.rule(EXTERNAL + "grapple_escape")
@pytest.mark.parametrize(("face", "free"), [(12, False), (13, True)])
def test_an_escape_is_a_check_against_the_grapple_s_dc(face: int, free: bool) -> None:
    table = duel()
    tries(table, "grapple", 2)
    table.ends_turn()
    table.dice(face)
    table.does(TakeAction("orc", "escape"))
    table.chooses("check.str:athletics")
    assert (held(table) == []) is free
    rolled = table.happened(Rolled)[-1]
    assert (rolled.who, rolled.dc, rolled.passed, rolled.rule) == ("orc", 13, free, EXTERNAL + "grapple_escape")


@pytest.mark.rule(EXTERNAL + "grapple_escape")
def test_a_grapple_set_by_hand_has_the_holder_s_dc() -> None:
    table = duel()
    table.marks("orc", "grappled", by="ann")
    table.ends_turn()
    table.dice(13)
    table.does(TakeAction("orc", "escape"))
    table.chooses("check.str:athletics")
    assert (held(table), table.happened(Rolled)[-1].dc) == ([], 13)


@pytest.mark.rule(EXTERNAL + "shove_save", EXTERNAL + "shove_option")
@pytest.mark.parametrize(("face", "moved"), [(12, True), (13, False)])
def test_a_shove_pushes_after_a_failed_save(face: int, moved: bool) -> None:
    table = duel(SWORD, attacks=2)
    tries(table, "shove", face, choice="push")
    if moved:
        table.chooses("3,1")
    assert table.one("orc").position == ((3, 1) if moved else (2, 1))
    assert (table.left("ann")["action"], table.track("ann", "attacks")) == (0, 1)


@pytest.mark.rule(EXTERNAL + "conditions")
def test_the_grappled_have_disadvantage_against_others_than_the_grappler() -> None:
    axe = SWORD
    table = duel(orc={"features": (axe,), "abilities": (("str", 10),)})
    tries(table, "grapple", 2)
    table.ends_turn()
    assert table.edges("orc", "ann", "longsword") == []
    table = NewFight("ann", "bob", "orc", foes=("orc",)).puts(ann=(1, 1), bob=(3, 1), orc=(2, 1))
    table.marks("orc", "grappled", by="ann")
    kinds = [kind for kind, _ in table.edges("orc", "bob")]
    assert kinds == ["disadvantage"]


@pytest.mark.rule(EXTERNAL + "drag_cost")
@pytest.mark.parametrize(
    ("size", "mover", "feet", "spent"),
    [("medium", "medium", 15, 30), ("tiny", "tiny", 30, 30), ("small", "large", 30, 30)],
)
def test_dragging_costs_an_extra_foot_unless_the_dragged_is_tiny_or_two_sizes_smaller(
    size: str, mover: str, feet: int, spent: int
) -> None:
    table = duel(SWORD, orc={"size": size}, size=mover).puts(ann=(1, 1), orc=(3, 1))
    table.marks("orc", "grappled", by="ann")
    table.does(MovePath("ann", tuple((1, 2 + step) for step in range(feet // 5)), drags="orc"))
    assert table.track("ann", "moved") == spent
