"""Data of conditions and standing rules."""

from typing import Literal

import msgspec

from turnwright.encounter.field_specs import ConditionId, ConditionIds, DataRule
from turnwright.rules.system_data.numbers import RuleIds
from turnwright.rules.system_data.statements import facts_in


class Condition(msgspec.Struct, frozen=True, omit_defaults=True):
    """A condition with its effects. Standing rules have the same fields."""

    id: str
    """The id. In a file, it is the key of its table, as in `[conditions.prone]`."""
    name: str
    """The name. Example: `Prone`."""
    text: str = ""
    """The effects in one or two sentences, for cards and tooltips."""
    icon: str = ""
    """The name of its icon in the Material Design Icons. Example: `mdi6.bed`."""
    rules: tuple[DataRule, ...] = ()
    """Its effects as data rules. The page on the rule language describes them."""
    implies: ConditionIds = ()
    """Other conditions that a creature with this condition also has. Example: `["incapacitated", "prone"]`."""
    external: bool = False
    """Whether the source documents only name it. Its numbers are then the game's usual ones, and suggestions."""
    valued: bool = False
    """Whether it has a value, such as 2 in Frightened 2. Forms then ask for the value, and rules can use `per_value`
    and `level:2`. If the condition is applied twice, the higher value counts.
    """
    stacks: bool = False
    """Whether the values are added if the condition is applied twice."""
    until: Literal["", "acts", "source-acts"] = ""
    """Set it to `acts` if it ends as soon as the creature spends anything on an action, or to `source-acts` if the
    creator of the effect does.
    """
    falls: int = 0
    """The amount by which its value falls at the end of each of the creature's turns. Example: `1` for Frightened in
    Pathfinder.
    """
    after: ConditionId = ""
    """The condition that follows when it ends. Example: `wounded` after `dying`."""
    ends: ConditionIds = ()
    """Conditions that it replaces. They end when it begins."""
    by_rules: bool = False
    """Whether only rules apply it, so that it isn't offered for manual entry."""
    printed: bool = True
    """Whether it is a condition of the game, which printed cards include, not an internal mark."""
    ledger: RuleIds = ()
    """The ids of the ledger rules that it implements."""

    @property
    def has_levels(self) -> bool:
        """Whether it has a value, or rules that only apply from a certain level."""
        return self.valued or any(fact.word == "level" for rule in self.rules for fact in facts_in(rule.when))
