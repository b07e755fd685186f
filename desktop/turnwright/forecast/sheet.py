"""The fight sheet: an encounter as plain arrays, so that thousands of its fights can be played in a second.

Nothing here depends on a rule system: the results of dice are in tables, filled by asking the rules about each face.
The columns of each table are the constants above it. An index of -1 means none, and columns named LAST are one
beyond the last. `sheet_builder` fills the arrays, and `kernel` plays them. `Legend` names each row and lists
everything left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import msgspec

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int32]
    Small: TypeAlias = NDArray[np.int16]
    Tiny: TypeAlias = NDArray[np.int8]
    Chances: TypeAlias = NDArray[np.int64]

MOST_AMOUNT: Final = 400  # the highest amount of one part of damage
MOST_ROUNDS: Final = 40  # a fight that lasts longer is undecided
MARGIN: Final = 80  # bonus minus AC or DC is clamped to -MARGIN to MARGIN

# A combatant. `HP` is below 0 only in games with negative hit points. `SLOT` is its slot in the order, `WAVE` the wave
# it comes with. `DROP` is the row of `drops` for its next drop to 0 hit points, `STATE` its current row of `states`
# (-1: up). `MASSIVE`: from this damage on, a drop to 0 calls for the save in `massive_cells`; 0: never. `INSTANT`: damage
# that exceeds 0 by the maximum kills. `REGAINS`: hit points at the start of its turn, unless it took damage of a type in
# the mask `REGAIN_STOP` since the last one. `PARRY`: a reaction's bonus to AC against one hit. `REACTIONS` and
# `LEGENDARY` are amounts per round, `AMOUNT` and `BONUS` per turn. `SURPRISED`: the chance, in thousandths, that it loses
# its turn in the first round. `PARTY`: it is a player character.
HP, HP_MAX, TEMP_HP, SIDE, SLOT, WAVE, DROP, STATE, FLOOR, INSTANT, MASSIVE, AMOUNT, BONUS, REACTIONS = range(14)
LEGENDARY, REGAINS, REGAIN_STOP, PARRY, FIRST_ACTION, LAST_ACTION, SURPRISED, PARTY, COMBATANT_COLUMNS = range(14, 23)

# An action. `POOL` pays its `PRICE`. It uses the amount `TAKES` of the row `SUPPLY` of `supplies`, and the same for a
# second supply (for example points as well as uses). Its strikes are `routine[FIRST:FIRST+COUNT]`. `TARGETS`: the most
# targets it reaches at once; `TO`: enemies, itself, or an ally. `MELEE`: it needs an enemy in reach. `ONCE`: the limit
# of uses per turn, 0: unlimited. `WORTH` is the expected damage for each unit of its price against an average enemy, in
# hundredths; policies try actions in this order.
OWNER, POOL, PRICE, SUPPLY, TAKES, SECOND_SUPPLY, SECOND_TAKES = range(7)
FIRST, COUNT, TARGETS, TO, MELEE, ONCE, WORTH, ACTION_COLUMNS = range(7, 15)
MAIN_POOL, BONUS_POOL, REACTION_POOL, LEGENDARY_POOL, POOLS = range(5)
TO_ENEMIES, TO_SELF, TO_ALLY = range(3)

# A supply of uses, slots or points: the current number, the maximum, the lowest face of a d6 that recharges it at the
# start of its owner's turn (0: no recharge), when it is refilled, and its owner.
SUPPLY_LEFT, SUPPLY_MOST, SUPPLY_RECHARGE, SUPPLY_REFILLS, SUPPLY_OWNER, SUPPLY_COLUMNS = range(6)
REFILLS_NEVER, REFILLS_AT_OWN_TURN, REFILLS_AT_ANY_TURN = range(3)

# A source of damage, conditions or healing: `KIND`; damage parts of a plain and a critical hit, as rows of `parts`;
# `TABLE`, the first row of its outcomes in `outcomes`; `SHARES`, the row of `shares`; `TALLY`: it counts as an attack of
# the turn; `NEXT` is the source that follows a hit on the same target; `EXTRA_…` are parts dealt at most once a turn, if
# `EXTRA_WHEN` is true. `RANGED`: it doesn't need an enemy in reach.
KIND, PARTS, PART_COUNT, CRITICAL_PARTS, CRITICAL_COUNT, TABLE, SHARES, TALLY, NEXT = range(9)
EXTRA_PARTS, EXTRA_COUNT, EXTRA_WHEN, RANGED, FIRST_INFLICTION, LAST_INFLICTION, SOURCE_COLUMNS = range(9, 16)
ATTACK, SAVE, SURE, HEAL = range(4)
ALWAYS, ALLY_NEAR, WITH_ADVANTAGE = range(3)  # the last two are bit masks: any one set bit is enough
NO_DISADVANTAGE: Final = 4  # an additional bit: never with disadvantage

# A source's roll against a target: bonus minus AC or DC (for a save, the target's bonus minus the source's DC); edge -1,
# 0, 1 (beyond that if edges stack: the number of extra dice, of which the best or worst counts); the sides of an extra
# die (negative if it is subtracted, 0 without one); the DC of a flat check on a d20 that comes first (0 without one);
# a certain result (`CERTAIN_CRITICAL`: every hit is critical).
MARGIN_OF, EDGE, DIE, FLAT, CERTAIN, CELL_COLUMNS = range(6)
NOT_CERTAIN, CERTAIN_FAILURE, CERTAIN_CRITICAL, CERTAIN_SUCCESS = range(4)
MISS, HIT, CRITICAL = range(3)
CRITICAL_FAILURE, FAILURE, SUCCESS, CRITICAL_SUCCESS = range(4)

# A part of damage or healing: the first and the number of its columns in the alias tables, the lowest amount, the type
# (a column of `taken_rows`), and the multiplier in halves. The tables already include the effect of critical hits.
ALIAS_FIRST, ALIAS_COUNT, LEAST, TYPE, TIMES, PART_COLUMNS = range(6)

# A state of a combatant that is down: dying, stable or dead, the damage at each of its turns, its hit points when it gets
# up, and its row of `drops` afterwards.
STATE_KIND, BLEED, UP_HP, NEXT_DROP, STATE_COLUMNS = range(5)
DEATH: Final = 0  # the first row of the states, for instant death
DYING, STABLE, DEAD, UP = range(4)

# A condition's change of a roll: edges (bit 1 advantage, bit 2 disadvantage), a bonus, and a certain result.
CHANGE_EDGES, CHANGE_ADDS, CHANGE_CERTAIN, CHANGE_COLUMNS = range(4)
# A condition's effect on a turn: units of the main pool that are lost (99: all), whether moving and reactions are too;
# damage parts at the end of each of its holder's turns; units of the main pool paid to end it at the start of a turn; the
# end (plus 1) of the condition if combatants have it after getting up, 0 if they don't.
TURN_LOSS, STOPS_MOVING, STOPS_REACTIONS, HURTS_PARTS, HURTS_COUNT, ENDED_FOR, ON_WAKING, CONDITION_COLUMNS = range(8)
# A condition that a source inflicts: the degrees of the save or outcomes of the attack that inflict it (bits), its end,
# and the save that ends it, as a row of `ending_cells`.
INFLICTS, ON_RESULTS, UNTIL, ENDING, INFLICTION_COLUMNS = range(5)
UNTIL_NEVER, UNTIL_START, UNTIL_END, UNTIL_SAVED, UNTIL_WORLD = range(5)

# A world action: ready at the start, the lowest d6 face that recharges it (0: never, 1: each round), source, the lesser
# source for partly spared targets, whether it reaches all or one, and the row of the action that it spends, from 1 (0:
# none): if a pool's end triggers an action, the action itself is spent.
READY, RECHARGE, WORLD_SOURCE, LESSER_SOURCE, REACHES_EACH, SPENDS, WORLD_COLUMNS = range(7)
SPARED, WHOLE, LESSER = range(3)
# A countdown pool: dice, the lowest face that removes one, the round in which it starts (0: not by itself), whether it is
# running already. Its end triggers a pool, `SETS_COUNT` rows of `world` beginning with `SETS_OFF` (and a wave after
# `CALLED_AFTER` of them), and the end of the fight.
DICE, LOWEST, STARTS, RUNNING, STARTS_POOL, CALLS_WAVE, CALLED_AFTER, SETS_OFF, SETS_COUNT, ENDS_FIGHT, POOL_COLUMNS = (
    range(11)
)
# A wave: the round at whose start it comes, its other trigger, and its first and last combatant in `watched`.
WAVE_ROUND, WAVE_WHEN, WATCH_FIRST, WATCH_LAST, WAVE_COLUMNS = range(5)
NO_TRIGGER, HALF, FIRST_DOWN, ALL_DOWN = range(4)
# A slot of the order: the bonus to the die, edge, its count if it isn't rolled, whether it is rolled, and how ties are
# broken: by `SLOT_RANK`, higher first, then, if ties are rolled for, by the die and a bonus. `SLOT_SHARED`: it shares the
# roll of the slot before it.
SLOT_BONUS, SLOT_EDGE, SLOT_COUNT, SLOT_ROLLED, SLOT_RANK, SLOT_DIE, SLOT_ROLLS_TIES, SLOT_TIE_BONUS = range(8)
SLOT_SHARED, SLOT_COLUMNS = range(8, 10)


@dataclass(frozen=True, slots=True)
class Sheet:
    """An encounter as arrays; see the constants of this module for the columns of each.

    `combatants` includes those of waves. `cells` is [source, target], also for sources with saves. `outcomes` has 2
    × MARGIN + 1 rows for each table and a column for each face of the check die, 1 first: MISS, HIT or CRITICAL;
    `degrees` is one such table for saves. `shifts`: a falling combatant moves to just before the active slot.
    `halves_up`: half of an odd number is rounded up. `shares` are the halves of the damage dealt, by degree.
    `tallies` is [source, earlier attacks in the turn]; the last column is for all further attacks. `alias` pairs a
    threshold in 2³² parts with another index, so that one random number draws an amount. `taken_rows` is
    [combatant, type]: a row of `taken`, which has the damage taken for each amount (negative: heals). `deaths` is
    [state, face, 1 first], `struck` [state, plain or critical], `drops` [row, plain or critical], `massive_cells` a
    cell for each combatant. `holder_changes` is [condition, source] for conditions of the attacker,
    `target_changes` for those of the target; the first condition is that of fallen combatants. `rounds_away` is
    [from, to]: the moves needed to reach another. `world_reach` is [world action, combatant].
    """

    die: int
    halves_up: int
    shifts: int
    enmity: Tiny
    combatants: Ints
    slots: Ints
    actions: Ints
    routine: Ints
    supplies: Ints
    sources: Ints
    cells: Small
    outcomes: Tiny
    degrees: Tiny
    shares: Tiny
    tallies: Small
    parts: Ints
    alias: Chances
    taken_rows: Ints
    taken: Small
    states: Ints
    deaths: Ints
    struck: Ints
    drops: Ints
    massive_cells: Small
    conditions: Small
    holder_changes: Small
    target_changes: Small
    immune: Tiny
    inflictions: Ints
    ending_cells: Small
    rounds_away: Tiny
    world: Ints
    world_reach: Tiny
    pools: Ints
    waves: Ints
    watched: Ints
    turn: int
    round: int


class SheetNote(msgspec.Struct, frozen=True):
    """A note in one of a sheet's lists: the record and part concerned, and the reason as a message key.

    `list` is `used`, `assumed` or `left-out`. `subject` is the id of the creature, environment, countdown or wave, or
    empty for the whole fight; `item` is the id of its feature, entry or outcome. `reason` is a key of the message
    catalogue, with `params`.
    """

    list: Literal["used", "assumed", "left-out"]
    table: str
    subject: str
    item: str
    reason: str
    params: tuple[tuple[str, str | int], ...] = ()


class Legend(msgspec.Struct, frozen=True):
    """The names of the sheet's rows, by index, and its notes.

    `combatants` are ids with `labels`; `sources` and `actions` pair the id of the owner (a combatant or an
    environment) with the id of the feature or entry. `supplies` pairs a combatant with the name of its uses, slots or
    points. `conditions`, `pools`, `waves` and `sides` are ids; `world` pairs environment and entry.
    """

    combatants: tuple[str, ...]
    labels: tuple[str, ...]
    sides: tuple[str, ...]
    actions: tuple[tuple[str, str], ...]
    sources: tuple[tuple[str, str], ...]
    supplies: tuple[tuple[str, str], ...]
    conditions: tuple[str, ...]
    pools: tuple[str, ...]
    waves: tuple[str, ...]
    world: tuple[tuple[str, str], ...]
    notes: tuple[SheetNote, ...]
