"""Data of conditions and standing rules: the data rules that the engines read."""

from typing import Literal

import msgspec

from turnwright.encounter.field_specs import ConditionId, ConditionIds
from turnwright.rules.system_data.field_types import BonusType, RuleId, RuleIds, TextOrWordKey
from turnwright.rules.system_data.statements import ALWAYS, Statement

DataRuleKind = Literal[
    "modifier",
    "advantage",
    "disadvantage",
    "resource",
    "speed",
    "deny",
    "damage",
    "duration",
    "grant",
    "note",
    "prompt",
    "expertise",
    "critical",
    "fail",
    "ask",
    "flat",
]


class DataRule(msgspec.Struct, frozen=True, omit_defaults=True):
    """A single effect of a condition, an action or a standing rule.

    `what` names the number or roll (`save.dex`, `attack`, `attack-against`, `check`, `speed`, `action`); `set`, `add`
    or `times` (with `over`, a fraction) is its amount; `when` states when it is in
    force. A `grant` brings the condition `what` along, which stays. `ledger` is the
    rule it stands for, where the condition has several. `per_value` is added for each point of the condition's value;
    `type` is the kind of bonus or penalty, in a game where those of one kind don't add up. A `resource` rule changes
    how many of `what` are refilled; `wears`: the value falls by as many as it has taken. A `duration` that is `held`
    ends with its creator's ability to hold: once it is dead, gone or, in the words of `when`, no longer fit for it. A
    `flat` rule has a check against `set` come before the attack. `per` `size`: it counts once for each whole size by
    which one is larger.
    """

    kind: DataRuleKind
    what: str
    set: int | None = None
    add: int = 0
    times: int = 1
    over: int = 1
    when: Statement = ALWAYS
    text: TextOrWordKey = ""
    ledger: RuleId = ""
    per_value: int = 0
    per: Literal["", "size"] = ""
    type: BonusType = ""
    wears: bool = False

    def amount_at(self, value: int = 0) -> int:
        """Return what the rule adds where the condition has a value."""
        return self.add + self.per_value * value


class Condition(msgspec.Struct, frozen=True, omit_defaults=True):
    """A condition with its effects. `external`: the sources only name it; the numbers are the field's public ones.

    `valued`: it has a value, of which the greater holds where it comes twice; `stacks`: the two add up instead.
    `until`: it ends as soon as its bearer spends anything on an action, or its creator does. `falls` is by how much its
    value falls as each turn of its bearer ends; `after` names the condition that its end leaves. `ends`: the conditions
    that it takes the place of. `by_rules`: only rules put it, so nobody is offered it to enter by hand.
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
    ledger: RuleIds = ()

    @property
    def has_levels(self) -> bool:
        """Whether it has a value, or rules that are in force from a level on."""
        return self.valued or any(fact.word == "level" for rule in self.rules for fact in rule.when.facts)
