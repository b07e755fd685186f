"""Reads the attack rows of Open5e's newer format as numbers of their feature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Feature
from turnwright.storage.conversion_report import ConversionReport
from turnwright.storage.importers.common import as_text
from turnwright.storage.importers.creature_columns import note_unknown_fields
from turnwright.storage.importers.open5e.damage import DamageField, dice_terms, with_parts
from turnwright.storage.importers.open5e.sources import key_of
from turnwright.storage.importers.open5e.stat_block_head import MAX_BONUS
from turnwright.storage.statblock_text.numbers import as_int

Row = Mapping[str, Any]
_KNOWN: Final = frozenset({
    *("attack_type", "damage_bonus", "damage_die_count", "damage_die_type", "damage_type", "distance_unit", "long_range"),
    *("extra_damage_bonus", "extra_damage_die_count", "extra_damage_die_type", "extra_damage_type", "name", "parent"),
    *("range", "reach", "target_creature_only", "to_hit_mod", "key", "url", "document", "id", "pk"),
})  # fmt: skip
_MOST: Final = 1_000
_FIRST: Final = ("damage_die_count", "damage_bonus", "damage_die_type")
_EXTRA: Final = ("extra_damage_die_count", "extra_damage_bonus", "extra_damage_die_type")


def attack_numbers(attacks: Sequence[Row], name: str, report: ConversionReport) -> dict[str, Any]:
    """Return the bonus, reach and range of an action's attacks, by field of a feature."""
    known: dict[str, Any] = {}
    for row in attacks:
        note_unknown_fields(row, _KNOWN, report, name)
        bonus, reach = as_int(row.get("to_hit_mod")), as_int(row.get("reach"))
        near, far = as_int(row.get("range")), as_int(row.get("long_range"))
        if bonus is None or abs(bonus) > MAX_BONUS:
            report.add_note(f"{name}: to_hit_mod", row.get("to_hit_mod"), "is no bonus to hit that anybody has")
        elif known.setdefault("attack", bonus) != bonus:
            report.add_note(f"{name}: to_hit_mod", bonus, "is that of a further attack; only the first one's was taken")
        if reach:
            known.setdefault("reach", reach)
        if near and far:
            known.setdefault("range", f"{near}/{far}" if far != near else f"{near}")
        if row.get("attack_type") == "SPELL":
            known["properties"] = ("spell",)
    return known


def with_attack_damage(feature: Feature, attacks: Sequence[Row], report: ConversionReport, name: str) -> Feature:
    """Return a feature with the damage of the row that its prose confirms, or else of the first."""
    feature = _with_range(feature, attacks, report, name)
    each = [_parts(row, name, report) for row in attacks]
    first = each[0] if len(each) == 1 else _borne(feature, each, report, name)
    if first:
        return with_parts(feature, first, report, name)
    kind = key_of(attacks[0].get("damage_type")).lower()
    if kind and kind not in feature.damage:
        report.add_note(
            f"{name}: damage_type", kind, f"prose says {feature.damage or 'nothing of damage'}, which stands"
        )
    return feature


def _borne(
    feature: Feature, each: Sequence[list[DamageField]], report: ConversionReport, name: str
) -> list[DamageField]:
    """Return the damage of the row that prose confirms, and report the others."""
    said = dice_terms(f"{feature.damage} + {feature.save_damage} + {feature.ongoing}").dice
    borne = [parts for parts in each if parts and set(_dice(parts)) <= set(said)]
    first = borne[0] if borne else each[0]
    for parts in each:
        if parts != first:
            told = " + ".join(part.text for part in parts)
            report.add_note(f"{name}: damage", told, "is that of a further way to attack; it stands in the text only")
    return first


def _with_range(feature: Feature, rows: Sequence[Row], report: ConversionReport, name: str) -> Feature:
    """Return a feature with the normal range of rows without a long range; prose may state the rest."""
    near = next((feet for row in rows if (feet := as_int(row.get("range"))) and not row.get("long_range")), None)
    if near is None or feature.range.startswith(f"{near}/"):
        return feature
    if feature.range and feature.range != f"{near}":
        report.add_note(
            f"{name}: range", feature.range, f"prose says {feature.range}, the source's own figure is {near}"
        )
    read = tuple(field for field in feature.read if field != "range")
    return msgspec.structs.replace(feature, range=f"{near}", read=read)


def _dice(parts: Sequence[DamageField]) -> list[tuple[int, int]]:
    return [(part.faces, part.number) for part in parts if part.faces]


def _parts(row: Row, name: str, report: ConversionReport) -> list[DamageField]:
    """Return the damage of a row; without extra dice, a part without a type takes the type of the extra ones."""
    kind, extra_kind = (key_of(row.get(column)).lower() for column in ("damage_type", "extra_damage_type"))
    extra = _part(row, _EXTRA, extra_kind, name, report)
    first = _part(row, _FIRST, kind or ("" if extra else extra_kind), name, report)
    return [part for part in (first, extra) if part]


def _part(
    row: Row, columns: tuple[str, str, str], kind: str, name: str, report: ConversionReport
) -> DamageField | None:
    number, added, thrown = columns
    count, bonus = as_int(row.get(number)), as_int(row.get(added))
    if count is None or count <= 0:
        if bonus:
            return DamageField(bonus, 0, 0, kind)
        return None
    die = as_text(row.get(thrown))
    faces = _faces(die)
    if not faces or faces < 0 or faces > _MOST or count > _MOST:
        report.add_note(f"{name}: {thrown}", f"{count} {die}".rstrip(), "are no dice; what prose says of them stands")
        return None
    return DamageField(count, faces, bonus, kind)


@lru_cache(maxsize=64)
def _faces(die: str) -> int | None:
    """Return the faces of a die such as `D10`."""
    return as_int(die.upper().removeprefix("D"))
