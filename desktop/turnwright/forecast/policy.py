"""Combatants' choices of actions and targets. The loop compiles these functions; autoplay calls them uncompiled.

They read the packed sheet and the state of a fight as defined in `layout`, and draw from the fight's random numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.forecast.layout import (
    AGAINST,
    AT_ACTIONS,
    AT_AWAY,
    AT_COMBATANTS,
    AT_ENMITY,
    AT_FOES,
    AT_POLICIES,
    AT_STATES,
    COMBATANTS,
    FARTHEST,
    IS_UP,
    NOW_AIM,
    NOW_COLUMNS,
    NOW_HP,
    NOW_MOVES,
    NOW_POOLS,
    NOW_STATE,
    SIDES,
    STANDING,
    STATE_COMBATANTS,
    STATE_SUPPLIES,
    STATE_USED,
)
from turnwright.forecast.policy_figures import (
    FINISHES,
    FOR_TWO,
    HEALS_AT,
    NEAREST,
    POLICY_FIGURES,
    RANDOMLY,
    SAME,
    SPENDS,
    TARGET,
    WEAKEST,
)
from turnwright.forecast.random_stream import draw_below
from turnwright.forecast.sheet import (
    ACTION_COLUMNS,
    COMBATANT_COLUMNS,
    DYING,
    FIRST_ACTION,
    HP_MAX,
    LAST_ACTION,
    LEGENDARY_POOL,
    MELEE,
    ONCE,
    POOL,
    PRICE,
    REACTION_POOL,
    SECOND_SUPPLY,
    SECOND_TAKES,
    SIDE,
    STATE_COLUMNS,
    STATE_KIND,
    SUPPLY,
    TAKES,
    TARGETS,
    TO,
    TO_ALLY,
    TO_ENEMIES,
)

if TYPE_CHECKING:
    from turnwright.forecast.array_types import Numbers, State


def policy_of(data: Numbers, who: int, setting: int) -> int:
    """Return a setting from the policy of a combatant's side."""
    side = data[data[AT_COMBATANTS] + who * COMBATANT_COLUMNS + SIDE]
    return data[data[AT_POLICIES] + side * POLICY_FIGURES + setting]


def are_enemies(data: Numbers, one: int, other: int) -> bool:
    """Return whether two combatants are enemies."""
    base = data[AT_COMBATANTS] + SIDE
    side, against = data[base + one * COMBATANT_COLUMNS], data[base + other * COMBATANT_COLUMNS]
    return data[data[AT_ENMITY] + side * data[SIDES] + against] != 0


def count_standing(data: Numbers, state: State, who: int, more: int) -> None:
    """Add `more` to the standing count of a combatant's side, and to the count of enemies of each opposing side."""
    side = data[data[AT_COMBATANTS] + who * COMBATANT_COLUMNS + SIDE]
    state[STANDING + side] += more
    for other in range(data[SIDES]):
        if data[data[AT_ENMITY] + other * data[SIDES] + side] != 0:
            state[AGAINST + other] += more


def is_decided(state: State) -> bool:
    """Return whether the whole party (the first side) or all its enemies are down."""
    return state[STANDING] == 0 or state[AGAINST] == 0


def moves_between(data: Numbers, state: State, one: int, other: int) -> int:
    """Return how many moves separate two combatants; 0 or less if they are within reach."""
    if data[FARTHEST] == 0:
        return 0
    moved = state[STATE_COMBATANTS + one * NOW_COLUMNS + NOW_MOVES]
    moved += state[STATE_COMBATANTS + other * NOW_COLUMNS + NOW_MOVES]
    return data[data[AT_AWAY] + one * data[COMBATANTS] + other] - moved


def may_be_attacked(data: Numbers, state: State, one: int, other: int, finishes: int) -> bool:
    """Return whether a combatant would attack another: a standing enemy or, with `finishes`, a dying one."""
    now = state[STATE_COMBATANTS + other * NOW_COLUMNS + NOW_STATE]
    if now == IS_UP:
        return are_enemies(data, one, other)
    if finishes == 0 or now < 0 or data[data[AT_STATES] + now * STATE_COLUMNS + STATE_KIND] != DYING:
        return False
    return are_enemies(data, one, other)


def has_target(data: Numbers, state: State, me: int, melee: int) -> bool:
    """Return whether a combatant has a target to attack."""
    side, finishes = data[data[AT_COMBATANTS] + me * COMBATANT_COLUMNS + SIDE], policy_of(data, me, FINISHES)
    if finishes == 0 and (melee == 0 or data[FARTHEST] == 0):
        return state[AGAINST + side] > 0
    foes = data[AT_FOES]
    for at in range(foes + data[foes + 2 * side], foes + data[foes + 2 * side + 1]):
        may = may_be_attacked(data, state, me, data[at], finishes)
        if may and (melee == 0 or moves_between(data, state, me, data[at]) <= 0):
            return True
    return False


