"""The command that moves a distance in feet, without a grid."""

from __future__ import annotations

from typing import Literal

from turnwright.encounter.field_specs import CombatantId, CombatantIds, EnvironmentId, SpeedId
from turnwright.encounter.procedure_state.movement import MoveInProgress
from turnwright.play.effects.ready_action import require_move
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement.declared_move import begin_declared_move, move_in_progress, vetoes_when_resolving
from turnwright.play.movement.move import begin_move
from turnwright.play.movement.move_costs import move_leg_of
from turnwright.play.state.action_economy import require_no_open_action
from turnwright.rules.parts.environment.entries import ground_cost
from turnwright.rules.parts.movement.allowance import effective_mode, movement_cost
from turnwright.rules.parts.movement.move_vetoes import move_vetoes
from turnwright.rules.parts.movement.riding import movement_payer
from turnwright.rules.system import RuleSystem


@command(
    script="move {who} {feet} [{mode}] [through {through}] [turned] [up {up} | down {up:negative}] [leaves {leaves}] "
    "[keeps {keeps}] [drags {drags}] [squeezing] [{heading}]"
)
class MoveFeet(Command, frozen=True):
    """Move a distance in a mode of movement. `through` is the environment with the ground being crossed.

    `turned`: the direction on that ground differs from the previous move. `up` is the number of feet upward (negative:
    downward). `leaves` are creatures whose reach the mover leaves. `drags` is an ally pulled along. `squeezing` is for
    a narrow passage, and `heading` is the direction in a chase. `keeps` are creatures whose relations to the mover
    don't change, because it circles them or they move along.
    """

    who: CombatantId
    feet: int
    mode: SpeedId = "walk"
    through: EnvironmentId = ""
    turned: bool = False
    up: int = 0
    leaves: CombatantIds = ()
    drags: CombatantId = ""
    squeezing: bool = False
    heading: Literal["", "forward", "sideways", "back"] = ""
    keeps: CombatantIds = ()

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Move a number of feet and deduct the cost. Refuse it if too little movement is left."""
        if self.feet < 0:
            raise Refused("refused.feet")
        require_no_open_action(tx, rules, self.who)
        require_move(tx, rules, self.who, movement_payer(tx, self.who))
        going = move_leg_of(self)
        price = movement_cost(tx, rules, self.who, going)
        vetoes = move_vetoes(tx, rules, self.who, going, price)
        vetoes = vetoes_when_resolving(vetoes) if move_in_progress(tx, self.who) else vetoes
        tx.forbid_by(vetoes)
        journey = MoveInProgress(
            self.who,
            mode=effective_mode(tx, rules, self.who, self.mode),
            dragged=self.drags,
            feet=self.feet,
            leaves_reach_of=self.leaves,
            feet_up=self.up,
            cost=price.total,
            unreported_cost_parts=price.parts,
            ground=self.through,
            rules_overridden=bool(vetoes),
            relations_kept=self.keeps,
        )
        hard = ground_cost(tx, self.through, turned=self.turned) is not None
        if not begin_declared_move(tx, rules, journey, ((price.total, hard),)):
            begin_move(tx, rules, journey)
