"""Bodies of the dead: a flyer's body falls, and riders of a dead mount dismount."""

from __future__ import annotations

from turnwright.encounter.procedure_state.movement import FALL, THROWN_RIDER, Fall, ForcedDismount
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.movement.events import FallBegan
from turnwright.play.movement.mounting import dismount_rider
from turnwright.rules.parts.movement.falling import ground_below, height_over_ground, is_flying
from turnwright.rules.parts.movement.riding import riders_of
from turnwright.rules.system import RuleSystem


def collapse(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Drop a dead flyer; its riders fall separately. Riders of a mount on the ground land next to its body."""
    feet = height_over_ground(tx, rules, who) if is_flying(tx, rules, who) else 0
    for rider in riders_of(tx, who):
        if feet and not rider.dead:
            dismount_rider(tx, rules, rider.id, None, rule=rules.rule_id("mount.mount-prone"))
            begin(tx, FALL.start, Fall(rider.id, rules.rule_id("falling.figures")))
        elif not feet:
            begin(tx, THROWN_RIDER.ask_landing, ForcedDismount(rider.id, rules.rule_id("mount.mount-prone")))
    if feet:
        tx.emit(FallBegan(who=who, feet=feet, rule=rules.rule_id("falling.figures")))
        floor = ground_below(tx, rules, who)
        tx.update(tx.need(Combatant, who), elevation=floor)
        for rider in riders_of(tx, who):
            tx.update(rider, elevation=floor)
