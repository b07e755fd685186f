"""What a table chooses for an encounter, and the rows of surroundings that a choice plays otherwise."""

from __future__ import annotations

import msgspec

from turnwright.encounter.prepared import Affects, InflictedConditionEnds


class EntryOverride(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a table rule plays one row of a shipped environment, or of a copy of it: what is empty stays as it is.

    `where` names the feature whose area counts instead of the row's own; `ends` is for its afflictions; `asks`: who
    suffers it is asked even where it would be plain.
    """

    environment: str
    entry: str
    damage: str = ""
    within: str = ""
    where: str = ""
    affects: Affects | None = None
    ends: InflictedConditionEnds | None = None
    asks: bool = False


class TableRule(msgspec.Struct, frozen=True, omit_defaults=True):
    """A choice that a table makes for an encounter: how a rule is read. `usual`: on unless somebody says otherwise.

    `rows` are rows of environments that it changes; `spares_bystanders`: surroundings leave those alone who have no
    place in the order; `one_list`: what helps and what hinders stand in one list; `stay_veto` pairs a condition with
    another that getting free of it may end too, which is asked. `external`: it is about figures that no rule of the
    ledger has.
    """

    id: str
    name: str
    text: str = ""
    usual: bool = False
    ledger: tuple[str, ...] = ()
    rows: tuple[EntryOverride, ...] = ()
    spares_bystanders: bool = False
    one_list: bool = False
    may_end: tuple[tuple[str, str], ...] = ()
    external: bool = False
