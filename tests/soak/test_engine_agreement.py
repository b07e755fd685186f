"""The engine as the referee of the forecast at length: thousands of its fights of each sample encounter, figure by figure.

Conditions are left in, the map and what the sheet leaves out are taken out of both. A figure's interval is joint: the
spread of the forecast's own fights, over the number of fights on either side.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pytest

from tests.forecast.proportions import errors_apart
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.lookups import scene_of
from turnwright.forecast.compiled import fight_loop
from turnwright.forecast.estimate import packed_sheet
from turnwright.forecast.layout import (
    LEFT_BINS,
    OUTCOME,
    ROUNDS_FOUGHT,
    SUM_DEAD,
    SUM_DOWN,
    SUM_LEFT,
    WON,
)
from turnwright.forecast.sheet import HP_MAX
from turnwright.forecast.sheet_builder import build_sheet
from turnwright.storage.encounters import read_encounter
from turnwright.storage.resources import sample_encounters
from turnwright.workspace.engine_fights import engine_fights, playable_by_sheet
from turnwright.workspace.fight_forecast import begun_copy

pytestmark = pytest.mark.soak

SYSTEMS = RuleSystems()
FILES = {file.stem: file for file in sample_encounters()}
FIGHTS, FORECAST = 2000, 100_000
OUTSIDE, BEYOND = 1.96, 4
SHARE_OUTSIDE = 0.05


class Figure(NamedTuple):
    """A figure of a fight: what the engine's fights and the forecast's make of it, in standard errors apart."""

    name: str
    engine: float
    forecast: float
    apart: float


def figure(name: str, found: float, count: int, expected: float, spread: float) -> Figure:
    """A figure by its means and the variance of a single fight; without any, the means must be the same."""
    error = (spread * (1 / count + 1 / FORECAST)) ** 0.5
    apart = (found - expected) / error if error else 0.0 if found == expected else float("inf")
    return Figure(name, found, expected, apart)


def chance(name: str, happened: int, expected: int) -> Figure:
    """The figure of something that happens or doesn't."""
    return Figure(name, happened / FIGHTS, expected / FORECAST, errors_apart(happened, FIGHTS, expected, FORECAST))


@lru_cache
def figures(name: str) -> tuple[Figure, ...]:
    """All figures of a sample encounter."""
    loaded = read_encounter(FILES[name], SYSTEMS.ids).encounter
    assert loaded is not None
    rules = SYSTEMS.get(scene_of(loaded).system)
    encounter = playable_by_sheet(loaded, rules)
    copy = begun_copy(encounter, rules)
    sheet, legend = build_sheet(copy.encounter, rules, copy.waiting)
    packed, count = packed_sheet(sheet), len(legend.combatants)
    assert fight_loop().warm()
    fights, sums = fight_loop().play(packed, 1, 0, FORECAST)
    played, refused = engine_fights(encounter, rules, seed=3, count=FIGHTS)
    assert refused == 0

    def added(at: int, each: int) -> np.ndarray:
        return sums[packed.data[at] : packed.data[at] + count * each].reshape(count, each)

    rounds = fights[:, ROUNDS_FOUGHT]
    mean = sum(one.rounds for one in played) / FIGHTS
    found = [
        chance("won", sum(one.outcome == WON for one in played), int(np.count_nonzero(fights[:, OUTCOME] == WON))),
        figure("rounds", mean, FIGHTS, float(rounds.mean()), float(rounds.var())),
    ]
    down, dead, left = added(SUM_DOWN, 1), added(SUM_DEAD, 1), added(SUM_LEFT, LEFT_BINS)
    most, shares = LEFT_BINS - 1, np.arange(LEFT_BINS)
    for who, (one, label) in enumerate(zip(legend.combatants, legend.labels, strict=True)):
        falls = sum(one in each.fell for each in played), int(down[who, 0])
        deaths = sum(one in each.died for each in played), int(dead[who, 0])
        found.append(chance(f"{label} falls", *falls))
        if deaths != falls:  # whoever dies by falling has one figure, not two
            found.append(chance(f"{label} dies", *deaths))
        hp_max, there = max(int(sheet.combatants[who, HP_MAX]), 1), int(left[who].sum())
        ends = [hp for each in played for other, hp in each.left if other == one]
        if ends and there:
            expected = float(left[who] @ shares) / there
            spread = float(left[who] @ shares**2) / there - expected**2
            share = sum(min(max(hp, 0) * most // hp_max, most) for hp in ends) / len(ends)
            found.append(figure(f"{label}'s hit points", share, len(ends), expected, spread))
    return tuple(found)


@pytest.mark.parametrize("name", sorted(FILES))
def test_no_figure_of_an_encounter_is_far_from_the_engines(name: str):
    assert [one for one in figures(name) if abs(one.apart) > BEYOND] == []


def test_few_figures_lie_outside_their_intervals():
    found = [one for name in sorted(FILES) for one in figures(name)]
    outside = [one for one in found if abs(one.apart) > OUTSIDE]
    assert len(outside) <= SHARE_OUTSIDE * len(found), outside
