"""Controlled creatures, which share their controller's slot in the turn order."""

from __future__ import annotations

from collections.abc import Collection

from turnwright.encounter.prepared import RosterEntry
from turnwright.encounter.running import Combatant, Slot
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.parts.actions.followers import group_of
from turnwright.rules.parts.combatants.controlled_creatures import followers_of, is_follower
from turnwright.rules.parts.movement.riding import is_carried_by


def link_prepared_followers(tx: Transaction, arrived: Collection[str]) -> None:
    """Link arrived combatants with the leaders, mounts, followers and riders prepared for them.

    A link that was broken since the fight began stays broken.
    """
    first = {one.roster: one.id for one in reversed([*tx.all(Combatant)]) if one.roster}
    for one in [*tx.all(Combatant)]:
        entry = tx.get(RosterEntry, one.roster)
        if entry is None:
            continue
        leader, mount = first.get(entry.controller, ""), first.get(entry.rides, "")
        if leader and leader != one.id and not one.controller and (one.id in arrived or leader in arrived):
            tx.update(tx.need(Combatant, one.id), controller=leader)
            share_turn(tx, one.id, leader)
        if mount and mount != one.id and not one.rides and (one.id in arrived or mount in arrived):
            _sit(tx, one.id, mount)


def _sit(tx: Transaction, who: str, mount: str) -> None:
    """Put a rider on a mount, at the mount's position."""
    if not is_carried_by(tx, mount, who):
        at = tx.need(Combatant, mount)
        rider = tx.need(Combatant, who)
        tx.update(rider, rides=mount, position=at.position or rider.position, elevation=at.elevation or rider.elevation)


def share_turn(tx: Transaction, who: str, controller: str) -> None:
    """Put a combatant into its controller's slot, if that one has a slot and this one has none."""
    if tx.of(Slot, who):
        return
    place = next(iter(tx.of(Slot, controller)), None)
    if place is not None:
        tx.update(place, members=(*place.members, who))
        tx.update(tx.need(Combatant, who), initiative=place.count)


def slot_members(tx: Transaction, who: str) -> tuple[str, ...]:
    """Return a combatant with its group and all their followers, without those that have a slot already."""
    placed = {member for slot in tx.all(Slot) for member in slot.members}
    group = [one.id for one in group_of(tx, who) if one.id != who and not is_follower(tx, one.id)]
    followers = [one.id for leader in (who, *group) for one in followers_of(tx, leader)]
    return (who, *(one for one in (*group, *followers) if one not in placed))
