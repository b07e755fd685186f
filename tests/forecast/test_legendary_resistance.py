"""Uses that turn a failed save into a success: spent against conditions, in the forecast as in the engine's fights."""

from __future__ import annotations

import numpy as np
import pytest

from tests.forecast.small_fights import SYSTEMS, fighter, sheet_of_fight, small_fight
from tests.forecast.test_exact_cases_in_games import at_each_count, failure, is_chance, play, spell, won_in
from turnwright.encounter.prepared import Feature, InflictedCondition
from turnwright.encounter.state import Encounter
from turnwright.forecast.layout import LOST, FightResult
from turnwright.workspace.engine_fights import engine_fights
from turnwright.workspace.fight_forecast import run_forecast
from turnwright.workspace.kernel_library import await_kernels

GAMES = ["a5e", "dnd5e", "dnd5e-2024"]
RESISTANCE = Feature("resistance", "Resistance", uses=1, properties=("legendary-resistance",))
DRIP = Feature("drip", "Drip", "action", save="dex", dc=60, damage="10 cold", range="60")


@pytest.fixture(scope="module", autouse=True)
def loop() -> None:
    assert await_kernels()


def stunned(game: str, *features: Feature) -> Encounter:
    """Ann stuns the wyrm with half of her spells; without, its third turn kills her."""
    stun = Feature(
        "stun", "Stun", "action", save="dex", dc=11, range="60", afflictions=(InflictedCondition("stunned"),)
    )
    return small_fight(game, [fighter("ann", stun, hp=25)], [fighter("wyrm", DRIP, *features, hp=90)])


@at_each_count
@pytest.mark.parametrize("game", GAMES)
def test_the_first_failed_save_against_a_condition_succeeds(game, count):
    fails = failure(game, 11)
    fights = play(sheet_of_fight(stunned(game, RESISTANCE), game)[0], 6000, count)
    dead = (fights[:, FightResult.outcome] == LOST) & (fights[:, FightResult.rounds] == 3)
    is_chance(dead, (1 - fails) ** 3 + 3 * fails * (1 - fails) ** 2)


@at_each_count
@pytest.mark.parametrize("game", GAMES)
def test_damage_alone_is_not_worth_a_use(game, count):
    burn = spell(game, "9 fire", dc=11)
    wyrm = fighter("wyrm", RESISTANCE, hp=9)
    fights = play(sheet_of_fight(small_fight(game, [fighter("ann", burn)], [wyrm]), game)[0], 6100, count)
    is_chance(won_in(fights, 1), failure(game, 11))


@pytest.mark.parametrize(
    ("feature", "expected"),
    [(RESISTANCE, ("assumed", "resists")), (Feature("resistance", "Resistance", uses=1), ("left-out", "text"))],
)
def test_notes_say_when_it_is_used(feature, expected):
    _, legend = sheet_of_fight(stunned("dnd5e", feature), "dnd5e")
    assert [(each.list, each.reason.rpartition(".")[2]) for each in legend.notes if each.item == "resistance"] == [
        expected
    ]


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_the_engine_resists_alike(game):
    encounter, rules = stunned(game, RESISTANCE), SYSTEMS.get(game)
    outlook = run_forecast(encounter, rules, 20_000, seed=1).outlook
    fights, refused = engine_fights(encounter, rules, seed=5, count=60)
    lost = np.array([one.outcome == LOST for one in fights])
    assert refused == 0
    assert 0.3 < outlook.lost.value < 0.95
    assert abs(lost.mean() - outlook.lost.value) < 4 * (lost.std() + 0.02) / len(fights) ** 0.5
