"""The loop that plays a packed sheet. Each fight has its own stream of random numbers; the results are added up.

It is independent of the rule system, since the results of dice are in tables. The order of a round is the same as
in play: waves, countdown pools, world actions, then turns in initiative order, each followed by other creatures'
legendary actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.forecast.layout import (
    ACTIONS,
    ACTIVE_PLACE,
    AGAINST,
    ANY_LEGENDARY,
    AT_ACTIONS,
    AT_CELLS,
    AT_COMBATANTS,
    AT_CONDITIONS,
    AT_DEATHS,
    AT_DEGREES,
    AT_DROPS,
    AT_ENDINGS,
    AT_ENMITY,
    AT_HOLDER,
    AT_IMMUNE,
    AT_INFLICTIONS,
    AT_MASSIVE,
    AT_MEMBERS,
    AT_OUTCOMES,
    AT_PARTS,
    AT_PARTY,
    AT_POLICIES,
    AT_POOLS,
    AT_REACH,
    AT_ROUTINE,
    AT_SHARES,
    AT_SLOTS,
    AT_SOURCES,
    AT_STATES,
    AT_STRUCK,
    AT_SUPPLIES,
    AT_TAKEN,
    AT_TAKEN_ROWS,
    AT_TALLIES,
    AT_TARGET,
    AT_WATCHED,
    AT_WAVES,
    AT_WORLD,
    CHECK_DIE,
    COMBATANTS,
    CONDITIONS,
    FARTHEST,
    FIGHT_COLUMNS,
    FIRST_DOWN_OF_PARTY,
    FIRST_FALLEN,
    FIRST_POOL,
    FIRST_ROUND,
    FIRST_SLOT,
    HALVES_UP,
    IS_AWAY,
    IS_UP,
    LEAST_PRICE,
    LEFT_BINS,
    LOST,
    NOW_AIM,
    NOW_COLUMNS,
    NOW_CONDITIONS,
    NOW_DROP,
    NOW_EXTRA,
    NOW_FELL,
    NOW_HP,
    NOW_MARK,
    NOW_MOVES,
    NOW_POOLS,
    NOW_STATE,
    NOW_SUFFERED,
    NOW_TALLY,
    NOW_TEMP,
    OUTCOME,
    PARTY_DEAD,
    PARTY_DOWN,
    PARTY_HP,
    POOL_COUNT,
    ROUNDS_FOUGHT,
    SHARE_BINS,
    SHIFTS,
    SIDES,
    SLOTS,
    SOURCES,
    STANDING,
    STATE_COMBATANTS,
    STATE_COUNTS,
    STATE_HELD,
    STATE_ORDER,
    STATE_POOLS,
    STATE_ROLLED,
    STATE_SUPPLIES,
    STATE_USED,
    STATE_WAVES,
    STATE_WORLD,
    SUM_DEAD,
    SUM_DEALT,
    SUM_DOWN,
    SUM_FELLED,
    SUM_GOING,
    SUM_LEFT,
    SUM_POOL,
    SUM_ROUNDS,
    SUM_SHARE,
    SUM_SOURCE,
    SUM_TAKEN,
    SUPPLIES,
    TALLIES,
    TYPES,
    UNDECIDED,
    WAVES,
    WON,
    WORLDS,
)
from turnwright.forecast.policy import (
    action_for,
    are_enemies,
    count_standing,
    has_target,
    healed_by,
    is_decided,
    may_be_attacked,
    moves_between,
    policy_of,
    target_for,
)
from turnwright.forecast.policy_figures import FINISHES, FLEES_AT, MOVES_UP, POLICY_FIGURES
from turnwright.forecast.random_stream import begin_stream, draw, draw_below
from turnwright.forecast.sheet import (
    ACTION_COLUMNS,
    ALIAS_COUNT,
    ALIAS_FIRST,
    ALLY_NEAR,
    ALWAYS,
    AMOUNT,
    ATTACK,
    BLEED,
    BONUS,
    BONUS_POOL,
    CALLED_AFTER,
    CALLS_WAVE,
    CELL_COLUMNS,
    CERTAIN,
    CERTAIN_CRITICAL,
    CERTAIN_FAILURE,
    CERTAIN_SUCCESS,
    CHANGE_ADDS,
    CHANGE_CERTAIN,
    CHANGE_COLUMNS,
    CHANGE_EDGES,
    COMBATANT_COLUMNS,
    CONDITION_COLUMNS,
    COUNT,
    CRITICAL,
    CRITICAL_COUNT,
    CRITICAL_PARTS,
    DEAD,
    DEATH,
    DICE,
    DIE,
    DROP,
    DYING,
    EDGE,
    ENDED_FOR,
    ENDING,
    ENDS_FIGHT,
    EXTRA_COUNT,
    EXTRA_PARTS,
    EXTRA_WHEN,
    FAILURE,
    FIRST,
    FIRST_ACTION,
    FIRST_DOWN,
    FIRST_INFLICTION,
    FLAT,
    FLOOR,
    HALF,
    HEAL,
    HIT,
    HP,
    HP_MAX,
    HURTS_COUNT,
    HURTS_PARTS,
    INFLICTION_COLUMNS,
    INFLICTS,
    INSTANT,
    KIND,
    LAST_ACTION,
    LAST_INFLICTION,
    LEAST,
    LEGENDARY,
    LEGENDARY_POOL,
    LESSER,
    LESSER_SOURCE,
    LOWEST,
    MAIN_POOL,
    MARGIN,
    MARGIN_OF,
    MASSIVE,
    MISS,
    MOST_AMOUNT,
    MOST_ROUNDS,
    NEXT,
    NEXT_DROP,
    NO_DISADVANTAGE,
    NOT_CERTAIN,
    ON_RESULTS,
    ON_WAKING,
    PARRY,
    PART_COLUMNS,
    PART_COUNT,
    PARTS,
    PARTY,
    POOL,
    POOL_COLUMNS,
    PRICE,
    RANGED,
    REACHES_EACH,
    REACTION_POOL,
    REACTIONS,
    READY,
    RECHARGE,
    REFILLS_AT_ANY_TURN,
    REFILLS_AT_OWN_TURN,
    REGAIN_STOP,
    REGAINS,
    RUNNING,
    SAVE,
    SECOND_SUPPLY,
    SECOND_TAKES,
    SETS_COUNT,
    SETS_OFF,
    SHARES,
    SIDE,
    SLOT,
    SLOT_BONUS,
    SLOT_COLUMNS,
    SLOT_COUNT,
    SLOT_DIE,
    SLOT_EDGE,
    SLOT_RANK,
    SLOT_ROLLED,
    SLOT_ROLLS_TIES,
    SLOT_SHARED,
    SLOT_TIE_BONUS,
    SOURCE_COLUMNS,
    SPARED,
    SPENDS,
    STARTS,
    STARTS_POOL,
    STATE,
    STATE_COLUMNS,
    STATE_KIND,
    STOPS_MOVING,
    STOPS_REACTIONS,
    SUCCESS,
    SUPPLY,
    SUPPLY_COLUMNS,
    SUPPLY_LEFT,
    SUPPLY_MOST,
    SUPPLY_OWNER,
    SUPPLY_RECHARGE,
    SUPPLY_REFILLS,
    SURPRISED,
    TABLE,
    TAKES,
    TALLY,
    TARGETS,
    TEMP_HP,
    TIMES,
    TO,
    TO_ENEMIES,
    TURN_LOSS,
    TYPE,
    UNTIL,
    UNTIL_END,
    UNTIL_NEVER,
    UNTIL_SAVED,
    UNTIL_START,
    UNTIL_WORLD,
    UP,
    UP_HP,
    WATCH_FIRST,
    WATCH_LAST,
    WAVE,
    WAVE_COLUMNS,
    WAVE_ROUND,
    WAVE_WHEN,
    WITH_ADVANTAGE,
    WORLD_COLUMNS,
    WORLD_SOURCE,
)

if TYPE_CHECKING:
    from turnwright.forecast.array_types import AliasTables, Fights, Numbers, State, Sums

ADVANTAGE, DISADVANTAGE = 1, 2  # bits for the edges on a roll
DOWN_BIT = 1  # the first condition is that of combatants who are down
FLAT_DIE = 20
SPENT_NOW = 2  # state of a world action: spent, and already rolled for this round
ALL_OF_THEM = 100  # percent
TIES = 1000  # greater than any rank or tie-breaking roll


def roll_die(state: State, sides: int) -> int:
    """Roll a die with this many sides."""
    return draw_below(state, sides) + 1


def roll_check(state: State, sides: int, edge: int) -> int:
    """Roll `1 + abs(edge)` check dice and return the best one, or the worst if the edge is negative."""
    face = roll_die(state, sides)
    for _ in range(abs(edge)):
        other = roll_die(state, sides)
        if (other > face) == (edge > 0):
            face = other
    return face


def roll_part(data: Numbers, alias: AliasTables, state: State, part: int) -> int:
    """Roll one part of damage or healing."""
    row = data[AT_PARTS] + part * PART_COLUMNS
    count, first = data[row + ALIAS_COUNT], data[row + ALIAS_FIRST]
    amount = data[row + LEAST]
    if count > 1:
        scaled = draw(state) * count
        column = scaled >> 32
        at = 2 * (first + column)
        amount += column if (scaled & 0xFFFFFFFF) < alias[at] else alias[at + 1]
    return (amount * data[row + TIMES]) >> 1  # a shift halves it faster than a division


def joined_edge(edge: int, others: int) -> int:
    """Combine an edge with others, given as bits. If edges don't stack, opposite ones cancel."""
    advantage, disadvantage = others & ADVANTAGE, (others & DISADVANTAGE) >> 1
    if abs(edge) > 1:
        return edge + advantage - disadvantage
    return max(advantage, edge) - max(disadvantage, -edge)


