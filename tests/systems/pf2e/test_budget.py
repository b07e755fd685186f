"""What an encounter of Pathfinder 2e is worth: by how far foes stand above the party, and how many are in it."""

from __future__ import annotations

import pytest

from tests.table import a5e, creature, pf2e
from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.state import Encounter
from turnwright.rules.parts.budgets import Budget, budget_of, threat_of


def budget(foe: Creature, *, count: int = 1, party: int = 4, adjustment: str = "") -> Budget | None:
    """What so many of a foe are worth to so many of level 5."""
    roster = [
        RosterEntry("hero", "hero", count=party, side="party", player="Kim", level=5),
        RosterEntry("foe", "foe", count=count, adjustment=adjustment),
    ]
    return budget_of(Encounter([creature("hero"), foe, *roster]), pf2e())


@pytest.mark.parametrize(
    ("level", "xp"), [(1, 10), (2, 15), (3, 20), (4, 30), (5, 40), (6, 60), (7, 80), (8, 120), (9, 160)]
)
def test_a_creature_is_worth_what_its_level_says(level: int, xp: int) -> None:
    found = budget(creature("foe", rating=str(level)), count=2)
    assert found is not None
    assert (found.xp, found.level, found.size, found.outside) == (2 * xp, 5, 4, ())


@pytest.mark.parametrize("level", [0, 10, -1])
def test_a_level_too_far_off_is_said_not_guessed(level: int) -> None:
    found = budget(creature("foe", rating=str(level)))
    assert found is not None
    assert (found.xp, found.outside, found.unknown) == (0, ("Foe",), ())


def test_a_foe_without_a_level_is_said_too() -> None:
    found = budget(creature("foe"))
    assert found is not None
    assert (found.xp, found.unknown) == (0, ("Foe",))


@pytest.mark.parametrize(("adjustment", "xp"), [("elite", 60), ("weak", 30), ("", 40)])
def test_an_adjustment_is_worth_a_level(adjustment: str, xp: int) -> None:
    found = budget(creature("foe", level=5), adjustment=adjustment)
    assert found is not None
    assert found.xp == xp


@pytest.mark.parametrize(
    ("xp", "size", "threat"),
    [
        (40, 4, "trivial"),
        (41, 4, "low"),
        (60, 4, "low"),
        (80, 4, "moderate"),
        (120, 4, "severe"),
        (160, 4, "extreme"),
        (500, 4, "extreme"),
        (80, 3, "severe"),
        (60, 3, "moderate"),
        (100, 5, "moderate"),
        (150, 5, "severe"),
        (200, 5, "extreme"),
        (50, 5, "trivial"),
    ],
)
def test_so_much_is_such_a_threat_to_so_many(xp: int, size: int, threat: str) -> None:
    assert threat_of(pf2e().catalogue.budget, xp, size) == threat


def test_a_game_without_figures_has_no_budget() -> None:
    roster = RosterEntry("hero", "hero", side="party", player="Kim", level=5)
    assert budget_of(Encounter([creature("hero"), roster]), a5e()) is None
