"""Converts attack rows of Open5e's newer format to numbers of their feature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from turnwright.encounter.prepared import Feature
from turnwright.importers.common import as_text
from turnwright.importers.creature_columns import note_unknown_fields
from turnwright.importers.open5e.damage import DamageField, dice_terms, with_parts
from turnwright.importers.open5e.sources import key_of
from turnwright.importers.open5e.stat_block_head import MAX_BONUS
from turnwright.importers.statblock_text.numbers import as_int
from turnwright.storage.conversion_report import ConversionReport

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
    """Return the bonus, reach and range of an action's attacks, keyed by feature field."""
    known: dict[str, Any] = {}
    for row in attacks:
        note_unknown_fields(row, _KNOWN, report, name)
        bonus, reach = as_int(row.get("to_hit_mod")), as_int(row.get("reach"))
        near, far = as_int(row.get("range")), as_int(row.get("long_range"))
        if bonus is None or abs(bonus) > MAX_BONUS:
            report.add_note(f"{name}: to_hit_mod", row.get("to_hit_mod"), "not a plausible attack bonus; ignored")
        elif known.setdefault("attack", bonus) != bonus:
            report.add_note(
                f"{name}: to_hit_mod", bonus, "bonus of an additional attack; only the first attack's bonus is used"
            )
        if reach:
            known.setdefault("reach", reach)
        if near and far:
            known.setdefault("range", f"{near}/{far}" if far != near else f"{near}")
        if row.get("attack_type") == "SPELL":
            known["properties"] = ("spell",)
    return known


def with_attack_damage(feature: Feature, attacks: Sequence[Row], report: ConversionReport, name: str) -> Feature:
    """Add an attack row's damage to a feature: from the row that its text confirms, or else from the first row."""
    feature = _with_range(feature, attacks, report, name)
    damage_by_row = [_parts(row, name, report) for row in attacks]
    first = damage_by_row[0] if len(damage_by_row) == 1 else _borne(feature, damage_by_row, report, name)
    if first:
        return with_parts(feature, first, report, name)
    kind = key_of(attacks[0].get("damage_type")).lower()
    if kind and kind not in feature.damage:
        why = (
            f"text value {feature.damage} used; the data says {kind}" if feature.damage else "no damage given; ignored"
        )
        report.add_note(f"{name}: damage_type", kind, why)
    return feature


def _borne(
    feature: Feature, damage_by_row: Sequence[list[DamageField]], report: ConversionReport, name: str
) -> list[DamageField]:
    """Return the damage of the row that the text confirms, or else of the first row, and report the others."""
    text_dice = dice_terms(f"{feature.damage} + {feature.save_damage} + {feature.ongoing}").dice
    confirmed = [parts for parts in damage_by_row if parts and set(_dice(parts)) <= set(text_dice)]
    first = confirmed[0] if confirmed else damage_by_row[0]
    for parts in damage_by_row:
        if parts != first:
            text = " + ".join(part.text for part in parts)
            report.add_note(f"{name}: damage", text, "damage of an additional attack; kept as text only")
    return first


def _with_range(feature: Feature, rows: Sequence[Row], report: ConversionReport, name: str) -> Feature:
    """Set a feature's range from a row without a long range, unless the text also states a long range."""
    near = next((feet for row in rows if (feet := as_int(row.get("range"))) and not row.get("long_range")), None)
    if near is None or feature.range.startswith(f"{near}/"):
        return feature
    if feature.range and feature.range != f"{near}":
        report.add_note(f"{name}: range", feature.range, f"data value {near} used; the text says {feature.range}")
    read = tuple(field for field in feature.read if field != "range")
    return msgspec.structs.replace(feature, range=f"{near}", read=read)


def _dice(parts: Sequence[DamageField]) -> list[tuple[int, int]]:
    return [(part.faces, part.number) for part in parts if part.faces]


def _parts(row: Row, name: str, report: ConversionReport) -> list[DamageField]:
    """Return the damage parts of a row. Without extra dice, the extra damage type is the default type."""
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
        report.add_note(f"{name}: {thrown}", f"{count} {die}".rstrip(), "not dice; text value used")
        return None
    return DamageField(count, faces, bonus, kind)


@lru_cache(maxsize=64)
def _faces(die: str) -> int | None:
    """Return the faces of a die such as `D10`."""
    return as_int(die.upper().removeprefix("D"))
