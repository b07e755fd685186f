"""The command that mounts a creature or dismounts."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId
from turnwright.encounter.prepared import Point
from turnwright.encounter.procedure_state.movement import MOUNT, Mounting
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement.mounting import dismount_rider, mark_mounted, mounting_price_vetoes, pay_for_mounting
from turnwright.play.state.action_economy import require_turn
from turnwright.rules.parts import positions
from turnwright.rules.parts.movement.riding import is_carried_by, mounting_vetoes, once_per_turn_vetoes
from turnwright.rules.parts.movement.routes import landing_squares
from turnwright.rules.system import RuleSystem, label_of


@command(script="ride {who} {mount} [uncontrolled {controlled=false}] | dismount {who} [{to}]")
class MountOrDismount(Command, frozen=True):
    """Mount a creature, or dismount.

    To dismount, `mount` is empty, and `to` is the landing square. `controlled`: the mount obeys its rider.
    """

    who: CombatantId
    mount: CombatantId = ""
    controlled: bool = True
    to: Point | None = None

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Mount a creature or dismount. This is possible once per turn and costs part of the rider's Speed."""
        rider = tx.need(Combatant, self.who)
        require_turn(tx, rules, self.who)
        if self.mount:
            mount = tx.need(Combatant, self.mount)
            if mount.id == rider.id or is_carried_by(tx, mount.id, rider.id):
                raise Refused("refused.mount_self")
            if rider.rides:
                params: dict[str, str | int] = {"who": rider.label, "what": label_of(tx, rider.rides)}
                raise Refused("refused.mounted_already", rule=rules.rule_id("mount.cost"), params=params)
            apart, near = positions.distance(tx, rules, rider.id, mount.id), rules.data.movement.mount_within
            if apart is not None and apart > near:
                params = {"who": rider.label, "what": mount.label, "feet": apart, "near": near}
                raise Refused("refused.mount_too_far", rule=rules.rule_id("mount.cost"), params=params)
            tx.forbid_by((*mounting_vetoes(tx, rules, rider.id, mount.id), *once_per_turn_vetoes(tx, rules, rider.id)))
            tx.forbid_by(mounting_price_vetoes(tx, rules, rider.id))
            begin(tx, MOUNT.ask_capacity, Mounting(rider.id, mount.id, self.controlled))
            return
        _dismount(self, tx, rules, rider)


def _dismount(command: MountOrDismount, tx: Transaction, rules: RuleSystem, rider: Combatant) -> None:
    if not rider.rides:
        raise Refused("refused.not_mounted", params={"who": rider.label})
    tx.forbid_by(once_per_turn_vetoes(tx, rules, rider.id))
    free = landing_squares(tx, rules, rider.id, rider.rides)
    if command.to is not None and command.to not in free:
        raise Refused("refused.blocked_square", params={"square": "{}, {}".format(*command.to)})
    cost, rule = pay_for_mounting(tx, rules, rider.id), rules.rule_id("mount.cost")
    mark_mounted(tx, rules, rider.id)
    dismount_rider(tx, rules, rider.id, command.to or next(iter(free), None), cost=cost, rule=rule)
