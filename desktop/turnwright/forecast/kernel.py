"""The loop that plays a packed sheet. Each fight has its own stream of random numbers; the results are added up.

It is independent of the rule system, since the results of dice are in tables. The order of a round is the same as
in play: waves, countdown pools, world actions, then turns in initiative order, each followed by other creatures'
legendary actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.forecast import sheet
from turnwright.forecast.layout import IS_AWAY, IS_UP, LEFT_BINS, LOST, SHARE_BINS, UNDECIDED, WON
from turnwright.forecast.policy import (
    action_for,
    are_enemies,
    count_standing,
    first_target,
    has_target,
    healed_by,
    holds_another,
    is_caught,
    is_decided,
    is_healed_too,
    may_be_attacked,
    moves_between,
    policy_of,
    target_for,
)
from turnwright.forecast.random_stream import begin_stream, draw, draw_below

if TYPE_CHECKING:
    from turnwright.forecast.layout import Changes, FightTables
    from turnwright.forecast.sheet import Cell

ADVANTAGE, DISADVANTAGE = 1, 2  # bits for the edges on a roll
DOWN_BIT = 1  # bit of the first condition, being down
FLAT_DIE = 20
SPENT_NOW = 2  # state of a world action: spent, and already rolled for this round
ALL_OF_THEM = 100  # percent
TIES = 1000  # greater than any rank or tie-breaking roll


def roll_die(fight: FightTables, sides: int) -> int:
    """Roll a die with this many sides."""
    return draw_below(fight, sides) + 1


def roll_check(fight: FightTables, sides: int, edge: int) -> int:
    """Roll `1 + abs(edge)` check dice and return the best one, or the worst if the edge is negative."""
    face = roll_die(fight, sides)
    for _ in range(abs(edge)):
        other = roll_die(fight, sides)
        if (other > face) == (edge > 0):
            face = other
    return face


def roll_part(fight: FightTables, part: int) -> int:
    """Roll one part of damage or healing."""
    row = fight.parts[part]
    count, first = row.alias_count, row.alias_first
    amount = row.least
    if count > 1:
        scaled = draw(fight) * count
        column = scaled >> 32
        at = 2 * (first + column)
        amount += column if (scaled & 0xFFFFFFFF) < fight.alias[at] else fight.alias[at + 1]
    return (amount * row.times) >> 1  # a shift halves it faster than a division


def roll_extra(fight: FightTables, die: int) -> int:
    """Roll the extra die of a roll, if it has one; a negative die is subtracted."""
    if die >= sheet.SEVERAL:
        return roll_part(fight, die - sheet.SEVERAL)
    if die > 0:
        return roll_die(fight, die)
    return -roll_die(fight, -die) if die < 0 else 0


def joined_edge(edge: int, others: int) -> int:
    """Combine an edge with others, given as bits. If edges don't stack, opposite ones cancel."""
    advantage, disadvantage = others & ADVANTAGE, (others & DISADVANTAGE) >> 1
    if abs(edge) > 1:
        return edge + advantage - disadvantage
    return max(advantage, edge) - max(disadvantage, -edge)


def clamped(margin: int) -> int:
    """Convert a margin to a row of the tables, limiting it to their range."""
    return min(max(margin, -sheet.MARGIN), sheet.MARGIN) + sheet.MARGIN


def changed_by_conditions(fight: FightTables, who: int, source: int, changes: Changes) -> tuple[int, int, int, int]:
    """Return the changes of conditions to a roll: combined edges, summed bonuses, the strongest certainty, a flat check."""
    edges, adds, certain, flat = 0, 0, 0, 0
    conditions, condition = fight.now[who].conditions, 0
    while conditions != 0:
        if conditions & 1:
            change = changes[condition * fight.source_count + source]
            edges |= change.edges
            adds += change.adds + roll_extra(fight, change.die)
            certain = max(certain, change.certain)
            flat = max(flat, change.flat)
        conditions >>= 1
        condition += 1
    return edges, adds, certain, flat


def end_condition(fight: FightTables, who: int, condition: int) -> None:
    """Remove a condition from a combatant."""
    held = fight.held[who * fight.condition_count + condition]
    held.until = 0
    fight.now[who].conditions &= ~(1 << condition)
    if held.by > 0:
        fight.now[held.by - 1].holds -= 1
        held.by = 0


def lose_focus(fight: FightTables, me: int) -> None:
    """End a combatant's concentration and all conditions that it maintains."""
    if fight.now[me].holds == 0:
        return
    for who in range(fight.combatant_count):
        for condition in range(fight.condition_count):
            if fight.held[who * fight.condition_count + condition].by == me + 1:
                end_condition(fight, who, condition)


def begin_condition(fight: FightTables, who: int, condition: int, until: int, ending: int) -> None:
    """Give a combatant a condition; `until` is its end and `ending` the row of the save that ends it."""
    end_condition(fight, who, condition)
    held = fight.held[who * fight.condition_count + condition]
    held.until, held.ending = until + 1, ending
    fight.now[who].conditions |= 1 << condition
    if fight.conditions[condition].stops_focus != 0:
        lose_focus(fight, who)


def have_only(fight: FightTables, who: int, conditions: int) -> None:
    """Replace a combatant's conditions with these, none of which ends by itself."""
    fight.now[who].conditions = conditions
    for condition in range(fight.condition_count):
        held = fight.held[who * fight.condition_count + condition]
        held.until, held.by = (conditions >> condition) & 1, 0


def move_before_active(fight: FightTables, slot: int) -> None:
    """Move a slot of one combatant to just before the active one; its next turn comes in the next round."""
    order, place, at = fight.order, fight.active_place, 0
    members = fight.member_spans[slot]
    if order[place] == slot or members.last - members.first != 1:
        return
    while order[at] != slot:
        at += 1
    if at > place:
        for here in range(at, place, -1):
            order[here] = order[here - 1]
        order[place] = slot
        fight.active_place = place + 1
    else:
        for here in range(at, place - 1):
            order[here] = order[here + 1]
        order[place - 1] = slot


