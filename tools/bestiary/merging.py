"""Compares two sources of one set, and applies the decisions about their differences."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Creature, Feature
from turnwright.storage.atomic import slug

_BRACKETS: Final = re.compile(r"\s*\((?!.*only\)).*?\)|:? legendary action", re.IGNORECASE)


@dataclass(frozen=True)
class Difference:
    """A figure that two sources give differently. `feature` is empty for a figure of the creature itself."""

    creature: str
    feature: str
    field: str
    base: Any
    other: Any


def name_key(feature: Feature) -> str:
    """Return a feature's name without the signs, brackets and plurals in which sources differ."""
    return re.sub(r"[^a-z0-9]", "", re.sub(r"\(.*?\)", "", feature.name).lower()).rstrip("s")


def merged(base: Creature, other: Creature | None, decisions: Mapping[str, Any]) -> Creature:
    """Return a creature with the features that the decisions drop from the base or add from the other source."""
    id = slug(base.name)
    dropped = [*decisions["drop"].get("*", {}).get("names", ()), *decisions["drop"].get(id, {}).get("names", ())]
    kept = [each for each in base.features if not any(_is_named(each, name) for name in dropped)]
    names = decisions["add"].get(id, {}).get("names", ())
    by_name = {each.name: each for each in other.features} if other is not None else {}
    added = [by_name[name] for name in names]
    traits = [each for each in added if each.cost == "trait"]
    rest = [each for each in added if each.cost != "trait"]
    return msgspec.structs.replace(base, features=tuple([*traits, *kept, *rest]))


def _is_named(feature: Feature, name: str) -> bool:
    return feature.name == name or (name == "…" and feature.name.endswith(name))