def target_for(data: Numbers, state: State, me: int, melee: int) -> int:
    """Return a combatant's target, or -1 if none is in reach. The first of several equal targets is chosen."""
    preference, finishes = policy_of(data, me, TARGET), policy_of(data, me, FINISHES)
    side, best, best_rank, count = data[data[AT_COMBATANTS] + me * COMBATANT_COLUMNS + SIDE], -1, 0, 0
    foes = data[AT_FOES]
    if (
        preference == WEAKEST and finishes == 0 and (melee == 0 or data[FARTHEST] == 0)
    ):  # fast path for the default policy
        for at in range(foes + data[foes + 2 * side], foes + data[foes + 2 * side + 1]):
            now = STATE_COMBATANTS + data[at] * NOW_COLUMNS
            if state[now + NOW_STATE] == IS_UP and (best < 0 or state[now + NOW_HP] < best_rank):
                best, best_rank = data[at], state[now + NOW_HP]
        return best
    for at in range(foes + data[foes + 2 * side], foes + data[foes + 2 * side + 1]):
        other = data[at]
        if not may_be_attacked(data, state, me, other, finishes):
            continue
        if melee != 0 and moves_between(data, state, me, other) > 0:
            continue
        rank = state[STATE_COMBATANTS + other * NOW_COLUMNS + NOW_HP]
        if preference == WEAKEST:
            rank = -rank
        elif preference == RANDOMLY:
            count += 1
            rank = count if draw_below(state, count) == 0 else -1
        elif preference == NEAREST:
            rank = -moves_between(data, state, me, other)
        elif preference == SAME:
            rank = 1 << 30 if other == state[STATE_COMBATANTS + me * NOW_COLUMNS + NOW_AIM] else -rank
        if best < 0 or rank > best_rank:
            best, best_rank = other, rank
    return best


def healed_by(data: Numbers, state: State, me: int, action: int) -> int:
    """Return the ally that a combatant heals with an action, preferring fallen ones, or -1 if none needs healing."""
    base = STATE_COMBATANTS
    limit = policy_of(data, me, HEALS_AT)
    to = data[data[AT_ACTIONS] + action * ACTION_COLUMNS + TO]
    best, best_share = -1, 101
    for other in range(data[COMBATANTS]):
        if to != TO_ALLY and other != me:
            continue
        side = data[data[AT_COMBATANTS] + other * COMBATANT_COLUMNS + SIDE]
        if side != data[data[AT_COMBATANTS] + me * COMBATANT_COLUMNS + SIDE]:
            continue
        now = state[base + other * NOW_COLUMNS + NOW_STATE]
        most = data[data[AT_COMBATANTS] + other * COMBATANT_COLUMNS + HP_MAX]
        if now == IS_UP:
            share = 100 * state[base + other * NOW_COLUMNS + NOW_HP] // max(most, 1)
        elif now >= 0 and data[data[AT_STATES] + now * STATE_COLUMNS + STATE_KIND] <= 1:  # dying or stable
            share = -1
        else:
            continue
        if share <= limit and share < best_share:
            best, best_share = other, share
    return best


def can_pay(data: Numbers, state: State, me: int, action: int) -> bool:
    """Return whether a combatant can pay an action's price and supplies, and has uses of it left this turn."""
    row = data[AT_ACTIONS] + action * ACTION_COLUMNS
    if state[STATE_COMBATANTS + me * NOW_COLUMNS + NOW_POOLS + data[row + POOL]] < data[row + PRICE]:
        return False
    supplies = data[STATE_SUPPLIES]
    if data[row + SUPPLY] >= 0 and state[supplies + data[row + SUPPLY]] < data[row + TAKES]:
        return False
    if data[row + SECOND_SUPPLY] >= 0 and state[supplies + data[row + SECOND_SUPPLY]] < data[row + SECOND_TAKES]:
        return False
    return data[row + ONCE] == 0 or state[data[STATE_USED] + action] < data[row + ONCE]


def action_for(data: Numbers, state: State, me: int, legendary: int) -> int:
    """Return the first action that a combatant can and would use next, or -1.

    `legendary`: consider only legendary actions, after another combatant's turn; otherwise only the other actions.
    """
    own = data[AT_COMBATANTS] + me * COMBATANT_COLUMNS
    reached, near = -1, -1  # not determined yet
    for action in range(data[own + FIRST_ACTION], data[own + LAST_ACTION]):
        row = data[AT_ACTIONS] + action * ACTION_COLUMNS
        pool = data[row + POOL]
        if pool == REACTION_POOL or (pool == LEGENDARY_POOL) != (legendary != 0):
            continue
        if not can_pay(data, state, me, action):
            continue
        if data[row + TO] != TO_ENEMIES:
            if healed_by(data, state, me, action) >= 0:
                return action
            continue
        if data[row + MELEE] != 0:
            if near < 0:
                near = 1 if has_target(data, state, me, 1) else 0
            if near == 0:
                continue
        else:
            if reached < 0:
                reached = 1 if has_target(data, state, me, 0) else 0
            if reached == 0:
                continue
        is_saved = data[row + TARGETS] > 1 and data[row + SUPPLY] >= 0 and policy_of(data, me, SPENDS) == FOR_TWO
        if is_saved and state[AGAINST + data[own + SIDE]] < 2:
            continue
        return action
    return -1
