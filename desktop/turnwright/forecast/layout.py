"""The fight as the loop sees it: the packed sheet's tables, the state of one fight, and the sums over all fights.

`FightTables` has them all by name, so the loop's functions take one parameter. In compiled code it is one array with a number or
the address of a table for each field; the plain loop fills an instance.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableSequence, Sequence
from dataclasses import dataclass
from inspect import get_annotations
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from turnwright.forecast.sheet import (
    MOST_ROUNDS,
    POOLS,
    Action,
    Cell,
    ChangeRow,
    ConditionRow,
    Fallen,
    FighterRow,
    Infliction,
    Part,
    Policy,
    PolicyFigures,
    Pool,
    Sheet,
    SheetRow,
    SlotRow,
    Source,
    Supply,
    WaveRow,
    World,
)
from turnwright.forecast.worth import worths

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    Numbers: TypeAlias = Sequence[int]  # read-only
    AliasTables: TypeAlias = Sequence[int]  # pairs of a threshold and another index; read-only
    Counts: TypeAlias = MutableSequence[int]  # the state of a fight, or sums over fights
    Changes: TypeAlias = Sequence[ChangeRow]


IS_UP, IS_AWAY = -1, -2  # values of `Now.state`: standing, not yet arrived
MOST_SIDES: Final = 8
MOST_CONDITIONS: Final = 60  # conditions are bits of one number
MOST_PRICE: Final = 1  # `least_price` is 0 if an action is free, else this
MOST_PARTS: Final = 16  # parts of one source's damage
UNDECIDED, WON, LOST = range(3)
LEFT_BINS: Final = 21  # hit points left, in twentieths of the maximum
SHARE_BINS: Final = 41  # the party's hit points after each round, in fortieths
NOBODY: Final = np.zeros(0, np.intp)


class Now(SheetRow, bits=64):
    """The state of a combatant: its hit points, its row of `states` (or IS_UP, IS_AWAY), its conditions as bits, and so on.

    `tally` counts its attacks in the turn, `moves` its moves in the fight. `suffered` has the types of damage it took, as
    bits. `extra`: it dealt its once-a-turn damage. `fell`: it fell before. `aim` is its last target, and `failed_by` the
    amount by which its last save failed. `guard`: the bonus to AC of a reaction that lasts until its next turn. `holds` is
    the number of conditions that its concentration maintains. `sustains`: it cast or sustained a spell in its turn.
    `cast` is the highest kind of the spells that it cast in its turn, and `quick` the actions of it that are for one attack.
    `surprised`: it loses its turn in the first round. `afar`: it attacked from afar, so no enemy is next to it.
    """

    hp, temp, state, drop, tally, moves, suffered, extra, fell, mark, aim, conditions, failed_by, guard = range(14)
    holds, sustains, cast, quick, surprised, afar = range(14, 20)


class Held(SheetRow, bits=64):
    """A combatant's condition: its end plus 1 (0: it doesn't have it), and the row of `ending_cells`.

    `by` is the combatant, plus 1, whose concentration maintains it (0: none).
    """

    until, ending, by = range(3)


class Running(SheetRow, bits=64):
    """The state of a countdown pool: its dice, and whether it waits (0), runs (1), is ending (2) or has ended (3)."""

    dice, status = range(2)


class Span(SheetRow):
    """The first member of a list, and the one beyond its last."""

    first, last = range(2)


class FightResult(SheetRow, bits=64):
    """The outcome of a fight. `first_fallen` and `first_pool` are -1 if no party member fell or no pool ended."""

    outcome, rounds, first_fallen, first_pool, party_down, party_dead = range(6)


class FightTables:
    """Everything that the loop reads and changes. Tables of two dimensions are flat: [source * combatant_count + who]."""

    combatant_count: int
    slot_count: int
    source_count: int
    action_count: int
    supply_count: int
    world_count: int
    pool_count: int
    wave_count: int
    condition_count: int
    side_count: int
    party_count: int
    type_count: int
    tally_count: int
    check_die: int
    halves_up: int
    least_damage: int
    shifts: int
    focus: int
    focus_least: int
    focus_most: int
    sustain_price: int
    shields: int  # the conditions that change damage taken, as bits
    sharpens: int  # the conditions that change damage dealt, as bits
    any_legendary: int
    farthest: int
    first_round: int
    first_slot: int
    party_hp: int
    least_price: int
    # The sheet, as in `Sheet`, with lists of the members of each slot, the enemies of each side, and the party.
    combatants: Sequence[FighterRow]
    slots: Sequence[SlotRow]
    actions: Sequence[Action]
    routine: Numbers
    supplies: Sequence[Supply]
    sources: Sequence[Source]
    cells: Sequence[Cell]
    outcomes: Numbers
    degrees: Numbers
    shares: Numbers
    tallies: Numbers
    parts: Sequence[Part]
    alias: AliasTables
    taken_rows: Numbers
    taken: Numbers
    states: Sequence[Fallen]
    deaths: Numbers
    struck: Numbers
    drops: Numbers
    massive_cells: Sequence[Cell]
    conditions: Sequence[ConditionRow]
    holder_changes: Changes
    target_changes: Changes
    immune: Numbers
    inflictions: Sequence[Infliction]
    ending_cells: Sequence[Cell]
    rounds_away: Numbers
    world: Sequence[World]
    world_reach: Numbers
    pools: Sequence[Pool]
    waves: Sequence[WaveRow]
    watched: Numbers
    enmity: Numbers
    member_spans: Sequence[Span]
    members: Numbers
    foe_spans: Sequence[Span]
    foes: Numbers
    party: Numbers
    policies: Sequence[PolicyFigures]
    worths: Numbers  # [layer, action, target], see `worth`
    # The state of one fight. `against` counts the standing enemies of each side.
    active_place: int  # the index of the active slot in the order, -1 between turns
    first_down: int  # -1 if no party member fell
    random: Counts
    standing: Counts
    against: Counts
    now: Sequence[Now]
    purse: Counts  # [combatant, pool]
    left: Counts  # of each supply
    ready: Counts  # each world action
    running: Sequence[Running]
    arrived: Counts  # each wave
    order: Counts
    initiatives: Counts
    held: Sequence[Held]  # [combatant, condition]
    used: Counts  # each action in this turn
    rolled: Counts  # the parts of a source
    # Sums over fights.
    sum_down: Counts
    sum_dead: Counts
    sum_left: Counts
    sum_dealt: Counts
    sum_taken: Counts
    sum_felled: Counts
    sum_source: Counts
    sum_uses: Counts  # of each action, with the damage and the healing that it did
    sum_harm: Counts
    sum_healing: Counts
    sum_pool: Counts
    sum_rounds: Counts
    sum_going: Counts
    sum_share: Counts
    results: Sequence[FightResult]

    def __init__(self, numbers: Mapping[str, int], blocks: Mapping[str, NDArray[Any]]) -> None:
        for name, kind in FIELDS.items():
            if kind == "int":
                setattr(self, name, numbers.get(name, 0))
            elif (row := row_of(kind)) is not None:
                setattr(self, name, [row(*values) for values in blocks[name].reshape(-1, row.width).tolist()])
            else:
                setattr(self, name, blocks[name].tolist())


FIELDS: Final[Mapping[str, str]] = get_annotations(FightTables)
ROWS: Final[Mapping[str, type[SheetRow]]] = {row.__name__: row for row in SheetRow.__subclasses__()}


def row_of(kind: str) -> type[SheetRow] | None:
    """Return the class of a table's rows, given its annotation; None if they are numbers."""
    return ChangeRow if kind == "Changes" else ROWS.get(kind.removeprefix("Sequence[").removesuffix("]"))


