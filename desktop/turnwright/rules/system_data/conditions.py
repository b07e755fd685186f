"""Data of conditions and standing rules."""

from typing import Literal

import msgspec

from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.field_specs import ConditionId, ConditionIds
from turnwright.rules.system_data.field_types import RuleIds
from turnwright.rules.system_data.statements import facts_in


class Condition(msgspec.Struct, frozen=True, omit_defaults=True):
    """A condition with its effects. `external`: the sources only name it; the numbers are the field's public ones.

    `valued`: it has a value, of which the greater holds where it comes twice; `stacks`: the two add up instead.
    `until`: it ends as soon as its bearer spends anything on an action, or its creator does. `falls` is by how much its
    value falls as each turn of its bearer ends; `after` names the condition that its end leaves. `ends`: the conditions
    that it takes the place of. `by_rules`: only rules put it, so nobody is offered it to enter by hand.
    `printed`: it is a condition of the game, and no mark that the program keeps.
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
        """Whether it has a value, or rules that are in force from a level on."""
        return self.valued or any(fact.word == "level" for rule in self.rules for fact in facts_in(rule.when))
