"""The command `ShowSight`: show players what the party sees."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantIds
from turnwright.play.environment.fog import changed_fog, require_map
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.parts.positions.fog import party_sight, seen_now, watchers
from turnwright.rules.system import RuleSystem


@command(script="look [{who}]")
class ShowSight(Command, frozen=True):
    """Show the players everything that combatants see from their positions. Default: the whole party.

    Squares that were shown and are now out of their sight are shown as seen before, without creatures.
    """

    who: CombatantIds = ()

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Show players the squares that the combatants see now."""
        battle_map = require_map(tx)
        seen = party_sight(tx, rules, self.who or watchers(tx))
        changed_fog(tx, battle_map, lambda lines: seen_now(lines, seen))
