"""Conditions put on by hand."""

from __future__ import annotations

from tests.table import Table
from turnwright.play.damage.commands.set_dead import SetDead
from turnwright.play.effects.commands.apply_condition import ApplyCondition


def test_a_condition_on_the_dead_is_refused_unless_a_person_insists() -> None:
    table = Table("ada", "orc", foes=("orc",))
    table.start(ada=20, orc=10)
    table.does(SetDead("orc"))
    assert table.refuses(ApplyCondition(("orc",), "prone")).key == "refused.target_dead"
    table.does(ApplyCondition(("orc",), "frightened"), anyway=True)
    assert "frightened" in table.effects("orc")