def clamped(margin: int) -> int:
    """Convert a margin to a row of the tables, limiting it to their range."""
    return min(max(margin, -MARGIN), MARGIN) + MARGIN


def changed_by_conditions(data: Numbers, state: State, who: int, source: int, table: int, column: int) -> int:
    """Return how a combatant's conditions change a roll: combined edges, summed bonuses, the strongest certainty."""
    total, conditions = 0, state[STATE_COMBATANTS + who * NOW_COLUMNS + NOW_CONDITIONS]
    condition = 0
    while conditions != 0:
        if conditions & 1:
            value = data[data[table] + (condition * data[SOURCES] + source) * CHANGE_COLUMNS + column]
            if column == CHANGE_EDGES:
                total |= value
            elif column == CHANGE_ADDS:
                total += value
            else:
                total = max(total, value)
        conditions >>= 1
        condition += 1
    return total


def begin_condition(data: Numbers, state: State, who: int, condition: int, until: int, ending: int) -> None:
    """Give a combatant a condition; `until` is its end and `ending` the row of the save that ends it."""
    held = data[STATE_HELD] + (who * data[CONDITIONS] + condition) * 2
    state[held], state[held + 1] = until + 1, ending
    state[STATE_COMBATANTS + who * NOW_COLUMNS + NOW_CONDITIONS] |= 1 << condition


def end_condition(data: Numbers, state: State, who: int, condition: int) -> None:
    """Remove a condition from a combatant."""
    state[data[STATE_HELD] + (who * data[CONDITIONS] + condition) * 2] = 0
    state[STATE_COMBATANTS + who * NOW_COLUMNS + NOW_CONDITIONS] &= ~(1 << condition)


def have_only(data: Numbers, state: State, who: int, conditions: int) -> None:
    """Replace a combatant's conditions with these, none of which ends by itself."""
    state[STATE_COMBATANTS + who * NOW_COLUMNS + NOW_CONDITIONS] = conditions
    for condition in range(data[CONDITIONS]):
        state[data[STATE_HELD] + (who * data[CONDITIONS] + condition) * 2] = (conditions >> condition) & 1


def move_before_active(data: Numbers, state: State, slot: int) -> None:
    """Move a slot of one combatant to just before the active one; its next turn comes in the next round."""
    order, place, at = data[STATE_ORDER], state[ACTIVE_PLACE], 0
    members = data[AT_MEMBERS] + 2 * slot
    if state[order + place] == slot or data[members + 1] - data[members] != 1:
        return
    while state[order + at] != slot:
        at += 1
    if at > place:
        for here in range(at, place, -1):
            state[order + here] = state[order + here - 1]
        state[order + place] = slot
        state[ACTIVE_PLACE] = place + 1
    else:
        for here in range(at, place - 1):
            state[order + here] = state[order + here + 1]
        state[order + place - 1] = slot


def lose_standing(data: Numbers, state: State, who: int) -> None:
    """Remove a combatant from its side's count of standing combatants, and give it the condition of being down."""
    count_standing(data, state, who, -1)
    if data[CONDITIONS] > 0:
        begin_condition(data, state, who, 0, UNTIL_NEVER, -1)
    if data[SHIFTS] != 0 and state[ACTIVE_PLACE] >= 0:
        move_before_active(data, state, data[data[AT_COMBATANTS] + who * COMBATANT_COLUMNS + SLOT])


def stand_up(data: Numbers, state: State, who: int, hp: int) -> None:
    """Put a combatant that is down back on its feet."""
    now = STATE_COMBATANTS + who * NOW_COLUMNS
    state[now + NOW_DROP] = data[data[AT_STATES] + state[now + NOW_STATE] * STATE_COLUMNS + NEXT_DROP]
    state[now + NOW_STATE] = IS_UP
    state[now + NOW_HP] = hp
    for condition in range(data[CONDITIONS]):
        until = data[data[AT_CONDITIONS] + condition * CONDITION_COLUMNS + ON_WAKING]
        if condition == 0:
            end_condition(data, state, who, condition)
        elif until > 0:
            begin_condition(data, state, who, condition, until - 1, -1)
    count_standing(data, state, who, 1)


