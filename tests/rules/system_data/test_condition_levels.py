"""Which conditions have levels, by their data."""

import pytest

from tests.table import a5e, dnd5e, pf2e
from turnwright.rules.system import RuleSystem


@pytest.mark.parametrize(
    ("rules", "condition", "leveled"),
    [
        (dnd5e(), "exhaustion", True),
        (pf2e(), "frightened", True),
        (dnd5e(), "frightened", False),
        (a5e(), "prone", False),
    ],
)
def test_a_condition_has_levels_by_its_value_or_its_rules(rules: RuleSystem, condition: str, leveled: bool) -> None:
    assert rules.conditions[condition].has_levels is leveled
