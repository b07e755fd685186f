"""What an encounter of D&D 5e is worth: thresholds and multipliers of 2014, or by a table rule the budgets of 2024."""

from __future__ import annotations

import pytest

from tests.for_each import for_each
from tests.table import creature, dnd5e
from turnwright.encounter.prepared import Creature, Environment, RosterEntry, Scene
from turnwright.encounter.state import Encounter
from turnwright.rules.parts.preparation.encounter_budgets import Budget, encounter_budget

THRESHOLDS = {
    1: (25, 50, 75, 100),
    2: (50, 100, 150, 200),
    3: (75, 150, 225, 400),
    4: (125, 250, 375, 500),
    5: (250, 500, 750, 1100),
    6: (300, 600, 900, 1400),
    7: (350, 750, 1100, 1700),
    8: (450, 900, 1400, 2100),
    9: (550, 1100, 1600, 2400),
    10: (600, 1200, 1900, 2800),
    11: (800, 1600, 2400, 3600),
    12: (1000, 2000, 3000, 4500),
    13: (1100, 2200, 3400, 5100),
    14: (1250, 2500, 3800, 5700),
    15: (1400, 2800, 4300, 6400),
    16: (1600, 3200, 4800, 7200),
    17: (2000, 3900, 5900, 8800),
    18: (2100, 4200, 6300, 9500),
    19: (2400, 4900, 7300, 10900),
    20: (2800, 5700, 8500, 12700),
}
BUDGETS = {
    1: (50, 75, 100),
    2: (100, 150, 200),
    3: (150, 225, 400),
    4: (250, 375, 500),
    5: (500, 750, 1100),
    6: (600, 1000, 1400),
    7: (750, 1300, 1700),
    8: (1000, 1700, 2100),
    9: (1300, 2000, 2600),
    10: (1600, 2300, 3100),
    11: (1900, 2900, 4100),
    12: (2200, 3700, 4700),
    13: (2600, 4200, 5400),
    14: (2900, 4900, 6200),
    15: (3300, 5400, 7800),
    16: (3800, 6100, 9800),
    17: (4500, 7200, 11700),
    18: (5000, 8700, 14200),
    19: (5500, 10700, 17200),
    20: (6400, 13200, 22000),
}
XP_OF_LITTLE = (
    10,
    25,
    50,
    100,
    200,
    450,
    700,
    1100,
    1800,
    2300,
    2900,
    3900,
    5000,
    5900,
    7200,
    8400,
    10000,
    11500,
    13000,
)
XP_OF_MUCH = (
    15000,
    18000,
    20000,
    22000,
    25000,
    33000,
    41000,
    50000,
    62000,
    75000,
    90000,
    105000,
    120000,
    135000,
    155000,
)
XP = dict(
    zip(
        ("0", "1/8", "1/4", "1/2", *map(str, range(1, 31))),
        (*XP_OF_LITTLE, *XP_OF_MUCH),
        strict=True,
    )
)
NEWER = Scene(system="dnd5e", options=("budget-2024",))


def budget(
    *foes: Creature,
    counts: tuple[int, ...] = (1,),
    levels: tuple[int, ...] = (3, 3, 3, 3),
    scene: Scene = Scene(system="dnd5e"),  # noqa: B008 - frozen
) -> Budget:
    """What so many of these foes are worth to characters of such levels."""
    heroes = [RosterEntry(f"p{n}", "hero", side="party", player="Kim", level=one) for n, one in enumerate(levels)]
    roster = [RosterEntry(foe.id, foe.id, count=count) for foe, count in zip(foes, counts, strict=True)]
    found = encounter_budget(Encounter([scene, creature("hero"), *foes, *heroes, *roster]), dnd5e())
    assert found is not None
    return found


@for_each("level", range(1, 21))
def test_a_character_allows_for_what_their_level_says(level: int) -> None:
    older = budget(creature("foe", rating="1"), levels=(level,))
    assert older.steps == tuple(zip(("easy", "medium", "hard", "deadly"), THRESHOLDS[level], strict=True))
    newer = budget(creature("foe", rating="1"), levels=(level,), scene=NEWER)
    assert newer.steps == tuple(zip(("low", "moderate", "high"), BUDGETS[level], strict=True))


