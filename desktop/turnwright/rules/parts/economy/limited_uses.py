"""Limited uses: spell slots, uses a day, features that recharge, legendary actions.

Each is a track. Without a record it stands at its maximum, whenever the stat block gained it.
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
    """Return the name of the track that a feature draws on: a slot of a level, uses, a recharge; empty for no limit."""
    spent = feature.level if level is None else level
    if spent:
        return f"slots.{spent}"
    if feature.uses:
        return f"uses.{feature.id}"
    return f"recharge.{feature.id}" if feature.recharge else ""


def maximum_uses(lookup: Lookup, who: str, name: str) -> int:
    """Return how many uses of a track a combatant has when nothing is spent."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    word, _, rest = name.partition(".")
    if word == LEGENDARY:
        return legendary_actions(lookup, who)
    if word == "slots":
        return dict(creature.slots).get(rest, 0)
    feature = next((one for one in creature.features if one.id == rest), None)
    if feature is None:
        return 0
    return feature.uses if word == "uses" else 1 if feature.recharge else 0


def remaining_uses(lookup: Lookup, who: str, name: str) -> int:
    """Return how many uses of a track are left."""
    track = lookup.get(Track, track_id(who, name))
    return track.value if track is not None else maximum_uses(lookup, who, name)


def all_uses(lookup: Lookup, who: str) -> list[Track]:
    """Return all limited uses of a combatant as tracks: slots by level, then features, then legendary actions."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    names = [f"slots.{level}" for level, count in creature.slots if count]
    names += [f"uses.{one.id}" for one in creature.features if one.uses]
    names += [f"recharge.{one.id}" for one in creature.features if one.recharge and not one.uses]
    names += [LEGENDARY] if legendary_actions(lookup, who) else []
    return [use_track(lookup, who, name, remaining_uses(lookup, who, name)) for name in names]


def uses_at_head(lookup: Lookup, who: str) -> list[Track]:
    """Return the limited uses to show above a stat block: a spell of a list only once one of its uses is spent."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    spells = {f"{USES}{one.id}" for one in creature.features if one.is_spell}
    return [one for one in all_uses(lookup, who) if one.name not in spells or one.value < one.maximum]


def use_track(lookup: Lookup, who: str, name: str, left: int) -> Track:
    """Return a use track with so many left; a number above the maximum, set by hand, raises the maximum to it."""
    return Track(track_id(who, name), who, name, left, max(maximum_uses(lookup, who, name), left))


def awaiting_recharge(lookup: Lookup, who: str) -> tuple[Feature, ...]:
    """Return the spent features of a combatant that may recharge."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    return tuple(
        one for one in creature.features if one.recharge and not remaining_uses(lookup, who, f"recharge.{one.id}")
    )


def affordable_legendary_actions(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[Feature, ...]:
    """Return the legendary actions that a combatant can still pay for, and of which it has uses left."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    if not (creature.legendary or creature.phases):
        return ()
    left = remaining_uses(lookup, who, LEGENDARY) if legendary_actions(lookup, who) else 0
    found = (one for one in creature.features if one.cost == LEGENDARY and one.price <= left)
    left_of = (one for one in found if not use_key(one) or remaining_uses(lookup, who, use_key(one)))
    return tuple(one for one in left_of if is_there(lookup, rules, who, one))
