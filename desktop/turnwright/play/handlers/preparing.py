"""Commands that change what is prepared. They work while a fight runs too, and keep its state."""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Hazard, Procedure
from turnwright.encounter.prepared import Countdown, Creature, Environment, RosterEntry, Scene
from turnwright.encounter.running import Clock, Combatant, EntryState, Pool, Visitor, entry_state_id
from turnwright.encounter.state import PREPARED_TABLES
from turnwright.play.commands import Add, AddToEncounter, Edit, Rearrange, Remove
from turnwright.play.minting import mint_members, waiting_pool
from turnwright.play.procedures.hazards import renew
from turnwright.play.procedures.loop import pass_over, prompt_of
from turnwright.play.procedures.order import seek_places
from turnwright.play.procedures.rounds import withdraw_pool
from turnwright.play.refusals import Refused
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.surroundings import entry_in
from turnwright.rules.system import RuleSystem


def add(command: Add, tx: Transaction, rules: RuleSystem) -> None:
    """Put new prepared records in. A countdown that comes while a fight runs waits for its round like the others."""
    clock = tx.get(Clock, "clock")
    runs = clock is not None and clock.phase in ("set-up", "rounds")
    for record in command.records:
        if record.table not in PREPARED_TABLES or tx.get(type(record), record.id) is not None:
            raise Refused("refused.exists", params={"what": record.id})
        tx.put(record)
        if runs and isinstance(record, Countdown):
            tx.put(waiting_pool(record))


def edit(command: Edit, tx: Transaction, rules: RuleSystem) -> None:
    """Replace a prepared record by its edited self."""
    record = command.record
    if record.table not in PREPARED_TABLES:
        raise Refused("refused.not_prepared", params={"what": record.id})
    if isinstance(record, Scene):
        _keep_game(tx, record)
    else:
        tx.need(type(record), record.id)
    tx.put(record)
    if isinstance(record, Environment):
        _withdraw_rows(tx, record.id)
        _renew_rows(tx, rules, record)
    pool = tx.get(Pool, record.id) if isinstance(record, Countdown) else None
    if isinstance(record, Countdown) and pool is not None and pool.status == "waiting":
        before = tx.base.need(Countdown, record.id)
        if (before.dice, before.unstoppable) != (record.dice, record.unstoppable):
            tx.put(waiting_pool(record))


def _keep_game(tx: Transaction, scene: Scene) -> None:
    """Refuse to play a fight that goes on by another game: what is under way belongs to the one it began by."""
    clock, before = tx.get(Clock, "clock"), tx.get(Scene, "scene") or Scene()
    if clock is not None and clock.phase in ("set-up", "rounds") and scene.system != before.system:
        raise Refused("refused.game_while_running")


def remove(command: Remove, tx: Transaction, rules: RuleSystem) -> None:
    """Take prepared records out; what was pending about them is withdrawn, and their running state goes."""
    for key in command.keys:
        record = tx.record(key)
        if record is None:
            raise Refused("refused.unknown", params={"what": key[1]})
        if key[0] not in PREPARED_TABLES or isinstance(record, Scene):
            raise Refused("refused.not_prepared", params={"what": key[1]})
        tx.remove(record)
        pool = tx.get(Pool, key[1]) if isinstance(record, Countdown) else None
        if pool is not None:
            tx.remove(pool)
            withdraw_pool(tx, pool.id)
        if isinstance(record, Environment):
            _forget_environment(tx, record.id)


def _forget_environment(tx: Transaction, id: str) -> None:
    for state in list(tx.all(EntryState)):
        if state.environment == id:
            tx.remove(state)
    _withdraw_rows(tx, id)


def _withdraw_rows(tx: Transaction, id: str) -> None:
    """Withdraw what is asked about rows of an environment that have gone, or are not to be offered any more."""
    before, after = tx.base.need(Environment, id), tx.get(Environment, id)
    gone, off = set(), set()
    for row in (*before.features, *before.actions):
        now = entry_in(after, row.id) if after is not None else None
        gone |= {row.id} if now is None else set()
        off |= {row.id} if now is None or (row.enabled and not now.enabled) else set()
    for procedure in list(tx.all(Procedure)):
        data = procedure.data
        rows = off if procedure.stage == "agreed" else gone
        prompt = prompt_of(tx, procedure.id)
        if prompt is not None and isinstance(data, Hazard) and data.environment == id and data.entry in rows:
            tx.remove(prompt)
    recharging = {entry_state_id(id, row) for row in off}
    pass_over(tx, lambda ask: ask.label == "ask.recharge" and ask.id in recharging)


def _renew_rows(tx: Transaction, rules: RuleSystem, environment: Environment) -> None:
    for procedure in list(tx.all(Procedure)):
        data = procedure.data
        row = entry_in(environment, data.entry) if isinstance(data, Hazard) else None
        if isinstance(data, Hazard) and data.environment == environment.id and row is not None:
            renew(tx, rules, procedure, row)


def rearrange(command: Rearrange, tx: Transaction, rules: RuleSystem) -> None:
    """Move a prepared record within its table."""
    record = tx.base.record(command.key)
    if record is None or command.key[0] not in PREPARED_TABLES:
        raise Refused("refused.unknown", params={"what": command.key[1]})
    last = sum(1 for _ in tx.base.all(type(record))) - 1
    tx.put(record, max(0, min(command.place, last)))


def add_to_encounter(command: AddToEncounter, tx: Transaction, rules: RuleSystem) -> None:
    """Bring creatures in. While a fight runs they join it and leave what was prepared as it was."""
    clock = tx.get(Clock, "clock")
    if clock is not None and clock.phase in ("set-up", "rounds"):
        _bring_in(command, tx, rules, clock)
        return
    creature = command.creature
    same = next((one for one in tx.all(Creature) if msgspec.structs.replace(one, id=creature.id) == creature), None)
    if same is None:
        same = tx.put(msgspec.structs.replace(creature, id=tx.mint(Creature, creature.id)))
    entry = command.entry
    tx.put(msgspec.structs.replace(entry, id=tx.mint(RosterEntry, entry.id), creature=same.id))


def _bring_in(command: AddToEncounter, tx: Transaction, rules: RuleSystem, clock: Clock) -> None:
    creature = command.creature
    known: Creature | None = tx.get(Creature, creature.id)
    if known is None or known != creature:
        id = (
            tx.mint(Visitor, creature.id)
            if tx.get(Creature, creature.id) is None
            else tx.mint(Visitor, f"{creature.id}-new")
        )
        fields = {name: getattr(creature, name) for name in creature.__struct_fields__}
        known = tx.put(Visitor(**(fields | {"id": id})))
    came = mint_members(tx, rules, msgspec.structs.replace(command.entry, creature=known.id))
    for who in came:
        tx.update(tx.need(Combatant, who), roster="")
    if clock.phase == "rounds":
        seek_places(tx, tuple(came))
