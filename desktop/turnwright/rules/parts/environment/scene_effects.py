"""Additional effects that the game master entered for a place: edges on rolls, and higher prices of actions."""

from __future__ import annotations

from turnwright.dice.roll import Edge
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import NO_RESULT, HookContext, HookResult
from turnwright.rules.parts.environment.entries import active_features, entry_rule
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.actions import ActionOption


def on_rolls(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the edges that features give to rolls made in their area, at CHECK_MADE."""
    if context.subject.endswith("-against"):
        return NO_RESULT
    edges = tuple(
        Edge(kind, row.name, entry_rule(row) or rules.rule_id("scene.edge"))
        for _, row in active_features(
            lookup, context.who, rules, lambda row: row.edge and _applies_to(row.edge_on, context)
        )
        if (kind := row.edge)
    )
    return HookResult(edges=edges) if edges else NO_RESULT


def _applies_to(on: str, context: HookContext) -> bool:
    """Return whether an effect on `on` applies to a roll: all rolls, attacks, saves, checks, or melee or ranged."""
    broad = context.subject.partition(".")[0]
    if on in ("melee", "ranged"):
        return broad == "attack" and on in context.tags
    return on in ("", broad)


def extra_points(lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption) -> int:
    """Return the surcharge in points for an action at a combatant's place."""
    dearer_rows = active_features(lookup, who, rules, lambda row: row.dearer)
    return sum(dict(row.dearer).get(option.id, 0) for _, row in dearer_rows)
