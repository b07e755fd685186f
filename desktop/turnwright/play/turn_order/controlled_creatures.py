"""Controlled creatures, which act in their controller's slot of the turn order."""

from __future__ import annotations

from collections.abc import Collection

from turnwright.encounter.prepared import RosterEntry
from turnwright.encounter.running import Combatant, Slot
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.parts.actions.followers import group_of
from turnwright.rules.parts.combatants.controlled_creatures import followers_of, is_follower
from turnwright.rules.parts.movement.riding import is_carried_by


def link_prepared_followers(tx: Transaction, arrived: Collection[str]) -> None:
    """Link arrived combatants to their prepared leaders, mounts, followers and riders.

    A link that was broken since the fight began stays broken.
    """
    first = {combatant.roster: combatant.id for combatant in reversed([*tx.all(Combatant)]) if combatant.roster}
    for follower in [*tx.all(Combatant)]:
        entry = tx.get(RosterEntry, follower.roster)
        if entry is None:
            continue
        leader, mount = first.get(entry.controller, ""), first.get(entry.rides, "")
        if (
            leader
            and leader != follower.id
            and not follower.controller
            and (follower.id in arrived or leader in arrived)
        ):
            tx.update(tx.need(Combatant, follower.id), controller=leader)
            share_turn(tx, follower.id, leader)
        if mount and mount != follower.id and not follower.rides and (follower.id in arrived or mount in arrived):
            _sit(tx, follower.id, mount)


def _sit(tx: Transaction, who: str, mount: str) -> None:
    """Put a rider on a mount, in the mount's position."""
    if not is_carried_by(tx, mount, who):
        at = tx.need(Combatant, mount)
        rider = tx.need(Combatant, who)
        tx.update(rider, rides=mount, position=at.position or rider.position, elevation=at.elevation or rider.elevation)


def share_turn(tx: Transaction, who: str, controller: str) -> None:
    """Put a combatant without a slot into its controller's slot, if it exists."""
    if tx.of(Slot, who):
        return
    place = next(iter(tx.of(Slot, controller)), None)
    if place is not None:
        tx.update(place, members=(*place.members, who))
        tx.update(tx.need(Combatant, who), initiative=place.count)


def slot_members(tx: Transaction, who: str) -> tuple[str, ...]:
    """Return a combatant with its group and all their followers, except those that already have a slot."""
    placed = {member for slot in tx.all(Slot) for member in slot.members}
    group = [member.id for member in group_of(tx, who) if member.id != who and not is_follower(tx, member.id)]
    followers = [follower.id for leader in (who, *group) for follower in followers_of(tx, leader)]
    return (who, *(id for id in (*group, *followers) if id not in placed))