def set_state(data: Numbers, state: State, who: int, new: int) -> None:
    """Set the state of a combatant that is down; if the new state is being up, it stands up."""
    state[STATE_COMBATANTS + who * NOW_COLUMNS + NOW_STATE] = new
    if data[data[AT_STATES] + new * STATE_COLUMNS + STATE_KIND] == UP:
        stand_up(data, state, who, data[data[AT_STATES] + new * STATE_COLUMNS + UP_HP])


def save_degree(data: Numbers, state: State, cell: int, edges: int, adds: int, certain: int) -> int:
    """Roll a save and return its degree of success, including the changes from conditions."""
    sides = data[CHECK_DIE]
    face = roll_check(state, sides, joined_edge(data[cell + EDGE], edges))
    margin = data[cell + MARGIN_OF] + adds
    if data[cell + DIE] > 0:
        margin += roll_die(state, data[cell + DIE])
    elif data[cell + DIE] < 0:
        margin -= roll_die(state, -data[cell + DIE])
    if certain == CERTAIN_FAILURE or data[cell + CERTAIN] == CERTAIN_FAILURE:
        return FAILURE
    if data[cell + CERTAIN] == CERTAIN_SUCCESS:
        return SUCCESS
    return data[data[AT_DEGREES] + clamped(margin) * sides + face - 1]


def fall(
    data: Numbers, state: State, sums: Sums, who: int, source: int, critical: int, beyond: int, dealt: int
) -> None:
    """Drop a combatant to 0 hit points; `beyond` is the excess damage. A `source` of -1 is bleeding."""
    own, now = data[AT_COMBATANTS] + who * COMBATANT_COLUMNS, STATE_COMBATANTS + who * NOW_COLUMNS
    lose_standing(data, state, who)
    if state[now + NOW_FELL] == 0:
        state[now + NOW_FELL] = 1
        if state[FIRST_DOWN_OF_PARTY] < 0 and data[own + PARTY] != 0:
            state[FIRST_DOWN_OF_PARTY] = who
        sums[data[SUM_FELLED] + who * (data[SOURCES] + 1) + source + 1] += 1
    new = data[data[AT_DROPS] + state[now + NOW_DROP] * 2 + critical]
    kind = data[data[AT_STATES] + new * STATE_COLUMNS + STATE_KIND]
    outright = data[own + INSTANT] != 0 and beyond >= data[own + HP_MAX]
    outright = outright or (data[own + FLOOR] < 0 and state[now + NOW_HP] <= data[own + FLOOR])
    if kind != DEAD and not outright and 0 < data[own + MASSIVE] <= dealt:
        outright = save_degree(data, state, data[AT_MASSIVE] + who * CELL_COLUMNS, 0, 0, 0) < SUCCESS
    if outright and kind != DEAD:
        new = DEATH
    set_state(data, state, who, new)


def take_damage(
    data: Numbers, state: State, sums: Sums, who: int, by: int, source: int, amount: int, critical: int
) -> None:
    """Deal damage to a present combatant, with all consequences."""
    own, now = data[AT_COMBATANTS] + who * COMBATANT_COLUMNS, STATE_COMBATANTS + who * NOW_COLUMNS
    if amount <= 0 or state[now + NOW_STATE] == IS_AWAY:
        return
    up = state[now + NOW_STATE] == IS_UP
    if not up and data[data[AT_STATES] + state[now + NOW_STATE] * STATE_COLUMNS + STATE_KIND] == DEAD:
        return
    sums[data[SUM_TAKEN] + who] += amount
    if by >= 0:
        sums[data[SUM_DEALT] + by] += amount
    if data[own + PARTY] != 0 and source >= 0:
        sums[data[SUM_SOURCE] + source] += amount
    spared = min(amount, state[now + NOW_TEMP])
    state[now + NOW_TEMP] -= spared
    amount -= spared
    if amount == 0:
        return
    before = state[now + NOW_HP]
    state[now + NOW_HP] = max(before - amount, data[own + FLOOR])
    if up:
        if state[now + NOW_HP] <= 0:
            fall(data, state, sums, who, source, critical, amount - before, amount)
    elif (data[own + INSTANT] != 0 and amount >= data[own + HP_MAX]) or (
        data[own + FLOOR] < 0 and state[now + NOW_HP] <= data[own + FLOOR]
    ):
        set_state(data, state, who, DEATH)
    else:
        set_state(data, state, who, data[data[AT_STRUCK] + state[now + NOW_STATE] * 2 + critical])


def regain(data: Numbers, state: State, who: int, amount: int) -> None:
    """Restore hit points. A living combatant that is down gets up, unless it still has 0 or less."""
    own, now = data[AT_COMBATANTS] + who * COMBATANT_COLUMNS, STATE_COMBATANTS + who * NOW_COLUMNS
    if amount <= 0 or state[now + NOW_STATE] == IS_AWAY:
        return
    healed = min(state[now + NOW_HP] + amount, data[own + HP_MAX])
    if state[now + NOW_STATE] == IS_UP:
        state[now + NOW_HP] = healed
    elif data[data[AT_STATES] + state[now + NOW_STATE] * STATE_COLUMNS + STATE_KIND] != DEAD:
        if healed > 0:
            stand_up(data, state, who, healed)
        else:
            state[now + NOW_HP] = healed


def roll_source(data: Numbers, alias: AliasTables, state: State, first: int, count: int) -> None:
    """Roll the damage or healing parts of a source once for all targets."""
    for number in range(count):
        state[data[STATE_ROLLED] + number] = roll_part(data, alias, state, first + number)


def arriving(data: Numbers, state: State, who: int, first: int, count: int, halves: int) -> int:
    """Return the damage taken from the rolled parts after all adjustments; a negative result heals.

    `halves` is the share of the damage in halves.
    """
    now, total = STATE_COMBATANTS + who * NOW_COLUMNS, 0
    for number in range(count):
        kind = data[data[AT_PARTS] + (first + number) * PART_COLUMNS + TYPE]
        amount = (max(state[data[STATE_ROLLED] + number], 0) * halves + data[HALVES_UP]) >> 1
        if amount == 0:
            continue
        row = data[data[AT_TAKEN_ROWS] + who * data[TYPES] + kind] if kind >= 0 else -1
        came = amount
        if row >= 0:
            came = data[data[AT_TAKEN] + row * (MOST_AMOUNT + 1) + min(amount, MOST_AMOUNT)]
        if came > 0 and kind >= 0:
            state[now + NOW_SUFFERED] |= 1 << min(kind, 62)
        total += came
    return total


def strike(
    data: Numbers,
    state: State,
    sums: Sums,
    who: int,
    by: int,
    source: int,
    first: int,
    count: int,
    halves: int,
    critical: int,
) -> None:
    """Deal a source's rolled damage to a combatant; absorbed damage heals it."""
    came = arriving(data, state, who, first, count, halves)
    if came < 0:
        regain(data, state, who, -came)
    else:
        take_damage(data, state, sums, who, by, source, came, critical)


