"""Limited uses: spell slots, uses per day, features that recharge, legendary actions.

Each is stored as a track. A missing track counts as full, even if the stat block got the feature later.
"""

from __future__ import annotations

from typing import Final

from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant, Track, track_id
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.combatants.phases import legendary_actions
from turnwright.rules.parts.conditions.predicates import is_there
from turnwright.rules.system import RuleSystem, creature_of

LEGENDARY: Final = "legendary"
USES: Final = "uses."


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
    with_uses = (
        feature for feature in affordable if not use_key(feature) or remaining_uses(lookup, who, use_key(feature))
    )
    return tuple(feature for feature in with_uses if is_there(lookup, rules, who, feature))
