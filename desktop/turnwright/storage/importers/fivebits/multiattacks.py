"""Multiattacks of 5e-bits' records: fixed attacks, and options among which one is chosen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Feature, Figures
from turnwright.storage.importers.drafting import listed, mapping, text_of, whole
from turnwright.storage.importers.results import Account

MAX_WAYS: Final = 40
Way = dict[str, int]
_NOT_WORD = re.compile(r"[^a-z0-9]+")


def with_ways(found: Sequence[tuple[Feature, Mapping[str, Any]]], account: Account) -> tuple[Feature, ...]:
    """Return the features, those that give several attacks with the ways to use them."""
    features = tuple(feature for feature, _source in found)
    return tuple(_with_ways(feature, source, features, account) for feature, source in found)


def _with_ways(feature: Feature, source: Mapping[str, Any], features: Sequence[Feature], account: Account) -> Feature:
    if not source.get("actions") and not source.get("action_options"):
        return feature
    ids = {_plain(other.name): other for other in reversed(features) if other is not feature}
    reader = _Reader(ids, feature.name, account)
    fixed = reader.ways_of({"items": listed(source.get("actions"))})
    options = mapping(mapping(source.get("action_options")).get("from")).get("options")
    chosen = [way for option in listed(options) for way in reader.ways_of(mapping(option))] or [{}]
    if (whole(mapping(source.get("action_options")).get("choose")) or 1) > 1:
        account.tell(
            f"{feature.name}: action_options",
            source["action_options"],
            "more than one may be chosen; the ways hold one",
        )
    ways = [sum_of(one, other) for one, other in islice(product(fixed, chosen), MAX_WAYS)]
    tables = tuple(dict.fromkeys(tuple(way.items()) for way in ways if way))
    if not tables:
        return feature
    attacks = max(reader.attacks_in(table) for table in tables)
    return msgspec.structs.replace(
        feature,
        multiattack=tables,
        attacks=min(attacks, 100),
        read=tuple(field for field in feature.read if field not in ("multiattack", "attacks")),
    )


class _Reader:
    """Reads the ways of one multiattack; `features` are the creature's others by plain name."""

    def __init__(self, features: Mapping[str, Feature], name: str, account: Account) -> None:
        self._features = features
        self._ids = {feature.id: feature for feature in features.values()}
        self._name = name
        self._account = account

    def ways_of(self, option: Mapping[str, Any]) -> list[Way]:
        """Return each way that an option gives: of its items all, of a choice among them each."""
        if "items" in option:
            each = [self.ways_of(mapping(item)) for item in listed(option["items"])]
            ways: list[Way] = []
            for combined in islice(product(*each), MAX_WAYS):
                way: Way = {}
                for part in combined:
                    way = sum_of(way, part)
                ways.append(way)
            return ways
        if "from" in option or "choice" in option:
            inner = mapping(option.get("choice")) or option
            return [
                way for one in listed(mapping(inner.get("from")).get("options")) for way in self.ways_of(mapping(one))
            ]
        return [dict(self._counted(option))]

    def attacks_in(self, table: Figures) -> int:
        """Return how many attacks a way has in all."""
        return sum(count for id, count in table if self._ids[id].attack is not None)

    def _counted(self, action: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
        name, count = text_of(action.get("action_name")), whole(action.get("count"))
        feature = self._named(name)
        if feature is None:
            self._account.tell(f"{self._name}: {name}", name or action, "names none of its features")
        elif count is None or not 0 < count <= 100:
            self._account.tell(f"{self._name}: {name}", action.get("count"), "is no number of attacks")
        else:
            yield feature.id, count

    def _named(self, name: str) -> Feature | None:
        plain = _plain(name)
        if not plain:
            return None
        found = self._features.get(plain) or self._features.get(_plain(name.partition("(")[0]))
        if found is None:
            longer = [feature for key, feature in self._features.items() if key.startswith(f"{plain} ")]
            found = longer[0] if longer else None
        return found


def sum_of(one: Way, other: Way) -> Way:
    """Return two ways together."""
    both = dict(one)
    for id, count in other.items():
        both[id] = both.get(id, 0) + count
    return both


def _plain(name: str) -> str:
    """Return a name by which one and many are the same: `Claws` and `claw`."""
    words = _NOT_WORD.sub(" ", name.lower()).split()
    return " ".join(word.removesuffix("s") if len(word) > 3 else word for word in words)