def inflict(data: Numbers, state: State, source: int, who: int, result: int) -> None:
    """Give a combatant the conditions that a source inflicts on this result."""
    row = data[AT_SOURCES] + source * SOURCE_COLUMNS
    for number in range(data[row + FIRST_INFLICTION], data[row + LAST_INFLICTION]):
        at = data[AT_INFLICTIONS] + number * INFLICTION_COLUMNS
        condition = data[at + INFLICTS]
        there = state[STATE_COMBATANTS + who * NOW_COLUMNS + NOW_STATE] != IS_AWAY
        immune = data[data[AT_IMMUNE] + who * data[CONDITIONS] + condition] != 0
        if there and not immune and (data[at + ON_RESULTS] >> result) & 1:
            begin_condition(data, state, who, condition, data[at + UNTIL], data[at + ENDING])


def save_against(data: Numbers, state: State, source: int, who: int) -> int:
    """Roll a combatant's save against a source and return the degree of success."""
    cell = data[AT_CELLS] + (source * data[COMBATANTS] + who) * CELL_COLUMNS
    edges = changed_by_conditions(data, state, who, source, AT_TARGET, CHANGE_EDGES)
    adds = changed_by_conditions(data, state, who, source, AT_TARGET, CHANGE_ADDS)
    certain = changed_by_conditions(data, state, who, source, AT_TARGET, CHANGE_CERTAIN)
    return save_degree(data, state, cell, edges, adds, certain)


def affect(data: Numbers, state: State, sums: Sums, by: int, source: int, who: int) -> None:
    """Apply a source without an attack roll to one combatant, using parts that were rolled before."""
    row = data[AT_SOURCES] + source * SOURCE_COLUMNS
    first, count = data[row + PARTS], data[row + PART_COUNT]
    if data[row + KIND] == SAVE:
        degree = save_against(data, state, source, who)
        halves = data[data[AT_SHARES] + data[row + SHARES] * 4 + degree]
    else:
        degree, halves = FAILURE, 2
    if halves > 0 and count > 0:
        strike(data, state, sums, who, by, source, first, count, halves, 0)
    inflict(data, state, source, who, degree)


def parried(data: Numbers, state: State, who: int, table: int, margin: int, face: int) -> int:
    """Return the outcome of a hit, which a reaction of the target may turn into a miss."""
    own, now = data[AT_COMBATANTS] + who * COMBATANT_COLUMNS, STATE_COMBATANTS + who * NOW_COLUMNS
    if data[own + PARRY] == 0 or state[now + NOW_POOLS + REACTION_POOL] <= 0 or state[now + NOW_STATE] != IS_UP:
        return HIT
    if data[table + clamped(margin - data[own + PARRY]) * data[CHECK_DIE] + face - 1] != MISS:
        return HIT
    state[now + NOW_POOLS + REACTION_POOL] -= 1
    return MISS


def extra_holds(data: Numbers, state: State, by: int, who: int, when: int, edge: int) -> bool:
    """Return whether once-a-turn extra damage applies to a hit."""
    if when & NO_DISADVANTAGE and edge < 0:
        return False
    if when & (ALLY_NEAR | WITH_ADVANTAGE) == ALWAYS:
        return True
    if when & WITH_ADVANTAGE and edge > 0:
        return True
    if when & ALLY_NEAR == 0:
        return False
    for other in range(data[COMBATANTS]):
        near = other not in (by, who) and state[STATE_COMBATANTS + other * NOW_COLUMNS + NOW_STATE] == IS_UP
        if near and not are_enemies(data, by, other) and moves_between(data, state, other, who) <= 0:
            return True
    return False


def hit(
    data: Numbers,
    alias: AliasTables,
    state: State,
    sums: Sums,
    by: int,
    source: int,
    who: int,
    critical: int,
    edge: int,
) -> None:
    """Deal the damage of a hit, including once-a-turn extra damage."""
    row = data[AT_SOURCES] + source * SOURCE_COLUMNS
    first, count = data[row + PARTS], data[row + PART_COUNT]
    if critical != 0:
        first, count = data[row + CRITICAL_PARTS], data[row + CRITICAL_COUNT]
    roll_source(data, alias, state, first, count)
    came = arriving(data, state, who, first, count, 2)
    extra, mine = data[row + EXTRA_COUNT], STATE_COMBATANTS + by * NOW_COLUMNS
    if extra > 0 and state[mine + NOW_EXTRA] == 0 and extra_holds(data, state, by, who, data[row + EXTRA_WHEN], edge):
        state[mine + NOW_EXTRA] = 1
        first = data[row + EXTRA_PARTS] + (extra if critical != 0 else 0)
        roll_source(data, alias, state, first, extra)
        came += arriving(data, state, who, first, extra, 2)
    if came < 0:
        regain(data, state, who, -came)
    else:
        take_damage(data, state, sums, who, by, source, came, critical)


def attack(data: Numbers, alias: AliasTables, state: State, sums: Sums, by: int, source: int, who: int) -> None:
    """Make an attack against a combatant."""
    row = data[AT_SOURCES] + source * SOURCE_COLUMNS
    cell = data[AT_CELLS] + (source * data[COMBATANTS] + who) * CELL_COLUMNS
    mine = STATE_COMBATANTS + by * NOW_COLUMNS
    tallied = min(state[mine + NOW_TALLY], data[TALLIES] - 1)
    margin = data[cell + MARGIN_OF] + data[data[AT_TALLIES] + source * data[TALLIES] + tallied]
    state[mine + NOW_TALLY] += data[row + TALLY]
    edges, certain = 0, data[cell + CERTAIN]
    if data[CONDITIONS] > 0:
        edges |= changed_by_conditions(data, state, by, source, AT_HOLDER, CHANGE_EDGES)
        edges |= changed_by_conditions(data, state, who, source, AT_TARGET, CHANGE_EDGES)
        margin += changed_by_conditions(data, state, by, source, AT_HOLDER, CHANGE_ADDS)
        margin += changed_by_conditions(data, state, who, source, AT_TARGET, CHANGE_ADDS)
        certain = max(certain, changed_by_conditions(data, state, who, source, AT_TARGET, CHANGE_CERTAIN))
    if data[cell + FLAT] > 0 and roll_die(state, FLAT_DIE) < data[cell + FLAT]:
        return
    edge = data[cell + EDGE]
    if edges != 0:
        edge = joined_edge(edge, edges)
    face = roll_check(state, data[CHECK_DIE], edge)
    if data[cell + DIE] > 0:
        margin += roll_die(state, data[cell + DIE])
    elif data[cell + DIE] < 0:
        margin -= roll_die(state, -data[cell + DIE])
    table, sides = data[AT_OUTCOMES] + data[row + TABLE] * data[CHECK_DIE], data[CHECK_DIE]
    result = data[table + clamped(margin) * sides + face - 1]
    if certain != NOT_CERTAIN:
        if certain == CERTAIN_FAILURE:
            result = MISS
        elif certain == CERTAIN_CRITICAL and result == HIT:
            result = CRITICAL
        elif certain == CERTAIN_SUCCESS and result == MISS:
            result = HIT
    if result == HIT:
        result = parried(data, state, who, table, margin, face)
    if result == MISS:
        return
    hit(data, alias, state, sums, by, source, who, 1 if result == CRITICAL else 0, edge)
    inflict(data, state, source, who, result)
    following = data[row + NEXT]
    if following >= 0 and state[STATE_COMBATANTS + who * NOW_COLUMNS + NOW_STATE] == IS_UP:
        at = data[AT_SOURCES] + following * SOURCE_COLUMNS
        roll_source(data, alias, state, data[at + PARTS], data[at + PART_COUNT])
        affect(data, state, sums, by, following, who)