def lose_standing(fight: FightTables, who: int) -> None:
    """Remove a combatant from its side's count of standing combatants, and give it the condition of being down."""
    count_standing(fight, who, -1)
    if fight.condition_count > 0:
        begin_condition(fight, who, 0, sheet.UNTIL_NEVER, -1)
    if fight.shifts != 0 and fight.active_place >= 0:
        move_before_active(fight, fight.combatants[who].slot)


def stand_up(fight: FightTables, who: int, hp: int) -> None:
    """Put a combatant that is down back on its feet."""
    now = fight.now[who]
    now.drop = fight.states[now.state].next_drop
    now.state = IS_UP
    now.hp = hp
    for condition in range(fight.condition_count):
        until = fight.conditions[condition].on_waking
        if condition == 0:
            end_condition(fight, who, condition)
        elif until > 0:
            begin_condition(fight, who, condition, until - 1, -1)
    count_standing(fight, who, 1)


def set_state(fight: FightTables, who: int, new: int) -> None:
    """Set the state of a combatant that is down; if the new state is being up, it stands up."""
    fight.now[who].state = new
    if fight.states[new].kind == sheet.UP:
        stand_up(fight, who, fight.states[new].up_hp)
    elif fight.states[new].kind == sheet.DEAD:
        lose_focus(fight, who)


def save_degree(fight: FightTables, who: int, cell: Cell, edges: int, adds: int, certain: int) -> int:
    """Roll a save and return its degree of success, including the changes from conditions."""
    sides, now = fight.check_die, fight.now[who]
    now.failed_by = 0
    face = roll_check(fight, sides, joined_edge(cell.edge, edges))
    margin = cell.margin + adds + roll_extra(fight, cell.die)
    if certain == sheet.CERTAIN_FAILURE:
        return sheet.FAILURE
    if cell.certain == sheet.CERTAIN_FAILURE:
        return sheet.FAILURE
    if cell.certain == sheet.CERTAIN_SUCCESS:
        return sheet.SUCCESS
    now.failed_by = -margin - face
    return fight.degrees[clamped(margin) * sides + face - 1]


def fall(fight: FightTables, who: int, source: int, critical: int, beyond: int, dealt: int) -> None:
    """Drop a combatant to 0 hit points; `beyond` is the excess damage. A `source` of -1 is bleeding."""
    own, now = fight.combatants[who], fight.now[who]
    lose_standing(fight, who)
    if now.fell == 0:
        now.fell = 1
        if fight.first_down < 0 and own.party != 0:
            fight.first_down = who
        fight.sum_felled[who * (fight.source_count + 1) + source + 1] += 1
    new = fight.drops[now.drop * 2 + critical]
    kind = fight.states[new].kind
    outright = own.instant != 0 and beyond >= own.hp_max
    outright = outright or (own.floor < 0 and now.hp <= own.floor)
    if kind != sheet.DEAD and not outright and 0 < own.massive <= dealt:
        outright = save_degree(fight, who, fight.massive_cells[who], 0, 0, 0) < sheet.SUCCESS
    if outright and kind != sheet.DEAD:
        new = sheet.DEATH
    set_state(fight, who, new)


def keep_focus(fight: FightTables, who: int, amount: int) -> None:
    """Roll the save of a combatant that concentrates after damage; a failure ends its concentration."""
    source = fight.focus
    if source < 0:
        return
    dc = max(fight.focus_least, (amount + fight.halves_up) >> 1)
    if fight.focus_most > 0:
        dc = min(dc, fight.focus_most)
    edges, adds, certain, _ = changed_by_conditions(fight, who, source, fight.target_changes)
    if (
        save_degree(fight, who, fight.cells[source * fight.combatant_count + who], edges, adds - dc, certain)
        < sheet.SUCCESS
    ):
        lose_focus(fight, who)


def take_damage(fight: FightTables, who: int, by: int, source: int, amount: int, critical: int) -> None:
    """Deal damage to a present combatant, with all consequences."""
    own, now = fight.combatants[who], fight.now[who]
    if amount <= 0 or now.state == IS_AWAY:
        return
    up = now.state == IS_UP
    if not up and fight.states[now.state].kind == sheet.DEAD:
        return
    fight.sum_taken[who] += amount
    if by >= 0:
        fight.sum_dealt[by] += amount
    if own.party != 0 and source >= 0:
        fight.sum_source[source] += amount
    spared = min(amount, now.temp)
    now.temp -= spared
    before, amount = now.hp, amount - spared
    now.hp = max(before - amount, own.floor)
    if amount == 0 or now.hp > 0:
        if up and now.holds > 0:
            keep_focus(fight, who, amount + spared)
    elif up:
        fall(fight, who, source, critical, amount - before, amount)
    elif (own.instant != 0 and amount >= own.hp_max) or (own.floor < 0 and now.hp <= own.floor):
        set_state(fight, who, sheet.DEATH)
    else:
        set_state(fight, who, fight.struck[now.state * 2 + critical])


def regain(fight: FightTables, who: int, amount: int) -> None:
    """Restore hit points. A living combatant that is down gets up, unless it still has 0 or less."""
    own, now = fight.combatants[who], fight.now[who]
    if amount <= 0 or now.state == IS_AWAY:
        return
    healed = min(now.hp + amount, own.hp_max)
    if now.state == IS_UP:
        now.hp = healed
    elif fight.states[now.state].kind != sheet.DEAD:
        if healed > 0:
            stand_up(fight, who, healed)
        else:
            now.hp = healed


def lowest_of(conditions: int) -> int:
    """Return the number of the first of some conditions, given as bits, counting from 1; 0 if there are none."""
    number = 1 if conditions != 0 else 0
    while number > 0 and conditions & 1 == 0:
        conditions >>= 1
        number += 1
    return number


def roll_source(fight: FightTables, first: int, count: int) -> None:
    """Roll the damage or healing parts of a source once for all targets."""
    for number in range(count):
        fight.rolled[number] = roll_part(fight, first + number)


