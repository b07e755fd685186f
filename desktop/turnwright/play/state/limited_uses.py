"""Limited uses: spell slots, uses a day, features that recharge, legendary actions.

Each is a track. Without a record it stands at its maximum, whenever the stat block gained it.
"""

from __future__ import annotations

from turnwright.encounter.prepared import Feature, UsesPeriod
from turnwright.encounter.running import Combatant, Track, track_id
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.events import UsesSet, UsesSpent
from turnwright.rules.hooks import Veto
from turnwright.rules.parts.actions.action_options import feature_rule
from turnwright.rules.parts.conditions.predicates import is_there
from turnwright.rules.system import RuleSystem, creature_of

LEGENDARY = "legendary"
USES = "uses."


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
        return creature.legendary
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
    names += [LEGENDARY] if creature.legendary else []
    return [_track(lookup, who, name, remaining_uses(lookup, who, name)) for name in names]


def _track(lookup: Lookup, who: str, name: str, left: int) -> Track:
    """Return a use track with so many left; a number above the maximum, set by hand, raises the maximum to it."""
    return Track(track_id(who, name), who, name, left, max(maximum_uses(lookup, who, name), left))


def use_vetoes(
    lookup: Lookup, rules: RuleSystem, who: str, feature: Feature, level: int | None = None
) -> tuple[Veto, ...]:
    """Return why a feature can't be used: it isn't there now, or has no slot, use or recharge left; empty where it can."""
    if not is_there(lookup, rules, who, feature):
        params = (("what", feature.name), ("when", feature.only))
        return (Veto("refused.not_there", feature_rule(lookup, rules, who, feature), params),)
    name = use_key(feature, level)
    if not name or remaining_uses(lookup, who, name) > 0:
        return ()
    word = name.partition(".")[0]
    if word == "slots" and not maximum_uses(lookup, who, name):
        return ()  # a stat block that lists no slots leaves counting them to its player
    return (Veto(f"refused.no_{word}", feature_rule(lookup, rules, who, feature), (("what", feature.name),)),)


def spend_use(tx: Transaction, who: str, name: str, what: str, count: int = 1) -> None:
    """Spend uses of a track, never below 0, and report it; nothing where there is no such limit."""
    most = maximum_uses(tx, who, name)
    left = max(0, remaining_uses(tx, who, name) - count)
    if not name or not most:
        return
    tx.put(_track(tx, who, name, left))
    tx.emit(UsesSpent(who=who, use_key=name, what=what, left=left, maximum=most))


def set_uses(tx: Transaction, rules: RuleSystem, who: str, name: str, left: int) -> None:
    """Set the remaining uses of a track by hand, and report it; more than the maximum takes an override."""
    before = remaining_uses(tx, who, name)
    if left == before:
        return
    combatant, most = tx.need(Combatant, who), maximum_uses(tx, who, name)
    if left > max(before, most):
        tx.forbid("refused.more_than_all", feature_rule(tx, rules, who), who=combatant.label, most=most)
    features = creature_of(tx, combatant).features
    what = next((one.name for one in features if one.id == name.partition(".")[2]), "")
    tx.put(_track(tx, who, name, left))
    tx.emit(UsesSet(who=who, use_key=name, what=what, before=before, left=left))


def restore_uses(tx: Transaction, who: str, *words: str) -> None:
    """Restore uses of some kinds (`slots`, `uses`, `recharge`, `legendary`) to their maximum."""
    for track in tx.of(Track, who):
        if track.name.partition(".")[0] in words:
            tx.put(_track(tx, who, track.name, maximum_uses(tx, who, track.name)))


def reset_uses(tx: Transaction, who: str, *spans: UsesPeriod) -> None:
    """Restore the uses of a combatant's features whose period (`round`, …) now begins anew."""
    spent = [track for track in tx.of(Track, who) if track.name.startswith(USES)]
    if not spent:
        return
    features = {one.id: one for one in creature_of(tx, tx.need(Combatant, who)).features}
    for track in spent:
        feature = features.get(track.name.partition(".")[2])
        if feature is not None and feature.per in spans:
            tx.put(_track(tx, who, track.name, maximum_uses(tx, who, track.name)))


def reset_all_uses(tx: Transaction, *spans: UsesPeriod) -> None:
    """Restore the uses of everybody's features whose period now begins anew."""
    for who in dict.fromkeys(track.owner for track in tx.all(Track) if track.name.startswith(USES)):
        reset_uses(tx, who, *spans)


def awaiting_recharge(lookup: Lookup, who: str) -> tuple[Feature, ...]:
    """Return the spent features of a combatant that may recharge."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    return tuple(
        one for one in creature.features if one.recharge and not remaining_uses(lookup, who, f"recharge.{one.id}")
    )


def affordable_legendary_actions(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[Feature, ...]:
    """Return the legendary actions that a combatant can still pay for, and of which it has uses left."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
    left = remaining_uses(lookup, who, LEGENDARY) if creature.legendary else 0
    found = (one for one in creature.features if one.cost == "legendary" and one.price <= left)
    left_of = (one for one in found if not use_key(one) or remaining_uses(lookup, who, use_key(one)))
    return tuple(one for one in left_of if is_there(lookup, rules, who, one))