def reaches(data: Numbers, state: State, me: int, other: int, near: int) -> bool:
    """Return whether a combatant may keep attacking another."""
    if not may_be_attacked(data, state, me, other, policy_of(data, me, FINISHES)):
        return False
    return near == 0 or moves_between(data, state, me, other) <= 0


def affect_several(
    data: Numbers, alias: AliasTables, state: State, sums: Sums, me: int, source: int, most: int, ranged: int
) -> None:
    """Apply a source to as many enemies as it can reach, beginning with the policy's preferred target."""
    at = data[AT_SOURCES] + source * SOURCE_COLUMNS
    roll_source(data, alias, state, data[at + PARTS], data[at + PART_COUNT])
    first = target_for(data, state, me, 0 if ranged != 0 else 1)
    if first < 0:
        return
    for other in range(data[COMBATANTS]):
        state[STATE_COMBATANTS + other * NOW_COLUMNS + NOW_MARK] = 0
    state[STATE_COMBATANTS + first * NOW_COLUMNS + NOW_MARK] = 1
    count = 1
    for other in range(data[COMBATANTS]):
        if count < most and other != first and may_be_attacked(data, state, me, other, 0):
            state[STATE_COMBATANTS + other * NOW_COLUMNS + NOW_MARK] = 1
            count += 1
    for other in range(data[COMBATANTS]):
        if state[STATE_COMBATANTS + other * NOW_COLUMNS + NOW_MARK] != 0:
            affect(data, state, sums, me, source, other)


def perform(data: Numbers, alias: AliasTables, state: State, sums: Sums, me: int, action: int) -> None:
    """Pay for an action and carry it out."""
    row, mine = data[AT_ACTIONS] + action * ACTION_COLUMNS, STATE_COMBATANTS + me * NOW_COLUMNS
    state[mine + NOW_POOLS + data[row + POOL]] -= data[row + PRICE]
    state[data[STATE_USED] + action] += 1
    if data[row + SUPPLY] >= 0:
        state[data[STATE_SUPPLIES] + data[row + SUPPLY]] -= data[row + TAKES]
    if data[row + SECOND_SUPPLY] >= 0:
        state[data[STATE_SUPPLIES] + data[row + SECOND_SUPPLY]] -= data[row + SECOND_TAKES]
    first, count = data[AT_ROUTINE] + data[row + FIRST], data[row + COUNT]
    if data[row + TO] != TO_ENEMIES:
        other = healed_by(data, state, me, action)
        for number in range(count):
            at = data[AT_SOURCES] + data[first + number] * SOURCE_COLUMNS
            if other >= 0 and data[at + KIND] == HEAL:
                roll_source(data, alias, state, data[at + PARTS], data[at + PART_COUNT])
                amount = 0
                for part in range(data[at + PART_COUNT]):
                    amount += state[data[STATE_ROLLED] + part]
                regain(data, state, other, amount)
        return
    target = -1
    for number in range(count):
        source = data[first + number]
        at = data[AT_SOURCES] + source * SOURCE_COLUMNS
        if data[at + KIND] == ATTACK:
            near = 0 if data[at + RANGED] != 0 else 1
            if target < 0 or not reaches(data, state, me, target, near):
                target = target_for(data, state, me, near)
            if target < 0:
                continue
            state[mine + NOW_AIM] = target
            attack(data, alias, state, sums, me, source, target)
        else:
            affect_several(data, alias, state, sums, me, source, data[row + TARGETS], data[at + RANGED])


def refill_supplies(data: Numbers, state: State, me: int) -> None:
    """Refill supplies at the start of a turn, roll recharges, and reset the counts of actions used this turn."""
    own = data[AT_COMBATANTS] + me * COMBATANT_COLUMNS
    for action in range(data[own + FIRST_ACTION], data[own + LAST_ACTION]):
        state[data[STATE_USED] + action] = 0
    for supply in range(data[SUPPLIES]):
        row, left = data[AT_SUPPLIES] + supply * SUPPLY_COLUMNS, data[STATE_SUPPLIES] + supply
        if data[row + SUPPLY_REFILLS] == REFILLS_AT_ANY_TURN:
            state[left] = data[row + SUPPLY_MOST]
        if data[row + SUPPLY_OWNER] != me:
            continue
        if data[row + SUPPLY_REFILLS] == REFILLS_AT_OWN_TURN:
            state[left] = data[row + SUPPLY_MOST]
        lowest = data[row + SUPPLY_RECHARGE]
        if lowest > 0 and state[left] == 0 and roll_die(state, 6) >= lowest:
            state[left] = data[row + SUPPLY_MOST]


def start_turn(data: Numbers, state: State, me: int) -> None:
    """Start a combatant's turn: refill its resources, minus losses to conditions, and end expired conditions."""
    own, mine = data[AT_COMBATANTS] + me * COMBATANT_COLUMNS, STATE_COMBATANTS + me * NOW_COLUMNS
    loss, price, reactions, moves = 0, 0, 1, 1
    for condition in range(data[CONDITIONS]):
        held = data[STATE_HELD] + (me * data[CONDITIONS] + condition) * 2
        row = data[AT_CONDITIONS] + condition * CONDITION_COLUMNS
        if state[held] == UNTIL_START + 1:
            end_condition(data, state, me, condition)
            price += data[row + ENDED_FOR]
        elif state[held] != 0:
            loss = max(loss, data[row + TURN_LOSS])
            if data[row + STOPS_REACTIONS] != 0:
                reactions = 0
            if data[row + STOPS_MOVING] != 0:
                moves = 0
    state[mine + NOW_POOLS + MAIN_POOL] = max(data[own + AMOUNT] - loss - price, 0)
    state[mine + NOW_POOLS + BONUS_POOL] = 0 if loss > data[own + AMOUNT] else data[own + BONUS]
    state[mine + NOW_POOLS + REACTION_POOL] = data[own + REACTIONS] * reactions
    state[mine + NOW_POOLS + LEGENDARY_POOL] = data[own + LEGENDARY]
    state[mine + NOW_TALLY] = 0
    state[mine + NOW_EXTRA] = 0
    if data[own + REGAINS] > 0 and (state[mine + NOW_SUFFERED] & data[own + REGAIN_STOP]) == 0:
        regain(data, state, me, data[own + REGAINS])
    state[mine + NOW_SUFFERED] = 0
    refill_supplies(data, state, me)
    if data[FARTHEST] > 0 and moves != 0 and policy_of(data, me, MOVES_UP) != 0 and not has_target(data, state, me, 1):
        state[mine + NOW_MOVES] += 1


