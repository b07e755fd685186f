"""The command that moves along a path on the grid."""

from __future__ import annotations

import msgspec

from turnwright.encounter.field_specs import CombatantId, SpeedId
from turnwright.encounter.prepared import Point
from turnwright.encounter.running import Combatant
from turnwright.play.asking.exertion import set_sprint_direction
from turnwright.play.effects.ready_action import require_move
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement.declared_move import begin_declared_move, move_in_progress, vetoes_when_resolving
from turnwright.play.movement.move import begin_move
from turnwright.play.movement.move_costs import path_vetoes, planned_move
from turnwright.play.state.action_economy import require_no_open_action
from turnwright.rules.parts.environment.areas import current_map
from turnwright.rules.parts.movement.riding import movement_payer
from turnwright.rules.parts.movement.routes import plan_move
from turnwright.rules.parts.movement.straight_line_moves import straight_vetoes
from turnwright.rules.parts.movement.strides import step_costs
from turnwright.rules.parts.movement.tumble import tumble_vetoes
from turnwright.rules.system import RuleSystem


@command(script="travel {who} {path,heights} [by {mode}] [drags {drags}]")
class MovePath(Command, frozen=True):
    """Move on the grid, square by square. List the squares in order, without the starting square.

    `heights` are the feet above level 0 at each square (empty: on the ground). Opportunity attacks are offered at the
    square that provokes them. An effect that stops the mover also ends the move.
    """

    who: CombatantId
    path: tuple[Point, ...]
    mode: SpeedId = "walk"
    heights: tuple[int, ...] = ()
    drags: CombatantId = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Check the whole path, then move square by square, deducting the cost of each step."""
        mover = tx.need(Combatant, self.who)
        if current_map(tx) is None:
            raise Refused("refused.no_grid")
        if mover.position is None:
            raise Refused("refused.no_position", params={"who": mover.label})
        if not self.path:
            raise Refused("refused.no_path")
        require_no_open_action(tx, rules, self.who)
        require_move(tx, rules, self.who, movement_payer(tx, self.who))
        journey = planned_move(tx, rules, self)
        bound = (
            *straight_vetoes(tx, rules, self.who, self.path),
            *tumble_vetoes(tx, rules, self.who, self.path),
        )
        plan = plan_move(tx, rules, journey)
        vetoes = (*bound, *path_vetoes(tx, rules, journey, plan))
        vetoes = vetoes_when_resolving(vetoes) if move_in_progress(tx, self.who) else vetoes
        tx.forbid_by(vetoes)
        set_sprint_direction(tx, rules, self.who, self.path)
        journey = msgspec.structs.replace(journey, rules_overridden=bool(vetoes))
        if not begin_declared_move(tx, rules, journey, step_costs(tx, rules, self.who, plan.legs)):
            begin_move(tx, rules, journey)
