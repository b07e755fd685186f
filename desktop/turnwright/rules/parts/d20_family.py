"""The rule system of a game, from its data: all games share the parts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache

from turnwright.encounter.state import Lookup
from turnwright.rules.explained_number import ExplainedNumber
from turnwright.rules.hooks import Hook, HookFunction
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data import SystemData


class HookFunctions(Mapping[Hook, tuple[HookFunction, ...]]):
    """The functions at each hook, loaded when they are first asked for: preparing an encounter takes none of them."""

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
    """Return the rule system over a game's data."""
    return RuleSystem(data, HookFunctions(), allowance, sees_through)


def allowance(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> ExplainedNumber | None:
    """Return the feet that a combatant may move by a mode, or None where it can't move by that mode at all."""
    from turnwright.rules.parts.movement.allowance import allowance as found

    return found(lookup, rules, who, mode)


def sees_through(lookup: Lookup, rules: RuleSystem, who: str, hindrances: Collection[str]) -> frozenset[str]:
    """Return the hindrances of sight that a combatant's features overcome."""
    from turnwright.rules.parts.conditions.condition_rules import sees_through as found

    return found(lookup, rules, who, hindrances)
