"""Query: whether a turn is ending."""

from __future__ import annotations

from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.turns import TurnEnd
from turnwright.play.kernel.transaction import Transaction


def is_turn_ending(tx: Transaction) -> bool:
    """Return whether a turn is currently ending."""
    return any(isinstance(procedure.data, TurnEnd) for procedure in tx.all(Procedure))
