"""The command that removes prepared records."""

from __future__ import annotations

from turnwright.encounter.prepared import Countdown, Environment, Reminder, Scene
from turnwright.encounter.running import CountdownPool, EntryState, ReminderShown
from turnwright.encounter.state import PREPARED_TABLES, Key
from turnwright.play.environment.pool_records import withdraw_pool_asks
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.setup.entry_prompts import withdraw_entry_prompts
from turnwright.rules.system import RuleSystem


class Remove(Command, frozen=True):
    """Remove prepared records. It forms one step with earlier commands that have the same `merge`."""

    keys: tuple[Key, ...]
    merge: str = ""

    @property
    def merge_key(self) -> str:
        """The key that merges successive commands into one step."""
        return self.merge

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Remove prepared records with their running state, and withdraw prompts about them."""
        for key in self.keys:
            record = tx.record(key)
            if record is None:
                raise Refused("refused.unknown", params={"what": key[1]})
            if key[0] not in PREPARED_TABLES or isinstance(record, Scene):
                raise Refused("refused.not_prepared", params={"what": key[1]})
            tx.remove(record)
            if isinstance(record, Reminder):
                tx.discard(ReminderShown, record.id)
            pool = tx.get(CountdownPool, key[1]) if isinstance(record, Countdown) else None
            if pool is not None:
                tx.remove(pool)
                withdraw_pool_asks(tx, pool.id)
            if isinstance(record, Environment):
                _remove_environment_state(tx, record.id)


def _remove_environment_state(tx: Transaction, id: str) -> None:
    for state in list(tx.all(EntryState)):
        if state.environment == id:
            tx.remove(state)
    withdraw_entry_prompts(tx, id)
