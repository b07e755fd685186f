"""Data rules: what conditions, actions, standing rules and features do to rolls and numbers."""

from typing import Annotated, Literal

import msgspec

from turnwright.encounter.field_specs import MAX_NUMBER, DiceText, FieldSpec

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
    "extra",
    "spared",
    "unprovoking",
    "senses",
    "terrain",
]

_Change = Annotated[int, FieldSpec(least=-MAX_NUMBER, most=MAX_NUMBER)]


class DataRule(msgspec.Struct, frozen=True, omit_defaults=True):
    """A single effect of a condition, an action, a feature or a standing rule.

    `what` names the number or roll (`save.dex`, `attack`, `attack-against`, `check`, `speed`, `action`); `set`, `add`
    or `times` (with `over`, a fraction; damage -1 times heals) is its amount; `when` is the statement of when it is in
    force. A `grant` brings the condition `what` along, which stays. `ledger` is the
    rule it stands for, where the condition has several. `per_value` is added for each point of the condition's value;
    `type` is the kind of bonus or penalty, in a game where those of one kind don't add up. A `resource` rule changes
    how many of `what` are refilled; `wears`: the value falls by as many as it has taken. A `duration` that is `held`
    ends with its creator's ability to hold: once it is dead, gone or, in the words of `when`, no longer fit for it. A
    `flat` rule has a check against `set` come before the attack. `per` `size`: it counts once for each whole size by
    which one is larger. `extra` adds `dice` to the damage of an attack. A `spared` combatant takes nothing where its save
    would have halved the damage, and `times` over `over` of it where the save fails. An `unprovoking` one makes no
    opportunity attacks by moving in the mode `what` (`move`: any). `senses` names what doesn't hinder its sight, `terrain`
    the ground that costs nothing more.
    """

    kind: DataRuleKind
    what: str
    set: _Change | None = None
    add: _Change = 0
    times: Annotated[int, FieldSpec(least=-1, most=1000)] = 1
    over: Annotated[int, FieldSpec(least=1, most=1000)] = 1
    when: Annotated[str, FieldSpec(ids=("statement",))] = ""
    text: Annotated[str, FieldSpec(ids=("text",))] = ""
    ledger: Annotated[str, FieldSpec(ids=("rule",))] = ""
    per_value: _Change = 0
    per: Literal["", "size"] = ""
    type: Annotated[str, FieldSpec(ids=("type of bonus",))] = ""
    wears: bool = False
    dice: DiceText = ""

    def amount_at(self, value: int = 0) -> int:
        """Return what the rule adds where the condition has a value."""
        return self.add + self.per_value * value
