"""Another stat block in the middle of a fight: the damage taken so far stays, unless it comes fresh."""

from __future__ import annotations

import pytest

from tests.table import Table, creature
from turnwright.encounter.running import Combatant
from turnwright.play.damage.commands.change_stat_block import ChangeStatBlock
from turnwright.play.damage.commands.set_hit_points import SetHitPoints
from turnwright.rules.system import creature_of


def begun(hp: int) -> Table:
    table = Table(creature("ann", hp=20), creature("bear", hp=34, ac=11), creature("owl", hp=1), foes=("bear", "owl"))
    table.start(ann=20, bear=10, owl=5)
    table.does(SetHitPoints("ann", hp))
    return table


@pytest.mark.parametrize(
    ("hp", "block", "fresh", "left"),
    [
        (15, "bear", False, (29, 34)),
        (15, "bear", True, (34, 34)),
        (15, "owl", False, (1, 1)),
        (20, "owl", False, (1, 1)),
        (0, "bear", False, (14, 34)),
        (0, "owl", False, (0, 1)),
    ],
)
def test_damage_stays_and_no_one_falls_by_changing(hp, block, fresh, left):
    table = begun(hp)
    table.does(ChangeStatBlock("ann", block, fresh))
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
