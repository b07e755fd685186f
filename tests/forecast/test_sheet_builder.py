"""What would change a forecast: the same fights again with one thing changed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.forecast.hand_made import Fighter, sheet_of
from turnwright.forecast import sheet as columns
from turnwright.forecast.estimate import packed_sheet, run_fights
from turnwright.forecast.layout import WON
from turnwright.forecast.sheet import Legend, Sheet
from turnwright.forecast.sheet_builder import Difference, change_outlooks, paired, variants, wins
from turnwright.workspace.kernel_library import await_kernels

COUNT = 20_000
FIGHTERS = (
    Fighter(0, 24, -8, (8,), 3, 2), Fighter(0, 18, -7, (6, 6), 2, 1), Fighter(1, 15, -9, (6,), 2, 3),
    Fighter(1, 15, -9, (6,), 2, 0), Fighter(1, 40, -6, (10,), 4, -1),
)  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def loop() -> None:
    assert await_kernels()


def last(found):
    """What all changes together do, which is yielded last."""
    return [*found][-1]


def weaker(sheet: Sheet, hp: int) -> Sheet:
    """The last of the foes with other hit points."""
    combatants = sheet.combatants.copy()
    combatants[-1, [columns.FighterRow.hp, columns.FighterRow.hp_max]] = hp
    return replace(sheet, combatants=combatants)


def difference(sheet: Sheet, changed: Sheet, seed: int, count: int) -> Difference:
    return paired(wins(sheet, seed=seed, count=count), wins(changed, seed=seed, count=count))


def test_the_same_sheet_makes_no_difference():
    sheet = sheet_of(FIGHTERS)
    found = difference(sheet, sheet, 1, 1000)
    assert (found.value, found.low, found.high, found.otherwise, found.seen) == (0, 0, 0, 0, False)


@pytest.mark.soak
def test_pairs_need_at_most_a_third_of_the_fights():
    """The interval holds the difference that other fights show, and is narrower than theirs."""
    sheet = sheet_of(FIGHTERS)
    found = difference(sheet, weaker(sheet, 38), 2, COUNT)
    long_run = difference(sheet, weaker(sheet, 38), 3, 20 * COUNT)
    assert found.low <= long_run.value <= found.high
    assert found.seen
    of_pairs = ((found.high - found.low) / 2 / 1.96) ** 2 * COUNT
    assert of_pairs == pytest.approx(found.otherwise / COUNT - found.value**2, rel=0.01)
    wins = [
        run_fights(packed_sheet(one), one, seed=4, first=0, count=COUNT).outcomes(WON)
        for one in (sheet, weaker(sheet, 38))
    ]
    of_others = sum(won / COUNT * (1 - won / COUNT) for won in wins)
    assert of_pairs < of_others / 3


def test_each_foe_action_of_the_world_wave_and_pool_is_left_out_or_slowed():
    late = replace(FIGHTERS[2], more={columns.FighterRow.wave: 0})
    sheet = sheet_of((*FIGHTERS[:2], FIGHTERS[4], late))
    world, pool = np.zeros((1, columns.World.width), np.int32), np.zeros((1, columns.Pool.width), np.int32)
    world[0, [columns.World.ready, columns.World.recharge, columns.World.lesser, columns.World.reaches_each]] = (
        1,
        1,
        -1,
        1,
    )
    world[0, columns.World.source] = 0
    sheet.sources[0, columns.Source.kind] = columns.ATTACK
    pool[
        0,
        [
            columns.Pool.dice,
            columns.Pool.lowest,
            columns.Pool.starts,
            columns.Pool.starts_pool,
            columns.Pool.calls_wave,
        ],
    ] = 3, 4, 1, -1, -1
    sheet = replace(
        sheet, world=world, pools=pool, waves=np.array([[2, columns.NO_TRIGGER, 0, 0]], np.int32),
        world_reach=np.array([[columns.WHOLE, columns.WHOLE, columns.SPARED, columns.SPARED]], np.int8),
    )  # fmt: skip
    legend = Legend(
        combatants=("one", "two", "ogre", "late"), labels=("One", "Two", "Ogre", "Late"), creatures=("one", "two", "ogre", "ogre"), sides=("party", "enemies"),
        actions=(), sources=(), conditions=(), pools=("ice",), supplies=(), waves=("wave",), world=(("cave", "rock"),), notes=(),
    )  # fmt: skip
    found = {
        (one.kind, one.subject, one.item): one.difference
        for one in last(change_outlooks(sheet, variants(sheet, legend), seed=5, count=4000))
    }
    assert set(found) == {
        ("combatant", "ogre", ""),
        ("world", "cave", "rock"),
        ("wave", "wave", ""),
        ("pool", "ice", ""),
    }
    assert found["combatant", "ogre", ""].low > 0
    assert found["world", "cave", "rock"].low > 0
    assert found["wave", "wave", ""].low > 0
    values = [
        abs(one.difference.value) for one in last(change_outlooks(sheet, variants(sheet, legend), seed=5, count=4000))
    ]
    assert values == sorted(values, reverse=True)


def test_a_single_enemy_is_not_removed():
    alone = sheet_of((FIGHTERS[0], FIGHTERS[4]))
    legend = Legend(
        combatants=("one", "ogre"), labels=("One", "Ogre"), creatures=("one", "ogre"), sides=("party", "enemies"),
        actions=(), sources=(), conditions=(), pools=(), supplies=(), waves=(), world=(), notes=(),
    )  # fmt: skip
    assert list(change_outlooks(alone, variants(alone, legend), seed=5, count=50)) == []


def test_one_die_more_in_a_pool_gives_the_time_that_it_must():
    """Four rounds win the fight, unless the pool ends it before: its dice go on 5 and 6."""
    sheet = sheet_of((Fighter(0, 9, 0, (), 1, 60), Fighter(1, 4, -columns.MARGIN, (), 0, -60)))
    sheet.sources[0, columns.Source.kind] = columns.SURE
    pool = np.zeros((1, columns.Pool.width), np.int32)
    pool[0, [columns.Pool.dice, columns.Pool.lowest, columns.Pool.starts, columns.Pool.ends_fight]] = 2, 5, 1, 1
    pool[0, [columns.Pool.starts_pool, columns.Pool.calls_wave]] = -1, -1
    sheet = replace(sheet, pools=pool)
    more = pool.copy()
    more[0, columns.Pool.dice] = 3
    found = difference(sheet, replace(sheet, pools=more), 6, 5 * COUNT)
    gone = 1 - (2 / 3) ** 4
    assert found.low <= gone**2 - gone**3 <= found.high
