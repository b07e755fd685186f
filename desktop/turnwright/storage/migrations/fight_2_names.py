"""The names that format 2 of fight files changed, from `resources/migrations/fight_2.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
import rtoml

from turnwright.storage.resources import read_text

Names = Mapping[str, str]


class KindNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The new name of a procedure kind, and the new names of its stages by their old names."""

    kind: str
    stages: Names


class DataNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The new tag of a procedure's data, and its new field names by their old names. Other fields are dropped.

    `required`: fields that format 2 always writes, with the default value that format 1 left out.
    """

    tag: str
    fields: Names = {}
    required: Mapping[str, Any] = {}


class FightNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """New names by old names. `data_by_kind` is keyed by the old tag, then by the procedure's old kind."""

    record_fields: Mapping[str, Names]
    ask_fields: Names
    data_fields: Mapping[str, Names]
    undo_labels: Names
    option_labels: Names
    phases: Mapping[str, Names]
    procedures: Mapping[str, KindNames]
    data_by_kind: Mapping[str, Mapping[str, DataNames]]


@cache
def fight_names() -> FightNames:
    """Return the changed names. They are read once."""
    return msgspec.convert(rtoml.loads(read_text("migrations/fight_2.toml")), FightNames)