def arriving(fight: FightTables, who: int, first: int, count: int, halves: int) -> int:
    """Return the damage taken from the rolled parts after all adjustments; a negative result heals.

    `halves` is the share of the damage in halves.
    """
    now, total = fight.now[who], 0
    layer = lowest_of(now.conditions & fight.shields) * fight.combatant_count + who
    for number in range(count):
        kind = fight.parts[first + number].type
        amount = (max(fight.rolled[number], 0) * halves + fight.halves_up) >> 1
        if amount == 0 and halves > 0 and count == 1:
            amount = min(fight.least_damage, max(fight.rolled[number], 0))
        if amount == 0:
            continue
        row = fight.taken_rows[layer * fight.type_count + kind] if kind >= 0 else -1
        came = amount
        if row >= 0:
            came = fight.taken[row * (sheet.MOST_AMOUNT + 1) + min(amount, sheet.MOST_AMOUNT)]
        if came > 0 and kind >= 0:
            now.suffered |= 1 << min(kind, 62)
        total += came
    return total


def strike(
    fight: FightTables, who: int, by: int, source: int, first: int, count: int, halves: int, critical: int
) -> None:
    """Deal a source's rolled damage to a combatant; absorbed damage heals it."""
    came = arriving(fight, who, first, count, halves)
    if came < 0:
        regain(fight, who, -came)
    else:
        take_damage(fight, who, by, source, came, critical)


def inflict(fight: FightTables, by: int, source: int, who: int, result: int) -> None:
    """Give a combatant the conditions that a source inflicts on this result."""
    row = fight.sources[source]
    for number in range(row.first_infliction, row.last_infliction):
        at = fight.inflictions[number]
        condition = at.inflicts
        there = fight.now[who].state != IS_AWAY
        immune = fight.immune[who * fight.condition_count + condition] != 0
        misses = at.margin > 0 and fight.now[who].failed_by < at.margin
        if there and not immune and not misses and (at.on_results >> result) & 1:
            until = sheet.UNTIL_NEXT_END if who == by and at.until == sheet.UNTIL_END else at.until
            begin_condition(fight, who, condition, until, at.ending)
            if at.held != 0:
                fight.held[who * fight.condition_count + condition].by = by + 1
                fight.now[by].holds += 1


def save_against(fight: FightTables, by: int, source: int, who: int) -> int:
    """Roll a combatant's save against a source and return the degree of success. `by` is its owner, or -1.

    A use that turns a failure into a success is spent only against conditions.
    """
    cell, of_dc = fight.cells[source * fight.combatant_count + who], 0
    if by >= 0 and fight.now[by].conditions != 0:
        _, of_dc, _, _ = changed_by_conditions(fight, by, source, fight.holder_changes)
    edges, adds, certain, _ = changed_by_conditions(fight, who, source, fight.target_changes)
    degree = save_degree(fight, who, cell, edges, adds + of_dc, certain)
    row, supply = fight.sources[source], fight.combatants[who].resists - 1
    if degree < sheet.SUCCESS and supply >= 0 and row.first_infliction < row.last_infliction and fight.left[supply] > 0:
        fight.left[supply] -= 1
        if fight.combatants[who].rerolls == 0:
            return sheet.SUCCESS
        edges, adds, certain, _ = changed_by_conditions(fight, who, source, fight.target_changes)
        return save_degree(fight, who, cell, edges, adds + of_dc, certain)
    return degree


def affect(fight: FightTables, by: int, source: int, who: int) -> None:
    """Apply a source without an attack roll to one combatant, using parts that were rolled before."""
    row = fight.sources[source]
    first, count = row.parts, row.part_count
    if row.kind == sheet.SAVE:
        degree = save_against(fight, by, source, who)
        halves = fight.shares[(source * fight.combatant_count + who) * 4 + degree]
    else:
        degree, halves = sheet.FAILURE, 2
    if row.kind == sheet.SUPPORT:
        amount = 0
        for number in range(count):
            amount += fight.rolled[number]
        fight.now[who].temp = max(fight.now[who].temp, amount)
    elif halves > 0 and count > 0:
        strike(fight, who, by, source, first, count, halves, 0)
    inflict(fight, by, source, who, degree)


def parried(fight: FightTables, who: int, table: int, margin: int, face: int) -> int:
    """Return the outcome of a hit, which a reaction of the target may turn into a miss."""
    own, now = fight.combatants[who], fight.now[who]
    if own.parry == 0 or fight.purse[who * sheet.POOLS + sheet.REACTION_POOL] < own.parry_price or now.state != IS_UP:
        return sheet.HIT
    if own.parry_supply >= 0 and fight.left[own.parry_supply] < own.parry_takes:
        return sheet.HIT
    if fight.outcomes[(table + clamped(margin - own.parry)) * fight.check_die + face - 1] != sheet.MISS:
        return sheet.HIT
    fight.purse[who * sheet.POOLS + sheet.REACTION_POOL] -= own.parry_price
    if own.parry_supply >= 0:
        fight.left[own.parry_supply] -= own.parry_takes
    if own.parry_lasts != 0:
        now.guard = own.parry
    return sheet.MISS


def flanks(fight: FightTables, by: int, who: int) -> bool:
    """Return whether a combatant flanks another: more of its side fight in melee there than it has enemies standing."""
    ours = 1
    for other in range(fight.combatant_count):
        if other != by and fight.combatants[other].melee != 0 and fight.now[other].state == IS_UP:
            near = not are_enemies(fight, other, by) and moves_between(fight, other, who) <= 0
            ours += 1 if near else 0
    return ours > fight.against[fight.combatants[by].side]


def come_near(fight: FightTables, by: int, who: int, ranged: int) -> None:
    """Note that an attacker from afar has no enemy next to it, until it attacks or is attacked in melee."""
    fight.now[by].afar = ranged
    if ranged == 0:
        fight.now[who].afar = 0


