"""Compares two sources of one set, and applies the decisions about their differences."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import msgspec

from turnwright.encounter.prepared import Creature, Feature
from turnwright.storage.atomic import slug
from turnwright.storage.findings import FindingCollector
from turnwright.storage.toml.reader import read_struct

S = TypeVar("S", Creature, Feature)

CREATURE_FIELDS: Final = (
    "size", "rating", "ac", "hp", "hit_dice", "speeds", "hovers", "abilities", "saves", "skills", "senses", "tags",
    "resistances", "vulnerabilities", "immunities", "mundane_immunity", "mundane_resistance", "mundane_except",
    "condition_immunities", "legendary",
)  # fmt: skip
FEATURE_FIELDS: Final = (
    "attack", "reach", "range", "damage", "save", "dc", "recharge", "uses", "per", "half", "area", "price", "heals",
    "save_damage", "attacks",
)  # fmt: skip


@dataclass(frozen=True)
class Difference:
    """A figure that two sources give differently, and what was decided. `feature` is empty for one of the creature."""

    creature: str
    feature: str
    field: str
    base: Any
    other: Any
    taken: str


def with_fields(record: S, fields: Mapping[str, Any]) -> S:
    """Return a creature or feature with fields as they are written in a file. Raise ValueError if one is wrong."""
    notes = FindingCollector()
    stated = read_struct(type(record), {"id": record.id, "name": record.name, **fields}, (), notes)
    if stated is None or notes.notes:
        raise ValueError(f"{record.id}: {[note.message for note in notes.notes]}")
    return msgspec.structs.replace(record, **{field: getattr(stated, field) for field in fields})


class Merger:
    """Applies the decisions of a set. `differences` collects every figure in which the sources differ."""

    def __init__(self, decisions: Mapping[str, Any]) -> None:
        self.decisions = decisions
        self.differences: list[Difference] = []
        self.used: set[tuple[str, ...]] = set()

    def merged(self, base: Creature, other: Creature | None) -> Creature:
        """Return a creature with the features and figures that were decided."""
        id = slug(base.name)
        features = self._features(id, base.features, other.features if other is not None else ())
        known = {_key(each): each for each in other.features} if other is not None else {}
        features = [self._feature(id, each, known.get(_key(each))) for each in features]
        creature = msgspec.structs.replace(base, id=id, features=tuple(features))
        return self._decided(creature, other, CREATURE_FIELDS, "creature", self._row("creatures", id), (id, ""))

    def _row(self, kind: str, *names: str) -> Mapping[str, Any]:
        row: Mapping[str, Any] = self.decisions.get(kind, {})
        for at, name in enumerate(names):
            row = row.get(name, {})
            if row:
                self.used.add((kind, *names[: at + 1]))
        return row

    def _features(self, id: str, base: Sequence[Feature], other: Sequence[Feature]) -> list[Feature]:
        dropped = [*self._row("drop", "*").get("names", ()), *self._row("drop", id).get("names", ())]
        kept = [each for each in base if not any(_is_named(each, name) for name in dropped)]
        added = [each for name in self._row("add", id).get("names", ()) for each in other if _is_named(each, name)]
        known = {each.id for each in (*kept, *added)}
        used = {step.use for each in added for step in each.does} - known
        added += [each for each in other if each.id in used]
        taken = {each.id for each in added}
        kept = [msgspec.structs.replace(each, id=f"{each.id}-2") if each.id in taken else each for each in kept]
        traits = [each for each in added if each.cost == "trait"]
        return [*traits, *kept, *(each for each in added if each.cost != "trait")]

    def _feature(self, id: str, feature: Feature, other: Feature | None) -> Feature:
        row = {**self._row("features", id, "*"), **self._row("features", id, feature.id)}
        other = None if feature.is_spell or (other is not None and other.is_spell) else other
        return self._decided(feature, other, FEATURE_FIELDS, "feature", row, (id, feature.id))

    def _decided(
        self, record: S, other: S | None, fields: Sequence[str], kind: str, row: Mapping[str, Any],
        names: tuple[str, str],
    ) -> S:  # fmt: skip
        policy = self.decisions.get("policy", {}).get(kind, {})
        stated = {field: decision["value"] for field, decision in row.items() if "value" in decision}
        changes: dict[str, Any] = {}
        for field in fields if other is not None else ():
            old, new = getattr(record, field), getattr(other, field)
            if old == new or (isinstance(old, tuple) and sorted(old) == sorted(new)):
                continue
            take = "value" if field in stated else row.get(field, row.get("*", policy.get(field, {}))).get("take", "")
            if not take:
                raise ValueError(f"{names}: {field} {old!r} or {new!r} isn't decided")
            self.differences.append(Difference(*names, field, old, new, take))
            changes[field] = _taken(take, old, new, record)
        record = msgspec.structs.replace(record, **changes)
        return with_fields(record, stated) if stated else record


def _taken(take: str, old: Any, new: Any, record: Creature | Feature) -> Any:
    if take == "other":
        return new
    if take == "both" and isinstance(old, tuple):
        pairs = bool((*old, *new)) and isinstance((*old, *new)[0], tuple)
        return tuple(sorted({**dict(new), **dict(old)}.items())) if pairs else tuple(dict.fromkeys((*old, *new)))
    if take == "stated" and isinstance(record, Feature):  # the other's figure, if the base's sentence has it too
        numbers = re.findall(r"\d+", str(new))[:1]
        is_stated = not old and record.save and set(numbers) <= set(re.findall(r"\d+", record.text))
        return new if is_stated and record.attack is None else old
    return old


def _key(feature: Feature) -> str:
    return re.sub(r"[^a-z0-9]", "", re.sub(r"\(.*?\)", "", feature.name).lower()).rstrip("s")


def _is_named(feature: Feature, name: str) -> bool:
    return name in ("*", feature.name, f"#{feature.id}") or (name == "…" and feature.name.endswith(name))


def unused(decisions: Mapping[str, Any], used: set[tuple[str, ...]]) -> Iterator[str]:
    """Yield the decisions that no creature needs, so that misspelt ids are found."""
    for kind in ("drop", "add", "creatures", "features"):
        for name, row in decisions.get(kind, {}).items():
            if (kind, name) not in used:
                yield f"{kind}.{name}"
            if kind == "features":
                yield from (f"{kind}.{name}.{each}" for each in row if (kind, name, each) not in used)