def hurt_anew(data: Numbers, alias: AliasTables, state: State, sums: Sums, me: int) -> None:
    """Deal the damage of conditions that hurt their holder at the end of each turn."""
    for condition in range(data[CONDITIONS]):
        row = data[AT_CONDITIONS] + condition * CONDITION_COLUMNS
        if data[row + HURTS_COUNT] > 0 and state[data[STATE_HELD] + (me * data[CONDITIONS] + condition) * 2] != 0:
            roll_source(data, alias, state, data[row + HURTS_PARTS], data[row + HURTS_COUNT])
            strike(data, state, sums, me, -1, -1, data[row + HURTS_PARTS], data[row + HURTS_COUNT], 2, 0)


def end_turn(data: Numbers, alias: AliasTables, state: State, sums: Sums, me: int) -> None:
    """End a combatant's turn: deal ongoing damage, end conditions that expire now, and roll saves against others."""
    hurt_anew(data, alias, state, sums, me)
    is_down = state[STATE_COMBATANTS + me * NOW_COLUMNS + NOW_STATE] >= 0
    for condition in range(data[CONDITIONS]):
        held = data[STATE_HELD] + (me * data[CONDITIONS] + condition) * 2
        if state[held] == UNTIL_END + 1 or (state[held] == UNTIL_START + 1 and is_down):
            end_condition(data, state, me, condition)
        elif state[held] == UNTIL_SAVED + 1:
            cell = data[AT_ENDINGS] + (state[held + 1] * data[COMBATANTS] + me) * CELL_COLUMNS
            if save_degree(data, state, cell, 0, 0, 0) >= SUCCESS:
                end_condition(data, state, me, condition)


def pass_time_down(data: Numbers, state: State, me: int) -> None:
    """Play the turn of a combatant that is down: it bleeds, or rolls to stay alive."""
    own, mine = data[AT_COMBATANTS] + me * COMBATANT_COLUMNS, STATE_COMBATANTS + me * NOW_COLUMNS
    row = data[AT_STATES] + state[mine + NOW_STATE] * STATE_COLUMNS
    if data[row + STATE_KIND] != DYING:
        return
    if data[row + BLEED] > 0:
        state[mine + NOW_HP] = max(state[mine + NOW_HP] - data[row + BLEED], data[own + FLOOR])
        if state[mine + NOW_HP] <= data[own + FLOOR]:
            set_state(data, state, me, DEATH)
            return
    face = roll_die(state, data[CHECK_DIE])
    set_state(data, state, me, data[data[AT_DEATHS] + state[mine + NOW_STATE] * data[CHECK_DIE] + face - 1])


def has_turns(data: Numbers, state: State, who: int) -> bool:
    """Return whether a combatant is present and alive."""
    now = state[STATE_COMBATANTS + who * NOW_COLUMNS + NOW_STATE]
    return now == IS_UP or (now >= 0 and data[data[AT_STATES] + now * STATE_COLUMNS + STATE_KIND] != DEAD)


def take_turn(data: Numbers, alias: AliasTables, state: State, sums: Sums, me: int, now_round: int) -> None:
    """Play the turn of a combatant that is present and alive."""
    mine = STATE_COMBATANTS + me * NOW_COLUMNS
    if state[mine + NOW_STATE] >= 0:
        pass_time_down(data, state, me)
        if state[mine + NOW_STATE] >= 0:
            if has_turns(data, state, me):
                end_turn(data, alias, state, sums, me)
            return
    start_turn(data, state, me)
    surprised = data[data[AT_COMBATANTS] + me * COMBATANT_COLUMNS + SURPRISED]
    if surprised == 0 or now_round > 1 or draw_below(state, 1000) >= surprised:
        least = data[LEAST_PRICE]
        for _ in range(data[ACTIONS] + 20):
            if state[mine + NOW_POOLS + MAIN_POOL] < least and state[mine + NOW_POOLS + BONUS_POOL] < least:
                break
            action = action_for(data, state, me, 0)
            if action < 0:
                break
            perform(data, alias, state, sums, me, action)
            if is_decided(state):
                return
            if state[mine + NOW_STATE] != IS_UP:
                break
    end_turn(data, alias, state, sums, me)


def take_legendary_actions(data: Numbers, alias: AliasTables, state: State, sums: Sums, slot: int) -> None:
    """Use one legendary action of each eligible combatant after another combatant's turn."""
    if data[ANY_LEGENDARY] == 0:
        return
    for other in range(data[COMBATANTS]):
        own, now = data[AT_COMBATANTS] + other * COMBATANT_COLUMNS, STATE_COMBATANTS + other * NOW_COLUMNS
        if data[own + LEGENDARY] == 0 or data[own + SLOT] == slot or state[now + NOW_STATE] != IS_UP:
            continue
        if state[now + NOW_POOLS + LEGENDARY_POOL] > 0 and not is_decided(state):
            action = action_for(data, state, other, 1)
            if action >= 0:
                perform(data, alias, state, sums, other, action)


def roll_initiative(data: Numbers, state: State, slot: int) -> None:
    """Set the initiative count of a slot, rolling for it if necessary."""
    row = data[AT_SLOTS] + slot * SLOT_COLUMNS
    count, tie = data[row + SLOT_COUNT], 0
    if data[row + SLOT_ROLLED] != 0:
        count = roll_check(state, data[row + SLOT_DIE], data[row + SLOT_EDGE]) + data[row + SLOT_BONUS]
    elif data[row + SLOT_SHARED] != 0:
        count = state[data[STATE_COUNTS] + slot - 1] // (TIES * TIES)
    if data[row + SLOT_ROLLS_TIES] != 0:
        tie = roll_die(state, data[row + SLOT_DIE]) + data[row + SLOT_TIE_BONUS]
    state[data[STATE_COUNTS] + slot] = (count * TIES + data[row + SLOT_RANK]) * TIES + tie


def put_in_order(data: Numbers, state: State) -> None:
    """Sort the slots by initiative count, highest first."""
    order, counts = data[STATE_ORDER], data[STATE_COUNTS]
    for place in range(data[SLOTS]):
        slot, here = place, place
        while here > 0 and state[counts + state[order + here - 1]] < state[counts + slot]:
            state[order + here] = state[order + here - 1]
            here -= 1
        state[order + here] = slot


def bring_wave(data: Numbers, state: State, wave: int) -> None:
    """Bring in the combatants of a wave unless they have already arrived."""
    if wave < 0 or state[data[STATE_WAVES] + wave] != 0:
        return
    state[data[STATE_WAVES] + wave] = 1
    for who in range(data[COMBATANTS]):
        own, now = data[AT_COMBATANTS] + who * COMBATANT_COLUMNS, STATE_COMBATANTS + who * NOW_COLUMNS
        if data[own + WAVE] == wave and state[now + NOW_STATE] == IS_AWAY:
            state[now + NOW_STATE] = IS_UP
            count_standing(data, state, who, 1)


