"""The forecast of an encounter from added-up results: chances with intervals, quantiles and likely courses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Final, Literal

import msgspec
import numpy as np

from turnwright.forecast.compiled import fight_loop
from turnwright.forecast.layout import LEFT_BINS, LOST, SHARE_BINS, UNDECIDED, WON, FightResult, PackedSheet, pack
from turnwright.forecast.sheet import (
    DEFAULT_POLICY,
    MOST_ROUNDS,
    NEAREST,
    RANDOMLY,
    STRONGEST,
    TARGET_WORDS,
    WEAKEST,
    FighterRow,
    Legend,
    Policy,
    Sheet,
    SheetNote,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Chance(msgspec.Struct, frozen=True):
    """A chance with its 95 % Wilson interval."""

    value: float
    low: float
    high: float


class CombatantOutlook(msgspec.Struct, frozen=True):
    """The forecast of a combatant: its chances of falling and dying, and its remaining hit points (quantiles).

    `left` are the hit points at the end in 10, 50 and 90 of 100 fights; `dealt` and `taken` are the average damage
    per fight. `felled_by` is the source (owner and feature) that takes it down most often; both strings are empty if
    none does.
    """

    who: str
    label: str
    side: str
    party: bool
    down: Chance
    dead: Chance
    left: tuple[int, int, int]
    dealt: float
    taken: float
    felled_by: tuple[str, str] = ("", "")


class SourceOutlook(msgspec.Struct, frozen=True):
    """A source's average damage to the party per fight. `world`: it belongs to an environment."""

    owner: str
    item: str
    damage: float
    world: bool = False


class ActionOutlook(msgspec.Struct, frozen=True):
    """A combatant's action: its uses, damage and healing per fight (all 0 if it is never chosen)."""

    owner: str
    item: str
    uses: float
    damage: float
    healing: float


class PoolOutlook(msgspec.Struct, frozen=True):
    """The chance that a countdown pool ends during the fight, and in which round (quantiles 10, 50, 90)."""

    pool: str
    ends: Chance
    round: tuple[int, int, int]


class RoundOutlook(msgspec.Struct, frozen=True):
    """The state after a round: the party's share of its maximum hit points, and the chance of another round.

    `share` has the quantiles 10, 25, 50, 75 and 90.
    """

    round: int
    share: tuple[float, float, float, float, float]
    going_on: float


class Course(msgspec.Struct, frozen=True):
    """A likely course of the fight: its share of all fights, the ending, the first to fall, and the pool that ended."""

    share: float
    ending: Literal["won", "lost", "undecided"]
    first_down: str = ""
    pool: str = ""


class TacticOutlook(msgspec.Struct, frozen=True):
    """The party's chance of winning if the party and its enemies choose their targets in these ways (`TARGET_WORDS`)."""

    party: str
    enemies: str
    won: Chance


class Outlook(msgspec.Struct, frozen=True):
    """The forecast of the encounter from the party's side, based on a number of simulated fights.

    `one_down`, `one_dead` and `all_down` are about members of the party, or all of them; `rounds` are the rounds
    fought (quantiles 10, 50, 90) and `mean_rounds` their mean. `notes` are the lists of the sheet. `tactics` are the
    chances with other choices of targets, those with the fewest victories first.
    """

    fights: int
    seed: int
    won: Chance
    lost: Chance
    undecided: Chance
    one_down: Chance
    one_dead: Chance
    all_down: Chance
    rounds: tuple[int, int, int]
    mean_rounds: float
    combatants: tuple[CombatantOutlook, ...]
    sources: tuple[SourceOutlook, ...]
    pools: tuple[PoolOutlook, ...]
    by_round: tuple[RoundOutlook, ...]
    courses: tuple[Course, ...]
    notes: tuple[SheetNote, ...]
    tactics: tuple[TacticOutlook, ...] = ()
    actions: tuple[ActionOutlook, ...] = ()


SURE: Final = 1.959963984540054  # standard errors on each side of a 95 % interval
RARE: Final = 0.02  # rounds reached by a smaller share of the fights aren't shown
ENDINGS: Final[dict[int, Literal["won", "lost", "undecided"]]] = {WON: "won", LOST: "lost", UNDECIDED: "undecided"}
USUAL = (0.1, 0.5, 0.9)
BANDS = (0.1, 0.25, 0.5, 0.75, 0.9)


@dataclass(frozen=True, slots=True)
class Tally:
    """The results of some fights. Tallies can be added in any order.

    `courses` counts (outcome, first combatant to fall, pool). `down`, `dead` and `all_down` count the fights in which
    a member of the party fell, a member died, or the whole party fell.
    """

    packed: PackedSheet
    fights: int
    down: int
    dead: int
    all_down: int
    courses: Counter[tuple[int, int, int]]
    sums: NDArray[np.int64]

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.packed,
            self.fights + other.fights,
            self.down + other.down,
            self.dead + other.dead,
            self.all_down + other.all_down,
            self.courses + other.courses,
            self.sums + other.sums,
        )

    def sum_of(self, name: str, width: int = 1) -> NDArray[np.int64]:
        """Return a sum of `layout.FightTables` by name, with `width` numbers in a row."""
        return self.sums[self.packed.sums[name]].reshape(-1, width)

    def outcomes(self, outcome: int) -> int:
        """Return the number of fights with this outcome."""
        return sum(count for (ended, _, _), count in self.courses.items() if ended == outcome)


