"""Prompts about environment entries that are edited or removed during a fight."""

from __future__ import annotations

from turnwright.encounter.lookups import find_entry
from turnwright.encounter.prepared import Environment
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.environment import ENVIRONMENT_EFFECT, EnvironmentEffect
from turnwright.encounter.running import entry_state_id
from turnwright.play.kernel.scheduler import prompt_of, withdraw_asks
from turnwright.play.kernel.transaction import Transaction


def withdraw_entry_prompts(tx: Transaction, id: str) -> None:
    """Withdraw the prompts about environment entries that were removed or are no longer offered."""
    before, after = tx.base.need(Environment, id), tx.get(Environment, id)
    removed, off = set(), set()
    for row in (*before.features, *before.actions):
        current = find_entry(after, row.id) if after is not None else None
        removed |= {row.id} if current is None else set()
        off |= {row.id} if current is None or (row.enabled and not current.enabled) else set()
    for procedure in list(tx.all(Procedure)):
        data = procedure.data
        rows = off if procedure.at == ENVIRONMENT_EFFECT.confirm_targets else removed
        prompt = prompt_of(tx, procedure.id)
        if prompt is not None and isinstance(data, EnvironmentEffect) and data.environment == id and data.entry in rows:
            tx.remove(prompt)
    recharging = {entry_state_id(id, row) for row in off}
    withdraw_asks(tx, lambda ask: ask.label == "ask.recharge" and ask.id in recharging)
