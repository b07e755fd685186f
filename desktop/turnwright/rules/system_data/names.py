"""Ids with their names: abilities, skills, damage types, modes of movement.

Types of fields that contain ids of a game's data, annotated with the kind of id.
"""

from typing import Annotated, Literal

import msgspec

from turnwright.encounter.field_specs import AbilityId, FieldSpec, Positive
from turnwright.encounter.prepared import NamedNumbers


class NamedId(msgspec.Struct, frozen=True, omit_defaults=True):
    """An id with its name."""

    id: str
    """The id. In a file, it is the key of its table."""
    name: str
    """The name. Example: `Strength`."""
    short: str = ""
    """The abbreviation, if there is one. Example: `STR`."""


class AbilityScale(msgspec.Struct, frozen=True, omit_defaults=True):
    """The scale of ability scores: the modifier is the score minus `less`, divided by `over` and rounded down."""

    usual: int = 10
    """The score of a creature whose stat block lists none."""
    less: int = 10
    """The number subtracted from a score."""
    over: Positive = 2
    """The divisor after the subtraction. With `less = 0` and `over = 1`, stat blocks list the modifiers themselves."""
    least: int = 0
    """The lowest score that forms offer."""
    most: int = 30
    """The highest score that forms offer."""

    def modifier(self, score: int) -> int:
        """Return the modifier for a score."""
        return (score - self.less) // self.over

    @property
    def is_modifier(self) -> bool:
        """Return whether stat blocks give the modifier itself."""
        return (self.less, self.over) == (0, 1)


class Skill(msgspec.Struct, frozen=True, omit_defaults=True):
    """A skill or tool with its default ability."""

    id: str
    """The id. In a file, it is the key of its table."""
    name: str
    """The name. Example: `Stealth`."""
    ability: AbilityId
    """The ability that is usually added to its checks. Example: `dex`."""
    of_subjects: bool = False
    """Whether there is a skill for each subject, such as `lore-mining` for the skill `lore`."""


class DamageType(msgspec.Struct, frozen=True, omit_defaults=True):
    """A damage type."""

    id: str
    """The id. In a file, it is the key of its table."""
    name: str
    """The name. Example: `Fire`."""
    icon: str = ""
    """The name of its icon in the Material Design Icons. Example: `mdi6.fire`."""
    group: str = ""
    """A group of types that a creature may resist all at once. Example: `physical`."""


_Pairs = tuple[tuple[str, str], ...]

AbilityIds = Annotated[tuple[str, ...], FieldSpec(ids=("ability",))]
ActionIds = Annotated[tuple[str, ...], FieldSpec(ids=("action",))]
AskedParameter = Literal["choice", "cost", "item", "note", "remember", "spell"]
BonusType = Annotated[str, FieldSpec(ids=("type of bonus",))]
CheckTag = Annotated[str, FieldSpec(ids=("tag of a roll",))]
CheckTags = Annotated[tuple[str, ...], FieldSpec(ids=("tag of a roll",))]
ChoiceId = Annotated[str, FieldSpec(ids=("choice",))]
Cost = Annotated[str, FieldSpec(ids=("cost",))]
Costs = Annotated[tuple[str, ...], FieldSpec(ids=("cost",))]
CreatureFields = Annotated[tuple[str, ...], FieldSpec(ids=("field of a creature",))]
Degree = Literal["", "critical-failure", "failure", "success", "critical-success"]
DamageTypeIds = Annotated[tuple[str, ...], FieldSpec(ids=("damage type",))]
DamageSteps = Annotated[tuple[str, ...], FieldSpec(ids=("damage step",))]
EnvironmentEntryId = Annotated[str, FieldSpec(ids=("entry of an environment",))]
ModeNumbers = Annotated[NamedNumbers, FieldSpec(ids=("mode",))]
EffectName = Annotated[str, FieldSpec(ids=("condition or mark",))]
EffectNames = Annotated[tuple[str, ...], FieldSpec(ids=("condition or mark",))]
Modes = Annotated[tuple[str, ...], FieldSpec(ids=("mode",))]
OpposedNumber = Annotated[str, FieldSpec(ids=("opposed number",))]
Orders = Annotated[tuple[str, ...], FieldSpec(ids=("order",))]
OutcomeId = Annotated[str, FieldSpec(ids=("outcome",))]
Properties = Annotated[tuple[str, ...], FieldSpec(ids=("property",))]
ResourceIds = Annotated[tuple[str, ...], FieldSpec(ids=("resource",))]
ResourceNumbers = Annotated[NamedNumbers, FieldSpec(ids=("resource",))]
RollName = Annotated[str, FieldSpec(ids=("roll",))]
RollNames = Annotated[tuple[str, ...], FieldSpec(ids=("roll",))]
RuleId = Annotated[str, FieldSpec(ids=("rule",))]
RuleIds = Annotated[tuple[str, ...], FieldSpec(ids=("rule",))]
RulesByTopic = Annotated[_Pairs, FieldSpec(ids=("topic of an action", "rule"))]
SkillIds = Annotated[tuple[str, ...], FieldSpec(ids=("skill",))]
Tracks = Annotated[tuple[str, ...], FieldSpec(ids=("track",))]
TurnPhases = Annotated[tuple[str, ...], FieldSpec(ids=("phase of a turn",))]
WordKey = Annotated[str, FieldSpec(ids=("word",))]