def extra_holds(fight: FightTables, by: int, who: int, when: int, edge: int) -> bool:
    """Return whether once-a-turn extra damage applies to a hit."""
    if when & sheet.FLANKING:
        return flanks(fight, by, who)
    if when & sheet.NO_DISADVANTAGE and edge < 0:
        return False
    if when & (sheet.ALLY_NEAR | sheet.WITH_ADVANTAGE) == sheet.ALWAYS:
        return True
    if when & sheet.WITH_ADVANTAGE and edge > 0:
        return True
    if when & sheet.ALLY_NEAR == 0:
        return False
    for other in range(fight.combatant_count):
        near = other not in (by, who) and fight.now[other].state == IS_UP and fight.now[other].afar == 0
        if near and not are_enemies(fight, by, other) and moves_between(fight, other, who) <= 0:
            return True
    return False


def hit(fight: FightTables, by: int, source: int, who: int, critical: int, edge: int) -> None:
    """Deal the damage of a hit, including once-a-turn extra damage."""
    row, mine = fight.sources[source], fight.now[by]
    first, count = row.parts, row.part_count
    if critical != 0:
        first, count = row.critical_parts, row.critical_count
    sharpened = lowest_of(mine.conditions & fight.sharpens)
    if sharpened > 0:
        change = fight.holder_changes[(sharpened - 1) * fight.source_count + source]
        if change.part_count > 0:
            first, count = change.parts, change.part_count
            if critical != 0:
                first, count = change.critical_parts, change.critical_count
    roll_source(fight, first, count)
    came, extra = arriving(fight, who, first, count, 2), row.extra_count
    if extra > 0 and mine.extra == 0 and extra_holds(fight, by, who, row.extra_when, edge):
        mine.extra = 0 if row.extra_when & sheet.FLANKING else 1
        first = row.extra_parts + (extra if critical != 0 else 0)
        roll_source(fight, first, extra)
        came += arriving(fight, who, first, extra, 2)
    reactions = who * sheet.POOLS + sheet.REACTION_POOL
    if came > 0 and fight.combatants[who].dodges != 0 and fight.purse[reactions] > 0 and fight.now[who].state == IS_UP:
        fight.purse[reactions] -= 1
        came = (came + fight.halves_up) >> 1
    if came < 0:
        regain(fight, who, -came)
    else:
        take_damage(fight, who, by, source, came, critical)


def attack(fight: FightTables, by: int, source: int, who: int) -> None:
    """Make an attack against a combatant."""
    row = fight.sources[source]
    cell = fight.cells[source * fight.combatant_count + who]
    mine = fight.now[by]
    tallied = min(mine.tally, fight.tally_count - 1)
    margin = cell.margin + fight.tallies[source * fight.tally_count + tallied] - fight.now[who].guard
    mine.tally += row.tally
    come_near(fight, by, who, row.ranged)
    edges, certain, flat = 0, cell.certain, cell.flat
    if fight.condition_count > 0:
        own_edges, own_adds, _, own_flat = changed_by_conditions(fight, by, source, fight.holder_changes)
        edges, adds, certainty, its_flat = changed_by_conditions(fight, who, source, fight.target_changes)
        edges |= own_edges
        flat = max(flat, own_flat, its_flat)
        margin += own_adds + adds
        certain = max(certain, certainty)
    if row.near_edges != 0 and extra_holds(fight, by, who, sheet.ALLY_NEAR, 0):
        edges |= row.near_edges
    if (row.flank_edges != 0 or row.flank_adds != 0 or row.flank_die != 0) and flanks(fight, by, who):
        edges |= row.flank_edges
        margin += row.flank_adds + roll_extra(fight, row.flank_die)
    if flat > 0 and roll_die(fight, FLAT_DIE) < flat:
        return
    edge = cell.edge
    if edges != 0:
        edge = joined_edge(edge, edges)
    face = roll_check(fight, fight.check_die, edge)
    margin += roll_extra(fight, cell.die)
    sides = fight.check_die
    result = fight.outcomes[(row.table + clamped(margin)) * sides + face - 1]
    if certain != sheet.NOT_CERTAIN:
        if certain == sheet.CERTAIN_FAILURE:
            result = sheet.MISS
        elif certain == sheet.CERTAIN_CRITICAL and result == sheet.HIT:
            result = sheet.CRITICAL
        elif certain == sheet.CERTAIN_SUCCESS and result == sheet.MISS:
            result = sheet.HIT
    if result == sheet.HIT and cell.certain < 0 and face >= -cell.certain:
        result = sheet.CRITICAL
    if result == sheet.HIT:
        result = parried(fight, who, row.table, margin, face)
    if result == sheet.MISS:
        return
    hit(fight, by, source, who, 1 if result == sheet.CRITICAL and fight.combatants[who].uncritical == 0 else 0, edge)
    inflict(fight, by, source, who, result)
    following = row.next
    if following >= 0 and fight.now[who].state == IS_UP:
        at = fight.sources[following]
        roll_source(fight, at.parts, at.part_count)
        affect(fight, by, following, who)


def reaches(fight: FightTables, me: int, other: int, near: int) -> bool:
    """Return whether a combatant may keep attacking another."""
    if not may_be_attacked(fight, me, other, policy_of(fight, me).finishes):
        return False
    return near == 0 or moves_between(fight, me, other) <= 0


def affect_several(fight: FightTables, me: int, source: int, action: int) -> None:
    """Apply a source to as many combatants as its action reaches, beginning with the policy's preferred target."""
    at, most = fight.sources[source], fight.actions[action].targets
    roll_source(fight, at.parts, at.part_count)
    first = first_target(fight, me, action, 0 if at.ranged != 0 else 1)
    if first < 0:
        return
    for other in range(fight.combatant_count):
        fight.now[other].mark = 0
    fight.now[first].mark = 1
    count = 1
    for other in range(fight.combatant_count):
        if count < most and other != first and is_caught(fight, me, action, other):
            fight.now[other].mark = 1
            count += 1
    for other in range(fight.combatant_count):
        if fight.now[other].mark != 0:
            affect(fight, me, source, other)


