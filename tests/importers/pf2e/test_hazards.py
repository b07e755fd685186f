"""The texts of hazards: their checks to disable them, and the number of successes."""

from __future__ import annotations

from typing import Any

from tests.for_each import for_each
from turnwright.importers.pf2e.hazards import disabling


@for_each(
    ("text", "fields"),
    [
        ("DC 17 Thievery (trained) to pin the spring", {"disable": (("thievery", 17),)}),
        (
            "Religion DC 29 (master) to calm it or Diplomacy DC 31 (expert)",
            {"disable": (("religion", 29), ("diplomacy", 31))},
        ),
        ("Survival (trained) or Thievery (expert) DC 20", {"disable": (("survival", 20), ("thievery", 20))}),
        (
            "DC 36 Arcana, Nature, or Occultism (master)",
            {"disable": (("arcana", 36), ("nature", 36), ("occultism", 36))},
        ),
        ("DC 26 Thievery (master) twice to stop the wheel", {"disable": (("thievery", 26),), "disable_needs": 2}),
        (
            "DC 35 Thievery, or DC 38 Religion; four successes are required",
            {"disable": (("thievery", 35), ("religion", 38)), "disable_needs": 4},
        ),
        ("Thievery DC 18 for each spout, or Thievery DC 22 to open the door three times", {}),
        ("dispel magic (counteract DC 20) to end it", {"disable": ()}),
    ],
)
def test_the_checks_that_disable_a_hazard_are_read(text: str, fields: dict[str, Any]) -> None:
    assert disabling(text) == fields
