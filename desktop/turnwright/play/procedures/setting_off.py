"""Rows of the surroundings that somebody sets off: by hand, or by bringing them down with an attack."""

from __future__ import annotations

import msgspec

from turnwright.encounter.pending import Hazard
from turnwright.encounter.prepared import Entry, Environment
from turnwright.encounter.running import Combatant
from turnwright.play.commands import UseEntry
from turnwright.play.events import EntryFailed
from turnwright.play.procedures.hazards import disturb
from turnwright.play.procedures.loop import begin
from turnwright.play.refusals import Refused
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.surroundings import eligible, entry_in, ledger_for, state_of
from turnwright.rules.system import RuleSystem


def set_off(tx: Transaction, rules: RuleSystem, command: UseEntry) -> None:
    """Set off a row as a command orders it. What is spent, broken, out of reach or not brought down is said, not done."""
    environment = tx.need(Environment, command.environment)
    row = entry_in(environment, command.entry)
    if row is None or not row.enabled:
        raise Refused("refused.no_such_row", params={"what": command.entry})
    for who in (*command.targets, *((command.actor,) if command.actor else ())):
        tx.need(Combatant, who)
    _need_usable(command, tx, rules, environment, row)
    if row.ac and command.attack is not None and command.attack < row.ac:
        reason = "why.attack_missed"
        tx.emit(
            EntryFailed(
                environment=environment.id, entry=row.id, actor=command.actor, reason=reason, rule=ledger_for(row)
            )
        )
        return
    if row.delay and not state_of(tx, environment.id, row.id).due:
        disturb(tx, environment, row)
        return
    actor = "" if command.attack is not None else command.actor
    agreed = bool(command.targets) or (bool(actor) and row.affects in ("actor", "nobody")) or _tries(actor, row)
    targets = tuple(dict.fromkeys(command.targets)) or ((actor,) if actor and row.affects == "actor" else ())
    insisted = state_of(tx, environment.id, row.id).broken
    hazard = Hazard(environment.id, row.id, actor, targets, agreed=agreed, insisted=insisted)
    if row.trigger == "rolled" and actor:
        begin(tx, "hazard", "use", msgspec.structs.replace(hazard, agreed=False))
    else:
        begin(tx, "hazard", "targets", hazard)


def _tries(actor: str, row: Entry) -> bool:
    """Return whether somebody tries a check of their own on a row, which strikes nobody yet."""
    return bool(actor) and row.check is not None


def _need_usable(command: UseEntry, tx: Transaction, rules: RuleSystem, environment: Environment, row: Entry) -> None:
    state = state_of(tx, environment.id, row.id)
    if state.broken:
        tx.forbid("refused.broken", ledger_for(row, rules.cite("env.rule.mirror-breaks")), what=row.name)
    if row.recharge and not state.ready:
        tx.forbid("refused.not_recharged", rules.cite("world.recharge.spent"), what=row.name)
    if row.reflects is not None and command.level > row.reflects:
        tx.forbid("refused.spell_level", ledger_for(row), what=row.name)
    allowed = {one.id for one in eligible(tx, environment, row, rules)}
    had = next((who for who in command.targets if who in state.targeted and who not in allowed), None)
    if row.once == "encounter" and had is not None:
        label = tx.need(Combatant, had).label
        rule = ledger_for(row, rules.cite("env.rule.lightning-no-repeat"))
        tx.forbid("refused.targeted_before", rule, what=row.name, who=label)