def is_called(data: Numbers, state: State, wave: int) -> bool:
    """Return whether a wave's trigger has occurred."""
    row = data[AT_WAVES] + wave * WAVE_COLUMNS
    when, first, last = data[row + WAVE_WHEN], data[row + WATCH_FIRST], data[row + WATCH_LAST]
    if when == 0 or first >= last:
        return False
    standing = 0
    for place in range(first, last):
        who = data[data[AT_WATCHED] + place]
        now = STATE_COMBATANTS + who * NOW_COLUMNS
        if state[now + NOW_STATE] == IS_AWAY:
            continue
        hurt = 2 * state[now + NOW_HP] <= data[data[AT_COMBATANTS] + who * COMBATANT_COLUMNS + HP_MAX]
        if state[now + NOW_STATE] != IS_UP:
            if when in (HALF, FIRST_DOWN):
                return True
        elif when == HALF and hurt:
            return True
        else:
            standing += 1
    return when not in (HALF, FIRST_DOWN) and standing == 0


def call_waves(data: Numbers, state: State) -> None:
    """Bring in all waves whose trigger has occurred."""
    for wave in range(data[WAVES]):
        if state[data[STATE_WAVES] + wave] == 0 and is_called(data, state, wave):
            bring_wave(data, state, wave)


def act_of_world(data: Numbers, alias: AliasTables, state: State, sums: Sums, world: int) -> None:
    """Apply a world action to everyone it reaches, or to one of them at random."""
    row = data[AT_WORLD] + world * WORLD_COLUMNS
    reached = data[AT_REACH] + world * data[COMBATANTS]
    count, drawn = 0, -1
    for who in range(data[COMBATANTS]):
        if data[reached + who] != SPARED and state[STATE_COMBATANTS + who * NOW_COLUMNS + NOW_STATE] == IS_UP:
            count += 1
            if draw_below(state, count) == 0:
                drawn = who
    for lesser in range(2):
        source = data[row + LESSER_SOURCE] if lesser else data[row + WORLD_SOURCE]
        if source < 0 or count == 0:
            continue
        at = data[AT_SOURCES] + source * SOURCE_COLUMNS
        roll_source(data, alias, state, data[at + PARTS], data[at + PART_COUNT])
        for who in range(data[COMBATANTS]):
            if (data[reached + who] == LESSER) != (lesser != 0) or data[reached + who] == SPARED:
                continue
            if data[row + REACHES_EACH] == 0 and who != drawn:
                continue
            if state[STATE_COMBATANTS + who * NOW_COLUMNS + NOW_STATE] != IS_AWAY:  # also affects fallen combatants
                affect(data, state, sums, -1, source, who)


def spend_action(data: Numbers, state: State, world: int) -> None:
    """Spend the world action triggered by a pool's end. It may recharge now or in a later round."""
    spent = data[data[AT_WORLD] + world * WORLD_COLUMNS + SPENDS] - 1
    if spent >= 0:
        lowest = data[data[AT_WORLD] + spent * WORLD_COLUMNS + RECHARGE]
        if lowest > 0:
            state[data[STATE_WORLD] + spent] = 1 if roll_die(state, 6) >= lowest else SPENT_NOW


def roll_pools(data: Numbers, alias: AliasTables, state: State, sums: Sums, now_round: int) -> int:
    """Roll the running countdown pools. Return the first that ends, or -1; -2 or less means that the fight ends too."""
    ended = -1
    pools = data[STATE_POOLS]
    for pool in range(data[POOL_COUNT]):
        row = data[AT_POOLS] + pool * POOL_COLUMNS
        if state[pools + 2 * pool + 1] == 0 and 0 < data[row + STARTS] <= now_round and state[pools + 2 * pool] > 0:
            state[pools + 2 * pool + 1] = 1
    over = 0
    for pool in range(data[POOL_COUNT]):
        if state[pools + 2 * pool + 1] == 1:
            row, left = data[AT_POOLS] + pool * POOL_COLUMNS, 0
            for _ in range(state[pools + 2 * pool]):
                if roll_die(state, 6) < data[row + LOWEST]:
                    left += 1
            state[pools + 2 * pool] = left
            if left == 0:
                state[pools + 2 * pool + 1] = 2  # it ends below, after all pools have rolled
    for pool in range(data[POOL_COUNT]):
        if state[pools + 2 * pool + 1] == 2:
            row = data[AT_POOLS] + pool * POOL_COLUMNS
            state[pools + 2 * pool + 1] = 3
            sums[data[SUM_POOL] + pool * (MOST_ROUNDS + 1) + min(now_round, MOST_ROUNDS)] += 1
            if ended < 0:
                ended = pool
            if data[row + STARTS_POOL] >= 0 and state[pools + 2 * data[row + STARTS_POOL] + 1] == 0:
                state[pools + 2 * data[row + STARTS_POOL] + 1] = 1
            for place in range(data[row + SETS_COUNT] + 1):
                if place == data[row + CALLED_AFTER]:
                    bring_wave(data, state, data[row + CALLS_WAVE])
                if place < data[row + SETS_COUNT]:
                    act_of_world(data, alias, state, sums, data[row + SETS_OFF] + place)
                    spend_action(data, state, data[row + SETS_OFF] + place)
            over |= data[row + ENDS_FIGHT]
    return -2 - ended if over else ended


def begin_round(data: Numbers, alias: AliasTables, state: State, sums: Sums, now_round: int) -> int:
    """Play the start of a round. Return the first pool that ends, or -1; -2 or less means that the fight ends too."""
    for wave in range(data[WAVES]):
        at = data[data[AT_WAVES] + wave * WAVE_COLUMNS + WAVE_ROUND]
        if 0 < at <= now_round:
            bring_wave(data, state, wave)
    for who in range(data[COMBATANTS]):
        for condition in range(data[CONDITIONS]):
            held = data[STATE_HELD] + (who * data[CONDITIONS] + condition) * 2
            if state[held] == UNTIL_WORLD + 1:
                end_condition(data, state, who, condition)
    ended = roll_pools(data, alias, state, sums, now_round)
    ready = data[STATE_WORLD]
    for world in range(data[WORLDS]):
        lowest = data[data[AT_WORLD] + world * WORLD_COLUMNS + RECHARGE]
        if state[ready + world] == SPENT_NOW:
            state[ready + world] = 0
        elif state[ready + world] == 0 and lowest > 0 and roll_die(state, 6) >= lowest:
            state[ready + world] = 1
    for world in range(data[WORLDS]):
        if state[ready + world] == 1 and not is_decided(state):
            act_of_world(data, alias, state, sums, world)
            lowest = data[data[AT_WORLD] + world * WORLD_COLUMNS + RECHARGE]
            state[ready + world] = 1 if lowest > 0 and roll_die(state, 6) >= lowest else 0
            if lowest == 0:
                state[ready + world] = -1
    return ended