@dataclass(frozen=True, slots=True)
class PackedSheet:
    """A sheet in the form used by the loop: numbers and tables, the sizes of a fight's state, and where each sum is."""

    numbers: Mapping[str, int]
    tables: Mapping[str, NDArray[Any]]
    state: Mapping[str, int]
    sums: Mapping[str, slice]
    sums_size: int

    def blocks(self, results: NDArray[np.int64], sums: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """Return all tables of a fight by name: those of the sheet, an empty state, the sums and the results."""
        state = {name: np.zeros(size, np.int64) for name, size in self.state.items()}
        return {**self.tables, **state, **{name: sums[at] for name, at in self.sums.items()}, "results": results}

    def plain(self, count: int) -> FightTables:
        """Return a fight for the plain loop, with room for the results of `count` fights."""
        results, sums = np.zeros((count, FightResult.width), np.int64), np.zeros(self.sums_size, np.int64)
        return FightTables(self.numbers, self.blocks(results, sums))


SCALARS: Final = ("halves_up", "least_damage", "shifts", "focus", "focus_least", "focus_most", "sustain_price")
_COUNTED: Final = ("combatant", "slot", "source", "action", "pool", "wave", "condition")


def pack(sheet: Sheet, policies: Sequence[Policy]) -> PackedSheet:
    """Pack a sheet and a policy for each of its sides. Raise ValueError if it exceeds a limit."""
    combatants, sides = sheet.combatants, len(sheet.enmity)
    party = np.flatnonzero(combatants[:, FighterRow.party])
    numbers = {
        **{f"{name}_count": len(getattr(sheet, f"{name}s")) for name in _COUNTED},
        "supply_count": len(sheet.supplies),
        "world_count": len(sheet.world),
        "side_count": sides,
        "party_count": len(party),
        "type_count": sheet.taken_rows.shape[2],
        "shields": _bits(np.any(sheet.taken_rows[1:] != sheet.taken_rows[0], (1, 2))),
        "sharpens": _bits(np.any(sheet.holder_changes[:, :, ChangeRow.part_count], 1)),
        "tally_count": sheet.tallies.shape[1],
        "check_die": sheet.die,
        **{name: getattr(sheet, name) for name in SCALARS},
        "any_legendary": int(combatants[:, FighterRow.legendary].any()),
        "farthest": int(sheet.rounds_away.max(initial=0)),
        "first_round": sheet.round,
        "first_slot": sheet.turn,
        "party_hp": max(int(combatants[party, FighterRow.hp_max].sum()), 1),
        "least_price": int(sheet.actions[:, Action.price].min(initial=MOST_PRICE)),
    }
    for most, name, what in ((MOST_SIDES, "side_count", "sides"), (MOST_CONDITIONS, "condition_count", "conditions")):
        if numbers[name] > most:
            raise ValueError(f"the encounter has {numbers[name]} {what}; a forecast allows at most {most}")
    members = [np.flatnonzero(combatants[:, FighterRow.slot] == slot) for slot in range(len(sheet.slots))]
    foes = [np.flatnonzero(sheet.enmity[side][combatants[:, FighterRow.side]]) for side in range(sides)]
    arrays = {
        **{name: getattr(sheet, name) for name in FIELDS if hasattr(sheet, name) and name not in numbers},
        "member_spans": _spans(members),
        "members": np.concatenate([*members, NOBODY]),
        "foe_spans": _spans(foes),
        "foes": np.concatenate([*foes, NOBODY]),
        "party": party,
        "policies": np.array([policy.figures for policy in policies], np.int32),
        "worths": worths(sheet),
    }
    sums = _sum_sizes(numbers)
    ends = np.cumsum([0, *sums.values()]).tolist()
    return PackedSheet(
        numbers,
        {name: _flat(array, np.int64 if name == "alias" else np.int32) for name, array in arrays.items()},
        _state_sizes(numbers),
        {name: slice(ends[at], ends[at + 1]) for at, name in enumerate(sums)},
        ends[-1],
    )


def _flat(array: NDArray[Any], kind: DTypeLike) -> NDArray[Any]:
    return np.ascontiguousarray(array, kind).reshape(-1)


def _bits(conditions: NDArray[Any]) -> int:
    return sum(1 << number for number in np.flatnonzero(conditions).tolist())


def _spans(lists: Sequence[NDArray[np.intp]]) -> NDArray[np.intp]:
    """Return the start and end of each list."""
    ends = np.cumsum([0, *map(len, lists)])
    return np.stack((ends[:-1], ends[1:]), axis=1)


def _state_sizes(numbers: Mapping[str, int]) -> dict[str, int]:
    """Return the number of values in each table of a fight's state."""
    combatants, slots = numbers["combatant_count"], numbers["slot_count"]
    return {
        "random": 4,
        "standing": numbers["side_count"],
        "against": numbers["side_count"],
        "now": combatants * Now.width,
        "purse": combatants * POOLS,
        "left": numbers["supply_count"],
        "ready": numbers["world_count"],
        "running": numbers["pool_count"] * Running.width,
        "arrived": numbers["wave_count"],
        "order": slots,
        "initiatives": slots,
        "held": combatants * numbers["condition_count"] * Held.width,
        "used": numbers["action_count"],
        "rolled": MOST_PARTS,
    }


def _sum_sizes(numbers: Mapping[str, int]) -> dict[str, int]:
    """Return the count of numbers in each sum over fights."""
    combatants, sources, rounds = numbers["combatant_count"], numbers["source_count"], MOST_ROUNDS + 1
    actions = numbers["action_count"]
    return {
        "sum_down": combatants,
        "sum_dead": combatants,
        "sum_left": combatants * LEFT_BINS,
        "sum_dealt": combatants,
        "sum_taken": combatants,
        "sum_felled": combatants * (sources + 1),
        "sum_source": sources,
        "sum_uses": actions,
        "sum_harm": actions,
        "sum_healing": actions,
        "sum_pool": numbers["pool_count"] * rounds,
        "sum_rounds": rounds,
        "sum_going": rounds,
        "sum_share": rounds * SHARE_BINS,
    }
