"""Commands of riders: onto a mount and off it, and what a mount that obeys is told to do."""

from __future__ import annotations

from turnwright.encounter.pending import Mounting, Order
from turnwright.encounter.running import Combatant, Effect, Ends
from turnwright.play.commands import CommandMount, Ride
from turnwright.play.events import Acted
from turnwright.play.harm import id_for, put_effect
from turnwright.play.movement_inquiries import mounting_cost
from turnwright.play.procedures.loop import begin
from turnwright.play.procedures.saddles import get_off, mark_mounted
from turnwright.play.refusals import Refused
from turnwright.play.resources import need_turn, spend
from turnwright.play.spending import may_spend_movement, spend_movement
from turnwright.play.transaction import Transaction
from turnwright.rules.parts import positions
from turnwright.rules.parts.riding import (
    HURRIED,
    ORDERED,
    is_carried_by,
    mount_of,
    mounting_vetoes,
    obeys,
    once_vetoes,
    order_vetoes,
)
from turnwright.rules.parts.ways import landing_squares
from turnwright.rules.system import RuleSystem, label_of


def ride(command: Ride, tx: Transaction, rules: RuleSystem) -> None:
    """Mount a creature, or get off the one ridden, for a share of one's Speed, once on a turn."""
    rider = tx.need(Combatant, command.who)
    need_turn(tx, rules, command.who)
    if command.mount:
        mount = tx.need(Combatant, command.mount)
        if mount.id == rider.id or is_carried_by(tx, mount.id, rider.id):
            raise Refused("refused.mount_self")
        if rider.rides:
            raise Refused("refused.mounted_already", params={"who": rider.label})
        apart = positions.distance(tx, rules, rider.id, mount.id)
        if apart is not None and apart > rules.catalogue.movement.mount_within:
            raise Refused("refused.mount_too_far", params={"what": mount.label})
        tx.forbid_by((*mounting_vetoes(tx, rules, rider.id, mount.id), *once_vetoes(tx, rules, rider.id)))
        may_spend_movement(
            tx, rules, rider.id, mounting_cost(tx, rules, rider.id), "refused.cannot_mount", rules.cite("mount.cost")
        )
        begin(tx, "mounting", "weigh", Mounting(rider.id, mount.id, command.controlled))
        return
    _dismount(command, tx, rules, rider)


def _dismount(command: Ride, tx: Transaction, rules: RuleSystem, rider: Combatant) -> None:
    if not rider.rides:
        raise Refused("refused.not_mounted", params={"who": rider.label})
    tx.forbid_by(once_vetoes(tx, rules, rider.id))
    cost, rule = mounting_cost(tx, rules, rider.id), rules.cite("mount.cost")
    free = landing_squares(tx, rules, rider.id, rider.rides)
    if command.to is not None and command.to not in free:
        raise Refused("refused.blocked_square", params={"square": "{}, {}".format(*command.to)})
    spend_movement(tx, rules, rider.id, cost, "refused.cannot_mount", rule)
    mark_mounted(tx, rules, rider.id)
    get_off(tx, rules, rider.id, command.to or next(iter(free), None), cost=cost, rule=rule)


def command_mount(command: CommandMount, tx: Transaction, rules: RuleSystem) -> None:
    """Have a mount that obeys move better, for nothing, or do something, for the rider's bonus action."""
    tx.need(Combatant, command.who)
    need_turn(tx, rules, command.who)
    mount = mount_of(tx, command.who)
    if mount is None or not obeys(tx, command.who):
        raise Refused("refused.no_control", rule=rules.cite("mount.control"), params={"who": label_of(tx, command.who)})
    figures = rules.catalogue.movement
    if command.action not in (*figures.free_orders, *figures.paid_orders):
        raise Refused("refused.mount_order", rule=rules.cite("mount.orders"))
    tx.forbid_by(order_vetoes(tx, rules, mount.id, command.action))
    if command.action in figures.free_orders:
        _move_better(command, tx, rules, mount)
        return
    if command.target:
        tx.need(Combatant, command.target)
    elif command.action == "attack":
        raise Refused("refused.no_target")
    rule = rules.cite("mount.paid-orders")
    spend(tx, rules, command.who, figures.order_cost)
    _mark(tx, rules, mount, ORDERED)
    note = f"<action.{command.action}>" if command.action in rules.actions else command.check
    tx.emit(Acted(who=mount.id, action=note, cost=figures.order_cost, rule=rule))
    order = Order(command.who, mount.id, command.action, command.target, command.means, command.check)
    begin(tx, "mount-order", "means", order)


def _move_better(command: CommandMount, tx: Transaction, rules: RuleSystem, mount: Combatant) -> None:
    """Let the mount Dash, Disengage or Dodge: what those leave is put on it, and nothing is paid."""
    option = rules.actions[command.action]
    tx.emit(Acted(who=mount.id, action=option.name, rule=rules.cite("mount.orders")))
    _mark(tx, rules, mount, HURRIED)
    if option.effect:
        ends = Ends("turn") if option.ends == "turn" else Ends(option.ends, command.who)
        id = id_for(tx, mount.id, option.effect)
        put_effect(tx, rules, Effect(id, mount.id, option.effect, source=option.name, ends=ends))


def _mark(tx: Transaction, rules: RuleSystem, mount: Combatant, sort: str) -> None:
    """Remember for the turn which sort of order a mount was given: the other sort is out then."""
    put_effect(tx, rules, Effect(tx.next_id("effect"), mount.id, sort, ends=Ends("turn"), shown=False))