def set_up(data: Numbers, state: State) -> None:
    """Initialise the state of a fight."""
    state[FIRST_DOWN_OF_PARTY] = state[ACTIVE_PLACE] = -1
    for side in range(data[SIDES]):
        state[STANDING + side] = state[AGAINST + side] = 0
    for who in range(data[COMBATANTS]):
        own, now = data[AT_COMBATANTS] + who * COMBATANT_COLUMNS, STATE_COMBATANTS + who * NOW_COLUMNS
        for column in range(NOW_COLUMNS):
            state[now + column] = 0
        state[now + NOW_HP], state[now + NOW_TEMP] = data[own + HP], data[own + TEMP_HP]
        state[now + NOW_STATE], state[now + NOW_DROP] = data[own + STATE], data[own + DROP]
        state[now + NOW_AIM] = -1
        state[now + NOW_POOLS + REACTION_POOL] = data[own + REACTIONS]
        state[now + NOW_POOLS + LEGENDARY_POOL] = data[own + LEGENDARY]
        if data[own + WAVE] >= 0:
            state[now + NOW_STATE] = IS_AWAY
        elif data[own + STATE] == IS_UP:
            count_standing(data, state, who, 1)
        have_only(data, state, who, DOWN_BIT if data[own + STATE] >= 0 and data[CONDITIONS] > 0 else 0)
    for supply in range(data[SUPPLIES]):
        state[data[STATE_SUPPLIES] + supply] = data[data[AT_SUPPLIES] + supply * SUPPLY_COLUMNS + SUPPLY_LEFT]
    for world in range(data[WORLDS]):
        state[data[STATE_WORLD] + world] = data[data[AT_WORLD] + world * WORLD_COLUMNS + READY]
    for pool in range(data[POOL_COUNT]):
        row = data[AT_POOLS] + pool * POOL_COLUMNS
        state[data[STATE_POOLS] + 2 * pool] = data[row + DICE]
        state[data[STATE_POOLS] + 2 * pool + 1] = data[row + RUNNING]
    for wave in range(data[WAVES]):
        state[data[STATE_WAVES] + wave] = 0
    for slot in range(data[SLOTS]):
        roll_initiative(data, state, slot)
    put_in_order(data, state)


def party_share(data: Numbers, state: State) -> int:
    """Return the bin of the party's remaining hit points."""
    left, party = 0, data[AT_PARTY]
    for at in range(party + data[party], party + data[party + 1]):
        left += max(state[STATE_COMBATANTS + data[at] * NOW_COLUMNS + NOW_HP], 0)
    return min(left * (SHARE_BINS - 1) // data[PARTY_HP], SHARE_BINS - 1)


def fights_on(data: Numbers, state: State, side: int) -> bool:
    """Return whether a side still fights: someone is standing, and not enough are down for the rest to flee."""
    limit = data[data[AT_POLICIES] + side * POLICY_FIGURES + FLEES_AT]
    if state[STANDING + side] == 0 or limit >= ALL_OF_THEM:
        return state[STANDING + side] > 0
    members = 0
    for who in range(data[COMBATANTS]):
        if data[data[AT_COMBATANTS] + who * COMBATANT_COLUMNS + SIDE] == side:
            members += 1 if state[STATE_COMBATANTS + who * NOW_COLUMNS + NOW_STATE] != IS_AWAY else 0
    return ALL_OF_THEM * (members - state[STANDING + side]) < limit * members


def outcome_so_far(data: Numbers, state: State) -> int:
    """Return whether the party (the first side) has lost, or won because all enemies are down or have fled."""
    if not fights_on(data, state, 0):
        return LOST
    for other in range(1, data[SIDES]):
        if data[data[AT_ENMITY] + other] != 0 and fights_on(data, state, other):
            return UNDECIDED
    return WON


def finish(data: Numbers, state: State, sums: Sums, fights: Fights, row: int, last_round: int, first_pool: int) -> None:
    """Store the outcome of a fight, and add the final state of all combatants to the sums."""
    down, dead = 0, 0
    for who in range(data[COMBATANTS]):
        own, now = data[AT_COMBATANTS] + who * COMBATANT_COLUMNS, STATE_COMBATANTS + who * NOW_COLUMNS
        if state[now + NOW_STATE] == IS_AWAY:
            continue
        died = 0
        if state[now + NOW_STATE] >= 0:
            died = 1 if data[data[AT_STATES] + state[now + NOW_STATE] * STATE_COLUMNS + STATE_KIND] == DEAD else 0
        sums[data[SUM_DOWN] + who] += state[now + NOW_FELL]
        sums[data[SUM_DEAD] + who] += died
        left = max(state[now + NOW_HP], 0) * (LEFT_BINS - 1) // max(data[own + HP_MAX], 1)
        sums[data[SUM_LEFT] + who * LEFT_BINS + min(left, LEFT_BINS - 1)] += 1
        if data[own + PARTY] != 0:
            down += state[now + NOW_FELL]
            dead += died
    sums[data[SUM_ROUNDS] + min(last_round, MOST_ROUNDS)] += 1
    fights[row + OUTCOME], fights[row + ROUNDS_FOUGHT] = outcome_so_far(data, state), last_round
    fights[row + FIRST_FALLEN], fights[row + FIRST_POOL] = state[FIRST_DOWN_OF_PARTY], first_pool
    fights[row + PARTY_DOWN], fights[row + PARTY_DEAD] = down, dead


def play_fight(data: Numbers, alias: AliasTables, state: State, sums: Sums, fights: Fights, row: int) -> None:
    """Play one fight from beginning to end and store its outcome in a row."""
    set_up(data, state)
    first_pool, now_round, over, resumed = -1, data[FIRST_ROUND], 0, data[FIRST_SLOT]
    if resumed < 0:
        now_round += 1
    while now_round <= data[FIRST_ROUND] + MOST_ROUNDS and over == 0:
        if resumed < 0:
            ended = begin_round(data, alias, state, sums, now_round)
            if ended != -1 and first_pool < 0:
                first_pool = ended if ended >= 0 else -2 - ended
            call_waves(data, state)
            if ended < -1 or is_decided(state):
                over = 1
        state[ACTIVE_PLACE] = -1
        while state[ACTIVE_PLACE] < data[SLOTS] - 1:
            state[ACTIVE_PLACE] += 1
            slot = state[data[STATE_ORDER] + state[ACTIVE_PLACE]]
            if over != 0 or is_decided(state):
                break
            if resumed >= 0 and slot != resumed:
                continue
            resumed = -1
            is_there = 0
            for at in range(data[data[AT_MEMBERS] + 2 * slot], data[data[AT_MEMBERS] + 2 * slot + 1]):
                who = data[data[AT_MEMBERS] + at]
                if not has_turns(data, state, who):
                    continue
                is_there = 1
                take_turn(data, alias, state, sums, who, now_round)
                if is_decided(state):
                    break
            if is_there != 0:
                take_legendary_actions(data, alias, state, sums, slot)
            call_waves(data, state)
        state[ACTIVE_PLACE] = resumed = -1
        counted = min(now_round, MOST_ROUNDS)
        sums[data[SUM_GOING] + counted] += 1
        sums[data[SUM_SHARE] + counted * SHARE_BINS + party_share(data, state)] += 1
        if outcome_so_far(data, state) != UNDECIDED:
            over = 1
        now_round += 1
    finish(data, state, sums, fights, row, now_round - 1, first_pool)


def play_fights(
    data: Numbers, alias: AliasTables, state: State, sums: Sums, fights: Fights, seed: int, first: int, count: int
) -> None:
    """Play `count` fights, beginning with number `first`.

    Each fight has its own random stream, so the results don't depend on the batch size.
    """
    for number in range(count):
        begin_stream(state, seed, first + number)
        play_fight(data, alias, state, sums, fights, number * FIGHT_COLUMNS)