def heal(fight: FightTables, me: int, action: int) -> None:
    """Heal the ally that needs it most, or the combatant itself, and further hurt allies if it heals several."""
    row, first = fight.actions[action], healed_by(fight, me, action)
    if first < 0:
        return
    count = 0
    for other in range(fight.combatant_count):
        fight.now[other].mark = 0
        if other == first or (count < row.targets - 1 and is_healed_too(fight, me, other)):
            fight.now[other].mark = 1
            count += 0 if other == first else 1
    for place in range(row.first, row.first + row.count):
        at = fight.sources[fight.routine[place]]
        if at.kind != sheet.HEAL:
            continue
        for other in range(fight.combatant_count):
            if fight.now[other].mark == 0:
                continue
            roll_source(fight, at.parts, at.part_count)
            amount, before = 0, fight.now[other].hp
            for part in range(at.part_count):
                amount += fight.rolled[part]
            regain(fight, other, amount)
            fight.sum_healing[action] += fight.now[other].hp - before


def harm(fight: FightTables, me: int, action: int) -> None:
    """Make an action's attacks, and apply its other sources to the enemies that they reach."""
    first, count, target = fight.actions[action].first, fight.actions[action].count, -1
    mine, together = fight.now[me], 0
    if fight.actions[action].pool == sheet.MAIN_POOL and fight.purse[me * sheet.POOLS + sheet.MAIN_POOL] < mine.quick:
        count, mine.quick = 1, 0
    for number in range(count):
        source = fight.routine[first + number]
        at = fight.sources[source]
        if at.kind == sheet.ATTACK:
            near = 0 if at.ranged != 0 else 1
            if target < 0 or not reaches(fight, me, target, near):
                target = target_for(fight, me, near, action)
            if target < 0:
                continue
            mine.aim, earlier = target, mine.tally
            attack(fight, me, source, target)
            if fight.actions[action].together != 0:
                together += mine.tally - earlier
                mine.tally = earlier
        else:
            affect_several(fight, me, source, action)
    mine.tally += together


def perform(fight: FightTables, me: int, action: int) -> None:
    """Pay for an action and carry it out, and add its damage to the sums."""
    row, dealt = fight.actions[action], fight.sum_dealt[me]
    fight.purse[me * sheet.POOLS + row.pool] -= row.price
    fight.purse[me * sheet.POOLS + sheet.MAIN_POOL] += row.gains
    fight.used[action] += 1
    fight.sum_uses[action] += 1
    if row.supply >= 0:
        fight.left[row.supply] -= row.takes
    if row.second_supply >= 0:
        fight.left[row.second_supply] -= row.second_takes
    fight.now[me].cast = max(fight.now[me].cast, row.spell)
    if row.holds != 0:
        lose_focus(fight, me)
        fight.now[me].sustains = 1
    if row.starts > 0:
        begin_condition(fight, me, row.starts - 1, sheet.UNTIL_NEVER, -1)
        fight.used[row.later - 1] += 1 - row.waits
        if row.holds != 0:
            fight.held[me * fight.condition_count + row.starts - 1].by = me + 1
            fight.now[me].holds += 1
    if row.to in (sheet.TO_SELF, sheet.TO_ALLY):
        heal(fight, me, action)
    elif row.waits == 0:
        harm(fight, me, action)
    fight.sum_harm[action] += fight.sum_dealt[me] - dealt


def refill_supplies(fight: FightTables, me: int) -> None:
    """Refill supplies at the start of a turn, roll recharges, and reset the counts of actions used this turn."""
    own = fight.combatants[me]
    for action in range(own.first_action, own.last_action):
        fight.used[action] = 0
    for supply in range(fight.supply_count):
        row = fight.supplies[supply]
        if row.refills == sheet.REFILLS_AT_ANY_TURN:
            fight.left[supply] = row.most
        if row.owner != me:
            continue
        if row.refills == sheet.REFILLS_AT_OWN_TURN:
            fight.left[supply] = row.most
        lowest = row.recharge
        if lowest > 0 and fight.left[supply] == 0 and roll_die(fight, 6) >= lowest:
            fight.left[supply] = row.most
        elif lowest < 0 and fight.left[supply] <= 0:  # negative: minus the number of rounds rested
            if roll_die(fight, max(1, fight.left[supply] - lowest)) == 1:
                fight.left[supply] = row.most
            else:
                fight.left[supply] -= 1


def start_turn(fight: FightTables, me: int) -> None:
    """Start a combatant's turn: refill its resources, minus losses to conditions, and end expired conditions."""
    own, mine = fight.combatants[me], fight.now[me]
    loss, gain, price, reactions, moves = 0, 0, 0, 1, 1
    for condition in range(fight.condition_count):
        held = fight.held[me * fight.condition_count + condition]
        row = fight.conditions[condition]
        if held.until == sheet.UNTIL_START + 1:
            end_condition(fight, me, condition)
            price += row.ended_for
        elif held.until != 0:
            loss, gain = max(loss, row.turn_loss), max(gain, -row.turn_loss)
            if row.stops_reactions != 0:
                reactions = 0
            if row.stops_moving != 0:
                moves = 0
    mine.quick = gain
    fight.purse[me * sheet.POOLS + sheet.MAIN_POOL] = max(own.amount + gain - loss - price, 0)
    fight.purse[me * sheet.POOLS + sheet.BONUS_POOL] = 0 if loss > own.amount else own.bonus
    fight.purse[me * sheet.POOLS + sheet.REACTION_POOL] = own.reactions * reactions
    fight.purse[me * sheet.POOLS + sheet.LEGENDARY_POOL] = own.legendary
    mine.tally = mine.extra = mine.guard = mine.cast = 0
    if (
        mine.holds > 0
        and 0 < fight.sustain_price <= fight.purse[me * sheet.POOLS + sheet.MAIN_POOL]
        and holds_another(fight, me)
    ):
        fight.purse[me * sheet.POOLS + sheet.MAIN_POOL] -= fight.sustain_price
        mine.sustains = 1
    if own.regains > 0 and (mine.suffered & own.regain_stop) == 0:
        regain(fight, me, own.regains)
    mine.suffered = 0
    refill_supplies(fight, me)
    if fight.farthest > 0 and moves != 0 and policy_of(fight, me).moves_up != 0 and not has_target(fight, me, 1):
        mine.moves += 1


