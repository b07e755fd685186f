"""Reads multiattacks of 5e-bits records: fixed attacks, and choices of attacks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Feature, NamedNumbers
from turnwright.importers.common import as_list, as_mapping, as_text
from turnwright.importers.statblock_text.numbers import as_int
from turnwright.storage.conversion_report import ConversionReport

MAX_OPTIONS: Final = 40
AttackOption = Counter[str]
_NOT_WORD = re.compile(r"[^a-z0-9]+")


def with_structured_multiattacks(
    pairs: Sequence[tuple[Feature, Mapping[str, Any]]], report: ConversionReport
) -> tuple[Feature, ...]:
    """Return the features. The options of each multiattack come from its record."""
    features = tuple(feature for feature, _source in pairs)
    return tuple(_with_ways(feature, source, features, report) for feature, source in pairs)


def _with_ways(
    feature: Feature, source: Mapping[str, Any], features: Sequence[Feature], report: ConversionReport
) -> Feature:
    if not source.get("actions") and not source.get("action_options"):
        return feature
    ids = {_plain(other.name): other for other in reversed(features) if other is not feature}
    reader = _Reader(ids, feature.name, report)
    fixed = reader.ways_of({"items": as_list(source.get("actions"))})
    options = as_mapping(as_mapping(source.get("action_options")).get("from")).get("options")
    choices = [way for option in as_list(options) for way in reader.ways_of(as_mapping(option))] or [AttackOption()]
    if (as_int(as_mapping(source.get("action_options")).get("choose")) or 1) > 1:
        report.add_note(
            f"{feature.name}: action_options",
            source["action_options"],
            "several options may be combined; only single options imported",
        )
    ways = [first + second for first, second in islice(product(fixed, choices), MAX_OPTIONS)]
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
    """Reads the options of one multiattack. `features` are the creature's other features, keyed by plain name."""

    def __init__(self, features: Mapping[str, Feature], name: str, report: ConversionReport) -> None:
        self._features = features
        self._ids = {feature.id: feature for feature in features.values()}
        self._name = name
        self._account = report

    def ways_of(self, option: Mapping[str, Any]) -> list[AttackOption]:
        """Return the options in a record. Items are combined; each entry of a choice is a separate option."""
        if "items" in option:
            item_ways = [self.ways_of(as_mapping(item)) for item in as_list(option["items"])]
            return [sum(combined, AttackOption()) for combined in islice(product(*item_ways), MAX_OPTIONS)]
        if "from" in option or "choice" in option:
            inner = as_mapping(option.get("choice")) or option
            return [
                way
                for entry in as_list(as_mapping(inner.get("from")).get("options"))
                for way in self.ways_of(as_mapping(entry))
            ]
        return [AttackOption(dict(self._counted(option)))]

    def attacks_in(self, table: NamedNumbers) -> int:
        """Return the number of attacks of an option."""
        return sum(count for id, count in table if self._ids[id].attack is not None)

    def _counted(self, action: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
        name, count = as_text(action.get("action_name")), as_int(action.get("count"))
        feature = self._named(name)
        if feature is None:
            self._account.add_note(f"{self._name}: {name}", name or action, "no feature of this name; ignored")
        elif count is None or not 0 < count <= 100:
            self._account.add_note(f"{self._name}: {name}", action.get("count"), "not a number of attacks; ignored")
        else:
            yield feature.id, count

    def _named(self, name: str) -> Feature | None:
        plain = _plain(name)
        if not plain:
            return None
        match = self._features.get(plain) or self._features.get(_plain(name.partition("(")[0]))
        if match is None:
            longer = [feature for key, feature in self._features.items() if key.startswith(f"{plain} ")]
            match = longer[0] if longer else None
        return match


def _plain(name: str) -> str:
    """Return a name in lower case without its plural ending: `claw` for `Claws`."""
    words = _NOT_WORD.sub(" ", name.lower()).split()
    return " ".join(word.removesuffix("s") if len(word) > 3 else word for word in words)
