"""The command that edits a prepared record."""

from __future__ import annotations

from turnwright.encounter.lookups import find_entry, is_encounter_running, scene_of
from turnwright.encounter.prepared import Countdown, Environment, Reminder, Scene
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.environment import EnvironmentEffect
from turnwright.encounter.running import CountdownPool, ReminderShown
from turnwright.encounter.state import PREPARED_TABLES, Lookup, Record
from turnwright.play.environment.pool_records import waiting_pool
from turnwright.play.kernel.commands import Command, record_name
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.setup.entry_prompts import withdraw_entry_prompts
from turnwright.rules.system import RuleSystem


class Edit(Command, frozen=True):
    """Replace a prepared record with an edited one of the same id. Edits with the same `merge` form one step."""

    record: Record
    merge: str = ""

    def subject(self, _lookup: Lookup, /) -> str:
        """Return the record's name."""
        return record_name(self.record)

    @property
    def merge_key(self) -> str:
        """The key that merges successive edits into one step."""
        return self.merge

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Replace a prepared record with its edited version."""
        record = self.record
        if record.table not in PREPARED_TABLES:
            raise Refused("refused.not_prepared", params={"what": record.id})
        if isinstance(record, Scene):
            _require_same_system(tx, record)
        else:
            tx.need(type(record), record.id)
        tx.put(record)
        if isinstance(record, Environment):
            withdraw_entry_prompts(tx, record.id)
            _reset_entries(tx, rules, record)
        if isinstance(record, Reminder):
            tx.discard(ReminderShown, record.id)
        pool = tx.get(CountdownPool, record.id) if isinstance(record, Countdown) else None
        if isinstance(record, Countdown) and pool is not None and pool.status == "waiting":
            before = tx.base.need(Countdown, record.id)
            if (before.dice, before.unstoppable) != (record.dice, record.unstoppable):
                tx.put(waiting_pool(record))


def _require_same_system(tx: Transaction, scene: Scene) -> None:
    """Refuse to change the rule system during a fight, because the fight's state depends on it."""
    if is_encounter_running(tx) and scene.system != scene_of(tx).system:
        raise Refused("refused.game_while_running")


def _reset_entries(tx: Transaction, rules: RuleSystem, environment: Environment) -> None:
    from turnwright.play.environment.environment_effect import refresh_prompt

    for procedure in list(tx.all(Procedure)):
        data = procedure.data
        row = find_entry(environment, data.entry) if isinstance(data, EnvironmentEffect) else None
        if isinstance(data, EnvironmentEffect) and data.environment == environment.id and row is not None:
            refresh_prompt(tx, rules, procedure, row)
