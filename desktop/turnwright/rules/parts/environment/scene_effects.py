"""Effects entered for a place in addition to the game's own: edges on kinds of rolls, actions that cost more."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from turnwright.dice.roll import Edge
from turnwright.encounter.prepared import Environment, EnvironmentEntry
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import NO_RESULT, HookContext, HookResult
from turnwright.rules.parts.environment.entries import entry_rule, is_active, is_in_area
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.actions import ActionOption


def on_rolls(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the edges that standing features give to rolls made in their area, at CHECK_MADE."""
    if context.subject.endswith("-against"):
        return NO_RESULT
    edges = tuple(
        Edge(kind, row.name, entry_rule(row) or rules.rule_id("scene.edge"))
        for row in _features_around(
            lookup, rules, context.who, lambda row: bool(row.edge) and _applies_to(row.edge_on, context)
        )
        if (kind := row.edge)
    )
    return HookResult(edges=edges) if edges else NO_RESULT


def _applies_to(on: str, context: HookContext) -> bool:
    """Return whether a roll is of a kind: any, attacks, saves, checks, or attacks of one sort."""
    broad = context.subject.partition(".")[0]
    if on in ("melee", "ranged"):
        return broad == "attack" and on in context.tags
    return on in ("", broad)


def extra_points(lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption) -> int:
    """Return how many more points an action takes where a combatant stands."""
    found = _features_around(lookup, rules, who, lambda row: bool(row.dearer))
    return sum(dict(row.dearer).get(option.id, 0) for row in found)


def _features_around(
    lookup: Lookup, rules: RuleSystem, who: str, wanted: Callable[[EnvironmentEntry], bool]
) -> Iterator[EnvironmentEntry]:
    """Yield the standing features wanted where a combatant stands, its place checked last, which takes long."""
    for environment in lookup.all(Environment):
        for row in environment.features:
            is_meant = wanted(row) and is_active(lookup, environment, row)
            if is_meant and is_in_area(lookup, who, environment.id, row.id, rules):
                yield row
