"""Another stat block in the middle of a fight: the damage taken so far stays, unless it comes fresh."""

from __future__ import annotations

import pytest

from tests.table import Table, creature
from turnwright.encounter.running import Combatant, ShapeChange
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.events import StatBlockChanged
from turnwright.play.damage.manual_hit_points import SetHitPoints
from turnwright.play.damage.stat_block_changes import ChangeStatBlock, RevertShape
from turnwright.play.spawning.character_state import character_state
from turnwright.play.state.events import DroppedToZero
from turnwright.play.turns.encounter_end import RemoveCombatant
from turnwright.rules.system import creature_of


def begun(hp: int) -> Table:
    table = Table(creature("ann", hp=20), creature("bear", hp=34, ac=11), creature("owl", hp=1), foes=("bear", "owl"))
    table.start(ann=20, bear=10, owl=5)
    table.does(SetHitPoints("ann", hp))
    return table


@pytest.mark.parametrize(
    ("hp", "block", "health", "left"),
    [
        (15, "bear", "", (29, 34)),
        (15, "bear", "fresh", (34, 34)),
        (15, "owl", "", (1, 1)),
        (20, "owl", "", (1, 1)),
        (0, "bear", "", (14, 34)),
        (0, "owl", "", (0, 1)),
        (15, "bear", "apart", (34, 34)),
        (15, "bear", "kept", (15, 20)),
        (0, "bear", "kept", (0, 20)),
    ],
)
def test_damage_stays_and_no_one_falls_by_changing(hp, block, health, left):
    table = begun(hp)
    table.does(ChangeStatBlock("ann", block, health))
    ann = table.encounter.need(Combatant, "ann")
    assert (ann.hp, ann.hp_max) == left
    assert creature_of(table.encounter, ann).id == block


def test_it_is_undone_and_an_unknown_block_is_refused():
    table = begun(15)
    before = table.encounter
    table.does(ChangeStatBlock("ann", "bear"))
    table.session.undo()
    assert table.encounter == before
    assert table.refuses(ChangeStatBlock("ann", "dragon")).key == "refused.unknown"


def test_a_shape_with_hit_points_of_its_own_ends_at_0_and_the_rest_of_the_damage_goes_on():
    table = begun(15)
    table.does(ChangeStatBlock("ann", "bear", "apart"))
    table.does(ApplyDamage(("ann",), "30"))
    assert (table.one("ann").hp, table.one("ann").creature) == (4, "bear")
    assert character_state(table.encounter, table.rules, "ann").hp == 15  # how Ann goes on after the fight
    table.does(ApplyDamage(("ann",), "10"))  # 4 end the shape, 6 of 15 are left over
    assert (table.one("ann").hp, table.one("ann").hp_max, table.one("ann").creature) == (9, 20, "ann")
    assert (table.prompts, table.effects("ann"), list(table.encounter.all(ShapeChange))) == ([], set(), [])
    assert [one.hp for one in table.happened(StatBlockChanged)] == [34, 9]


def test_damage_beyond_both_brings_the_former_shape_to_0():
    table = begun(5)
    table.does(ChangeStatBlock("ann", "bear", "apart"))
    table.does(ApplyDamage(("ann",), "40"))  # 34 of the bear, 5 of Ann, 1 beyond
    assert (table.one("ann").hp, table.one("ann").creature) == (0, "ann")
    assert len(table.happened(DroppedToZero)) == 1


def test_one_shape_after_another_goes_back_to_the_first_and_by_hand_at_any_time():
    table = begun(15)
    table.does(ChangeStatBlock("ann", "bear", "apart"))
    table.does(ApplyDamage(("ann",), "3"))
    table.does(ChangeStatBlock("ann", "owl", "apart"))
    assert (table.one("ann").hp, table.one("ann").hp_max) == (1, 1)
    table.does(RevertShape("ann"))
    assert (table.one("ann").hp, table.one("ann").hp_max, table.one("ann").creature) == (15, 20, "ann")
    assert table.refuses(RevertShape("ann")).key == "refused.no_shape"
    table.session.undo()
    assert table.one("ann").creature == "owl"


def test_whoever_leaves_takes_the_former_shape_along():
    table = begun(15)
    table.does(ChangeStatBlock("ann", "bear", "apart"))
    table.does(RemoveCombatant("ann"))
    assert list(table.encounter.all(ShapeChange)) == []
