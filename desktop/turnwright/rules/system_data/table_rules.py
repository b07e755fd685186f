"""Data of table rules: options of an encounter, and the environment entries that they change."""

from typing import Annotated

import msgspec

from turnwright.encounter.field_specs import DiceText, FieldSpec
from turnwright.encounter.prepared import Affects, InflictedConditionEnds
from turnwright.rules.system_data.field_types import EnvironmentEntryId, RuleIds


class EntryOverride(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table rule's change to an entry of a shipped environment, or of a copy of it: empty fields stay as they are.

    `where` names the feature whose area counts instead of the entry's own; `ends` is for its afflictions; `asks`: its
    targets are asked even where they would be plain.
    """

    environment: Annotated[str, FieldSpec(ids=("environment",))]
    entry: EnvironmentEntryId
    damage: DiceText = ""
    within: str = ""
    where: EnvironmentEntryId = ""
    affects: Affects | None = None
    ends: InflictedConditionEnds | None = None
    asks: bool = False


class TableRule(msgspec.Struct, frozen=True, omit_defaults=True):
    """An option of an encounter: a reading of a rule. `usual`: on by default.

    `rows` are environment entries that it changes; `spares_bystanders`: environments leave those alone who have no
    place in the order; `one_list`: helpful and hindering features stand in one list; `may_end` pairs a condition with
    another that getting free of it may end too, which is asked. `external`: it is about numbers that no rule of the
    ledger has.
    """

    id: str
    name: str
    text: str = ""
    usual: bool = False
    ledger: RuleIds = ()
    rows: tuple[EntryOverride, ...] = ()
    spares_bystanders: bool = False
    one_list: bool = False
    may_end: Annotated[tuple[tuple[str, str], ...], FieldSpec(ids=("condition", "condition"))] = ()
    external: bool = False
