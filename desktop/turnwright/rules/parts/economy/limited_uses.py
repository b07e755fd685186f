"""Limited uses: spell slots, uses per day, features that recharge, legendary actions.

Each is stored as a track. A missing track counts as full, even if the stat block got the feature later.

Declared actions: the order in which they resolve, and the combatants that can react to them.
"""

from __future__ import annotations

from typing import Final

from turnwright.encounter.prepared import (
    Feature,
)
from turnwright.encounter.procedure_state import Declaration
from turnwright.encounter.running import (
    Combatant,
    Effect,
    Track,
    track_id,
)
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.combatants.facts import cannot_act
from turnwright.rules.parts.combatants.phases import legendary_actions
from turnwright.rules.parts.conditions.predicates import is_there
from turnwright.rules.parts.economy import resources
from turnwright.rules.system import RuleSystem, creature_of

LEGENDARY: Final = "legendary"
USES: Final = "uses."
SLOTS = "slots."


def use_key(feature: Feature, level: int | None = None) -> str:
    """Return the name of the track that a feature uses: a slot level, uses, or a recharge. Empty if it is unlimited."""
    spent = feature.level if level is None else level
    if spent:
        return f"slots.{spent}"
    if feature.uses:
        return f"uses.{feature.id}"
    return f"recharge.{feature.id}" if feature.recharge else ""


def maximum_uses(lookup: Lookup, who: str, name: str) -> int:
    """Return the maximum of a combatant's track of uses."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    word, _, rest = name.partition(".")
    if word == LEGENDARY:
        return legendary_actions(lookup, who)
    if word == "slots":
        return dict(creature.slots).get(rest, 0)
    feature = next((candidate for candidate in creature.features if candidate.id == rest), None)
    if feature is None:
        return 0
    return feature.uses if word == "uses" else 1 if feature.recharge else 0


def remaining_uses(lookup: Lookup, who: str, name: str) -> int:
    """Return the number of uses left on a track."""
    track = lookup.get(Track, track_id(who, name))
    return track.value if track is not None else maximum_uses(lookup, who, name)


def all_uses(lookup: Lookup, who: str) -> list[Track]:
    """Return a combatant's limited uses as tracks: spell slots by level, then features, then legendary actions."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    names = [f"slots.{level}" for level, count in creature.slots if count]
    names += [f"uses.{feature.id}" for feature in creature.features if feature.uses]
    names += [f"recharge.{feature.id}" for feature in creature.features if feature.recharge and not feature.uses]
    names += [LEGENDARY] if legendary_actions(lookup, who) else []
    return [use_track(lookup, who, name, remaining_uses(lookup, who, name)) for name in names]


def uses_at_head(lookup: Lookup, who: str) -> list[Track]:
    """Return the limited uses to show above a stat block. A listed spell appears only after it was used."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    spells = {f"{USES}{feature.id}" for feature in creature.features if feature.is_spell}
    return [track for track in all_uses(lookup, who) if track.name not in spells or track.value < track.maximum]


def use_track(lookup: Lookup, who: str, name: str, uses: int) -> Track:
    """Return a track with `left` uses. A number above the maximum, set by hand, raises the maximum."""
    return Track(track_id(who, name), who, name, uses, max(maximum_uses(lookup, who, name), uses))


def awaiting_recharge(lookup: Lookup, who: str) -> tuple[Feature, ...]:
    """Return a combatant's spent features that may recharge."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    return tuple(
        feature
        for feature in creature.features
        if feature.recharge and not remaining_uses(lookup, who, f"recharge.{feature.id}")
    )


def affordable_legendary_actions(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[Feature, ...]:
    """Return the legendary actions that a combatant can still pay for and that have uses left."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    if not (creature.legendary or creature.phases):
        return ()
    remaining = remaining_uses(lookup, who, LEGENDARY) if legendary_actions(lookup, who) else 0
    affordable = (feature for feature in creature.features if feature.cost == LEGENDARY and feature.price <= remaining)
    with_uses = (item for item in affordable if not use_key(item) or remaining_uses(lookup, who, use_key(item)))
    return tuple(feature for feature in with_uses if is_there(lookup, rules, who, feature))


def can_be_reacted_to(lookup: Lookup, rules: RuleSystem) -> bool:
    """Return whether actions are declared first, so that every combatant is asked for a reaction."""
    settings = rules.data.reactions
    return settings.stack and not (settings.on_call and rules.has_option(lookup, settings.on_call))


def pending_declarations(lookup: Lookup) -> tuple[Declaration, ...]:
    """Return the unresolved declarations, in the order in which they were made."""
    return tuple(lookup.all(Declaration))


def resolution_order(lookup: Lookup) -> tuple[Declaration, ...]:
    """Return the declarations in the order in which they resolve: the newest first, moves last."""
    newest_first = pending_declarations(lookup)[::-1]
    return tuple(sorted(newest_first, key=lambda declaration: declaration.is_movement))


def newest_declaration(lookup: Lookup, who: str) -> Declaration | None:
    """Return a combatant's newest declaration."""
    return next((item for item in reversed(pending_declarations(lookup)) if item.who == who), None)


def reactors(lookup: Lookup, rules: RuleSystem) -> tuple[str, ...]:
    """Return the ids of combatants that can react: they can act, it isn't their turn, and they can pay for it."""
    return tuple(combatant.id for combatant in lookup.all(Combatant) if can_respond(lookup, rules, combatant.id))


def can_respond(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether a combatant can react now. An unknown fact forbids nothing."""
    combatant = lookup.get(Combatant, who)
    if combatant is None or combatant.bystander or cannot_act(lookup, who) or resources.is_on_turn(lookup, who):
        return False
    if lookup.get(Effect, resources.reaction_mark_id(who)) is not None:
        return False
    stand_ins = {resource.instead for resource in rules.data.resources if resource.instead}
    return any(
        resources.remaining(lookup, who, name) > 0 and not resources.denial_vetoes(lookup, rules, who, name)
        for name in stand_ins
    )
