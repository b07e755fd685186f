"""Data of conditions and standing rules."""

from typing import Literal

import msgspec

from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.field_specs import ConditionId, ConditionIds
from turnwright.rules.system_data.field_types import RuleIds
from turnwright.rules.system_data.statements import facts_in


class Condition(msgspec.Struct, frozen=True, omit_defaults=True):
    """A condition with its effects.

    `external`: the sources only name it, and its numbers are the game's usual ones. `valued`: it has a value. If it is
    applied twice, the higher value counts or, with `stacks`, the sum. `until`: it ends as soon as the affected
    creature, or the effect's creator, spends anything on an action. `falls` is the amount by which its value falls at
    the end of each of the creature's turns. `after` is the condition that follows its end. `ends` are the conditions
    that it replaces. `by_rules`: only rules apply it, so it isn't offered for manual entry. `printed`: it is a
    condition of the game, not an internal mark.
    """

    id: str
    name: str
    text: str = ""
    icon: str = ""
    rules: tuple[DataRule, ...] = ()
    implies: ConditionIds = ()
    external: bool = False
    valued: bool = False
    stacks: bool = False
    until: Literal["", "acts", "source-acts"] = ""
    falls: int = 0
    after: ConditionId = ""
    ends: ConditionIds = ()
    by_rules: bool = False
    printed: bool = True
    ledger: RuleIds = ()

    @property
    def has_levels(self) -> bool:
        """Whether it has a value, or rules that only apply from a certain level."""
        return self.valued or any(fact.word == "level" for rule in self.rules for fact in facts_in(rule.when))
