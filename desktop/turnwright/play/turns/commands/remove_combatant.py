"""The command `RemoveCombatant`: remove a combatant from the fight."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId
from turnwright.encounter.running import Clock, Combatant, Duration, Effect, ShapeChange, Track
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.scheduler import withdraw_asks
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import lose_concentration, release_held_effects
from turnwright.play.state.turn_state import is_turn_ending
from turnwright.play.turn_order.initiative import remove_from_slot, slot_of
from turnwright.play.turns.turns import end_turn
from turnwright.rules.parts.movement.riding import control_conditions
from turnwright.rules.system import RuleSystem


@command(script="remove {who}")
class RemoveCombatant(Command, frozen=True):
    """Remove a combatant and its open prompts from the fight."""

    who: CombatantId

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Remove a combatant, its tracks, effects and slot, and withdraw its prompts."""
        who = self.who
        combatant = tx.need(Combatant, who)
        clock = tx.get(Clock, "clock")
        slot = slot_of(tx, who)
        if slot is not None and len(slot.members) > 1:
            remove_from_slot(tx, slot, who)
        withdraw_asks(tx, lambda ask: ask.who == who)
        lose_concentration(tx, rules, who)
        for track in tx.of(Track, who):
            tx.remove(track)
        for effect in list(tx.all(Effect)):
            if effect.target == who or (effect.by == who and effect.name in control_conditions(rules)):
                tx.remove(effect)
            elif effect.ends.who == who:  # its turns are over, so it ends at the start of the next round
                tx.update(effect, ends=Duration("world"))
        tx.remove(combatant)
        tx.discard(ShapeChange, who)
        tx.emit(CombatantRemoved(label=combatant.label))
        release_held_effects(tx, rules, who)
        if slot is None or len(slot.members) > 1:
            return
        if clock is not None and clock.active == slot.id:
            if not is_turn_ending(tx):
                end_turn(tx, slot)
        else:
            tx.remove(slot)


@journal("journal.left", who="label")
class CombatantRemoved(Event, frozen=True, tag="Left"):
    """A combatant was removed from the fight."""

    label: str
