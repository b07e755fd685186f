"""What becomes of a body as somebody dies: it drops out of the air, and whoever sat on it comes down."""

from __future__ import annotations

from turnwright.encounter.pending import Watch
from turnwright.encounter.running import Combatant
from turnwright.play.events import FallBegan
from turnwright.play.procedures.loop import begin
from turnwright.play.procedures.saddles import get_off
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.falling import FALL, flies, floor_under, height_over_ground
from turnwright.rules.parts.riding import riders_of
from turnwright.rules.system import RuleSystem


def collapse(tx: Transaction, rules: RuleSystem, who: str) -> None:
    """Let the body of a flyer come to the ground; its riders fall by themselves, those of others come off beside it."""
    feet = height_over_ground(tx, rules, who) if flies(tx, rules, who) else 0
    for rider in riders_of(tx, who):
        if feet and not rider.dead:
            get_off(tx, rules, rider.id, None, rule=rules.cite("mount.mount-prone"))
            begin(tx, FALL, "begin", Watch(rider.id, what=rules.cite("falling.figures")))
        elif not feet:
            begin(tx, "unhorsed", "begin", Watch(rider.id, what=rules.cite("mount.mount-prone")))
    if feet:
        tx.emit(FallBegan(who=who, feet=feet, rule=rules.cite("falling.figures")))
        floor = floor_under(tx, rules, who)
        tx.update(tx.need(Combatant, who), elevation=floor)
        for rider in riders_of(tx, who):
            tx.update(rider, elevation=floor)
