"""Whose turn it is, and whether a turn is ending."""

from __future__ import annotations

from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.turns import TurnEnd
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.parts.economy.resources import is_on_turn


def is_active(tx: Transaction, who: str) -> bool:
    """Return whether it is a combatant's turn."""
    return is_on_turn(tx, who)


def is_turn_ending(tx: Transaction) -> bool:
    """Return whether the end of a turn is under way."""
    return any(isinstance(procedure.data, TurnEnd) for procedure in tx.all(Procedure))
