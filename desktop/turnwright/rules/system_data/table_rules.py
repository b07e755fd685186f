"""Data of house rules: options of an encounter, and the environment entries that they change."""

from typing import Annotated

import msgspec

from turnwright.encounter.field_specs import DiceText, FieldSpec
from turnwright.encounter.prepared import Affects, InflictedConditionEnds
from turnwright.rules.system_data.field_types import EnvironmentEntryId, RuleIds


class EntryOverride(msgspec.Struct, frozen=True, omit_defaults=True):
    """A house rule's change to an entry of a shipped environment or a copy of it. Empty fields change nothing."""

    environment: Annotated[str, FieldSpec(ids=("environment",))]
    """The id of the environment. Example: `stormy`."""
    entry: EnvironmentEntryId
    """The id of the feature or world action."""
    damage: DiceText = ""
    """The new damage. Example: `2d6 bludgeoning`."""
    within: str = ""
    """The new place in words where targets must be."""
    where: EnvironmentEntryId = ""
    """The feature whose area counts instead of the entry's own."""
    affects: Affects | None = None
    """The new targets."""
    ends: InflictedConditionEnds | None = None
    """The new end of the entry's conditions."""
    asks: bool = False
    """Whether you are asked for targets even if they are obvious."""


class TableRule(msgspec.Struct, frozen=True, omit_defaults=True):
    """A house rule: an option of an encounter, or an interpretation of a rule."""

    id: str
    """The id. In a file, it is the key of its table, as in `[options.round-up]`."""
    name: str
    """The name. Example: `Halves round up`."""
    text: str = ""
    """The effects in one or two sentences."""
    usual: bool = False
    """Whether it is on by default."""
    ledger: RuleIds = ()
    """The ids of the ledger rules that it is about."""
    rows: tuple[EntryOverride, ...] = ()
    """Its changes to entries of environments."""
    spares_bystanders: bool = False
    """Whether environments don't affect combatants without a place in the turn order."""
    one_list: bool = False
    """Whether helpful and hindering features of environments are in one list."""
    may_end: Annotated[tuple[tuple[str, str], ...], FieldSpec(ids=("condition", "condition"))] = ()
    """Pairs of a condition and another that may end too when a creature breaks free. You are asked each time."""
    external: bool = False
    """Whether no ledger rule contains its numbers."""
