"""Resources spent on what the program has no rule for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.table import Table, a5e, action_points, creature, dnd5e, pf2e
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.table.game_master import SetDice
from turnwright.rules.system import RuleSystem


@pytest.mark.parametrize("rules", [a5e, dnd5e, pf2e, action_points])
def test_nobody_reacts_before_the_first_round(rules: Callable[[], RuleSystem]) -> None:
    table = Table("ada", "orc", foes=("orc",), rules=rules())
    table.does(SetDice("auto"))
    reaction = next(one.id for one in rules().data.resources if one.off_turn)
    table.does(StartEncounter())
    assert table.refuses(SpendResource("ada", reaction)).key == "refused.before_initiative"


def test_a_hazard_reacts_before_its_first_turn() -> None:
    table = Table("ann", creature("pit", tags=("hazard",)), creature("orc"), foes=("pit", "orc"), rules=pf2e())
    table.start(ann=20, pit=10, orc=5)
    assert table.refuses(SpendResource("orc", "reaction")).key == "refused.no_turn_yet"
    table.does(SpendResource("pit", "reaction"))
    table.refuses(SpendResource("pit", "reaction"))
