"""The command `UseEntry`: trigger a feature or world action of an environment by hand."""

from __future__ import annotations

from typing import Annotated

from turnwright.encounter.field_specs import CombatantId, CombatantIds, EntryId, EnvironmentId, FieldSpec, SpellLevel
from turnwright.play.environment.trigger_environment import trigger_entry
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.action_economy import require_running
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
