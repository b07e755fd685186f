"""Recharge of world actions: the ask for the roll, the result, and changes by hand."""

from __future__ import annotations

from turnwright.dice.roll import RollSpec
from turnwright.encounter.field_specs import (
    EntryId,
    EnvironmentId,
    PositiveOrNone,
)
from turnwright.encounter.lookups import find_entry
from turnwright.encounter.prepared import Environment, EnvironmentEntry
from turnwright.encounter.procedure_state.asks import MADE, Ask, AskResult
from turnwright.encounter.running import Clock
from turnwright.play.environment.environment_check import withdraw_offers
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.state.action_economy import require_running
from turnwright.play.state.events import Skipped
from turnwright.rules.parts.environment.entries import entry_state
from turnwright.rules.system import RuleSystem


@journal("journal.not_recharged", kind="world", what="entry")
class RechargeRolled(Event, frozen=True):
    """A spent world action rolled its recharge. `ready`: it has recharged; `face` is 0 if unknown."""

    environment: EnvironmentId
    entry: EntryId
    face: PositiveOrNone
    needed: PositiveOrNone
    ready: bool

    @property
    def journal_key(self) -> str:
        """Return the word key, which depends on the result and on whether the numbers are known."""
        key = "journal.recharged" if self.ready else "journal.not_recharged"
        return key if self.face and self.needed else f"{key}_unsaid"


def recharge_ask(rules: RuleSystem, environment: Environment, entry: EnvironmentEntry, rule: str) -> Ask:
    """Return the ask for a world action's recharge roll."""
    id, spec = f"{environment.id}.{entry.id}", RollSpec(rules.data.turns.recharge_die)
    return Ask(id, "roll", "ask.recharge", "", entry.name, spec, entry.recharge, rule=rule)


def apply_recharge(
    tx: Transaction, environment: Environment, entry: EnvironmentEntry, answer: AskResult, rule: str
) -> None:
    """Apply a recharge roll. If the roll reaches the recharge number, the world action is ready."""
    state = entry_state(tx, environment.id, entry.id)
    face = answer.roll.total if answer.roll is not None else None
    if not answer.chosen and face is None:
        tx.emit(Skipped(purpose="ask.recharge", detail=entry.name))
        return
    face, needed = face or 0, entry.recharge
    ready = MADE in answer.chosen or face >= needed
    tx.update(state, ready=ready, recharge_rolled=tx.need(Clock, "clock").round)
    place = environment.id
    tx.emit(RechargeRolled(environment=place, entry=entry.id, face=face, needed=needed, ready=ready, rule=rule))


@command(script="ready {entry,environment} | spent {entry,environment} {ready=false}")
class SetEntryReady(Command, frozen=True):
    """Recharge a world action by hand, or spend it."""

    environment: EnvironmentId
    entry: EntryId
    ready: bool = True

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Recharge a world action by hand, or spend it and withdraw the prompts that offer it."""
        require_running(tx)
        environment = tx.need(Environment, self.environment)
        row = find_entry(environment, self.entry)
        if row is None:
            raise Refused("refused.no_such_row", params={"what": self.entry})
        tx.update(entry_state(tx, self.environment, self.entry), ready=self.ready)
        tx.emit(EntryReadySet(environment=self.environment, entry=self.entry, ready=self.ready))
        if not self.ready:
            withdraw_offers(tx, rules, environment, row)


@journal("journal.set_spent", kind="world", when={"ready": "journal.set_ready"}, what="entry")
class EntryReadySet(Event, frozen=True):
    """A world action was recharged or spent by hand."""

    environment: EnvironmentId
    entry: EntryId
    ready: bool
