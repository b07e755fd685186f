"""An ally next to the target and the size of an area count alike for both sides."""

from __future__ import annotations

import numpy as np
import pytest

from tests.forecast.small_fights import GAMES, SYSTEMS, fighter, sheet_of_fight, small_fight
from turnwright.encounter.prepared import DataRule, Feature
from turnwright.forecast.compiled import fight_loop
from turnwright.forecast.estimate import packed_sheet
from turnwright.forecast.layout import LOST, WON, FightResult
from turnwright.forecast.sheet import Action
from turnwright.workspace.engine_fights import engine_fights
from turnwright.workspace.kernel_library import await_kernels

PACK = Feature(
    "pack", "Pack Tactics", "trait", rules=(DataRule(kind="advantage", what="attack", when="ally-at-target:5"),)
)
PRICES = {"pf2e": 3, "action_points": 6}
COUNT = 100_000


@pytest.mark.parametrize("system", GAMES)
@pytest.mark.parametrize("allied", [True, False])
@pytest.mark.parametrize("outcome", [WON, LOST])
def test_an_ally_next_to_the_target_counts_for_both_sides(system, allied, outcome):
    """One attack that hits with 8 or higher, with advantage beside an ally, fells the only enemy."""
    assert await_kernels()
    bite = Feature("bite", "Bite", "action", attack=4, reach=5, price=PRICES.get(system, 1), damage="9 piercing")
    pack = [fighter("wolf", bite, PACK, system=system), *([fighter("pup", system=system)] if allied else ())]
    prey = [fighter("hare", system=system, hp=1)]
    party, foes = (pack, prey) if outcome == WON else (prey, pack)
    encounter = small_fight(system, party, foes)
    built, legend = sheet_of_fight(encounter, system)
    fights, _ = fight_loop().play(packed_sheet(built), 1, 0, COUNT)
    at_once = np.count_nonzero((fights[:, FightResult.rounds] == 1) & (fights[:, FightResult.outcome] == outcome))
    chance = 1 - 0.35**2 if allied else 0.65
    assert abs(at_once - COUNT * chance) < 3 * (COUNT * chance * (1 - chance)) ** 0.5
    assert [note.reason for note in legend.notes if note.item == "pack"] == ["forecast.note.ally_near"]
    if allied and system == "dnd5e":
        played, refused = engine_fights(encounter, SYSTEMS.get(system), seed=2, count=60)
        share = sum(one.rounds == 1 for one in played) / 60
        assert refused == 0
        assert abs(share - chance) < 4 * (chance * (1 - chance) / 60) ** 0.5


@pytest.mark.parametrize(
    ("area", "caught"),
    [
        ("20-foot radius", 4), ("10-foot radius", 2), ("5-foot radius", 2), ("40-foot radius", 8), ("15-foot cone", 2),
        ("30-foot cone", 3), ("60-foot cone", 6), ("100-foot line, 5 feet wide", 3), ("30-foot line", 2), ("aura", 2),
        ("40-foot cube", 4), ("60-foot emanation", 12),
    ],
)  # fmt: skip
def test_areas_catch_by_size_and_shape(area, caught):
    blast = Feature("blast", "Blast", "action", save="dex", dc=15, damage="9 fire", area=area)
    built, _ = sheet_of_fight(small_fight("dnd5e", [fighter("ann", blast)], [fighter("imp", blast)]), "dnd5e")
    assert built.actions[:, Action.targets].tolist() == [caught, caught]


@pytest.mark.parametrize("system", GAMES)
@pytest.mark.parametrize("caught", [1, 5])
def test_the_game_master_sets_how_many_enemies_an_area_catches(system, caught):
    blast = Feature(
        "blast", "Blast", "action", save="dex", dc=15, damage="9 fire", area="20-foot radius", catches=caught
    )
    built, legend = sheet_of_fight(small_fight(system, [fighter("ann", blast)], [fighter("imp")]), system)
    assert built.actions[:, Action.targets].tolist() == [caught]
    assert not [note for note in legend.notes if note.reason == "forecast.note.area"]
