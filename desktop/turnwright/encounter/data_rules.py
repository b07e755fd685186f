"""Data rules: effects of conditions, actions, standing rules and features on rolls and numbers."""

from typing import Annotated, Literal

import msgspec

from turnwright.encounter.field_specs import MAX_NUMBER, DiceText, FieldSpec

DataRuleKind = Literal[
    "modifier", "advantage", "disadvantage", "resource", "deny", "damage", "duration", "grant", "note", "expertise",
    "critical", "fail", "hit", "ask", "flat", "extra", "evasion", "unprovoking", "senses", "terrain", "at-zero",
    "reroll",
]  # fmt: skip


_Change = Annotated[int, FieldSpec(least=-MAX_NUMBER, most=MAX_NUMBER)]


class DataRule(msgspec.Struct, frozen=True, omit_defaults=True):
    """A single effect of a condition, an action, a feature or a standing rule."""

    kind: DataRuleKind
    """The kind of effect. `what`, and the fields that give the amount, depend on it."""
    what: str
    """The number, roll or thing that the effect changes. Example: `save.dex`, `attack-against`, `speed` or `action`."""
    set: _Change | None = None
    """The number that replaces the current one. Example: `0` for a speed of 0. For `flat`, the DC of the check. For
    `reroll`, the highest face of a d20 that is rolled again. For `damage`, `1` lowers immunity to resistance, and `0`
    also removes resistance.
    """
    add: _Change = 0
    """The number that is added. Negative numbers are penalties. Example: `-2`. For `extra` without `dice`, the number of
    further dice of the weapon on a critical hit.
    """
    times: Annotated[int, FieldSpec(least=-1, most=1000)] = 1
    """The factor for the number. Together with `over` it is a fraction. For `damage`, `-1` heals."""
    over: Annotated[int, FieldSpec(least=1, most=1000)] = 1
    """The divisor of `times`. Example: `2` with the usual `times` halves the number."""
    when: Annotated[str, FieldSpec(ids=("statement",))] = ""
    """The statement under which the rule applies. Empty means always. Example: `melee, not sees`."""
    text: Annotated[str, FieldSpec(ids=("text",))] = ""
    """The reason that rolls show, or the text of a note. If it is empty, rolls show the name of the condition or
    feature.
    """
    ledger: Annotated[str, FieldSpec(ids=("rule",))] = ""
    """The id of the ledger rule that it represents, if the condition has several."""
    per_value: _Change = 0
    """The number that is added for each point of the condition's value. Example: `-1` for Frightened in Pathfinder."""
    least: _Change | None = None
    """The number that is the least after all additions and shares. Example: `16` for an AC of at least 16. For `critical`,
    the lowest face of a d20 with which a hit is a critical hit. For `reroll`, the face as which lower ones count.
    """
    per: Literal["", "size", "level"] = ""
    """Set it to `size` if the rule counts once for each size by which one combatant is larger than the other, or to
    `level` if its amount counts once for each level of the creature, at least once. With `level`, `set` only replaces the
    number's own value, and other rules still count.
    """
    type: Annotated[str, FieldSpec(ids=("type of bonus",))] = ""
    """The type of bonus or penalty, in games where equal types don't stack. Example: `status`."""
    wears: bool = False
    """Whether the condition's value drops by the amount of the resource that it withheld."""
    by_level: tuple[tuple[int, int], ...] = ()
    """The number that is added to another number, as pairs of a level of the creature and the number from that level on.
    Example: `[[1, 10], [5, 15]]`.
    """
    carries: bool = False
    """Whether current hit points rise or fall with the maximum when the rule for `hp-max` begins. Example: `true` for
    Drained in Pathfinder.
    """
    at_zero: bool = False
    """Whether a creature dies if the rule lowers the ability score to 0. Example: `true` for a shadow's strength drain."""
    dice: DiceText = ""
    """The dice of `extra`, with a type if they are damage. Example: `1d6 fire`, or `-1d4` for a roll."""

    def amount_at(self, value: int = 0) -> int:
        """Return the number that the rule adds for a value of the condition."""
        return self.add + self.per_value * value
