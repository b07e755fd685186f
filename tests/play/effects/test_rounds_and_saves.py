"""Effects that last for some rounds, or until their target saves, in every game."""

from __future__ import annotations

import pytest

from tests.for_each import for_each
from tests.table import Table, a5e, dnd5e, pf2e
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.state.events import EffectEnded
from turnwright.rules.system import RuleSystem


def fight(rules: RuleSystem) -> Table:
    table = Table("ada", "orc", foes=("orc",), rules=rules)
    table.start(ada=20, orc=10)
    return table


@for_each("rules", [a5e(), dnd5e(), pf2e()], ids=lambda rules: rules.id)
@for_each(
    ("command", "turns"),
    [
        (ApplyCondition(("orc",), "prone", rounds=2, by="ada"), 4),
        (ApplyCondition(("orc",), "prone", rounds=2), 4),
        (ApplyCondition(("orc",), "prone", rounds=2, counted="affected"), 4),
    ],
    ids=["start of the creator's turn", "end of the bearer's turn, for nobody named", "end of the bearer's turn"],
)
def test_a_condition_lasts_its_rounds(rules: RuleSystem, command: ApplyCondition, turns: int) -> None:
    table = fight(rules)
    table.does(command)
    table.ends_turn(turns - 1)
    assert "prone" in table.effects("orc")
    table.ends_turn()
    assert "prone" not in table.effects("orc")


@pytest.mark.parametrize(("roll", "ended"), [("11", False), ("12", True)])
def test_a_save_at_the_end_of_its_turn_ends_a_condition(roll: str, ended: bool) -> None:
    table = fight(dnd5e())
    table.does(ApplyCondition(("orc",), "frightened", save="wis", dc=12))
    table.ends_turn(2)
    (asked,) = table.prompt.asks
    assert (asked.who, asked.dc) == ("orc", 12)
    table.answers(effect_3=roll)
    assert [one.name for one in table.happened(EffectEnded)] == ["frightened"] * ended
    assert table.prompts == []


def test_for_one_round_lasts_one_turn_of_the_target() -> None:
    table = fight(dnd5e())
    table.does(ApplyCondition(("orc",), "poisoned", rounds=1))
    table.ends_turn()
    assert (table.active, "poisoned" in table.effects("orc")) == ("orc", True)
    table.ends_turn()
    assert "poisoned" not in table.effects("orc")
