"""Encounter budgets of A5E: the sum of ratings, against the sum of the characters' levels."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.for_each import for_each
from tests.table import a5e, creature, dnd5e, pf2e
from turnwright.encounter.prepared import Creature, CreaturePhase, Environment, RosterEntry, SourceNote
from turnwright.encounter.state import Encounter
from turnwright.rules.parts.preparation.encounter_budgets import Budget, encounter_budget


def budget(*foes: tuple[Creature, int], levels: tuple[int, ...], places: tuple[Environment, ...] = ()) -> Budget:
    """Return the budget of so many of these foes against characters of such levels."""
    heroes = [RosterEntry(f"p{n}", "hero", side="party", player="Kim", level=one) for n, one in enumerate(levels)]
    roster = [RosterEntry(foe.id, foe.id, count=count) for foe, count in foes]
    found = encounter_budget(Encounter([creature("hero"), *(foe for foe, _ in foes), *heroes, *roster, *places]), a5e())
    assert found is not None
    return found


def test_a_threat_holds_its_share_of_all_levels_together() -> None:
    found = budget((creature("foe", rating="1"), 1), levels=(6, 6, 6, 6))
    assert found.steps == (("easy", 4), ("medium", 8), ("hard", 12), ("deadly", 16), ("impossible", 24))


@for_each(
    ("count", "threat"),
    [
        (4, "easy"),
        (5, "medium"),
        (8, "medium"),
        (9, "hard"),
        (12, "hard"),
        (13, "deadly"),
        (16, "deadly"),
        (17, "impossible"),
        (60, "impossible"),
    ],
)
def test_so_much_is_such_a_threat(count: int, threat: str) -> None:
    assert budget((creature("foe", rating="1"), count), levels=(6, 6, 6, 6)).threat == threat


@pytest.mark.parametrize(
    ("rating", "each"),
    [("0", "1/8"), ("1/8", "1/4"), ("1/4", "1/2"), ("1/2", "1"), ("1", "1"), ("3", "3")],
)
def test_small_fry_count_a_step_higher_in_the_first_tier(rating: str, each: str) -> None:
    assert budget((creature("foe", rating=rating), 1), levels=(4, 4)).total == Fraction(each)
    assert budget((creature("foe", rating=rating), 1), levels=(3, 5)).total == Fraction(each)
    assert budget((creature("foe", rating=rating), 1), levels=(4, 5)).total == Fraction(rating)


def test_the_publishers_own_examples_come_out() -> None:
    worgs = creature("worg", rating="1/2")
    assert budget((worgs, 2), levels=(1, 1, 1, 1)).threat == "hard"
    assert budget((worgs, 2), levels=(1,) * 5).threat == "hard"
    ogre = budget((creature("ogre", rating="2"), 1), levels=(1, 1, 1, 1))
    assert (ogre.total, ogre.threat, ogre.too_strong) == (2, "impossible", ("Ogre",))
    assert budget((creature("demilich", rating="18"), 1), levels=(14,) * 4).threat == "medium"


@pytest.mark.parametrize(("rating", "strong"), [("6", ()), ("7", ("Foe",))])
def test_a_foe_may_stand_half_as_high_again_as_the_party(rating: str, strong: tuple[str, ...]) -> None:
    found = budget((creature("foe", rating=rating), 1), levels=(4,) * 9)
    assert (found.too_strong, found.threat == "impossible") == (strong, bool(strong))


@pytest.mark.parametrize(("rating", "strong"), [("30", ()), ("30.1", ("Foe",))])
def test_half_as_high_again_is_just_that(rating: str, strong: tuple[str, ...]) -> None:
    assert budget((creature("foe", rating=rating), 1), levels=(20,) * 4).too_strong == strong


def test_an_elite_counts_as_two() -> None:
    levels = (9,) * 4
    assert budget((creature("foe", rating="5"), 2), levels=levels).total == 10
    assert budget((creature("foe", rating="5", tags=("elite",)), 2), levels=levels).total == 20
    remark = (SourceNote("rating", "elite"),)
    assert budget((creature("foe", rating="5", remarks=remark), 1), levels=levels).total == 10


def test_a_dangerous_place_counts_by_its_rating() -> None:
    found = budget((creature("foe", rating="5"), 1), levels=(6,) * 4, places=(Environment("bog", "Bog", rating="3"),))
    assert (found.total, [part.name for part in found.entries]) == (8, ["Foe", "Bog"])


@pytest.mark.parametrize("rating", ["", "very", "1/0", "1e9", "-"])
def test_what_is_no_rating_is_named_and_not_guessed(rating: str) -> None:
    found = budget((creature("foe", rating=rating), 1), levels=(4, 4))
    assert (found.total, found.unknown) == (0, ("Foe",))


def test_a_level_on_the_party_s_side_makes_a_member_without_a_player_too() -> None:
    party = RosterEntry("aria", "hero", side="party", level=5)
    guide = RosterEntry("guide", "hero", side="party")
    foe = RosterEntry("foe", "foe", side="enemies", level=5)
    found = encounter_budget(Encounter([creature("hero"), creature("foe", rating="1"), party, guide, foe]), a5e())
    assert found is not None
    assert (found.levels, found.allies, len(found.entries)) == ((5,), ("Hero",), 1)


def test_hit_points_anew_count_as_another_creature() -> None:
    mythic = creature("foe", rating="5", phases=(CreaturePhase("mythic", "Mythic", at=0),))
    found = budget((mythic, 2), levels=(6, 6, 6, 6))
    assert [(one.name, one.count, one.worth_each, one.why) for one in found.entries] == [
        ("Foe", 2, 5, ()),
        ("Foe, Mythic", 2, 5, ("phase",)),
    ]
    bloodied = creature("foe", rating="5", phases=(CreaturePhase("bloodied", "Bloodied"),))
    assert budget((bloodied, 2), levels=(6, 6, 6, 6)).total == 10


def test_another_stat_block_at_0_counts_by_its_own_rating() -> None:
    risen = creature("risen", rating="3", phases=(CreaturePhase("back", "Back", at=0, creature="foe"),))
    foe = creature("foe", rating="5", phases=(CreaturePhase("rise", "Rise", at=0, creature="risen"),))
    found = budget((foe, 1), (risen, 0), levels=(6, 6, 6, 6))
    assert [one.worth for one in found.entries[:3]] == [5, 3, 5]


def test_where_the_game_has_no_number_for_hit_points_anew_they_are_named() -> None:
    mythic = creature("foe", rating="3", phases=(CreaturePhase("mythic", "Mythic", at=0),))
    heroes = RosterEntry("hero", "hero", side="party", player="Kim", level=3, count=4)
    for rules, counted, named in ((pf2e(), 1, ("Foe",)), (dnd5e(), 2, ())):
        found = encounter_budget(Encounter([creature("hero"), mythic, heroes, RosterEntry("foe", "foe")]), rules)
        assert found is not None
        assert (len(found.entries), found.phases) == (counted, named)