def run_fights(packed: PackedSheet, sheet: Sheet, *, seed: int, first: int, count: int) -> Tally:
    """Play `count` fights of a sheet, beginning with number `first`, and return their results."""
    fights, sums = fight_loop().play(packed, seed, first, count)
    party = int(np.count_nonzero(sheet.combatants[:, FighterRow.party]))
    columns = (FightResult.outcome, FightResult.first_fallen, FightResult.first_pool)
    courses = Counter(zip(*(fights[:, column].tolist() for column in columns), strict=True))
    return Tally(
        packed,
        count,
        int(np.count_nonzero(fights[:, FightResult.party_down])),
        int(np.count_nonzero(fights[:, FightResult.party_dead])),
        int(np.count_nonzero(fights[:, FightResult.party_down] >= party)) if party else 0,
        courses,
        sums,
    )


def shares_left(tally: Tally, sheet: Sheet) -> tuple[float, float]:
    """Return the average share of hit points left at the end of a fight, for the party and for all others."""
    bins = tally.sum_of("sum_left", LEFT_BINS)
    ours = sheet.combatants[:, FighterRow.party] != 0
    there, parts = bins.sum(axis=1), bins @ np.arange(LEFT_BINS) / (LEFT_BINS - 1)
    party, others = (float(parts[members].sum() / max(there[members].sum(), 1)) for members in (ours, ~ours))
    return party, others


def packed_sheet(sheet: Sheet, policies: Sequence[Policy] = ()) -> PackedSheet:
    """Return a sheet packed with a policy for each side.

    The last policy applies to all further sides. If none is given, the default policy applies.
    """
    last = policies[-1] if policies else DEFAULT_POLICY
    return pack(sheet, [*policies, *[last] * (len(sheet.enmity) - len(policies))][: len(sheet.enmity)])


def wilson(count: int, of: int) -> Chance:
    """Return the share `count / of` as a chance with its 95 % Wilson interval."""
    if not of:
        return Chance(0.0, 0.0, 1.0)
    share, spread = count / of, SURE * SURE / of
    middle, half = share + spread / 2, SURE * sqrt(share * (1 - share) / of + spread / (4 * of))
    low, high = (middle - half) / (1 + spread), (middle + half) / (1 + spread)
    return Chance(share, min(max(0.0, low), share), max(min(1.0, high), share))  # rounding must not exclude the share


def compare_tactics(sheet: Sheet, policies: Sequence[Policy], *, seed: int, count: int) -> tuple[TacticOutlook, ...]:
    """Play `count` fights for each combination of how the party and its enemies choose targets.

    The enemies attack the weakest, the nearest, those with the most hit points, or anyone. The party concentrates its
    attacks or spreads them. The choices in `policies` are added.
    """
    ours, theirs = (policies[0], policies[-1]) if policies else (DEFAULT_POLICY, DEFAULT_POLICY)
    tactics = []
    for our_target in dict.fromkeys((WEAKEST, RANDOMLY, ours.target)):
        for target in dict.fromkeys((WEAKEST, NEAREST, STRONGEST, RANDOMLY, theirs.target)):
            sides = msgspec.structs.replace(ours, target=our_target), msgspec.structs.replace(theirs, target=target)
            tally = run_fights(packed_sheet(sheet, sides), sheet, seed=seed, first=0, count=count)
            won = wilson(tally.outcomes(WON), count)
            tactics.append(TacticOutlook(TARGET_WORDS[our_target], TARGET_WORDS[target], won))
    return tuple(sorted(tactics, key=lambda tactic: tactic.won.value))


def outlook(tally: Tally, sheet: Sheet, legend: Legend, seed: int, tactics: tuple[TacticOutlook, ...] = ()) -> Outlook:
    """Calculate the forecast from the results of fights."""
    fights, rounds, actions = tally.fights, tally.sum_of("sum_rounds")[:, 0], _actions(tally, legend)
    return Outlook(
        fights,
        seed,
        won=wilson(tally.outcomes(WON), fights),
        lost=wilson(tally.outcomes(LOST), fights),
        undecided=wilson(tally.outcomes(UNDECIDED), fights),
        one_down=wilson(tally.down, fights),
        one_dead=wilson(tally.dead, fights),
        all_down=wilson(tally.all_down, fights),
        rounds=(_quantile(rounds, 0.1), _quantile(rounds, 0.5), _quantile(rounds, 0.9)),
        mean_rounds=float(np.dot(rounds, np.arange(len(rounds)))) / fights,
        combatants=tuple(_combatant(tally, sheet, legend, who) for who in range(len(legend.combatants))),
        sources=tuple(
            SourceOutlook(owner, item, int(damage[0]) / fights, world=(owner, item) in legend.world)
            for (owner, item), damage in _by_name(legend.sources, tally.sum_of("sum_source")).items()
        ),
        pools=tuple(_pool(tally, legend, pool) for pool in range(len(legend.pools))),
        by_round=tuple(_rounds(tally)),
        courses=_courses(tally, legend),
        notes=tuple(_notes(legend, actions)),
        tactics=tactics,
        actions=actions,
    )


