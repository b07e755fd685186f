"""Changes that would affect a forecast: the same fights are played again with one thing changed, and compared.

Both runs use the same random numbers, so shared randomness cancels out, and a few thousand fights are enough to
show small differences.
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import TYPE_CHECKING, Final, Literal

import msgspec
import numpy as np

from turnwright.forecast.compiled import fight_loop
from turnwright.forecast.estimate import SURE, packed_sheet
from turnwright.forecast.layout import WON, FightResult
from turnwright.forecast.sheet import DEATH, NO_TRIGGER, FighterRow, Legend, Pool, Sheet, WaveRow, World

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from turnwright.forecast.policy_figures import Policy


FEWEST: Final = 10  # if fewer fights than this end differently, no difference counts as seen
Kind = Literal["combatant", "world", "wave", "pool"]


class Difference(msgspec.Struct, frozen=True):
    """A change's effect on the chance of victory, its 95 % interval, and how many fights end differently."""

    value: float
    low: float
    high: float
    otherwise: int

    @property
    def seen(self) -> bool:
        """Whether enough fights end differently to prove a difference."""
        return self.otherwise >= FEWEST


class ChangeOutlook(msgspec.Struct, frozen=True):
    """The effect of removing an enemy, a world action or a wave, or of adding a die to a pool.

    `subject` is the id of the combatant, environment, wave or countdown; `item` is the id of the world action.
    """

    kind: Kind
    subject: str
    item: str
    difference: Difference


def wins(sheet: Sheet, *, seed: int, count: int, policies: Sequence[Policy] = ()) -> NDArray[np.int64]:
    """Return for each simulated fight 1 if the party wins, else 0."""
    fights, _ = fight_loop().play(packed_sheet(sheet, policies), seed, 0, count)
    return np.asarray(fights[:, FightResult.outcome] == WON, np.int64)


def paired(before: NDArray[np.int64], after: NDArray[np.int64]) -> Difference:
    """Return the change in the party's win rate between two runs of the same fights."""
    change = after - before
    value, error = float(change.mean()), float(change.std()) / sqrt(len(change))
    return Difference(value, value - SURE * error, value + SURE * error, int(np.count_nonzero(change)))


def change_outlooks(
    sheet: Sheet, legend: Legend, *, seed: int, count: int, policies: Sequence[Policy] = ()
) -> Iterator[tuple[ChangeOutlook, ...]]:
    """Try changes to a sheet one by one; after each, yield the effects of all so far, the greatest first."""
    before = wins(sheet, seed=seed, count=count, policies=policies)
    outlooks: list[ChangeOutlook] = []
    for kind, subject, item, changed in variants(sheet, legend):
        after = wins(changed, seed=seed, count=count, policies=policies)
        outlooks.append(ChangeOutlook(kind, subject, item, paired(before, after)))
        yield tuple(sorted(outlooks, key=lambda outlook: -abs(outlook.difference.value)))


def variants(sheet: Sheet, legend: Legend) -> Iterator[tuple[Kind, str, str, Sheet]]:
    """Yield each possible change: its kind, subject and item, and the changed sheet."""
    for who, row in enumerate(sheet.combatants):
        if sheet.enmity[0, row[FighterRow.side]] and row[FighterRow.wave] < 0 and row[FighterRow.state] < 0:
            dead = (FighterRow.state, DEATH)
            yield "combatant", legend.combatants[who], "", _with(sheet, "combatants", who, dead)
    for number, (place, entry) in enumerate(legend.world):
        off = (World.ready, 0), (World.recharge, 0), (World.source, -1), (World.lesser, -1)
        yield "world", place, entry, _with(sheet, "world", number, *off)
    for number, wave in enumerate(legend.waves):
        pools = sheet.pools.copy()
        pools[pools[:, Pool.calls_wave] == number, Pool.calls_wave] = -1
        never = (WaveRow.round, 0), (WaveRow.when, NO_TRIGGER)
        yield "wave", wave, "", replace(_with(sheet, "waves", number, *never), pools=pools)
    for number, pool in enumerate(legend.pools):
        dice = int(sheet.pools[number, Pool.dice])
        if dice > 0:
            yield "pool", pool, "", _with(sheet, "pools", number, (Pool.dice, dice + 1))


def _with(sheet: Sheet, table: str, row: int, *numbers: tuple[int, int]) -> Sheet:
    """Return a copy of a sheet with some numbers changed in one row of a table."""
    changed = getattr(sheet, table).copy()
    for column, number in numbers:
        changed[row, column] = number
    return replace(sheet, **{table: changed})
