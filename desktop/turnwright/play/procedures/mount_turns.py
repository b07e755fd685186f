"""Mounts with turns of their own: one that is controlled takes its rider's place in the order, just before the rider."""

from __future__ import annotations

from turnwright.encounter.pending import Ask, Option, Procedure, TurnStart, Watch
from turnwright.encounter.running import Clock, Combatant, Slot
from turnwright.encounter.state import Lookup
from turnwright.play.harm import end_effect, put_condition
from turnwright.play.procedures.loop import Answers, Stage, begin
from turnwright.play.procedures.order import leave_slot, next_stage, set_initiative, slot_of, turn_order
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.riding import INDEPENDENT, LED, REINS, is_led, riders_of, ways_to_lead
from turnwright.rules.parts.statements import effects_on
from turnwright.rules.system import RuleSystem

CONTROL = "control"
LYING = 1  # the value of a fall that ends on the ground


def control_asks(tx: Transaction, rules: RuleSystem, mount: str, *, controlled: bool) -> list[Ask]:
    """Return the question whether a rider controls its mount, where the game lets one choose."""
    if not rules.catalogue.movement.mount_actions:
        return []
    ways, rule = ways_to_lead(tx, rules, mount)
    wanted = LED if controlled and LED in ways else INDEPENDENT
    options = tuple(Option(way, f"<condition.{way}>") for way in ways)
    return [Ask(CONTROL, "choice", "ask.mount_control", options=options, suggested=(wanted,), rule=rule)]


def take_reins(tx: Transaction, rules: RuleSystem, rider: str, mount: str, way: str) -> None:
    """Note on the mount how it is ridden; one that is controlled comes just before its rider from now on."""
    if way not in ways_to_lead(tx, rules, mount)[0]:
        way = INDEPENDENT
    put_condition(tx, rules, mount, way, by=rider, rule=ways_to_lead(tx, rules, mount)[1])
    if way != LED:
        return
    own, place = come_before(tx, rules, rider, mount)
    clock = tx.get(Clock, "clock")
    if own is not None and place is not None and not own.acted and clock is not None and clock.active == place.id:
        tx.update(own, joined=place.id, acted=True)
        begin(tx, "turn-start", "joint", TurnStart(own.id))


def come_before(tx: Transaction, rules: RuleSystem, rider: str, mount: str) -> tuple[Slot | None, Slot | None]:
    """Give a mount the place in the order just before its rider's; return both, None where there are none."""
    place, own = slot_of(tx, rider), slot_of(tx, mount)
    if place is None or mount in place.members:
        return None, None
    if own is not None and len(own.members) > 1:
        leave_slot(tx, own, mount)
    rule = rules.cite("mount.initiative")
    set_initiative(tx, rules, tx.need(Combatant, mount), place.count, "mounted", fixed=place.fixed, rule=rule)
    new = slot_of(tx, mount)
    if new is None:
        return None, None
    level = [one for one in turn_order(tx, rules) if one.id != new.id and _level(one) == _level(place)]
    here = [one.id for one in level].index(place.id)
    for rank, one in enumerate(level):  # those whom nothing has parted from the rider stay where they are
        tx.update(one, ties=(*one.ties, here - rank + 1 if rank < here else here - rank))
    return tx.update(new, ties=(*place.ties, 1)), tx.need(Slot, place.id)


def _level(slot: Slot) -> tuple[int, bool, bool, tuple[int, ...]]:
    return slot.count, slot.fixed, slot.opener, slot.ties


def drop_reins(tx: Transaction, rules: RuleSystem, rider: str, mount: str) -> None:
    """Take from a mount how it was ridden by somebody who sits on it no longer."""
    for effect in list(effects_on(tx, mount)):
        if effect.name in REINS and effect.by == rider:
            end_effect(tx, rules, effect)


def settle_mounts(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure:
    """Give the mounts that were prepared with riders in the saddle their places before those."""
    for rider in list(tx.all(Combatant)) if rules.catalogue.movement.mount_actions else ():
        if rider.rides and rider.controlled:
            tx.update(rider, controlled=False)
            take_reins(tx, rules, rider.id, rider.rides, LED)
        elif rider.rides and is_led(tx, rider.rides) and not _is_before(tx, rider.rides, rider.id):
            come_before(tx, rules, rider.id, rider.rides)
    return next_stage(rules, procedure)


def _is_before(lookup: Lookup, mount: str, rider: str) -> bool:
    own, place = slot_of(lookup, mount), slot_of(lookup, rider)
    return place is None or (own is not None and own.count == place.count and own.ties[:-1] == place.ties[:-1])


def moved_along(tx: Transaction, rules: RuleSystem, who: str, parent: str = "") -> None:
    """Let those who sit on somebody that is moved by force keep their seat by a save, where the game asks one."""
    rule = rules.cite("mount.moved")
    for rider in riders_of(tx, who) if rule else ():
        begin(tx, "seat", "begin", Watch(rider.id, what=rule, value=LYING), parent)


STAGES: dict[tuple[str, str], Stage] = {
    ("initiative", "mounts"): settle_mounts,
}
