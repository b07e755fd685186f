"""Environment entries triggered by a creature: by hand, or by destroying their object with an attack."""

from __future__ import annotations

from typing import Annotated

import msgspec

from turnwright.encounter.field_specs import CombatantId, CombatantIds, EntryId, EnvironmentId, FieldSpec, SpellLevel
from turnwright.encounter.lookups import find_entry
from turnwright.encounter.prepared import Environment, EnvironmentEntry
from turnwright.encounter.procedure_state.environment import ENVIRONMENT_EFFECT, EnvironmentEffect
from turnwright.encounter.running import Combatant
from turnwright.play.environment.environment_check import report_failed
from turnwright.play.environment.environment_effect import disturb
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.play.state.action_economy import require_running
from turnwright.rules.parts.environment.entries import eligible_targets, entry_rule, entry_state
from turnwright.rules.system import RuleSystem


@command(script="use {entry,environment} [on {targets}] [by {actor}] [attack {attack}] [level {level}]")
class UseEntry(Command, frozen=True):
    """Trigger a feature or world action of an environment, with its actor and targets.

    `attack` is the total of an attack against its AC, and `level` is a spell's level (0: a cantrip).
    """

    environment: EnvironmentId
    entry: EntryId
    actor: CombatantId = ""
    targets: CombatantIds = ()
    attack: Annotated[int, FieldSpec(least=-1000, most=1000, label="use-entry.attack-total")] | None = None
    level: SpellLevel = 0

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Trigger a feature or world action by hand."""
        require_running(tx)
        trigger_entry(tx, rules, self)


def trigger_entry(tx: Transaction, rules: RuleSystem, command: UseEntry) -> None:
    """Trigger an entry by a command. Raise Refused if it is spent, broken, out of reach or not destroyed."""
    environment = tx.need(Environment, command.environment)
    row = find_entry(environment, command.entry)
    if row is None or not row.enabled:
        raise Refused("refused.no_such_row", params={"what": command.entry})
    _need_usable(command, tx, rules, environment, row)
    if row.ac and command.attack is not None and command.attack < row.ac:
        report_failed(tx, environment, row, "why.attack_missed", entry_rule(row), command.actor)
        return
    if row.delay and not entry_state(tx, environment.id, row.id).due_round:
        disturb(tx, environment, row)
        return
    actor = "" if command.attack is not None else command.actor
    agreed = bool(command.targets) or (bool(actor) and row.affects in ("actor", "nobody")) or _tries(actor, row)
    targets = tuple(dict.fromkeys(command.targets)) or ((actor,) if actor and row.affects == "actor" else ())
    insisted = entry_state(tx, environment.id, row.id).broken
    hazard = EnvironmentEffect(
        environment.id, row.id, actor, targets, targets_confirmed=agreed, rules_overridden=insisted
    )
    if row.trigger == "rolled" and actor:
        begin(tx, ENVIRONMENT_EFFECT.use, msgspec.structs.replace(hazard, targets_confirmed=False))
    else:
        begin(tx, ENVIRONMENT_EFFECT.ask_targets, hazard)


def _tries(actor: str, row: EnvironmentEntry) -> bool:
    """Return whether the actor makes a check on an entry that has no targets yet."""
    return bool(actor) and row.check is not None


def _need_usable(
    command: UseEntry, tx: Transaction, rules: RuleSystem, environment: Environment, row: EnvironmentEntry
) -> None:
    state = entry_state(tx, environment.id, row.id)
    if state.broken:
        tx.forbid("refused.broken", entry_rule(row, rules.rule_id("env.rule.mirror-breaks")), what=row.name)
    if row.recharge and not state.ready:
        tx.forbid("refused.not_recharged", rules.rule_id("world.recharge.spent"), what=row.name)
    if row.reflects is not None and command.level > row.reflects:
        tx.forbid("refused.spell_level", entry_rule(row), what=row.name)
    allowed = {eligible_target.id for eligible_target in eligible_targets(tx, environment, row, rules)}
    earlier_target = next((who for who in command.targets if who in state.targeted and who not in allowed), None)
    if row.once == "encounter" and earlier_target is not None:
        label = tx.need(Combatant, earlier_target).label
        rule = entry_rule(row, rules.rule_id("env.rule.lightning-no-repeat"))
        tx.forbid("refused.targeted_before", rule, what=row.name, who=label)
