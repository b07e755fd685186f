"""What an encounter of Pathfinder 2e is worth: by how far foes stand above the party, and how many are in it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.for_each import for_each
from tests.table import a5e, creature, dnd5e, environment, pf2e
from turnwright.encounter.prepared import Creature, Environment, RosterEntry, SourceNote
from turnwright.encounter.state import Encounter
from turnwright.rules.parts.preparation.encounter_budgets import Budget, encounter_budget, threat_name, threat_steps


def budget(
    foe: Creature, *, count: int = 1, party: int = 4, adjustment: str = "", places: tuple[Environment, ...] = ()
) -> Budget:
    """What so many of a foe, in such places, are worth to so many of level 5."""
    roster = [
        RosterEntry("hero", "hero", count=party, side="party", player="Kim", level=5),
        RosterEntry("foe", "foe", count=count, adjustment=adjustment),
    ]
    found = encounter_budget(Encounter([creature("hero"), foe, *roster, *places]), pf2e())
    assert found is not None
    return found


@for_each(("level", "xp"), [(1, 10), (2, 15), (3, 20), (4, 30), (5, 40), (6, 60), (7, 80), (8, 120), (9, 160)])
def test_a_creature_is_worth_what_its_level_says(level: int, xp: int) -> None:
    found = budget(creature("foe", rating=str(level)), count=2)
    assert (found.total, found.level, found.size, found.off_table) == (2 * xp, 5, 4, ())


@for_each(("level", "strong", "threat"), [(0, (), "trivial"), (10, ("Foe",), "extreme"), (-1, (), "trivial")])
def test_a_level_too_far_off_is_said_not_guessed(level: int, strong: tuple[str, ...], threat: str) -> None:
    found = budget(creature("foe", rating=str(level)))
    assert (found.total, found.off_table, found.unknown) == (0, ("Foe",), ())
    assert (found.too_strong, found.threat) == (strong, threat)


def test_a_foe_without_a_level_is_said_too() -> None:
    found = budget(creature("foe"))
    assert (found.total, found.unknown) == (0, ("Foe",))


@pytest.mark.parametrize(("adjustment", "xp"), [("elite", 60), ("weak", 30), ("", 40)])
def test_an_adjustment_is_worth_a_level(adjustment: str, xp: int) -> None:
    assert budget(creature("foe", level=5), adjustment=adjustment).total == xp


@for_each(
    ("level", "simple", "whole"),
    [
        (1, 2, 10),
        (2, 3, 15),
        (3, 4, 20),
        (4, 6, 30),
        (5, 8, 40),
        (6, 12, 60),
        (7, 16, 80),
        (8, 24, 120),
        (9, 32, 160),
    ],
)
def test_a_simple_hazard_is_worth_a_fifth_and_a_complex_one_a_creature(level: int, simple: int, whole: int) -> None:
    fields = {"rating": str(level), "type": "hazard"}
    assert budget(creature("foe", tags=("trap", "simple"), **fields)).total == simple
    assert budget(creature("foe", tags=("trap", "complex"), **fields)).total == whole


def test_what_makes_a_place_dangerous_counts_as_a_hazard_of_its_level() -> None:
    place = Environment("cave", "Cave", rating="6")
    beside = creature("foe", rating="5")
    assert budget(beside, places=(place,)).total == 40 + 12
    assert budget(beside, places=(Environment("cave", "Cave", rating="6", complex=True),)).total == 40 + 60
    assert budget(beside, places=(Environment("cave", "Cave"),)).total == 40
    far = budget(beside, places=(Environment("cave", "Cave", rating="19"),))
    assert (far.total, far.off_table) == (40, ("Cave",))


@for_each(
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
    figures = pf2e().data.budgets[0]
    assert threat_name(figures, threat_steps(figures, (5,) * size, size), Fraction(xp)) == threat


@pytest.mark.parametrize(
    ("size", "budgets"),
    [(2, (20, 20, 40, 60, 80)), (3, (30, 40, 60, 90, 120)), (4, (40, 60, 80, 120, 160)), (6, (60, 100, 120, 180, 240))],
)
def test_a_budget_goes_by_how_many_there_are(size: int, budgets: tuple[int, ...]) -> None:
    steps = budget(creature("foe", rating="5"), party=size).steps
    assert steps == tuple(zip(("trivial", "low", "moderate", "severe", "extreme"), budgets, strict=True))


@pytest.mark.parametrize(
    ("levels", "level"), [((5, 5, 5, 4), 5), ((5, 5, 4, 4), 5), ((5, 4, 4, 4), 4), ((2, 3), 3), ((7,), 7)]
)
def test_a_mixed_party_goes_by_its_average_halves_up(levels: tuple[int, ...], level: int) -> None:
    roster = [RosterEntry(f"p{n}", "hero", side="party", player="Kim", level=one) for n, one in enumerate(levels)]
    found = encounter_budget(Encounter([creature("hero"), *roster]), pf2e())
    assert found is not None
    assert (found.level, found.levels, found.size) == (level, levels, len(levels))


def test_who_in_the_party_has_no_level_is_named_and_still_one_more_to_face_them() -> None:
    roster = [
        RosterEntry("a", "hero", side="party", player="Kim", level=5),
        RosterEntry("b", "new", side="party", player="Lu"),
        RosterEntry("c", "dog", side="party"),
    ]
    found = encounter_budget(Encounter([creature("hero"), creature("new"), creature("dog"), *roster]), pf2e())
    assert found is not None
    assert (found.levels, found.size, found.unplaced, found.allies) == ((5,), 2, ("New",), ("Dog",))


def test_bystanders_are_no_foes_and_waves_are_told_apart() -> None:
    roster = [
        RosterEntry("hero", "hero", count=4, side="party", player="Kim", level=5),
        RosterEntry("foe", "foe"),
        RosterEntry("late", "foe", count=2, wave="second"),
        RosterEntry("crowd", "foe", side="town", bystander=True),
    ]
    found = encounter_budget(Encounter([creature("hero"), creature("foe", rating="5"), *roster]), pf2e())
    assert found is not None
    assert (found.total, found.in_waves) == (120, 80)


def test_what_is_still_short_of_the_next_threat_is_told() -> None:
    assert budget(creature("foe", rating="5"), count=1).next_threat == ("low", 0)
    assert budget(creature("foe", rating="4"), count=2).next_threat == ("moderate", 0)
    assert budget(creature("foe", rating="4")).next_threat == ("low", 10)
    assert budget(creature("foe", rating="9"), count=2).next_threat is None


def test_a_game_without_figures_has_no_budget_and_a_party_without_levels_none_either() -> None:
    from tests.table import action_points

    roster = RosterEntry("hero", "hero", side="party", player="Kim", level=5)
    assert encounter_budget(Encounter([creature("hero"), roster]), action_points()) is None
    unsaid = RosterEntry("hero", "hero", side="party", player="Kim")
    assert all(
        encounter_budget(Encounter([creature("hero"), unsaid]), rules) is None for rules in (a5e(), dnd5e(), pf2e())
    )


def test_a_remark_on_the_rating_marks_a_hazard_no_more_than_any_word() -> None:
    assert budget(creature("foe", rating="5", remarks=(SourceNote("rating", "elite"),))).total == 40
    assert environment("forested").rating == "0"
