"""What a condition, an action or a standing rule does to whoever has it: statements that the engines read."""

from __future__ import annotations

from typing import Literal

import msgspec

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
    """One thing that a condition or an action does to whoever has it.

    `what` names the figure or roll (`save.dex`, `start_attack_action`, `attack-against`, `ask_check`, `speed`,
    `action`); `set` and `add` and `times` (with `after_lair_actions`, a fraction) are its figure, one of them; `when`
    holds facts joined by commas (`rules.parts.conditions.predicates`). A `grant` brings the condition `what` along,
    which stays. `ledger` is the rule it stands for, where the condition has several. `per_value` is added for each
    point of the condition's value; `type` is the kind of bonus or penalty, in a game where those of one kind don't add
    up. A `resource` rule changes how many of `what` come back; `wears`: the value falls by as many as it has taken. A
    `duration` that is `ask_break_grapple` ends with its maker's ability to hold: once they are dead, gone or, in the
    words of `when`, no longer fit for it. A `flat` rule has a check against `set` come before the attack. `per` `size`:
    it counts once for each whole unit of length by which one is the larger.
    """

    kind: DataRuleKind
    what: str
    set: int | None = None
    add: int = 0
    times: int = 1
    over: int = 1
    when: str = ""
    text: str = ""
    ledger: str = ""
    per_value: int = 0
    per: Literal["", "size"] = ""
    type: str = ""
    wears: bool = False

    def amount_at(self, value: int = 0) -> int:
        """Return what it adds where the condition stands at a value."""
        return self.add + self.per_value * value


class Condition(msgspec.Struct, frozen=True, omit_defaults=True):
    """A condition with its effects. `external`: the sources only name it; the figures are the field's public ones.

    `valued`: it stands at a value, of which the greater holds where it comes twice; `stacks`: the two add up instead.
    `until`: it ends as soon as whoever has it spends anything on an action, or whoever it comes from does. `falls` is
    by how much its value falls as each turn of whoever has it ends; `after` names the condition that its end leaves
    behind.
    """

    id: str
    name: str
    text: str = ""
    icon: str = ""
    rules: tuple[DataRule, ...] = ()
    implies: tuple[str, ...] = ()
    external: bool = False
    valued: bool = False
    stacks: bool = False
    until: Literal["", "acts", "source-acts"] = ""
    falls: int = 0
    after: str = ""
    ledger: tuple[str, ...] = ()
