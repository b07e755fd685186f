"""Phases of creatures: those that a loss of hit points starts, and those in force."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.encounter.prepared import CreaturePhase
from turnwright.encounter.procedure_state.damage import PHASE, PhaseBeginning
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import NO_RESULT, HookContext, HookResult, StartProcedure
from turnwright.rules.system import RuleSystem, creature_of


def phases_due(lookup: Lookup, who: str, hp_before: int) -> tuple[CreaturePhase, ...]:
    """Return the phases that start because a combatant's hit points have dropped from `hp_before`."""
    combatant = lookup.get(Combatant, who)
    if combatant is None or combatant.dead or combatant.bystander or combatant.hp >= hp_before:
        return ()
    reached = (phase for phase in _phases_left(lookup, combatant) if _is_reached(combatant, phase, combatant.hp))
    return tuple(phase for phase in reached if not (phase.reverts and _is_reached(combatant, phase, hp_before)))


def on_damage_taken(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the phases that damage starts. Phases at 0 hit points start with the other effects of dropping to 0."""
    if context.amount <= 0 or lookup.need(Combatant, context.who).hp <= 0:
        return NO_RESULT
    due = phases_due(lookup, context.who, context.hp_before)
    if not due:
        return NO_RESULT
    beginning = PhaseBeginning(context.who, tuple(phase.id for phase in due))
    return HookResult(procedures=(StartProcedure(PHASE, beginning),))


def phase_due(lookup: Lookup, who: str, id: str) -> CreaturePhase | None:
    """Return a combatant's phase that is about to start, or None if its hit points have risen too high."""
    combatant = lookup.get(Combatant, who)
    if combatant is None or combatant.dead:
        return None
    candidates = (phase for phase in _phases_left(lookup, combatant) if phase.id == id)
    return next((phase for phase in candidates if _is_reached(combatant, phase, combatant.hp)), None)


def phases_in_force(lookup: Lookup, who: str) -> Iterator[CreaturePhase]:
    """Yield the phases of a combatant that have started and aren't over, in order."""
    combatant = lookup.get(Combatant, who)
    if combatant is None:
        return
    for phase in creature_of(lookup, combatant).phases:
        if _is_reached(combatant, phase, combatant.hp) if phase.reverts else phase.id in combatant.phases:
            yield phase


def legendary_actions(lookup: Lookup, who: str) -> int:
    """Return a combatant's current number of legendary actions per round."""
    changed = [phase.legendary for phase in phases_in_force(lookup, who) if phase.legendary]
    return changed[-1] if changed else creature_of(lookup, lookup.need(Combatant, who)).legendary


def _phases_left(lookup: Lookup, combatant: Combatant) -> tuple[CreaturePhase, ...]:
    """Return the phases of a combatant after the last one that has started, and all phases that revert."""
    phases = creature_of(lookup, combatant).phases
    last_started = max((place for place, phase in enumerate(phases) if phase.id in combatant.phases), default=-1)
    return tuple(phase for place, phase in enumerate(phases) if phase.reverts or place > last_started)


def _is_reached(combatant: Combatant, phase: CreaturePhase, hp: int) -> bool:
    """Return whether `hp` is low enough for a phase. At 0, only phases at 0 are reached."""
    if phase.reverts:
        return hp * 100 <= phase.at * combatant.hp_max
    return hp <= 0 if phase.at == 0 else 0 < hp * 100 <= phase.at * combatant.hp_max
