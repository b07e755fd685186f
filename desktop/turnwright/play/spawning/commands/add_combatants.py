"""The command `AddCombatants`: add combatants from the roster to a running fight."""

from __future__ import annotations

from turnwright.encounter.field_specs import Bonus, RosterId
from turnwright.encounter.lookups import is_encounter_running
from turnwright.encounter.prepared import RosterEntry
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.spawning.spawning import begin_arrival, spawn_members
from turnwright.play.turn_order.initiative import set_initiative
from turnwright.rules.system import RuleSystem


@command(script="join {roster} [{initiative}]")
class AddCombatants(Command, frozen=True):
    """Add a prepared roster entry to the fight. Its members roll initiative, or use the given total."""

    roster: RosterId
    initiative: Bonus | None = None

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Add a prepared roster entry to the running fight."""
        if not is_encounter_running(tx):
            raise Refused("refused.not_running")
        came = spawn_members(tx, rules, tx.need(RosterEntry, self.roster))
        for who in came:
            if self.initiative is not None:
                rule = rules.rule_id("world.new-participants")
                set_initiative(tx, rules, tx.need(Combatant, who), self.initiative, "entered", rule=rule)
        begin_arrival(tx, rules, tuple(came))
