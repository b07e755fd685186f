"""Data rules: effects of conditions, actions, standing rules and features on rolls and numbers."""

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

    `what` is the number or roll that changes (`save.dex`, `attack`, `attack-against`, `check`, `speed`, `action`). The
    amount is `set`, `add` or `times` (as a fraction with `over`; damage times -1 heals). `when` is the statement under
    which it applies. `ledger` is the rule it represents, if the condition has several. `per_value` is added for each
    point of the condition's value. `type` is the type of bonus or penalty, in rule systems in which equal types don't
    stack.

    - `grant` also gives the condition `what`, which stays.
    - `resource` changes how many of `what` are refilled. `wears`: the condition's value drops by the number withheld.
    - `duration` with `held` ends when the effect's creator is dead or gone, or when `when` is no longer true.
    - `flat` requires a check against `set` before the attack.
    - `per` = `size`: the rule counts once for each size by which one combatant is larger.
    - `extra` adds `dice` to the damage of an attack.
    - `spared`: no damage if a save would have halved it, and `times` over `over` of it if the save fails.
    - `unprovoking`: moving in the mode `what` (`move`: any) provokes no opportunity attacks.
    - `senses`: `what` doesn't limit its sight. `terrain`: the terrain `what` has no extra cost.
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
        """Return the number that the rule adds for a value of the condition."""
        return self.add + self.per_value * value