def hurt_anew(fight: FightTables, me: int) -> None:
    """Deal the damage of conditions that hurt their holder at the end of each turn."""
    for condition in range(fight.condition_count):
        row = fight.conditions[condition]
        if row.hurts_count > 0 and fight.held[me * fight.condition_count + condition].until != 0:
            roll_source(fight, row.hurts_parts, row.hurts_count)
            strike(fight, me, -1, -1, row.hurts_parts, row.hurts_count, 2, 0)


def end_turn(fight: FightTables, me: int) -> None:
    """End a combatant's turn: deal ongoing damage, end conditions that expire now, and roll saves against others."""
    hurt_anew(fight, me)
    mine = fight.now[me]
    is_down = mine.state >= 0
    if fight.sustain_price > 0 and mine.sustains == 0:
        lose_focus(fight, me)
    mine.sustains = 0
    for condition in range(fight.condition_count):
        held = fight.held[me * fight.condition_count + condition]
        if held.until == sheet.UNTIL_END + 1 or (held.until == sheet.UNTIL_START + 1 and is_down):
            end_condition(fight, me, condition)
        elif held.until == sheet.UNTIL_NEXT_END + 1:
            held.until = sheet.UNTIL_END + 1
        elif held.until == sheet.UNTIL_SAVED + 1:
            cell = fight.ending_cells[held.ending * fight.combatant_count + me]
            if save_degree(fight, me, cell, 0, 0, 0) >= sheet.SUCCESS:
                end_condition(fight, me, condition)


def pass_time_down(fight: FightTables, me: int) -> None:
    """Play the turn of a combatant that is down: it bleeds, or rolls to stay alive."""
    own, mine = fight.combatants[me], fight.now[me]
    row = fight.states[mine.state]
    if row.kind != sheet.DYING:
        return
    if row.bleed > 0:
        mine.hp = max(mine.hp - row.bleed, own.floor)
        if mine.hp <= own.floor:
            set_state(fight, me, sheet.DEATH)
            return
    face = roll_die(fight, fight.check_die)
    set_state(fight, me, fight.deaths[mine.state * fight.check_die + face - 1])


def has_turns(fight: FightTables, who: int) -> bool:
    """Return whether a combatant is present and alive."""
    now = fight.now[who].state
    return now == IS_UP or (now >= 0 and fight.states[now].kind != sheet.DEAD)


def take_turn(fight: FightTables, me: int, now_round: int) -> None:
    """Play the turn of a combatant that is present and alive."""
    mine = fight.now[me]
    if mine.state >= 0:
        pass_time_down(fight, me)
        if mine.state >= 0:
            if has_turns(fight, me):
                end_turn(fight, me)
            return
    start_turn(fight, me)
    if mine.surprised == 0 or now_round > 1:
        least = fight.least_price
        for _ in range(fight.action_count + 20):
            if (
                fight.purse[me * sheet.POOLS + sheet.MAIN_POOL] < least
                and fight.purse[me * sheet.POOLS + sheet.BONUS_POOL] < least
            ):
                break
            action = action_for(fight, me, 0)
            if action < 0:
                break
            perform(fight, me, action)
            if is_decided(fight):
                return
            if mine.state != IS_UP:
                break
    end_turn(fight, me)


def take_legendary_actions(fight: FightTables, slot: int) -> None:
    """Use one legendary action of each eligible combatant after another combatant's turn."""
    if fight.any_legendary == 0:
        return
    for other in range(fight.combatant_count):
        own, now = fight.combatants[other], fight.now[other]
        if own.legendary == 0 or own.slot == slot or now.state != IS_UP:
            continue
        if fight.purse[other * sheet.POOLS + sheet.LEGENDARY_POOL] > 0 and not is_decided(fight):
            action = action_for(fight, other, 1)
            if action >= 0:
                perform(fight, other, action)


def roll_initiative(fight: FightTables, slot: int) -> None:
    """Set the initiative count of a slot, rolling for it if necessary."""
    row = fight.slots[slot]
    count, tie = row.count, 0
    if row.rolled != 0:
        count = roll_check(fight, row.die, row.edge) + row.bonus
    elif row.shared != 0:
        count = fight.initiatives[slot - 1] // (TIES * TIES)
    if row.rolls_ties != 0:
        tie = roll_die(fight, row.die) + row.tie_bonus
    fight.initiatives[slot] = (count * TIES + row.rank) * TIES + tie


def put_in_order(fight: FightTables) -> None:
    """Sort the slots by initiative count, highest first."""
    order, initiatives = fight.order, fight.initiatives
    for place in range(fight.slot_count):
        slot, here = place, place
        while here > 0 and initiatives[order[here - 1]] < initiatives[slot]:
            order[here] = order[here - 1]
            here -= 1
        order[here] = slot


def surprise_total(fight: FightTables, who: int) -> int:
    """Return a combatant's total for surprise: its initiative count, a roll, or a fixed score."""
    own = fight.combatants[who]
    if own.surprise_die < 0:
        return fight.initiatives[own.slot] // (TIES * TIES)
    return own.surprise_bonus + (roll_check(fight, own.surprise_die, own.surprise_edge) if own.surprise_die > 0 else 0)


