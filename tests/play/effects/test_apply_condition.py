"""Conditions put on by hand."""

from __future__ import annotations

import pytest

from tests.table import Table, a5e
from turnwright.encounter.running import Duration, Effect
from turnwright.play.damage.manual_hit_points import SetDead
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.rules.parts.damage.dying import level_conditions
from turnwright.rules.system import RuleSystem


def test_a_condition_on_the_dead_is_refused_unless_a_person_insists() -> None:
    table = Table("ada", "orc", foes=("orc",))
    table.start(ada=20, orc=10)
    table.does(SetDead("orc"))
    assert table.refuses(ApplyCondition(("orc",), "prone")).key == "refused.target_dead"
    table.does(ApplyCondition(("orc",), "frightened"), anyway=True)
    assert "frightened" in table.effects("orc")


def test_the_line_says_that_the_end_comes_later() -> None:
    table = Table("ada", "orc", foes=("orc",))
    table.start(ada=20, orc=10)
    for skip in (0, 2):
        table.does(ApplyCondition(("orc",), "prone", ends=Duration("turn-start", "ada", skip)))
    keys = [line.phrase.key for line in table.session.journal()]
    assert keys[-2:] == ["journal.effect_gained_until", "journal.effect_gained_until_later"]


@pytest.mark.parametrize(("rules", "condition"), [(a5e(), "fatigue"), (a5e(), "strife")])
def test_a_condition_of_levels_put_by_hand_sets_its_level(rules: RuleSystem, condition: str) -> None:
    table = Table("ada", "orc", foes=("orc",), rules=rules)
    table.start(ada=20, orc=10)
    track = next(id for id, name in level_conditions(rules).items() if name == condition)
    table.does(ApplyCondition(("orc",), condition, value=2))
    assert table.track("orc", track) == 2
    table.does(ApplyCondition(("orc",), condition))
    assert table.track("orc", track) == 3
    assert [one.value for one in table.encounter.of(Effect, "orc") if one.name == condition] == [3]
