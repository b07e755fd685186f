"""Combatants' choices of actions and targets. The loop compiles these functions; autoplay calls them uncompiled.

They read the packed sheet and the state of a fight as defined in `layout`, and draw from the fight's random numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.forecast import sheet
from turnwright.forecast.layout import IS_UP
from turnwright.forecast.random_stream import draw_below

if TYPE_CHECKING:
    from turnwright.forecast.layout import FightTables
    from turnwright.forecast.sheet import PolicyFigures


def policy_of(fight: FightTables, who: int) -> PolicyFigures:
    """Return the policy of a combatant's side."""
    return fight.policies[fight.combatants[who].side]


def are_enemies(fight: FightTables, one: int, other: int) -> bool:
    """Return whether two combatants are enemies."""
    side, against = fight.combatants[one].side, fight.combatants[other].side
    return fight.enmity[side * fight.side_count + against] != 0


def count_standing(fight: FightTables, who: int, more: int) -> None:
    """Add `more` to the standing count of a combatant's side, and to the count of enemies of each opposing side."""
    side = fight.combatants[who].side
    fight.standing[side] += more
    for other in range(fight.side_count):
        if fight.enmity[other * fight.side_count + side] != 0:
            fight.against[other] += more


def is_decided(fight: FightTables) -> bool:
    """Return whether the whole party (the first side) or all its enemies are down."""
    return fight.standing[0] == 0 or fight.against[0] == 0


def moves_between(fight: FightTables, one: int, other: int) -> int:
    """Return the number of moves between two combatants; 0 or less if they are within reach."""
    if fight.farthest == 0:
        return 0
    moved = fight.now[one].moves
    moved += fight.now[other].moves
    return fight.rounds_away[one * fight.combatant_count + other] - moved


def may_be_attacked(fight: FightTables, one: int, other: int, finishes: int) -> bool:
    """Return whether a combatant would attack another: a standing enemy or, with `finishes`, a dying one."""
    now = fight.now[other].state
    if now == IS_UP:
        return are_enemies(fight, one, other)
    if finishes == 0 or now < 0 or fight.states[now].kind != sheet.DYING:
        return False
    return are_enemies(fight, one, other)


def has_target(fight: FightTables, me: int, melee: int) -> bool:
    """Return whether a combatant has a target to attack."""
    side, finishes = fight.combatants[me].side, policy_of(fight, me).finishes
    if finishes == 0 and (melee == 0 or fight.farthest == 0):
        return fight.against[side] > 0
    foes = fight.foe_spans[side]
    for at in range(foes.first, foes.last):
        may = may_be_attacked(fight, me, fight.foes[at], finishes)
        if may and (melee == 0 or moves_between(fight, me, fight.foes[at]) <= 0):
            return True
    return False


def is_useful(fight: FightTables, action: int, other: int) -> bool:
    """Return whether an action is of any worth against a target, which has the conditions that the action needs."""
    row, theirs = fight.actions[action], fight.now[other].conditions
    if (row.on | row.on_high) != 0 and ((theirs & row.on) | ((theirs >> sheet.BITS) & row.on_high)) == 0:
        return False
    return fight.worths[action * fight.combatant_count + other] > 0


def worth_against(fight: FightTables, me: int, action: int, other: int) -> int:
    """Return the worth of an action against a target, after a combatant's attacks of this turn and all conditions."""
    count = fight.combatant_count
    layer, at = fight.action_count * count, action * count + other
    worth = fight.worths[min(fight.now[me].tally, fight.tally_count - 1) * layer + at]
    theirs, mine = fight.now[other].conditions, fight.now[me].conditions
    if not is_useful(fight, action, other):
        return 0
    if worth <= 0 or (theirs == 0 and mine == 0):
        return worth
    at += fight.tally_count * layer
    own = at + fight.condition_count * layer
    while theirs != 0 or mine != 0:
        worth += fight.worths[at] * (theirs & 1) + fight.worths[own] * (mine & 1)
        theirs >>= 1
        mine >>= 1
        at += layer
        own += layer
    return max(worth, 1)


def is_caught(fight: FightTables, me: int, action: int, other: int) -> bool:
    """Return whether an action would be used so that it also reaches another enemy or, if it supports, another ally."""
    to = fight.actions[action].to
    if to == sheet.TO_ENEMIES or not is_useful(fight, action, other):
        return is_useful(fight, action, other) and may_be_attacked(fight, me, other, 0)
    is_one = to == sheet.FOR_ALLIES or other == me
    return is_one and fight.now[other].state == IS_UP and worth_against(fight, me, action, other) > 1


def target_for(fight: FightTables, me: int, melee: int, action: int) -> int:
    """Return a combatant's target for an action, or -1 if none is in reach. The first of several equal targets is chosen.

    It prefers targets against which the action is of any use.
    """
    preference, finishes = policy_of(fight, me).target, policy_of(fight, me).finishes
    side, best, best_rank, count, useful = fight.combatants[me].side, -1, 0, 0, False
    foes = fight.foe_spans[side]
    for at in range(foes.first, foes.last):
        other = fight.foes[at]
        if not may_be_attacked(fight, me, other, finishes):
            continue
        if melee != 0 and moves_between(fight, me, other) > 0:
            continue
        is_better = is_useful(fight, action, other)
        if is_better < useful:
            continue
        if is_better > useful:
            best, useful, count = -1, is_better, 0
        rank = fight.now[other].hp
        if preference == sheet.WEAKEST:
            rank = -rank
        elif preference == sheet.RANDOMLY:
            count += 1
            rank = count if draw_below(fight, count) == 0 else -1
        elif preference == sheet.NEAREST:
            rank = -moves_between(fight, me, other)
        elif preference == sheet.SAME:
            rank = 1 << 30 if other == fight.now[me].aim else -rank
        if best < 0 or rank > best_rank:
            best, best_rank = other, rank
    return best