def surprise(fight: FightTables) -> None:
    """Surprise the combatants that notice none of those that sneak. They don't react before their first turn."""
    least = TIES
    for who in range(fight.combatant_count):
        if fight.combatants[who].surprised == sheet.SNEAKS:
            least = min(least, surprise_total(fight, who))
    for who in range(fight.combatant_count):
        own, now = fight.combatants[who], fight.now[who]
        if own.surprised == sheet.SURPRISED or (own.surprised == sheet.NOTICES and surprise_total(fight, who) < least):
            now.surprised = 1
            fight.purse[who * sheet.POOLS + sheet.REACTION_POOL] = 0


def bring_wave(fight: FightTables, wave: int) -> None:
    """Bring in the combatants of a wave unless they have already arrived."""
    if wave < 0 or fight.arrived[wave] != 0:
        return
    fight.arrived[wave] = 1
    for who in range(fight.combatant_count):
        own, now = fight.combatants[who], fight.now[who]
        if own.wave == wave and now.state == IS_AWAY:
            now.state = IS_UP
            count_standing(fight, who, 1)


def is_called(fight: FightTables, wave: int) -> bool:
    """Return whether a wave's trigger has occurred."""
    row = fight.waves[wave]
    when, first, last = row.when, row.first, row.last
    if when == 0 or first >= last:
        return False
    standing = 0
    for place in range(first, last):
        who = fight.watched[place]
        now = fight.now[who]
        if now.state == IS_AWAY:
            continue
        hurt = 2 * now.hp <= fight.combatants[who].hp_max
        if now.state != IS_UP:
            if when in (sheet.HALF, sheet.FIRST_DOWN):
                return True
        elif when == sheet.HALF and hurt:
            return True
        else:
            standing += 1
    return when not in (sheet.HALF, sheet.FIRST_DOWN) and standing == 0


def call_waves(fight: FightTables) -> None:
    """Bring in all waves whose trigger has occurred."""
    for wave in range(fight.wave_count):
        if fight.arrived[wave] == 0 and is_called(fight, wave):
            bring_wave(fight, wave)


def act_of_world(fight: FightTables, world: int) -> None:
    """Apply a world action to everyone it reaches, or to one of them at random."""
    row = fight.world[world]
    reached = world * fight.combatant_count
    count, drawn = 0, -1
    for who in range(fight.combatant_count):
        if fight.world_reach[reached + who] != sheet.SPARED and fight.now[who].state == IS_UP:
            count += 1
            if draw_below(fight, count) == 0:
                drawn = who
    for lesser in range(2):
        source = row.lesser if lesser else row.source
        if source < 0 or count == 0:
            continue
        at = fight.sources[source]
        roll_source(fight, at.parts, at.part_count)
        for who in range(fight.combatant_count):
            reach = fight.world_reach[reached + who]
            if (
                reach == sheet.SPARED
                or (reach == sheet.LESSER) != (lesser != 0)
                or (row.reaches_each == 0 and who != drawn)
            ):
                continue
            if fight.now[who].state != IS_AWAY:  # also affects fallen combatants
                affect(fight, -1, source, who)


def spend_action(fight: FightTables, world: int) -> None:
    """Spend the world action triggered by a pool's end. It may recharge now or in a later round."""
    spent = fight.world[world].spends - 1
    if spent >= 0:
        lowest = fight.world[spent].recharge
        if lowest > 0:
            fight.ready[spent] = 1 if roll_die(fight, 6) >= lowest else SPENT_NOW


def roll_pools(fight: FightTables, now_round: int) -> int:
    """Roll the running countdown pools. Return the first that ends, or -1; -2 or less means that the fight ends too."""
    ended = -1
    for pool in range(fight.pool_count):
        row = fight.pools[pool]
        if fight.running[pool].status == 0 and 0 < row.starts <= now_round and fight.running[pool].dice > 0:
            fight.running[pool].status = 1
    over = 0
    for pool in range(fight.pool_count):
        if fight.running[pool].status == 1:
            row, left = fight.pools[pool], 0
            for _ in range(fight.running[pool].dice):
                if roll_die(fight, 6) < row.lowest:
                    left += 1
            fight.running[pool].dice = left
            if left == 0:
                fight.running[pool].status = 2  # it ends below, after all pools have rolled
    for pool in range(fight.pool_count):
        if fight.running[pool].status == 2:
            row = fight.pools[pool]
            fight.running[pool].status = 3
            fight.sum_pool[pool * (sheet.MOST_ROUNDS + 1) + min(now_round, sheet.MOST_ROUNDS)] += 1
            if ended < 0:
                ended = pool
            if row.starts_pool >= 0 and fight.running[row.starts_pool].status == 0:
                fight.running[row.starts_pool].status = 1
            for place in range(row.sets_count + 1):
                if place == row.called_after:
                    bring_wave(fight, row.calls_wave)
                if place < row.sets_count:
                    act_of_world(fight, row.sets_off + place)
                    spend_action(fight, row.sets_off + place)
            over |= row.ends_fight
    return -2 - ended if over else ended


def begin_round(fight: FightTables, now_round: int) -> int:
    """Play the start of a round. Return the first pool that ends, or -1; -2 or less means that the fight ends too."""
    for wave in range(fight.wave_count):
        at = fight.waves[wave].round
        if 0 < at <= now_round:
            bring_wave(fight, wave)
    for who in range(fight.combatant_count):
        for condition in range(fight.condition_count):
            held = fight.held[who * fight.condition_count + condition]
            if held.until == sheet.UNTIL_WORLD + 1:
                end_condition(fight, who, condition)
    ended = roll_pools(fight, now_round)
    for world in range(fight.world_count):
        lowest = fight.world[world].recharge
        if fight.ready[world] == SPENT_NOW:
            fight.ready[world] = 0
        elif fight.ready[world] == 0 and lowest > 0 and roll_die(fight, 6) >= lowest:
            fight.ready[world] = 1
    for world in range(fight.world_count):
        if fight.ready[world] == 1 and not is_decided(fight):
            act_of_world(fight, world)
            lowest = fight.world[world].recharge
            fight.ready[world] = 1 if lowest > 0 and roll_die(fight, 6) >= lowest else 0
            if lowest == 0:
                fight.ready[world] = -1
    return ended


