"""The loop over fights: compiled and plain alike, whatever the split, and right where the chances can be worked out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.forecast.hand_made import Fighter, sheet_of
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.state import scene_of
from turnwright.forecast import sheet as columns
from turnwright.forecast.compiled import FightLoop, fight_loop, play_plainly
from turnwright.forecast.estimate import Tally, packed_sheet, run_fights, wilson
from turnwright.forecast.layout import WON, FightResult
from turnwright.forecast.sheet import Policy, Sheet
from turnwright.forecast.sheet_builder import build_sheet
from turnwright.storage.encounters import read_encounter
from turnwright.storage.resources import sample_encounters
from turnwright.workspace.fight_forecast import begun_copy
from turnwright.workspace.kernel_library import await_kernels

SYSTEMS = RuleSystems()
SAMPLES = {file.stem: file for file in sample_encounters()}
MILLION = 1_000_000
DUEL = (Fighter(0, 30, margin=-9, adds=3), Fighter(1, 30, margin=-9, adds=3))
MELEE = (
    Fighter(0, 24, -8, (8,), 3, 2),
    Fighter(0, 18, -7, (6, 6), 2, 1),
    Fighter(1, 15, -9, (6,), 2, 3),
    Fighter(1, 15, -9, (6,), 2, 0),
    Fighter(1, 40, -6, (10,), 4, -1),
)


@pytest.fixture(scope="session")
def loop() -> FightLoop:
    assert await_kernels()
    return fight_loop()


def tally(sheet: Sheet, seed: int, count: int, first: int = 0) -> Tally:
    return run_fights(packed_sheet(sheet), sheet, seed=seed, first=first, count=count)


@pytest.mark.parametrize("fighters", [DUEL, MELEE])
def test_compiled_and_plain_loop_play_the_same_fights(loop, fighters):
    packed = packed_sheet(sheet_of(fighters))
    fights, sums = loop.play(packed, 7, 0, 300)
    plain_fights, plain_sums = play_plainly(packed, 7, 0, 300)
    assert np.array_equal(fights, plain_fights)
    assert np.array_equal(sums, plain_sums)


def test_any_split_gives_the_same_fights(loop):
    sheet = sheet_of(MELEE)
    whole = tally(sheet, 3, 4000)
    parts = tally(sheet, 3, 1000, 3000) + tally(sheet, 3, 2000, 1000) + tally(sheet, 3, 1000)
    assert parts.courses == whole.courses
    assert np.array_equal(parts.sums, whole.sums)
    assert (parts.fights, parts.down, parts.dead, parts.all_down) == (4000, whole.down, whole.dead, whole.all_down)
    assert tally(sheet, 4, 4000).courses != whole.courses


def hits(margin: int) -> tuple[float, float]:
    """The chance of a hit that isn't critical, and of a critical one."""
    return sum(1 for face in range(2, 20) if face + margin >= 0) / 20, 1 / 20


def spread(dice: tuple[int, ...], adds: int) -> dict[int, float]:
    chances = {adds: 1.0}
    for sides in dice:
        rolled: dict[int, float] = {}
        for total, chance in chances.items():
            for face in range(1, sides + 1):
                rolled[total + face] = rolled.get(total + face, 0) + chance / sides
        chances = rolled
    return chances


