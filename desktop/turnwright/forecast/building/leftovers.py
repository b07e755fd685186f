"""Adds notes on all remaining features, entries and outcomes, so that each appears in one list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from turnwright.encounter.prepared import Creature, Environment, EnvironmentEntry, Feature
from turnwright.encounter.running import Effect
from turnwright.forecast.building.actions import attacks_of_steps, surges
from turnwright.forecast.building.sources import BESIDE, is_counted, leaves_effect
from turnwright.rules.parts.actions.action_options import is_list
from turnwright.rules.parts.conditions.condition_rules import rules_in_force
from turnwright.rules.system_data.statements import facts_in

if TYPE_CHECKING:
    from turnwright.forecast.building.questions import Questions
    from turnwright.forecast.building.sources import Notes

ON_ROLLS: Final = frozenset(
    {"modifier", "advantage", "disadvantage", "critical", "fail", "extra", "damage", "expertise", "evasion"}
)


def note_the_rest(questions: Questions, notes: Notes) -> None:
    """Note why each remaining feature and entry is used or omitted, and which of its parts are missing."""
    creatures = (questions.creature(combatant.id) for combatant in questions.combatants)
    for creature in {id(creature): creature for creature in creatures}.values():
        for feature in creature.features:
            if notes.has("creatures", creature.id, feature.id):
                _note_gaps(questions, notes, creature, feature)
            else:
                _note_feature(notes, creature, feature)
        if creature.phases:
            names = ", ".join(phase.name or phase.id for phase in creature.phases)
            notes.left_out("creatures", creature.id, "", "phases", names=names)
    _note_effects(questions, notes)
    for environment in questions.begun.all(Environment):
        for entry in (*environment.features, *environment.actions):
            if not notes.has("environments", environment.id, entry.id):
                notes.left_out("environments", environment.id, entry.id, _reason_of_entry(entry))


def _note_effects(questions: Questions, notes: Notes) -> None:
    """Note the effects in force that end during a fight, and those that don't count."""
    for effect in questions.begun.all(Effect):
        condition = questions.rules.conditions.get(effect.name)
        if effect.target not in questions.index or not (effect.rules or (condition is not None and condition.rules)):
            continue
        subject = ("combatants", effect.target, condition.name if condition is not None else effect.name)
        if effect.rules and effect.uses_left:
            notes.left_out(*subject, "few_uses", n=effect.uses_left)
        elif effect.rounds_left:
            notes.assumed(*subject, "rounds_left", n=effect.rounds_left)
        if any(rule.what == "damage-against" for rule in effect.rules):
            notes.left_out(*subject, "from_some")


def _note_feature(notes: Notes, creature: Creature, feature: Feature) -> None:
    """Note a feature that isn't part of an action, source or trait."""
    subject = ("creatures", creature.id, feature.id)
    rules = rules_in_force(feature)
    if rules and feature.automation != "reminds" and any(rule.kind in ON_ROLLS for rule in rules):
        facts = (fact for rule in rules if rule.what == "attack" for fact in facts_in(rule.when))
        if any(fact.word in BESIDE for fact in facts):
            notes.assumed(*subject, "ally_near")
        elif any(rule.when for rule in rules):
            notes.assumed(*subject, "as_far_as_known")
        else:
            notes.used(*subject)
    elif feature.cost == "reaction":
        notes.left_out(*subject, "reaction")
    elif feature.attacks:  # attacks of an action are repeated as often
        notes.used(*subject)
    elif feature.automation != "reminds" and feature.does and not feature.trigger:
        notes.left_out(*subject, "list" if is_list(feature) and all(step.use for step in feature.does) else "steps")
    elif feature.automation == "reminds" or not (feature.trigger or feature.damage or feature.save or rules):
        notes.left_out(*subject, "text")
    else:
        notes.left_out(*subject, "moment" if feature.trigger else "not_simulated")


def _note_gaps(questions: Questions, notes: Notes, creature: Creature, feature: Feature) -> None:
    """Note the parts of a used feature that the simulated fights ignore."""
    subject = ("creatures", creature.id, feature.id)
    if not notes.is_in_use(*subject):
        return
    if feature.push:
        notes.assumed(*subject, "no_push")
    if len(feature.does) > len(attacks_of_steps(creature, feature)) + surges(feature):
        notes.assumed(*subject, "no_steps")
    if feature.other_damage:
        notes.assumed(*subject, "usual_damage")
    if leaves_effect(feature) and not all(map(is_counted, feature.effect)):
        notes.assumed(*subject, "rolls_only")
    if feature.immune_after:
        notes.assumed(*subject, "immune_after")
    for affliction in feature.afflictions:
        condition = questions.rules.conditions.get(affliction.condition)
        if condition is None or not (condition.rules or condition.implies):
            notes.assumed(*subject, "condition_open", condition=f"<condition.{affliction.condition}>")


def _reason_of_entry(entry: EnvironmentEntry) -> str:
    if not entry.enabled:
        return "switched_off"
    return "standing" if entry.trigger == "standing" else "needs_somebody"
