"""The command that moves a combatant by force or teleportation."""

from __future__ import annotations

from typing import Literal

from turnwright.encounter.field_specs import CombatantId
from turnwright.encounter.prepared import Point
from turnwright.encounter.procedure_state.movement import MoveInProgress
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement.events import ForceMoved
from turnwright.play.movement.move import begin_move
from turnwright.play.turn_order.mount_initiative import begin_seat_checks
from turnwright.rules.parts.environment.areas import current_map
from turnwright.rules.parts.movement.move_legs import moved_combatants
from turnwright.rules.parts.movement.routes import landing_height
from turnwright.rules.system import RuleSystem


@command(script="shift {who} {to,elevation} [{how}]")
class ForceMove(Command, frozen=True):
    """Move a combatant to another square by force or teleportation, without using movement."""

    who: CombatantId
    to: Point
    how: Literal["forced", "teleport", "provoking"] = "forced"
    elevation: int | None = None

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Move a combatant to another square. It provokes opportunity attacks only if it is `provoking`."""
        height = self.elevation
        if height is None and self.how != "teleport" and current_map(tx) is not None:
            height = landing_height(tx, rules, self.who, self.to)
        moved = moved_combatants(tx, rules, self.who, self.to, height)
        rule = rules.rule_id("opportunity.teleport" if self.how == "teleport" else "opportunity.forced")
        tx.emit(ForceMoved(who=self.who, to=self.to, how=self.how, elevation=moved[0].elevation, rule=rule))
        journey = MoveInProgress(
            self.who,
            path=(self.to,),
            elevations=(moved[0].elevation,),
            free=True,
            rules_overridden=self.how == "provoking",
        )
        if self.how == "forced":
            begin_seat_checks(tx, rules, self.who)
        begin_move(tx, rules, journey)
