"""The fight sheet: an encounter as plain arrays, so that thousands of its fights can be played in a second.

Nothing here knows a rule. What a die does stands in tables that the rules' parts were asked for, face by face; the
columns of each table are the constants above it. An index of -1 is none; what is called last is one beyond the last. `sheet_builder` fills the arrays, `kernel`
plays them, `Legend` says in the encounter's own names what each row is and what was left out.
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
MARGIN: Final = 80  # bonus minus AC or DC lies between -MARGIN and MARGIN

# A combatant. `HP` is below 0 only where the game counts so. `SLOT` is its place in the order, `WAVE` the wave that it
# waits for. `DROP` is the row of `drops` for its next drop to 0 hit points, `STATE` the row of `states` it is in now
# (-1: up), `MASSIVE` the damage that brings it to 0 from which a save of `massive_cells` is made, 0 for none. `INSTANT`: damage
# beyond 0 by its maximum kills. `REGAINS` are hit points at the start of its turn unless it took damage of one of the
# types of the mask `REGAIN_STOP` since the last. `PARRY` is what a reaction adds to its AC against one hit. `REACTIONS`
# and `LEGENDARY` are amounts a round, `AMOUNT` and `BONUS` those a turn. `SURPRISED`: how many times of a thousand it takes no turn in the first round. `PARTY`: it is a player character.
HP, HP_MAX, TEMP_HP, SIDE, SLOT, WAVE, DROP, STATE, FLOOR, INSTANT, MASSIVE, AMOUNT, BONUS, REACTIONS = range(14)
LEGENDARY, REGAINS, REGAIN_STOP, PARRY, FIRST_ACTION, LAST_ACTION, SURPRISED, PARTY, COMBATANT_COLUMNS = range(14, 23)

# An action. `POOL` is what pays its `PRICE`; it `TAKES` so many of the row `SUPPLY` of `supplies`, and of a second one
# likewise (points of a pool beside uses). Its strikes are `routine[FIRST:FIRST+COUNT]`.
# `TARGETS`: how many it reaches at once at most; `TO`: enemies, itself, or an ally. `MELEE`: it needs an enemy in reach.
# `ONCE`: at most so often a turn, 0 for no limit. `WORTH` is its expected damage for each unit of its price against an
# average enemy, in hundredths: the order in which a policy takes them.
OWNER, POOL, PRICE, SUPPLY, TAKES, SECOND_SUPPLY, SECOND_TAKES = range(7)
FIRST, COUNT, TARGETS, TO, MELEE, ONCE, WORTH, ACTION_COLUMNS = range(7, 15)
MAIN_POOL, BONUS_POOL, REACTION_POOL, LEGENDARY_POOL, POOLS = range(5)
TO_ENEMIES, TO_SELF, TO_ALLY = range(3)

# A supply of uses, slots or points: how many there are, how many there can be, the lowest face of a d6 rolled as its
# owner's turn starts that brings it back (0 for none), and when it is full again.
SUPPLY_LEFT, SUPPLY_MOST, SUPPLY_RECHARGE, SUPPLY_REFILLS, SUPPLY_OWNER, SUPPLY_COLUMNS = range(6)
REFILLS_NEVER, REFILLS_AT_OWN_TURN, REFILLS_AT_ANY_TURN = range(3)

# A source of damage, conditions or healing: `KIND`; parts of damage, plain and of a critical hit, as rows of `parts`;
# `TABLE`, the first row of its outcomes in `outcomes`; `SHARES`, the row of `shares`; `TALLY`: it counts among the
# attacks of a turn; `NEXT` is the source that follows a hit, on the same target; `EXTRA_…` are parts dealt at most once a
# turn, where `EXTRA_WHEN` holds. `RANGED`: no enemy in reach is needed.
KIND, PARTS, PART_COUNT, CRITICAL_PARTS, CRITICAL_COUNT, TABLE, SHARES, TALLY, NEXT = range(9)
EXTRA_PARTS, EXTRA_COUNT, EXTRA_WHEN, RANGED, FIRST_INFLICTION, LAST_INFLICTION, SOURCE_COLUMNS = range(9, 16)
ATTACK, SAVE, SURE, HEAL = range(4)
ALWAYS, ALLY_NEAR, WITH_ADVANTAGE = range(3)  # the last two are bits: either is enough
NO_DISADVANTAGE: Final = 4  # a bit more: not with disadvantage, whatever else holds

# What a source's roll against a target is: bonus minus AC or DC (for a save, the target's bonus minus the source's DC);
# edge -1, 0, 1 (further where a game counts edges: so many more dice, of which the best or the worst counts); the sides
# of a further die, negative if it is taken off, 0 for none; the DC of a flat check on a d20 that comes first, 0 for none;
# what is certain (`CERTAIN_CRITICAL`: every hit is critical).
MARGIN_OF, EDGE, DIE, FLAT, CERTAIN, CELL_COLUMNS = range(6)
NOT_CERTAIN, CERTAIN_FAILURE, CERTAIN_CRITICAL, CERTAIN_SUCCESS = range(4)
MISS, HIT, CRITICAL = range(3)
CRITICAL_FAILURE, FAILURE, SUCCESS, CRITICAL_SUCCESS = range(4)

# A part of damage or healing: the first and the number of its columns in the alias tables, the least amount, the type
# (a column of `taken_rows`), and what multiplies the roll, in halves. What a critical hit does is in the tables already.
ALIAS_FIRST, ALIAS_COUNT, LEAST, TYPE, TIMES, PART_COLUMNS = range(6)

# A state of those who are down: whether it is dying, stable or dead, damage at each of its turns, hit points with which it
# is left for being up, and the row of `drops` from then on.
STATE_KIND, BLEED, UP_HP, NEXT_DROP, STATE_COLUMNS = range(5)
DEATH: Final = 0  # the first row of the states, for whatever kills at once
DYING, STABLE, DEAD, UP = range(4)

# A condition as it changes a roll: edges (bit 1 advantage, bit 2 disadvantage), what it adds, and what it makes certain.
CHANGE_EDGES, CHANGE_ADDS, CHANGE_CERTAIN, CHANGE_COLUMNS = range(4)
# What it takes from a turn: units of the main pool (99: all), whether moving and reactions go too; parts of the damage
# that it does as each turn of its holder ends; units of the main pool paid to end it as a turn starts; until when those
# have it who get up from being down, plus 1 (0: they don't).
TURN_LOSS, STOPS_MOVING, STOPS_REACTIONS, HURTS_PARTS, HURTS_COUNT, ENDED_FOR, ON_WAKING, CONDITION_COLUMNS = range(8)
# A condition that a source inflicts: on which degrees of the save or outcomes of the attack (bits), until when, with the
# save that ends it as a row of cells of `ending_cells`.
INFLICTS, ON_RESULTS, UNTIL, ENDING, INFLICTION_COLUMNS = range(5)
UNTIL_NEVER, UNTIL_START, UNTIL_END, UNTIL_SAVED, UNTIL_WORLD = range(5)

# A world action: ready at the start, the lowest d6 face that brings it back (0: never, 1: each round), source, the lesser
# source for those who are partly spared, whether it reaches each or one, and the place of the row that is spent by it, from
# 1 (0: none): that of the action itself where the end of a pool sets it off.
READY, RECHARGE, WORLD_SOURCE, LESSER_SOURCE, REACHES_EACH, SPENDS, WORLD_COLUMNS = range(7)
SPARED, WHOLE, LESSER = range(3)
# A countdown pool: dice, the lowest face that takes one, the round in which it starts (0: not by itself), whether it runs
# already; what its end sets off: a pool, a wave after so many of `SETS_COUNT` rows of `world` from `SETS_OFF` on, the end of
# the fight.
DICE, LOWEST, STARTS, RUNNING, STARTS_POOL, CALLS_WAVE, CALLED_AFTER, SETS_OFF, SETS_COUNT, ENDS_FIGHT, POOL_COLUMNS = (
    range(11)
)
# A wave: the round at whose top it comes, what else calls it, and the first and last of the combatants watched in `watched`.
WAVE_ROUND, WAVE_WHEN, WATCH_FIRST, WATCH_LAST, WAVE_COLUMNS = range(5)
NO_TRIGGER, HALF, FIRST_DOWN, ALL_DOWN = range(4)
# A place in the order: what is added to the die, edge, its count where it is not rolled, whether it is rolled, and how
# ties are broken: by `SLOT_RANK`, higher first, then where they are rolled for by the die and a bonus. `SLOT_SHARED`: it has
# the count of the place before it, with which it rolls.
SLOT_BONUS, SLOT_EDGE, SLOT_COUNT, SLOT_ROLLED, SLOT_RANK, SLOT_DIE, SLOT_ROLLS_TIES, SLOT_TIE_BONUS = range(8)
SLOT_SHARED, SLOT_COLUMNS = range(8, 10)


@dataclass(frozen=True, slots=True)
class Sheet:
    """An encounter as arrays; see the constants of this module for the columns of each.

    `combatants` holds those of waves too. `cells` is [source, target], for a source that saves too. `outcomes` has for
    each table 2 × MARGIN + 1 rows, a column for each face of the check die, 1 first: MISS, HIT or CRITICAL; `degrees` is
    the same of saves, one table; `shifts`: who falls comes just before the active slot from then on; `halves_up`: half of an odd number is rounded up. `shares` are, by degree, the halves of the damage that is dealt. `tallies` is [source, earlier
    attacks in the turn], the last column for any more. `alias` pairs a threshold in 2³² parts with another index, for one draw a part. `taken_rows` is
    [combatant, type], a row of `taken`, which gives what arrives for each amount (negative: heals). `deaths` is [state,
    face, 1 first], `struck` [state, plain or critical], `drops` [row, plain or critical], `massive_cells` a
    cell for each combatant. `holder_changes` is [condition, source]
    when its holder uses the source, `target_changes` when the target holds it; the first condition is that of those who
    are down. `rounds_away` is [from, to], how many
    moves one needs to reach another. `world_reach` is [world action, combatant].
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
    """An entry of the lists of a sheet: which record's which part it is about, and why, as a message key.

    `list` is `used`, `assumed` or `left-out`; `subject` the id of the creature, environment, countdown or wave, empty for
    the fight as a whole; `item` the id of its feature, entry or outcome. `reason` is a key of the words with `params`.
    """

    list: Literal["used", "assumed", "left-out"]
    table: str
    subject: str
    item: str
    reason: str
    params: tuple[tuple[str, str | int], ...] = ()


class Legend(msgspec.Struct, frozen=True):
    """The names behind the rows of a sheet, by index, and its notes.

    `combatants` are ids with `labels`; `sources` pairs the id of the owner (a combatant, an environment) with that of the
    feature or entry; `actions` likewise; `supplies` pairs a combatant with the name of its uses, slots or points; `conditions`, `pools`, `waves` and `sides` are ids, `world` pairs environment
    and entry.
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
