"""Phases of creatures: those that a loss of hit points starts, and those in force.

An index of features by the moment that triggers them, built once for each stat block.

Devices in the turn order, such as traps: the checks that disable them, and the progress so far.

`play.actions.disable_device` carries out the attempt.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple

import msgspec

from turnwright.encounter.lookups import track_value
from turnwright.encounter.prepared import Creature, CreaturePhase, Feature
from turnwright.encounter.procedure_state.damage import PHASE, PhaseBeginning
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import NO_RESULT, HookContext, HookResult, StartProcedure
from turnwright.rules.parts.combatants.facts import condition_names
from turnwright.rules.system import RuleSystem, creature_of
from turnwright.rules.system_data.actions import ActionCheck, ActionOption
from turnwright.rules.system_data.statements import facts_in


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


SUFFERED: Final = "suffered"  # mark: damage of this type (its source) was taken since the last turn started
SWITCHED_OFF: Final = "feature-off"  # mark: the feature in its source is switched off
MOST_INDEXES: Final = 4096
NO_FEATURES: Final[tuple[Feature, ...]] = ()


class TriggerIndex(NamedTuple):
    """The features of a stat block by trigger, and the damage types that their statements ask about."""

    features: Mapping[str, tuple[Feature, ...]]
    suffered: frozenset[str]


_INDEXES: dict[int, tuple[Creature, TriggerIndex]] = {}  # keyed by identity, because comparing stat blocks is slower


def trigger_index(creature: Creature) -> TriggerIndex:
    """Return the index of a stat block."""
    cached = _INDEXES.get(id(creature))
    if cached is not None and cached[0] is creature:
        return cached[1]
    if len(_INDEXES) >= MOST_INDEXES:
        _INDEXES.clear()
    index = _made(creature)
    _INDEXES[id(creature)] = creature, index
    return index


def features_at(creature: Creature, moment: str) -> tuple[Feature, ...]:
    """Return the features of a stat block that a moment triggers."""
    return trigger_index(creature).features.get(moment, NO_FEATURES)


def switched_off(lookup: Lookup, who: str) -> frozenset[str]:
    """Return the ids of a combatant's features that the game master has switched off for this encounter."""
    return frozenset(effect.source for effect in lookup.of(Effect, who) if effect.name == SWITCHED_OFF)


def wanted_plays(lookup: Lookup, rules: RuleSystem) -> Literal["", "asks", "reminds", "off"]:
    """Return the encounter's default for playing features: automatically (""), by asking, or as a reminder.

    `off` overrides the settings of all features.
    """
    if rules.has_option(lookup, rules.role("silences-features")):
        return "off"
    if rules.has_option(lookup, rules.role("reminds-of-features")):
        return "reminds"
    return "asks" if rules.has_option(lookup, rules.role("asks-for-features")) else ""


def _made(creature: Creature) -> TriggerIndex:
    by_moment: dict[str, list[Feature]] = {}
    for feature in creature.features:
        if feature.trigger:
            by_moment.setdefault(feature.trigger, []).append(feature)
    facts = (fact for feature in creature.features for fact in facts_in(feature.when))
    return TriggerIndex(
        {moment: tuple(features) for moment, features in by_moment.items()},
        frozenset(fact.argument for fact in facts if fact.word == SUFFERED),
    )


DISABLE = "disable"
PROGRESS = "disabling"  # the track that counts successes


def is_working_device(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether a combatant is a device that hasn't been disabled yet."""
    settings = rules.data.dying.things
    tags = creature_of(lookup, lookup.need(Combatant, who)).tags
    return bool({*tags} & {*settings.tags}) and settings.condition not in condition_names(lookup, rules, who)


def disable_action(
    lookup: Lookup, rules: RuleSystem, option: ActionOption, targets: tuple[str, ...], check: str, dc: int
) -> ActionOption:
    """Return an action to disable a device, with the check that this device requires.

    The stat block lists checks and their DCs. If it lists none, the game master has chosen one.
    """
    target = lookup.get(Combatant, targets[0]) if targets else None
    if option.done != DISABLE or target is None:
        return option
    abilities = {entry.id: entry.ability for entry in rules.data.skills}
    dcs = {f"check.{abilities[skill]}:{skill}": dc for skill, dc in disable_skills(lookup, rules, target.id)}
    rolls = tuple(dcs) or ((check,) if check else ())
    chosen_check = check or (rolls[0] if len(rolls) == 1 else "")
    return msgspec.structs.replace(option, trial=ActionCheck(rolls, dcs.get(chosen_check, dc), ledger=option.rule()))


def disable_skills(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[tuple[str, int], ...]:
    """Return the skills that disable a device, each with its DC, as listed in the stat block."""
    skills = {skill.id for skill in rules.data.skills}
    return tuple(pair for pair in creature_of(lookup, lookup.need(Combatant, who)).disable if pair[0] in skills)


def disable_progress(lookup: Lookup, who: str) -> tuple[int, int]:
    """Return the number of successes at disabling a device, and the number needed."""
    return track_value(lookup, who, PROGRESS), max(1, creature_of(lookup, lookup.need(Combatant, who)).disable_needs)
