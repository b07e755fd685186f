"""The rule system of a game, built from its data. All games share the parts."""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache

from turnwright.encounter.data_rules import DataRuleKind
from turnwright.encounter.state import Lookup
from turnwright.rules.system import ExplainedNumber, Hook, HookFunction, RuleSystem
from turnwright.rules.system_data import SystemData


class HookFunctions(Mapping[Hook, tuple[HookFunction, ...]]):
    """The functions of each hook, imported on first use. Preparing an encounter needs none of them."""

    def __getitem__(self, hook: Hook) -> tuple[HookFunction, ...]:
        return _hook_functions()[hook]

    def __iter__(self) -> Iterator[Hook]:
        return iter(_hook_functions())

    def __len__(self) -> int:
        return len(_hook_functions())


@cache
def _hook_functions() -> Mapping[Hook, tuple[HookFunction, ...]]:
    from turnwright.rules.parts.hook_functions import HOOKS

    return HOOKS


def d20_system(data: SystemData) -> RuleSystem:
    """Return the rule system for a game's data."""
    return RuleSystem(data, HookFunctions(), allowance, feature_subjects, reach)


def allowance(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> ExplainedNumber | None:
    """Return a combatant's movement per turn in feet for a mode, or None if it can't use that mode."""
    from turnwright.rules.parts.movement.move_legs import allowance as found

    return found(lookup, rules, who, mode)


def reach(lookup: Lookup, rules: RuleSystem, who: str, feet: int) -> int:
    """Return a reach of a combatant in feet as effects change it."""
    return _changed_reach()(lookup, rules, who, feet)


@cache
def _changed_reach() -> Callable[[Lookup, RuleSystem, str, int], int]:
    from turnwright.rules.parts.conditions.numbers import changed_reach as found

    return found


def feature_subjects(
    lookup: Lookup, rules: RuleSystem, who: str, kind: DataRuleKind, subjects: Collection[str]
) -> frozenset[str]:
    """Return the subjects that a combatant's features affect by rules of one kind."""
    return _feature_subjects()(lookup, rules, who, kind, subjects)


@cache
def _feature_subjects() -> Callable[[Lookup, RuleSystem, str, DataRuleKind, Collection[str]], frozenset[str]]:
    from turnwright.rules.parts.conditions.condition_rules import feature_subjects as found

    return found