def first_target(fight: FightTables, me: int, action: int, melee: int) -> int:
    """Return a combatant's target for an action: an enemy, or the ally whom it supports best. -1 if there is none."""
    if fight.actions[action].to == sheet.TO_ENEMIES:
        return target_for(fight, me, melee, action)
    best, most = -1, 0
    for other in range(fight.combatant_count):
        worth = worth_against(fight, me, action, other) if is_caught(fight, me, action, other) else 0
        if worth > most:
            best, most = other, worth
    return best


def worth_now(fight: FightTables, me: int, action: int) -> int:
    """Return the worth of an action against the targets that it would reach now, 0 or less if it is of no use."""
    row = fight.actions[action]
    first = first_target(fight, me, action, row.melee)
    if first < 0:
        return 0
    worth, count = worth_against(fight, me, action, first), 1
    if row.targets > 1:
        for other in range(fight.combatant_count):
            if count < row.targets and other != first and is_caught(fight, me, action, other):
                worth += worth_against(fight, me, action, other)
                count += 1
    return worth


def healed_by(fight: FightTables, me: int, action: int) -> int:
    """Return the ally that a combatant heals with an action, preferring fallen ones, or -1 if none needs healing."""
    limit = policy_of(fight, me).heals_at
    to = fight.actions[action].to
    best, best_share = -1, 100
    for other in range(fight.combatant_count):
        if to != sheet.TO_ALLY and other != me:
            continue
        if fight.combatants[other].side != fight.combatants[me].side:
            continue
        now = fight.now[other].state
        most = fight.combatants[other].hp_max
        if now == IS_UP:
            share = 100 * fight.now[other].hp // max(most, 1)
        elif now >= 0 and fight.states[now].kind <= 1:  # dying or stable
            share = -1
        else:
            continue
        if share <= limit and share < best_share:
            best, best_share = other, share
    return best


def is_healed_too(fight: FightTables, me: int, other: int) -> bool:
    """Return whether healing of several creatures also goes to another: a hurt ally that isn't dead or away."""
    now = fight.now[other].state
    if fight.combatants[other].side != fight.combatants[me].side or now < IS_UP:
        return False
    if now != IS_UP and fight.states[now].kind > 1:  # dead
        return False
    return fight.now[other].hp < fight.combatants[other].hp_max


def is_one_attack(fight: FightTables, me: int, action: int) -> bool:
    """Return whether an action that is added for one attack can be used for an attack of this action."""
    row = fight.actions[action]
    if row.price > fight.now[me].quick or row.count == 0 or row.spell != 0:
        return False
    return fight.sources[fight.routine[row.first]].kind == sheet.ATTACK


def can_pay(fight: FightTables, me: int, action: int) -> bool:
    """Return whether a combatant can pay an action's price and supplies, and has uses of it left this turn."""
    row = fight.actions[action]
    left = fight.purse[me * sheet.POOLS + row.pool] - row.price
    if left < 0:
        return False
    if row.pool == sheet.MAIN_POOL and left < fight.now[me].quick and not is_one_attack(fight, me, action):
        return False
    if row.gains != 0 and fight.purse[me * sheet.POOLS + sheet.MAIN_POOL] > 0:
        return False
    if row.supply >= 0 and fight.left[row.supply] < row.takes:
        return False
    if row.second_supply >= 0 and fight.left[row.second_supply] < row.second_takes:
        return False
    cast, conditions = fight.now[me].cast, 2 * fight.now[me].conditions + 1
    if (conditions >> row.needs) & 1 == 0 or (row.starts > 0 and (conditions >> row.starts) & 1 != 0):
        return False
    if row.spell > 0 and cast > 0 and row.spell + cast > 2:
        return False
    return row.once == 0 or fight.used[action] < row.once


def holds_another(fight: FightTables, me: int) -> bool:
    """Return whether a combatant's concentration maintains a condition of a standing combatant."""
    if fight.now[me].holds == 0:
        return False
    for who in range(fight.combatant_count):
        if fight.now[who].state == IS_UP and fight.now[who].conditions != 0:
            for condition in range(fight.condition_count):
                if fight.held[who * fight.condition_count + condition].by == me + 1:
                    return True
    return False


def action_for(fight: FightTables, me: int, legendary: int) -> int:
    """Return the action of the highest worth that a combatant can use next, or -1 if none is of any use.

    `legendary`: consider only legendary actions, after another combatant's turn; otherwise only the other actions.
    """
    own = fight.combatants[me]
    best, most = -1, 0
    for action in range(own.first_action, own.last_action):
        row = fight.actions[action]
        pool, worth = row.pool, 0
        if (
            pool == sheet.REACTION_POOL
            or (pool == sheet.LEGENDARY_POOL) != (legendary != 0)
            or not can_pay(fight, me, action)
        ):
            continue
        if row.holds != 0 and holds_another(fight, me):
            continue
        if row.to in (sheet.TO_SELF, sheet.TO_ALLY):
            if healed_by(fight, me, action) >= 0:
                worth = fight.worths[action * fight.combatant_count]
        else:
            is_saved = row.targets > 1 and row.supply >= 0 and policy_of(fight, me).spends == sheet.FOR_TWO
            if not is_saved or fight.against[own.side] >= 2:
                worth = worth_now(fight, me, action)
        if worth > most:
            best, most = action, worth
    return best
