"""Reads what a grapple does: attacks of the holder on one target only, advantage against it, and damage each turn.

Example: `Until this grapple ends, the target is restrained, and the snake can't constrict another target.`
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Feature, InflictedCondition, OtherDamage
from turnwright.importers.statblock_text.damage import number_in_words
from turnwright.importers.vocabulary import Patterns

_RE: Final = Patterns("grips")
_HOLDING: Final = ("grappled", "clung-to")
_GRAPPLES: Final = "grapples"  # the damage of an attack that grapples instead of dealing damage of one type


def with_grips(creature: Creature) -> Creature:
    """Return a creature whose grappling features hold one target, and attack it with advantage, as their texts say."""
    features = tuple(_with_grip(feature, creature.features) for feature in creature.features)
    return msgspec.structs.replace(creature, features=features) if features != creature.features else creature


def _with_choice(feature: Feature) -> Feature:
    """Return an attack whose owner can choose to grapple the target instead of dealing one type of damage."""
    found = _RE.instead.search(feature.text) if feature.attack is not None and not feature.other_damage else None
    if found is None:
        return feature
    rest = " + ".join(part for part in feature.damage.split(" + ") if not part.endswith(found["type"] or ""))
    grappled = InflictedCondition("grappled", escape_dc=int(found["dc"]), when=f"with:{_GRAPPLES}")
    size = f"up-to:{found['size'].lower()}" if found["size"] else ""
    held = (InflictedCondition("restrained", bound_to="grappled", when=size),) if found["size"] else ()
    read = (*feature.read, "other_damage", "afflictions")
    other = (OtherDamage(_GRAPPLES, rest),)
    return msgspec.structs.replace(feature, other_damage=other, afflictions=(grappled, *held), read=read)


def _with_grip(feature: Feature, others: Sequence[Feature]) -> Feature:
    feature = _with_choice(feature)
    grapples = next((each.condition for each in feature.afflictions if each.condition in _HOLDING), "")
    found = _RE.held.search(feature.text) if grapples and not feature.trigger else None
    changes: dict[str, Any] = {}
    for clause in _RE.clause.split(found["what"].lower()) if found else ():
        named = feature if _RE.this.search(clause) else _named(clause, feature, others)
        if _RE.one.search(clause) and (named is feature or (named is None and _RE.itself.search(clause))):
            changes["when"] = f"holds | not gripping:{feature.id}"
        elif named is feature and _RE.again.search(clause):
            changes["when"] = f"not gripping:{feature.id}"
        elif _RE.sure.search(clause):
            changes["rules"] = (DataRule("hit", "attack", when=f"with:{(named or feature).id}, holds"),)
        elif _RE.edge.search(clause) and (named or _RE.any.search(clause)):
            when = f"with:{named.id}, holds" if named else "holds"
            changes["rules"] = (DataRule("advantage", "attack", when=when),)
    if found and (hurts := _RE.hurts.search(found["what"])):
        at = "turn-start" if hurts["its"] else "owner-start"
        dealt = " + ".join(" ".join(part) for part in _RE.part.findall(hurts["all"].lower()))
        changes |= {"ongoing": dealt, "ongoing_at": at, "ongoing_while": grapples}
    if feature.attack is not None and not feature.other_damage and _RE.halved.search(feature.text):
        changes["rules"] = (DataRule("modifier", "damage", over=2, when=f"with:{feature.id}, bloodied"),)
    limbs, limit = _RE.limbs.search(feature.text) if grapples else None, f"not other.gripping:{feature.id}"
    if limbs and limit not in str(feature.afflictions):
        limit += f":{number_in_words(limbs['one'] or limbs['each'] or limbs['more'] or '1')}"
        changes["afflictions"] = tuple(_limited(each, limit) for each in feature.afflictions)
    if "rules" in changes:
        changes["rules"] = tuple(dict.fromkeys((*feature.rules, *changes["rules"])))
    changes = {field: value for field, value in changes.items() if field in feature.read or not getattr(feature, field)}
    read = tuple(dict.fromkeys((*feature.read, *changes)))
    return msgspec.structs.replace(feature, **changes, read=read) if changes else feature


def _limited(affliction: InflictedCondition, limit: str) -> InflictedCondition:
    """Return a grapple that also needs a statement to be true. Other conditions stay as they are."""
    when = ", ".join(filter(None, (affliction.when, limit)))
    return msgspec.structs.replace(affliction, when=when) if affliction.condition == "grappled" else affliction


def _named(clause: str, feature: Feature, others: Sequence[Feature]) -> Feature | None:
    """Return the feature that a clause names, preferably the grappling feature itself."""
    attacks = (other for other in others if other.attack is not None and other is not feature)
    called = ((each, _plain(_RE.bracket.sub("", each.name)).strip().removesuffix("s")) for each in (feature, *attacks))
    return next((each for each, name in called if name and name in _plain(clause)), None)


def _plain(text: str) -> str:
    return text.lower().replace("'", "").replace("\u2019", "")
