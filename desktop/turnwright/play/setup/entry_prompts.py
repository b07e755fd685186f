"""Prompts about environment entries that are edited or removed while a fight is running."""

from __future__ import annotations

from turnwright.encounter.lookups import find_entry
from turnwright.encounter.prepared import Environment
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.environment import ENVIRONMENT_EFFECT, EnvironmentEffect
from turnwright.encounter.running import entry_state_id
from turnwright.play.kernel.scheduler import prompt_of, withdraw_asks
from turnwright.play.kernel.transaction import Transaction


def withdraw_entry_prompts(tx: Transaction, id: str) -> None:
    """Withdraw the asks about environment entries that are gone or no longer offered."""
    before, after = tx.base.need(Environment, id), tx.get(Environment, id)
    gone, off = set(), set()
    for row in (*before.features, *before.actions):
        now = find_entry(after, row.id) if after is not None else None
        gone |= {row.id} if now is None else set()
        off |= {row.id} if now is None or (row.enabled and not now.enabled) else set()
    for procedure in list(tx.all(Procedure)):
        data = procedure.data
        rows = off if procedure.at == ENVIRONMENT_EFFECT.confirm_targets else gone
        prompt = prompt_of(tx, procedure.id)
        if prompt is not None and isinstance(data, EnvironmentEffect) and data.environment == id and data.entry in rows:
            tx.remove(prompt)
    recharging = {entry_state_id(id, row) for row in off}
    withdraw_asks(tx, lambda ask: ask.label == "ask.recharge" and ask.id in recharging)
