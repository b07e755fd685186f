"""What still fits a budget, by the numbers of each game."""

from __future__ import annotations

from fractions import Fraction

from tests.for_each import for_each
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import Creature, RosterEntry, Scene
from turnwright.encounter.state import Encounter
from turnwright.rules.parts.preparation.budget_fits import MOST_COPIES, BudgetFit, BudgetFits
from turnwright.rules.parts.preparation.encounter_budgets import encounter_budget


def fits(system: str, level: int, *foes: tuple[str, int], options: tuple[str, ...] = ()) -> BudgetFits:
    """Return what fits beside these foes, pairs of a rating and a number, against four characters of a level."""
    rules = RuleSystems().get(system)
    blocks = [Creature(f"foe-{rating}", "Foe", rating=rating) for rating, _ in foes]
    entries = [RosterEntry(f"foe-{rating}", f"foe-{rating}", count=count) for rating, count in foes]
    party = RosterEntry("party", "party", count=4, level=level, player="Ann", side="party")
    scene = Scene(system=system, options=options)
    encounter = Encounter((scene, Creature("party", "Party", tags=("character",)), party, *blocks, *entries))
    budget = encounter_budget(encounter, rules)
    assert budget is not None
    return BudgetFits(budget, rules.data.suggest)


@for_each(
    ("system", "level", "foes", "rating", "tags", "fit"),
    [
        ("dnd5e", 5, (), "1", (), BudgetFit("now", 8, Fraction(200))),  # 8 × 200 × 2.5 = 4,000 of 4,400
        ("dnd5e", 5, (), "5", (), BudgetFit("now", 1, Fraction(1800))),
        ("dnd5e", 5, (), "9", (), BudgetFit("more", 0, Fraction(5000))),
        ("dnd5e", 5, (), "10", (), BudgetFit("strong")),  # more than 4 above the party
        ("dnd5e", 5, (("3", 3),), "1/4", (), BudgetFit("now", 1, Fraction(50))),  # 2,150 × 2 = 4,300
        ("dnd5e", 5, (("3", 3),), "1", (), BudgetFit("more", 0, Fraction(200))),
        ("dnd5e", 5, (("5", 5),), "8", (), BudgetFit("strong", 0, Fraction(3900))),
        ("dnd5e", 20, (), "0", (), BudgetFit("now", MOST_COPIES, Fraction(10))),
        ("dnd5e", 5, (), "", (), BudgetFit("unknown")),
        ("pf2e", 5, (), "5", (), BudgetFit("now", 3, Fraction(40))),
        ("pf2e", 5, (), "9", (), BudgetFit("more", 0, Fraction(160))),
        ("pf2e", 5, (), "10", (), BudgetFit("strong")),
        ("pf2e", 5, (), "0", (), BudgetFit("now")),  # below the table
        ("pf2e", 5, (("8", 1),), "5", (), BudgetFit("more", 0, Fraction(40))),
        ("pf2e", 5, (("9", 1),), "5", (), BudgetFit("strong", 0, Fraction(40))),
        ("a5e", 4, (), "4", (), BudgetFit("now", 2, Fraction(4))),
        ("a5e", 4, (), "4", ("Elite",), BudgetFit("now", 1, Fraction(8))),
        ("a5e", 4, (), "7", (), BudgetFit("strong")),
        ("a5e", 4, (("6", 1),), "4", (), BudgetFit("more", 0, Fraction(4))),
        ("a5e", 4, (("6", 1),), "5", (), BudgetFit("strong", 0, Fraction(5))),
    ],
)
def test_a_creature_fits_raises_the_threat_or_is_too_strong(
    system: str, level: int, foes: tuple[tuple[str, int], ...], rating: str, tags: tuple[str, ...], fit: BudgetFit
) -> None:
    assert fits(system, level, *foes).of(rating, 0, "beast", tags) == fit


def test_threats_that_end_at_their_amount_fit_up_to_it() -> None:
    found = fits("dnd5e", 5, options=("budget-2024",))
    assert found.threat == "high"
    assert found.of("5", 0, "", ()) == BudgetFit("now", 1, Fraction(1800))  # up to moderate
    assert found.of("8", 0, "", ()) == BudgetFit("more", 0, Fraction(3900))
    assert found.of("9", 0, "", ()) == BudgetFit("strong", 0, Fraction(5000))


def test_the_gravest_threat_is_the_last_one_with_a_fair_chance() -> None:
    assert [fits(system, 5).threat for system in ("a5e", "dnd5e", "pf2e")] == ["deadly", "deadly", "extreme"]


def test_a_stat_block_s_own_xp_counts() -> None:
    assert fits("dnd5e", 5).of("1", 450, "", ()).adds == 450
    assert fits("dnd5e", 5).of("", 450, "", ()).group == "now"
