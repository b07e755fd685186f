"""Types of fields that contain ids of a game's data, annotated with the kind of id."""

from __future__ import annotations

from typing import Annotated, Literal

from turnwright.encounter.field_specs import FieldSpec
from turnwright.encounter.prepared import NamedNumbers

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
