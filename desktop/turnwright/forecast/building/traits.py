"""Traits and reactions that apply every turn: hit points regained at the start of a turn, and parries."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from turnwright.forecast.building.sources import CANNOT_BE_READ
from turnwright.forecast.tables import typed_amounts
from turnwright.rules.parts.actions.triggered_features import acts_by_itself, armor_class_of
from turnwright.rules.parts.conditions.predicates import is_there
from turnwright.rules.system_data.statements import facts_in

if TYPE_CHECKING:
    from turnwright.encounter.prepared import Feature
    from turnwright.forecast.building.amounts import Amounts
    from turnwright.forecast.building.notes import Notes
    from turnwright.forecast.building.questions import Questions

SUFFERED = "suffered"


class Standing(NamedTuple):
    """A combatant's regeneration per turn, a mask of the damage types that stop it, and its parry bonus."""

    regains: int = 0
    stopped_by: int = 0
    parry: int = 0


def standing_of(questions: Questions, amounts: Amounts, notes: Notes, who: str) -> Standing:
    """Return the regeneration and parry that a combatant's features provide."""
    creature, standing = questions.creature(who), Standing()
    for feature in creature.features:
        if feature.plays == "off" or not is_there(questions.placeless, questions.rules, who, feature):
            continue
        if feature.trigger == "turn-start" and feature.heals and feature.cost in ("trait", "free"):
            mask = _mask(amounts, feature)
            if mask is None:
                notes.left_out("creatures", creature.id, feature.id, "hangs_on_facts", when=feature.when)
                continue
            try:
                mean = sum(part.chances.mean for part in typed_amounts(feature.heals))
            except CANNOT_BE_READ:
                continue
            standing = standing._replace(regains=standing.regains + round(mean), stopped_by=standing.stopped_by | mask)
            if acts_by_itself(feature) and feature.plays != "asks":
                notes.used("creatures", creature.id, feature.id)
            else:
                notes.assumed("creatures", creature.id, feature.id, "each_turn")
        elif feature.trigger == "attacked" and feature.cost == "reaction" and armor_class_of(feature) > standing.parry:
            standing = standing._replace(parry=armor_class_of(feature))
            if feature.uses or feature.when:
                notes.assumed("creatures", creature.id, feature.id, "parry")
            else:
                notes.used("creatures", creature.id, feature.id)
    return standing


def _mask(amounts: Amounts, feature: Feature) -> int | None:
    """Return the damage types that stop a feature, as bits, or None if it depends on something else."""
    mask = 0
    for fact in facts_in(feature.when):
        if fact.word != SUFFERED or not fact.negated:
            return None
        for (kind, _), number in amounts.types.items():
            if kind == fact.argument:
                mask |= 1 << min(number, 30)
    return mask
