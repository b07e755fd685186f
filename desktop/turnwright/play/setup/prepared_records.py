"""Changes to prepared records: adding, editing, moving and removing them, and returning to an earlier version."""

from turnwright.encounter.prepared import Countdown, Environment, Reminder, Scene
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.environment import ENVIRONMENT_EFFECT, EnvironmentEffect
from turnwright.encounter.running import CountdownPool, EntryState, ReminderShown, entry_state_id
from turnwright.encounter.state import (
    PREPARED,
    PREPARED_TABLES,
    Key,
    Lookup,
    Record,
    clock_of,
    find_entry,
    is_encounter_running,
    scene_of,
)
from turnwright.play.environment.pool_records import waiting_pool, withdraw_pool_asks
from turnwright.play.kernel.scheduler import prompt_of, withdraw_asks
from turnwright.play.kernel.transaction import Command, Refused, Transaction, record_name, require


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


class Add(Command, frozen=True):
    """Add prepared records to the encounter, each at the end of its table; ids must be new."""

    records: tuple[Record, ...]

    def subject(self, _lookup: Lookup, /) -> str:
        """Return the names of the records."""
        return ", ".join(record_name(record) for record in self.records)

    def handle(self, tx: Transaction) -> None:
        """Add new prepared records. During a fight, an added countdown waits for its round as usual."""
        runs = is_encounter_running(tx)
        for record in self.records:
            if record.table not in PREPARED_TABLES or tx.get(type(record), record.id) is not None:
                raise Refused("refused.exists", params={"what": record.id})
            tx.put(record)
            if runs and isinstance(record, Countdown):
                tx.put(waiting_pool(record))


class Edit(Command, frozen=True):
    """Replace a prepared record with an edited one of the same id. Edits with the same `merge` form one step."""

    record: Record
    merge: str = ""

    def subject(self, _lookup: Lookup, /) -> str:
        """Return the record's name."""
        return record_name(self.record)

    def handle(self, tx: Transaction) -> None:
        """Replace a prepared record with its edited version."""
        record = self.record
        require(record.table in PREPARED_TABLES, "refused.not_prepared", what=record.id)
        if isinstance(record, Scene):
            _require_same_system(tx, record)
        else:
            tx.need(type(record), record.id)
        tx.put(record)
        if isinstance(record, Environment):
            withdraw_entry_prompts(tx, record.id)
            _reset_entries(tx, record)
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


def _reset_entries(tx: Transaction, environment: Environment) -> None:
    from turnwright.play.environment.environment_effect import refresh_prompt

    for procedure in list(tx.all(Procedure)):
        data = procedure.data
        row = find_entry(environment, data.entry) if isinstance(data, EnvironmentEffect) else None
        if isinstance(data, EnvironmentEffect) and data.environment == environment.id and row is not None:
            refresh_prompt(tx, procedure, row)


class Remove(Command, frozen=True):
    """Remove prepared records. It forms one step with earlier commands that have the same `merge`."""

    keys: tuple[Key, ...]
    merge: str = ""

    def handle(self, tx: Transaction) -> None:
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


class Reorder(Command, frozen=True):
    """Move a prepared record to another index in its table."""

    key: Key
    index: int

    def handle(self, tx: Transaction) -> None:
        """Move a prepared record within its table."""
        record = tx.base.record(self.key)
        if record is None or self.key[0] not in PREPARED_TABLES:
            raise Refused("refused.unknown", params={"what": self.key[1]})
        tx.put(record, max(0, min(self.index, sum(1 for _ in tx.base.all(type(record))) - 1)))


class GoBackToVersion(Command, frozen=True):
    """Replace all prepared records with those of an earlier version."""

    records: tuple[Record, ...]

    def handle(self, tx: Transaction) -> None:
        """Replace every prepared record. Refuse this during set-up or a fight, and for a different rule system."""
        require(clock_of(tx).phase == "preparing", "refused.version_while_running")
        games = {record.system for record in self.records if isinstance(record, Scene)}
        require(games == {scene_of(tx).system}, "refused.version_of_other_game")
        for kind in PREPARED:
            for record in list(tx.all(kind)):
                tx.remove(record)
        for record in self.records:
            tx.put(record)