def duel_by_steps(one: Fighter, other: Fighter) -> float:
    """The chance that `one`, who acts first, wins: by dynamic programming over the hit points of both."""

    def damage(fighter: Fighter) -> dict[int, float]:
        plain, critical = hits(fighter.margin)
        found = {0: 1 - plain - critical}
        for chance, dice in ((plain, fighter.dice), (critical, fighter.dice * 2)):
            for amount, share in spread(dice, fighter.adds).items():
                found[amount] = found.get(amount, 0) + chance * share
        return found

    first, second = damage(one), damage(other)
    wins = np.zeros((one.hp + 1, other.hp + 1))

    def value(mine: int, theirs: int) -> float:
        return 1.0 if theirs <= 0 else 0.0 if mine <= 0 else float(wins[mine, theirs])

    for total in range(2, one.hp + other.hp + 1):
        for mine in range(max(1, total - other.hp), min(one.hp, total - 1) + 1):
            theirs, stay, sure = total - mine, first[0] * second[0], 0.0
            for dealt, chance in first.items():
                if theirs - dealt <= 0:
                    sure += chance
                    continue
                for taken, answer in second.items():
                    if dealt or taken:
                        sure += chance * answer * value(mine - taken, theirs - dealt)
            wins[mine, theirs] = sure / (1 - stay)
    return float(wins[one.hp, other.hp])


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("one", "other", "seed"),
    [
        (replace(DUEL[0], initiative=60), DUEL[1], 11),
        (Fighter(0, 22, -11, (6, 6), 1, 60), Fighter(1, 31, -7, (12,), 0), 12),
        (Fighter(0, 9, -14, (4,), 0, 60), Fighter(1, 7, -15, (10,), 2), 13),
    ],
)
def test_a_duel_is_won_as_often_as_it_must_be(loop, one, other, seed):
    chance = duel_by_steps(one, other)
    won = tally(sheet_of((one, other)), seed, MILLION).outcomes(WON)
    assert abs(won - MILLION * chance) < 3 * (MILLION * chance * (1 - chance)) ** 0.5


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("edge", "seed"), [(1, 21), (-1, 22)])
def test_advantage_and_disadvantage_change_the_first_hit_by_the_two_dice(loop, edge, seed):
    """A fighter with one hit point: the first hit ends it; nobody hits back."""
    sheet = sheet_of((Fighter(0, 1, -11, initiative=60), Fighter(1, 1, -columns.MARGIN, initiative=-20)))
    sheet.cells[0, :, columns.Cell.edge] = edge
    plain = sum(hits(-11))
    chance = 1 - (1 - plain) ** 2 if edge > 0 else plain**2
    fights, _ = fight_loop().play(packed_sheet(sheet), seed, 0, MILLION)
    # the enemy hits with a 20 only, and then it is over, too
    first = int(np.count_nonzero((fights[:, FightResult.rounds] == 1) & (fights[:, FightResult.outcome] == WON)))
    assert abs(first - MILLION * chance) < 3 * (MILLION * chance * (1 - chance)) ** 0.5


def test_every_policy_plays_on(loop):
    sheet = sheet_of(MELEE)
    outcomes = set()
    for target in range(5):
        packed = packed_sheet(sheet, [Policy(target=target), Policy(target=target)])
        fights, _ = loop.play(packed, 5, 0, 2000)
        assert fights.shape == (2000, FightResult.width)
        outcomes.add(int(np.count_nonzero(fights[:, FightResult.outcome] == WON)))
    assert len(outcomes) > 1


def test_the_interval_of_a_chance_is_wilson_s():
    found = wilson(50, 100)
    assert (round(found.low, 4), found.value, round(found.high, 4)) == (0.4038, 0.5, 0.5962)
    assert wilson(0, 10).low == 0
    assert all(wilson(count, count).high == 1 for count in range(1, 400))
    assert wilson(0, 0).high == 1


@pytest.mark.soak
def test_intervals_hold_the_long_run_value_in_most_seeds(loop):
    sheet = sheet_of(MELEE)
    value = tally(sheet, 999, MILLION // 2).outcomes(WON) / (MILLION // 2)
    held = 0
    for seed in range(200):
        found = wilson(tally(sheet, seed, 1000).outcomes(WON), 1000)
        held += found.low <= value <= found.high
    assert 181 <= held <= 199


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_every_shipped_encounter_is_played_alike_compiled_and_plain(loop, name):
    loaded = read_encounter(SAMPLES[name], SYSTEMS.ids).encounter
    assert loaded is not None
    rules = SYSTEMS.get(scene_of(loaded).system)
    copy = begun_copy(loaded, rules)
    packed = packed_sheet(build_sheet(copy.encounter, rules, copy.waiting)[0])
    fights, sums = loop.play(packed, 7, 0, 50)
    plain_fights, plain_sums = play_plainly(packed, 7, 0, 50)
    assert np.array_equal(fights, plain_fights)
    assert np.array_equal(sums, plain_sums)
