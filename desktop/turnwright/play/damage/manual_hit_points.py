"""Helpers for commands that correct hit points by hand."""

from __future__ import annotations

from turnwright.encounter.lookups import clock_of
from turnwright.encounter.procedure_state.damage import DAMAGE_CONSEQUENCES, DamageConsequences
from turnwright.encounter.running import Combatant
from turnwright.play.damage.events import RestoredToLife
from turnwright.play.damage.phases import begin_phases
from turnwright.play.kernel.scheduler import begin
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.turn_order.initiative import ask_initiative
from turnwright.play.turn_order.initiative_ties import tied_groups
from turnwright.rules.system import RuleSystem


def begin_drop_to_zero(tx: Transaction, who: str, before: int = 0) -> None:
    """Begin the consequences of 0 hit points that weren't caused by damage."""
    procedure = begin(tx, DAMAGE_CONSEQUENCES.drop_to_zero, DamageConsequences(who, 0, 0, before))
    begin_phases(tx, who, before, procedure.id)


def restore_to_life(tx: Transaction, rules: RuleSystem, combatant: Combatant, hp: int, rule: str = "") -> None:
    """Revive a combatant with a number of hit points."""
    after = tx.update(combatant, dead=False, hp=max(0, min(hp, combatant.hp_max)))
    tx.emit(RestoredToLife(who=combatant.id, hp=after.hp, rule=rule or rules.rule_id("heal.dead")))
    _ask_initiative_again(tx, combatant)


def _ask_initiative_again(tx: Transaction, combatant: Combatant) -> None:
    """Ask a revived combatant for its initiative total or tie-breaking roll, if either is missing."""
    level = any(combatant.id in slot.members for slots in tied_groups(tx) for slot in slots)
    if clock_of(tx).phase == "rounds" and (level or combatant.initiative is None):
        ask_initiative(tx, (combatant.id,))
