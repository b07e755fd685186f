"""Starting a fight from what was prepared: combatants out of roster entries, pools out of countdowns."""

from __future__ import annotations

from turnwright.encounter.prepared import Countdown, Creature, RosterEntry
from turnwright.encounter.running import Clock, Combatant, Effect, Pool, Visitor
from turnwright.play.company import settle_company
from turnwright.play.events import Joined, PoolStarted
from turnwright.play.placing import stand_on_ground
from turnwright.play.procedures.unsaid_health import ask_health
from turnwright.play.resources import begin_with
from turnwright.play.transaction import Transaction
from turnwright.rules.catalogue.adjustments import Adjustment
from turnwright.rules.system import RuleSystem


def mint_members(tx: Transaction, rules: RuleSystem, entry: RosterEntry) -> list[str]:
    """Put the members of a roster entry on the table and return their ids. They have no initiative yet."""
    creature = tx.get(Creature, entry.creature) or tx.get(Visitor, entry.creature)
    name = entry.name or (creature.name if creature else entry.creature)
    adjustment = next((one for one in rules.catalogue.adjustments if one.id == entry.adjustment), None)
    hp = entry.hp if entry.hp is not None else _hit_points(creature, adjustment) if creature else 1
    minted = []
    for number in range(1, entry.count + 1):
        many = entry.count > 1
        id = tx.mint(Combatant, f"{entry.id}-{number}" if many else entry.id)
        combatant = Combatant(
            id=id,
            creature=entry.creature,
            label=f"{name} {number}" if many else name,
            side=entry.side,
            roster=entry.id,
            hp=hp,
            hp_max=hp,
            ac=entry.ac,
            initiative_bonus=entry.initiative,
            check=entry.check,
            sneaking=entry.sneaking,
            hidden=entry.hidden,
            player=entry.player,
            place=entry.place,
            position=entry.positions[number - 1] if number <= len(entry.positions) else None,
            outside=entry.outside,
            gear=entry.gear,
            elevation=entry.elevation,
            group=entry.id if entry.group else "",
            dying=entry.dying,
            bystander=entry.bystander,
            controlled=bool(entry.rides),
        )
        tx.put(combatant)
        if adjustment is not None:
            tx.put(Effect(tx.next_id("effect"), id, adjustment.id))
        stand_on_ground(tx, rules, id)
        begin_with(tx, rules, id)
        clock = tx.get(Clock, "clock")
        if clock is not None and clock.phase == "rounds":
            tx.emit(Joined(who=id, side=entry.side, rule=rules.cite("world.new-participants")))
        minted.append(id)
    settle_company(tx, minted)
    ask_health(tx, rules, entry, minted)
    return minted


def _hit_points(creature: Creature, adjustment: Adjustment | None) -> int:
    """Return the hit points of somebody of a kind who may be stronger or weaker than it, 1 at least."""
    return creature.hp if adjustment is None else max(1, creature.hp + adjustment.hit_points(creature.level))


def waiting_pool(countdown: Countdown) -> Pool:
    """Return a countdown's pool as it stands on the table before its round has come."""
    return Pool(countdown.id, countdown.id, countdown.dice, "waiting", unstoppable=countdown.unstoppable)


def start_pool(tx: Transaction, rules: RuleSystem, countdown: Countdown) -> Pool:
    """Put a countdown's pool on the table, running; it first rolls at the next top of round."""
    pool = Pool(countdown.id, countdown.id, countdown.dice, unstoppable=countdown.unstoppable)
    tx.put(pool)
    tx.emit(PoolStarted(countdown=countdown.id, dice=countdown.dice, rule=rules.cite("countdown.pool")))
    return pool
