"""Data of house rules: options of an encounter, and the environment entries that they change."""

from typing import Annotated

import msgspec

from turnwright.encounter.field_specs import DiceText, FieldSpec
from turnwright.encounter.prepared import Affects, InflictedConditionEnds
from turnwright.rules.system_data.field_types import EnvironmentEntryId, RuleIds


class EntryOverride(msgspec.Struct, frozen=True, omit_defaults=True):
    """A house rule's change to an entry of a shipped environment or a copy of it. Empty fields change nothing.

    `where` is the feature whose area counts instead of the entry's own. `ends` applies to the entry's conditions.
    `asks`: the game master is asked for targets even if they would be obvious.
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
    """A house rule: an option of an encounter, or an interpretation of a rule. `usual`: on by default.

    `rows` are changes to environment entries. `spares_bystanders`: environments don't affect combatants without a place
    in the turn order. `one_list`: helpful and hindering features are in one list. `may_end` pairs a condition with
    another that may end too when a creature breaks free; the game master is asked. `external`: no rule of the ledger
    contains its numbers.
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
