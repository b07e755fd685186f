"""The packed sheet: one array of numbers, and the layouts of a fight's state and of the sums over fights.

With a dozen array parameters, a compiled loop would spend a third of its time passing them. So there are five flat
arrays. The head of the first contains the start of each table, at the positions named here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from turnwright.forecast.policy_figures import POLICY_FIGURES, Policy
from turnwright.forecast.sheet import HP_MAX, LEGENDARY, MOST_ROUNDS, PARTY, PRICE, SIDE, SLOT, Sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

# The head of the array of numbers: the number of rows of each table, and the position where it begins.
COMBATANTS, SLOTS, SOURCES, SUPPLIES, WORLDS, POOL_COUNT, WAVES, CONDITIONS, SIDES, CHECK_DIE = range(10)
FIRST_ROUND, FIRST_SLOT, TYPES, TALLIES = range(10, 14)
AT_COMBATANTS, AT_SLOTS, AT_ACTIONS, AT_ROUTINE, AT_SUPPLIES, AT_SOURCES, AT_CELLS, AT_OUTCOMES = range(14, 22)
AT_DEGREES, AT_SHARES, AT_TALLIES, AT_PARTS, AT_TAKEN_ROWS, AT_TAKEN, AT_STATES, AT_DEATHS = range(22, 30)
AT_STRUCK, AT_DROPS, AT_MASSIVE, AT_CONDITIONS, AT_HOLDER, AT_TARGET, AT_IMMUNE, AT_INFLICTIONS = range(30, 38)
AT_ENDINGS, AT_AWAY, AT_WORLD, AT_REACH, AT_POOLS, AT_WAVES, AT_WATCHED, AT_ENMITY = range(38, 46)
AT_MEMBERS, AT_POLICIES, ACTIONS = range(46, 49)
STATE_SUPPLIES, STATE_WORLD, STATE_POOLS, STATE_WAVES, STATE_ORDER, STATE_COUNTS, STATE_HELD, STATE_ROLLED = range(
    49, 57
)
SUM_DOWN, SUM_DEAD, SUM_LEFT, SUM_DEALT, SUM_TAKEN, SUM_FELLED, SUM_SOURCE, SUM_POOL, SUM_ROUNDS = range(57, 66)
SUM_GOING, SUM_SHARE, STATE_USED, HALVES_UP, ANY_LEGENDARY, FARTHEST, SHIFTS, AT_FOES, AT_PARTY, PARTY_HP = range(
    66, 76
)
LEAST_PRICE: Final = 76
HEADS: Final = 77

# The state of a fight: the stream of random numbers, the standing combatants of each side, the index of the active slot
# in the order (-1 between turns), the standing enemies of each side, the combatants.
RANDOM: Final = 0
FIRST_DOWN_OF_PARTY: Final = 4  # -1 if no one fell
STANDING: Final = 5
MOST_SIDES: Final = 8
ACTIVE_PLACE: Final = STANDING + MOST_SIDES
AGAINST: Final = ACTIVE_PLACE + 1
STATE_COMBATANTS: Final = AGAINST + MOST_SIDES
NOW_HP, NOW_TEMP, NOW_STATE, NOW_DROP, NOW_POOLS = range(5)
NOW_TALLY, NOW_MOVES, NOW_SUFFERED, NOW_EXTRA, NOW_FELL, NOW_MARK, NOW_AIM, NOW_CONDITIONS, NOW_COLUMNS = range(9, 18)
IS_UP, IS_AWAY = -1, -2  # values of NOW_STATE: standing, not yet arrived
MOST_CONDITIONS: Final = 60  # conditions are bits of one number
MOST_PRICE: Final = 1  # LEAST_PRICE is 0 if an action is free, else this
MOST_PARTS: Final = 16  # parts of one source's damage

# The columns of a fight's outcome.
OUTCOME, ROUNDS_FOUGHT, FIRST_FALLEN, FIRST_POOL, PARTY_DOWN, PARTY_DEAD, FIGHT_COLUMNS = range(7)
UNDECIDED, WON, LOST = range(3)
LEFT_BINS: Final = 21  # hit points left, in twentieths of the maximum
SHARE_BINS: Final = 41  # the party's hit points after each round, in fortieths


@dataclass(frozen=True, slots=True)
class PackedSheet:
    """A sheet in the form used by the loop: the array of numbers, the alias tables, and the sizes of state and sums."""

    data: NDArray[np.int32]
    alias: NDArray[np.int64]
    state_size: int
    sums_size: int


def pack(sheet: Sheet, policies: Sequence[Policy]) -> PackedSheet:
    """Pack a sheet and a policy for each of its sides. Raise ValueError if it exceeds a limit."""
    party = np.flatnonzero(sheet.combatants[:, PARTY])
    counts = {
        COMBATANTS: len(sheet.combatants),
        SLOTS: len(sheet.slots),
        SOURCES: len(sheet.sources),
        ACTIONS: len(sheet.actions),
        SUPPLIES: len(sheet.supplies),
        WORLDS: len(sheet.world),
        POOL_COUNT: len(sheet.pools),
        WAVES: len(sheet.waves),
        CONDITIONS: len(sheet.conditions),
        SIDES: len(sheet.enmity),
        CHECK_DIE: sheet.die,
        HALVES_UP: sheet.halves_up,
        SHIFTS: sheet.shifts,
        ANY_LEGENDARY: int(sheet.combatants[:, LEGENDARY].any()),
        FARTHEST: int(sheet.rounds_away.max(initial=0)),
        FIRST_ROUND: sheet.round,
        FIRST_SLOT: sheet.turn,
        TYPES: sheet.taken_rows.shape[1],
        TALLIES: sheet.tallies.shape[1],
        LEAST_PRICE: int(sheet.actions[:, PRICE].min(initial=MOST_PRICE)),
        PARTY_HP: max(int(sheet.combatants[party, HP_MAX].sum()), 1),
    }
    for place, most, what in ((SIDES, MOST_SIDES, "sides"), (CONDITIONS, MOST_CONDITIONS, "conditions")):
        if counts[place] > most:
            raise ValueError(f"the encounter has {counts[place]} {what}; a forecast allows at most {most}")
    tables = {
        AT_COMBATANTS: sheet.combatants,
        AT_SLOTS: sheet.slots,
        AT_ACTIONS: sheet.actions,
        AT_ROUTINE: sheet.routine,
        AT_SUPPLIES: sheet.supplies,
        AT_SOURCES: sheet.sources,
        AT_CELLS: sheet.cells,
        AT_OUTCOMES: sheet.outcomes,
        AT_DEGREES: sheet.degrees,
        AT_SHARES: sheet.shares,
        AT_TALLIES: sheet.tallies,
        AT_PARTS: sheet.parts,
        AT_TAKEN_ROWS: sheet.taken_rows,
        AT_TAKEN: sheet.taken,
        AT_STATES: sheet.states,
        AT_DEATHS: sheet.deaths,
        AT_STRUCK: sheet.struck,
        AT_DROPS: sheet.drops,
        AT_MASSIVE: sheet.massive_cells,
        AT_CONDITIONS: sheet.conditions,
        AT_HOLDER: sheet.holder_changes,
        AT_TARGET: sheet.target_changes,
        AT_IMMUNE: sheet.immune,
        AT_INFLICTIONS: sheet.inflictions,
        AT_ENDINGS: sheet.ending_cells,
        AT_AWAY: sheet.rounds_away,
        AT_WORLD: sheet.world,
        AT_REACH: sheet.world_reach,
        AT_POOLS: sheet.pools,
        AT_WAVES: sheet.waves,
        AT_WATCHED: sheet.watched,
        AT_ENMITY: sheet.enmity,
        AT_MEMBERS: _lists([np.flatnonzero(sheet.combatants[:, SLOT] == slot) for slot in range(len(sheet.slots))]),
        AT_FOES: _lists(
            [np.flatnonzero(sheet.enmity[side][sheet.combatants[:, SIDE]]) for side in range(len(sheet.enmity))]
        ),
        AT_PARTY: _lists([party]),
        AT_POLICIES: np.array([policy.figures for policy in policies], np.int32).reshape(-1, POLICY_FIGURES),
    }
    head = np.zeros(HEADS, np.int32)
    blocks, here = [head], HEADS
    for place, table in tables.items():
        head[place] = here
        flat = np.ascontiguousarray(table, np.int32).reshape(-1)
        blocks.append(flat)
        here += flat.size
    for place, number in counts.items():
        head[place] = number
    state_size, sums_size = _lay_out_state(head), _lay_out_sums(head)
    return PackedSheet(
        np.concatenate(blocks), np.ascontiguousarray(sheet.alias, np.int64).reshape(-1), state_size, sums_size
    )


def _lists(lists: Sequence[NDArray[np.intp]]) -> NDArray[np.int32]:
    """Return where each list starts and ends, followed by the members of all lists."""
    ends = 2 * len(lists) + np.cumsum([0, *map(len, lists)])
    bounds = np.stack((ends[:-1], ends[1:]), axis=1).reshape(-1)
    return np.concatenate((bounds, *lists)).astype(np.int32)


def _lay_out_state(head: NDArray[np.int32]) -> int:
    """Write the positions of a fight's state into the head; return the size of the state."""
    combatants = int(head[COMBATANTS])
    here = STATE_COMBATANTS + combatants * NOW_COLUMNS
    for place, size in (
        (STATE_SUPPLIES, head[SUPPLIES]),
        (STATE_WORLD, head[WORLDS]),
        (STATE_POOLS, 2 * head[POOL_COUNT]),
        (STATE_WAVES, head[WAVES]),
        (STATE_ORDER, head[SLOTS]),
        (STATE_COUNTS, head[SLOTS]),
        (STATE_HELD, combatants * head[CONDITIONS] * 2),
        (STATE_USED, head[ACTIONS]),
        (STATE_ROLLED, MOST_PARTS),
    ):
        head[place] = here
        here += int(size)
    return here


def _lay_out_sums(head: NDArray[np.int32]) -> int:
    """Write the positions of the sums over fights into the head; return their size."""
    combatants, sources, rounds = int(head[COMBATANTS]), int(head[SOURCES]), MOST_ROUNDS + 1
    here = 0
    for place, size in (
        (SUM_DOWN, combatants),
        (SUM_DEAD, combatants),
        (SUM_LEFT, combatants * LEFT_BINS),
        (SUM_DEALT, combatants),
        (SUM_TAKEN, combatants),
        (SUM_FELLED, combatants * (sources + 1)),
        (SUM_SOURCE, sources),
        (SUM_POOL, int(head[POOL_COUNT]) * rounds),
        (SUM_ROUNDS, rounds),
        (SUM_GOING, rounds),
        (SUM_SHARE, rounds * SHARE_BINS),
    ):
        head[place] = here
        here += size
    return here
