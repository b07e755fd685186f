"""Changing sides: charmed, bought off, betrayed."""

from __future__ import annotations

from tests.table import Table
from turnwright.encounter.running import Combatant
from turnwright.play.queries.queries import sides_standing
from turnwright.play.table.combatants import SetSide


def test_those_who_change_sides_fight_for_the_other_until_it_is_undone():
    table = Table("ann", "gob", "rat", foes=("gob", "rat"))
    table.start(ann=20, gob=10, rat=5)
    step = table.does(SetSide(("gob", "rat"), "party"))
    assert [table.encounter.need(Combatant, who).side for who in ("gob", "rat")] == ["party", "party"]
    assert len(sides_standing(table.encounter)) == 1
    assert len(step.lines) == 1
    table.session.undo()
    assert table.encounter.need(Combatant, "gob").side == "foes"


def test_a_side_is_needed_and_the_same_side_is_no_step():
    table = Table("ann", "gob", foes=("gob",))
    table.start(ann=20, gob=10)
    assert table.refuses(SetSide(("gob",), " ")).key == "refused.no_side"
    assert table.does(SetSide(("gob",), "foes")) is None
