"""Activities of several Strikes: their cost, and when their attacks count for the penalty, as in the engine."""

from __future__ import annotations

from typing import Any

import pytest

from tests.forecast.small_fights import fighter, played_alike, sheet_of_fight, small_fight
from tests.forecast.test_exact_cases_in_games import at_each_count, attack, is_chance, play, turn, won_in
from turnwright.encounter.prepared import Creature, Feature, FeatureStep
from turnwright.workspace.kernel_library import await_kernels

CLAW = Feature("claw", "Claw", "action", attack=5, reach=5, damage="1d8+3 slashing", properties=("agile",))
STEPS = tuple(FeatureStep(use="claw") for _ in range(3))
TOGETHER = tuple(FeatureStep(use="claw", together=True) for _ in range(3))


@pytest.fixture(scope="module", autouse=True)
def loop() -> None:
    assert await_kernels()


def frenzied(**fields: Any) -> Creature:
    frenzy = Feature("frenzy", "Frenzy", "action", price=2, **fields)
    return fighter("ann", CLAW, frenzy, hp=40)


@at_each_count
@pytest.mark.parametrize(
    ("fields", "penalties", "seed"),
    [
        ({"does": STEPS}, (0, 4, 8, 8), 1),
        ({"multiattack": ((("claw", 3),),)}, (0, 4, 8, 8), 2),
        ({"does": TOGETHER}, (0, 0, 0, 8), 3),
    ],
)
def test_two_actions_make_three_strikes_and_the_last_another(fields, penalties, seed, count):
    encounter = small_fight("pf2e", [frenzied(**fields)], [fighter("orc", hp=22, ac=10)])
    fights = play(sheet_of_fight(encounter, "pf2e")[0], 4000 + seed, count)
    left = turn(22, [attack("pf2e", 5 - penalty, 10, (8,), 3) for penalty in penalties])
    is_chance(won_in(fights, 1), left[0])


def test_an_attack_of_an_activity_carries_its_effects():
    """The lunge deals 3 more damage, for which the claw alone would need a critical hit."""
    claw = Feature("claw", "Claw", "action", attack=60, reach=5, damage="3 slashing")
    lunge = Feature("lunge", "Lunge", "action", price=2, damage="3 fire", does=(FeatureStep(use="claw", carries=True),))
    built, legend = sheet_of_fight(small_fight("pf2e", [fighter("ann", claw, lunge)], [fighter("orc")]), "pf2e")
    assert [built.sources[legend.sources.index(("ann", id))][2] for id in ("claw", "lunge")] == [1, 2]  # parts


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"does": STEPS, "when": "target.prone"}, "steps"),
        ({"does": STEPS, "area": "10-foot emanation"}, "steps"),
        ({"does": (*STEPS, FeatureStep(use="claw", cleaves=True))}, "steps"),
    ],
)
def test_activities_that_depend_on_places_are_left_out(fields, reason):
    _, legend = sheet_of_fight(small_fight("pf2e", [frenzied(**fields)], [fighter("orc")]), "pf2e")
    assert [note.reason for note in legend.notes if note.item == "frenzy"] == [f"forecast.note.{reason}"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("fields", [{"does": STEPS}, {"multiattack": ((("claw", 3),),)}, {"does": TOGETHER}])
def test_the_engine_plays_activities_alike(fields):
    foes = [fighter("orc", CLAW, hp=45, ac=10), fighter("imp", CLAW, hp=20, ac=13)]
    encounter = small_fight("pf2e", [frenzied(**fields)], foes)
    played_alike(encounter, "pf2e", count=60, seed=5)