def set_up(fight: FightTables) -> None:
    """Initialise the state of a fight."""
    fight.first_down = fight.active_place = -1
    for side in range(fight.side_count):
        fight.standing[side] = fight.against[side] = 0
    for who in range(fight.combatant_count):
        own, now = fight.combatants[who], fight.now[who]
        now.tally = now.moves = now.suffered = now.extra = now.fell = now.mark = now.guard = 0
        now.holds = now.sustains = now.cast = now.quick = now.surprised = now.afar = 0
        for pool in range(sheet.POOLS):
            fight.purse[who * sheet.POOLS + pool] = 0
        now.hp, now.temp = own.hp, own.temp_hp
        now.state, now.drop = own.state, own.drop
        now.aim = -1
        fight.purse[who * sheet.POOLS + sheet.REACTION_POOL] = own.reactions
        fight.purse[who * sheet.POOLS + sheet.LEGENDARY_POOL] = own.legendary
        if own.wave >= 0:
            now.state = IS_AWAY
        elif own.state == IS_UP:
            count_standing(fight, who, 1)
        have_only(fight, who, DOWN_BIT if own.state >= 0 and fight.condition_count > 0 else 0)
    for supply in range(fight.supply_count):
        fight.left[supply] = fight.supplies[supply].left
    for world in range(fight.world_count):
        fight.ready[world] = fight.world[world].ready
    for pool in range(fight.pool_count):
        row = fight.pools[pool]
        fight.running[pool].dice = row.dice
        fight.running[pool].status = row.running
    for wave in range(fight.wave_count):
        fight.arrived[wave] = 0
    for slot in range(fight.slot_count):
        roll_initiative(fight, slot)
    put_in_order(fight)
    surprise(fight)


def party_share(fight: FightTables) -> int:
    """Return the bin of the party's remaining hit points."""
    left = 0
    for at in range(fight.party_count):
        left += max(fight.now[fight.party[at]].hp, 0)
    return min(left * (SHARE_BINS - 1) // fight.party_hp, SHARE_BINS - 1)


def fights_on(fight: FightTables, side: int) -> bool:
    """Return whether a side still fights: someone is standing, and not enough are down for the rest to flee."""
    limit = fight.policies[side].flees_at
    if fight.standing[side] == 0 or limit >= ALL_OF_THEM:
        return fight.standing[side] > 0
    members = 0
    for who in range(fight.combatant_count):
        if fight.combatants[who].side == side:
            members += 1 if fight.now[who].state != IS_AWAY else 0
    return ALL_OF_THEM * (members - fight.standing[side]) < limit * members


def outcome_so_far(fight: FightTables) -> int:
    """Return whether the party (the first side) has lost, or won because all enemies are down or have fled."""
    if not fights_on(fight, 0):
        return LOST
    for other in range(1, fight.side_count):
        if fight.enmity[other] != 0 and fights_on(fight, other):
            return UNDECIDED
    return WON


def finish(fight: FightTables, row: int, last_round: int, first_pool: int) -> None:
    """Store the outcome of a fight, and add the final state of all combatants to the sums."""
    down, dead = 0, 0
    for who in range(fight.combatant_count):
        own, now = fight.combatants[who], fight.now[who]
        if now.state == IS_AWAY:
            continue
        died = 0
        if now.state >= 0:
            died = 1 if fight.states[now.state].kind == sheet.DEAD else 0
        fight.sum_down[who] += now.fell
        fight.sum_dead[who] += died
        left = max(now.hp, 0) * (LEFT_BINS - 1) // max(own.hp_max, 1)
        fight.sum_left[who * LEFT_BINS + min(left, LEFT_BINS - 1)] += 1
        if own.party != 0:
            down += now.fell
            dead += died
    fight.sum_rounds[min(last_round, sheet.MOST_ROUNDS)] += 1
    result = fight.results[row]
    result.outcome, result.rounds = outcome_so_far(fight), last_round
    result.first_fallen, result.first_pool = fight.first_down, first_pool
    result.party_down, result.party_dead = down, dead


def play_fight(fight: FightTables, row: int) -> None:
    """Play one fight from beginning to end and store its outcome in a row."""
    set_up(fight)
    first_pool, now_round, over, resumed = -1, fight.first_round, 0, fight.first_slot
    if resumed < 0:
        now_round += 1
    while now_round <= fight.first_round + sheet.MOST_ROUNDS and over == 0:
        if resumed < 0:
            ended = begin_round(fight, now_round)
            if ended != -1 and first_pool < 0:
                first_pool = ended if ended >= 0 else -2 - ended
            call_waves(fight)
            if ended < -1 or is_decided(fight):
                over = 1
        fight.active_place = -1
        while fight.active_place < fight.slot_count - 1:
            fight.active_place += 1
            slot = fight.order[fight.active_place]
            if over != 0 or is_decided(fight):
                break
            if resumed >= 0 and slot != resumed:
                continue
            resumed = -1
            is_there = 0
            for at in range(fight.member_spans[slot].first, fight.member_spans[slot].last):
                who = fight.members[at]
                if not has_turns(fight, who):
                    continue
                is_there = 1
                take_turn(fight, who, now_round)
                if is_decided(fight):
                    break
            if is_there != 0:
                take_legendary_actions(fight, slot)
            call_waves(fight)
        fight.active_place = resumed = -1
        counted = min(now_round, sheet.MOST_ROUNDS)
        fight.sum_going[counted] += 1
        fight.sum_share[counted * SHARE_BINS + party_share(fight)] += 1
        if outcome_so_far(fight) != UNDECIDED:
            over = 1
        now_round += 1
    finish(fight, row, now_round - 1, first_pool)


def play_fights(fight: FightTables, seed: int, first: int, count: int) -> None:
    """Play `count` fights, beginning with number `first`.

    Each fight has its own random stream, so the results don't depend on the batch size.
    """
    for number in range(count):
        begin_stream(fight, seed, first + number)
        play_fight(fight, number)
