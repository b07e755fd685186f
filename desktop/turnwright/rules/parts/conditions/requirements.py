"""Requirements of actions, and the vetoes if they aren't met."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import HookContext, Veto
from turnwright.rules.parts.conditions.predicates import evaluate
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.actions import ActionOption, Requirement


def unmet_requirements(lookup: Lookup, rules: RuleSystem, who: str, option: ActionOption) -> Iterator[Veto]:
    """Yield the vetoes from an action's requirements that concern only its actor, whatever it costs."""
    for requirement in option.requires:
        if not requirement.of and not requirement.only:
            yield from unmet_requirement(lookup, rules, who, requirement, "")


def unmet_requirement(
    lookup: Lookup, rules: RuleSystem, who: str, requirement: Requirement, other: str
) -> Iterator[Veto]:
    """Yield the veto if a requirement isn't met. An unknown fact forbids nothing."""
    moment = HookContext(who, "action", other=other)
    if evaluate(lookup, rules, who, requirement.when, moment) is False:
        label = lookup.need(Combatant, who).label
        target = lookup.get(Combatant, other) if other else None
        argument = requirement.when.facts[0].argument  # such as the 5 of `within:5`
        params = (("who", label), ("target", target.label if target else ""), ("figure", argument))
        yield Veto(requirement.reason, requirement.ledger, params)
