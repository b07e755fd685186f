"""The names changed in format 2 of fight files, from `resources/migrations/fight_2.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
import rtoml

from turnwright.storage.resources import read_text

Names = Mapping[str, str]


class KindNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The new name of a procedure kind, and the new names of its stages, keyed by old name."""

    kind: str
    stages: Names


class DataNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The new tag of a procedure's data, and its new field names, keyed by old name. Other fields are dropped.

    `required`: fields that format 2 always contains, with the default values that format 1 left out.
    """

    tag: str
    fields: Names = {}
    required: Mapping[str, Any] = {}


class FightNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The new names, keyed by old name. `data_by_kind` is keyed by the old tag, then by the old procedure kind."""

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
    """Return the changed names. The file is read only once."""
    return msgspec.convert(rtoml.loads(read_text("migrations/fight_2.toml")), FightNames)
