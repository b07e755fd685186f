"""Placing a slot in the turn order next to another, without a roll."""

from __future__ import annotations

from turnwright.encounter.running import Combatant, Slot
from turnwright.play.kernel.transaction import Transaction


def place_beside(tx: Transaction, slot: Slot, neighbour: Slot, *, after: bool) -> Slot:
    """Put a slot just before or after a neighbour, with the same count. Their tie rolls determine the order."""
    tx.update(neighbour, tie_rolls=(*neighbour.tie_rolls, int(after)))
    for who in slot.members:
        if tx.get(Combatant, who) is not None:
            tx.update(tx.need(Combatant, who), initiative=neighbour.count)
    return tx.update(
        slot,
        count=neighbour.count,
        tie_rolls=(*neighbour.tie_rolls, int(not after)),
        fixed=neighbour.fixed,
        first_actor=neighbour.first_actor,
    )