def _notes(legend: Legend, actions: Sequence[ActionOutlook]) -> Iterator[SheetNote]:
    """Yield the notes of the sheet. A feature that isn't used in any fight changes its list."""
    creature_of, uses = dict(zip(legend.combatants, legend.creatures, strict=True)), Counter[tuple[str, str]]()
    for action in actions:
        uses[creature_of[action.owner], action.item] += action.uses > 0
    for note in legend.notes:
        is_unused = note.list == "used" and uses.get((note.subject, note.item)) == 0
        yield msgspec.structs.replace(note, list="never-chosen") if is_unused else note


def _actions(tally: Tally, legend: Legend) -> tuple[ActionOutlook, ...]:
    """Return the actions of all combatants, combining the variants of the same feature."""
    sums = np.stack([tally.sum_of(f"sum_{name}")[:, 0] for name in ("uses", "harm", "healing")], axis=1)
    return tuple(
        ActionOutlook(*name, *(numbers / tally.fights).tolist())
        for name, numbers in _by_name(legend.actions, sums).items()
    )


def _by_name(names: Sequence[tuple[str, str]], sums: NDArray[np.int64]) -> dict[tuple[str, str], NDArray[np.int64]]:
    """Return sums by name, combining those of the same feature or entry."""
    found: dict[tuple[str, str], NDArray[np.int64]] = {}
    for name, numbers in zip(names, sums, strict=True):
        found[name] = found.get(name, 0) + numbers
    return found


def _quantile(counts: NDArray[np.int64], share: float) -> int:
    """Return the first index at which the cumulative count reaches a share of the total."""
    reached = np.cumsum(counts)
    return int(np.searchsorted(reached, share * int(reached[-1]), side="left")) if len(counts) and reached[-1] else 0


def _combatant(tally: Tally, sheet: Sheet, legend: Legend, who: int) -> CombatantOutlook:
    fights, row = tally.fights, sheet.combatants[who]
    down, dead, dealt, taken = (int(tally.sum_of(f"sum_{name}")[who, 0]) for name in ("down", "dead", "dealt", "taken"))
    quantiles = [_quantile(tally.sum_of("sum_left", LEFT_BINS)[who], share) for share in USUAL]
    by_source = tally.sum_of("sum_felled", len(legend.sources) + 1)[who, 1:]
    most = int(np.argmax(by_source)) if len(by_source) else 0
    per = int(row[FighterRow.hp_max]) / (LEFT_BINS - 1)
    return CombatantOutlook(
        legend.combatants[who],
        legend.labels[who],
        legend.sides[int(row[FighterRow.side])],
        bool(row[FighterRow.party]),
        down=wilson(down, fights),
        dead=wilson(dead, fights),
        left=(round(quantiles[0] * per), round(quantiles[1] * per), round(quantiles[2] * per)),
        dealt=dealt / fights,
        taken=taken / fights,
        felled_by=legend.sources[most] if len(by_source) and by_source[most] else ("", ""),
    )


def _pool(tally: Tally, legend: Legend, pool: int) -> PoolOutlook:
    ended = tally.sum_of("sum_pool", MOST_ROUNDS + 1)[pool]
    at = (_quantile(ended, 0.1), _quantile(ended, 0.5), _quantile(ended, 0.9))
    return PoolOutlook(legend.pools[pool], wilson(int(ended.sum()), tally.fights), at)


def _rounds(tally: Tally) -> list[RoundOutlook]:
    going, shares = tally.sum_of("sum_going")[:, 0].tolist(), tally.sum_of("sum_share", SHARE_BINS)
    rounds: list[RoundOutlook] = []
    for number in range(1, MOST_ROUNDS + 1):
        here = going[number]
        if here < RARE * tally.fights or not here:
            if rounds:
                break
            continue
        share = [_quantile(shares[number], part) / (SHARE_BINS - 1) for part in BANDS]
        bands = (share[0], share[1], share[2], share[3], share[4])
        rounds.append(RoundOutlook(number, bands, (going[number + 1] if number < MOST_ROUNDS else 0) / tally.fights))
    return rounds


def _courses(tally: Tally, legend: Legend) -> tuple[Course, ...]:
    """Return the courses of the fights, most frequent first."""
    return tuple(
        Course(
            count / tally.fights,
            ENDINGS[outcome],
            legend.combatants[fallen] if fallen >= 0 else "",
            legend.pools[pool] if pool >= 0 else "",
        )
        for (outcome, fallen, pool), count in tally.courses.most_common()
    )
