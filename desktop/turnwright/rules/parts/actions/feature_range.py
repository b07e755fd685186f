"""Range checks for features that don't have an attack roll."""

from __future__ import annotations

from turnwright.encounter.prepared import Feature
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import Veto
from turnwright.rules.parts import positions
from turnwright.rules.parts.actions.action_options import feature_rule
from turnwright.rules.parts.attacks.weapon_kind import ranges
from turnwright.rules.system import RuleSystem


def out_of_range_vetoes(lookup: Lookup, rules: RuleSystem, who: str, feature: Feature, target: str) -> tuple[Veto, ...]:
    """Return the veto on a target outside a feature's range or reach. Empty if the distance is unknown."""
    farthest = max(*ranges(feature), feature.reach)
    feet = positions.distance(lookup, rules, who, target) if who != target and farthest else None
    if feet is None or feet <= farthest:
        return ()
    relation = positions.stated_relation(lookup, who, target)
    if relation is not None and relation.reached and not feature.range:
        return ()
    params = (("what", feature.name), ("feet", feet), ("range", farthest), ("reach", farthest))
    reason = "refused.out_of_range" if feature.range else "refused.out_of_reach"
    return (Veto(reason, feature_rule(lookup, rules, who), params),)
