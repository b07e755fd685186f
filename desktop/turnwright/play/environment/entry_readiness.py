"""The readiness of environment entries: recharge rolls, changes by hand, and the withdrawal of offers of spent entries."""

from turnwright.dice.expression import RollSpec
from turnwright.encounter.field_specs import CombatantId, EntryId, EnvironmentId, PositiveOrNone, WordKey
from turnwright.encounter.prepared import Environment, EnvironmentEntry
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import MADE, Ask, AskResult
from turnwright.encounter.procedure_state.environment import ENVIRONMENT_EFFECT, CountdownOutcome, EnvironmentEffect
from turnwright.encounter.running import Clock
from turnwright.encounter.state import find_entry
from turnwright.play.kernel.events import EntryEvent, journal
from turnwright.play.kernel.scheduler import close_prompt, data_of
from turnwright.play.kernel.transaction import Command, Refused, Transaction, command, require_running
from turnwright.play.state.events import Skipped
from turnwright.rules.parts.environment.entries import entry_rule, entry_state
from turnwright.rules.system import RuleSystem

BROKEN_MEANWHILE = "why.broken_meanwhile"
# The stages that wait for the user before the entry is spent.
STAGES_BEFORE_USE = (ENVIRONMENT_EFFECT.confirm_targets, ENVIRONMENT_EFFECT.ask_caster)


@journal("journal.entry_failed", kind="world", what="entry")
class EntryFailed(EntryEvent, frozen=True):
    """An attempt to use a feature or action of an environment failed. `reason` is a word key."""

    reason: WordKey
    actor: CombatantId = ""


def report_failed(
    tx: Transaction, environment: Environment, entry: EnvironmentEntry, reason: str, rule: str, actor: str = ""
) -> None:
    """Report why an entry failed. `actor` is the combatant that tried it."""
    tx.emit(EntryFailed(environment=environment.id, entry=entry.id, actor=actor, reason=reason, rule=rule))


def withdraw_offers(tx: Transaction, environment: Environment, entry: EnvironmentEntry, used_by: str = "") -> None:
    """Withdraw all open prompts that offer a spent entry, except the prompt of the procedure `used_by`.

    A prompt that a countdown opened stays, because a countdown can use an entry that isn't ready.
    """
    for procedure in _offering(tx, environment, entry, used_by):
        if not _by_countdown(tx, procedure):
            _withdraw(tx, procedure, environment, entry, "why.spent_meanwhile", tx.rule_id("world.recharge.spent"))


def withdraw_broken(tx: Transaction, environment: Environment, entry: EnvironmentEntry, used_by: str) -> None:
    """Withdraw all open prompts that offer an entry that the procedure `used_by` broke."""
    for procedure in _offering(tx, environment, entry, used_by):
        rule = entry_rule(entry, tx.rule_id("env.rule.mirror-breaks"))
        _withdraw(tx, procedure, environment, entry, BROKEN_MEANWHILE, rule)


def _offering(tx: Transaction, environment: Environment, row: EnvironmentEntry, user: str) -> list[Procedure]:
    waiting = (procedure for procedure in tx.all(Procedure) if procedure.at in STAGES_BEFORE_USE)
    used = ((procedure, data_of(procedure, EnvironmentEffect)) for procedure in waiting if procedure.id != user)
    return [procedure for procedure, data in used if (data.environment, data.entry) == (environment.id, row.id)]


def _by_countdown(tx: Transaction, procedure: Procedure) -> bool:
    parent = tx.get(Procedure, procedure.parent)
    return parent is not None and isinstance(parent.data, CountdownOutcome)


def _withdraw(
    tx: Transaction, procedure: Procedure, environment: Environment, row: EnvironmentEntry, reason: str, rule: str
) -> None:
    close_prompt(tx, procedure.id)
    tx.remove(procedure)
    report_failed(tx, environment, row, reason, rule)


@journal("journal.not_recharged", kind="world", what="entry")
class RechargeRolled(EntryEvent, frozen=True):
    """A spent world action rolled its recharge. `ready`: it has recharged; `face` is 0 if unknown."""

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

    def handle(self, tx: Transaction) -> None:
        """Recharge a world action by hand, or spend it and withdraw the prompts that offer it."""
        require_running(tx)
        environment = tx.need(Environment, self.environment)
        row = find_entry(environment, self.entry)
        if row is None:
            raise Refused("refused.no_such_row", params={"what": self.entry})
        tx.update(entry_state(tx, self.environment, self.entry), ready=self.ready)
        tx.emit(EntryReadySet(environment=self.environment, entry=self.entry, ready=self.ready))
        if not self.ready:
            withdraw_offers(tx, environment, row)


@journal("journal.set_spent", kind="world", when={"ready": "journal.set_ready"}, what="entry")
class EntryReadySet(EntryEvent, frozen=True):
    """A world action was recharged or spent by hand."""

    ready: bool