@for_each(("rating", "xp"), XP.items())
def test_a_rating_is_worth_so_much_in_either_year(rating: str, xp: int) -> None:
    for scene in (Scene(system="dnd5e"), NEWER):
        found = budget(creature("foe", rating=rating), scene=scene)
        assert (found.unadjusted, found.off_table, found.unknown) == (xp, (), ())


def test_what_the_stat_block_says_it_is_worth_goes_before_its_rating() -> None:
    assert budget(creature("foe", rating="1", xp=70)).unadjusted == 70
    assert budget(creature("foe", xp=70)).unadjusted == 70


@for_each(
    ("foes", "party", "hundredths"),
    [
        (1, 4, 100), (2, 4, 150), (3, 4, 200), (6, 4, 200), (7, 4, 250), (10, 4, 250), (11, 4, 300), (14, 4, 300),
        (15, 4, 400), (40, 4, 400), (1, 3, 100), (1, 5, 100), (1, 2, 150), (2, 2, 200), (15, 2, 500), (1, 6, 50),
        (2, 6, 100), (15, 6, 300), (3, 1, 250),
    ],
)  # fmt: skip
def test_many_foes_count_for_more_by_how_many_face_them(foes: int, party: int, hundredths: int) -> None:
    found = budget(creature("foe", rating="1"), counts=(foes,), levels=(3,) * party)
    assert found.total == 200 * foes * hundredths / 100
    assert found.unadjusted == 200 * foes
    newer = budget(creature("foe", rating="1"), counts=(foes,), levels=(3,) * party, scene=NEWER)
    assert newer.total == 200 * foes


@pytest.mark.parametrize(
    ("xp", "threat"),
    [(299, "less than easy"), (300, "easy"), (600, "medium"), (899, "medium"), (900, "hard"), (1600, "deadly"), (9000, "deadly")],
)  # fmt: skip
def test_a_threshold_is_where_a_threat_begins(xp: int, threat: str) -> None:
    assert budget(creature("foe", xp=xp)).threat == threat


@pytest.mark.parametrize(
    ("xp", "threat"),
    [(600, "low"), (601, "moderate"), (900, "moderate"), (901, "high"), (1600, "high"), (1601, "more than high")],
)  # fmt: skip
def test_a_budget_is_how_much_a_threat_holds(xp: int, threat: str) -> None:
    assert budget(creature("foe", xp=xp), scene=NEWER).threat == threat


def test_a_mixed_party_adds_up_what_each_allows_for() -> None:
    found = budget(creature("foe", rating="1"), levels=(3, 3, 3, 2))
    assert [int(at) for _, at in found.steps] == [275, 550, 825, 1400]


def test_what_lies_outside_the_tables_is_named_and_not_guessed() -> None:
    found = budget(creature("foe", rating="31"), creature("odd", rating="1/3"), creature("new"), counts=(1, 1, 1))
    assert (found.total, found.off_table, found.unknown) == (0, ("Foe", "Odd"), ("New",))
    older = budget(creature("foe", rating="1"), levels=(3, 21))
    assert (older.levels, older.unplaced, older.size) == ((3,), ("Hero",), 2)


def test_a_place_has_no_figure_here_and_is_named() -> None:
    heroes = RosterEntry("p", "hero", count=4, side="party", player="Kim", level=3)
    encounter = Encounter([creature("hero"), heroes, Environment("pit", "Pit", rating="3")])
    found = encounter_budget(encounter, dnd5e())
    assert found is not None
    assert (found.total, found.places) == (0, ("Pit",))


def test_the_next_threat_is_told_with_what_it_lacks() -> None:
    assert budget(creature("foe", xp=299)).next_threat == ("easy", 1)
    assert budget(creature("foe", xp=900)).next_threat == ("deadly", 700)
    assert budget(creature("foe", xp=1600)).next_threat is None
    assert budget(creature("foe", xp=850), scene=NEWER).next_threat == ("high", 50)
    assert budget(creature("foe", xp=1600), scene=NEWER).next_threat == ("more than high", 0)
